"""Nested notation: Irving's, as mmstrat prints it, and Knuth's of 1976."""

from pathlib import Path

import pytest

from pegwise.errors import InputError, TreeFileError
from pegwise.game import Rules, board_game
from pegwise.strategies import Nodes, load
from pegwise.trees import Tree, build, verify
from pegwise.trees.irving import read_irving, write_irving
from tests.trees.wandering import same_nodes

DATA = Path(__file__).parent.parent / "data"


# total, worst and how many need it, as mmstrat itself sums them up (-S)
@pytest.mark.parametrize(
    ("name", "rules", "total", "worst", "deepest"),
    [
        ("3x4-minmax", "3x4", 215, 4, 28),
        ("3x4-optimal", "3x4", 206, 4, 22),
        ("3x4-distinct-minmax", "3x4,distinct", 72, 4, 6),
        ("3x10-optimal", "3x10", 5242, 7, 36),
        ("4x6-minmax", "4x6", 5778, 5, 663),
        ("4x6-optimal", "4x6", 5625, 6, 7),
        ("4x10-distinct-parts", "4x10,distinct", 26751, 8, 3),
    ],
)
def test_trees_that_mmstrat_printed(
    name: str, rules: str, total: int, worst: int, deepest: int
) -> None:
    text = (DATA / f"mmstrat-{name}.txt").read_text()
    reading = read_irving(text)
    assert reading.tree.game.name == rules
    assert (reading.notation, reading.mended, reading.problems) == ("irving", (), ())
    checked = verify(reading.tree)
    assert checked.valid, checked.problems
    assert (checked.total, checked.worst, checked.histogram[-1]) == (total, worst, deepest)
    assert write_irving(reading.tree) == text


@pytest.mark.parametrize("spaces", [True, False])
@pytest.mark.parametrize(("rules", "total"), [("3x4", 216), ("4x6", 5801)])
def test_knuths_dialect(rules: str, total: int, spaces: bool) -> None:
    """Without letters: an impossible mark, bare pairs, and x."""
    text = (DATA / f"knuth-{rules}.txt").read_text()
    reading = read_irving(text if spaces else "".join(text.split()))
    assert (reading.notation, reading.mended, reading.problems) == ("knuth", (), ())
    assert verify(reading.tree).valid
    assert reading.tree.total == total
    assert same_nodes(reading.tree, build(rules, "knuth"))


RIGHT = "9 (11: 0, 0, 4 (22: 0, 0, 1; 2 (23); 1); 4 (12); 1)"


@pytest.mark.parametrize(
    ("old", "new", "slip"),
    [
        ("(12)", "(12*)", "line 1: 12* may be the secret; read as 12"),
        ("(23)", "(23x)", "line 1: 23x leaves no pair; read as 23"),
        ("4 (22: 0, 0, 1; 2 (23); 1)", "4 (22)", "line 1: 22 is without its x; read as 22x"),
    ],
)
def test_flags_that_do_not_fit_are_reported(old: str, new: str, slip: str) -> None:
    reading = read_irving(RIGHT.replace(old, new))
    assert (reading.mended, reading.problems) == ((slip,), ())
    assert same_nodes(reading.tree, read_irving(RIGHT).tree)


@pytest.mark.parametrize(
    ("old", "new", "problem", "valid"),
    [
        ("4 (12)", "5 (12)", "line 1 counts 5 codes, but 4 codes are left at 12", True),
        ("11: 0", "11: 1", "line 1 counts 1 code, but 0 codes are left", True),
        ("); 1)", "); 0)", "line 1 says 0 for the winning mark of 22, which may be the", True),
        ("4 (12)", "4", "line 1 does not say what to play when 4 codes are left", False),
        ("4 (12)", "4 (11)", "line 1 does not say what to play when 4 codes are left at 11", False),
        ("4 (12)", "0", "line 1 counts 0 codes, but 4 codes are left", False),
    ],
)
def test_claims_that_are_not_so_are_reported(old: str, new: str, problem: str, valid: bool) -> None:
    reading = read_irving(RIGHT.replace(old, new, 1), Rules(2, 3))
    assert reading.problems[0].startswith(problem)
    assert verify(reading.tree).valid is valid


