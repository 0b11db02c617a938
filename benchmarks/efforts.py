"""How a search for good trees scales: every piece timed on one core, dealt out to many workers.

    python -m benchmarks.efforts [BOARD] [--stages N] [-o FILE]

The search runs once for each number of workers, on a clock of its own: a piece that a worker takes
ends as much later as it took when it was first done, and what follows it is known then, not
earlier. So the pieces are those that a cluster is handed, in its order. What the asking process
does in between, and what travels, is not in the times; nor is what a worker makes ready, or finds
again because another one remembers it.
"""

from __future__ import annotations

import argparse
import heapq
import json
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

from benchmarks.speed import Row, machine
from pegwise.compute.backends import Serial
from pegwise.game import Game, board_game
from pegwise.progress import Progress, Report, run_until
from pegwise.search.beam import distributed as beam_tasks
from pegwise.search.beam.distributed import BeamResult, BeamTask
from pegwise.search.beam.search import BeamProgress, BeamSearch

__all__ = ["Clock", "stages"]

WORKERS: Final = (1, 2, 4, 8, 16, 64)


class Clock:
    """Runs pieces on so many workers that there are not.

    Args:
        workers: how many.
        done: what pieces have shown and the seconds that took, by which they are told apart;
            what is not in it is done and timed.

    Attributes:
        seconds: by this clock, of all that was run.
        work: on one core.
        largest: seconds of the largest piece.
        pieces: how many.
    """

    def __init__(self, workers: int, done: dict[str, tuple[BeamResult, float]]) -> None:
        self.workers = workers
        self.done = done
        self.seconds = self.work = self.largest = 0.0
        self.pieces = 0

    def run(
        self,
        work: Callable[[BeamTask], BeamResult],
        pieces: Sequence[BeamTask],
        _where: object,
        *,
        report: Report,
        follow: Callable[[BeamTask, BeamResult], Iterable[BeamTask]],
        size: Callable[[BeamTask], int],
        **_rest: object,
    ) -> list[BeamResult]:
        """As `pegwise.compute.pieces.run`."""
        waiting: list[tuple[int, int, BeamTask]] = []
        running: list[tuple[float, int, BeamTask]] = []
        number = 0
        for piece in pieces:
            waiting.append((-size(piece), number, piece))
            number += 1
        heapq.heapify(waiting)
        while waiting or running:
            while waiting and len(running) < self.workers:
                _, order, piece = heapq.heappop(waiting)
                heapq.heappush(running, (self.seconds + self._take(work, piece), order, piece))
            self.seconds, _, piece = heapq.heappop(running)
            for following in follow(piece, self.done[repr(piece)][0]):
                heapq.heappush(waiting, (-size(following), number, following))
                number += 1
            report(Progress(self.pieces))
        return []

    def _take(self, work: Callable[[BeamTask], BeamResult], piece: BeamTask) -> float:
        if repr(piece) not in self.done:
            begun = time.process_time()
            result = work(piece)
            self.done[repr(piece)] = result, time.process_time() - begun
        seconds = self.done[repr(piece)][1]
        self.pieces += 1
        self.work += seconds
        self.largest = max(self.largest, seconds)
        return seconds


def _is_later(stage: int, step: BeamProgress) -> bool:
    return step.stage > stage


def stages(
    game: Game, last: int, workers: int, done: dict[str, tuple[BeamResult, float]]
) -> list[dict[str, Any]]:
    """The time of every stage with so many workers."""
    search = BeamSearch(game, stages=last, where=Serial())
    rows: list[dict[str, Any]] = []
    while not search.finished:
        clock = Clock(workers, done)
        stage = search.stage
        with patch.object(beam_tasks, "run", clock.run):
            run_until(search.run, partial(_is_later, stage))
        if clock.pieces:
            rows.append(
                {
                    "rules": game.name,
                    "stage": stage,
                    "total": search.trees[-1].total,
                    "workers": workers,
                    "pieces": clock.pieces,
                    "work": clock.work,
                    "largest": clock.largest,
                    "seconds": clock.seconds,
                    "busy": clock.work / clock.seconds / workers,
                }
            )
    return rows


def line(row: Row) -> str:
    """A row in words."""
    return (
        f"{row['rules']} stage {row['stage']}, total {row['total']}: {row['workers']:>3} workers, "
        f"{row['pieces']} pieces, {row['work']:.1f} s of work, {row['seconds']:.1f} s, "
        f"{row['busy']:.0%} busy, largest piece {row['largest']:.2f} s"
    )


def main() -> None:
    """Measure, simulate, print, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.efforts", description=__doc__)
    parser.add_argument("board", nargs="?", default="5x7", metavar="BOARD")
    parser.add_argument("--stages", type=int, default=3)
    parser.add_argument("-o", "--output", type=Path, default=Path("reports/efforts.json"))
    arguments = parser.parse_args()
    game = board_game(arguments.board)
    rows: list[Row] = [{"what": "machine", **machine()}]
    print(", ".join(f"{key} {value}" for key, value in machine().items()), flush=True)
    # compiled and made ready before anything is timed
    stages(game, 1, 1, {})
    done: dict[str, tuple[BeamResult, float]] = {}
    for workers in WORKERS:
        for row in stages(game, arguments.stages, workers, done):
            rows.append(row)
            print(line(row), flush=True)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
