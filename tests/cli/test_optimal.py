"""`pegwise optimal`, as typed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pegwise.trees import load
from pegwise.trees.verify import verify
from tests.cli.running import Run

pytestmark = pytest.mark.usefixtures("home")


def test_proves_the_smallest_total(run: Run) -> None:
    status, out, _ = run("optimal", "4x6", "--json", "-o", "best.tree")
    assert status == 0
    answer = json.loads(out)
    assert answer["total"] == answer["lower_bound"] == 5625
    assert answer["proven"] is True
    assert answer["worst"] == 6
    assert sum(answer["histogram"].values()) == 1296
    tree = load(Path("best.tree"))
    assert verify(tree).total == 5625


def test_says_so_in_prose(run: Run) -> None:
    status, out, _ = run("optimal", "3x4")
    assert status == 0
    assert "3x4: smallest total (proven, verified)" in out
    assert "total 206, mean 3.2188, worst 4" in out


def test_impossible_limit_is_an_answer(run: Run) -> None:
    status, out, _ = run("optimal", "4x6", "--max-guesses", "4")
    assert status == 1
    assert out.startswith(
        "Impossible, proven: no strategy finds every secret of 4x6 with at most 4"
    )


def test_first_guess_is_played(run: Run) -> None:
    status, out, _ = run("optimal", "3x5", "--guesses", "candidates", "--first", "122", "--json")
    assert status == 0
    answer = json.loads(out)
    assert answer["total"] == 456
    assert answer["first"] == "ABB"


def test_weights_count(run: Run) -> None:
    Path("w.txt").write_text("AAA 0  # never\nBBB,0\n* 2\n")
    status, out, _ = run("optimal", "3x3", "--weights", "w.txt", "--json")
    assert status == 0
    assert json.loads(out)["total"] < 2 * 73


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("AAA -1\n* 1", "w.txt, line 1: the weight '-1' is not a whole number from 0 to"),
        ("AAA 1", "no weight for AAB and 25 more codes of 3x3"),
        ("AAZ 1\n* 1", "'Z' at position 3"),
        ("AAA 1\nAAA 1\n* 1", "the code 'AAA' comes a second time"),
        ("AAA 1.5\n* 1", "'1.5' is not a whole number"),
        ("AAA\n* 1", "write a code and its weight"),
        ("* 0", "all weights are 0"),
    ],
)
def test_bad_weights_are_refused(run: Run, text: str, says: str) -> None:
    Path("w.txt").write_text(text)
    status, out, err = run("optimal", "3x3", "--weights", "w.txt")
    assert (status, out) == (2, "")
    assert says in err


def test_refuses_what_is_too_large_or_foreign(run: Run) -> None:
    status, _, err = run("optimal", "5x8")
    assert status == 2
    assert "5x8 has 32,768 secrets" in err
    assert "--effort" in err
    status, _, err = run("optimal", "3x4", "--first", "AAE")
    assert status == 2
    assert "'E' at position 3" in err


def test_damaged_checkpoint_is_reported(run: Run) -> None:
    Path("c.search").write_text("nonsense")
    status, out, err = run("optimal", "3x3", "--checkpoint", "c.search")
    assert status == 0
    assert "total 73" in out
    assert "damaged" in err
    assert Path("c.search.damaged").read_text() == "nonsense"


def test_checkpoint_of_other_rules_is_refused(run: Run) -> None:
    from pegwise.game import mastermind
    from pegwise.search.checkpoint import ExactCheckpoint
    from pegwise.search.exact.optimal import OptimalSearch

    ExactCheckpoint(Path("c.search")).save(OptimalSearch(mastermind("3x4")))
    before = Path("c.search").read_bytes()
    status, _, err = run("optimal", "3x3", "--checkpoint", "c.search")
    assert status == 2
    assert "belongs to another search" in err
    assert Path("c.search").read_bytes() == before


@pytest.mark.slow
def test_interrupted_keeps_what_it_has_and_goes_on(tmp_path: Path) -> None:
    """Ctrl-C: status 130, a verified tree, a lower bound; then the same command ends."""
    environment = {**os.environ, "PEGWISE_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "pegwise", "optimal", "4x8", "--json", "--threads", "2"]
    command += ["--checkpoint", str(tmp_path / "c.search")]
    first = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    time.sleep(3)
    first.send_signal(signal.SIGINT)
    out, err = first.communicate()
    assert first.returncode == 130, err
    answer = json.loads(out)
    assert answer["proven"] is False
    assert answer["lower_bound"] <= 20471 <= answer["total"]
    second = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "Going on from the checkpoint" in second.stderr
    answer = json.loads(second.stdout)
    assert (answer["total"], answer["proven"]) == (20471, True)
