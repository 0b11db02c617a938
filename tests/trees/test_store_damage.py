"""Tree files that are damaged or forged: none is accepted, and none takes memory."""

import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegwise.errors import TreeFileError
from pegwise.game import FiniteGame
from pegwise.strategies import load as load_strategy
from pegwise.trees import build, load
from pegwise.trees.store import from_bytes, to_bytes
from tests.trees.tree_files import arrays, parts, sealed, small_file


@pytest.fixture(scope="module")
def stored() -> bytes:
    return small_file()


# damage


@settings(max_examples=300)
@given(data=st.data())
def test_any_changed_byte_is_refused(stored: bytes, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(stored) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != stored[place]))
    with pytest.raises(TreeFileError, match=r"^'x\.tree' is "):
        from_bytes(stored[:place] + bytes([byte]) + stored[place + 1 :], "x.tree")


def test_every_truncation_is_refused(stored: bytes) -> None:
    for length in range(1, len(stored)):
        with pytest.raises(TreeFileError, match="truncated"):
            from_bytes(stored[:length])


def test_bytes_after_the_end_are_refused(stored: bytes) -> None:
    with pytest.raises(TreeFileError, match="2 bytes follow its end"):
        from_bytes(stored + b"\n\n")


@pytest.mark.parametrize("data", [b"", b"\x89PNG\r\n", b"hello", b"\n" * 100, b"pegwise-trees x\n"])
def test_other_files_are_refused(data: bytes) -> None:
    with pytest.raises(TreeFileError):
        from_bytes(data)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(TreeFileError, match="No such file"):
        load(tmp_path / "nothing")
    with pytest.raises(TreeFileError, match="not a file"):
        load(tmp_path)
    with pytest.raises(TreeFileError, match="not a file"):
        load(Path("/dev/null"))


# forgery: the checksum is right


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"total": 1}, "its header says total 1, but its nodes give"),
        ({"worst": 3}, "its header says worst 3, but its nodes give"),
        ({"histogram": [64]}, "64 nodes|header says histogram"),
        ({"histogram": [1, 2]}, "its histogram counts 3 secrets, but 3x4 has 64"),
        ({"histogram": [1.0, 63]}, "no histogram"),
        ({"histogram": [-1, 65]}, "no histogram"),
        ({"histogram": 64}, "no histogram"),
        ({"secrets": 63}, "63 secrets, but 3x4 has 64"),
        ({"secrets": "64"}, "'64' for 'secrets', not a whole number"),
        ({"secrets": True}, "True for 'secrets'"),
        ({"nodes": 63}, "63 nodes do not fit"),
        ({"nodes": 65}, "not as many as its header says"),
        ({"nodes": 10**18}, "nodes do not fit its histogram"),
        ({"format": 2}, "is of format 2; this version of pegwise reads format 1"),
        ({"format": None}, "None for 'format'"),
        ({"game": {"rules": "3x5"}}, "64 secrets, but 3x5 has 125"),
        ({"game": {"rules": "3x4,blue"}}, "unknown flag"),
        ({"game": {"rules": 7}}, "neither rules nor a name"),
        ({"game": None}, "neither rules nor a name"),
        ({"game": {"name": "x", "secrets": [], "marks": []}}, "the secrets of its game"),
        ({"game": {"name": "x", "secrets": [None] * 64, "marks": [1]}}, "None in its game"),
        ({"game": {"name": "x", "secrets": [*range(64)], "marks": [1]}}, "not as many"),
        ({"weighted": 1}, "does not say whether"),
        ({"weighted": True}, "not as many as its header says"),
        ({"strategy": None}, "names no strategy"),
        ({"options": []}, "options"),
        ({"options": {"a": [1]}}, "options"),
    ],
)
def test_edited_headers_are_refused(stored: bytes, changes: dict[str, Any], reason: str) -> None:
    header, packed = parts(stored)
    with pytest.raises(TreeFileError, match=reason):
        from_bytes(sealed(header | changes, packed))


