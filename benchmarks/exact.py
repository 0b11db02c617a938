"""Exact search for the smallest total, one core, warm, in process.

    python -m benchmarks.exact [--large] [--mmstrat PROGRAM] [-o FILE]

With `--mmstrat`, that program proves the same optimum right after, as a whole process, where it
can; only its shorter searches unless `--large` is given.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import time
from functools import partial
from pathlib import Path
from typing import Final

from benchmarks.speed import Row, machine, measure
from pegwise.game import board_game
from pegwise.game.rules import Rules
from pegwise.search.exact.optimal import find_optimum

__all__ = ["exact", "line", "peer"]

BOARDS: Final = ("4x6", "3x10", "5x5", "4x7", "6x4", "4x8", "4x10,distinct")
LARGE: Final = ("4x9",)

PEER_RULES: Final = {
    "4x6": "p4c6r",
    "3x10": "p3c10r",
    "5x5": "p5c5r",
    "4x7": "p4c7r",
    "6x4": "p6c4r",
}
PEER_LARGE: Final = {"4x8": "p4c8r"}
PATIENCE: Final = 900


def exact(board: str) -> Row:
    """Prove the smallest total of a board, again and again for some seconds."""
    game = board_game(Rules.parse(board))
    find_optimum(board_game(Rules.parse("3x4")))  # compiled before anything is timed
    optimum = find_optimum(game)
    runs = measure(partial(find_optimum, game), seconds=3, most=9)
    return {
        "what": "optimum",
        "rules": board,
        "total": optimum.tree.total if optimum.tree else None,
        "proven": optimum.proven,
        "positions": optimum.positions,
        "seconds": statistics.median(runs),
        "least": min(runs),
        "runs": len(runs),
    }


def peer(program: Path, board: str) -> Row:
    """One whole process of mmstrat."""
    start = time.perf_counter()
    subprocess.run(
        [program, "-r", {**PEER_RULES, **PEER_LARGE}[board], "-s", "optimal", "-S", "-q"],
        check=True,
        capture_output=True,
        timeout=PATIENCE,
    )
    return {"what": "mmstrat optimum", "rules": board, "seconds": time.perf_counter() - start}


def line(row: Row) -> str:
    """A row as a line of the table."""
    figure = f"{row['seconds']:9.3f} s"
    if row["what"] == "mmstrat optimum":
        return (
            f"{'  mmstrat beside it, whole process':<44}{figure}   {row['ratio']:.1f} times as long"
        )
    name = f"optimum {row['rules']}"
    return f"{name:<44}{figure}   {row['total']} guesses in all, {row['positions']} positions"


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.exact", description=__doc__)
    parser.add_argument("--large", action="store_true", help="4x9 too, and the peer's 4x8")
    parser.add_argument("--mmstrat", type=Path, help="the peer's program")
    parser.add_argument("-o", "--output", type=Path, default=Path("reports/exact.json"))
    arguments = parser.parse_args()
    print(", ".join(f"{key} {value}" for key, value in machine().items()), flush=True)
    asked = {**PEER_RULES, **(PEER_LARGE if arguments.large else {})}
    rows = []
    for board in (*BOARDS, *(LARGE if arguments.large else ())):
        row = exact(board)
        rows.append(row)
        print(line(row), flush=True)
        if arguments.mmstrat and board in asked:
            theirs = peer(arguments.mmstrat, board)
            theirs["ratio"] = theirs["seconds"] / row["seconds"]
            rows.append(theirs)
            print(line(theirs), flush=True)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps({**machine(), "rows": rows}, indent=1) + "\n")
    print(f"written: {arguments.output}")


if __name__ == "__main__":
    main()
