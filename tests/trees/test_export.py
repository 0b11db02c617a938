"""Tables and graphs for other programs."""

import csv
import io
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.errors import InputError
from pegwise.game import FiniteGame, mastermind
from pegwise.strategies import load
from pegwise.trees import Tree, build
from pegwise.trees.formats import to_csv, to_dot
from tests.trees.wandering import finite_trees, trees


def table(tree: Tree) -> list[list[str]]:
    """The table as a program reads it."""
    return list(csv.reader(io.StringIO(to_csv(tree), newline="")))


@given(st.one_of(trees(), finite_trees()))
def test_every_line_is_the_game_of_its_secret(tree: Tree) -> None:
    game = tree.game
    header, *rows = table(tree)
    assert header[:4] == ["secret", "guesses", "guess_1", "mark_1"]
    assert len(header) == 2 + 2 * tree.worst
    assert [row[0] for row in rows] == [str(game.secret(k)) for k in range(game.n_secrets)]
    for number, row in enumerate(rows):
        secret = game.secret(number)
        state: Any = tree.begin(game)
        cells: list[str] = []
        while True:
            mark = game.mark_of(state.guess, secret)
            cells += [str(state.guess), str(mark)]
            if game.mark_number(mark) == game.winning:
                break
            state = state.after(mark)
        assert row[1] == str(len(cells) // 2)
        assert row[2:] == cells + [""] * (len(header) - 2 - len(cells))


@given(st.one_of(trees(), finite_trees()))
def test_games_are_rows_of_nodes(tree: Tree) -> None:
    games = tree.games()
    assert games.shape == (tree.game.n_secrets, tree.worst)
    assert np.array_equal((games >= 0).sum(axis=1), tree.depths())
    assert (games[:, 0] == 0).all()
    parents = tree.nodes.parent[games[:, 1:]]
    follows = games[:, 1:] >= 0
    assert np.array_equal(parents[follows], games[:, :-1][follows])


def test_a_small_table() -> None:
    tree = build(load("first"), mastermind("1x3"))
    assert to_csv(tree) == (
        "secret,guesses,guess_1,mark_1,guess_2,mark_2,guess_3,mark_3\r\n"
        "A,1,A,X,,,,\r\n"
        "B,2,A,-,B,X,,\r\n"
        "C,3,A,-,B,-,C,X\r\n"
    )


def test_a_lost_secret_has_no_game() -> None:
    tree = build(load("first"), mastermind("1x3"))
    lost = tree.nodes._replace(wins=np.array([True, False, True]))
    with pytest.raises(InputError, match="does not find the secret B"):
        to_csv(Tree(tree.game, lost, "lost"))


def test_a_small_graph() -> None:
    game = FiniteGame(['say "a"', "b\\n"], lambda g, s: g == s, guesses=["?", 'say "a"', "b\\n"])
    tree = build(load("first"), game)
    assert to_dot(tree).splitlines() == [
        "digraph tree {",
        '  label="finite game, first";',
        "  rankdir=LR;",
        "  node [shape=box, fontname=monospace];",
        "  edge [fontname=monospace];",
        '  n0 [label="say \\"a\\"\\n2"];',
        '  n1 [label="b\\\\n\\n1"];',
        '  n0 -> n1 [label="False"];',
        "}",
    ]


@given(trees())
def test_graphs_have_every_node_and_edge(tree: Tree) -> None:
    text = to_dot(tree)
    nodes = re.findall(r'^  n(\d+) \[label="(\S+)\\n(\d+)"(, style=dashed)?\];$', text, re.M)
    edges = re.findall(r'^  n(\d+) -> n(\d+) \[label="(\S+)"\];$', text, re.M)
    assert [int(node[0]) for node in nodes] == list(range(len(tree)))
    assert [int(node[2]) for node in nodes] == tree.node_sizes.tolist()
    assert [not node[3] for node in nodes] == tree.nodes.wins.tolist()
    assert [(int(a), int(b)) for a, b, _ in edges] == list(
        zip(tree.nodes.parent.tolist()[1:], range(1, len(tree)), strict=True)
    )
    assert [mark for _, _, mark in edges] == [
        str(tree.game.mark(mark)) for mark in tree.nodes.mark.tolist()[1:]
    ]
