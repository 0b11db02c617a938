"""A play: a game with one board or several, the turns on them, and what is still hidden.

Where several secrets are sought at once, each has a board: a guess is played on every board that
is open, and gets a mark on each. Such turns are written `CRANE=--GY- | ----- | G---- | -Y---`: one
mark for each open board, in the order of the boards. `|` or `;` stands between them; commas and
spaces will do where the text cannot be one mark alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final, cast

from pegwise.errors import CodeError, InputError, MarkError, quoted
from pegwise.game import (
    Game,
    GameLike,
    Marks,
    Parallel,
    Secrets,
    Turn,
    Turns,
    as_parallel,
    game_of,
)
from pegwise.game.names import parallel
from pegwise.reading.history import check_turns, pairs, split_turn
from pegwise.reading.marks import check_mark

_SURE: Final = re.compile(r"\s*[|;]\s*")
_COMMAS: Final = re.compile(r"\s*,\s*")
_TURN: Final = re.compile(r"(\S+?)\s*(?:=|->)\s*")


@dataclass(frozen=True)
class Play:
    """A game that is played on one board or several, each with a secret of its own.

    Attributes:
        game: what each board is of.
        boards: how many there are; their secrets are distinct.
        turns: each guess, with its mark on each board. They are not checked: `of` and `read`
            do that.

    InputError: boards on which several secrets cannot be sought (see `Parallel`).
    """

    game: Game
    boards: int = 1
    turns: tuple[Turn, ...] = ()

    @classmethod
    def of(cls, game: Playable, history: Turns = ()) -> Play:
        """The play of a game, also as it is written (`4x6`, `wordle*4`), after further turns.

        InputError: no game, or turns that it does not allow, as `read`.
        """
        if isinstance(game, Play):
            return game.read(history)
        several = as_parallel(game)
        if several is not None:
            return cls(several.game, several.n).read(history)
        return cls(game_of(cast(GameLike, game))).read(history)

    def __post_init__(self) -> None:
        if self.boards != 1:
            _ = self.several  # refuses boards that cannot be

    @property
    def several(self) -> Parallel | None:
        """The game with several secrets; None where there is one."""
        return None if self.boards == 1 else _parallel(self.game, self.boards)

    @property
    def name(self) -> str:
        """The name that people give to the game: `4x6`, `wordle*4`."""
        if self.several is not None:
            return self.several.name
        return self.game.named

    @cached_property
    def found(self) -> Secrets:
        """The secret of each board that is solved; None for one that is open."""
        return Secrets(self.found_by(self.turns, [None] * self.boards))

    def found_by(self, turns: Iterable[Turn], found: Sequence[Any]) -> list[Any]:
        """The secret of each board after further turns; `found` are those found before."""
        winning: Any = self.game.marking.winning
        secrets = list(found)
        for turn in turns:
            for board, mark in enumerate(turn.marks):
                if mark == winning:
                    secrets[board] = turn.guess
        return secrets

    @property
    def hidden(self) -> tuple[int, ...]:
        """The boards that are open, from 0."""
        return tuple(board for board, secret in enumerate(self.found) if secret is None)

    @property
    def over(self) -> bool:
        """Whether no board is open."""
        return not self.hidden

    def turns_on(self, board: int) -> tuple[Turn, ...]:
        """The turns of one board, from 0, up to that which solves it."""
        if self.boards == 1:
            return self.turns
        pairs = ((turn.guess, turn.marks[board]) for turn in self.turns)
        return tuple(Turn(guess, mark) for guess, mark in pairs if mark is not None)

    def after(self, *turns: Turn) -> Play:
        """The play after further turns, which are not checked."""
        return replace(self, turns=(*self.turns, *turns))

    def first(self, n: int) -> Play:
        """The play after its first `n` turns."""
        return replace(self, turns=self.turns[:n])

    def answer(self, secrets: Sequence[Any], guess: Any) -> Turn:
        """The turn of a guess, marked on each open board as the secrets give it."""
        hidden = self.hidden
        marks = (
            self.game.mark_of(guess, secret) if board in hidden else None
            for board, secret in enumerate(secrets)
        )
        return Turn.of_boards(guess, tuple(marks))

    # What people and programs write.

    def read(self, history: Turns) -> Play:
        """The play after further turns: pairs or texts, or all in one text.

        The marks of several boards are a text, or a sequence with one for each open board, or for
        all boards with None for each that was solved before. CodeError, MarkError: as
        `check_turns`, or another number of marks. InputError: no turns, or one after the last
        secret was found.
        """
        if self.boards == 1:
            return self.after(*check_turns(history, self.game))
        turns, found = list(self.turns), list(self.found)
        for guess, marks in self._pairs(history):
            turns.append(self.read_turn(found, guess, marks))
            found = self.found_by(turns[-1:], found)
        return replace(self, turns=tuple(turns))

    def read_turn(self, found: Sequence[Any], guess: Any, marks: Any) -> Turn:
        """The turn of a guess on several boards of which these are found; errors as `read`."""
        code = self.game.alphabet.check(guess)
        hidden = [board for board, secret in enumerate(found) if secret is None]
        if not hidden:
            raise InputError("{guess} comes after the last secret was found", guess=str(guess))
        if isinstance(marks, str):
            pieces: list[Any] = list(self.split_marks(marks, len(hidden)))
        else:
            pieces = list(marks)
            if len(pieces) == self.boards and len(hidden) < self.boards:
                solved = [mark for board, mark in enumerate(pieces) if board not in hidden]
                if all(mark is None for mark in solved):
                    pieces = [pieces[board] for board in hidden]
        if len(pieces) != len(hidden):
            raise MarkError(
                "{marks}: give {n} marks, one for each board that is still hidden, with | between "
                "them, not {given}",
                marks=quoted(str(marks) if isinstance(marks, Marks) else marks),
                n=len(hidden),
                given=len(pieces),
            )
        return self._placed(
            found, code, [check_mark(each, self.game, full=True) for each in pieces]
        )

    def place(self, guess: Any, marks: Sequence[Any]) -> Turn:
        """The next turn of one mark for each open board; MarkError where two find one secret."""
        return self._placed(self.found, guess, marks)

    def _placed(self, found: Sequence[Any], guess: Any, marks: Sequence[Any]) -> Turn:
        winning: Any = self.game.marking.winning
        hidden = [board for board, secret in enumerate(found) if secret is None]
        of_board = dict(zip(hidden, marks, strict=True))
        won = [board + 1 for board, mark in of_board.items() if mark == winning]
        won += [board + 1 for board, secret in enumerate(found) if secret == guess and won]
        if len(won) > 1:
            raise MarkError(
                "{guess} cannot be the secret of boards {boards}: the secrets are distinct",
                guess=str(guess),
                boards=", ".join(map(str, sorted(won))),
            )
        return Turn.of_boards(guess, tuple(of_board.get(board) for board in range(self.boards)))

    def split_marks(self, text: str, n: int) -> list[str]:
        """The marks of a text, for at most `n` open boards, not yet read.

        MarkError: the text may be one mark as well, and nothing but `|` or `;` can tell.
        """
        text = text.strip()
        pieces = _SURE.split(text)
        if len(pieces) > 1 or n == 1:
            return pieces
        pieces = _COMMAS.split(text) if "," in text else text.split()
        if len(pieces) > 1 and self._is_mark(text):
            if len(pieces) == n and all(map(self._is_mark, pieces)):
                raise MarkError(
                    "{text} may be one mark, or one for each of {n} boards: write {apart} for "
                    "these",
                    text=quoted(text),
                    n=n,
                    apart=" | ".join(pieces),
                )
            return [text]
        return pieces

    def _is_mark(self, text: str) -> bool:
        try:
            check_mark(text, self.game, full=True)
        except InputError:
            return False
        return True

    def _pairs(self, history: Turns) -> Iterator[tuple[Any, Any]]:
        """Guess and marks of each turn on several boards."""
        signs = not self.game.marking.listed
        if not isinstance(history, Iterable):
            yield from pairs(history)  # refuses it
        for turn in history.splitlines() if isinstance(history, str) else history:
            if not isinstance(turn, str):
                yield from pairs([turn])
            elif signs:
                before, *rest = _TURN.split(turn.strip())
                if before.strip() or not all(mark.strip() for mark in rest[1::2]):
                    raise no_turn(turn)
                yield from zip(rest[::2], rest[1::2], strict=True)
            elif turn.strip():  # codes and marks of any signs: one turn in a line
                guess, marks = split_turn(turn)
                if not marks:
                    raise no_turn(turn)
                yield guess, marks

    def read_secrets(self, secrets: Any) -> Secrets:
        """The secret of each board; of several also in one text with `|`, commas or spaces between.

        CodeError: another number, something that is no secret, or two that are alike.
        """
        if self.boards == 1:
            return Secrets((self.game.alphabet.check(secrets, secret=True),))
        texts = (
            re.split(r"\s*[|;,]\s*|\s+", secrets.strip()) if isinstance(secrets, str) else secrets
        )
        codes = Secrets(self.game.alphabet.check(each, secret=True) for each in texts)
        if len(codes) != self.boards:
            raise CodeError(
                "{secrets}: give {n} secrets, not {given}",
                secrets=quoted(str(secrets)),
                n=self.boards,
                given=len(codes),
            )
        for board, code in enumerate(codes):
            if code in codes[:board]:
                raise CodeError(
                    "the secret {code} is given twice; they are distinct", code=str(code)
                )
        return codes


Playable = GameLike | Parallel | Play
"""A game with one secret or several, also as it is written, or a play of it."""

_parallel = lru_cache(maxsize=16)(parallel)


def no_turn(text: str) -> InputError:
    """The error of what is no turn on several boards."""
    return InputError(
        "cannot read turn {text}: write a guess and a mark for each hidden board, as in "
        "GUESS=MARK | MARK",
        text=quoted(text.strip()),
    )
