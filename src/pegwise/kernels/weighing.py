"""The best guess by one look ahead, over all guesses of a board.

Guesses of one multiset of colors share the classes of candidates with t colors in common. As
worths of parts are convex, spreading a class evenly over its possible black counts bounds what any
guess of the multiset can score, and most multisets are skipped whole. A guess is dropped as soon
as its largest class scores too much.

Colors that no candidate has are one color; colors not yet played are interchangeable. Of guesses
that are equal in this way only one is scored, and the first in numeric order is played, so that
the choice is the one that the plain definition makes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pegwise.kernels.bitslice import (
    Columns,
    add_halves,
    add_word,
    class_score,
    exactly,
    join_halves,
    mask_black,
    mask_common,
    pack,
    score,
    score_word,
)
from pegwise.kernels.board import Board
from pegwise.kernels.jit import Int, bare, inlined, popcount
from pegwise.kernels.marking import Signatures

__all__ = ["Criteria", "Scratch", "class_floors", "make_scratch", "splitter", "weigh"]

Bools = npt.NDArray[np.bool_]
U8 = npt.NDArray[np.uint8]
U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
U16 = npt.NDArray[np.uint16]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]

NO_SCORE = np.int64(1 << 62)
ONE = np.uint64(1)


class Criteria(NamedTuple):
    """What is minimised, on a game of N secrets.

    Attributes:
        worth: int64 (N + 1), worth of a part by its size.
        additive: worths are added up; else the worth of the largest part counts.
        floors: int64 (pegs + 1, N + 1), least score of a class by colors in common and size: see
            `class_floors`.
        second: int64 (N + 1), worth for ties.
        second_additive: likewise.
        has_second: whether ties are broken by `second`.
        only_candidates: play only candidates.
    """

    worth: I64
    additive: bool
    floors: I64
    second: I64
    second_additive: bool
    has_second: bool
    only_candidates: bool


class Scratch(NamedTuple):
    """Memory of one thread.

    Attributes:
        columns: uint64, room for two sets of (pegs * colors + 1) bit columns.
        halves: uint64 (2, (colors + 1) ** (pegs - pegs // 2), 4): see `Columns`.
        masks: uint64, room for (2 * pegs + 3) rows.
        sizes: int64 (pegs + 1).
        order: int64 (pegs + 1), classes from the largest on.
        tail: int64 (pegs + 2), least score of a class and those after it.
        listed: int32 (M), multisets worth a look.
        begin: int32 (M), the first slot of each worth a look.
        least: int64 (M), the least score of each.
        renamed: int64 (colors + 1), for canonical forms.
        seen: uint64 (4), a bit for each mark.
    """

    columns: U64
    halves: Any
    masks: U64
    sizes: I64
    order: I64
    tail: I64
    listed: I32
    begin: I32
    least: I64
    renamed: I64
    seen: U64


def make_scratch(pegs: int, colors: int, multisets: int, candidates: int) -> Scratch:
    """Memory for sets of up to so many candidates."""
    words = (candidates + 63) // 64
    return Scratch(
        columns=np.zeros(2 * (pegs * colors + 1) * words, np.uint64),
        halves=np.zeros((2, (colors + 1) ** (pegs - pegs // 2), 4), np.uint64),
        masks=np.zeros((2 * pegs + 3) * words, np.uint64),
        sizes=np.zeros(pegs + 1, np.int64),
        order=np.zeros(pegs + 1, np.int64),
        tail=np.zeros(pegs + 2, np.int64),
        listed=np.zeros(multisets, np.int32),
        begin=np.zeros(multisets, np.int32),
        least=np.zeros(multisets, np.int64),
        renamed=np.zeros(colors + 1, np.int64),
        seen=np.zeros(4, np.uint64),
    )


def class_floors(worth: I64, additive: bool, pegs: int, black: bool) -> I64:
    """Least score of a class of n candidates with t colors in common with a guess that cannot win.

    Returns:
        int64 (pegs + 1, len(worth)).
    """
    n = np.arange(len(worth))
    out = np.empty((pegs + 1, len(worth)), np.int64)
    for common in range(pegs + 1):
        # possible black counts; all in common: neither all in place, nor all but one
        cells = pegs if black else common + 1 if common < pegs else max(pegs - 1, 1)
        even, more = np.divmod(n, cells)
        fuller = np.minimum(even + 1, len(worth) - 1)
        if additive:
            out[common] = (cells - more) * worth[even] + more * worth[fuller]
        else:
            out[common] = np.where(more > 0, worth[fuller], worth[even])
    return out


@bare
def splitter(
    here: I32, start: Int, stop: Int, signatures: Signatures, mark_ids: U8, seen: U64
) -> Int:
    """Which of some candidates gets a different mark from each: no guess does better.

    Args:
        here: int32, secrets, of which those from `start` to `stop` are possible.
        start: see there.
        stop: likewise.
        signatures: places and counts of all secrets.
        mark_ids: uint8 (pegs + 1, pegs + 1), number of a mark by black and by black + white.
        seen: uint64 (4), scratch.

    Returns:
        Its place from `start` on, of the first one; -1 if there is none.
    """
    places, counts = signatures
    for i in range(start, stop):
        guess = here[i]
        seen[:] = 0
        split = True
        for j in range(start, stop):
            secret = here[j]
            black = 0
            common = 0
            for word in range(places.shape[1]):
                black += popcount(places[guess, word] & places[secret, word])
                common += popcount(counts[guess, word] & counts[secret, word])
            mark = mark_ids[black, common]
            bit = ONE << np.uint64(mark & 63)
            if seen[mark >> 6] & bit:
                split = False
                break
            seen[mark >> 6] |= bit
        if split:
            return i - start
    return -1


@inlined
def _below_lowest(colors: Any) -> Any:
    """Set of the colors before the first one of a set; of all when it is empty."""
    return (colors & (~colors + np.uint32(1))) - np.uint32(1)


@bare
def _most_often_first(repeats: U8, multiset: Int, free: Any) -> bool:
    """Whether, of some colors, the first ones come most often in a multiset."""
    before = np.uint8(255)
    for color in range(repeats.shape[1] - 1):
        if free >> np.uint32(color) & np.uint32(1):
            if repeats[multiset, color] > before:
                return False
            before = repeats[multiset, color]
    return True


@bare
def _canonical_key(
    codes: U8, slot: Int, dead: Any, free: Any, repeats_allowed: bool, renamed: I64
) -> Int:
    """Key of the first guess, in numeric order, among those equal to this one."""
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


@bare
def _order_classes(criteria: Criteria, sizes: I64, scratch: Scratch) -> Int:
    """Sort classes by size, largest first, with the least score of each and those after it.

    Returns:
        The number of classes that hold anyone.
    """
    order, tail = scratch.order, scratch.tail
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
        value = criteria.floors[order[at], sizes[order[at]]]
        tail[at] = tail[at + 1] + value if criteria.additive else max(tail[at + 1], value)
    return classes


@bare
def _live_colors(candidates: I32, secret_members: U32) -> Any:
    """Set of the colors that some candidate has."""
    live = np.uint32(0)
    for candidate in candidates:
        live |= secret_members[candidate]
    return live


@bare
def _next_word(
    slot: Int,
    stop: Int,
    limit: Int,
    classes: Bools,
    board: Board,
    criteria: Criteria,
    columns: Columns,
    in_common: Any,
    scratch: Scratch,
) -> Any:
    """The first guess of a multiset, from a slot on, that scores up to a limit; its score.

    For sets of one word. The largest class is looked at first.
    """
    halves, rows, number, pegs = columns.halves, board.halves, board.number, board.pegs
    worth, additive = criteria.worth, criteria.additive
    everyone = columns.everyone[0]
    largest = scratch.order[0]
    room = limit - scratch.tail[1] if additive else limit
    some = exactly(in_common, largest) & everyone
    size = popcount(some)
    while slot < stop:
        if len(classes) == 0 or classes[number[slot]]:
            black = join_halves(halves, rows, slot, pegs)
            total = 0
            left = size
            top = 0
            for k in range(1, len(pegs) + 1):
                count = popcount(some & exactly(black, k))
                left -= count
                total += worth[count]
                top = max(top, count)
            if (total + worth[left] if additive else worth[max(top, left)]) <= room:
                found = score_word(in_common, black, everyone, worth, additive, pegs)
                if found <= limit:
                    return slot, found
        slot += 1
    return stop, limit


@bare
def _next_words(
    slot: Int,
    stop: Int,
    limit: Int,
    classes: Bools,
    board: Board,
    criteria: Criteria,
    columns: Columns,
    n_classes: Int,
    scratch: Scratch,
) -> Any:
    """Likewise for sets of any size."""
    order, tail, number = scratch.order, scratch.tail, board.number
    worth, additive = criteria.worth, criteria.additive
    while slot < stop:
        if len(classes) == 0 or classes[number[slot]]:
            mask_black(board, slot, columns)
            found = 0
            at = 0
            while at < n_classes and (found + tail[at] if additive else found) <= limit:
                value = class_score(board, order[at], columns, worth, additive)
                found = found + value if additive else max(found, value)
                at += 1
            if at == n_classes and found <= limit:
                return slot, found
        slot += 1
    return stop, limit


@bare
def _lay_out(n: Int, board: Board, scratch: Scratch) -> Columns:
    """Columns for n candidates in the memory of a thread."""
    pegs = len(board.pegs)
    words = (n + 63) >> 6
    rows = pegs * (board.repeats.shape[1] - 1) + 1
    half = rows * words
    flat_places, flat_counts = scratch.columns[:half], scratch.columns[half : 2 * half]
    split = (pegs + 2) * words
    return Columns(
        flat_places.reshape((rows, words)),
        flat_counts.reshape((rows, words)),
        flat_places,
        flat_counts,
        scratch.halves,
        scratch.masks[:words],
        scratch.masks[words:split].reshape((pegs + 1, words)),
        scratch.sizes,
        scratch.masks[split : split + (pegs + 1) * words].reshape((pegs + 1, words)),
    )


@bare
def weigh(
    candidates: I32,
    used: Any,
    classes: Bools,
    board: Board,
    criteria: Criteria,
    scratch: Scratch,
) -> Int:
    """The number of the guess of least score.

    Args:
        candidates: int32 (n), secrets still possible, ascending; n at least 1.
        used: uint32, set of the colors played so far.
        classes: bool (G) by number, guesses to look at; empty for all.
        board: the board.
        criteria: what is minimised.
        scratch: memory for at least n candidates.
    """
    columns = _lay_out(len(candidates), board, scratch)
    pack(candidates, board, columns)
    slot, best, second = _weigh_candidates(candidates, classes, board, criteria, columns)
    if criteria.only_candidates:
        return board.number[slot]
    key = _weigh_others(candidates, used, classes, board, criteria, columns, scratch, best, second)
    return board.number[slot] if key < 0 else np.searchsorted(board.number_keys, key)


@bare
def _weigh_candidates(
    candidates: I32, classes: Bools, board: Board, criteria: Criteria, columns: Columns
) -> Any:
    """The first candidate of least score: its slot, score and second score."""
    worth, additive, pegs = criteria.worth, criteria.additive, board.pegs
    one_word = len(columns.everyone) == 1 and not board.black
    best: Int = NO_SCORE
    best_second: Int = NO_SCORE
    best_slot: Int = np.int64(-1)
    for candidate in candidates:
        slot: Int = np.int64(board.secret_slot[candidate])
        if len(classes) and not classes[board.number[slot]]:
            continue
        if one_word:
            found = score_word(
                add_word(columns.flat_counts, board.counts, np.int64(board.group[slot]), pegs),
                add_word(columns.flat_places, board.places, slot, pegs),
                columns.everyone[0],
                worth,
                additive,
                pegs,
            )
        else:
            found = score(board, slot, columns, worth, additive)
        if found > best:
            continue
        second: Int = np.int64(0)
        if criteria.has_second:
            second = score(board, slot, columns, criteria.second, criteria.second_additive)
        if found < best or second < best_second:
            best, best_second, best_slot = found, second, slot
    return best_slot, best, best_second


@bare
def _worth_a_look(
    dead: Any,
    free: Any,
    classes: Bools,
    limit: Int,
    board: Board,
    criteria: Criteria,
    columns: Columns,
    scratch: Scratch,
) -> Int:
    """List the multisets that may hold a guess of up to a score, with the least they can have.

    Of equal colors the first ones are played: of those that no candidate has, and of those that
    were never played; of the latter the first ones most often.

    Returns:
        How many they are.
    """
    pegs, first, members, repeats = board.pegs, board.first, board.members, board.repeats
    doubles, rows, number, repeatable = (
        board.doubles,
        board.counts,
        board.number,
        board.repeats_allowed,
    )
    floors, additive, sizes = criteria.floors, criteria.additive, columns.sizes
    listed, begin, least = scratch.listed, scratch.begin, scratch.least
    one_word = len(columns.everyone) == 1 and not board.black
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
            while start < stop and not classes[number[start]]:
                start += 1
            if start == stop:
                continue
        if one_word:
            in_common = add_word(columns.flat_counts, rows, multiset, pegs)
            for t in range(len(pegs) + 1):
                sizes[t] = popcount(exactly(in_common, t) & columns.everyone[0])
        else:
            mask_common(board, multiset, columns)
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


@bare
def _weigh_others(
    candidates: I32,
    used: Any,
    classes: Bools,
    board: Board,
    criteria: Criteria,
    columns: Columns,
    scratch: Scratch,
    best: Int,
    best_second: Int,
) -> Int:
    """The key of the guess that does better than every candidate; -1 if there is none."""
    pegs, keys = board.pegs, board.keys
    has_second, sizes = criteria.has_second, columns.sizes
    one_word = len(columns.everyone) == 1 and not board.black

    colors = board.repeats.shape[1] - 1
    everything = np.uint32((np.int64(1) << np.int64(colors)) - 1)
    live = _live_colors(candidates, board.secret_members)
    dead = everything & ~live
    free = everything & ~used & live
    if len(classes):
        free = np.uint32(0)

    # candidates win ties; of the others only a guess before the best one does
    limit = best if has_second else best - 1
    count = _worth_a_look(dead, free, classes, limit, board, criteria, columns, scratch)
    if count and one_word:
        add_halves(columns, pegs, colors)
    promising = 0
    for at in range(1, count):
        if scratch.least[at] < scratch.least[promising]:
            promising = at

    best_key: Int = np.int64(-1)  # less than any other: the best is a candidate
    in_common = add_word(columns.flat_counts, board.counts, 0, pegs)
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
        if one_word:
            in_common = add_word(columns.flat_counts, board.counts, multiset, pegs)
            for t in range(len(pegs) + 1):
                sizes[t] = popcount(exactly(in_common, t) & columns.everyone[0])
        else:
            mask_common(board, multiset, columns)
        n_classes = _order_classes(criteria, sizes, scratch)
        slot = start
        while True:
            if one_word:
                slot, found = _next_word(
                    slot, stop, limit, classes, board, criteria, columns, in_common, scratch
                )
            else:
                slot, found = _next_words(
                    slot, stop, limit, classes, board, criteria, columns, n_classes, scratch
                )
            if slot == stop:
                break
            key = keys[slot]
            if len(classes) == 0:
                key = _canonical_key(
                    board.codes, slot, dead, free, board.repeats_allowed, scratch.renamed
                )
            second: Int = np.int64(0)
            if has_second:
                second = score(board, slot, columns, criteria.second, criteria.second_additive)
            if found < best or second < best_second or (second == best_second and key < best_key):
                best, best_second, best_key = found, second, key
                limit = best if has_second or keys[start] < best_key else best - 1
            slot += 1
    return best_key
