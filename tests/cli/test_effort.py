"""`pegwise optimal --effort`, as typed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pegwise.cli.optimal import Budget, parse_effort
from pegwise.errors import InputError
from pegwise.trees import load
from pegwise.trees.verify import verify
from tests.cli.running import Run, refused

pytestmark = pytest.mark.usefixtures("home")


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("1", Budget(stages=1)),
        ("12", Budget(stages=12)),
        ("90s", Budget(seconds=90)),
        ("1.5m", Budget(seconds=90)),
        ("2h", Budget(seconds=7200)),
        ("1d", Budget(seconds=86400)),
        ("forever", Budget()),
    ],
)
def test_efforts(text: str, budget: Budget) -> None:
    assert parse_effort(text) == budget


@pytest.mark.parametrize("text", ["0", "-1", "100", "0s", "10 m", "m", "1w", "", "٣", "ever"])
def test_other_efforts_are_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"effort.*forever"):
        parse_effort(text)


def test_stores_a_good_tree(run: Run) -> None:
    status, out, err = run("optimal", "4x6", "--effort", "1", "-o", "good.tree", "--json")
    assert status == 0
    answer = json.loads(out)
    assert 5625 <= answer["total"] < 5700
    assert answer["proven"] is False
    assert answer["lower_bound"] < 5625
    assert "stage 1: best" in err
    assert verify(load(Path("good.tree"))).total == answer["total"]


def test_goes_on_from_its_checkpoint(run: Run) -> None:
    run("optimal", "3x10", "--effort", "1")
    status, out, err = run("optimal", "3x10", "--effort", "2")
    assert status == 0
    assert "oing on from the checkpoint" in err
    assert "stage 1:" not in err
    assert "stage 2: best 5242" in err
    assert "best found, verified" in out
    assert "not proven to be best; no tree is below" in out


def test_ends_when_its_time_is_over(run: Run) -> None:
    status, out, _ = run("optimal", "4x7", "--effort", "0.01s", "--json")
    assert status == 0
    assert json.loads(out)["total"] >= 11228


def test_refuses_what_it_cannot_do(run: Run) -> None:
    said = refused(run("optimal", "4x6", "--effort", "1", "--objective", "worst"))
    assert "--max-guesses" in said
    assert "forever" in refused(run("optimal", "4x6", "--effort", "often"))
    assert "9x9" in refused(run("optimal", "9x9", "--effort", "1"))
    # what is wrong here is told before anybody is looked for
    nobody = ("--cluster", "tcp://127.0.0.1:9")
    assert "forever" in refused(run("optimal", "4x6", "--effort", "often", *nobody))


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_it_reports_its_best_tree(number: int, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pegwise", "optimal", "4x9", "--effort", "forever", "--json"]
    environment = {**os.environ, "PEGWISE_HOME": str(tmp_path / "home")}
    running = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    kept = tmp_path / "home" / "checkpoints"
    assert running.stderr is not None
    for line in running.stderr:
        # a stage has ended, so that a tree is there
        if line.startswith("stage 1"):
            break
    time.sleep(0.3)
    running.send_signal(number)
    out, said = running.communicate(timeout=120)
    assert running.returncode == 130, said
    answer = json.loads(out)
    assert answer["proven"] is False
    assert 34666 <= answer["total"] < 35000
    assert list(kept.glob("*.effort"))