def test_states_written_out_below() -> None:
    right = read_irving(RIGHT)
    assert (right.mended, right.problems) == ((), ())
    assert (verify(right.tree).valid, right.tree.total) == (True, 24)
    text = "9 (11:0,0,4A;4B;1)\n\nB=(12:0,1,1;1;1)\nA = (22: 0, 0, 1; 2C; 1)\nC = (23)"
    assert same_nodes(read_irving(text).tree, right.tree)


def test_larger_states_are_written_out_below() -> None:
    lines = write_irving(build(board_game(Rules.parse("4x6")), load("knuth"))).splitlines()
    assert lines[0].startswith("1296 (1122: 1, 16A, 96B, 256C, 256D; 0, 36E")
    assert lines[2].startswith("A = (1213: 0, 0, 0, 0, 0; 1, 4 (1415*)")
    assert [line[0] for line in lines[2::2]] == list("ABCDEFGHIJ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("9 (11: 0, 0, 4A; 4 (12); 1)", "line 1: 'A' is nowhere written out"),
        ("9 (11: 0, 0, 4A; 4A; 1)\nA = (12)", "line 1: 'A' is named a second time"),
        (RIGHT + "\nA = (12)", "'A' is written out below, but no state names it"),
        ("9 (11: 0, 0, 4A; 4 (12); 1)\nA = (12)\nA = (12)", "line 3: 'A' is written out twice"),
        (RIGHT[:-1], "line 1: expected '\\)', but it ends"),
        (RIGHT + " 7", "line 1: expected a letter and '=', or the end, but '7'"),
        (RIGHT + "\nA (12)", "line 2: expected '=', but '\\(12\\)'"),
        ("9 (: 1)", "line 1: expected a guess"),
        ("9 (11: 0,, 0)", "line 1: expected the number of codes left, but ', 0\\)'"),
        ("9 (11: 0, 0)", "line 1: 2 marks follow 11, but 2x3 has 5"),
        ("9 (11: 0, 0, 4 (12); 2, 2; 1)", "line 1: codes are left after an impossible mark"),
        ("9 (11:\n0, 0, 4 (24); 4 (12); 1)", "line 2: '24': '4' at position 2"),
        ("9 (11: 0, 0, 4 (222); 4 (12); 1)", "line 1: '222': 3 pegs"),
        ("10 (11)", "10 codes of 2 pegs fit no board"),
        ("9" * 30 + " (11)", "fit no board"),
        ("9 (11111111111111111)", "17 pegs"),
        ("9", "0 pegs"),
        ("9 (11: " * 2000, "nested deeper than"),
    ],
)
def test_texts_that_are_no_tree(text: str, reason: str) -> None:
    with pytest.raises(TreeFileError, match=reason):
        read_irving(text)


def test_letters_cannot_nest_for_ever() -> None:
    chain = "\n".join(
        f"{letter} = ({'11: 0, 0, 9 (' * 20}11: 0, 0, 9{following}; 0; 0){'; 0; 0)' * 20}"
        for letter, following in zip("ABCDEFGHIJ", "BCDEFGHIJK", strict=True)
    )
    with pytest.raises(TreeFileError):
        read_irving(f"9 (11: 0, 0, 9A; 0; 0)\n{chain}\nK = (12)", Rules(2, 3))


def test_another_board_is_reported() -> None:
    text = (DATA / "mmstrat-3x4-minmax.txt").read_text()
    reading = read_irving(text, Rules.parse("3x5"))
    assert reading.problems
    assert not verify(reading.tree).valid


def test_deep_trees_are_not_written() -> None:
    deep = 200
    guesses, wins = [0] * (deep - 1) + [1], [True, *[False] * (deep - 2), True]
    nodes = Nodes.of(guesses, range(-1, deep - 1), [0] * deep, wins, 2)
    tree = Tree(board_game(Rules.parse("1x2")), nodes, "patient")
    assert verify(tree).valid
    with pytest.raises(InputError, match="200"):
        write_irving(tree)
