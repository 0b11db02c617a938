"""The best guess by one look ahead, over all guesses of a board.

Guesses of one multiset of colors share the classes of candidates with t colors in common. As
worths of parts are convex, spreading a class evenly over its possible black counts bounds what any
guess of the multiset can score, and most multisets are skipped whole. A guess is dropped as soon
as its largest class scores too much.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pegwise.arrays import I32, I64, U8, Bools
from pegwise.kernels.jit import Int, inlined, popcount, subkernel
from pegwise.kernels.onestep.bitslice import (
    add,
    add_halves,
    class_score,
    exactly,
    join_halves,
    mask_common,
    pack,
    score_word,
    second_score,
)
from pegwise.kernels.onestep.board import BoardArrays
from pegwise.kernels.onestep.lookahead import Lookahead, words_for

NO_SCORE = np.int64(1 << 62)


@subkernel
def weigh(candidates: I32, used: Any, classes: Bools, look: Lookahead) -> Int:
    """The number of the guess of least score.

    Candidates, int32 (n), are ascending; n is at least 1. `used` is the set of the colors played so
    far; `classes`, bool (G) by number, are guesses to look at, empty for all.
    """
    words = words_for(len(candidates))
    pack(candidates, look, words)
    if words == 1 and not look.board.black:
        slot, best, second = _weigh_candidates(candidates, classes, look)
    else:
        slot, best, second = _weigh_grouped(candidates, classes, look, words)
    if not look.criteria.only_candidates:
        key = _weigh_others(candidates, used, classes, look, words, best, second)
        if key >= 0:
            return np.int64(np.searchsorted(look.board.number_keys, key))
    return np.int64(look.board.number[slot])


@inlined
def _looked_at(classes: Bools, board: BoardArrays, slot: Int) -> bool:
    """Whether a guess is one of those to look at."""
    return len(classes) == 0 or bool(classes[board.number[slot]])


@subkernel
def _weigh_candidates(candidates: I32, classes: Bools, look: Lookahead) -> Any:
    """The first candidate of least score, of one word: its slot, score and second score."""
    board, criteria, scratch = look.board, look.criteria, look.scratch
    worth, additive, pegs = criteria.worth, criteria.additive, board.pegs
    best: Int = NO_SCORE
    best_second: Int = NO_SCORE
    best_slot: Int = np.int64(-1)
    for candidate in candidates:
        slot: Int = np.int64(board.secret_slot[candidate])
        if not _looked_at(classes, board, slot):
            continue
        in_common = add(scratch.counts, board.counts, np.int64(board.group[slot]), pegs, 1, 0)
        black = add(scratch.places, board.places, slot, pegs, 1, 0)
        reached = score_word(in_common, black, scratch.everyone[0], worth, additive, pegs)
        if reached > best:
            continue
        second = second_score(look, slot, np.int64(1))
        if reached < best or second < best_second:
            best, best_second, best_slot = reached, second, slot
    return best_slot, best, best_second


@subkernel
def _group(candidates: I32, classes: Bools, look: Lookahead) -> None:
    """Sort the slots of the candidates worth a look by multiset."""
    board, grouped, ends = look.board, look.scratch.grouped, look.scratch.ends
    group = board.group
    ends[:] = 0
    for candidate in candidates:
        slot = board.secret_slot[candidate]
        if _looked_at(classes, board, np.int64(slot)):
            ends[group[slot] + 1] += 1
    for multiset in range(1, len(ends)):
        ends[multiset] += ends[multiset - 1]
    for candidate in candidates:
        slot = board.secret_slot[candidate]
        if _looked_at(classes, board, np.int64(slot)):
            grouped[ends[group[slot]]] = slot
            ends[group[slot]] += 1


@subkernel
def _weigh_grouped(candidates: I32, classes: Bools, look: Lookahead, words: Int) -> Any:
    """The first candidate of least score, of any number: its slot, score and second score."""
    board, scratch = look.board, look.scratch
    _group(candidates, classes, look)
    grouped, ends, number = scratch.grouped, scratch.ends, board.number
    best: Int = NO_SCORE
    best_second: Int = NO_SCORE
    best_slot: Int = np.int64(-1)
    start = np.int64(0)
    for multiset in range(len(ends) - 1):
        stop = np.int64(ends[multiset])
        if start == stop:
            continue
        mask_common(look, multiset, words)
        own = np.int64(0) if board.black else np.int64(len(board.pegs))
        n_classes = _order_classes(look, own)
        for at in range(start, stop):
            slot: Int = np.int64(grouped[at])
            reached = _score_words(slot, best, look, words, n_classes)
            if reached > best:
                continue
            second = second_score(look, slot, words)
            if (
                reached < best
                or second < best_second
                or (second == best_second and number[slot] < number[best_slot])
            ):
                best, best_second, best_slot = reached, second, slot
        start = stop
    return best_slot, best, best_second


@subkernel
def _order_classes(look: Lookahead, own: Int) -> Int:
    """Sort classes by size, largest first, with the least score of each and those after it.

    `own` is the class that the guess itself is in; -1 if it cannot win. The number of classes that
    hold anyone is returned.
    """
    criteria, scratch = look.criteria, look.scratch
    order, tail, sizes = scratch.order, scratch.tail, scratch.sizes
    classes = 0
    for t in range(len(sizes)):
        size = sizes[t]
        if size > 0:
            at = classes
            classes += 1
            while at > 0 and sizes[order[at - 1]] < size:
                order[at] = order[at - 1]
                at -= 1
            order[at] = t
    tail[classes] = 0
    for at in range(classes - 1, -1, -1):
        t = order[at]
        value = criteria.floors[len(sizes) if t == own else t, sizes[t]]
        tail[at] = tail[at + 1] + value if criteria.additive else max(tail[at + 1], value)
    return classes


@subkernel
def _score_words(slot: Int, limit: Int, look: Lookahead, words: Int, n_classes: Int) -> Int:
    """The score of a guess of the multiset at hand; more than a limit when it is above that."""
    order, tail = look.scratch.order, look.scratch.tail
    worth, additive = look.criteria.worth, look.criteria.additive
    reached = 0
    for at in range(n_classes):
        if (reached + tail[at] if additive else reached) > limit:
            return NO_SCORE
        value = class_score(look, slot, order[at], words, worth, additive)
        reached = reached + value if additive else max(reached, value)
    return reached


@subkernel
def _next_words(
    slot: Int, stop: Int, limit: Int, classes: Bools, look: Lookahead, words: Int, n_classes: Int
) -> Any:
    """The first guess of a multiset, from a slot on, that scores up to a limit; its score."""
    while slot < stop:
        if _looked_at(classes, look.board, slot):
            reached = _score_words(slot, limit, look, words, n_classes)
            if reached <= limit:
                return slot, reached
        slot += 1
    return stop, limit


@subkernel
def _next_word(
    slot: Int, stop: Int, limit: Int, classes: Bools, look: Lookahead, in_common: Any
) -> Any:
    """Weigh guesses for a set that one word holds. The largest class is looked at first."""
    board, criteria, scratch = look.board, look.criteria, look.scratch
    halves, rows, pegs = scratch.halves, board.halves, board.pegs
    worth, additive = criteria.worth, criteria.additive
    everyone = scratch.everyone[0]
    room = limit - scratch.tail[1] if additive else limit
    some = exactly(in_common, scratch.order[0]) & everyone
    size = popcount(some)
    while slot < stop:
        if _looked_at(classes, board, slot):
            black = join_halves(halves, rows, slot, pegs)
            total = 0
            rest = size
            top = 0
            for k in range(1, len(pegs) + 1):
                count = popcount(some & exactly(black, k))
                rest -= count
                total += worth[count]
                top = max(top, count)
            if (total + worth[rest] if additive else worth[max(top, rest)]) <= room:
                reached = score_word(in_common, black, everyone, worth, additive, pegs)
                if reached <= limit:
                    return slot, reached
        slot += 1
    return stop, limit


@subkernel
def _weigh_others(
    candidates: I32,
    used: Any,
    classes: Bools,
    look: Lookahead,
    words: Int,
    best: Int,
    best_second: Int,
) -> Int:
    """The key of the guess that does better than every candidate; -1 if there is none."""
    board, scratch = look.board, look.scratch
    keys, has_second = board.keys, look.criteria.has_second
    one_word = words == 1 and not board.black

    colors = board.repeats.shape[1] - 1
    everything = np.uint32((np.int64(1) << np.int64(colors)) - 1)
    live = np.uint32(0)  # the colors that some candidate has
    for candidate in candidates:
        live |= board.secret_members[candidate]
    dead = everything & ~live
    free = everything & ~used & live
    if len(classes):
        free = np.uint32(0)

    # candidates win ties; of the others only a guess before the best one does
    limit = best if has_second else best - 1
    count = worth_a_look(dead, free, classes, limit, look, words)
    if count and one_word:
        add_halves(look, colors)
    promising = 0
    for at in range(1, count):
        if scratch.least[at] < scratch.least[promising]:
            promising = at

    best_key: Int = np.int64(-1)  # less than any other: the best is a candidate
    for turn in range(-1, count):
        # the most promising multiset first: it bounds the others
        at = promising if turn < 0 else turn
        if turn == promising or count == 0:
            continue
        multiset = np.int64(scratch.listed[at])
        start, stop = np.int64(scratch.begin[at]), np.int64(board.first[multiset + 1])
        limit = best if has_second or keys[start] < best_key else best - 1
        if scratch.least[at] > limit:
            continue
        in_common = _mask_any(look, multiset, words)
        n_classes = _order_classes(look, np.int64(-1))
        # equal guesses are of one multiset, the first of them first, unless interchangeable
        # colors come more than once
        mixed = board.members[multiset] & free & board.doubles[multiset] != 0
        slot = start
        while True:
            if one_word:
                slot, reached = _next_word(slot, stop, limit, classes, look, in_common)
            else:
                slot, reached = _next_words(slot, stop, limit, classes, look, words, n_classes)
            if slot == stop:
                break
            key = keys[slot]
            if len(classes) == 0:
                key = canonical_key(board, slot, dead, free, scratch.renamed)
            second = second_score(look, slot, words)
            if reached < best or second < best_second or (second == best_second and key < best_key):
                best, best_second, best_key = reached, second, key
                limit = best if has_second or (mixed and keys[start] < best_key) else best - 1
                if scratch.least[at] > limit:
                    break
            slot += 1
    return best_key


@subkernel
def _mask_any(look: Lookahead, multiset: Int, words: Int) -> Any:
    """Fill `sizes` for a multiset; bit planes of the colors in common, for sets of one word.

    `common` is filled for larger sets, and where only black marks are given.
    """
    board, scratch = look.board, look.scratch
    in_common = add(scratch.counts, board.counts, multiset, board.pegs, words, 0)
    if words == 1 and not board.black:
        for t in range(len(board.pegs) + 1):
            scratch.sizes[t] = popcount(exactly(in_common, t) & scratch.everyone[0])
    else:
        mask_common(look, multiset, words)
    return in_common


# Which multisets of colors are worth a look, and which guesses are equal.
#
# Colors that no candidate has are one color; colors not yet played are interchangeable. Of guesses
# that are equal in this way only one is scored, and the first in numeric order is played, so that
# the choice is the one that the plain definition makes.


@inlined
def _below_lowest(colors: Any) -> Any:
    """Set of the colors before the first one of a set; of all when it is empty."""
    return (colors & (~colors + np.uint32(1))) - np.uint32(1)


@subkernel
def _most_often_first(repeats: U8, multiset: Int, free: Any) -> bool:
    """Whether, of some colors, the first ones come most often in a multiset."""
    before = np.uint8(255)
    for color in range(repeats.shape[1] - 1):
        if free >> np.uint32(color) & np.uint32(1):
            if repeats[multiset, color] > before:
                return False
            before = repeats[multiset, color]
    return True


@subkernel
def canonical_key(board: BoardArrays, slot: Int, dead: Any, free: Any, renamed: I64) -> Int:
    """Key of the first guess, in numeric order, among those equal to this one."""
    codes, repeats_allowed = board.codes, board.repeats_allowed
    colors = len(renamed) - 1
    renamed[:] = -1
    next_free: Int = 0
    next_dead: Int = 0
    key: Int = 0
    for peg in range(codes.shape[1]):
        color: Int = np.int64(codes[slot, peg])
        name: Int = color
        if color < colors:
            bit = np.uint32(1) << np.uint32(color)
            if renamed[color] >= 0:
                name = renamed[color]
            elif dead & bit:
                while not dead >> np.uint32(next_dead) & np.uint32(1):
                    next_dead += 1
                name = next_dead
                if not repeats_allowed:
                    next_dead += 1
                renamed[color] = name
            elif free & bit:
                while not free >> np.uint32(next_free) & np.uint32(1):
                    next_free += 1
                name = next_free
                next_free += 1
                renamed[color] = name
        key = key * (colors + 1) + name
    return key


@subkernel
def worth_a_look(
    dead: Any, free: Any, classes: Bools, limit: Int, look: Lookahead, words: Int
) -> Int:
    """List the multisets that may hold a guess of up to a score; how many they are is returned.

    Of equal colors the first ones are played: of those that no candidate has, and of those that
    were never played; of the latter the first ones most often.
    """
    board, criteria, scratch = look.board, look.criteria, look.scratch
    pegs, first, members, repeats = board.pegs, board.first, board.members, board.repeats
    doubles, repeatable = board.doubles, board.repeats_allowed
    floors, additive, sizes = criteria.floors, criteria.additive, scratch.sizes
    listed, begin, least = scratch.listed, scratch.begin, scratch.least
    colors = repeats.shape[1] - 1
    wastes = repeatable and dead != 0
    skippable = dead & (dead - np.uint32(1))  # all but the first
    count = 0
    for multiset in range(len(members)):
        wasted, fresh = members[multiset] & dead, members[multiset] & free
        wrong = wasted & (skippable if repeatable else ~_below_lowest(dead & ~wasted))
        if wrong | (fresh & ~_below_lowest(free & ~fresh)):
            continue
        if fresh & doubles[multiset] and not _most_often_first(repeats, multiset, free):
            continue
        if wastes and repeats[multiset, colors]:
            continue  # a hole is a color that no candidate has
        start, stop = first[multiset], first[multiset + 1]
        if len(classes):
            while start < stop and not classes[board.number[start]]:
                start += 1
            if start == stop:
                continue
        _mask_any(look, multiset, words)
        floor: Int = np.int64(0)
        for t in range(len(pegs) + 1):
            value = floors[t, sizes[t]]
            floor = floor + value if additive else max(floor, value)
        if floor <= limit:
            listed[count] = multiset
            begin[count] = start
            least[count] = floor
            count += 1
    return count
