"""Tree files: what is written comes back as it was."""

import hashlib
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from pegwise._version import __version__
from pegwise.errors import TreeFileError
from pegwise.game import FiniteGame, Mastermind, Rules, mastermind
from pegwise.strategies import load as load_strategy
from pegwise.trees import Tree, build, load, save, verify
from pegwise.trees.store import from_bytes, to_bytes
from tests.trees.tree_files import arrays, parts, small_file
from tests.trees.wandering import finite_trees, trees

DATA = Path(__file__).parent.parent / "data"


def same(one: Tree, other: Tree) -> bool:
    """Whether two trees are the same to the last bit."""
    return (
        one.game.name == other.game.name
        and one.strategy == other.strategy
        and dict(one.options) == dict(other.options)
        and all(
            a.dtype == b.dtype and np.array_equal(a, b)
            for a, b in zip(one.nodes, other.nodes, strict=True)
        )
    )


@settings(max_examples=150)
@given(trees())
def test_trees_of_boards_come_back(tree: Tree) -> None:
    data = to_bytes(tree)
    again = from_bytes(data)
    assert same(tree, again)
    assert again.game is tree.game
    assert to_bytes(again) == data


@settings(max_examples=150)
@given(finite_trees())
def test_trees_of_finite_games_come_back_with_their_game(tree: Tree) -> None:
    data = to_bytes(tree)
    again = from_bytes(data)
    assert same(tree, again)
    assert to_bytes(again) == data
    old, new = tree.game, again.game
    assert isinstance(old, FiniteGame)
    assert isinstance(new, FiniteGame)
    assert [new.secret(k) for k in range(new.n_secrets)] == [
        old.secret(k) for k in range(old.n_secrets)
    ]
    assert [new.guess(k) for k in range(new.n_guesses)] == [
        old.guess(k) for k in range(old.n_guesses)
    ]
    assert [new.mark(k) for k in range(new.n_marks)] == [old.mark(k) for k in range(old.n_marks)]
    assert np.array_equal(new.table, old.table)
    if old.weights is None:
        assert new.weights is None
    else:
        assert np.array_equal(new.weights, old.weights)  # type: ignore[arg-type]
    assert verify(again).valid


def test_a_weighted_board_comes_back() -> None:
    weights = np.arange(1, 17) ** 8
    tree = build(load_strategy("first"), Mastermind(Rules.parse("2x4"), weights))
    again = from_bytes(to_bytes(tree))
    assert np.array_equal(again.game.weights, weights)  # type: ignore[arg-type]
    assert again.total == tree.total
    assert to_bytes(again) == to_bytes(tree)


def test_the_header_says_what_the_tree_is() -> None:
    tree = build(load_strategy("random", seed=7), mastermind("3x4,distinct"))
    header, _ = parts(to_bytes(tree))
    assert header == {
        "format": 1,
        "program": f"pegwise {__version__}",
        "game": {"rules": "3x4,distinct"},
        "weighted": False,
        "strategy": "random",
        "options": {"seed": 7},
        "secrets": 24,
        "nodes": len(tree),
        "total": tree.total,
        "worst": tree.worst,
        "histogram": tree.histogram(),
    }


def test_the_first_line_is_the_checksum_of_the_rest() -> None:
    first, rest = small_file().split(b"\n", 1)
    assert first == (
        b"pegwise-tree sha256=%s bytes=%d" % (hashlib.sha256(rest).hexdigest().encode(), len(rest))
    )


def test_the_format_is_as_described() -> None:
    stored = small_file()
    tree = from_bytes(stored)
    payload = b"".join(array.tobytes() for array in arrays(tree).values())
    assert zlib.decompress(parts(stored)[1]) == payload


@pytest.mark.parametrize("rules", ["4x6", "3x10,distinct", "3x6,blank", "5x4,black"])
def test_nodes_are_packed_from_at_most_twelve_bytes_a_secret(rules: str) -> None:
    tree = build(load_strategy("entropy"), mastermind(rules))
    _, packed = parts(to_bytes(tree))
    assert len(zlib.decompress(packed)) <= 12 * tree.game.n_secrets


def test_a_file_of_format_1_is_read() -> None:
    tree = load(DATA / "knuth-3x4.tree")
    assert verify(tree).valid
    assert (tree.game.name, tree.strategy, tree.total, tree.worst) == ("3x4", "knuth", 216, 4)


def test_the_reader_in_the_documentation() -> None:
    text = (DATA.parent.parent / "docs" / "tree-format.md").read_text(encoding="utf-8")
    reader: dict[str, Any] = {}
    exec(text.split("```python\n")[1].split("```")[0], reader)
    path = DATA / "knuth-3x4.tree"
    tree = load(path)
    header, data = reader["read_tree"](path)
    assert header["total"] == tree.total
    found = reader["nodes_of"](header, data, tree.game.n_guesses, tree.game.n_marks)
    for array, numbers in zip(tree.nodes[:3], found, strict=True):
        assert array.tolist() == numbers


def test_saved_and_loaded(tmp_path: Path) -> None:
    tree = build(load_strategy("first"), mastermind("3x4"))
    path = tmp_path / "a.tree"
    save(tree, path)
    assert path.read_bytes() == to_bytes(tree)
    assert same(load(path), tree)
    assert list(tmp_path.iterdir()) == [path]


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.tree"
    path.write_text("what was there")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        save(build(load_strategy("first"), mastermind("2x2")), path)
    assert path.read_text() == "what was there"
    assert list(tmp_path.iterdir()) == [path]


# what cannot be stored


@pytest.mark.parametrize("label", [1.5, None, frozenset("a"), b"a", ("a", None)])
def test_labels_that_json_does_not_keep(label: Any) -> None:
    tree = build(load_strategy("first"), FiniteGame(["a", label], lambda g, s: g == s))
    with pytest.raises(TreeFileError, match="has no form in JSON"):
        to_bytes(tree)


def test_malformed_trees_are_not_stored() -> None:
    tree = build(load_strategy("first"), mastermind("3x4"))
    backwards = tree.nodes._replace(mark=tree.nodes.mark[::-1].copy())
    with pytest.raises(TreeFileError, match="cannot be stored"):
        to_bytes(Tree(tree.game, backwards, "backwards"))
    lost = tree.nodes._replace(wins=np.zeros(len(tree), np.bool_))
    with pytest.raises(TreeFileError, match="does not find every secret"):
        to_bytes(Tree(tree.game, lost, "lost"))
