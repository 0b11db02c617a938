"""Games of words with a mark for each letter: one-step trees, and the search for good trees.

    python -m benchmarks.words SECRETS GUESSES [--stages N] [--prove] [--wordle PROGRAM] [-o FILE]

Lists are files of one word a line; none is shipped. Hidden words come first, both in the order of
their files. With `--wordle`, that program (alex1770/wordle, built elsewhere) searches right after
with `-n10` and `-n100`, as whole processes. All are processor times, ours with kernels loaded.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import time
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.speed import Row, machine
from pegwise.game import FiniteGame, Game, game_of, read_words
from pegwise.game.names import word_game
from pegwise.search.beam.search import BeamSearch
from pegwise.search.exact.optimal import find_optimum
from pegwise.trees import build

__all__ = ["line", "peer", "proven", "searched", "trees"]

STRATEGIES: Final = ("knuth", "irving", "entropy", "parts")
WIDTHS: Final = (10, 100)


def trees(game: Game) -> list[Row]:
    """Whole trees of one-step strategies."""
    rows: list[Row] = []
    for strategy in STRATEGIES:
        begun = time.process_time()
        tree = build(game, strategy)
        seconds = time.process_time() - begun
        rows.append(
            {"what": strategy, "total": tree.total, "worst": tree.worst, "seconds": seconds}
        )
    return rows


def searched(game: Game, stages: int) -> list[Row]:
    """The search for good trees, stage by stage; seconds from its beginning."""
    numbers = np.arange(90)
    BeamSearch(FiniteGame(numbers, abs(numbers - numbers[:, None])), stages=1).run()  # kernels
    search = BeamSearch(game, stages=stages, threads=1)
    rows: list[Row] = []
    begun = time.process_time()

    def note(_step: object) -> None:
        if search.stage > len(rows):
            rows.append(
                {
                    "what": f"stage {len(rows)}",
                    "total": search.best_value(),
                    "positions": search.positions,
                    "seconds": time.process_time() - begun,
                }
            )

    search.run(note)
    return rows


def proven(game: Game) -> Row:
    """The proof of the smallest total."""
    begun = time.process_time()
    optimum = find_optimum(game)
    return {
        "what": "proof",
        "total": optimum.lower_bound,
        "positions": optimum.positions,
        "seconds": time.process_time() - begun,
    }


def peer(program: Path, secrets: Path, guesses: Path, width: int) -> Row:
    """One whole process of alex1770/wordle, which weighs so many guesses of each position."""
    begun = _seconds_of_children()
    printed = subprocess.run(
        [program.resolve(), f"-n{width}", "-h", secrets, "-a", guesses],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    seconds = _seconds_of_children() - begun
    total, positions = (
        int(printed.partition(f"{name} = ")[2].split()[0])
        for name in ("Best first guess score", "Nodes used")
    )
    return {"what": f"wordle -n{width}", "total": total, "positions": positions, "seconds": seconds}


def _seconds_of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def line(row: Row) -> str:
    """A row as a line of the table."""
    rest = f", {row['positions']} positions" if "positions" in row else ""
    return f"{row['what']:<16}{row['seconds']:9.2f} s   {row['total']} guesses in all{rest}"


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.words", description=__doc__)
    parser.add_argument("secrets", type=Path, help="words that may be hidden")
    parser.add_argument("guesses", type=Path, help="words that may be played")
    parser.add_argument("--stages", type=int, default=2)
    parser.add_argument("--prove", action="store_true", help="prove the smallest total: minutes")
    parser.add_argument("--wordle", type=Path, help="the peer's program")
    parser.add_argument("-o", "--output", type=Path, default=Path("reports/words.json"))
    arguments = parser.parse_args()
    print(", ".join(f"{key} {value}" for key, value in machine().items()), flush=True)
    begun = time.process_time()
    words = read_words(arguments.secrets, arguments.guesses)
    game = game_of(word_game(words, marks="placed"))
    size = game.table.shape
    print(f"{game.name}, {size} marks, made in {time.process_time() - begun:.2f} s", flush=True)
    rows = trees(game)
    rows += searched(game, arguments.stages)
    if arguments.prove:
        rows.append(proven(game))
    if arguments.wordle:
        for width in WIDTHS:
            rows.append(peer(arguments.wordle, arguments.secrets, arguments.guesses, width))
    for row in rows:
        print(line(row), flush=True)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps({**machine(), "rows": rows}, indent=1) + "\n")
    print(f"written: {arguments.output}")


if __name__ == "__main__":
    main()
