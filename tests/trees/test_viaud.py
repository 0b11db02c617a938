"""Viaud's lines: as printed in 1979, as scanned, and as written here."""

import random
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegwise.errors import InputError, TreeFileError
from pegwise.game import FiniteGame, Rules, mastermind
from pegwise.strategies import load
from pegwise.trees import Tree, build, verify
from pegwise.trees.formats import read_viaud, write_viaud
from tests import naive
from tests.trees.wandering import EVERY_KIND, Wandering, same_nodes, trees

PRINTED = Path(__file__).parent.parent / "data" / "viaud-1979-4x4.txt"


def test_the_printed_strategy() -> None:
    reading = read_viaud(PRINTED.read_text())
    checked = verify(reading.tree)
    assert str(reading.tree.game.name) == "4x4"
    assert checked.valid
    assert (checked.secrets, checked.total, checked.worst) == (256, 918, 4)
    assert reading.mended == ("'+0' read as '40' in lines 1, 2, 15, 39, 41, 49, 54",)


def test_the_game_that_viaud_explains() -> None:
    # 3211 (0, 1) 4244 (1, 2) 4121 (0, 2) 2442: p. 319
    tree = read_viaud(PRINTED.read_text()).tree
    state = tree.begin(tree.game)
    guesses = [state.guess.write("digits")]
    for mark in [(0, 1), (1, 2), (0, 2)]:
        state = state.after(mark)
        guesses.append(state.guess.write("digits"))
    assert guesses == ["3211", "4244", "4121", "2442"]


def test_the_printed_lines_are_written_again() -> None:
    words = PRINTED.read_text().replace("+0", "40")
    games = {" ".join([*game.split(), "40"]) for game in re.split(r"\b40\b", words)[:-1]}
    written = write_viaud(read_viaud(PRINTED.read_text()).tree).splitlines()
    assert len(written) == 256
    assert set(written) == games
    assert written[:3] == ["3211 40", "3211 00 4444 40", "3211 01 4244 02 2422 40"]


@settings(max_examples=150)
@given(trees())
def test_written_trees_come_back(tree: Tree) -> None:
    rules = Rules.parse(tree.game.name)
    text = write_viaud(tree)
    assert len(text.splitlines()) == tree.game.n_secrets
    reading = read_viaud(text, rules)
    assert reading.mended == reading.problems == ()
    assert same_nodes(reading.tree, tree)


@settings(max_examples=100)
@given(trees(codes=100), st.integers(1, 3), st.randoms(use_true_random=False))
def test_columns_and_order_do_not_matter(tree: Tree, columns: int, draw: random.Random) -> None:
    lines = write_viaud(tree).splitlines()
    draw.shuffle(lines)
    rows = ["\t\t".join(lines[k : k + columns]) for k in range(0, len(lines), columns)]
    text = "# a page\n\n```\n" + "\n".join(rows) + "\n```\n"
    assert same_nodes(read_viaud(text, Rules.parse(tree.game.name)).tree, tree)


@pytest.mark.parametrize("rules", EVERY_KIND)
def test_the_board_is_told_from_the_lines(rules: str) -> None:
    tree = build(Wandering(3), mastermind(rules))
    reading = read_viaud(write_viaud(tree))
    assert reading.tree.game.name == rules
    assert same_nodes(reading.tree, tree)


def test_the_lines_are_the_games() -> None:
    tree = build(load("first"), mastermind("3x3"))
    for line in write_viaud(tree).splitlines():
        words = line.split()
        secret = tuple(int(sign) for sign in words[-2])
        for guess, mark in zip(words[::2], words[1::2], strict=True):
            black, white = naive.mark(tuple(int(sign) for sign in guess), secret)
            assert mark == f"{black}{white}"


def test_marks_of_ten_pegs() -> None:
    text = write_viaud(build(load("first"), mastermind("10x2")))
    assert text.splitlines()[0] == "1111111111 10,0"
    assert same_nodes(read_viaud(text).tree, read_viaud(text, Rules.parse("10x2")).tree)
    assert read_viaud(text).tree.game.name == "10x2"


@pytest.mark.parametrize(
    ("right", "scanned"),
    [("40", "+0"), ("40", "4O"), ("40", "4o"), ("01", "0l"), ("10", "I0"), ("3211", "32l1")],
)
def test_misread_signs_are_mended(right: str, scanned: str) -> None:
    lines = PRINTED.read_text().replace("+0", "40").splitlines()
    row = next(row for row, line in enumerate(lines) if right in line.split())
    lines[row] = re.sub(rf"\b{right}\b", scanned, lines[row], count=1)
    reading = read_viaud("\n".join(lines))
    checked = verify(reading.tree)
    assert (checked.valid, checked.total) == (True, 918)
    assert reading.mended == (f"{scanned!r} read as {right!r} in line {row + 1}",)


def test_a_line_printed_twice_is_read_once() -> None:
    text = write_viaud(build(load("first"), mastermind("2x2")))
    reading = read_viaud(text + text.splitlines()[2])
    assert reading.mended == ("line 5 repeats line 3: read once",)
    assert verify(reading.tree).valid


def test_slips_of_print_do_not_verify() -> None:
    text = PRINTED.read_text()
    lines = text.splitlines()
    checked = verify(read_viaud("\n".join(lines[:2] + lines[3:])).tree)
    assert (checked.valid, checked.secrets) == (False, 255)
    assert "secret BDAD is not found" in checked.problems[0]
    checked = verify(read_viaud(text.replace("4141 03 2414", "4141 13 2414")).tree)
    assert not checked.valid
    assert any("BDAD" in problem for problem in checked.problems)
    assert not verify(read_viaud(text, Rules.parse("4x5")).tree).valid
    with pytest.raises(TreeFileError, match="line 1: '3211'"):
        read_viaud(text, Rules.parse("3x4"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no lines"),
        ("# only words\n", "no lines"),
        ("11 20\n11 00", "line 2 ends with '00', before the winning mark 20"),
        ("11 20\n11 00 22", "line 2 ends with '22', before the winning mark 20"),
        ("11 20\n11 xy 22 20", "line 2: word 2, 'xy', is no mark"),
        ("11 20\n11 00 22 20\n11 00 21 20", "line 3 plays 21 in turn 2, where line 2 plays 22"),
        ("11 20\n21 20", "line 2 plays 21 in turn 1, where line 1 plays 11"),
        ("111 30\n111 21 222 30", "line 2: mark .* cannot happen"),
        ("111 30\n111 00 22 30", "line 2: '22': 2 pegs"),
        ("11 20\n11 00 2? 20", r"line 2: '2\?'"),
        ("11111111111111111 17,0", "17 pegs"),
    ],
)
def test_lines_that_are_none(text: str, reason: str) -> None:
    with pytest.raises(TreeFileError, match=reason):
        read_viaud(text)


def test_other_trees_are_not_written() -> None:
    weighing = FiniteGame("ab", [["=", "<"], [">", "="]], name="weighing")
    with pytest.raises(InputError, match="a tree of weighing cannot be written in Viaud's lines"):
        write_viaud(build("first", weighing))
    tree = build("first", "2x2")
    lost = Tree(tree.game, tree.nodes._replace(wins=np.zeros(len(tree), np.bool_)), "lost")
    with pytest.raises(InputError, match="does not find the secret AA"):
        write_viaud(lost)
