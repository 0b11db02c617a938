"""Between Python and kernels: what kernels return, and interrupts while they run."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from pegwise.kernels import jit

INTERRUPTS = 200

LOOPS = """
import signal, sys, threading, time
import pegwise
from pegwise.kernels import cache

game = pegwise.game_of("4x4")
turns = ["AABB=XO"]
record = pegwise.Record(pegwise.Rules(4, 4), [("AABB", "XO"), ("ACBD", "XOO")])
loops = {
    "build": lambda: pegwise.build("4x4", "knuth"),
    "race": lambda: pegwise.race("4x4", ["knuth", "entropy"]),
    "play": lambda: pegwise.play("4x4", "entropy", "BCBA"),
    "rank": lambda: pegwise.rank(pegwise.Position("4x4", turns)),
    "candidates": lambda: pegwise.candidates("5x6", ["AABBC=XO"], limit=50),
    "count": lambda: pegwise.count("8x10", ["AABBCCDD=XOO"]),
    "review": lambda: pegwise.review(record),
    "find_optimum": lambda: pegwise.find_optimum("3x4"),
    "find_static": lambda: pegwise.find_static("3x3"),
    "find_value": lambda: pegwise.find_value("2x4"),
    "puzzle": lambda: pegwise.puzzle("4x4", seed=1),
}
main = threading.get_ident()

def interrupt(delay):
    time.sleep(delay)
    signal.raise_signal(signal.SIGINT)

def seconds(loop):
    begun = time.perf_counter()
    loop()
    return time.perf_counter() - begun

total = 0
cache.without_numpy().__enter__()
for done, (name, loop) in enumerate(loops.items()):
    loop()  # what is compiled stays
    delay = min(0.01, max(0.002, seconds(loop)))
    seen = 0
    for number in range(-(-(INTERRUPTS - total) // (len(loops) - done))):
        sender = threading.Thread(target=interrupt, args=(delay * (number % 10 + 1) / 10,))
        try:
            sender.start()
            end = time.monotonic() + 60
            while time.monotonic() < end:
                loop()
        except KeyboardInterrupt:
            seen += 1
        sender.join()
    total += number + 1
    print(name, seen, flush=True)
"""


def python_calls() -> dict[str, ast.FunctionDef]:
    """All kernels that Python may call, by module and name."""
    root = Path(jit.__file__).parent
    return {
        f"{path.relative_to(root)}: {node.name}": node
        for path in root.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
        and {"kernel", "kernel_without_counts"} & {*map(ast.unparse, node.decorator_list)}
    }


def test_kernels_return_numbers() -> None:
    """What else they return is made by Python code, which an interrupt stops half-way."""
    functions = python_calls()
    assert len(functions) > 40
    numbers = {"None", "int", "bool", "Int", "np.uint64"}
    for name, function in functions.items():
        returned = ast.unparse(function.returns or ast.Constant("nothing said"))
        parts = returned.removeprefix("tuple[").removesuffix("]").split(", ")
        assert set(parts) <= numbers, f"{name} returns {returned}"


@pytest.mark.slow
def test_interrupts_of_loops_over_all_functions() -> None:
    """An interrupt comes at any moment, also between two kernels or while one returns."""
    code = f"INTERRUPTS = {INTERRUPTS}\n{LOOPS}"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 0, (run.returncode, run.stdout, run.stderr[-2000:])
    seen = dict(line.split() for line in run.stdout.splitlines())
    assert len(seen) == 11
    assert sum(map(int, seen.values())) == INTERRUPTS, seen