def test_missing_fields_are_refused(stored: bytes) -> None:
    header, packed = parts(stored)
    for key in header.keys() - {"program"}:
        with pytest.raises(TreeFileError):
            from_bytes(sealed({k: v for k, v in header.items() if k != key}, packed))


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"format":' + b"9" * 5000 + b"}",
        b'{"format":1,"game":{"name":"x","secrets":' + b"[" * 900 + b"]" * 900 + b"}}",
        b'{"format":1,"game":{"name":"x","secrets":' + b"[" * 90_000 + b"]" * 90_000 + b"}}",
    ],
)
def test_headers_that_are_no_header(stored: bytes, header: bytes) -> None:
    with pytest.raises(TreeFileError, match="damaged"):
        from_bytes(sealed(header, parts(stored)[1]))


@pytest.mark.parametrize(
    ("name", "node", "value", "reason"),
    [
        ("guess", 5, 64, "guess number 64, but guess numbers of 3x4 go from 0 to 63"),
        ("guess", 5, 0, "histogram"),
        ("mark", 5, 9, "mark number 9"),
        ("mark", 2, 0, "mark"),
        ("children", 0, 200, "children"),
        ("children", -1, 1, "children"),
        ("wins", 0, 0, "histogram"),
    ],
)
def test_edited_nodes_are_refused(
    stored: bytes, name: str, node: int, value: int, reason: str
) -> None:
    edited = arrays(from_bytes(stored))
    edited[name][node] = value
    packed = zlib.compress(b"".join(array.tobytes() for array in edited.values()))
    with pytest.raises(TreeFileError, match=reason):
        from_bytes(sealed(parts(stored)[0], packed))


def test_nodes_that_come_before_their_parents_are_refused(stored: bytes) -> None:
    edited = arrays(from_bytes(stored))
    edited["children"] = np.roll(edited["children"], 1)
    packed = zlib.compress(b"".join(array.tobytes() for array in edited.values()))
    with pytest.raises(TreeFileError, match="does not come before it"):
        from_bytes(sealed(parts(stored)[0], packed))


@pytest.mark.parametrize("packed", [b"", b"junk", zlib.compress(b""), zlib.compress(b"x")])
def test_nodes_that_do_not_unpack(stored: bytes, packed: bytes) -> None:
    with pytest.raises(TreeFileError, match="its nodes"):
        from_bytes(sealed(parts(stored)[0], packed))


def test_bytes_after_the_packed_nodes_are_refused(stored: bytes) -> None:
    header, packed = parts(stored)
    with pytest.raises(TreeFileError, match="not as many"):
        from_bytes(sealed(header, packed + b"x"))


def zeros(count: int) -> bytes:
    """So many zeros, packed."""
    machine = zlib.compressobj(9)
    block = bytes(1 << 20)
    return b"".join(machine.compress(block) for _ in range(count >> 20)) + machine.flush()


def test_zip_bombs_take_no_memory(stored: bytes) -> None:
    header, _ = parts(stored)
    secrets = 26**5
    claims = {
        "game": {"rules": "5x26"},
        "secrets": secrets,
        "nodes": 10 * secrets,
        "histogram": [0] * 19 + [secrets],
    }
    packed = zeros(1 << 27)
    bombs = [sealed(header, packed), sealed(header | claims, packed)]
    tracemalloc.start()
    for data in bombs:
        with pytest.raises(TreeFileError, match="nodes"):
            from_bytes(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1 << 24


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([0, 1, 2, 0], "a mark that is not listed"),
        ([1, 0, 0, 1], "not numbered by their first appearance"),
        ([0, 0, 0, 0], "winning one"),
    ],
)
def test_forged_tables_are_refused(table: list[int], reason: str) -> None:
    tree = build(load_strategy("first"), FiniteGame("ab", [["=", "!"], ["!", "="]]))
    header, packed = parts(to_bytes(tree))
    payload = bytes(table) + zlib.decompress(packed)[4:]
    with pytest.raises(TreeFileError, match=reason):
        from_bytes(sealed(header, zlib.compress(payload)))


def test_tables_too_large_are_refused_before_memory_is_taken(stored: bytes) -> None:
    header, packed = parts(stored)
    game = {"name": "x", "secrets": list(range(9000)), "marks": [0, 1]}
    with pytest.raises(TreeFileError, match="table of marks is too large"):
        from_bytes(sealed(header | {"game": game, "secrets": 9000}, packed))
