"""The arrays of a stored tree, packed, and unpacked piece by piece within what a tree can be."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pegwise.errors import TreeFileError
from pegwise.trees.stored_game import Described

__all__ = ["PIECE", "Layout", "pack", "unpack"]

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
