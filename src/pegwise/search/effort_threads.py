"""Positions searched side by side: one explorer for each thread, one after the other where free."""

from __future__ import annotations

import threading
from collections.abc import Generator, Sequence
from concurrent.futures import CancelledError
from typing import Final

from pegwise.search.effort_explorer import Explorer
from pegwise.search.effort_levels import Position, work_of

__all__ = ["search_all"]

_WAIT: Final = 0.1


def search_all(
    positions: Sequence[Position],
    costs: list[int | None],
    explorers: Sequence[Explorer],
    number: int,
    left: int,
    *,
    stop: threading.Event,
) -> Generator[float, None, None]:
    """Search positions at a level; closing the generator stops the threads.

    Args:
        positions: in the order in which they are begun.
        costs: receives the cost of each as soon as it is known.
        explorers: one a thread, all of one search.
        number: of the level.
        left: guesses allowed.
        stop: that of the explorers.

    Yields:
        Now and then, what share of the work is done.
    """
    work = [work_of(position) for position in positions]
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
                costs[at] = explorer.best_cost(positions[at], number, left)
        except CancelledError:
            return
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
                done = [one for one, cost in zip(work, costs, strict=True) if cost is not None]
                yield sum(done) / sum(work)
    finally:
        stop.set()
        for one in threads:
            one.join()
        stop.clear()
    if failures:
        raise failures[0]
