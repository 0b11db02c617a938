"""`make bench`: the speed of this machine.

    python -m benchmarks [--large] [--cold] [--mmstrat PROGRAM] [-o FILE]

Whole trees of the one-step strategies, one choice by number of candidates, whole processes, and
slips. Times are medians of warm runs; other work on the machine shows in them. `--cold` measures
commands where nothing has ever been compiled, beside later ones, and nothing else.

With `--mmstrat`, that program (widmaN/mastermind-strategy, built elsewhere) runs in the same
minutes, as whole processes, and ratios are printed.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import time
from dataclasses import asdict
from pathlib import Path

from benchmarks.slips import measure_all
from benchmarks.speed import (
    BOARDS,
    LARGE,
    Row,
    first_runs,
    line,
    machine,
    pairs,
    startup,
    trees,
)

PEER = {"knuth": "minmax", "irving": "minavg", "entropy": "entropy", "parts": "parts"}
PEER_RULES = {"4x6": "p4c6r", "4x10,distinct": "p4c10n", "5x8": "p5c8r"}


def peer(program: Path, rules: str, strategy: str, count: int = 3) -> Row:
    """Whole processes of mmstrat, one thread."""
    runs = []
    for _ in range(count):
        start = time.perf_counter()
        subprocess.run(
            [program, "-r", PEER_RULES[rules], "-s", PEER[strategy], "-S", "-q"],
            check=True,
            capture_output=True,
        )
        runs.append(time.perf_counter() - start)
    return {"what": "mmstrat", "rules": rules, "strategy": strategy,
            "seconds": statistics.median(runs), "least": min(runs), "runs": count}  # fmt: skip


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--large", action="store_true", help="trees of 6x9 too")
    parser.add_argument("--cold", action="store_true", help="first commands, and later ones")
    parser.add_argument("--mmstrat", type=Path, help="the peer's program")
    parser.add_argument("-o", "--output", type=Path, default=Path("reports/bench.json"))
    arguments = parser.parse_args()
    rows: list[Row] = []
    print(", ".join(f"{key} {value}" for key, value in machine().items()), flush=True)
    if arguments.cold:
        for row in first_runs():
            rows.append(row)
            print(line(row), flush=True)
        write(arguments.output, {**machine(), "rows": rows})
        return
    for row in trees((*BOARDS, LARGE) if arguments.large else BOARDS):
        rows.append(row)
        print(line(row), flush=True)
        if arguments.mmstrat and row["threads"] == 1 and row["rules"] in PEER_RULES:
            theirs = peer(arguments.mmstrat, row["rules"], row["strategy"])
            rows.append(theirs)
            ratio = theirs["seconds"] / row["seconds"]
            print(f"{'  mmstrat beside it, whole process':<44}{theirs['seconds'] * 1000:9.2f} ms"
                  f"   {ratio:.1f} times as long", flush=True)  # fmt: skip
    for part in (pairs(), startup()):
        for row in part:
            rows.append(row)
            print(line(row), flush=True)
    slips = measure_all()
    for figures in slips:
        print(figures, flush=True)
    document = {**machine(), "rows": rows, "slips": [asdict(figures) for figures in slips]}
    write(arguments.output, document)


def write(output: Path, document: Row) -> None:
    """Write what was measured as JSON."""
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(json.dumps(document, indent=1) + "\n")
    print(f"written: {output}")


if __name__ == "__main__":
    main()
