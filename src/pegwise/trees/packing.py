"""How the game of a stored tree is described in its file: rules, or a finite game in full."""

from __future__ import annotations

import json
import zlib
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pegwise.arrays import I64
from pegwise.errors import InputError, TooLargeError, TreeFileError, quoted
from pegwise.game import FiniteGame, Game, Mastermind, Rules, mastermind

_MAX_CELLS: Final = 1 << 26


@dataclass(frozen=True, slots=True)
class Described:
    """A game as its file describes it, not yet built: sizes come before memory is taken.

    Attributes:
        name: what people call the game.
        n_secrets: number of secrets.
        n_guesses: number of guesses.
        n_marks: number of marks.
        rules: for a board.
        labels: of a finite game: its guesses, secrets and marks.
    """

    name: str
    n_secrets: int
    n_guesses: int
    n_marks: int
    rules: Rules | None
    labels: tuple[list[Hashable], list[Hashable], list[Hashable]] = ([], [], [])

    @classmethod
    def read(cls, document: Any) -> Described:
        """From the JSON that `describe` wrote.

        Raises:
            InputError: it is something else.
        """
        if isinstance(document, dict) and isinstance(document.get("rules"), str):
            rules = Rules.parse(document["rules"])
            game = Mastermind(rules)
            return cls(game.name, game.n_secrets, game.n_guesses, game.n_marks, rules)
        if not isinstance(document, dict) or not isinstance(document.get("name"), str):
            raise InputError("its game has neither rules nor a name")
        secrets, guesses, marks = (
            _labels(document, key) for key in ("secrets", "guesses", "marks")
        )
        guesses = guesses or secrets
        if len(guesses) * len(secrets) > _MAX_CELLS:
            raise TooLargeError("its table of marks is too large")
        sizes = len(secrets), len(guesses), len(marks)
        return cls(document["name"], *sizes, None, (guesses, secrets, marks))

    @property
    def cells(self) -> int:
        """Number of cells of the table of marks; 0 for a board, which needs none."""
        return 0 if self.rules else self.n_guesses * self.n_secrets

    def build(self, table: npt.NDArray[Any], weights: I64 | None) -> Game:
        """The game.

        Args:
            table: whole numbers (cells), mark numbers by guess and secret.
            weights: int64 (n_secrets), or None.

        Raises:
            InputError: table or weights do not make a game.
        """
        if self.rules is not None:
            return mastermind(self.rules) if weights is None else Mastermind(self.rules, weights)
        guesses, secrets, marks = self.labels
        if table.max(initial=0) >= len(marks):
            raise InputError("its table has a mark that is not listed")
        square = table.reshape(len(guesses), len(secrets))
        rows = [[marks[number] for number in row] for row in square.tolist()]
        game = FiniteGame(secrets, rows, guesses, name=self.name, weights=weights)
        if (game.table != square).any():
            raise InputError("its marks are not numbered by their first appearance in the table")
        return game


def describe(game: Game) -> dict[str, Any]:
    """A game as JSON, but for its table of marks and its weights.

    Raises:
        TreeFileError: the game is neither a board nor a finite game, is too large, or has values
            that JSON cannot keep.
    """
    if isinstance(game, Mastermind):
        return {"rules": str(game.rules)}
    if not isinstance(game, FiniteGame):
        raise TreeFileError(
            "a tree of {game} cannot be stored: only boards and finite games", game=game.name
        )
    if game.n_guesses * game.n_secrets > _MAX_CELLS:
        raise TreeFileError(
            "a tree of {game} cannot be stored: its table of {guesses} guesses by {secrets} "
            "secrets is too large (at most {most} cells)",
            game=game.name,
            guesses=game.n_guesses,
            secrets=game.n_secrets,
            most=_MAX_CELLS,
        )
    secrets = [game.secret(number) for number in range(game.n_secrets)]
    guesses = [game.guess(number) for number in range(game.n_guesses)]
    marks = [game.mark(number) for number in range(game.n_marks)]
    for label in (*secrets, *guesses, *marks):
        if not _keeps(label):
            raise TreeFileError(
                "a tree of {game} cannot be stored: {label} has no form in JSON; use texts, "
                "whole numbers and tuples of them",
                game=game.name,
                label=quoted(label),
            )
    same = guesses == secrets
    return {
        "name": game.name,
        "secrets": secrets,
        "guesses": None if same else guesses,
        "marks": marks,
    }


def _labels(document: dict[str, Any], key: str) -> list[Hashable]:
    values = document.get(key)
    if values is None and key == "guesses":
        return []
    if not isinstance(values, list) or not values:
        raise InputError("the {key} of its game are no list", key=key)
    return [_label(value) for value in values]


def _label(value: Any) -> Hashable:
    """A label from JSON: lists were tuples."""
    if isinstance(value, list):
        return tuple(_label(part) for part in value)
    if not isinstance(value, str | int):
        raise InputError(
            "{value} in its game is neither text, whole number nor list", value=quoted(value)
        )
    return value


