"""Tree files: what is written comes back; damaged or forged files are refused."""

import hashlib
import json
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegwise._version import __version__
from pegwise.errors import InputError, TreeFileError
from pegwise.game import FiniteGame, Mastermind, Rules
from pegwise.paths import TREE_SUFFIXES
from pegwise.trees import Tree, build, load_tree, save_tree, verify
from pegwise.trees.store import from_bytes, to_bytes
from tests.trees.wandering import finite_trees, same_nodes, trees

DATA = Path(__file__).parent.parent / "data"


@pytest.fixture(scope="module")
def stored() -> bytes:
    """The file of a small tree."""
    return to_bytes(build("3x4", "first"))


def parts(data: bytes) -> tuple[dict[str, Any], bytes]:
    """Header and packed nodes of a tree file."""
    _, header, packed = data.split(b"\n", 2)
    return json.loads(header), packed


def sealed(header: dict[str, Any] | bytes, packed: bytes) -> bytes:
    """A tree file with a right checksum, whatever it says."""
    line = header if isinstance(header, bytes) else json.dumps(header).encode()
    rest = line + b"\n" + packed
    digest = hashlib.sha256(rest).hexdigest()
    return f"pegwise-tree sha256={digest} bytes={len(rest)}\n".encode() + rest


def arrays(tree: Tree) -> dict[str, Any]:
    """The packed arrays of a small tree by name, as docs/tree-format.md describes them."""
    nodes = tree.nodes
    return {
        "guess": nodes.guess.astype(np.uint8),
        "mark": nodes.mark.astype(np.uint8),
        "children": np.bincount(nodes.parent[1:], minlength=len(tree)).astype(np.uint8),
        "wins": np.packbits(nodes.wins),
    }


def packed_arrays(edited: dict[str, Any]) -> bytes:
    return zlib.compress(b"".join(array.tobytes() for array in edited.values()))


def same(first: Tree, second: Tree) -> bool:
    """Whether two trees are the same to the last bit."""
    return (
        first.game.name == second.game.name
        and first.strategy == second.strategy
        and dict(first.options) == dict(second.options)
        and same_nodes(first, second)
    )


@pytest.mark.parametrize("suffix", ["", ".best", ".png", ".svg"])
def test_another_suffix_is_refused(tmp_path: Path, suffix: str) -> None:
    for path in (tmp_path / f"k{suffix}", tmp_path / f"k{suffix.upper()}"):
        with pytest.raises(InputError):
            save_tree(build("2x2", "first"), path)
        with pytest.raises(InputError):
            save_tree(build("2x2", "first"), str(path))
        assert not path.exists()


@pytest.mark.parametrize("suffix", sorted({*TREE_SUFFIXES} - {".svg"}))
def test_a_suffix_chooses_the_format(tmp_path: Path, suffix: str) -> None:
    tree, path = build("3x3", "knuth"), tmp_path / f"k{suffix}"
    save_tree(tree, path)
    assert path.stat().st_size
    if suffix not in {".csv", ".dot", ".gv"}:  # those are for other programs
        assert load_tree(path) == tree


@given(st.one_of(trees(), finite_trees()))
def test_trees_come_back_with_their_game(tree: Tree) -> None:
    data = to_bytes(tree)
    again = from_bytes(data)
    assert same(tree, again)
    assert to_bytes(again) == data
    old, new = tree.game, again.game
    if isinstance(old, Mastermind):
        assert new is old
        return
    for read, count in (("secret", "n_secrets"), ("guess", "n_guesses"), ("mark", "n_marks")):
        first, second = (
            [getattr(game, read)(k) for k in range(getattr(game, count))] for game in (old, new)
        )
        assert first == second
    assert isinstance(old, FiniteGame)
    assert isinstance(new, FiniteGame)
    assert np.array_equal(new.table, old.table)
    assert np.array_equal(new.weights, old.weights)  # type: ignore[arg-type]
    assert verify(again).valid


def test_a_weighted_board_comes_back() -> None:
    weights = np.arange(1, 17) ** 8
    tree = build(Mastermind(Rules.parse("2x4"), weights), "first")
    again = from_bytes(to_bytes(tree))
    assert np.array_equal(again.game.weights, weights)  # type: ignore[arg-type]
    assert to_bytes(again) == to_bytes(tree)


