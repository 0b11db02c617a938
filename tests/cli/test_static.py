"""`pegwise static`, as typed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.running import Run, refused

pytestmark = pytest.mark.usefixtures("home")


def test_finds_a_smallest_set_with_proof(run: Run) -> None:
    status, out, err = run("static", "3x5", "--json")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    assert list(answer) == ["rules", "size", "guesses", "proven", "lower_bound"]
    assert answer["rules"] == "3x5"
    assert answer["size"] == len(answer["guesses"]) == answer["lower_bound"] == 4
    assert answer["proven"] is True


def test_says_so_in_prose(run: Run) -> None:
    status, out, _ = run("static", "2x6")
    assert status == 0
    assert out.startswith("2x6: 4 fixed guesses (proven smallest)\n")
    assert run("static", "1x2,black").out.startswith("1x2,black: 1 fixed guess (proven smallest)")
    lines = run("static", "1x1").out.splitlines()
    assert lines[0] == "1x1: 0 fixed guesses (proven smallest)"
    assert "sets tried" in lines[1]


def test_asks_whether_so_many_are_enough(run: Run) -> None:
    status, out, _ = run("static", "2x6", "--guesses", "3")
    assert status == 1
    assert out.startswith("Impossible, proven: no 3 fixed guesses tell all 36 codes of 2x6 apart.")
    status, out, _ = run("static", "2x6", "--guesses", "4", "--json")
    assert status == 0
    assert json.loads(out)["size"] <= 4


def test_a_stored_set_is_checked_again(run: Run) -> None:
    assert run("static", "3x4,distinct", "-o", "set.json").status == 0
    document = json.loads(Path("set.json").read_text())
    assert document["proven"] is True
    assert document["version"] and document["date"] and document["method"]
    assert document["positions"] >= 0
    status, out, _ = run("static", "3x4,distinct", "--check", "set.json")
    assert status == 0
    assert out == "4 fixed guesses: all 24 codes of 3x4,distinct apart.\n"
    said = refused(run("static", "3x4", "--check", "set.json"))
    assert "holds a set for 3x4,distinct, not for 3x4" in said


def test_greenwells_six_are_checked(run: Run) -> None:
    Path("six.txt").write_text("1221 2354\n3311\n4524 5656 6643\n")
    assert run("static", "--check", "six.txt").status == 0
    Path("five.txt").write_text("1221\n2354\n3311\n4524\n5656\n")
    status, out, _ = run("static", "4x6", "--check", "five.txt")
    assert status == 1
    assert out.startswith("5 fixed guesses: not enough for 4x6. ")
    assert "1222 of 1296 answers differ" in out
    status, out, _ = run("static", "4x6", "--check", "five.txt", "--json")
    assert status == 1
    answer = json.loads(out)
    assert answer["valid"] is False
    assert len(answer["confused"]) == 2
    assert answer["answers"] == 1222


def test_a_large_board_can_be_checked(run: Run) -> None:
    Path("one.txt").write_text("ABCDE")
    status, out, _ = run("static", "5x8", "--check", "one.txt", "--json")
    assert status == 1
    assert json.loads(out)["answers"] == 20


def test_the_set_is_played_afterwards(run: Run) -> None:
    said = refused(run("solve", "2x16", "-s", "static", "--secret", "AB"))
    assert "static knows no fixed set of guesses for 2x16" in said
    assert run("static", "2x16", "--guesses", "11").status == 0
    status, out, _ = run("solve", "2x16", "-s", "static", "--secret", "AB", "--json")
    assert status == 0
    turns = json.loads(out)["turns"]
    assert turns[-1]["guess"] == "AB"
    assert len(turns) <= 12


def test_bad_input_is_refused(run: Run) -> None:
    assert "0xq" in refused(run("static", "0xq"))
    assert "5x8 has 32,768 secrets" in refused(run("static", "5x8"))
    assert "'none.txt'" in refused(run("static", "--check", "none.txt"))
    Path("set.txt").write_text("AABB\nAAZZ\n")
    assert "set.txt, line 2: 'AAZZ'" in refused(run("static", "--check", "set.txt"))
    assert "--check goes without" in refused(run("static", "--check", "set.txt", "--guesses", "3"))
    assert "--guesses" in refused(run("static", "--guesses", "-1"))
    assert "--threads" in refused(run("static", "--threads", "0"))
    assert "directory" in refused(run("static", "2x2", "-o", "."))


def test_memory_is_kept_to_or_refused(run: Run) -> None:
    sentence = refused(run("static", "2x6", "--memory", "190MiB"))
    assert "2x6 takes some 192 MiB of memory, and --memory allows 190 MiB" in sentence
    status, out, err = run("static", "2x6", "--json", "--memory", "4GiB")
    assert (status, err) == (0, "")
    assert json.loads(out)["size"] == 4
    assert "too many" in refused(run("static", "5x8", "--memory", "190MiB"))


def test_a_search_that_takes_more_than_estimated_is_stopped(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pegwise.search.static.search.static_memory", lambda _game: 1)
    status, out, err = run("static", "3x10", "--memory", "1MiB", "--json")
    assert status == 130
    assert err.startswith("stopped: ")
    assert json.loads(out)["proven"] is False


def test_damaged_checkpoint_is_reported(run: Run) -> None:
    Path("c.static").write_text("nonsense")
    status, out, err = run("static", "2x5", "--checkpoint", "c.static")
    assert status == 0
    assert "4 fixed guesses" in out
    assert "damaged" in err
    assert Path("c.static.damaged").read_text() == "nonsense"
    assert not Path("c.static").exists()


@pytest.mark.slow
def test_interrupted_keeps_what_it_has_and_goes_on(tmp_path: Path) -> None:
    """Ctrl-C: status 130, a set and a bound, and the same command goes on from there."""
    kept = tmp_path / "c.static"
    command = [sys.executable, "-m", "pegwise", "static", "3x10", "--json", "--threads", "2"]
    command += ["--checkpoint", str(kept)]
    tried = 0
    for again in (False, True):
        running = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ)
        )
        while not kept.exists() or json.loads(kept.read_text())["positions"] <= tried:
            time.sleep(0.2)
            assert running.poll() is None
        for _ in range(2 if again else 1):  # in haste
            running.send_signal(signal.SIGINT)
        out, err = running.communicate()
        assert running.returncode == 130, err
        assert ("Going on from the checkpoint" in err) == again
        answer = json.loads(out)
        assert answer["proven"] is False
        assert answer["lower_bound"] >= 7
        assert answer["size"] == 9
        now = json.loads(kept.read_text())["positions"]
        assert now > tried
        tried = now
