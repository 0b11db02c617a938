"""How whole trees scale: one core against two, and by simulation many workers.

    python -m benchmarks.scaling [BOARD ...] [-s STRATEGY] [--sampled BOARD] [-o FILE]

Of a board, the tree is built on one thread and on two in the same run; then it is cut as for 16,
64 and 1024 workers, every piece is played and timed on one core, and the pieces are dealt out as
`pegwise.compute` deals them: the largest first of those that are known. What a worker does to make
itself ready, timed in a fresh process, it does during the first turn. Of a sampled board only some
pieces are played; the others are taken to last as long for each secret as the nearest in size.
"""

from __future__ import annotations

import argparse
import heapq
import json
import math
import resource
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from benchmarks.speed import Row, machine
from pegwise.compute.workers import WorkerPool
from pegwise.game import Game, board_game
from pegwise.game.rules import Rules
from pegwise.strategies import Strategy, load
from pegwise.trees import build
from pegwise.trees.build import (
    TreePieces,
    TreeTask,
    TurnResult,
    make_ready,
    play_task,
    tasks_after,
)

__all__ = ["Timed", "dealt", "pieces", "ready", "sampled", "whole"]

BOARDS: Final = ("6x9",)
WORKERS: Final = (16, 64, 1024)

Report = Callable[[str], None]


class Timed(NamedTuple):
    """A piece of work that was timed.

    Attributes:
        size: secrets; of the pieces that are known the largest is begun first.
        seconds: on one core.
        after: number of the piece that must be done before; -1 for the first.
    """

    size: int
    seconds: float
    after: int


def whole(strategy: Strategy, game: Game) -> Row:
    """The tree on one thread and on two, in the same run."""
    row: Row = {"what": "whole", "rules": game.name, "strategy": strategy.card.id}
    for threads in (1, 2):
        start, used = time.perf_counter(), time.process_time()
        tree = build(game, strategy, threads=threads)
        row[f"seconds {threads}"] = time.perf_counter() - start
        row[f"processor {threads}"] = time.process_time() - used
    return {**row, "total": tree.total, "megabytes": peak()}


def pieces(strategy: Strategy, game: Game, workers: int) -> list[Timed]:
    """Every piece of the tree, cut as for so many workers, timed in the order of one worker."""
    make_ready(strategy, game)
    tree = TreePieces(strategy, game, workers)
    timed: list[Timed] = []
    waiting: list[tuple[int, int, int]] = []
    work: list[TreeTask] = []

    def add(following: Iterable[TreeTask], after: int) -> None:
        for piece in following:
            heapq.heappush(waiting, (-piece.size, len(work), after))
            work.append(piece)

    add([tree.root], -1)
    while waiting:
        _, number, after = heapq.heappop(waiting)
        piece = work[number]
        played, seconds = _timed(play_task, piece)
        timed.append(Timed(piece.size, seconds, after))
        add(tree.follow(piece, played), len(timed) - 1)
    return timed