def test_the_format_is_as_described(stored: bytes) -> None:
    tree = build("3x4,distinct", "random:seed=7")
    assert parts(to_bytes(tree))[0] == {
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
        "histogram": list(tree.histogram),
    }
    first, rest = stored.split(b"\n", 1)
    digest = hashlib.sha256(rest).hexdigest()
    assert first.decode() == f"pegwise-tree sha256={digest} bytes={len(rest)}"
    payload = b"".join(array.tobytes() for array in arrays(from_bytes(stored)).values())
    assert zlib.decompress(parts(stored)[1]) == payload


def test_a_file_of_format_1_is_read() -> None:
    path = DATA / "knuth-3x4.tree"
    tree = load_tree(path)
    assert verify(tree).valid
    assert (tree.game.name, tree.strategy, tree.total, tree.worst) == ("3x4", "knuth", 216, 4)
    # also by the reader in the documentation
    text = (DATA.parent.parent / "docs" / "tree-format.md").read_text(encoding="utf-8")
    reader: dict[str, Any] = {}
    exec(text.split("```python\n")[1].split("```")[0], reader)
    header, data = reader["read_tree"](path)
    assert header["total"] == tree.total
    nodes = reader["nodes_of"](header, data, tree.game.n_guesses, tree.game.n_marks)
    for array, numbers in zip(tree.nodes[:3], nodes, strict=True):
        assert array.tolist() == numbers


def test_saved_and_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree = build("3x4", "first")
    path = tmp_path / "a.tree"
    save_tree(tree, path)
    assert path.read_bytes() == to_bytes(tree)
    assert same(load_tree(path), tree)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        save_tree(build("2x2", "first"), path)
    assert same(load_tree(path), tree)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("label", [1.5, frozenset("a"), b"a", ("a", None)])
def test_labels_that_json_does_not_keep(label: Any) -> None:
    tree = build(FiniteGame(["a", label], lambda g, s: g == s), "first")
    with pytest.raises(TreeFileError):
        to_bytes(tree)


def test_malformed_trees_are_not_stored() -> None:
    tree = build("3x4", "first")
    for nodes, reason in (
        (tree.nodes._replace(mark=tree.nodes.mark[::-1].copy()), "cannot be stored"),
        (tree.nodes._replace(wins=np.zeros(len(tree), np.bool_)), "does not find every secret"),
    ):
        with pytest.raises(TreeFileError, match=reason):
            to_bytes(Tree(tree.game, nodes, "malformed"))


# damage


@settings(max_examples=150)
@given(data=st.data())
def test_any_changed_byte_is_refused(stored: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(stored) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != stored[place]))
    with pytest.raises(TreeFileError, match=r"^'x\.tree' is "):
        from_bytes(stored[:place] + bytes([byte]) + stored[place + 1 :], "x.tree")


def test_truncated_and_other_files_are_refused(stored: bytes, tmp_path: Path) -> None:
    for length in range(1, len(stored)):
        with pytest.raises(TreeFileError):
            from_bytes(stored[:length])
    with pytest.raises(TreeFileError):
        from_bytes(stored + b"\n\n")
    for data in (b"", b"\x89PNG\r\n", b"hello", b"\n" * 100, b"pegwise-trees x\n"):
        with pytest.raises(TreeFileError):
            from_bytes(data)
    for path, reason in (
        (tmp_path / "nothing", "No such file"),
        (tmp_path, "not a file"),
        (Path("/dev/null"), "not a file"),
    ):
        with pytest.raises(TreeFileError, match=reason):
            load_tree(path)


# forgery: the checksum is right


@pytest.mark.parametrize(
    "changes",
    [
        {"total": 1},
        {"worst": 3},
        {"histogram": [64]},
        {"histogram": [1, 2]},
        {"histogram": [1.0, 63]},
        {"histogram": [-1, 65]},
        {"secrets": 63},
        {"secrets": True},
        {"nodes": 63},
        {"nodes": 65},
        {"nodes": 10**18},
        {"format": 2},
        {"format": None},
        {"game": {"rules": "3x5"}},
        {"game": {"rules": "3x4,blue"}},
        {"game": None},
        {"game": {"name": "x", "secrets": [], "marks": []}},
        {"game": {"name": "x", "secrets": [None] * 64, "marks": [1]}},
        {"game": {"name": "x", "secrets": [*range(64)], "marks": [1]}},
        {"weighted": 1},
        {"weighted": True},
        {"strategy": None},
        {"options": {"a": [1]}},
    ],
)
def test_edited_headers_are_refused(stored: bytes, changes: dict[str, Any]) -> None:
    header, packed = parts(stored)
    with pytest.raises(TreeFileError):
        from_bytes(sealed(header | changes, packed))


