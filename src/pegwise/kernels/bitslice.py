"""Score every guess against a set of candidates, 64 candidates at a time.

A set of n candidates is kept as bit columns of ceil(n / 64) words: for each position and color,
which candidates have that color there (*places*); for each color and k, which have more than k
pegs of it (*counts*). The blacks of a guess against all candidates at once are the sum of its
place columns, the colors in common the sum of its count columns. Columns are added with full
adders into bit planes; a part of the partition is one AND of "exactly b black" with "exactly t in
common", and its size a population count.

Guesses of one multiset of colors share their counts, and so the classes of candidates with t
colors in common. As worths of parts are convex, spreading a class evenly over its possible black
counts bounds what any guess of the multiset can score, and most multisets are skipped whole.

Colors that no candidate has are one color; colors not yet played are interchangeable. Of guesses
that are equal in this way only one is scored, and the first in numeric order is played, so that
the choice is the one that the plain definition makes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pegwise.kernels.board import Board
from pegwise.kernels.jit import bare, inlined, popcount
from pegwise.kernels.marking import Signatures

__all__ = ["Criteria", "Scratch", "class_floors", "make_scratch", "splitter", "weigh"]

U8 = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
U16 = npt.NDArray[np.uint16]
U32 = npt.NDArray[np.uint32]
U64 = npt.NDArray[np.uint64]
I32 = npt.NDArray[np.int32]
I64 = npt.NDArray[np.int64]

NO_SCORE = np.int64(1 << 62)
ONE = np.uint64(1)


class Criteria(NamedTuple):
    """What is minimised, on a game of N secrets.

    Attributes:
        worth: int64 (N + 1), worth of a part by its size.
        additive: worths are added up; else the worth of the largest part counts.
        floors: int64 (pegs + 1, N + 1), least score of a class (`class_floors`) by colors in common and size.
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
        masks: uint64, room for (2 * pegs + 3) rows.
        sizes: int64 (pegs + 1), candidates by colors in common.
        order: int64 (pegs + 1), classes from the largest on.
        tail: int64 (pegs + 2), least score of a class and those after it.
        renamed: int64 (colors + 1), for canonical forms.
        seen: uint64 (4), a bit for each mark.
    """

    columns: U64
    masks: U64
    sizes: I64
    order: I64
    tail: I64
    renamed: I64
    seen: U64


def make_scratch(pegs: int, colors: int, candidates: int) -> Scratch:
    """Memory for sets of up to so many candidates."""
    words = (candidates + 63) // 64
    return Scratch(
        columns=np.zeros(2 * (pegs * colors + 1) * words, np.uint64),
        masks=np.zeros((2 * pegs + 3) * words, np.uint64),
        sizes=np.zeros(pegs + 1, np.int64),
        order=np.zeros(pegs + 1, np.int64),
        tail=np.zeros(pegs + 2, np.int64),
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
def _pack(
    candidates: I32, secret_places: U16, secret_counts: U16, places: U64, counts: U64, everyone: U64
) -> None:
    """Fill the bit columns, uint64 (columns, words) and (words)."""
    places[:] = 0
    counts[:] = 0
    everyone[:] = 0
    for j in range(len(candidates)):
        secret = candidates[j]
        bit = ONE << np.uint64(j & 63)
        word = j >> 6
        everyone[word] |= bit
        for peg in range(secret_places.shape[1]):
            places[secret_places[secret, peg], word] |= bit
            counts[secret_counts[secret, peg], word] |= bit


@inlined
def _ripple(carry: Any, p1: Any, p2: Any, p3: Any, p4: Any) -> Any:
    """Add a carry to the planes above the lowest."""
    carry2 = p1 & carry
    carry3 = p2 & carry2
    carry4 = p3 & carry3
    return p1 ^ carry, p2 ^ carry2, p3 ^ carry3, p4 ^ carry4


@inlined
def _add_flat(columns: U64, rows: U16, row: int, pegs: Any) -> Any:
    """Bit planes (1, 2, 4, 8, 16) of the sum of the columns of one word named in a row."""
    zero = np.uint64(0)
    p0, p1, p2, p3, p4 = zero, zero, zero, zero, zero
    for pair in range(len(pegs) // 2):
        x = columns[rows[row, 2 * pair]]
        y = columns[rows[row, 2 * pair + 1]]
        half = p0 ^ x
        carry = (p0 & x) | (half & y)
        p0 = half ^ y
        p1, p2, p3, p4 = _ripple(carry, p1, p2, p3, p4)
    if len(pegs) % 2:
        x = columns[rows[row, len(pegs) - 1]]
        carry = p0 & x
        p0 = p0 ^ x
        p1, p2, p3, p4 = _ripple(carry, p1, p2, p3, p4)
    return p0, p1, p2, p3, p4


@inlined
def _add(columns: U64, rows: U16, row: int, pegs: Any, word: int) -> Any:
    """Bit planes (1, 2, 4, 8, 16) of the sum of the columns named in a row, at one word."""
    zero = np.uint64(0)
    p0, p1, p2, p3, p4 = zero, zero, zero, zero, zero
    for pair in range(len(pegs) // 2):
        # a full adder takes two columns into the lowest plane, and its carry ripples up
        x = columns[rows[row, 2 * pair], word]
        y = columns[rows[row, 2 * pair + 1], word]
        half = p0 ^ x
        carry = (p0 & x) | (half & y)
        p0 = half ^ y
        p1, p2, p3, p4 = _ripple(carry, p1, p2, p3, p4)
    if len(pegs) % 2:
        x = columns[rows[row, len(pegs) - 1], word]
        carry = p0 & x
        p0 = p0 ^ x
        p1, p2, p3, p4 = _ripple(carry, p1, p2, p3, p4)
    return p0, p1, p2, p3, p4


@bare
def _exactly(planes: Any, k: int) -> Any:
    """Which candidates have the sum k."""
    p0, p1, p2, p3, p4 = planes
    a = p0 if k & 1 else ~p0
    b = p1 if k & 2 else ~p1
    c = p2 if k & 4 else ~p2
    d = p3 if k & 8 else ~p3
    e = p4 if k & 16 else ~p4
    return a & b & c & d & e


@inlined
def _score_word(
    in_common: Any, black: Any, everyone: Any, worth: I64, additive: bool, pegs: Any
) -> int:
    """Score of a guess against up to 64 candidates, from the bit planes of its two sums."""
    total = 0
    largest = 0  # both are kept: two short chains are faster than one with a choice in it
    for t in range(len(pegs) + 1):
        some = _exactly(in_common, t) & everyone
        left = popcount(some)
        if left > 1:
            for k in range(1, len(pegs) + 1):
                if k <= t:
                    count = popcount(some & _exactly(black, k))
                    left -= count
                    total += worth[count]
                    largest = max(largest, count)
        total += worth[left]
        largest = max(largest, left)
    return total if additive else worth[largest]


@bare
def _next_word(
    slot: int,
    stop: int,
    limit: int,
    classes: Bools,
    number: I32,
    largest: int,
    rest: int,
    in_common: Any,
    places: U64,
    rows: U16,
    everyone: Any,
    worth: I64,
    additive: bool,
    pegs: Any,
) -> Any:
    """The first slot of a multiset, from one on, that scores up to a limit; its score.

    The largest class is looked at first; `rest` is the least score of the others.
    """
    room = limit - rest if additive else limit
    some = _exactly(in_common, largest) & everyone
    size = popcount(some)
    while slot < stop:
        if len(classes) == 0 or classes[number[slot]]:
            black = _add_flat(places, rows, slot, pegs)
            total = 0
            left = size
            top = 0
            for k in range(1, len(pegs) + 1):
                count = popcount(some & _exactly(black, k))
                left -= count
                total += worth[count]
                top = max(top, count)
            if (total + worth[left] if additive else worth[max(top, left)]) <= room:
                score = _score_word(in_common, black, everyone, worth, additive, pegs)
                if score <= limit:
                    return slot, score
        slot += 1
    return stop, limit


@bare
def _mask_black(places: U64, rows: U16, row: int, pegs: Any, black: U64) -> None:
    """Candidates by blacks, to `black`, uint64 (pegs + 1, words)."""
    for word in range(places.shape[1]):
        planes = _add(places, rows, row, pegs, word)
        for k in range(1, len(pegs) + 1):
            black[k, word] = _exactly(planes, k)


@bare
def _mask_common(
    counts: U64,
    rows: U16,
    row: int,
    pegs: Any,
    only_black: bool,
    everyone: U64,
    common: U64,
    sizes: I64,
) -> None:
    """Candidates by colors in common, to `common`, uint64 (pegs + 1, words), and their number.

    Where only black marks are given, one class, the first, holds everyone.
    """
    sizes[:] = 0
    for word in range(counts.shape[1]):
        if only_black:
            common[0, word] = everyone[word]
            sizes[0] += popcount(everyone[word])
            continue
        planes = _add(counts, rows, row, pegs, word)
        for t in range(len(pegs) + 1):
            mask = _exactly(planes, t) & everyone[word]
            common[t, word] = mask
            sizes[t] += popcount(mask)


@bare
def _score_class(
    common: U64, t: int, black: U64, top: int, size: int, worth: I64, additive: bool
) -> int:
    """Score of the parts of class t of candidates, which can have up to `top` blacks."""
    left = size
    total = 0
    largest = 0
    for k in range(1, top + 1):
        count = 0
        for word in range(common.shape[1]):
            count += popcount(common[t, word] & black[k, word])
        left -= count
        total += worth[count]
        largest = max(largest, count)
    return total + worth[left] if additive else worth[max(largest, left)]


@bare
def _next_words(
    slot: int,
    stop: int,
    limit: int,
    classes: Bools,
    number: I32,
    n_classes: int,
    common: U64,
    sizes: I64,
    order: I64,
    tail: I64,
    places: U64,
    rows: U16,
    black: U64,
    worth: I64,
    additive: bool,
    only_black: bool,
    pegs: Any,
) -> Any:
    """Likewise for any number of candidates; a guess is dropped once it cannot get there."""
    while slot < stop:
        if len(classes) == 0 or classes[number[slot]]:
            _mask_black(places, rows, slot, pegs, black)
            score = 0
            at = 0
            while at < n_classes and (score + tail[at] if additive else score) <= limit:
                t = order[at]
                top = len(pegs) if only_black else t
                value = _score_class(common, t, black, top, sizes[t], worth, additive)
                score = score + value if additive else max(score, value)
                at += 1
            if at == n_classes and score <= limit:
                return slot, score
        slot += 1
    return stop, limit


@bare
def _score(
    place_rows: U16,
    slot: int,
    count_rows: U16,
    multiset: int,
    pegs: Any,
    only_black: bool,
    places: U64,
    counts: U64,
    everyone: U64,
    common: U64,
    black: U64,
    sizes: I64,
    worth: I64,
    additive: bool,
) -> int:
    """Full score of one guess against any number of candidates."""
    _mask_common(counts, count_rows, multiset, pegs, only_black, everyone, common, sizes)
    _mask_black(places, place_rows, slot, pegs, black)
    score = 0
    for t in range(len(pegs) + 1):
        if sizes[t] > 0:
            top = len(pegs) if only_black else t
            value = _score_class(common, t, black, top, sizes[t], worth, additive)
            score = score + value if additive else max(score, value)
    return score


@bare
def splitter(
    here: I32, start: int, stop: int, signatures: Signatures, mark_ids: U8, seen: U64
) -> int:
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
def _most_often_first(repeats: U8, multiset: int, free: Any) -> bool:
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
    codes: U8, slot: int, dead: Any, free: Any, repeats_allowed: bool, renamed: I64
) -> int:
    """Key of the first guess, in numeric order, among those equal to this one."""
    colors = len(renamed) - 1
    renamed[:] = -1
    next_free = 0
    next_dead = 0
    key = 0
    for peg in range(codes.shape[1]):
        color = np.int64(codes[slot, peg])
        name = color
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
def _order_classes(floors: I64, additive: bool, sizes: I64, order: I64, tail: I64) -> int:
    """Sort classes by size, largest first, with the least score of each and those after it.

    Returns:
        The number of classes that hold anyone.
    """
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
        value = floors[order[at], sizes[order[at]]]
        tail[at] = tail[at + 1] + value if additive else max(tail[at + 1], value)
    return classes


@bare
def _live_colors(candidates: I32, secret_members: U32) -> Any:
    """Set of the colors that some candidate has."""
    live = np.uint32(0)
    for candidate in candidates:
        live |= secret_members[candidate]
    return live


@bare
def weigh(
    candidates: I32,
    used: Any,
    classes: Bools,
    board: Board,
    criteria: Criteria,
    scratch: Scratch,
) -> int:
    """The number of the guess of least score.

    Args:
        candidates: int32 (n), secrets still possible, ascending; n at least 1.
        used: uint32, set of the colors played so far.
        classes: bool (G) by number, guesses to look at; empty for all.
        board: the board.
        criteria: what is minimised.
        scratch: memory for at least n candidates.
    """
    # local names: reaching into a tuple inside a loop costs two atomic reference counts
    pegs, number, codes, keys = board.pegs, board.number, board.codes, board.keys
    place_rows, count_rows = board.places, board.counts
    first, members, doubles, repeats = board.first, board.members, board.doubles, board.repeats
    group, secret_slot = board.group, board.secret_slot
    repeats_allowed, only_black = board.repeats_allowed, board.black
    worth, floors, second_worth = criteria.worth, criteria.floors, criteria.second
    additive, second_additive = criteria.additive, criteria.second_additive
    has_second = criteria.has_second
    sizes, order, tail = scratch.sizes, scratch.order, scratch.tail
    renamed = scratch.renamed

    n = len(candidates)
    words = (n + 63) >> 6
    rows = len(scratch.columns) // (2 * (len(scratch.masks) // (2 * len(pegs) + 3)))
    half = rows * words
    places = scratch.columns[:half].reshape((rows, words))
    counts = scratch.columns[half : 2 * half].reshape((rows, words))
    flat_places, flat_counts = scratch.columns[:half], scratch.columns[half : 2 * half]
    everyone = scratch.masks[:words]
    split = (len(pegs) + 2) * words
    common = scratch.masks[words:split].reshape((len(pegs) + 1, words))
    black = scratch.masks[split : split + (len(pegs) + 1) * words].reshape((len(pegs) + 1, words))
    _pack(candidates, board.secret_places, board.secret_counts, places, counts, everyone)

    by_class = len(classes) > 0
    one_word = words == 1 and not only_black

    # candidates first: they bound the rest and win ties
    best = NO_SCORE
    best_second = NO_SCORE
    best_slot = np.int64(-1)
    for candidate in candidates:
        slot = np.int64(secret_slot[candidate])
        if by_class and not classes[number[slot]]:
            continue
        multiset = np.int64(group[slot])
        if one_word:
            score = _score_word(
                _add_flat(flat_counts, count_rows, multiset, pegs),
                _add_flat(flat_places, place_rows, slot, pegs),
                everyone[0],
                worth,
                additive,
                pegs,
            )
        else:
            score = _score(
                place_rows,
                slot,
                count_rows,
                multiset,
                pegs,
                only_black,
                places,
                counts,
                everyone,
                common,
                black,
                sizes,
                worth,
                additive,
            )
        if score > best:
            continue
        second = np.int64(0)
        if has_second:
            second = _score(
                place_rows,
                slot,
                count_rows,
                multiset,
                pegs,
                only_black,
                places,
                counts,
                everyone,
                common,
                black,
                sizes,
                second_worth,
                second_additive,
            )
        if score < best or second < best_second:
            best, best_second, best_slot = score, second, slot
    if criteria.only_candidates:
        return number[best_slot]

    everything = np.uint32((np.int64(1) << np.int64(repeats.shape[1] - 1)) - 1)
    live = _live_colors(candidates, board.secret_members)
    dead = everything & ~live
    free = everything & ~used & live
    if by_class:
        free = np.uint32(0)
    colors = repeats.shape[1] - 1
    wastes = repeats_allowed and dead != 0
    skippable = dead & (dead - np.uint32(1))  # all but the first
    best_key = np.int64(-1)  # less than any other: the best is a candidate
    in_common = _add_flat(flat_counts, count_rows, 0, pegs)
    # nothing beats a guess that tells all candidates apart
    ideal = n * worth[1] if additive else worth[1]
    for multiset in range(len(members)):
        start, stop = first[multiset], first[multiset + 1]
        if best == ideal and not has_second and keys[start] > best_key:
            break
        # of equal colors the first ones are played: those that no candidate has, and those that
        # were never played; of the latter the first ones most often
        wasted, fresh = members[multiset] & dead, members[multiset] & free
        if repeats_allowed:
            wrong = wasted & skippable
        else:
            wrong = wasted & ~_below_lowest(dead & ~wasted)
        if wrong | (fresh & ~_below_lowest(free & ~fresh)):
            continue
        if fresh & doubles[multiset] and not _most_often_first(repeats, multiset, free):
            continue
        if wastes and repeats[multiset, colors]:
            continue  # a hole is a color that no candidate has
        if by_class:
            while start < stop and not classes[number[start]]:
                start += 1
            if start == stop:
                continue
        if one_word:
            in_common = _add_flat(flat_counts, count_rows, multiset, pegs)
            for t in range(len(pegs) + 1):
                sizes[t] = popcount(_exactly(in_common, t) & everyone[0])
        else:
            _mask_common(counts, count_rows, multiset, pegs, only_black, everyone, common, sizes)
        floor = np.int64(0)
        for t in range(len(pegs) + 1):
            value = floors[t, sizes[t]]
            floor = floor + value if additive else max(floor, value)
        # only a guess before the best one may tie with it
        limit = best if has_second or keys[start] < best_key else best - 1
        if floor > limit:
            continue
        n_classes = _order_classes(floors, additive, sizes, order, tail)
        slot = np.int64(start)
        while True:
            if one_word:
                slot, score = _next_word(
                    slot,
                    stop,
                    limit,
                    classes,
                    number,
                    order[0],
                    tail[1],
                    in_common,
                    flat_places,
                    place_rows,
                    everyone[0],
                    worth,
                    additive,
                    pegs,
                )
            else:
                slot, score = _next_words(
                    slot,
                    stop,
                    limit,
                    classes,
                    number,
                    n_classes,
                    common,
                    sizes,
                    order,
                    tail,
                    places,
                    place_rows,
                    black,
                    worth,
                    additive,
                    only_black,
                    pegs,
                )
            if slot == stop:
                break
            key = keys[slot]
            if not by_class:
                key = _canonical_key(codes, slot, dead, free, repeats_allowed, renamed)
            second = np.int64(0)
            if has_second:
                second = _score(
                    place_rows,
                    slot,
                    count_rows,
                    multiset,
                    pegs,
                    only_black,
                    places,
                    counts,
                    everyone,
                    common,
                    black,
                    sizes,
                    second_worth,
                    second_additive,
                )
            if score < best or second < best_second or (second == best_second and key < best_key):
                best, best_second, best_key = score, second, key
                limit = best if has_second or keys[start] < best_key else best - 1
            slot += 1
    if best_key < 0:
        return number[best_slot]
    return np.searchsorted(board.number_keys, best_key)
