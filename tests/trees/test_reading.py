"""Trees are read whatever form they have; other files are refused in a sentence."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegwise.errors import InputError, TreeFileError
from pegwise.game import Rules, mastermind
from pegwise.strategies import load
from pegwise.trees import build, read_tree, verify
from pegwise.trees.formats import read, to_csv, to_dot
from pegwise.trees.notations.irving import write_irving
from pegwise.trees.notations.viaud import write_viaud
from pegwise.trees.store import to_bytes

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
        for one, other in zip(reading.tree.nodes, TREE.nodes, strict=True):
            assert np.array_equal(one, other)


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
        read(data, "x")


def test_a_tree_of_another_board() -> None:
    with pytest.raises(InputError, match="'x' is a tree of 3x3, not of 4x6"):
        read(to_bytes(TREE), "x", Rules(4, 6))


def test_a_missing_file(tmp_path: Path) -> None:
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
        reading = read(text.encode(), "x", Rules(3, 3))
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
            read(start + data + b"~", "x")
