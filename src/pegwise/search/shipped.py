"""Certificates that come with the program: a file for each board, in a folder of this package."""

from __future__ import annotations

from importlib.resources import files

from pegwise.game import Rules
from pegwise.search.archive import unpack

__all__ = ["shipped_boards", "shipped_parts"]


def shipped_parts(folder: str, name: str) -> dict[str, bytes] | None:
    """The parts of a file, None if there is none of that name.

    Raises:
        DataFileError: it is damaged.
    """
    file = files("pegwise.search").joinpath(folder, name)
    return unpack(file.read_bytes(), name) if file.is_file() else None


def shipped_boards(folder: str, suffix: str) -> list[Rules]:
    """The boards whose files end so: those with repetition first, then those of other rules."""
    place = files("pegwise.search").joinpath(folder)
    names = [file.name for file in place.iterdir()] if place.is_dir() else []
    boards = [Rules.parse(name.removesuffix(suffix)) for name in names if name.endswith(suffix)]
    return sorted(boards, key=_place)


def _place(rules: Rules) -> tuple[int, str, int, int]:
    flags = str(rules).partition(",")[2]
    return len(flags), flags, rules.pegs, rules.colors
