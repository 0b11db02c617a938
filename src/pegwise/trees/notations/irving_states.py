"""The text of Irving's nested notation, taken apart: states within states, whatever they mean.

`pegwise.trees.notations.irving` has the grammar, and follows the states on a board.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pegwise.errors import Phrase, TreeFileError, quoted

__all__ = ["MAX_NESTING", "State", "all_states", "parse"]

MAX_NESTING: Final = 150
"""States within states, at most."""


@dataclass(slots=True)
class State:
    """A state as it was read.

    Attributes:
        line: where it stands.
        count: codes left, -1 where a state is written out below.
        guess: what is played, "" where nothing is said.
        flag: `*`, `x` or nothing.
        states: what follows the marks, None where nothing is said.
        letter: under which it is written out below.
    """

    line: int
    count: int
    guess: str = ""
    flag: str = ""
    states: list[State] | None = None
    letter: str = ""


def parse(text: str) -> tuple[State, dict[str, State]]:
    """The first state of a text, and by their letters those that are written out below it.

    Raises:
        TreeFileError: the text is malformed.
    """
    return _Parser(text).parse()


def all_states(states: Iterable[State]) -> Iterator[State]:
    """These states and all within them."""
    left = list(states)
    while left:
        state = left.pop()
        yield state
        left += state.states or []


class _Parser:
    """Text to states."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.place = 0
        self.breaks = [place for place, sign in enumerate(text) if sign == "\n"]

    def parse(self) -> tuple[State, dict[str, State]]:
        """The first state, and those written out below it."""
        root = self.state(0)
        definitions: dict[str, State] = {}
        while letter := self.take("[A-Z]"):
            if letter in definitions:
                self.fail(Phrase("{letter} is written out twice", letter=repr(letter)))
            self.need("=")
            self.need("(")
            definitions[letter] = self.bracket(State(self.line, -1), 0)
        if self.place < len(self.text.rstrip()):
            self.fail(Phrase("expected a letter and '=', or the end"))
        return root, definitions

    @property
    def line(self) -> int:
        return bisect.bisect_left(self.breaks, self.place) + 1

    def state(self, nesting: int) -> State:
        """A count, with what follows it."""
        count = self.take("[0-9]+")
        if not count:
            self.fail(Phrase("expected the number of codes left"))
        state = State(self.line, int(count[:9]))
        if letter := self.take("[A-Z]"):
            state.letter = letter
            return state
        return self.bracket(state, nesting) if self.take("[(]") else state

    def bracket(self, state: State, nesting: int) -> State:
        """The guess of a state and what follows its marks, up to the closing bracket."""
        if nesting > MAX_NESTING:
            self.fail(Phrase("states are nested deeper than {most}", most=MAX_NESTING))
        state.guess = self.take("[0-9A-Z.]+")
        if not state.guess:
            self.fail(Phrase("expected a guess"))
        state.flag = self.take("[*x]")
        if self.take(":"):
            state.states = [self.state(nesting + 1)]
            while self.take("[,;]"):
                state.states.append(self.state(nesting + 1))
        self.need(")")
        return state

    def take(self, pattern: str) -> str:
        """What comes next, if it is this; else nothing."""
        match = re.compile(rf"\s*({pattern})").match(self.text, self.place)
        if match is None:
            return ""
        self.place = match.end()
        return match[1]

    def need(self, sign: str) -> None:
        if not self.take(re.escape(sign)):
            self.fail(Phrase("expected {sign}", sign=repr(sign)))

    def fail(self, why: Phrase) -> None:
        near = " ".join(self.text[self.place : self.place + 20].split())
        raise TreeFileError(
            "line {line}: {why}, but {found}",
            line=self.line,
            why=why,
            found=quoted(near) if near else Phrase("it ends"),
        )