def _keeps(label: Any) -> bool:
    """Whether a label comes back from JSON as it was."""
    try:
        return bool(_label(json.loads(json.dumps(label))) == label)
    except (InputError, TypeError, ValueError, RecursionError):
        return False


# The arrays of a stored tree, packed, and unpacked piece by piece within what a tree can be.

PIECE: Final = 1 << 18
"""Bytes at a time."""

# the nodes of real trees never pack better than this beyond the slack; zip bombs do
_MAX_RATIO: Final = 32
_SLACK: Final = 1 << 20


class Layout(NamedTuple):
    """Length and bytes each of the packed arrays, in their order."""

    table: tuple[int, int]
    weights: tuple[int, int]
    guess: tuple[int, int]
    mark: tuple[int, int]
    children: tuple[int, int]
    wins: tuple[int, int]

    @classmethod
    def of(cls, game: Described, nodes: int, *, weighted: bool) -> Layout:
        mark = _width(game.n_marks - 1)
        return cls(
            table=(game.cells, mark),
            weights=(game.n_secrets if weighted else 0, 8),
            guess=(nodes, _width(game.n_guesses - 1)),
            mark=(nodes, mark),
            children=(nodes, _width(game.n_marks)),
            wins=((nodes + 7) // 8, 1),
        )

    @property
    def size(self) -> int:
        """Bytes before compression."""
        return sum(count * width for count, width in self)

    def bloated(self, packed: int) -> bool:
        """Whether so many bytes would unpack to more nodes than a tree's ever do."""
        table, width = self.table
        return self.size - table * width > _SLACK + _MAX_RATIO * packed


def pack(arrays: Iterable[npt.NDArray[Any]], layout: Layout) -> list[bytes]:
    """The arrays of a layout, packed as they are read: pieces of one whole."""
    machine = zlib.compressobj(9)
    packed = [
        machine.compress(piece)
        for array, (_, width) in zip(arrays, layout, strict=True)
        for piece in _planes(array, width)
    ]
    return [*packed, machine.flush()]


def _planes(values: npt.NDArray[Any], width: int) -> Iterator[bytes]:
    """All lowest bytes, then all next ones: equal high bytes pack well side by side."""
    for plane in range(width):
        for start in range(0, len(values), PIECE):
            octets = np.ascontiguousarray(values[start : start + PIECE], "<i8").view(np.uint8)
            yield octets[plane::8].tobytes()


def unpack(file: BinaryIO, packed: int, layout: Layout) -> list[npt.NDArray[Any]]:
    """The arrays of a layout, whole numbers of the smallest type, from so many packed bytes.

    Raises:
        TreeFileError: the rest of the file is not what the layout says.
    """
    if layout.bloated(packed):
        raise TreeFileError("is damaged: it claims more nodes than its size can hold")
    source = _Unpacking(file)
    arrays: list[npt.NDArray[Any]] = []
    for count, width in layout:
        values = np.zeros(count, np.min_scalar_type(256**width - 1))
        for plane in range(width):
            for start in range(0, count, PIECE):
                part = values[start : start + PIECE]
                octets = np.frombuffer(source.take(len(part)), np.uint8).astype(values.dtype)
                part |= octets << (8 * plane)
        arrays.append(values)
    source.end()
    return arrays


class _Unpacking:
    """What is packed in the rest of a file, piece by piece."""

    def __init__(self, file: BinaryIO) -> None:
        self.file = file
        self.machine = zlib.decompressobj()

    def take(self, size: int) -> bytes:
        """The next so many bytes.

        Raises:
            TreeFileError: there are not so many, or they do not unpack.
        """
        found: list[bytes] = []
        while size > 0:
            packed = self.machine.unconsumed_tail or self.file.read(PIECE)
            try:
                some = self.machine.decompress(packed, size)
            except zlib.error:
                raise TreeFileError("is damaged: its nodes do not unpack") from None
            if not some and not packed:
                raise _not_as_many()
            found.append(some)
            size -= len(some)
        return b"".join(found)

    def end(self) -> None:
        """Make sure that nothing follows.

        Raises:
            TreeFileError: something does, or the end of what is packed is missing.
        """
        while not self.machine.eof:
            packed = self.machine.unconsumed_tail or self.file.read(PIECE)
            try:
                more = self.machine.decompress(packed, 1)
            except zlib.error:
                raise TreeFileError("is damaged: its nodes do not unpack") from None
            if more or not packed:
                raise _not_as_many()
        if self.machine.unused_data or self.file.read(1):
            raise _not_as_many()


def _not_as_many() -> TreeFileError:
    return TreeFileError("is damaged: its nodes are not as many as its header says")


def _width(top: int) -> int:
    """Bytes that hold the numbers from 0 to top."""
    return max(1, (top.bit_length() + 7) // 8)
