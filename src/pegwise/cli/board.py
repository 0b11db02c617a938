"""Codes, marks and turns in the terminal: colored pegs where it can, letters always."""

from __future__ import annotations

import io
import math
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Final

import click

from pegwise.cli.terminal import progress_bar
from pegwise.game import HOLE, Code, Mark, Rules, Turn
from pegwise.progress import Progress, Report, silent

_READABLE: Final = 100
"""Longer lines are hard to read."""

_BESIDE: Final = 20
"""Columns of what stands beside a palette."""

_SLOW_BOARD: Final = 50_000
"""From so many codes on, work takes long enough to be announced."""


class Screen:
    """Where a game is shown: a terminal with its colors, or plain text.

    Colors are left out where the output is no terminal, where `TERM` is `dumb`, and where
    `NO_COLOR` is set.

    Args:
        err: show on standard error, because standard output is for a document.
    """

    def __init__(self, *, err: bool = False) -> None:
        self.err = err
        for stream in (sys.stdin, sys.stdout):
            # signs that a terminal has not, and bytes that are no text, are no reason to stop
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")

    @cached_property
    def _color_system(self) -> str | None:
        from rich.console import Console

        if os.environ.get("NO_COLOR"):
            return None
        return Console(file=sys.stderr if self.err else sys.stdout).color_system

    @property
    def colored(self) -> bool:
        """Whether pegs are shown in color."""
        return self._color_system is not None

    @cached_property
    def width(self) -> int:
        """Columns of the terminal."""
        from rich.console import Console

        return Console(file=sys.stderr if self.err else sys.stdout).width

    def say(self, text: str = "") -> None:
        """One line, or several."""
        click.echo(text.rstrip(" "), err=self.err, color=self.colored)

    def tell(self, text: str, style: str = "") -> None:
        """A paragraph, broken into lines that fit; those that follow are set in."""
        indent = " " * (len(text) - len(text.lstrip()))
        following = f"{indent}    " if indent else ""
        width = min(self.width, _READABLE)
        lines = click.wrap_text(text.lstrip(), width, indent, following).splitlines()
        self.say("\n".join(self._paint(line, style) for line in lines))

    def warn(self, text: str) -> None:
        """A paragraph that matters: something was refused, or does not fit."""
        self.tell(text, "bold")

    def note(self, text: str) -> None:
        """A paragraph that stands back."""
        self.tell(text, "dim")

    def beside(self, text: str, about: str) -> None:
        """A line and what is said of it, which goes beneath where there is no room."""
        room = len(click.unstyle(text)) + len(about) + 3 <= self.width
        self.say(f"{text}   {about}" if room else f"{text.rstrip(' ')}\n     {about}")

    def columns(self, words: Sequence[str]) -> None:
        """Words of one length, as many in a line as there is room for."""
        if not words:
            return
        each = max(1, (min(self.width, _READABLE) - 2) // (len(words[0]) + 2))
        for first in range(0, len(words), each):
            self.say("  " + "  ".join(words[first : first + each]))

    def table(
        self,
        heads: Sequence[str],
        rows: Sequence[Sequence[str]],
        codes: Sequence[Sequence[int]],
        words: Sequence[int],
    ) -> None:
        """A table whose second column is a code.

        Args:
            heads: what stands above each column.
            rows: the cells of each row, as plain text.
            codes: the code of each row, which its second cell holds as letters.
            words: the columns that begin at the left, as words do; numbers end at the right.
        """
        widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]

        def line(cells: Sequence[str]) -> list[str]:
            return [
                cell.ljust(widths[k]) if k in words else cell.rjust(widths[k])
                for k, cell in enumerate(cells)
            ]

        self.say(self._paint("  ".join(line(heads)).rstrip(), "dim"))
        for row, code in zip(rows, codes, strict=True):
            cells = line(row)
            # padded as plain text, for color takes no room
            cells[1] = cells[1].replace(row[1], self.compact(code))
            self.say("  ".join(cells).rstrip())

    def code(self, code: Sequence[int]) -> str:
        """A code, peg by peg."""
        return " ".join(self._peg(color) for color in code)

    def compact(self, code: Sequence[int]) -> str:
        """A code in as many columns as it has pegs."""
        return "".join(self._peg(color, wide=False) for color in code)

    def palette(self, rules: Rules) -> str:
        """All colors of a board, close together where they are many."""
        colors = range(rules.colors)
        room = self.width > rules.colors * (4 if self.colored else 2) + _BESIDE
        return self.code(colors) if room else self.compact(colors)

    def mark(self, mark: Mark, pegs: int) -> str:
        """A mark, padded to as many columns as there are pegs."""
        signs = str(mark)
        return self._paint(signs, "bold") + " " * (pegs - len(signs))

    def turn(self, number: int, turn: Turn) -> str:
        """A turn: number, guess and mark."""
        return f"{number:>2}.  {self.code(turn.guess)}   {self.mark(turn.mark, len(turn.guess))}"

    def _peg(self, color: int, *, wide: bool = True) -> str:
        """One peg: a letter on its color; on later colors, between colored brackets."""
        letter = str(Code([color]))
        if not self.colored:
            return letter
        space = " " if wide else ""
        if color == HOLE:
            return self._paint(f"{space}{letter}{space}", "dim")
        from pegwise.pictures.svg import peg

        look = peg(color)
        if look.ring is None or not wide:
            return self._paint(f"{space}{letter}{space}", f"bold {look.ink} on {look.fill}")
        left, right = (self._paint(side, f"bold {look.ring} on {look.fill}") for side in "()")
        return left + self._paint(letter, f"bold {look.ink} on {look.fill}") + right

    def _paint(self, text: str, style: str) -> str:
        if not self.colored or not style:
            return text
        from rich.color import ColorSystem
        from rich.style import Style

        systems = {
            "standard": ColorSystem.STANDARD,
            "256": ColorSystem.EIGHT_BIT,
            "truecolor": ColorSystem.TRUECOLOR,
            "windows": ColorSystem.WINDOWS,
        }
        return Style.parse(style).render(text, color_system=systems[self._color_system or ""])

    @contextmanager
    def working(self, what: str, rules: Rules, patience: float = math.inf) -> Iterator[Report]:
        """Show how work goes on, on boards where it takes its time.

        Raises:
            TimeoutError: from the report, after so many seconds of patience.
        """
        if rules.n_guesses < _SLOW_BOARD:
            yield silent
            return
        end = time.monotonic() + patience
        with progress_bar(what) as report:

            def impatient(step: Progress) -> None:
                if time.monotonic() > end:
                    raise TimeoutError
                report(step)

            yield impatient
