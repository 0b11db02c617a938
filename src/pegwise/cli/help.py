"""Help and prose for terminals of any width; click's help is never narrower than 50 columns."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from typing import Final

import click

__all__ = ["HelpContext", "help_width", "paragraph"]

_READABLE: Final = 100
"""Longer lines are hard to read."""

_MARGIN: Final = 2


def help_width() -> int:
    """Columns for help in this terminal."""
    return max(20, min(shutil.get_terminal_size().columns, _READABLE) - _MARGIN)


def paragraph(text: str, indent: str = "", following: str | None = None) -> str:
    """Prose in lines that fit the terminal.

    Args:
        text: one paragraph.
        indent: what stands before its first line.
        following: what stands before the others; the same when None.
    """
    columns = shutil.get_terminal_size((_READABLE, 24)).columns
    width = max(20, min(columns, _READABLE))
    return click.wrap_text(text, width, indent, indent if following is None else following)


class _Formatter(click.HelpFormatter):
    """In a narrow terminal, options leave room for what is said of them."""

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        super().write_dl(rows, min(col_max, max(self.width // 3, 12)), col_spacing)


class HelpContext(click.Context):
    """A command as it is called, whose help is written so."""

    formatter_class = _Formatter
