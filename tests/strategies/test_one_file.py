"""A built-in strategy is one new file: everything else picks it up, or says what is missing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pegwise

ROOT = Path(__file__).parents[2]
EXAMPLE = Path(__file__).parent / "example" / "middle.py"


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a copy of the package, with the example among its strategies."""
    folder = tmp_path_factory.mktemp("copy")
    package = folder / "pegwise"
    shutil.copytree(
        Path(pegwise.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(EXAMPLE, package / "strategies")
    return folder


def run(copy: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python where the copy is found first."""
    return subprocess.run(
        [sys.executable, "-m", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(copy)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_the_program_knows_it(copy: Path) -> None:
    """Names, options, races and the words of `why`: no other file names the strategy."""
    told = run(copy, "pegwise", "strategies", "middle").stdout
    assert "Middle candidate" in told
    assert "how many places after the middle" in told
    solved = run(copy, "pegwise", "solve", "3x4", "-s", "middle:after=1", "--secret", "ABC")
    assert "It is in the middle of the 64 codes" in solved.stdout, solved.stderr
    raced = run(copy, "pegwise", "race", "2x3", "--json").stdout
    assert '"strategy": "middle"' in raced


@pytest.mark.slow
def test_it_passes_the_contract_and_what_is_missing_is_told(copy: Path) -> None:
    """One process for both, for it takes a second to start; docs/race.md has rows of ours."""
    contract = ("tests/strategies/test_contract.py", "-q", "-p", "no:xdist", "-k", "middle")
    ended = run(copy, "pytest", *contract)
    failed = [line for line in ended.stdout.splitlines() if line.startswith("FAILED")]
    assert failed, ended.stdout + ended.stderr
    assert all("test_documents_have_it" in line for line in failed)
    assert "docs/race.md has no row for 'middle': python -m benchmarks.strategies" in ended.stdout
    assert "translate what the card of 'middle' says" in ended.stdout
