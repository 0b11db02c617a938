"""Fixed sets of guesses by local search: a guess is replaced by its best substitute.

Good sets come at once, and nothing is proven. Nor does a near miss prove anything: on 3x9 some
seven guesses tell 728 of 729 codes apart, yet eight are needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np

from pegwise.arrays import I32, I64
from pegwise.game import Game
from pegwise.kernels.static import pairs_left
from pegwise.search.static.tree import Prepared

_STALE: Final = 80  # steps without a better set after which the search begins anew


def greedy(p: Prepared, random: np.random.Generator) -> list[int]:
    """Guesses that each leave the fewest pairs together, until no pair is together."""
    chosen: list[int] = []
    labels = np.zeros(p.game.n_secrets, np.int64)
    while labels.max(initial=0) + 1 < p.game.n_secrets:
        guess, _ = _best_guess(p, labels, _all(p), random)
        chosen.append(guess)
        labels = _refined(p, labels, guess)
    return chosen


def local_search(
    p: Prepared, size: int, steps: int, random: np.random.Generator, start: list[int]
) -> Iterator[list[int] | None]:
    """Exchange one guess at a time by the best; yield None, or a set that separates all."""
    chosen = _resized(p, start, size, random)
    best, stale = 1 << 62, 0
    tabu: list[int] = []
    for _ in range(steps):
        place = int(random.integers(size))
        labels = np.zeros(p.game.n_secrets, np.int64)
        for k, guess in enumerate(chosen):
            if k != place:
                labels = _refined(p, labels, guess)
        which = np.setdiff1d(_all(p), tabu).astype(np.int32)
        if not len(which):
            which = _all(p)
        tabu = [*tabu, chosen[place]][-size:]
        chosen[place], pairs = _best_guess(p, labels, which, random)
        if pairs == 0:
            yield chosen
            return
        stale = 0 if pairs < best else stale + 1
        best = min(best, pairs)
        if stale >= _STALE:
            chosen = _resized(p, [], size, random)
            best, stale = 1 << 62, 0
        yield None


def in_good_order(game: Game, guesses: list[int]) -> list[int]:
    """Order guesses: each next one leaves the fewest pairs of secrets together."""
    remaining, ordered = list(guesses), list[int]()
    marks = {guess: game.marks(guess) for guess in guesses}
    labels = np.zeros(game.n_secrets, np.int64)

    def pairs_together(guess: int) -> int:
        sizes = np.unique(labels * game.n_marks + marks[guess], return_counts=True)[1]
        return int((sizes * (sizes - 1)).sum())

    while remaining:
        guess = min(remaining, key=pairs_together)
        remaining.remove(guess)
        ordered.append(guess)
        labels = np.unique(labels * game.n_marks + marks[guess], return_inverse=True)[1]
    return ordered


def _refined(p: Prepared, labels: I64, guess: int) -> I64:
    """Classes of secrets, told apart by one more guess: int64 (secrets), from 0 without gaps."""
    joint = labels * p.game.n_marks + p.marks[guess]
    classes: I64 = np.unique(joint, return_inverse=True)[1].astype(np.int64)
    return classes


def _rated(p: Prepared, labels: I64, which: I32) -> I64:
    """Pairs of secrets still together after each of some guesses."""
    order = np.argsort(labels, kind="stable").astype(np.int32)
    sizes = np.bincount(labels)
    alone = np.repeat(sizes, sizes) == 1
    ends = np.cumsum(sizes[sizes > 1])
    out = np.empty(len(which), np.int64)
    starts = np.concatenate([np.zeros(1, np.int64), ends]).astype(np.int64)
    pairs_left(p.marks, which, order[~alone], starts, p.game.n_marks, out)
    return out


def _best_guess(
    p: Prepared, labels: I64, which: I32, random: np.random.Generator
) -> tuple[int, int]:
    """A guess that leaves the fewest pairs together, drawn among equals, and how many."""
    rated = _rated(p, labels, which)
    fewest = int(rated.min())
    return int(random.choice(which[rated == fewest])), fewest


def _all(p: Prepared) -> I32:
    """The numbers of all guesses."""
    return np.arange(p.game.n_open_guesses, dtype=np.int32)


def _resized(p: Prepared, start: list[int], size: int, random: np.random.Generator) -> list[int]:
    """A set of this size: some of the guesses of `start`, and drawn ones."""
    chosen: list[int] = random.permutation(np.array(start, np.int64)).tolist()[:size]
    while len(chosen) < size:
        chosen.append(int(random.integers(p.game.n_open_guesses)))
    return chosen
