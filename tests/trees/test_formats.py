"""Trees as text: tables, graphs, Viaud's lines; any form is read, others are refused."""

import csv
import io
import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegwise.errors import InputError, TreeFileError
from pegwise.game import FiniteGame, Rules, board_game, game_of
from pegwise.strategies import load
from pegwise.trees import Reading, Tree, build, read_tree, verify
from pegwise.trees.formats import read, read_json, read_viaud, to_csv, to_dot, write_viaud
from pegwise.trees.irving import read_irving, write_irving
from pegwise.trees.store import to_bytes
from tests.trees.wandering import EVERY_KIND, Wandering, finite_trees, same_nodes, trees

PRINTED = Path(__file__).parent.parent / "data" / "viaud-1979-4x4.txt"
TREE = build(board_game(Rules.parse("3x3")), load("first"))
TABLE = """            -- OO X- XX
000 1 01 ---- 10 >001 01
001 2 00 11 ---- ---- 00
"""


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
    assert np.array_equal((games >= 0).sum(axis=1), tree.depths)
    assert (games[:, 0] == 0).all()
    follows = games[:, 1:] >= 0
    assert np.array_equal(tree.nodes.parent[games[:, 1:]][follows], games[:, :-1][follows])


def test_a_small_graph() -> None:
    game = FiniteGame(['say "a"', "b\\n"], lambda g, s: g == s, guesses=["?", 'say "a"', "b\\n"])
    assert to_dot(build(game, load("first"))).splitlines() == [
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
    for game in (None, board_game(Rules(3, 3))):
        reading = read_tree(path, game)
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
        (b"Dear reader,\nthis is a letter of 20 lines.\n", "'x' is neither"),
        (to_dot(TREE).encode(), "'x' is neither"),
        (b"111 30\n111 00 222", "'x': line 2 ends with '222'"),
        (write_irving(TREE).encode()[:40], "'x': line 1: .* but it ends"),
        (TABLE.replace("001 2", "002 2").encode(), "'x': the table has no line '001'"),
        (TABLE.partition("\n")[0].encode() + b"\n\n0 1 00 11\n", "no line '0' with a guess"),
        (TABLE.replace("00 11", "00").encode(), "no line '001' with a guess and 4 answers"),
        (TABLE.replace("11 ----", "11 >000").encode(), "no line '000' .* or two lines continue"),
    ],
)
def test_other_content_is_refused(data: bytes, reason: str) -> None:
    with pytest.raises(TreeFileError, match=reason):
        read(io.BytesIO(data), "x")


def test_other_trees_and_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'x'.*3x3.*4x6"):
        read(io.BytesIO(to_bytes(TREE)), "x", game_of("4x6"))
    with pytest.raises(TreeFileError, match=r"cannot read '.*nothing': No such file"):
        read_tree(tmp_path / "nothing")


@pytest.mark.slow
@settings(max_examples=150)
@given(st.data(), st.sampled_from([write_viaud(TREE), write_irving(TREE), TABLE]))
def test_spoilt_text_is_refused_or_judged(data: st.DataObject, text: str) -> None:
    rules = Rules(2, 2) if text == TABLE else Rules(3, 3)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text) - 1))
        skip = data.draw(st.integers(0, 5))
        put = data.draw(st.text("0123456789ABOXx*+-.,;:()=> \n", max_size=4))
        text = text[:place] + put + text[place + skip :]
    try:
        reading = read(io.BytesIO(text.encode()), "x", game_of(rules))
    except TreeFileError as error:
        assert str(error).startswith("'x'")
        return
    checked = verify(reading.tree)
    if checked.valid and not reading.problems:
        assert checked.secrets == rules.n_secrets


def test_a_table_of_turns() -> None:
    reading = read(io.BytesIO(TABLE.encode()), "x")
    assert (reading.notation, str(reading.tree.game.name)) == ("table", "2x2")
    assert verify(reading.tree).valid
    assert write_viaud(reading.tree) == "12 20\n12 02 21 20\n12 10 11 20\n12 10 11 00 22 20\n"


@given(st.binary(max_size=200))
def test_any_bytes_are_refused(data: bytes) -> None:
    for start in (b"", b"pegwise-tree ", b"9 (11: "):
        with pytest.raises(TreeFileError):
            read(io.BytesIO(start + data + b"~"), "x")


