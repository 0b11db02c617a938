"""How whole trees scale: one core against two, and by simulation many workers.

    python -m benchmarks.scaling [BOARD ...] [-s STRATEGY] [--sampled BOARD] [-o FILE]

Of a board, the tree is built on one thread and on two in the same run; then it is cut as for 16,
64 and 1024 workers, every piece is played and timed on one core, and the pieces are dealt out as
`pegwise.cluster` deals them: the largest first, level by level. What a worker does to make itself
ready, timed in a fresh process, it does during the first turn. Of a sampled board only some pieces
are played; the others are taken to last as long for each secret as the nearest in size.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from pegwise.arena.plan import schedule
from pegwise.cli.bench import Row, machine
from pegwise.game import Game, mastermind
from pegwise.strategies import Strategy, load
from pegwise.trees import build
from pegwise.trees.pieces import (
    PER_WORKER,
    SMALL,
    Bundle,
    Piece,
    Turn,
    bundles_of,
    cut,
    make_ready,
    pieces_of,
    play_bundle,
    play_turn,
)
from pegwise.workers import pool

__all__ = ["Batches", "dealt", "pieces", "ready", "sampled", "whole"]

BOARDS: Final = ("6x9",)
WORKERS: Final = (16, 64, 1024)

Report = Callable[[str], None]
Batches = list[list[float]]
"""Seconds of the pieces of each level, in the order in which they are begun."""


class Stopwatch(Executor):
    """Runs pieces when they are handed over, and keeps how long each took."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        start = time.process_time()
        done.set_result(fn(*args, **kwargs))
        self.seconds.append(time.process_time() - start)
        return done


