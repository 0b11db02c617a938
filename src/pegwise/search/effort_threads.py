"""Positions searched side by side: one explorer for each thread, one after the other where free."""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from typing import Final

from pegwise.search.effort_explorer import Explorer
from pegwise.search.effort_levels import Position

__all__ = ["search_all"]

_WAIT: Final = 0.1


def search_all(
    positions: Sequence[Position],
    explorers: Sequence[Explorer],
    number: int,
    left: int,
    *,
    stop: threading.Event,
) -> Generator[tuple[int, float], None, list[int]]:
    """Search positions at a level; closing the generator stops the threads.

    Args:
        positions: in the order in which they are begun.
        explorers: one a thread, all of one search.
        number: of the level.
        left: guesses allowed.
        stop: that of the explorers.

    Yields:
        Now and then, how many positions are finished and what share of the work that is.

    Returns:
        The cost of each position.
    """
    costs = [0] * len(positions)
    work = [float(position.weight) ** 1.5 for position in positions]
    done = [0.0] * len(positions)
    failures: list[BaseException] = []
    waiting = iter(range(len(positions)))
    lock = threading.Lock()

    def search(explorer: Explorer) -> None:
        try:
            while True:
                with lock:
                    at = next(waiting, None)
                if at is None:
                    return
                cost = explorer.best_cost(positions[at], number, left)
                if cost is None:
                    return
                costs[at], done[at] = cost, work[at]
        except BaseException as error:
            failures.append(error)
            stop.set()

    stop.clear()
    threads = [
        threading.Thread(target=search, args=(explorer,), daemon=True)
        for explorer in explorers[: len(positions)]
    ]
    try:
        for one in threads:
            one.start()
        for one in threads:
            while one.is_alive():
                one.join(_WAIT)
                yield sum(1 for part in done if part), sum(done) / max(sum(work), 1.0)
    finally:
        stop.set()
        for one in threads:
            one.join()
        stop.clear()
    if failures:
        raise failures[0]
    return costs
