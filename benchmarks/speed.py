"""Speeds of this machine: whole trees, single choices, whole processes, first runs."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import numpy as np

from pegwise._version import __version__
from pegwise.game import board_game
from pegwise.game.rules import Rules
from pegwise.strategies import load
from pegwise.strategies.one_step import Entropy
from pegwise.trees import build

BOARDS: Final = ("4x6", "4x10,distinct", "5x8")
LARGE: Final = "6x9"
STRATEGIES: Final = ("knuth", "irving", "entropy", "parts")
SET_SIZES: Final = (16, 64, 256, 1024, 4096)

COMMANDS: Final = (
    *("solve 4x6 -s knuth --secret BEEF", "race 4x6 -s knuth", "race 4x6 -s first"),
    *("tree 4x6 -s knuth", "bounds 4x6", "optimal 4x6", "value 4x4", "static 4x4"),
    *("candidates 4x6 AABB=XO", "race 4x6", "tree 5x5 -s entropy", "tree 5x8 -s knuth"),
    "optimal 4x6 --search",
)

Row = dict[str, Any]


def measure(work: Callable[[], object], *, seconds: float = 1.5, most: int = 101) -> list[float]:
    """Seconds of each run, after one that is not counted; at least three."""
    work()
    runs: list[float] = []
    begun = time.perf_counter()
    while len(runs) < 3 or (len(runs) < most and time.perf_counter() - begun < seconds):
        start = time.perf_counter()
        work()
        runs.append(time.perf_counter() - start)
    return runs


def _row(what: str, runs: list[float], **values: Any) -> Row:
    """A row with the median of some runs, and the shortest of them."""
    times = {"seconds": statistics.median(runs), "least": min(runs), "runs": len(runs)}
    return {"what": what, **values, **times}


def trees(boards: tuple[str, ...]) -> Iterator[Row]:
    """Complete trees of the one-step strategies, on one thread and on two."""
    for board in boards:
        game = board_game(Rules.parse(board))
        for name in STRATEGIES:
            strategy = load(name)
            about = {"rules": board, "strategy": name, "total": build(game, strategy).total}
            for threads in (1, 2):
                runs = measure(partial(build, game, strategy, threads=threads))
                yield _row("tree", runs, threads=threads, **about)


def pairs() -> Iterator[Row]:
    """One choice among all guesses of 5x8 by set size: nanoseconds per (guess, candidate)."""
    game = board_game(Rules.parse("5x8"))
    strategy = Entropy()
    generator = np.random.default_rng(0)
    for size in SET_SIZES:
        chosen = np.sort(generator.choice(game.n_secrets, size, replace=False)).astype(np.int32)
        # three turns played: no symmetry is left to help
        turns = ((0, 1, 2, 3, 4), (5, 6, 7, 0, 1), (2, 2, 3, 5, 7))
        history = tuple((game.guess_number(code), 0) for code in turns)
        runs = measure(partial(strategy.choose, game, chosen, history))
        row = _row("choice", runs, rules="5x8", strategy="entropy", candidates=size)
        pair = row["seconds"] * 1e9 / (game.n_guesses * size)
        yield {**row, "nanoseconds_per_pair": pair}


def startup() -> Iterator[Row]:
    """Whole processes."""
    race = ["race", "4x6", *(word for name in STRATEGIES for word in ("-s", name)), "--json"]
    for what, command in (("race 4x6", race), ("--help", ["--help"])):
        yield _row(what, [_process(command, {}) for _ in range(5)])


def first_runs() -> Iterator[Row]:
    """Each command where nothing was compiled or stored before, and the same again."""
    for command in COMMANDS:
        with tempfile.TemporaryDirectory(prefix="pegwise-bench-") as empty:
            folders = {"NUMBA_CACHE_DIR": empty, "PEGWISE_HOME": empty}
            first = _process(command.split(), folders)
            runs = [_process(command.split(), folders) for _ in range(3)]
            yield _row(command, runs, first=first)


def _process(command: list[str], environment: dict[str, str]) -> float:
    """Seconds that a command of ours takes as a process of its own."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "pegwise", *command],
        env=os.environ | environment,
        check=True,
        capture_output=True,
    )
    return time.perf_counter() - start


def machine() -> Row:
    """A measurement: of what, on which machine, when."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "pegwise": __version__,
        "date": datetime.now(UTC).date().isoformat(),
        "processor": names[0] if names else platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numba": version("numba"),
        "numpy": version("numpy"),
    }


def line(row: Row) -> str:
    """A row as a line of the table."""
    seconds, name, note = row["seconds"], row["what"], ""
    time = f"{seconds * 1000:9.2f} ms"
    if seconds >= 1:
        time = f"{seconds:9.2f} s "
    if row["what"] == "tree":
        size = "1 thread" if row["threads"] == 1 else f"{row['threads']} threads"
        note = f"   {row['total']} guesses in all"
    elif row["what"] == "choice":
        size = f"{row['candidates']} candidates"
        note = f"   {row['nanoseconds_per_pair']:.3f} ns per pair"
    elif "first" in row:
        later = row["first"] - seconds
        note = f"   first {row['first']:.2f} s, {later:.2f} s more"
    if "rules" in row:
        name = f"{name:<6} {row['rules']:<14} {row['strategy']:<8} {size}"
    return f"{name:<44}{time}{note}"
