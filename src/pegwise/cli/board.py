"""Codes, marks and turns in the terminal: letters, on their colors where there are any."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import click

from pegwise.cli.progress import progress_bar
from pegwise.cli.terminal import READABLE, terminal_width, tolerate
from pegwise.errors import InputError
from pegwise.game import HOLE, Code, Game, Mark, Marks, Notation, PlacedMark, Turn, Word
from pegwise.game.codes import DISCS
from pegwise.game.turns import BETWEEN
from pegwise.i18n import language, tr, translated, write_signs
from pegwise.progress import Report, silent
from pegwise.reading.codes import paints_of, typed_notation
from pegwise.reading.forms import inferred_sentence
from pegwise.telling.blocks import columns

if TYPE_CHECKING:
    from rich.console import Console

_SIXTEEN: Final = (1, 2, 4, 11, 0, 15, 5, 9, 3, 6, 13, 14)
"""The first pegs in a terminal of 16 colors: the nearest ones would show green as gray."""

_SLOW_BOARD: Final = 50_000  # guesses from which on work takes long enough to show a bar
_PLACES: Final = ("dim", "black on yellow", "white on green")  # absent, elsewhere, right


class Screen:
    """Where a game is shown: a terminal with its colors, or plain text; or standard error."""

    def __init__(self, *, err: bool = False, notation: str | None = None) -> None:
        self.err = err
        marks = "discs" if notation == "discs" else "pegs"
        self.notation = Notation(notation or "letters", marks)
        self._follows = notation is None
        self._noted: list[str] = []  # inferences that have been said
        tolerate(sys.stdin, sys.stdout)

    @cached_property
    def _console(self) -> Console:
        from rich.console import Console

        return Console(file=sys.stderr if self.err else sys.stdout)

    @cached_property
    def color_system(self) -> str | None:
        """Rich's name for the colors of this terminal; None for no color."""
        stream = sys.stderr if self.err else sys.stdout
        forced = os.environ.get("FORCE_COLOR") or os.environ.get("TTY_COMPATIBLE")
        if os.environ.get("NO_COLOR") or not (forced or stream.isatty()):
            return None  # without waiting for Rich
        return self._console.color_system

    @cached_property
    def width(self) -> int:
        """Columns of the terminal."""
        return terminal_width()  # as Rich says, for which nothing need wait

    def say(self, text: str = "", /, **values: object) -> None:
        """Write a translated text, in one line or several."""
        text = tr(text, **values).rstrip(" ")
        click.echo(text, err=self.err, color=self.color_system is not None)

    def tell(self, text: str, /, style: str = "", **values: object) -> None:
        """Write a translated paragraph; its lines after the first are indented further."""
        text = tr(text, **values)
        indent = " " * (len(text) - len(text.lstrip()))
        following = f"{indent}    " if indent else ""
        width = min(self.width, READABLE)
        lines = click.wrap_text(text.lstrip(), width, indent, following).splitlines()
        self.say("\n".join(self.paint(line, style) for line in lines))

    def warn(self, text: str, /, **values: object) -> None:
        """Write a translated paragraph in bold."""
        self.tell(text, "bold", **values)

    def note(self, text: str, /, **values: object) -> None:
        """Write a dim translated paragraph."""
        self.tell(text, "dim", **values)

    def note_reading(self, told: Sequence[str]) -> None:
        """Say what was inferred of something typed, as far as it does not stand above already."""
        before = ", ".join(self._noted)
        new = [text for text in told if translated(text) not in before]
        self._noted += map(translated, new)
        if new:
            self.note(translated(inferred_sentence(new)))

    def beside(self, text: str, remark: str) -> None:
        """Write a line and a remark on it, which goes beneath where there is no room."""
        room = columns(click.unstyle(text)) + len(remark) + 3 <= self.width
        if room:
            self.say(f"{text}   {remark}")
        else:
            self.say(text)
            self.tell(f"     {remark}")

    def follow(self, typed: str, rules: Game) -> None:
        """Write codes from now on as this one was typed: in digits or discs, else in letters."""
        self.use(typed_notation([typed], rules), rules)

    def use(self, notation: Notation, rules: Game) -> None:
        """Write codes and marks so from now on.

        A notation that was asked for stays; InputError where the board has too many colors for it.
        """
        own = self.notation
        if rules.alphabet.named and own.codes == "discs" and rules.colors > len(DISCS):
            raise InputError(
                "--notation discs: there are {n} discs, and {rules} has {colors} colors",
                n=len(DISCS),
                rules=rules,
                colors=rules.colors,
            )
        if not self._follows:
            notation = replace(own, colors=rules.colors)
        elif notation.codes == "discs" and rules.colors > len(DISCS):
            notation = replace(notation, codes="letters")
        self.notation = notation.in_words_of(rules)
        write_signs(self.notation.sign)  # in messages and errors too

    def write(self, code: Code) -> str:
        """A code as plain text."""
        return self.notation.code(code)

    def write_mark(self, mark: Mark | Marks) -> str:
        """A mark as plain text, or those of several boards with a stroke between them."""
        if isinstance(mark, Marks):
            return BETWEEN.join(self.write_mark(each) for each in mark if each is not None)
        return self.notation.mark(mark)

    def write_sign(self, sign: Any) -> str:
        """A code or a mark as plain text; what another game has, as it prints itself."""
        return self.notation.sign(sign)

    def code(self, code: Sequence[int]) -> str:
        """A code, peg by peg."""
        if isinstance(code, Word):
            return self.paint(" ".join(code.write()), "bold")
        return " ".join(self._peg(color) for color in code)

    def apart(self, sign: Any) -> str:
        """A code peg by peg; what else a game has, as plain text."""
        return self.code(sign) if isinstance(sign, Code) else self.write_sign(sign)

    def compact(self, code: Sequence[int]) -> str:
        """A code in as many columns as it takes when written."""
        if isinstance(code, Word):
            return code.write()
        return self.notation.apart.join(self._peg(color, wide=False) for color in code)

    def palette(self, rules: Game) -> str:
        """All colors of a board, without spaces where there are many; all letters of words."""
        signs = rules.alphabet.signs
        room = (
            rules.alphabet.named and self.width > len(signs) * (4 if self.color_system else 2) + 20
        )
        return self.code(signs) if room else self.compact(signs)

    def mark(self, mark: Mark, pegs: int) -> str:
        """A mark, padded to as many columns as there are pegs."""
        symbols = self.write_mark(mark)
        if isinstance(mark, PlacedMark):
            signs = zip(symbols, mark, strict=True)
            return "".join(self.paint(sign, _PLACES[place]) for sign, place in signs)
        return self.paint(symbols, "bold") + " " * (pegs - len(symbols))

    def turn(self, number: int, turn: Turn) -> str:
        """A turn: number, guess and the mark on each board."""
        pegs = len(turn.guess)
        cells = [" " * pegs if mark is None else self.mark(mark, pegs) for mark in turn.marks]
        return f"{number:>2}.  {self.code(turn.guess)}   {'  '.join(cells)}"

    def _peg(self, color: int, *, wide: bool = True) -> str:
        """One peg: a letter on its color; on later colors, between colored brackets."""
        letter = self.write(Code([color]))
        if not self.color_system or (letter in DISCS and color != HOLE):
            return letter
        space = " " if wide else ""
        if color == HOLE:
            return self.paint(f"{space}{letter}{space}", "dim")
        painted = self._painted(color)
        if painted is None:
            return self.paint(f"{space}{letter}{space}", "bold")
        from pegwise.game.pegs import PEGS  # texts without colors need none

        look = PEGS[painted]
        if look.ring is None or not wide:
            few = painted < len(_SIXTEEN) and self.color_system in {"standard", "windows"}
            ground = f"color({_SIXTEEN[painted]})" if few else look.fill
            return self.paint(f"{space}{letter}{space}", f"bold {look.ink} on {ground}")
        opening, closing = (self.paint(b, f"bold {look.ring} on {look.fill}") for b in "()")
        return opening + self.paint(letter, f"bold {look.ink} on {look.fill}") + closing

    def _painted(self, color: int) -> int | None:
        """The color whose look a peg has: that of its name where colors have names.

        None where names are of colors, but this one is of none that there is.
        """
        paints = paints_of(self.notation.names, french=language() == "fr")
        if not any(paints):
            return color
        from pegwise.game.pegs import PEGS

        names = [look.name for look in PEGS]
        return names.index(paints[color]) if paints[color] in names else None

    def paint(self, text: str, style: str) -> str:
        """A text in a style, where there are colors."""
        if not self.color_system or not style:
            return text
        from rich.console import COLOR_SYSTEMS
        from rich.style import Style

        return Style.parse(style).render(text, color_system=COLOR_SYSTEMS[self.color_system])

    def working(self, what: str, rules: Game) -> AbstractContextManager[Report]:
        """Show progress of work on boards where it is slow."""
        return nullcontext(silent) if rules.n_guesses < _SLOW_BOARD else progress_bar(what)
