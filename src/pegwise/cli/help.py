"""Help for terminals of any width: click's own is never narrower than 50 columns."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from typing import Final

import click

__all__ = ["HelpContext", "help_width"]

_READABLE: Final = 100
"""Longer lines are hard to read."""

_MARGIN: Final = 2


def help_width() -> int:
    """Columns for help in this terminal."""
    return max(20, min(shutil.get_terminal_size().columns, _READABLE) - _MARGIN)


class _Formatter(click.HelpFormatter):
    """In a narrow terminal, options leave room for what is said of them."""

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        super().write_dl(rows, min(col_max, max(self.width // 3, 12)), col_spacing)


class HelpContext(click.Context):
    """A command as it is called, whose help is written so."""

    formatter_class = _Formatter
