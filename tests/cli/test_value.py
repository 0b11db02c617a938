"""`pegwise value`, as typed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from pathlib import Path

import pytest

from pegwise.game import mastermind
from pegwise.search.archive import unpack
from pegwise.search.checkpoint import ValueCheckpoint
from pegwise.search.value import ValueSearch
from pegwise.trees.store import from_bytes
from pegwise.trees.verify import verify
from tests.cli.running import Run, refused

pytestmark = pytest.mark.usefixtures("home")


def test_classic_as_json(run: Run) -> None:
    status, out, _ = run("value", "4x6", "--json", "-o", "classic.value")
    assert status == 0
    answer = json.loads(out)
    assert answer["rules"] == "4x6"
    assert answer["value"] == answer["lower"] == answer["upper"] == "5600/1290"
    assert [c["weight"] for c in answer["codemaker"]] == [0, 1, 1, 1, 1]
    assert sum(Fraction(c["probability"]) for c in answer["codemaker"]) == 1
    assert sum(Fraction(t["probability"]) for t in answer["codebreaker"]) == 1
    for name in ("AAAA", "AAAB", "ABCD"):
        mean = sum(
            Fraction(t["probability"]) * Fraction(t["means"][name]) for t in answer["codebreaker"]
        )
        assert mean <= Fraction(5600, 1290)
    parts = unpack(Path("classic.value").read_bytes(), "classic.value")
    assert all(verify(from_bytes(parts[name])).valid for name in parts if name.endswith(".tree"))
    status, out, _ = run("value", "--check", "classic.value")
    assert status == 0
    assert "4x6: the value is 5600/1290, proven" in out


def test_says_so_in_prose(run: Run) -> None:
    status, out, _ = run("value", "3x4")
    assert status == 0
    assert "3x4: the value of the game is 219/68 = 3.220588 guesses (proven, verified)" in out
    assert "AAA  weight 2  (4 such codes, in all 11.76%)" in out
    assert "renames colors at random, then plays one of these trees:" in out
    status, out, _ = run("value", "2x3,black")
    assert status == 0
    assert "renames colors at random on each peg, then plays this tree:" in out


def test_stored_values_are_shown(run: Run) -> None:
    status, out, _ = run("value", "4x7", "--stored")
    assert status == 0
    assert "4x7: the value of the game is 11196/2394" in out
    said = refused(run("value", "5x8", "--stored"))
    assert "no value of 5x8 is stored; 'pegwise value 5x8' finds it" in said


def test_bad_input_is_refused(run: Run) -> None:
    assert "5x8 has 32,768 secrets" in refused(run("value", "5x8"))
    assert "cannot read rules" in refused(run("value", "5by8"))
    assert "cannot read 'none.value'" in refused(run("value", "--check", "none.value"))
    assert "--check reads" in refused(run("value", "--check", "a", "--stored"))
    assert "no folder" in refused(run("value", "3x3", "-o", "nowhere/a.value"))
    Path("a.value").write_text("nonsense")
    assert "'a.value' is damaged or foreign" in refused(run("value", "--check", "a.value"))


def test_a_wrong_certificate_is_an_answer(run: Run) -> None:
    from dataclasses import replace

    from pegwise.search.certificates import save
    from pegwise.search.certificates.claims import Certificate
    from pegwise.search.value import find_value

    right = find_value(mastermind("2x3"))
    save(Certificate(replace(right, cost=right.cost - 1)), Path("a.value"))
    status, out, _ = run("value", "--check", "a.value", "--json")
    assert status == 1
    answer = json.loads(out)
    assert answer["valid"] is False
    assert "costs 29, not 28" in " ".join(answer["problems"])


def test_checkpoints_are_gone_on_with(run: Run) -> None:
    search = ValueSearch(mastermind("3x5"))
    for step in search:
        if step.done >= 5:
            break
    checkpoint = ValueCheckpoint(Path("c.search"))
    checkpoint.save(search)
    assert "3x5' instead of" in refused(run("value", "3x4", "--checkpoint", "c.search"))
    status, out, err = run("value", "3x5", "--checkpoint", "c.search", "--json")
    assert status == 0
    assert "Going on from the checkpoint" in err
    assert json.loads(out)["value"] == "1591/440"
    assert not Path("c.search").exists()


def test_memory_is_kept_to_or_refused(run: Run) -> None:
    sentence = refused(run("value", "3x4", "--memory", "190MiB"))
    assert "3x4 takes some 196 MiB of memory, and --memory allows 190 MiB" in sentence
    status, out, err = run("value", "3x4", "--json", "--memory", "4GiB", "-o", "a.value")
    assert (status, err) == (0, "")
    assert json.loads(out)["value"] == "219/68"
    assert "3x4 takes" in refused(run("value", "--check", "a.value", "--memory", "190MiB"))
    assert run("value", "--check", "a.value", "--memory", "4GiB").status == 0
    assert "too many" in refused(run("value", "5x8", "--memory", "190MiB"))


def test_a_damaged_checkpoint_is_kept_aside(run: Run) -> None:
    Path("c.search").write_text("nonsense")
    status, out, err = run("value", "2x3", "--checkpoint", "c.search")
    assert status == 0
    assert "29/12" in out
    assert "the search begins anew" in err
    assert Path("c.search.damaged").read_text() == "nonsense"


@pytest.mark.slow
def test_interrupted_keeps_its_bounds_and_goes_on(tmp_path: Path) -> None:
    """Ctrl-C: status 130 and two bounds; then the same command ends."""
    environment = {**os.environ, "PEGWISE_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "pegwise", "value", "4x7", "--json"]
    first = subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    checkpoint = tmp_path / "checkpoints"
    time.sleep(8)
    first.send_signal(signal.SIGINT)
    out, err = first.communicate()
    assert first.returncode == 130, err
    answer = json.loads(out)
    assert answer["value"] is None
    assert Fraction(answer["lower"]) <= Fraction(11196, 2394)
    assert answer["upper"] is None or Fraction(answer["upper"]) >= Fraction(11196, 2394)
    assert len(list(checkpoint.iterdir())) == 1
    second = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert "Going on from the checkpoint" in second.stderr
    assert json.loads(second.stdout)["value"] == "11196/2394"
