"""Certificates: those that come with the program, stored ones, damaged ones, and false ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.records import PAGE, page
from tools.sequences import sequences

import pegwise
from pegwise.errors import DataFileError, InputError
from pegwise.game import Rules, board_game, game_of
from pegwise.search.certificates import files
from pegwise.search.certificates.claims import Certificate
from pegwise.search.certificates.files import (
    content,
    keep,
    load,
    load_certificate,
    save_certificate,
    shipped,
    shipped_certificates,
    stored,
    user_file,
)
from pegwise.search.certificates.guess_lists import read_guesses
from pegwise.search.certificates.optima import BestTree, ProvenGoal, ProvenTrees
from pegwise.search.certificates.published import published
from pegwise.search.certificates.sets import FixedSet, confused
from pegwise.search.certificates.values import GameValue
from pegwise.search.exact.optimal import find_optimum
from pegwise.search.static.search import find_static
from pegwise.search.storage import pack, unpack
from pegwise.search.strategies.optimal import prove
from pegwise.search.value import check_value
from pegwise.trees import Tree
from tests import naive
from tests.boards import marking_of, secrets_of, small_rules

pytestmark = pytest.mark.usefixtures("home")

STORED: list[Any] = [ProvenTrees, GameValue, FixedSet]


def example(kind: Any, rules: str) -> Any:
    """A certificate that comes with the program."""
    certificate = shipped(kind, game_of(rules))
    assert certificate is not None
    return certificate


def spoiled(tree: Tree) -> Tree:
    """A tree whose last guess cannot win."""
    guess = tree.nodes.guess.copy()
    guess[-1] = guess[0]
    return Tree(tree.game, tree.nodes._replace(guess=guess), "optimal")


# those that come with the program


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "least", "boards"),
    [
        (ProvenTrees, 100, ["4x6", "4x8", "4x10,distinct", "5x2,black"]),
        (BestTree, 9, ["5x8", "5x9", "6x6", "7x5"]),
        (GameValue, 80, ["4x6", "4x7", "3x8,distinct-secrets", "4x5,blank"]),
        (FixedSet, 80, ["4x6", "2x15", "4x10,distinct", "9x2,black"]),
    ],
)
def test_certificates_come_with_the_program(kind: Any, least: int, boards: list[str]) -> None:
    rows = list(shipped_certificates(kind))
    names = {str(row.claim.game) for row in rows}
    assert len(names) == len(rows) >= least
    assert set(boards) <= names
    for row in rows:
        assert row.seconds >= 0
        assert row.date > "2026"
        if kind is BestTree or row.claim.game.n_secrets <= 300:
            assert row.claim.problems() == [], row.claim.game


def test_sets_hold_by_the_slow_twin_too() -> None:
    for row in shipped_certificates(FixedSet):
        rules = Rules.parse(row.claim.game.name)
        if rules.n_secrets <= 700:
            codes = [tuple(code) for code in row.claim.guesses]
            answers = naive.answers(codes, secrets_of(rules), marking_of(rules))
            assert len(answers) == rules.n_secrets, rules


@pytest.mark.slow
def test_quick_lower_bounds_of_values_are_found_again() -> None:
    quick = [row for row in shipped_certificates(GameValue) if row.seconds <= 0.2]
    assert len(quick) >= 10
    for row in quick[::3]:
        assert check_value(row.claim) == [], row.claim.game


@pytest.mark.parametrize("rules", ["4x6", "3x5,black", "3x10,distinct"])
def test_search_finds_shipped_optima_again(rules: str) -> None:
    claim, again = example(ProvenTrees, rules).claim, prove(game_of(rules)).claim
    assert claim.tree.total == again.tree.total
    assert (claim.limited.worst, claim.limited.total) == (again.limited.worst, again.limited.total)


@pytest.mark.slow
def test_other_goals_are_found_again() -> None:
    goals = list(shipped_certificates(ProvenGoal))
    assert {str(row.claim.game) for row in goals} == {"4x6", "4x7", "5x5", "4x10,distinct"}
    optima = {row.claim.game: example(ProvenTrees, str(row.claim.game)).claim for row in goals}
    for row in goals:
        claim, optimum = row.claim, optima[row.claim.game]
        assert claim.problems() == [], row.claim.game
        if claim.objective == "total-fewest":
            assert claim.tree.total == optimum.tree.total
            assert claim.histogram[::-1] <= tuple(optimum.tree.histogram[::-1])
        elif claim.objective == "fewest-at-worst":
            assert claim.tree.worst == optimum.limited.worst
            assert claim.histogram[-1] <= optimum.limited.histogram[-1]
        else:
            guesses = int(claim.objective.removeprefix("within:"))
            assert sum(claim.histogram[:guesses]) >= sum(optimum.tree.histogram[:guesses])
    first = goals[0].claim
    again = find_optimum("4x6", objective=first.objective)
    assert (first.tree.game.name, again.tree.histogram) == ("4x6", first.histogram)
    assert "other numbers of secrets" in replace(first, histogram=(1,)).problems()[0]
    assert replace(first, tree=spoiled(first.tree)).problems()


# what others have published


@pytest.mark.slow
def test_published_figures_are_confirmed() -> None:
    compared = 0
    for kind in STORED:
        for row in shipped_certificates(kind):
            if row.published is not None:
                figure, ours = row.published, row.claim.figure[1]
                assert figure.value == ours if figure.proven else figure.value >= ours, (
                    row.claim.game
                )
                compared += 1
    for optimum in shipped_certificates(ProvenTrees):
        for figure in published(optimum.claim.game):
            if figure.objective == "worst":
                assert figure.value == optimum.claim.limited.worst
                compared += 1
    assert compared >= 120


@pytest.mark.parametrize(
    ("kind", "rules", "standing"),
    [
        (ProvenTrees, "4x6", "confirms K. Koyama"),
        (ProvenTrees, "4x4", "reported W. Goddard, Mastermind Revisited"),
        (BestTree, "5x8", "improves 179274, github.com/supermastermind/playonline, opt"),
        (GameValue, "4x6", "confirms Wiener, sci.math"),
        (FixedSet, "2x5", "confirms W. Goddard"),
        (FixedSet, "4x6", "new"),
    ],
)
def test_standing_names_the_source(kind: Any, rules: str, standing: str) -> None:
    assert example(kind, rules).standing.startswith(standing)


def test_a_figure_that_is_not_the_published_one() -> None:
    row = example(ProvenTrees, "2x5")
    limited = example(ProvenTrees, "4x6").claim.limited
    wrong = replace(row, claim=ProvenTrees(limited, limited, 1))
    assert wrong.standing.startswith("corrects 5625, K. Koyama")
    problem = "smallest total: 5626, but 5625 is published (K. Koyama"
    assert problem in " ".join(wrong.claim.problems())


@pytest.mark.slow
def test_the_page_is_written_from_the_certificates() -> None:
    """If it fails: python -m tools.records."""
    assert PAGE.read_text("utf-8") == page()


# files


@pytest.mark.parametrize("kind", STORED)
@pytest.mark.parametrize("rules", ["3x4", "4x6"])
def test_stored_and_read_again(kind: Any, rules: str, tmp_path: Path) -> None:
    made = replace(example(kind, rules), seconds=1.25, megabytes=100, date="2026-11-21")
    save_certificate(made, tmp_path / "a")
    again = load(kind, tmp_path / "a")
    assert (again.seconds, again.megabytes, again.date) == (1.25, 100, "2026-11-21")
    assert (again.program, again.method) == (made.program, made.method)
    assert again.claim.figure == made.claim.figure
    assert again.claim.problems() == []
    assert content(again) == content(made) == (tmp_path / "a").read_bytes()


@pytest.mark.parametrize("kind", [ProvenGoal, BestTree])
def test_rows_of_tables_write_and_read_themselves(kind: Any, tmp_path: Path) -> None:
    for row in [*shipped_certificates(kind)][::5]:
        save_certificate(row, tmp_path / "a")
        again = load_certificate(tmp_path / "a")
        assert again.claim.to_parts(again) == row.claim.to_parts(row)
        assert type(again.claim) is kind


@pytest.mark.parametrize("kind", STORED)
def test_damaged_and_foreign_files_are_refused(kind: Any, tmp_path: Path) -> None:
    path = tmp_path / "a"
    data = content(example(kind, "3x4"))
    with pytest.raises(DataFileError):
        load(kind, path)
    for cut in range(0, len(data) - 2, len(data) // 20):
        path.write_bytes(data[:cut])
        with pytest.raises(DataFileError):
            load(kind, path)
    for foreign in (b"[]", b"{}", pack({"record.json": b"[]"}), pack({"value.json": b"7"})):
        path.write_bytes(foreign)
        with pytest.raises(DataFileError):
            load(kind, path)


LIES: list[tuple[Any, dict[str, Any], str]] = [
    (ProvenTrees, {"total": 205}, "other totals or worst cases"),
    (ProvenTrees, {"rules": "3x5"}, "a tree is of another game"),
    (ProvenTrees, {"positions": -1}, "not a whole number"),
    (ProvenTrees, {"format": 2}, "unknown format"),
    (GameValue, {"rules": "3x99"}, "3x99"),
    (GameValue, {"rules": "3x4,blank"}, "a tree is of another game"),
    (GameValue, {"codemaker": {"AAA": 1}}, "not a complete certificate of a value"),
    (GameValue, {"codemaker": {"AAA": 0, "AAB": 0, "ABC": 0}}, "weights do not fit"),
    (GameValue, {"codemaker": {"AAA": -1, "AAB": 1, "ABC": 1}}, "not a whole number"),
    (GameValue, {"codebreaker": []}, "no trees"),
    (GameValue, {"codebreaker": ["1/0", "1", "1"]}, "not a complete certificate"),
    (GameValue, {"cost": 1.5}, "not a whole number"),
    (GameValue, {"seconds": "soon"}, "could not convert"),
    (FixedSet, {"size": 5}, "do not agree"),
    (FixedSet, {"proven": False}, "do not agree"),
    (FixedSet, {"guesses": ["AAZ"]}, "'Z' at position 3"),
    (FixedSet, {"guesses": 7}, "not a complete certificate of a fixed set"),
]


def changed(kind: Any, change: dict[str, Any], without: str = "") -> bytes:
    """A file that says something else, or lacks something."""
    data = content(example(kind, "3x4"))
    parts = unpack(data, "a") if kind is not FixedSet else {"": data}
    name = next(name for name in parts if not name.endswith(".tree"))
    document = {**json.loads(parts[name]), **change}
    document.pop(without, None)
    parts[name] = json.dumps(document).encode()
    return pack(parts) if name else parts[name]


@pytest.mark.parametrize(("kind", "change", "says"), LIES)
def test_files_that_contradict_themselves_are_refused(
    kind: Any, change: dict[str, Any], says: str, tmp_path: Path
) -> None:
    (tmp_path / "a").write_bytes(changed(kind, change))
    with pytest.raises(DataFileError, match=says):
        load(kind, tmp_path / "a")


def test_files_that_lack_something_are_refused(tmp_path: Path) -> None:
    for kind, name in [(ProvenTrees, "record.json"), (GameValue, "value.json"), (FixedSet, "")]:
        data = content(example(kind, "3x4"))
        document = json.loads(unpack(data, "a")[name] if name else data)
        for key in document.keys() - {"value"}:  # for readers
            (tmp_path / "a").write_bytes(changed(kind, {}, without=key))
            with pytest.raises(DataFileError):
                load(kind, tmp_path / "a")


# false claims


def test_trees_that_play_badly_are_found() -> None:
    claim = example(ProvenTrees, "4x6").claim
    (problem,) = replace(claim, tree=spoiled(claim.tree)).problems()[:1]
    assert problem.startswith("tree of the smallest total: ")
    (problem,) = replace(claim, limited=spoiled(claim.limited)).problems()[:1]
    assert problem.startswith("tree of the smallest worst: ")
    small = example(ProvenTrees, "3x3").claim.tree
    assert BestTree(spoiled(small), 0).problems()
    assert BestTree(small, 0).problems() == []
    value = example(GameValue, "3x4").claim
    (first, tree), *others = value.mixture
    (problem,) = replace(value, mixture=((first, spoiled(tree)), *others)).problems()
    assert problem.startswith("tree 1: ")


def test_values_that_do_not_hold_are_found() -> None:
    value = example(GameValue, "3x4").claim
    (stated,) = replace(value, stated=Fraction(50, 27)).problems()
    assert stated == "it states the value 50/27, but its weights and cost give 219/68"
    value = replace(value, stated=None)
    (first, tree), *others = value.mixture
    shifted = replace(value, mixture=((first + 1, tree), *others))
    assert check_value(shifted) == ["the probabilities of the trees do not add up to 1"]
    alone = replace(value, mixture=((Fraction(1), tree),))
    assert "the codebreaker's mixture needs up to" in alone.problems()[0]
    (bounds, searched) = check_value(replace(value, cost=value.cost + 1))
    assert "claim" in bounds
    assert searched == (
        f"the best tree against the codemaker's weights costs {value.cost}, not {value.cost + 1}"
    )
    assert len(check_value(replace(value, weights=(1,) * len(value.weights)))) == 2


@given(small_rules(codes=300, largest=4), st.integers(0, 4), st.integers(0, 1000))
def test_confused_agrees_with_listing_answers(rules: Rules, size: int, seed: int) -> None:
    game = board_game(rules)
    numbers = np.random.default_rng(seed).integers(0, game.n_guesses, size).tolist()
    marking, secrets = marking_of(rules), secrets_of(rules)
    codes = [tuple(game.guess(number)) for number in numbers]
    different = naive.answers(codes, secrets, marking)
    pair = confused(game, numbers)
    if pair is None:
        assert len(different) == len(secrets)
        return
    assert pair.answers == len(different) < len(secrets)
    # the first pair: no secret before the first is confused with any
    answers = [tuple(marking(code, secret) for code in codes) for secret in secrets]
    assert all(answers.count(answer) == 1 for answer in answers[: pair.first])
    assert answers.index(answers[pair.first], pair.first + 1) == pair.second


# the user's folder


def test_a_value_is_kept_for_its_user(monkeypatch: pytest.MonkeyPatch) -> None:
    made = replace(example(GameValue, "3x4"), seconds=2.0)
    assert not keep(made)  # as good a one comes with the program
    monkeypatch.setattr(files, "shipped", lambda *_which: None)
    assert stored(GameValue, made.claim.game) is None
    assert keep(made)
    kept, name = user_file(GameValue, made.claim.game)
    path = kept.path / name
    again = stored(GameValue, made.claim.game)
    assert again is not None
    assert (again.seconds, again.claim.cost) == (2.0, made.claim.cost)
    path.write_bytes(b"nonsense")
    assert stored(GameValue, made.claim.game) is None
    unproven = replace(made, claim=replace(made.claim, cost=made.claim.cost - 1))
    assert not keep(unproven)
    save_certificate(unproven, path)
    assert stored(GameValue, made.claim.game) is None


def test_the_smaller_set_is_kept_and_a_wrong_one_is_not_used() -> None:
    rules = Rules(2, 17)
    kept, name = user_file(FixedSet, game_of(rules))
    path = kept.path / name
    path.parent.mkdir(parents=True)
    assert stored(FixedSet, game_of(rules)) is None
    wrong = Certificate(FixedSet(board_game(rules), (0, 1), 0, 0))
    assert not keep(wrong)
    for certificate in (wrong, example(FixedSet, "2x15")):
        save_certificate(certificate, path)
        assert stored(FixedSet, game_of(rules)) is None
    large = Certificate(find_static(rules, size=14))
    assert keep(large)
    again = stored(FixedSet, game_of(rules))
    assert again is not None
    assert again.claim == large.claim
    assert not keep(again)  # no better
    codes = again.claim.numbers or ()
    assert not keep(replace(again, claim=replace(again.claim, numbers=(*codes, codes[0]))))


# lists of guesses


RULES = Rules(3, 12)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("ABC\nDEF\n", ["ABC", "DEF"]),
        ("ABC DEF  # both\n\n# none\nGGG", ["ABC", "DEF", "GGG"]),
        ("a b c\n1 2 12", ["ABC", "ABL"]),
        ("1,2,12\n3, 3, 3", ["ABL", "CCC"]),
        ('{"rules": "3x12", "guesses": ["ABC", "LLL"]}', ["ABC", "LLL"]),
        ("", []),
    ],
)
def test_reads_guesses(tmp_path: Path, text: str, codes: list[str]) -> None:
    path = tmp_path / "set.txt"
    path.write_text(text, encoding="utf-8")
    assert [str(code) for code in read_guesses(path, game_of(RULES))] == codes


def test_guesses_of_a_list_are_read_together(tmp_path: Path) -> None:
    path = tmp_path / "set.txt"
    path.write_text("1122\n0123 0450", encoding="utf-8")
    assert [str(code) for code in read_guesses(path, game_of("4x6"))] == ["BBCC", "ABCD", "AEFA"]


@pytest.mark.parametrize(
    ("data", "error", "says"),
    [
        (None, DataFileError, "No such file"),
        (b"ABC\nABZ", InputError, "line 2: 'ABZ': 'Z' at position 3"),
        (b"ABCD", InputError, "line 1: 'ABCD': 4 pegs, but a code of 3x12 has 3"),
        (b"\xff\xfe\x00", DataFileError, "it is not text in UTF-8"),
        (b"{", DataFileError, "is not a stored set"),
        (b'{"rules": "3x12"}', DataFileError, "is not a stored set"),
        (b'{"rules": "3x12", "guesses": [1]}', DataFileError, "is not a stored set"),
        (b'{"rules": "3x3", "guesses": []}', InputError, "holds a set for 3x3, not for 3x12"),
    ],
)
def test_refuses_what_is_no_list(
    tmp_path: Path, data: bytes | None, error: type[Exception], says: str
) -> None:
    path = tmp_path / "set.txt"
    if data is not None:
        path.write_bytes(data)
    with pytest.raises(error, match=says):
        read_guesses(path, game_of(RULES))


def test_records_are_read_as_in_version_0_2() -> None:
    record = next(record for record in pegwise.records() if str(record.claim.game) == "4x6")
    assert (record.total, record.least_worst, record.proof.tree.worst) == (5625, 5, 6)


@pytest.mark.parametrize(
    ("board", "total", "worst", "colors"),
    [
        ("2x{}", lambda n: n * (n + 2) * (2 * n - 1) / 3, 1, range(2, 27)),
        ("2x{},distinct", lambda n: (2 * n**3 - 5 * n + 3) / 3, 0, range(2, 27)),
        ("3x{}", lambda n: (3 * n**4 + 6 * n**3 - 3 * n**2 + 14 * n - 40) / 4, 2, range(3, 27)),
        (
            "3x{},distinct",
            lambda n: (3 * n**4 - 6 * n**3 - 9 * n**2 + 40 * n - 60) / 4,
            1,
            range(6, 16),
        ),
    ],
)
def test_totals_with_black_marks_follow_the_polynomials_of_the_documents(
    board: str, total: Callable[[int], float], worst: int, colors: range
) -> None:
    for n in colors:
        certificate = shipped(ProvenTrees, game_of(Rules.parse(f"{board.format(n)},black")))
        assert certificate is not None
        claim = certificate.claim
        assert (claim.tree.total, claim.limited.worst) == (total(n), n + worst), n


@pytest.mark.slow
def test_sequences_are_rows_and_columns_of_the_table() -> None:
    files = sequences()
    lines = files["total-4xn.txt"].splitlines()
    assert lines[0].startswith("# Smallest sum")
    assert lines[1:6] == ["2 44", "3 246", "4 905", "5 2463", "6 5625"]
    # S.-T. Chen and S.-S. Lin, The Computer Journal 47(5), 2004
    worst = [line.split() for line in files["worst-2xn.txt"].splitlines()[1:]]
    assert [int(term) for _, term in worst[:6]] == [3, 3, 4, 4, 5, 5]
    assert all(len(content.splitlines()) > 5 for content in files.values())