class Watched:
    """In this process, cut as for many workers; every level has a stopwatch.

    Attributes:
        workers: for how many it is cut.
        levels: seconds of the pieces of each level that was handed out.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.levels: Batches = []

    @contextmanager
    def executor(self) -> Iterator[Executor]:
        """A new stopwatch."""
        watch = Stopwatch()
        self.levels.append(watch.seconds)
        yield watch


def whole(strategy: Strategy, game: Game) -> Row:
    """The tree on one thread and on two, in the same run."""
    found: Row = {"what": "whole", "rules": game.name, "strategy": strategy.card.id}
    for threads in (1, 2):
        start, used = time.perf_counter(), time.process_time()
        tree = build(strategy, game, threads=threads)
        found[f"seconds {threads}"] = time.perf_counter() - start
        found[f"processor {threads}"] = time.process_time() - used
    return {**found, "total": tree.total, "megabytes": peak()}


def pieces(strategy: Strategy, game: Game, workers: int) -> Batches:
    """Every piece of the tree, cut as for so many workers, timed."""
    where = Watched(workers)
    make_ready(strategy, game)
    _, first = _timed(play_turn, Piece(strategy, game, (), (), game.n_secrets))
    _, bundles = cut(strategy, game, where)
    with where.executor() as executor:
        for bundle in sorted(bundles, key=lambda bundle: -bundle.size):
            executor.submit(play_bundle, bundle)
    return [[first], *where.levels]


def sampled(strategy: Strategy, game: Game, workers: int, every: int, report: Report) -> Batches:
    """Likewise, where only the first two levels are timed whole, and of the rest some pieces.

    Args:
        strategy: who plays.
        game: what is played.
        workers: how many it is cut for.
        every: of the turns of the third level one in so many is played, with what follows it.
        report: is told what has been timed.
    """
    most = max(SMALL, game.n_secrets // (PER_WORKER * workers))
    batches: Batches = []
    bundles: list[Bundle] = []
    make_ready(strategy, game)
    level = [Piece(strategy, game, (), (), game.n_secrets)]
    for depth in range(2):
        timed = [_timed(play_turn, piece) for piece in level]
        batches.append([seconds for _, seconds in timed])
        report(f"level {depth}: {len(level)} turns, {math.fsum(batches[-1]):.1f} s")
        following: list[Piece] = []
        for piece, (turn, _) in zip(level, timed, strict=True):
            following += pieces_of(piece, turn, most)
            bundles += bundles_of(piece, turn, most)
        level = sorted(following, key=lambda piece: -piece.size)
    known: list[tuple[Piece, Turn, float]] = []
    for piece in level[every // 2 :: every]:
        turn, seconds = _timed(play_turn, piece)
        known.append((piece, turn, seconds))
        report(f"turn of {piece.size}: {seconds:.2f} s")
    third: list[float] = []
    below: list[tuple[float, int]] = []
    for piece in level:
        near, turn, seconds = min(known, key=lambda one: abs(math.log(one[0].size / piece.size)))
        share = piece.size / near.size
        third.append(seconds * share)
        below += [(share, part.size) for part in pieces_of(near, turn, most)]
        bundles += [
            Bundle(piece, turn.guess, bundle.marks, max(1, round(bundle.size * share)))
            for bundle in bundles_of(near, turn, most)
        ]
    batches.append(third)
    # a turn of the fourth level, and the bundles after it, are taken to cost what bundles do
    rates = [_rate(bundle, report) for bundle in _some(known, most)]
    rate = math.fsum(rates) / len(rates)
    report(f"bundles: {rate * 1e3:.3f} ms a secret, of {len(rates)} that were played")
    sizes = [bundle.size for bundle in bundles]
    for share, size in below:
        count = math.ceil(share * size / most)
        sizes += [round(share * size / count)] * count
    batches.append(sorted((rate * size for size in sizes), reverse=True))
    return batches


def _some(known: Sequence[tuple[Piece, Turn, float]], most: int) -> list[Bundle]:
    """Of the bundles that follow the turns played, the middle one of each."""
    found = [list(bundles_of(piece, turn, most)) for piece, turn, _ in known]
    return [after[len(after) // 2] for after in found if after]


def _rate(bundle: Bundle, report: Report) -> float:
    """Seconds a secret."""
    _, seconds = _timed(play_bundle, bundle)
    report(f"bundle of {bundle.size}: {seconds:.2f} s")
    return seconds / bundle.size


def _timed(work: Callable[[Any], Any], piece: Any) -> tuple[Any, float]:
    start = time.process_time()
    return work(piece), time.process_time() - start


def ready(strategy: Strategy, game: Game) -> float:
    """Seconds that a worker needs before its first piece, beyond starting as a process."""
    with pool(1) as worker:
        return worker.submit(_readied, strategy, game).result()


def _readied(strategy: Strategy, game: Game) -> float:
    build(strategy, mastermind("5x5"))  # the kernels are read
    start = time.process_time()
    make_ready(strategy, game)
    return time.process_time() - start


def dealt(batches: Batches, start: float, workers: int) -> Row:
    """The pieces dealt out, level by level.

    Args:
        batches: seconds of the pieces of each level.
        start: seconds to make ready, which all do at once, whoever plays the first turn too; not
            counted as work.
        workers: how many.
    """
    levels = [
        schedule(batch, workers, start=start if depth == 0 else 0.0)
        for depth, batch in enumerate(batches)
        if batch
    ]
    seconds = math.fsum(level.seconds for level in levels)
    work = math.fsum(map(math.fsum, batches))
    return {
        "what": "dealt",
        "workers": workers,
        "pieces": sum(map(len, batches)),
        "work": work,
        "start": start,
        "first turn": math.fsum(batches[0]),
        "seconds": seconds,
        "busy": work / (seconds * workers),
        "largest": max(level.largest for level in levels[1:]),
    }


def peak() -> int:
    """MiB that this process took at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def line(row: Row) -> str:
    """A row as a line."""
    if row["what"] == "whole":
        one, two = row["seconds 1"], row["seconds 2"]
        return (
            f"{row['rules']} {row['strategy']}: one core {one:.2f} s, two {two:.2f} s, "
            f"{one / two:.2f} times as fast; {row['megabytes']} MiB"
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
    parser.add_argument("--every", type=int, default=60, help="of its third level, one in so many")
    parser.add_argument("-o", "--output", type=Path, default=Path("reports/scaling.json"))
    arguments = parser.parse_args()
    strategy, rows = load(arguments.strategy), [{"what": "machine", **machine()}]
    print(", ".join(f"{key} {value}" for key, value in machine().items()), flush=True)

    def keep(row: Row) -> None:
        rows.append(row)
        print(line(row), flush=True)

    build(strategy, mastermind("5x5"))  # compiled before anything is timed
    for board in arguments.boards:
        game = mastermind(board)
        keep(whole(strategy, game))
        start = ready(strategy, game)
        for workers in WORKERS:
            keep({"rules": board, **dealt(pieces(strategy, game, workers), start, workers)})
    if arguments.sampled:
        game = mastermind(arguments.sampled)
        start = ready(strategy, game)
        for workers in WORKERS[1:2]:
            batches = sampled(
                strategy, game, workers, arguments.every, lambda said: print(said, flush=True)
            )
            for some in WORKERS:
                keep(
                    {"rules": arguments.sampled, "cut for": workers, **dealt(batches, start, some)}
                )
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
