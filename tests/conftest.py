"""How hypothesis draws; which signals, language and home programs under test have.

The same cases every time, and no clock; `HYPOTHESIS_PROFILE=explore make test` looks for new ones.
"""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from pegwise.game import words
from pegwise.i18n import write_signs
from pegwise.kernels import cache
from pegwise.knowledge import limit_states
from pegwise.knowledge.candidates import MAX_STATES
from tests.programs import Start, programs

SLOW_MACHINE = [HealthCheck.too_slow]
settings.register_profile(
    "repeatable",
    deadline=None,
    derandomize=True,
    max_examples=25,
    suppress_health_check=SLOW_MACHINE,
)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

# whatever the language of the system is, and the width of the terminal
for name in ("PEGWISE_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "COLUMNS", "LINES"):
    os.environ.pop(name, None)
os.environ["LANG"] = "C.UTF-8"

# in the background a shell lets its programs ignore these signals, and theirs do likewise; what is
# started here must be stopped by them as at a terminal
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


gc.disable()  # what is imported stays; looking through it again and again takes a tenth of the time


def pytest_collection_finish() -> None:
    """Collect garbage from now on, but not among what was imported."""
    gc.freeze()
    gc.enable()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, exitstatus: int) -> None:
    """Say why nothing ran, where all tests that were asked for are slow."""
    slow = len(terminalreporter.stats.get("deselected", ()))
    if exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and slow:
        terminalreporter.write_line(f"{slow} tests were not run: they are slow; add -m ''")


@pytest.fixture(autouse=True)
def _as_at_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test plays small games in NumPy, whatever ran before it: nothing has to be compiled.

    Nor does it know the lists of words of another, or its notation.
    """
    write_signs(str)
    monkeypatch.setattr(words, "in_use", {})
    monkeypatch.setattr(cache.spent, "counted", 0)


@pytest.fixture
def few_states() -> Iterator[None]:
    """Let boards be too large to count."""
    limit_states(5)
    yield
    limit_states(MAX_STATES)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Have the user's data in an empty folder, which is made once something is kept."""
    folder = tmp_path / "home"
    monkeypatch.setenv("PEGWISE_HOME", str(folder))
    return folder


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Start the program, its data in a folder `home`."""
    with programs(tmp_path / "home") as start:
        yield start
