"""`pegwise static` and `pegwise value`, as typed."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from pegwise.game import Rules, mastermind
from pegwise.search.certificates import content, save, set_document, shipped
from pegwise.search.certificates.claims import Certificate, FixedSet
from pegwise.search.storage import Checkpoint, pack, unpack
from pegwise.search.value import ValueSearch, find_value
from pegwise.trees.store import from_bytes
from pegwise.trees.verify import verify
from tests.cli.running import Run, refused


def test_finds_a_smallest_set_with_proof(run: Run) -> None:
    status, out, err = run("static", "3x5", "--search", "--json")
    assert (status, err) == (0, "")
    answer = json.loads(out)
    assert list(answer) == ["rules", "size", "guesses", "proven", "lower_bound", "looked_up"]
    assert answer["rules"] == "3x5"
    assert answer["size"] == len(answer["guesses"]) == answer["lower_bound"] == 4
    assert (answer["proven"], answer["looked_up"]) == (True, False)
    stored = json.loads(run("static", "3x5", "--json").out)
    assert (stored["size"], stored["proven"], stored["looked_up"]) == (4, True, True)


def test_a_set_in_prose(run: Run) -> None:
    assert run("static", "2x6").out.startswith("2x6: 4 fixed guesses (proven smallest)\n")
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


@pytest.mark.parametrize(("rules", "size"), [("4x4", 4), ("2x4,placed", 2)])
def test_a_smallest_set_has_a_proof(run: Run, rules: str, size: int) -> None:
    status, out, _ = run("static", rules, "--certificate", "a.proof", "--json")
    assert status == 0
    assert (json.loads(out)["branchings"], json.loads(out)["certificate"]) == (1, "a.proof")
    assert (
        "certificate a.proof: 1 branching" in run("static", rules, "--certificate", "a.proof").out
    )
    status, out, _ = run("verify", "a.proof", "--json")
    assert status == 0
    answer = json.loads(out)
    assert (answer["valid"], answer["size"], len(answer["guesses"])) == (True, size, size)
    assert f"Verified: {size} fixed guesses tell all codes apart." in run("verify", "a.proof").out
    assert "is a proof for" in refused(run("verify", "a.proof", "--rules", "3x4"))
    parts = unpack(Path("a.proof").read_bytes(), "a.proof")
    document = json.loads(parts["set.json"])
    document |= {"guesses": document["guesses"][1:], "size": size - 1, "lower_bound": size - 1}
    Path("a.proof").write_bytes(pack(parts | {"set.json": json.dumps(document).encode()}))
    status, out, _ = run("verify", "a.proof")
    assert status == 1
    assert "Does not tell " in out


def test_a_set_that_is_not_proven_smallest_has_none(run: Run) -> None:
    err = run("static", "4x7", "--certificate", "none.proof").err
    assert "No certificate is written: no set is proven smallest." in err
    assert not Path("none.proof").exists()


def test_a_stored_set_is_checked_again(run: Run) -> None:
    assert run("static", "3x4,distinct", "-o", "set.json").status == 0
    document = json.loads(Path("set.json").read_text())
    assert document["proven"] is True
    assert document["version"] and document["date"] and document["method"]
    assert document["positions"] >= 0
    status, out, _ = run("static", "3x4,distinct", "--check", "set.json")
    assert status == 0
    assert out.splitlines() == [
        "These 4 guesses tell all 24 codes of 3x4,distinct apart.",
        "Not checked: how it was found.",
    ]
    said = refused(run("static", "3x4", "--check", "set.json"))
    assert "holds a set for 3x4,distinct, not for 3x4" in said


@pytest.mark.parametrize(
    ("rules", "claims", "problem"),
    [
        ("3x3", {"lower_bound": 2}, "it states proven True, but False is right"),
        ("3x3", {"lower_bound": 4, "proven": False}, "lower_bound 4, but 3 guesses are enough: "),
        ("3x3", {"size": 4}, "it states size 4, but 3 is right"),
        ("2x5", {"lower_bound": 4}, ""),
    ],
)
def test_false_claims_of_a_set_are_named(
    run: Run, rules: str, claims: dict[str, object], problem: str
) -> None:
    certificate = shipped(FixedSet, Rules.parse(rules))
    assert certificate is not None
    Path("set.json").write_text(json.dumps({**set_document(certificate), **claims}))
    status, out, _ = run("static", rules, "--check", "set.json", "--json")
    answer = json.loads(out)
    assert (status, answer["valid"]) == (int(bool(problem)), not problem)
    assert problem in "".join(answer["problems"])
    assert answer["unchecked"] == ["method", "version", "date", "seconds", "memory", "positions"]
    assert problem.lower() in run("static", rules, "--check", "set.json").out.lower()


def test_greenwells_six_are_checked(run: Run) -> None:
    Path("six.txt").write_text("1221 2354\n3311\n4524 5656 6643\n")
    assert run("static", "--check", "six.txt").status == 0
    Path("five.txt").write_text("1221\n2354\n3311\n4524\n5656\n")
    status, out, _ = run("static", "4x6", "--check", "five.txt")
    assert status == 1
    assert out.startswith("5 fixed guesses: not enough for 4x6. ")
    assert "1222 of 1296 answers differ" in out
    status, out, _ = run("static", "4x6", "--check", "five.txt", "--json")
    answer = json.loads(out)
    assert (status, answer["valid"], answer["answers"]) == (1, False, 1222)
    assert len(answer["confused"]) == 2
    Path("one.txt").write_text("ABCDE")
    status, out, _ = run("static", "5x8", "--check", "one.txt", "--json")
    assert (status, json.loads(out)["answers"]) == (1, 20)


def test_the_set_is_played_afterwards(run: Run) -> None:
    assert run("static", "2x16", "--guesses", "11").status == 0
    status, out, _ = run("solve", "2x16", "-s", "static", "--secret", "AB", "--json")
    assert status == 0
    turns = json.loads(out)["turns"]
    assert turns[-1]["guess"] == "AB"
    assert len(turns) <= 12


@pytest.mark.parametrize(
    ("command", "key", "answer"),
    [("static 2x6", "size", 4), ("value 3x4", "value", "219/68")],
)
def test_enough_memory_changes_nothing(run: Run, command: str, key: str, answer: object) -> None:
    status, out, err = run(*command.split(), "--json", "--memory", "4GiB")
    assert (status, err, json.loads(out)[key]) == (0, "", answer)


def test_a_search_that_takes_more_than_estimated_is_stopped(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pegwise.search.static.static_memory", lambda _game: 1)
    status, out, err = run("static", "3x10", "--memory", "1MiB", "--json")
    assert status == 130
    assert err.startswith("stopped: ")
    assert json.loads(out)["proven"] is False


@pytest.mark.parametrize(
    ("command", "board", "answer"),
    [("static", "2x5", "4 fixed guesses"), ("value", "2x3", "29/12")],
)
def test_a_damaged_checkpoint_is_kept_aside(
    run: Run, command: str, board: str, answer: str
) -> None:
    text = f"pegwise {command} checkpoint 2\nnonsense"
    Path("c").write_text(text)
    status, out, err = run(command, board, "--checkpoint", "c")
    assert status == 0
    assert answer in out
    assert "the search begins anew" in err
    assert Path("c.damaged").read_text() == text
    assert not Path("c").exists()


def test_the_value_of_the_classic_game(run: Run) -> None:
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
    said = refused(run("value", "3x3", "--check", "classic.value"))
    assert said == "pegwise: 'classic.value' holds the value of 4x6, not of 3x3"
    said = refused(run("value", "--check", "classic.value", "--memory", "190MiB"))
    assert "4x6 takes" in said


def test_the_lower_bound_of_a_value_has_a_proof(run: Run) -> None:
    status, out, _ = run("value", "3x4", "--certificate", "a.proof")
    assert status == 0
    assert "certificate a.proof: 14 sets" in out
    status, out, _ = run("verify", "a.proof", "--json")
    assert status == 0
    assert (json.loads(out)["total"], json.loads(out)["sets"]) == (219, 14)


def test_a_value_in_prose(run: Run) -> None:
    status, out, _ = run("value", "3x4")
    assert status == 0
    assert "3x4: the value of the game is 219/68 = 3.220588 guesses (proven, verified)" in out
    assert "AAA  weight 2  (4 such codes, in all 11.76%)" in out
    assert "renames colors at random, then plays one of these trees:" in " ".join(out.split())
    out = " ".join(run("value", "2x3,black").out.split())
    assert "renames colors at random on each peg, then plays this tree:" in out
    status, out, _ = run("value", "4x7", "--stored")
    assert status == 0
    assert "4x7: the value of the game is 11196/2394" in out


def test_a_wrong_certificate_is_an_answer(run: Run) -> None:
    right = find_value(mastermind("2x3"))
    save(Certificate(replace(right, cost=right.cost - 1)), Path("a.value"))
    status, out, _ = run("value", "--check", "a.value", "--json")
    assert status == 1
    answer = json.loads(out)
    assert answer["valid"] is False
    assert "costs 29, not 28" in " ".join(answer["problems"])
    parts = unpack(content(Certificate(right)), "a.value")
    parts["value.json"] = parts["value.json"].replace(b"29/12", b"50/27")
    Path("a.value").write_bytes(pack(parts))
    status, out, _ = run("value", "2x3", "--check", "a.value")
    assert status == 1
    assert "It states the value 50/27, but its weights and cost give 29/12.\n" in out


def test_a_value_goes_on_from_its_checkpoint(run: Run) -> None:
    search = ValueSearch(mastermind("3x5"))
    for step in search:
        if step.done >= 5:
            break
    Checkpoint(Path("c.search")).save(search)
    assert "3x5' instead of" in refused(run("value", "3x4", "--checkpoint", "c.search"))
    status, out, err = run("value", "3x5", "--checkpoint", "c.search", "--json")
    assert status == 0
    assert "Resumed from the checkpoint" in err
    assert json.loads(out)["value"] == "1591/440"
    assert not Path("c.search").exists()