def sampled(
    strategy: Strategy, game: Game, workers: int, every: int, bundles: int, report: Report
) -> list[Timed]:
    """Likewise, where only the first two levels are timed whole, and of the rest some pieces.

    Args:
        strategy: who plays.
        game: what is played.
        workers: how many it is cut for.
        every: of the turns of the third level one in so many is played.
        bundles: so many of those that follow the first two levels are played out, and as many of
            those that follow the turns of the third level.
        report: is told what has been timed.
    """
    make_ready(strategy, game)
    tree = TreePieces(strategy, game, workers)
    times: list[Timed] = []
    level = [(tree.root, -1)]
    early: list[tuple[TreeTask, int]] = []
    for depth in range(2):
        if not level:  # the board ends before
            break
        following: list[tuple[TreeTask, int]] = []
        for piece, after in level:
            turn, seconds = _timed(play_task, piece)
            number = len(times)
            times.append(Timed(piece.size, seconds, after))
            turns, bundles_after = _tasks(piece, turn, tree.most)
            following += ((part, number) for part in turns)
            early += ((bundle, number) for bundle in bundles_after)
        seconds_of = [piece.seconds for piece in times[-len(level) :]]
        report(
            f"level {depth}: {len(level)} turns, {sum(seconds_of):.1f} s, "
            f"longest {max(seconds_of):.1f}"
        )
        level = sorted(following, key=lambda pair: -pair[0].size)
    rate = _rate([bundle for bundle, _ in early], bundles, report)
    times += [Timed(bundle.size, rate * bundle.size, after) for bundle, after in early]

    played: list[tuple[TreeTask, TurnResult, float]] = []
    for piece, _ in level[every // 2 :: every] or level[:1]:
        turn, seconds = _timed(play_task, piece)
        played.append((piece, turn, seconds))
        report(f"turn of {piece.size}: {seconds:.2f} s")
    late = [bundle for piece, turn, _ in played for bundle in _tasks(piece, turn, tree.most)[1]]
    rate = _rate(late, bundles, report)
    for piece, after in level:
        near, turn, seconds = min(played, key=lambda t: abs(math.log(t[0].size / piece.size)))
        share = piece.size / near.size
        number = len(times)
        times.append(Timed(piece.size, seconds * share, after))
        turns, bundles_after = _tasks(near, turn, tree.most)
        sizes = [share * bundle.size for bundle in bundles_after]
        # a turn of the fourth level, and the bundles after it, are taken to cost what bundles do
        for part in turns:
            count = math.ceil(share * part.size / tree.most)
            sizes += [share * part.size / count] * count
        times += [Timed(round(size), rate * size, number) for size in sizes]
    return times


def _tasks(task: TreeTask, turn: TurnResult, most: int) -> tuple[list[TreeTask], list[TreeTask]]:
    """The tasks that follow a turn: further turns, and bundles."""
    tasks = list(tasks_after(task, turn, most))
    turns = [following for following in tasks if following.branches is None]
    return turns, tasks[len(turns) :]


def _rate(bundles: list[TreeTask], some: int, report: Report) -> float:
    """Seconds a secret, of some bundles of all sizes; 0 without bundles."""
    if not bundles:
        return 0.0
    ordered = sorted(bundles, key=lambda bundle: bundle.size)
    step = max(1, len(ordered) // some)
    played = ordered[step // 2 :: step]
    seconds = math.fsum(_timed(play_task, bundle)[1] for bundle in played)
    rate = seconds / sum(bundle.size for bundle in played)
    report(f"{len(played)} of {len(bundles)} bundles: {rate * 1e3:.3f} ms a secret")
    return rate


def _timed(work: Callable[[Any], Any], piece: Any) -> tuple[Any, float]:
    start = time.process_time()
    return work(piece), time.process_time() - start


def ready(strategy: Strategy, game: Game) -> float:
    """Seconds that a worker needs before its first piece, beyond starting as a process."""
    with WorkerPool(1) as worker:
        return float(worker.submit(_readied, strategy, game).result())


def _readied(strategy: Strategy, game: Game) -> float:
    build(board_game(Rules.parse("5x5")), strategy)  # the kernels are read
    start = time.process_time()
    make_ready(strategy, game)
    return time.process_time() - start


def dealt(timed: Sequence[Timed], start: float, workers: int) -> Row:
    """The pieces dealt out: whoever is free takes the largest that is waiting.

    Args:
        timed: the pieces, each behind the one that it follows.
        start: seconds to make ready, which all do at once, whoever plays the first turn too; not
            counted as work.
        workers: how many.
    """
    following: dict[int, list[int]] = {}
    for number, piece in enumerate(timed):
        following.setdefault(piece.after, []).append(number)
    waiting = [(-timed[number].size, number) for number in following[-1]]
    busy: list[tuple[float, int]] = []
    now = start
    while waiting or busy:
        while waiting and len(busy) < workers:
            _, number = heapq.heappop(waiting)
            heapq.heappush(busy, (now + timed[number].seconds, number))
        now, number = heapq.heappop(busy)
        for after in following.get(number, ()):
            heapq.heappush(waiting, (-timed[after].size, after))
    work = math.fsum(piece.seconds for piece in timed)
    return {
        "what": "dealt",
        "workers": workers,
        "pieces": len(timed),
        "work": work,
        "start": start,
        "first turn": timed[0].seconds,
        "seconds": now,
        "busy": work / (now * workers),
        "largest": max((piece.seconds for piece in timed[1:]), default=0.0),
    }


def peak() -> int:
    """MiB that this process took at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def line(row: Row) -> str:
    """A row as a line."""
    if row["what"] == "whole":
        alone, by_two = row["seconds 1"], row["seconds 2"]
        return (
            f"{row['rules']} {row['strategy']}: one core {alone:.2f} s, two {by_two:.2f} s, "
            f"{alone / by_two:.2f} times as fast; {row['megabytes']} MiB"
        )
    return (
        f"{row['workers']:>6} workers: {row['pieces']:>6} pieces, {row['work']:.1f} s of work, "
        f"{row['seconds']:.2f} s with {row['start']:.2f} s to start and {row['first turn']:.2f} s "
        f"for the first turn, {row['busy']:.0%} busy, largest other piece {row['largest']:.2f} s"
    )


def main() -> None:
    """Measure, simulate, print, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scaling", description=__doc__)
    parser.add_argument("boards", nargs="*", default=BOARDS, metavar="BOARD")
    parser.add_argument("-s", "--strategy", default="entropy")
    parser.add_argument("--sampled", metavar="BOARD", help="time some pieces of a larger board")
    parser.add_argument("--every", type=int, default=20, help="of its third level, one in so many")
    parser.add_argument("--bundles", type=int, default=20, help="so many, early and late")
    parser.add_argument("-o", "--output", type=Path, default=Path("reports/scaling.json"))
    arguments = parser.parse_args()
    strategy, rows = load(arguments.strategy), [{"what": "machine", **machine()}]
    boards = [*arguments.boards, *filter(None, [arguments.sampled])]
    print(", ".join(f"{key} {value}" for key, value in machine().items()), flush=True)

    def keep(row: Row) -> None:
        rows.append(row)
        print(line(row), flush=True)

    # compiled before anything is timed, for every number of pegs
    for pegs in sorted({board_game(board).rules.pegs for board in boards}):
        pieces(strategy, board_game(Rules.parse(f"{pegs}x4")), WORKERS[-1])
        build(board_game(Rules.parse(f"{pegs}x4")), strategy)
    for board in arguments.boards:
        game = board_game(board)
        keep(whole(strategy, game))
        start = ready(strategy, game)
        for workers in WORKERS:
            keep({"rules": board, **dealt(pieces(strategy, game, workers), start, workers)})
    if arguments.sampled:
        game = board_game(arguments.sampled)
        start = ready(strategy, game)
        for workers in WORKERS[1:2]:
            timed = sampled(
                strategy,
                game,
                workers,
                arguments.every,
                arguments.bundles,
                lambda said: print(said, flush=True),
            )
            for some in WORKERS:
                keep({"rules": arguments.sampled, "cut for": workers, **dealt(timed, start, some)})
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