def test_another_format_is_named(stored: bytes) -> None:
    header, packed = parts(stored)
    with pytest.raises(TreeFileError, match="of format 2; this version of pegwise reads format 1"):
        from_bytes(sealed(header | {"format": 2}, packed))


def test_missing_fields_are_refused(stored: bytes) -> None:
    header, packed = parts(stored)
    for key in header.keys() - {"program"}:
        with pytest.raises(TreeFileError):
            from_bytes(sealed({k: v for k, v in header.items() if k != key}, packed))


@pytest.mark.parametrize(
    "header",
    [
        *(b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000),
        b'{"format":' + b"9" * 5000 + b"}",
        b'{"format":1,"game":{"name":"x","secrets":' + b"[" * 900 + b"]" * 900 + b"}}",
        b'{"format":1,"game":{"name":"x","secrets":' + b"[" * 90_000 + b"]" * 90_000 + b"}}",
    ],
)
def test_headers_that_are_no_header(stored: bytes, header: bytes) -> None:
    with pytest.raises(TreeFileError):
        from_bytes(sealed(header, parts(stored)[1]))


@pytest.mark.parametrize(
    ("name", "node", "value", "reason"),
    [
        ("guess", 5, 64, "guess number 64, but guess numbers of 3x4 go from 0 to 63"),
        ("guess", 5, 0, "damaged"),
        ("mark", 5, 9, "mark number 9"),
        ("mark", 2, 0, "mark"),
        ("children", 0, 200, "damaged"),
        ("children", -1, 1, "damaged"),
        ("wins", 0, 0, "damaged"),
    ],
)
def test_edited_nodes_are_refused(
    stored: bytes, name: str, node: int, value: int, reason: str
) -> None:
    edited = arrays(from_bytes(stored))
    edited[name][node] = value
    with pytest.raises(TreeFileError, match=reason):
        from_bytes(sealed(parts(stored)[0], packed_arrays(edited)))


def test_nodes_that_do_not_unpack(stored: bytes) -> None:
    edited = arrays(from_bytes(stored))
    edited["children"] = np.roll(edited["children"], 1)
    with pytest.raises(TreeFileError):
        from_bytes(sealed(parts(stored)[0], packed_arrays(edited)))
    header, packed = parts(stored)
    for damaged in (b"", b"junk", zlib.compress(b""), zlib.compress(b"x"), packed + b"x"):
        with pytest.raises(TreeFileError):
            from_bytes(sealed(header, damaged))
    short = zlib.compressobj()
    unfinished = short.compress(zlib.decompress(packed)) + short.flush(zlib.Z_SYNC_FLUSH)
    with pytest.raises(TreeFileError):
        from_bytes(sealed(header, unfinished))


def test_files_that_claim_too_much_take_no_memory(stored: bytes) -> None:
    header, packed = parts(stored)
    secrets = 26**5
    claims = {
        "game": {"rules": "5x26"},
        "secrets": secrets,
        "nodes": 10 * secrets,
        "histogram": [0] * 19 + [secrets],
    }
    machine = zlib.compressobj(1)
    zeros = b"".join(machine.compress(bytes(1 << 20)) for _ in range(64)) + machine.flush()
    game = {"name": "x", "secrets": list(range(9000)), "marks": [0, 1]}
    tracemalloc.start()
    for forged, body, reason in (
        (header, zeros, "nodes"),
        (header | claims, zeros, "nodes"),
        (header | {"game": game, "secrets": 9000}, packed, "table of marks is too large"),
    ):
        with pytest.raises(TreeFileError, match=reason):
            from_bytes(sealed(forged, body))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 24


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([0, 1, 2, 0], "damaged"),
        ([1, 0, 0, 1], "damaged"),
        ([0, 0, 0, 0], "winning one"),
    ],
)
def test_forged_tables_are_refused(table: list[int], reason: str) -> None:
    tree = build(FiniteGame("ab", [["=", "!"], ["!", "="]]), "first")
    header, packed = parts(to_bytes(tree))
    payload = bytes(table) + zlib.decompress(packed)[4:]
    with pytest.raises(TreeFileError, match=reason):
        from_bytes(sealed(header, zlib.compress(payload)))
