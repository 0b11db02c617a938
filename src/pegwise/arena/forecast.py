"""How long whole races take, and how much memory, estimated before they are run.

The time of a tree of a one-step strategy grows smoothly with its board: the logarithm of the
seconds is fitted by least squares over boards that were measured, with a term for each strategy.
`error_factor` says how good that is: each measured board is predicted from all smaller ones.
A few small boards, played right then, say how fast this machine is beside the one that measured.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from statistics import geometric_mean
from typing import Any, Final, NamedTuple

import numpy as np

from pegwise.arrays import F64
from pegwise.compute.machine import available_memory
from pegwise.errors import InputError, TooLargeError
from pegwise.game import Rules
from pegwise.game.game import MAX_LISTED
from pegwise.strategies import load
from pegwise.trees.build import LONG, build

_BASE: Final = 160 * 2**20  # bytes of a process with its libraries and kernels, before any board
_A_SECRET: Final = 180
_A_PEG: Final = 16  # bytes for each code of a board and each of its pegs
_JOINED: Final = 110  # further bytes for each code where the tree is put together from pieces
_START: Final = 1.0e-6  # seconds for each code: arrays of the board, the first guess
_AGAIN: Final = 1.1  # work in pieces beside work as a whole (6x9, cut for 16 workers: 1.12)


class Measured(NamedTuple):
    """A tree that was grown."""

    rules: Rules
    strategy: str
    seconds: float  # processor time on one thread, kernels compiled


class Law(NamedTuple):
    """How time grows with the board."""

    coefficients: F64  # float64, of the terms of `_terms`
    strategies: tuple[str, ...]  # those that were measured, by which a term each stands

    def seconds(self, rules: Rules, strategy: str) -> float:
        """Processor time on one thread of the machine that measured."""
        if strategy not in self.strategies:
            raise InputError(
                "the time of {strategy} cannot be told beforehand; measured are: {strategies}",
                strategy=strategy,
                strategies=", ".join(self.strategies),
            )
        return float(math.exp(_terms(rules, strategy, self.strategies) @ self.coefficients))


def _terms(rules: Rules, strategy: str, strategies: Sequence[str]) -> F64:
    """What the logarithm of the time is a sum of."""
    size = math.log(rules.n_secrets)
    return np.array(
        [size, rules.pegs, rules.pegs**2, *(strategy == name for name in strategies)], float
    )


def fit(measured: Iterable[Measured]) -> Law:
    """The law that fits best, by least squares of logarithms."""
    trees = list(measured)
    strategies = tuple(dict.fromkeys(tree.strategy for tree in trees))
    terms = np.array([_terms(tree.rules, tree.strategy, strategies) for tree in trees])
    if not trees or np.linalg.matrix_rank(terms) < terms.shape[1]:
        raise InputError("{n} measurements are too few to fit", n=len(trees))
    logs = np.log([tree.seconds for tree in trees])
    return Law(np.linalg.lstsq(terms, logs, rcond=None)[0], strategies)


def predict(measured: Iterable[Measured], tree: Measured) -> float:
    """Seconds of a measured tree by the law of all smaller boards; InputError for too few."""
    smaller = [t for t in measured if t.rules.n_secrets < tree.rules.n_secrets]
    return fit(smaller).seconds(tree.rules, tree.strategy)


def error_factor(measured: Sequence[Measured]) -> float:
    """The largest factor, at least 1, by which `predict` was wrong, too short or too long.

    Boards with too few smaller ones are left out.
    """
    factors: list[float] = []
    for tree in measured:
        with suppress(InputError):
            ratio = predict(measured, tree) / tree.seconds
            factors.append(max(ratio, 1 / ratio))
    if not factors:
        raise InputError("{n} measurements are too few to fit", n=len(measured))
    return max(factors)


def memory_of(rules: Rules, *, listed: bool = True) -> int:
    """Bytes that one process takes to grow a tree, on one thread or several.

    `listed` tells whether all codes of the board are listed.
    """
    if not listed:
        return _BASE
    each = _A_SECRET + _A_PEG * rules.pegs + (_JOINED if rules.n_secrets > LONG else 0)
    return _BASE + max(rules.n_secrets, rules.n_guesses) * each


def estimate(law: Law, rules: Rules, strategy: str, workers: int) -> float:
    """Seconds that so many workers take on the machine that measured.

    A worker first lists the codes of its board, and then takes pieces; these are so many that
    the largest hardly matters (see `docs/large-boards.md`), but what many of them begin with is
    done again by each worker.
    """
    whole = law.seconds(rules, strategy)
    if workers > 1:
        start = _START * max(rules.n_guesses, rules.n_secrets)
        whole = start + whole * _AGAIN / workers
    return whole


# Times of whole trees that were measured.
#
# Processor time on one thread with kernels compiled, on one machine (AMD EPYC, virtual, 2 cores,
# Python 3.11.7, Numba 0.68.1). 4x6, 5x8, 5x12, 6x9 and 7x7 were measured while nothing else ran,
# the others while the machine was busy, which makes them look slower by a fifth, 7x4 by more. 5x12
# and 7x7 are the sum of two threads.

DATE: Final = "2026-11-21"

_STRATEGIES: Final = ("knuth", "irving", "entropy", "parts")

_SECONDS: Final = {
    "4x6": (0.00069, 0.0008, 0.00081, 0.00068),
    "4x8": (0.00474, 0.00446, 0.00481, 0.00502),
    "4x10": (0.02013, 0.01844, 0.01761, 0.0208),
    "4x12": (0.0597, 0.05818, 0.05786, 0.06838),
    "5x6": (0.01255, 0.01216, 0.01209, 0.01091),
    "5x7": (0.0383, 0.04165, 0.04217, 0.04021),
    "5x8": (0.114, 0.109, 0.107, 0.111),
    "7x4": (0.16233, 0.15958, 0.12136, 0.09225),
    "6x5": (0.081, 0.05322, 0.04808, 0.04381),
    "6x6": (0.39607, 0.31016, 0.33124, 0.28329),
    "5x9": (0.35318, 0.35133, 0.37395, 0.35796),
    "5x12": (3.48, 3.01, 3.11, 3.44),
    "6x9": (13.8, 13.4, 12.8, 14.2),
    "7x7": (102.1, 85.8, 75.1, 66.5),
}

# smaller boards first
MEASURED: Final = tuple(
    Measured(Rules.parse(board), strategy, seconds)
    for board, row in _SECONDS.items()
    for strategy, seconds in zip(_STRATEGIES, row, strict=True)
)

# Forecasts of whole trees on this machine.

WORKERS: Final = (16, 64, 1024)  # numbers of workers that a forecast is made for
_CALIBRATION: Final = ("4x8", "5x7")
_RUNS: Final = 3
_CHECKS: Final = ("5x12", "6x9", "7x7")
_NUMBERED: Final = 2**31 - 1  # nodes and guesses of a tree are numbered in 32 bits


def slowness() -> float:
    """How many times as long as the machine that measured this one takes now."""
    knuth = load("knuth")
    ratios: list[float] = []  # by board
    for tree in MEASURED:
        if tree.strategy == "knuth" and str(tree.rules) in _CALIBRATION:
            build(knuth, tree.rules)
            runs = []
            for _ in range(_RUNS):
                begun = time.process_time()
                build(knuth, tree.rules)
                runs.append(time.process_time() - begun)
            ratios.append(min(runs) / tree.seconds)
    return geometric_mean(ratios)


def forecast(rules: Rules, names: Sequence[str], *, n_cores: int) -> dict[str, Any]:
    """Times and memory of whole trees with what they rest on, as a JSON document.

    All measured strategies if none is named; InputError for another one, TooLargeError for a board
    too large for any tree.
    """
    if max(rules.n_guesses, rules.n_secrets) > _NUMBERED:
        raise TooLargeError(
            "a tree of {rules} would have more nodes than can be numbered ({most:,}): "
            "draw games instead",
            rules=rules,
            most=_NUMBERED,
        )
    law = fit(MEASURED)
    names = names or law.strategies
    alone = {name: law.seconds(rules, name) for name in names}  # on the measured machine
    factor = slowness()
    needed, free = memory_of(rules), available_memory()
    return {
        "rules": str(rules),
        "secrets": rules.n_secrets,
        "listed": max(rules.n_guesses, rules.n_secrets) <= MAX_LISTED,
        "cores": n_cores,
        "strategies": [
            {
                "strategy": name,
                "seconds": alone[name] * factor,
                "here": alone[name] * factor / n_cores,
                "workers": {str(n): estimate(law, rules, name, n) * factor for n in WORKERS},
            }
            for name in names
        ],
        "memory": needed,
        "free": free,
        "enough": free is None or needed <= free,
        "measured": DATE,
        "factor": factor,
        "within": error_factor(MEASURED),
        "pegs_measured": rules.pegs <= max(tree.rules.pegs for tree in MEASURED),
        "checks": [
            {
                "rules": str(tree.rules),
                "strategy": tree.strategy,
                "seconds": tree.seconds,
                "foretold": predict(MEASURED, tree),
            }
            for tree in MEASURED
            if str(tree.rules) in _CHECKS and tree.strategy == names[0]
        ],
    }
