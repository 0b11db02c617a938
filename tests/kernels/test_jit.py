"""How kernels are compiled: by one process at a time, and for later ones too."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pegwise.kernels import jit

SOURCE = """
import contextlib, sys, time
from numba.extending import intrinsic
from pegwise.kernels import jit
from pegwise.hooks import hooks

@intrinsic
def same(context, number):
    moments.append(time.time())
    time.sleep(0.5)
    moments.append(time.time())
    return number(number), lambda context, builder, signature, arguments: arguments[0]

@jit.subkernel
def add(number, other):
    return same(number) + other

@jit.kernel
def double(number):
    return add(number, number)

@jit.kernel
def fourfold(number):
    return double(double(number))

moments, told = [], []

def aside(kind, name):
    told.append(time.time())
    return contextlib.nullcontext(lambda step: None)

hooks.aside = aside
numbers = [eval(word) for word in sys.argv[1:]]
results = [fourfold(number) for number in numbers] + [double(number) for number in numbers]
print([told[:1] + moments, results])
"""


def start(folder: Path, *numbers: str) -> "subprocess.Popen[str]":
    """A process that compiles kernels for such numbers, and takes its time."""
    path = folder / "doubling.py"
    path.write_text(SOURCE, encoding="utf-8")
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder / "code")}
    command = [sys.executable, str(path), *numbers]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_two_processes_compile_one_kernel_one_after_the_other(tmp_path: Path) -> None:
    """Numba would give their files one name, and then one runs what is meant for the other."""
    moments = []
    for process, numbers in [(start(tmp_path, n), n) for n in ("3", "2.5")]:
        when, results = ast.literal_eval(process.communicate()[0])
        number = ast.literal_eval(numbers)
        assert results == [4 * number, 2 * number]
        assert type(results[0]) is type(number)
        moments.append(when)
    (_, first, *_, first_end), (told, second, *_) = sorted(moments, key=lambda when: when[1])
    assert first < first_end < second
    assert told < second - 0.1  # who waits for another says so
    out, _ = start(tmp_path, "3", "2.5").communicate()
    assert out.strip() == "[[], [12, 10.0, 6, 5.0]]"  # nothing was compiled


@pytest.mark.slow
def test_subkernels_are_called_by_kernels_only() -> None:
    """A call from Python would crash."""
    kernels, subkernels = Path(jit.__file__).parent, set()
    for path in kernels.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef):
                marks = {mark.id for mark in node.decorator_list if isinstance(mark, ast.Name)}
                if marks & {"subkernel", "array_subkernel", "inlined"}:
                    subkernels.add(node.name)
    assert len(subkernels) > 20
    root = kernels.parents[2]
    for path in [path for folder in ("src", "tests") for path in (root / folder).rglob("*.py")]:
        text = path.read_text(encoding="utf-8")
        if "pegwise.kernels" in text and not path.is_relative_to(kernels):
            imported = {
                name.name
                for node in ast.walk(ast.parse(text))
                if isinstance(node, ast.ImportFrom)
                and str(node.module).startswith("pegwise.kernels")
                for name in node.names
            }
            assert not imported & subkernels, path
