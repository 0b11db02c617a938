"""Times that commands tell, without compiling, and an estimate of what long work still takes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from numba.core import event

from pegwise.cli import terminal as progress
from pegwise.cli.forecast import _time
from pegwise.cli.terminal import Timing, timing
from pegwise.i18n import speaking
from tests.cli.terminal import terminal


def test_compiling_is_told_apart() -> None:
    with timing() as taken:
        with event.trigger_event("numba:compile"), event.trigger_event("numba:compile"):
            time.sleep(0.2)
        time.sleep(0.05)
    assert taken.compiling >= 0.2
    assert taken.seconds >= 0.05
    with timing() as later:
        pass
    assert later.compiling == 0


def test_time_is_known_of_what_fails() -> None:
    with pytest.raises(ZeroDivisionError), timing() as taken:
        time.sleep(0.01)
        raise ZeroDivisionError
    assert taken.seconds >= 0.01


def test_times_in_words() -> None:
    assert str(Timing(0.284, 0.4)) == "0.28 s"
    assert str(Timing(0.284, 38.6)) == "0.28 s, and 39 s to compile"
    with speaking("fr"):
        assert str(Timing(1234.5, 38.6)) == "1234,50 s, et 39 s de compilation"


@pytest.mark.parametrize(
    ("seconds", "english", "french"),
    [
        (5.4e-05, "under 1 ms", "moins de 1 ms"),
        (0.0139, "14 ms", "14 ms"),
        (1.44, "1.4 s", "1,4 s"),
        (99.6, "100 s", "100 s"),
        (9000.0, "2.5 h", "2,5 h"),
        (2e5, "2.3 d", "2,3 j"),
        (1e9, "11,574 d", "11\u202f574 j"),
    ],
)
def test_foretold_times(seconds: float, english: str, french: str) -> None:
    assert _time(seconds) == english
    with speaking("fr"):
        assert _time(seconds) == french


def test_pace_begins_again_with_every_search(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("pegwise.cli.terminal.time.monotonic", lambda: now[0])
    pace = progress._Pace()
    assert pace.left(0.0) is None
    now[0] = 110.0
    assert pace.left(0.25) == pytest.approx(30)
    now[0] = 130.0
    assert pace.left(0.1) == pytest.approx(0)  # another search, which has just begun
    now[0] = 140.0
    assert pace.left(0.5) == pytest.approx(10)


def test_a_proof_tells_what_is_left_and_goes_on_after_ctrl_c(tmp_path: Path) -> None:
    command = ("records", "--prove", "4x9", "--jobs", "1")
    with terminal(tmp_path, *command) as screen:
        screen.sees("first guesses", " to go")
        screen.child.sendintr()
        screen.sees("Interrupted; the same command goes on with 4x9.")
        assert screen.leaves() == 130
    assert list((tmp_path / "home").rglob("*4x9*"))