PRINTED_FORMS = [(write_viaud, read_viaud), (write_irving, read_irving)]


@pytest.mark.parametrize(("write", "read"), PRINTED_FORMS)
@given(tree=trees())
def test_printed_trees_come_back(
    write: Callable[[Tree], str], read: Callable[..., Reading], tree: Tree
) -> None:
    reading = read(write(tree), Rules.parse(tree.game.name))
    assert reading.mended == reading.problems == ()
    assert same_nodes(reading.tree, tree)


@pytest.mark.parametrize("rules", EVERY_KIND)
@pytest.mark.parametrize(("write", "read"), PRINTED_FORMS)
def test_the_board_is_told_from_the_text(
    write: Callable[[Tree], str], read: Callable[..., Reading], rules: str
) -> None:
    tree = build(board_game(Rules.parse(rules)), Wandering(3))
    reading = read(write(tree))
    assert reading.tree.game.name == rules
    assert same_nodes(reading.tree, tree)


def test_other_trees_are_not_printed() -> None:
    weighing = build(FiniteGame("ab", [["=", "<"], [">", "="]], name="weighing"), "first")
    for write, form in ((write_viaud, "Viaud's lines"), (write_irving, "nested notation")):
        with pytest.raises(InputError, match=f"weighing.*{form}"):
            write(weighing)
    lost = TREE.nodes._replace(wins=np.zeros(len(TREE), np.bool_))
    for write_games in (write_viaud, to_csv):
        with pytest.raises(InputError, match="AAA"):
            write_games(Tree(TREE.game, lost, "lost"))


# Viaud's lines


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


@given(trees(codes=100), st.integers(1, 3), st.randoms(use_true_random=False))
def test_columns_and_order_do_not_matter(tree: Tree, columns: int, draw: random.Random) -> None:
    lines = write_viaud(tree).splitlines()
    draw.shuffle(lines)
    rows = ["\t\t".join(lines[k : k + columns]) for k in range(0, len(lines), columns)]
    text = "# a page\n\n```\n" + "\n".join(rows) + "\n```\n"
    assert same_nodes(read_viaud(text, Rules.parse(tree.game.name)).tree, tree)


@pytest.mark.slow
def test_marks_of_ten_pegs() -> None:
    text = write_viaud(build(board_game(Rules.parse("10x2")), load("first")))
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


@pytest.mark.parametrize("text_after", ["", "\n```\n\nREFERENCES\n\n1. S. VAJDA, 1961.\n"])
def test_games_within_an_article_are_read(text_after: str) -> None:
    page = "TITLE\n\nFirst 3211 is played, 4 colors.\n# a heading\n1296 codes\n\n"
    reading = read_viaud(page + PRINTED.read_text() + text_after)
    checked = verify(reading.tree)
    assert (checked.valid, checked.secrets, checked.total) == (True, 256, 918)
    assert len(reading.mended) == 2  # the text around the games is told, and the misread marks
    assert "lines 1-" in reading.mended[0]
    # a damaged line within the games is refused, as without the text
    with pytest.raises(TreeFileError, match="line 8: word 4"):
        read_viaud(page + PRINTED.read_text().replace("4141 02 2412 11", "4141 xy 2412 11"))


def test_a_line_printed_twice_is_read_once() -> None:
    text = write_viaud(build(board_game(Rules.parse("2x2")), load("first")))
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
        ("11 20\n11 xy 22 20", "line 2: word 2, 'xy', is not a mark"),
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


def test_nested_objects_are_a_tree() -> None:
    nested: dict[str, Any] = {}
    for line in write_viaud(TREE).splitlines():
        inner, words = nested, line.split()
        for word in words:
            inner = inner.setdefault(word, {})
    read_back = read_json(json.dumps(nested), Rules.parse("3x3"))
    assert same_nodes(read_back.tree, TREE)
    short = read_json('{"12": {"20": {}, "01": {"21": {}}, "00": "33"}}', Rules.parse("2x3"))
    assert short.tree.worst == 2
    for wrong in (
        *('{"12": {"20": 3}}', '{"12": {"x": "11"}}', '{"12": ["11"]}', '{"12": {"00": {}}}'),
        *('{"12": {"10": {"11": 1, "22": 2}}}', '{"12": {"10": {"1": {}}}}', "{}", '{"": {}}'),
    ):
        with pytest.raises(InputError):
            read_json(wrong, Rules.parse("2x3"))
