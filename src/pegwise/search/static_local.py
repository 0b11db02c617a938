"""Small sets of guesses by local search: good sets at once, and no proof.

A near miss proves nothing: on 3x9 some seven guesses tell 728 of 729 codes apart, yet eight are
needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from pegwise.game.game import I32, I64
from pegwise.kernels.static import pairs_left
from pegwise.search.static_tree import Prepared

__all__ = ["greedy", "in_good_order", "local_search"]

_CELLS: Final = 2_000_000
"""Marks looked at in one step; of the guesses of a large game a part is drawn."""

_STALE: Final = 80
"""Steps without a better set after which the search begins anew."""


def greedy(p: Prepared, random: np.random.Generator) -> list[int]:
    """Guesses that each leave the fewest pairs together, until no pair is left."""
    chosen: list[int] = []
    labels = np.zeros(p.game.n_secrets, np.int64)
    while labels.max(initial=0) + 1 < p.game.n_secrets:
        guess, _ = _best(p, labels, _drawn(p, random), random)
        refined = _refined(p, labels, guess)
        if refined.max() == labels.max():  # none of those drawn helps; a secret's own guess does
            together = np.flatnonzero(labels == np.bincount(labels).argmax())
            guess = int(p.game.guess_of_secret[together[0]])
            refined = _refined(p, labels, guess)
        chosen.append(guess)
        labels = refined
    return chosen


def local_search(
    p: Prepared, size: int, steps: int, random: np.random.Generator, start: list[int]
) -> Iterator[list[int] | None]:
    """Exchange one guess at a time by the best other one.

    Args:
        p: the game.
        size: how many guesses.
        steps: exchanges tried in all.
        random: what is drawn.
        start: guesses to begin with; some are left out, or drawn.

    Yields:
        None after each step, or at last a set that separates all secrets.
    """
    chosen = _resized(p, start, size, random)
    best, stale = 1 << 62, 0
    tabu: list[int] = []
    for _ in range(steps):
        place = int(random.integers(size))
        labels = np.zeros(p.game.n_secrets, np.int64)
        for k, guess in enumerate(chosen):
            if k != place:
                labels = _refined(p, labels, guess)
        which = np.setdiff1d(_drawn(p, random), tabu).astype(np.int32)
        if not len(which):
            which = _drawn(p, random)
        tabu = [*tabu, chosen[place]][-size:]
        chosen[place], left = _best(p, labels, which, random)
        if left == 0:
            yield chosen
            return
        stale = 0 if left < best else stale + 1
        best = min(best, left)
        if stale >= _STALE:
            chosen = _resized(p, [], size, random)
            best, stale = 1 << 62, 0
        yield None


def in_good_order(p: Prepared, guesses: list[int]) -> list[int]:
    """The same guesses, those first that leave the fewest pairs together."""
    left, ordered = list(guesses), list[int]()
    labels = np.zeros(p.game.n_secrets, np.int64)
    while left:
        rated = _rated(p, labels, np.array(left, np.int32))
        guess = left.pop(int(np.argmin(rated)))
        ordered.append(guess)
        labels = _refined(p, labels, guess)
    return ordered


def _refined(p: Prepared, labels: I64, guess: int) -> I64:
    """Classes of secrets, told apart by one more guess: int64 (secrets), from 0 without gaps."""
    joint = labels * p.game.n_marks + p.marks[guess]
    found: I64 = np.unique(joint, return_inverse=True)[1].astype(np.int64)
    return found


def _rated(p: Prepared, labels: I64, which: I32) -> I64:
    """Pairs of secrets left together after each of some guesses."""
    order = np.argsort(labels, kind="stable").astype(np.int32)
    sizes = np.bincount(labels)
    alone = np.repeat(sizes, sizes) == 1
    ends = np.cumsum(sizes[sizes > 1])
    out = np.empty(len(which), np.int64)
    starts = np.concatenate([np.zeros(1, np.int64), ends]).astype(np.int64)
    pairs_left(p.marks, which, order[~alone], starts, p.game.n_marks, out)
    return out


def _best(p: Prepared, labels: I64, which: I32, random: np.random.Generator) -> tuple[int, int]:
    """A guess that leaves the fewest pairs together, drawn among equals, and how many."""
    rated = _rated(p, labels, which)
    fewest = int(rated.min())
    return int(random.choice(which[rated == fewest])), fewest


def _drawn(p: Prepared, random: np.random.Generator) -> I32:
    """Guesses to be rated: all, or a part of many."""
    most = max(50, _CELLS // p.game.n_secrets)
    if p.game.n_guesses <= most:
        return np.arange(p.game.n_guesses, dtype=np.int32)
    return np.sort(random.choice(p.game.n_guesses, most, replace=False)).astype(np.int32)


def _resized(p: Prepared, start: list[int], size: int, random: np.random.Generator) -> list[int]:
    """A set of this size: some of the guesses given, and drawn ones."""
    kept: list[int] = random.permutation(np.array(start, np.int64)).tolist()[:size]
    while len(kept) < size:
        kept.append(int(random.integers(p.game.n_guesses)))
    return kept
