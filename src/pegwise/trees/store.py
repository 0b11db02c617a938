"""Store a tree in one file, and refuse a file that is not whole.

The format is described in `docs/tree-format.md`: a line with length and checksum, a line of JSON
that says what the tree is, and its nodes, packed. The same tree gives the same bytes. Files are
written and read in pieces: beside the tree itself little memory is taken. A file is trusted only
as far as it was checked: sizes before memory is taken, the checksum before anything is read, and
totals against the nodes. Whether the tree plays well is for `verify` to say.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt

from pegwise._version import __version__
from pegwise.errors import (
    InputError,
    OutputError,
    Phrase,
    TooLargeError,
    TreeFileError,
    quoted,
    system_reason,
)
from pegwise.game import FiniteGame
from pegwise.paths import SHARED, replacing
from pegwise.strategies import Nodes, Option
from pegwise.trees.packing import PIECE, Described, Layout, describe, pack, unpack
from pegwise.trees.tree import Tree
from pegwise.trees.verify import structure

FORMAT: Final = 1
MAGIC: Final = b"pegwise-tree "

_FIRST_LINE: Final = re.compile(rb"pegwise-tree sha256=([0-9a-f]{64}) bytes=([0-9]{1,12})\n")
_MAX_FILE: Final = 1 << 30
_MAX_HEADER: Final = 1 << 22
# no first line is longer
_FIRST: Final = 128


def save(tree: Tree, path: Path | str) -> None:
    """Write a tree into a file; the file appears whole or not at all.

    Raises:
        TreeFileError: the tree is malformed, or its game cannot be stored.
        OutputError: the path cannot be written.
    """
    path = Path(path)
    pieces = in_pieces(tree)
    try:
        with replacing(path, SHARED) as beside, beside.open("wb") as file:
            file.writelines(pieces)
    except OSError as error:
        raise OutputError(
            "cannot write {path}: {reason}", path=repr(str(path)), reason=system_reason(error)
        ) from error


def load(path: Path | str) -> Tree:
    """Read a tree from a file.

    Raises:
        TreeFileError: the file is damaged, truncated or foreign, or cannot be read.
    """
    with open_tree(Path(path)) as file:
        return read_from(file, str(path))


@contextmanager
def open_tree(path: Path) -> Iterator[BinaryIO]:
    """A file to read a tree from.

    Raises:
        TreeFileError: it cannot be read, or is too large to be a tree.
    """
    if "\0" in str(path):
        raise TreeFileError("{name} is no path of a file", name=quoted(str(path)))
    try:
        if path.exists() and not path.is_file():
            raise TreeFileError("cannot read {path}: it is not a file", path=repr(str(path)))
        if path.stat().st_size > _MAX_FILE:
            raise TreeFileError(
                "cannot read {path}: it is too large to be a tree", path=repr(str(path))
            )
        with path.open("rb") as file:
            yield file
    except OSError as error:
        raise TreeFileError(
            "cannot read {path}: {reason}", path=repr(str(path)), reason=system_reason(error)
        ) from error


def to_bytes(tree: Tree) -> bytes:
    """A tree as the content of a file; the same tree always gives the same bytes.

    Raises:
        TreeFileError: the tree is malformed, its totals do not follow from its nodes, or its game
            cannot be stored.
    """
    return b"".join(in_pieces(tree))


def in_pieces(tree: Tree) -> list[bytes]:
    """Likewise in pieces; those of the nodes are packed as they are made.

    Raises:
        TreeFileError: as `to_bytes`.
    """
    game, nodes = tree.game, tree.nodes
    problems = structure(tree)
    if not problems and not (tree.depths() > 0).all():
        problems = [Phrase("it does not find every secret")]
    if problems:
        raise TreeFileError("this tree cannot be stored: {problem}", problem=problems[0])
    header = {
        "format": FORMAT,
        "program": f"pegwise {__version__}",
        "game": describe(game),
        "weighted": game.weights is not None,
        "strategy": tree.strategy,
        "options": dict(tree.options),
        "secrets": game.n_secrets,
        "nodes": len(tree),
        "total": tree.total,
        "worst": tree.worst,
        "histogram": tree.histogram(),
    }
    line = json.dumps(header, separators=(",", ":")).encode() + b"\n"
    layout = Layout.of(
        Described.read(json.loads(line)["game"]), len(tree), weighted=game.weights is not None
    )
    nothing = np.zeros(0, np.int64)
    arrays = (
        game.table.ravel() if isinstance(game, FiniteGame) else nothing,
        nothing if game.weights is None else game.weights,
        nodes.guess,
        nodes.mark,
        np.bincount(nodes.parent[1:], minlength=len(tree)),
        np.packbits(nodes.wins),
    )
    pieces = [line, *pack(arrays, layout)]
    size = sum(map(len, pieces))
    if len(line) > _MAX_HEADER or size > _MAX_FILE or layout.bloated(size - len(line)):
        raise TreeFileError(
            "a tree of {game} with {nodes} nodes is too large to store",
            game=game.name,
            nodes=len(tree),
        )
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return [f"pegwise-tree sha256={digest.hexdigest()} bytes={size}\n".encode(), *pieces]


def from_bytes(data: bytes, name: str = "tree") -> Tree:
    """A tree from the content of a file.

    Args:
        data: what `to_bytes` gave.
        name: what errors call it.

    Raises:
        TreeFileError: the data are damaged, truncated, foreign, or contradict themselves.
    """
    return read_from(io.BytesIO(data), name)


def read_from(file: BinaryIO, name: str) -> Tree:
    """A tree from a file that can be read twice: once for its checksum, then for the tree.

    Raises:
        TreeFileError: as `from_bytes`, which see.
    """
    try:
        return _read(file)
    except TreeFileError as error:
        raise TreeFileError("{name} {error}", name=repr(name), error=error) from None
    except InputError as error:
        raise TreeFileError("{name} is damaged: {error}", name=repr(name), error=error) from None
    except RecursionError:
        raise TreeFileError(
            "{name} is damaged: its header is nested too deeply", name=repr(name)
        ) from None
    except TooLargeError as error:
        raise TreeFileError(
            "{name} cannot be read: {error}", name=repr(name), error=error
        ) from None


def _read(file: BinaryIO) -> Tree:
    start = file.readline(_FIRST)
    first = _FIRST_LINE.match(start)
    if first is None:
        if MAGIC.startswith(start[: len(MAGIC)]):
            raise TreeFileError("is truncated or damaged: its first line is not whole")
        raise TreeFileError("is not a pegwise tree file")
    digest, there = hashlib.sha256(), 0
    while piece := file.read(PIECE):
        digest.update(piece)
        there += len(piece)
    length = int(first[2])
    if there < length:
        raise TreeFileError(
            "is truncated: {there} of {length} bytes are there", there=there, length=length
        )
    if there > length:
        raise TreeFileError("is damaged: {n} bytes follow its end", n=there - length)
    if digest.hexdigest().encode() != first[1]:
        raise TreeFileError("is damaged: its checksum does not match")
    file.seek(first.end())
    head = file.readline(_MAX_HEADER)
    if not head.endswith(b"\n"):
        raise TreeFileError("is damaged: its header has no end")
    header = _Header(head[:-1])
    return header.tree(unpack(file, length - len(head), header.layout))


class _Header:
    """The JSON line, checked."""

    def __init__(self, line: bytes) -> None:
        try:
            document = json.loads(line)
        except ValueError:
            raise TreeFileError("is damaged: its header is not JSON") from None
        if not isinstance(document, dict):
            raise TreeFileError("is damaged: its header is no JSON object")
        self.document = document
        if (found := self.number("format")) != FORMAT:
            raise TreeFileError(
                "is of format {found}; this version of pegwise reads format {format}",
                found=found,
                format=FORMAT,
            )
        self.game = Described.read(document.get("game"))
        if self.number("secrets") != self.game.n_secrets:
            raise InputError(
                "its header says {number} secrets, but {game} has {secrets}",
                number=self.number("secrets"),
                game=self.game.name,
                secrets=self.game.n_secrets,
            )
        histogram = document.get("histogram")
        if not isinstance(histogram, list) or not all(_is_count(count) for count in histogram):
            raise InputError("its header has no histogram")
        if sum(histogram) != self.game.n_secrets:
            raise InputError(
                "its histogram counts {sum} secrets, but {game} has {secrets}",
                sum=sum(histogram),
                game=self.game.name,
                secrets=self.game.n_secrets,
            )
        most = sum(turn * count for turn, count in enumerate(histogram, 1))
        if not self.game.n_secrets <= self.number("nodes") <= most:
            raise InputError("{number} nodes do not fit its histogram", number=self.number("nodes"))
        weighted = document.get("weighted")
        if not isinstance(weighted, bool):
            raise InputError("its header does not say whether secrets are weighted")
        self.layout = Layout.of(self.game, self.number("nodes"), weighted=weighted)

    def number(self, key: str) -> int:
        value = self.document.get(key)
        if isinstance(value, int) and _is_count(value):
            return value
        raise InputError(
            "its header says {value} for {key}, not a whole number",
            value=quoted(value),
            key=repr(key),
        )

    def tree(self, arrays: list[npt.NDArray[Any]]) -> Tree:
        """The tree made of the arrays of the layout."""
        table, weights, guess, mark, children, wins = arrays
        weighted = self.layout.weights[0] > 0
        game = self.game.build(table, weights.astype(np.int64) if weighted else None)
        if int(children.sum()) != len(guess) - 1:
            raise InputError("the children of its nodes are not as many as its nodes")
        parent = np.full(len(guess), -1, np.int32)
        parent[1:] = np.repeat(np.arange(len(guess), dtype=np.int32), children)
        won = np.unpackbits(wins, count=len(guess)).astype(np.bool_)
        nodes = Nodes(guess.astype(np.int32), parent, mark, won)
        strategy, options = self._made_by()
        tree = Tree(game, nodes, strategy, options)
        if problems := structure(tree):
            raise InputError(problems[0])
        for key, found in (
            ("histogram", tree.histogram()),
            ("total", tree.total),
            ("worst", tree.worst),
        ):
            if self.document.get(key) != found:
                raise InputError(
                    "its header says {key} {told}, but its nodes give {found}",
                    key=key,
                    told=quoted(self.document.get(key)),
                    found=quoted(found),
                )
        return tree

    def _made_by(self) -> tuple[str, dict[str, Option]]:
        strategy, options = self.document.get("strategy"), self.document.get("options")
        if not isinstance(strategy, str):
            raise InputError("its header names no strategy")
        if not isinstance(options, dict) or not all(
            isinstance(value, str | int) for value in options.values()
        ):
            raise InputError(
                "the options in its header are not texts, whole numbers, true or false"
            )
        return strategy, options


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
