"""Trees in other forms: tables and graphs for programs; any form is read, others are refused."""

import csv
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegwise.errors import InputError, TreeFileError
from pegwise.game import FiniteGame, Rules, mastermind
from pegwise.strategies import load
from pegwise.trees import Tree, build, read_tree, verify
from pegwise.trees.formats import read, to_csv, to_dot, write_viaud
from pegwise.trees.irving import write_irving
from pegwise.trees.store import to_bytes
from tests.trees.wandering import finite_trees, same_nodes, trees


@given(st.one_of(trees(), finite_trees()))
def test_every_line_of_a_table_is_the_game_of_its_secret(tree: Tree) -> None:
    game = tree.game
    header, *rows = csv.reader(io.StringIO(to_csv(tree), newline=""))
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
    # the same games as rows of nodes
    games = tree.games()
    assert games.shape == (game.n_secrets, tree.worst)
    assert np.array_equal((games >= 0).sum(axis=1), tree.depths())
    assert (games[:, 0] == 0).all()
    follows = games[:, 1:] >= 0
    assert np.array_equal(tree.nodes.parent[games[:, 1:]][follows], games[:, :-1][follows])


def test_a_small_table() -> None:
    tree = build(load("first"), mastermind("1x3"))
    assert to_csv(tree) == (
        "secret,guesses,guess_1,mark_1,guess_2,mark_2,guess_3,mark_3\r\n"
        "A,1,A,X,,,,\r\n"
        "B,2,A,-,B,X,,\r\n"
        "C,3,A,-,B,-,C,X\r\n"
    )
    lost = tree.nodes._replace(wins=np.array([True, False, True]))
    with pytest.raises(InputError, match="does not find the secret B"):
        to_csv(Tree(tree.game, lost, "lost"))


def test_a_small_graph() -> None:
    game = FiniteGame(['say "a"', "b\\n"], lambda g, s: g == s, guesses=["?", 'say "a"', "b\\n"])
    assert to_dot(build(load("first"), game)).splitlines() == [
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
    marks = tree.nodes.mark.tolist()[1:]
    assert [mark for _, _, mark in edges] == [str(tree.game.mark(mark)) for mark in marks]


# reading

TREE = build(load("first"), mastermind("3x3"))


@pytest.mark.parametrize(
    ("data", "notation"),
    [
        (to_bytes(TREE), "pegwise"),
        (write_viaud(TREE).encode(), "viaud"),
        (b"\xef\xbb\xbf" + write_viaud(TREE).encode(), "viaud"),
        (write_viaud(TREE).replace("\n", "\r\n").encode(), "viaud"),
        (write_irving(TREE).encode(), "irving"),
        (b"\n\n " + write_irving(TREE).replace(" ", "").encode(), "irving"),
    ],
)
def test_every_form_is_told_from_its_content(tmp_path: Path, data: bytes, notation: str) -> None:
    path = tmp_path / "any.name"
    path.write_bytes(data)
    for rules in (None, Rules(3, 3)):
        reading = read_tree(path, rules)
        assert reading.notation == notation
        assert reading.tree.game.name == "3x3"
        assert same_nodes(reading.tree, TREE)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "'x' is empty"),
        (b"pegwise-", "'x' is truncated or damaged"),
        (to_bytes(TREE)[:200], "'x' is truncated"),
        (b"\x89PNG\r\n\x1a\n\x00\x00", "'x' is neither a pegwise tree file nor a printed tree"),
        (b"\xff\xfe1\x001\x00", "'x' is neither"),
        (b'{"rules": "4x6"}', "'x' is neither"),
        (b"<svg></svg>", "'x' is neither"),
        (b"Dear reader,\nthis is a letter of 20 lines.\n", "'x' is neither"),
        (b"\n\n\n", "'x' is neither"),
        (to_csv(TREE).encode(), "'x' is neither"),
        (to_dot(TREE).encode(), "'x' is neither"),
        (b"111 30\n111 00 222", "'x': line 2 ends with '222'"),
        (write_irving(TREE).encode()[:40], "'x': line 1: .* but it ends"),
    ],
)
def test_other_content_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(TreeFileError, match=reason):
        read(io.BytesIO(data), "x")


def test_other_trees_and_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'x' is a tree of 3x3, not of 4x6"):
        read(io.BytesIO(to_bytes(TREE)), "x", Rules(4, 6))
    with pytest.raises(TreeFileError, match=r"cannot read '.*nothing': No such file"):
        read_tree(tmp_path / "nothing")


@settings(max_examples=300)
@given(st.data(), st.sampled_from([write_viaud(TREE), write_irving(TREE)]))
def test_spoilt_text_is_refused_or_judged(data: st.DataObject, text: str) -> None:
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text) - 1))
        skip = data.draw(st.integers(0, 5))
        put = data.draw(st.text("0123456789ABx*+-.,;:()= \n", max_size=4))
        text = text[:place] + put + text[place + skip :]
    try:
        reading = read(io.BytesIO(text.encode()), "x", Rules(3, 3))
    except TreeFileError as error:
        assert str(error).startswith("'x'")
        return
    checked = verify(reading.tree)
    if checked.valid and not reading.problems:
        assert checked.secrets == 27


@given(st.binary(max_size=200))
def test_any_bytes_are_refused(data: bytes) -> None:
    for start in (b"", b"pegwise-tree ", b"9 (11: "):
        with pytest.raises(TreeFileError):
            read(io.BytesIO(start + data + b"~"), "x")
