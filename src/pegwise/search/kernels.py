"""All kernels, compiled before they are needed by small work that calls each."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import as_completed
from functools import partial
from typing import Final

import numpy as np

from pegwise.compute.workers import WorkerPool
from pegwise.game import Code, Mark, Rules, Turn, game_of
from pegwise.kernels import cache
from pegwise.knowledge import candidates, count
from pegwise.knowledge.candidates import meet_candidates
from pegwise.progress import Progress, Report, silent
from pegwise.strategies import load
from pegwise.trees import build


def compile_kernels(workers: int, *, report: Report = silent) -> None:
    """Compile all kernels that this machine has not compiled yet, in `workers` processes."""
    cache.check_numba()
    with WorkerPool(min(workers, len(_USES))) as processes:
        tasks = [processes.submit(use_kernels, (name,)) for name in _USES]
        for done, task in enumerate(as_completed(tasks), 1):
            task.result()
            report(Progress(done, len(tasks), "parts"))


def use_kernels(names: Iterable[str] | None = None) -> None:
    """Call the kernels of some parts, or all, so that they are compiled and loaded."""
    with cache.without_numpy():
        for name in _USES if names is None else names:
            _USES[name]()


def _trees(*boards: str, strategy: str = "entropy") -> None:
    for board in boards:
        build(board, load(strategy), threads=2)


def _choices() -> None:
    rules = Rules(4, 6)
    turns = [Turn(Code([0, 0, 1, 1]), Mark(1, 1))]
    candidates(rules, turns)
    count(Rules(8, 12), [Turn(Code([0, 0, 1, 1, 2, 2, 3, 3]), Mark(1, 1))])
    meet_candidates(rules, turns, np.random.default_rng(0), most=9, steps=9)
    for name in ("forget-entropy", "sampling", "marechal-rastoix-2"):
        _trees("4x3", strategy=name)


def _optima() -> None:
    from pegwise.search.exact.optimal import find_optimum

    for game in ("4x6", game_of("3x3", [2, *[1] * 26])):
        for objective in ("total", "worst-total"):
            find_optimum(game, objective=objective)


def _proofs() -> None:
    from pegwise.search.static.search import find_static
    from pegwise.search.value import find_value

    find_value("2x4")
    find_static("3x3")
    find_static("2x5")  # which compares forms of sets
    find_static("5x2,black")  # peg by peg


def _good_trees() -> None:
    from pegwise.search.beam.search import BeamSearch

    BeamSearch(game_of("4x4"), stages=2).run()


_USES: Final[dict[str, Callable[[], None]]] = {
    "optima": _optima,
    # kernels are compiled for each number of pegs; level by level, then all at once
    "trees of 4 pegs": partial(_trees, "4x11", "4x9"),
    "trees of 5 pegs": partial(_trees, "5x7", "5x6"),
    "trees of 6 pegs": partial(_trees, "6x5", "6x4"),
    "good trees": _good_trees,
    "proofs": _proofs,
    "choices": _choices,
}
"""Functions that call all kernels, the longest to compile first."""
