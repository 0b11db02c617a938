"""The adapters for TextArena and for tools, in an environment that has the packages."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.programs import PATIENCE

pytestmark = pytest.mark.slow  # packages are installed

ROOT = Path(__file__).parents[2]


def test_adapters_beside_the_packages(tmp_path: Path) -> None:
    """The packages are none of the libraries that pegwise is developed with."""
    python = tmp_path / "venv" / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    packages = tmp_path / "venv" / "lib" / version / "site-packages"
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib") + "\n")
    install: list[str | Path] = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        python,
        "install",
        "--quiet",
    ]
    subprocess.run([*install, f"{ROOT}[agents]"], check=True, timeout=PATIENCE)
    done = subprocess.run(
        [python, Path(__file__).with_name("adapters.py")],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.stdout.strip() == "done", done.stderr[-3000:]


def test_tasks_of_verifiers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the package is installed, which is large: each task begins the game of its seed."""
    pytest.importorskip("verifiers.v1")
    monkeypatch.syspath_prepend(str(ROOT / "examples" / "agents"))
    adapter = __import__("pegwise_verifiers")
    config = adapter.CodebreakerConfig(id="pegwise_verifiers", game="3x3", games=3, first_seed=5)
    tasks = list(adapter.CodebreakerTaskset(config))
    assert [task.data.name for task in tasks] == ["3x3#5", "3x3#6", "3x3#7"]
    begun = [task.begin() for task in tasks]
    assert [game.task for game in begun] == [task.data.prompt for task in tasks]
    assert [game.seed for game in begun] == [5, 6, 7]


def test_without_the_packages_one_sentence_says_what_to_install() -> None:
    """Where they are missing, as in the environment of these tests."""
    done = subprocess.run(
        [sys.executable, "-m", "pegwise.agents.mcp"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    if done.returncode:
        (line,) = done.stderr.splitlines()
        assert "pegwise[agents]" in line
