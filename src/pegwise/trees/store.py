"""Store a tree in one file, and refuse a file that is not whole.

The format is described in `docs/tree-format.md`: a line with length and checksum, a line of JSON
that says what the tree is, and its nodes, packed. The same tree gives the same bytes. Files are
written and read in pieces, which takes little memory. Sizes are checked before memory is taken,
the checksum before anything is read, totals against the nodes. Whether the tree plays well is for
`verify` to say.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import zlib
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt

from pegwise._version import __version__
from pegwise.arrays import I64, countable
from pegwise.errors import (
    InputError,
    Phrase,
    TooLargeError,
    TreeFileError,
    quoted,
    system_reason,
)
from pegwise.game import (
    FiniteGame,
    Game,
    WordList,
    game_of,
)
from pegwise.game.names import flagged_words
from pegwise.strategies import Nodes
from pegwise.trees.tree import Tree
from pegwise.trees.verify import structure

FORMAT: Final = 1
MAGIC: Final = b"pegwise-tree "

_FIRST_LINE: Final = re.compile(rb"pegwise-tree sha256=([0-9a-f]{64}) bytes=([0-9]{1,12})\n")
_LONGEST_FIRST_LINE: Final = 128  # bytes: damaged files may have no line at all
_MAX_FILE: Final = 1 << 30  # bytes of a tree file
_MAX_HEADER: Final = 1 << 22  # bytes of the line that describes the game
_MAX_CELLS: Final = 1 << 26  # marks of a game's own table in a file
_PIECE: Final = 1 << 18  # bytes at a time

# the nodes of real trees never pack better than this beyond the slack; zip bombs do
_MAX_RATIO: Final = 32
_SLACK: Final = 1 << 20

Array = npt.NDArray[Any]
Layout = dict[str, tuple[int, int]]  # length of each packed array, bytes of a number


def to_bytes(tree: Tree) -> bytes:
    """A tree as the content of a file; the same tree always gives the same bytes."""
    return b"".join(in_pieces(tree))


def in_pieces(tree: Tree) -> list[bytes]:
    """The content of the file of a tree, in pieces that are not copied into one."""
    game, nodes = tree.game, tree.nodes
    problems = structure(tree)
    if not problems and not tree.depths.all():
        problems = [Phrase("it does not find every secret")]
    if problems:
        raise TreeFileError("this tree cannot be stored: {problem}", problem=problems[0])
    header = {
        "format": FORMAT,
        "program": f"pegwise {__version__}",
        "game": _describe(game),
        "weighted": game.weights is not None,
        "strategy": tree.strategy,
        "options": dict(tree.options),
        "secrets": game.n_secrets,
        "nodes": len(tree),
        **_totals(tree),
    }
    line = json.dumps(header, separators=(",", ":")).encode() + b"\n"
    layout = _layout(game, len(tree), not game.text, game.weights is not None)
    nothing = np.zeros(0, np.int64)
    arrays = {
        "table": game.table.ravel() if not game.text else nothing,
        "weights": nothing if game.weights is None else game.weights,
        "guess": nodes.guess,
        "mark": nodes.mark,
        "children": np.bincount(nodes.parent[1:], minlength=len(tree)),
        "wins": np.packbits(nodes.wins),
    }
    pieces = [line, *_pack(arrays, layout)]
    size = sum(map(len, pieces))
    if len(line) > _MAX_HEADER or size > _MAX_FILE or _is_bloated(layout, size - len(line)):
        raise TreeFileError(
            "a tree of {game} with {nodes} nodes is too large to store",
            game=game.name,
            nodes=len(tree),
        )
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return [f"pegwise-tree sha256={digest.hexdigest()} bytes={size}\n".encode(), *pieces]


@contextmanager
def open_tree(path: Path) -> Iterator[BinaryIO]:
    """A file to read a tree from; TreeFileError where it cannot be read or is too large."""
    if "\0" in str(path):
        raise TreeFileError("{name} is not the path of a file", name=quoted(str(path)))
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


def from_bytes(data: bytes | memoryview, name: str = "tree") -> Tree:
    """A tree from what `to_bytes` gave; errors call it `name`."""
    return read_from(io.BytesIO(data), name)


def read_from(file: BinaryIO, name: str) -> Tree:
    """A tree from a file that can be read twice; errors as `from_bytes`."""
    try:
        return _read(file)
    except TreeFileError as error:
        template, why = Phrase("{name} {error}"), error.phrase
    except InputError as error:
        template, why = Phrase("{name} is damaged: {error}"), error.phrase
    except TooLargeError as error:
        template, why = Phrase("{name} cannot be read: {error}"), error.phrase
    except (ValueError, RecursionError) as error:
        raise TreeFileError(
            "{name} is damaged: its header does not describe its nodes", name=repr(name)
        ) from error
    raise TreeFileError(Phrase(template, name=repr(name), error=why))


def _read(file: BinaryIO) -> Tree:
    start = file.readline(_LONGEST_FIRST_LINE)
    first = _FIRST_LINE.match(start)
    if first is None:
        if MAGIC.startswith(start[: len(MAGIC)]):
            raise TreeFileError("is truncated or damaged: its first line is not whole")
        raise TreeFileError("is not a pegwise tree file")
    digest, size = hashlib.sha256(), 0
    while piece := file.read(_PIECE):
        digest.update(piece)
        size += len(piece)
    length = int(first[2])
    if size < length:
        raise TreeFileError(
            "is truncated: {size} of {length} bytes are there", size=size, length=length
        )
    if size > length:
        raise TreeFileError("is damaged: {n} bytes follow its end", n=size - length)
    if digest.hexdigest().encode() != first[1]:
        raise TreeFileError("is damaged: its checksum does not match")
    file.seek(first.end())
    head = file.readline(_MAX_HEADER)
    if not head.endswith(b"\n"):
        raise ValueError("no end of the header")
    header, game = _header(head[:-1])
    layout = _layout(game, header["nodes"], game.game is None, header["weighted"])
    if _is_bloated(layout, length - len(head)):
        raise ValueError("more nodes than the size of the file can hold")
    return _tree(header, game, _unpack(file, layout))


def _header(line: bytes) -> tuple[dict[str, Any], _StoredGame]:
    """The JSON line, checked, and its game."""
    header = json.loads(line)
    if not isinstance(header, dict):
        raise ValueError("no JSON object")
    if (number := _number(header, "format")) != FORMAT:
        raise TreeFileError(
            "is of format {number}; this version of pegwise reads format {format}",
            number=number,
            format=FORMAT,
        )
    game = _StoredGame.read(header.get("game"))
    secrets, nodes = _number(header, "secrets"), _number(header, "nodes")
    histogram = header.get("histogram")
    if not isinstance(histogram, list) or not all(map(_is_count, histogram)):
        raise ValueError("no histogram")
    if not secrets == sum(histogram) == game.n_secrets:
        raise ValueError("another number of secrets")
    if not secrets <= nodes <= sum(turn * n for turn, n in enumerate(histogram, 1)):
        raise ValueError("another number of nodes")
    if not isinstance(header.get("weighted"), bool):
        raise ValueError("no weighted")
    if not isinstance(header.get("strategy"), str):
        raise ValueError("no strategy")
    options = header.get("options")
    if not isinstance(options, dict) or any(
        not isinstance(value, str | int) for value in options.values()
    ):
        raise ValueError("options are not texts, whole numbers, true or false")
    return header, game


def _number(header: dict[str, Any], key: str) -> int:
    value = header.get(key)
    if isinstance(value, int) and _is_count(value):
        return value
    raise ValueError(f"{key} is not a whole number")


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _tree(header: dict[str, Any], stored: _StoredGame, arrays: dict[str, Array]) -> Tree:
    """The tree of a header and its arrays, checked."""
    guess, children = arrays["guess"].astype(np.int32), arrays["children"]
    weights = arrays["weights"].astype(np.int64) if header["weighted"] else None
    game = stored.build(arrays["table"], weights)
    if int(children.sum()) != len(guess) - 1:
        raise ValueError("another number of children")
    parent = np.full(len(guess), -1, np.int32)
    parent[1:] = np.repeat(np.arange(len(guess), dtype=np.int32), countable(children))
    wins = np.unpackbits(arrays["wins"], count=len(guess)).astype(np.bool_)
    nodes = Nodes(guess, parent, arrays["mark"], wins)
    tree = Tree(game, nodes, header["strategy"], header["options"])
    if problems := structure(tree):
        raise InputError(problems[0])
    for key, value in _totals(tree).items():
        if header.get(key) != value:
            raise ValueError(f"another {key}")
    return tree


def _totals(tree: Tree) -> dict[str, Any]:
    return {"total": tree.total, "worst": tree.worst, "histogram": list(tree.histogram)}


@dataclass(frozen=True, slots=True)
class _StoredGame:
    """A game as its file describes it, not yet built: sizes come before memory is taken."""

    name: str
    n_secrets: int
    n_guesses: int
    n_marks: int
    game: Game | None
    labels: tuple[list[Hashable], list[Hashable], list[Hashable]] = ([], [], [])
    """Guesses, secrets and marks of a finite game."""

    @classmethod
    def read(cls, document: Any) -> _StoredGame:
        """From the JSON that `_describe` wrote."""
        if not isinstance(document, dict):
            document = {}
        if isinstance(document.get("rules"), str):
            game = _named(document)
            return cls(game.name, game.n_secrets, game.n_guesses, game.n_marks, game)
        if not isinstance(document.get("name"), str):
            raise ValueError("a game without rules and name")
        secrets, marks = _labels(document, "secrets"), _labels(document, "marks")
        listed = document.get("guesses") is not None
        guesses = _labels(document, "guesses") if listed else secrets
        if len(guesses) * len(secrets) > _MAX_CELLS:
            raise TooLargeError("its table of marks is too large")
        sizes = len(secrets), len(guesses), len(marks)
        return cls(document["name"], *sizes, None, (guesses, secrets, marks))

    def build(self, table: Array, weights: I64 | None) -> Game:
        """The game with this table of marks by guess and secret, and these weights."""
        if self.game is not None:
            game = game_of(self.game)
            own = weights is None or (game.jar and np.array_equal(game.frequencies(), weights))
            return game if own else game_of(game, weights)
        guesses, secrets, marks = self.labels
        if table.max(initial=0) >= len(marks):
            raise ValueError("a mark that is not listed")
        square = table.reshape(len(guesses), len(secrets))
        rows = [[marks[number] for number in row] for row in square.tolist()]
        game = FiniteGame(secrets, rows, guesses, name=self.name, weights=weights)
        if (game.table != square).any():
            raise ValueError("marks are not numbered by their first appearance")
        return game


def _layout(game: Game | _StoredGame, nodes: int, table: bool, weighted: bool) -> Layout:
    """How the arrays of a tree of `nodes` nodes are packed, with or without table and weights."""
    return {
        "table": (game.n_guesses * game.n_secrets if table else 0, _width(game.n_marks - 1)),
        "weights": (game.n_secrets if weighted else 0, 8),
        "guess": (nodes, _width(game.n_guesses - 1)),
        "mark": (nodes, _width(game.n_marks - 1)),
        "children": (nodes, _width(game.n_marks)),
        "wins": ((nodes + 7) // 8, 1),
    }


def _describe(game: Game) -> dict[str, Any]:
    """A game as JSON, but for its table of marks and its weights."""
    if game.text:
        return {"rules": str(game), **game.alphabet.document}
    if game.n_guesses * game.n_secrets > _MAX_CELLS:
        why = Phrase("its table has more than {most} marks", most=_MAX_CELLS)
        raise TreeFileError("a tree of {game} cannot be stored: {why}", game=game.name, why=why)
    secrets = [game.secret(number) for number in range(game.n_secrets)]
    guesses = [game.guess(number) for number in range(game.n_guesses)]
    marks = [game.mark(number) for number in range(game.n_marks)]
    for label in (*secrets, *guesses, *marks):
        try:
            survives = _label(json.loads(json.dumps(label))) == label
        except (TypeError, ValueError, RecursionError):
            survives = False
        if not survives:
            raise TreeFileError(
                "a tree of {game} cannot be stored: {label} has no form in JSON; use texts, "
                "whole numbers and tuples of them",
                game=game.name,
                label=quoted(label),
            )
    return {
        "name": game.name,
        "secrets": secrets,
        "guesses": None if guesses == secrets else guesses,
        "marks": marks,
    }


def _named(document: dict[str, Any]) -> Game:
    """The game of a text, whose list of words stands beside them."""
    text = document["rules"]
    if "words" not in document:
        return game_of(text)
    head, *flags = text.split(",")
    try:
        secrets, only_guesses = document["words"]
        words = WordList.of(head.partition("@")[0], secrets, only_guesses)
    except (TypeError, AttributeError) as error:
        raise ValueError("no list of words") from error
    if str(words) != head:
        raise ValueError("words of another list")
    return flagged_words(words, flags, text)


def _labels(document: dict[str, Any], key: str) -> list[Hashable]:
    values = document.get(key)
    if not isinstance(values, list) or not values:
        raise ValueError(f"{key} is not a list")
    return [_label(value) for value in values]


def _label(value: Any) -> Hashable:
    """A label from JSON, where tuples are lists."""
    if isinstance(value, list):
        return tuple(_label(part) for part in value)
    if not isinstance(value, str | int):
        raise ValueError("neither text, whole number nor list")
    return value


def _width(top: int) -> int:
    """Bytes that hold the numbers from 0 to top."""
    return max(1, (top.bit_length() + 7) // 8)


def _is_bloated(layout: Layout, packed: int) -> bool:
    """Whether this number of bytes is more than the nodes of any tree unpack to."""
    size = sum(count * width for name, (count, width) in layout.items() if name != "table")
    return size > _SLACK + _MAX_RATIO * packed


def _pack(arrays: dict[str, Array], layout: Layout) -> list[bytes]:
    """The arrays of a layout in pieces: all lowest bytes of an array, then all next ones.

    Equal high bytes pack well side by side.
    """
    machine = zlib.compressobj(9)
    pieces = []
    for name, (_, width) in layout.items():
        values = arrays[name]
        for plane in range(width):
            for start in range(0, len(values), _PIECE):
                octets = np.ascontiguousarray(values[start : start + _PIECE], "<i8").view(np.uint8)
                pieces.append(machine.compress(octets[plane::8].tobytes()))
    return [*pieces, machine.flush()]


def _unpack(file: BinaryIO, layout: Layout) -> dict[str, Array]:
    """The arrays of a layout, whole numbers of the smallest type, from the rest of a file."""
    packed = _Packed(file)
    wrong = ValueError("another number of nodes")
    arrays: dict[str, Array] = {}
    for name, (count, width) in layout.items():
        values = arrays[name] = np.zeros(count, np.min_scalar_type(256**width - 1))
        for plane in range(width):
            for start in range(0, count, _PIECE):
                part = values[start : start + _PIECE]
                octets = np.frombuffer(packed.take(len(part)), np.uint8)
                if len(octets) < len(part):
                    raise wrong
                part |= octets.astype(values.dtype) << (8 * plane)
    if not packed.at_end():
        raise wrong
    return arrays


class _Packed:
    """The packed bytes that are the rest of a file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._machine = file, zlib.decompressobj()

    def take(self, size: int) -> bytes:
        """The next `size` bytes, fewer at the end; ValueError where they do not unpack."""
        taken: list[bytes] = []
        machine = self._machine
        while size > 0 and not machine.eof:
            packed = machine.unconsumed_tail or self._file.read(_PIECE)
            try:
                octets = machine.decompress(packed, size)
            except zlib.error:
                raise ValueError("nodes do not unpack") from None
            if not octets and not packed:
                break
            taken.append(octets)
            size -= len(octets)
        return b"".join(taken)

    def at_end(self) -> bool:
        """Whether all is taken, and nothing follows in the file."""
        more = self.take(1) or not self._machine.eof or self._machine.unused_data
        return not more and not self._file.read(1)
