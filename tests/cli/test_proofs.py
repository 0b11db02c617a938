"""`pegwise static` and `pegwise value`, as typed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

import pytest

from pegwise.cli import proofs
from pegwise.game import Rules, board_game, game_of
from pegwise.i18n import speaking
from pegwise.search.certificates.claims import Certificate
from pegwise.search.certificates.files import content, save_certificate, shipped
from pegwise.search.certificates.sets import FixedSet
from pegwise.search.storage import pack, unpack
from pegwise.search.value import ValueProgress, find_value
from pegwise.telling.blocks import Sentence
from pegwise.telling.proofs import set_report
from tests.cli.running import Run, refused


def test_finds_a_smallest_set_with_proof(run: Run) -> None:
    answer = json.loads(run("static", "3x5", "--search", "--json").text())
    assert list(answer) == ["rules", "size", "guesses", "proven", "lower_bound", "looked_up"]
    assert answer["rules"] == "3x5"
    assert answer["size"] == len(answer["guesses"]) == answer["lower_bound"] == 4
    assert (answer["proven"], answer["looked_up"]) == (True, False)
    stored = run("static", "3x5", "--json").document()
    assert (stored["size"], stored["proven"], stored["looked_up"]) == (4, True, True)


def test_a_set_in_prose(run: Run) -> None:
    lines = run("static", "1x1").out.splitlines()
    assert lines[0] == "1x1: 0 fixed guesses (proven smallest)"
    assert "sets tried" in lines[1]


def test_asks_whether_so_many_are_enough(run: Run) -> None:
    out = run("static", "2x6", "--size", "3").text(1)
    assert out.startswith("Impossible, proven: 3 fixed guesses are too few for ")
    assert run("static", "2x6", "--size", "4", "--json").document()["size"] <= 4


@pytest.mark.parametrize(("rules", "size"), [("4x4", 4), ("2x4,placed", 2)])
def test_a_smallest_set_has_a_proof(run: Run, rules: str, size: int) -> None:
    command = ("static", rules, "--certificate", "a.proof")
    document = run(*command, "--json").document()
    assert (document["branchings"], document["certificate"]) == (1, "a.proof")
    assert "certificate a.proof: 1 branching" in run(*command, "--force").text()
    answer = run("verify", "a.proof", "--json").document()
    assert (answer["valid"], answer["size"], len(answer["guesses"])) == (True, size, size)
    assert f"Verified: {size} fixed guesses tell all codes apart." in run("verify", "a.proof").out
    assert "is a certificate for" in refused(run("verify", "a.proof", "--rules", "3x4"))
    parts = unpack(Path("a.proof").read_bytes(), "a.proof")
    document = json.loads(parts["set.json"])
    document |= {"guesses": document["guesses"][1:], "size": size - 1, "lower_bound": size - 1}
    Path("a.proof").write_bytes(pack(parts | {"set.json": json.dumps(document).encode()}))
    assert "Does not tell " in run("verify", "a.proof").text(1)


@pytest.mark.parametrize("command", ["records --prove 3x3", "value 3x3", "static 3x3"])
def test_a_certificate_that_rests_on_a_search_is_played(run: Run, command: str) -> None:
    assert run(*command.split(), "-o", "a.file").status == 0
    assert "That nothing is better rests on a search" in run("verify", "a.file").text()
    answer = run("verify", "a.file", "--json").document()
    assert answer["valid"] and "lower_bound" in answer["unchecked"]


def test_a_set_that_is_not_proven_smallest_has_none(run: Run) -> None:
    err = run("static", "4x8", "--certificate", "none.proof").err
    assert "No certificate is written yet: no set is proven smallest." in err
    assert not Path("none.proof").exists()


def test_a_stored_set_is_checked_again(run: Run) -> None:
    assert run("static", "3x4,distinct", "-o", "set.json").status == 0
    document = json.loads(Path("set.json").read_text())
    assert document["proven"] is True
    assert document["version"] and document["date"] and document["method"]
    assert document["positions"] >= 0
    assert run("static", "3x4,distinct", "--check", "set.json").text().splitlines() == [
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
    certificate = shipped(FixedSet, game_of(rules))
    assert certificate is not None
    Path("set.json").write_text(json.dumps({**certificate.claim.certified(certificate), **claims}))
    answer = run("static", rules, "--check", "set.json", "--json").document(int(bool(problem)))
    assert answer["valid"] == (not problem)
    assert problem in "".join(answer["problems"])
    assert answer["unchecked"] == ["method", "version", "date", "seconds", "memory", "positions"]
    assert problem.lower() in run("static", rules, "--check", "set.json").out.lower()


def test_greenwells_six_are_checked(run: Run) -> None:
    Path("six.txt").write_text("1221 2354\n3311\n4524 5656 6643\n")
    assert run("static", "--check", "six.txt").status == 0
    Path("five.txt").write_text("1221\n2354\n3311\n4524\n5656\n")
    out = run("static", "4x6", "--check", "five.txt").text(1)
    assert out.startswith("5 fixed guesses: not enough for 4x6. ")
    assert "1,222 of 1,296 answers differ" in out
    assert re.search(r" [1-6]{4} and [1-6]{4} get", out)  # as the guesses are written
    assert re.search("(🔴|🟢|🔵|🟡){4}", run("static", "4x4", "--notation", "discs").text())
    answer = run("static", "4x6", "--check", "five.txt", "--json").document(1)
    assert (answer["valid"], answer["answers"], len(answer["confused"])) == (False, 1222, 2)
    Path("one.txt").write_text("ABCDE")
    assert run("static", "5x8", "--check", "one.txt", "--json").document(1)["answers"] == 20


def test_the_set_is_played_afterwards(run: Run) -> None:
    assert run("static", "2x16", "--size", "11").status == 0
    turns = run("solve", "2x16", "-s", "static", "--secret", "AB", "--json").document()["turns"]
    assert turns[-1]["guess"] == "AB"
    assert len(turns) <= 12


def test_a_search_that_takes_more_than_estimated_is_stopped(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pegwise.search.static.search.static_memory", lambda _game: 1)
    ended = run("static", "3x10", "--memory", "1MiB", "--json")
    assert ended.err.startswith("stopped: ")
    assert ended.document(130)["proven"] is False


def test_the_value_of_the_classic_game(run: Run) -> None:
    answer = run("value", "4x6", "--json", "-o", "classic.value").document()
    assert answer["rules"] == "4x6"
    assert answer["value"] == answer["lower"] == answer["upper"] == "5600/1290"
    assert [c["weight"] for c in answer["codemaker"]] == [0, 1, 1, 1, 1]
    assert sum(Fraction(t["probability"]) for t in answer["codebreaker"]) == 1
    assert "4x6: the value is 5600/1290, proven" in run("value", "--check", "classic.value").text()
    said = refused(run("value", "3x3", "--check", "classic.value"))
    assert said == "pegwise: 'classic.value' holds the value of 4x6, not of 3x3"
    said = refused(run("value", "--check", "classic.value", "--memory", "190MiB"))
    assert "4x6 takes" in said


def test_the_lower_bound_of_a_value_has_a_proof(run: Run) -> None:
    assert "certificate a.proof: 14 sets" in run("value", "3x4", "--certificate", "a.proof").text()
    document = run("verify", "a.proof", "--json").document()
    assert (document["total"], document["sets"]) == (219, 14)


def test_a_value_in_prose(run: Run) -> None:
    out = run("value", "3x4").text()
    assert "3x4: the value of the game is 219/68 = 3.220588 guesses (proven, verified)" in out
    assert re.search(r"^AAA +4 +2 +11\.76% +3\.2206$", out, re.M)
    assert "renames colors at random, then plays one of these trees:" in " ".join(out.split())
    out = " ".join(run("value", "2x3,black").out.split())
    assert "renames colors at random on each peg, then plays this tree:" in out
    assert "4x7: the value of the game is 11196/2394" in run("value", "4x7", "--stored").text()


def test_a_wrong_certificate_is_an_answer(run: Run) -> None:
    right = find_value(board_game(Rules.parse("2x3")))
    save_certificate(Certificate(replace(right, cost=right.cost - 1)), Path("a.value"))
    answer = run("value", "--check", "a.value", "--json").document(1)
    assert answer["valid"] is False
    assert "costs 29, not 28" in " ".join(answer["problems"])
    parts = unpack(content(Certificate(right)), "a.value")
    parts["value.json"] = parts["value.json"].replace(b"29/12", b"50/27")
    Path("a.value").write_bytes(pack(parts))
    out = run("value", "2x3", "--check", "a.value").text(1)
    assert "It states the value 50/27, but its weights and cost give 29/12.\n" in out


def test_the_bar_of_a_value_and_a_set_not_found_yet_are_in_french(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(proofs, "progress_bar", lambda _title, shown: shown)
    step = ValueProgress(2, unit="trees", lower=Fraction(7, 2), upper=Fraction(15, 4), expected=9)
    shown = cast(Any, proofs._value_view(game_of("4x6")))
    with speaking("fr"):
        assert shown(step).best == "valeur de 3,500000 à 3,750000"
        assert shown(replace(step, upper=None)).best == ""
        (told,) = set_report(FixedSet(board_game(Rules.parse("5x6")), None, 0, 0)).blocks
    assert told == Sentence("Aucun ensemble de 5x6 trouvé encore.")
