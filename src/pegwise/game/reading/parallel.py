"""Read games with several secrets as people write them: `CRANE=--GY- | ----- | G---- | -Y---`.

A turn has one mark for each board that is still hidden, in the order of the boards. `|` or `;`
stands between them; commas and spaces will do where the text cannot be one mark alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from pegwise.errors import CodeError, InputError, MarkError, quoted
from pegwise.game.codes import check_code
from pegwise.game.marks import winning_mark
from pegwise.game.parallel import Marks, Parallel, Secrets
from pegwise.game.reading.history import pairs, split_turn
from pegwise.game.reading.marks import full_mark
from pegwise.game.rules import Rules
from pegwise.game.turns import Turn, Turns

_SURE: Final = re.compile(r"\s*[|;]\s*")
_COMMAS: Final = re.compile(r"\s*,\s*")
_TURN: Final = re.compile(r"(\S+?)\s*(?:=|->)\s*")


def check_parallel_turns(game: Parallel, history: Turns) -> tuple[Turn, ...]:
    """The turns: a guess each, with `Marks`.

    Marks are a text, or a sequence with one for each board that is still hidden, or for all boards
    with None for each that was solved before. Turns are pairs or texts, or all in one text.
    CodeError, MarkError: as `check_turns`, or another number of marks. InputError: no turns, or one
    after the last secret was found.
    """
    turns: list[Turn] = []
    for guess, marks in _pairs(game, history):
        code = check_code(guess, game.rules)
        turns.append(Turn(code, check_marks(game, turns, code, marks)))  # type: ignore[arg-type]
    return tuple(turns)


def check_marks(game: Parallel, turns: Sequence[Turn], guess: Any, marks: Any) -> Marks:
    """The marks of a guess after some turns; errors as `check_parallel_turns`."""
    hidden = game.hidden(turns)
    if not hidden:
        raise InputError("{guess} comes after the last secret was found", guess=str(guess))
    if isinstance(marks, str):
        pieces: list[Any] = list(split_marks(game, marks, len(hidden)))
    else:
        pieces = list(marks)
        if len(pieces) == game.n and len(hidden) < game.n:
            solved = [mark for board, mark in enumerate(pieces) if board not in hidden]
            if all(mark is None for mark in solved):
                pieces = [pieces[board] for board in hidden]
    _check_number(pieces, len(hidden), marks)
    return placed_marks(game, turns, guess, [full_mark(each, game.rules) for each in pieces])


def placed_marks(game: Parallel, turns: Sequence[Turn], guess: Any, marks: Sequence[Any]) -> Marks:
    """One mark for each hidden board, set on the boards; MarkError where two secrets are alike."""
    winning = winning_mark(game.rules)
    found = game.found(turns)
    hidden = [board for board, secret in enumerate(found) if secret is None]
    won = [board + 1 for board, mark in zip(hidden, marks, strict=True) if mark == winning]
    won += [board + 1 for board, secret in enumerate(found) if secret == guess and won]
    if len(won) > 1:
        raise MarkError(
            "{guess} cannot be the secret of boards {boards}: the secrets are distinct",
            guess=str(guess),
            boards=", ".join(map(str, sorted(won))),
        )
    of_board = dict(zip(hidden, marks, strict=True))
    return Marks(of_board.get(board) for board in range(game.n))


def split_marks(game: Parallel, text: str, n: int) -> list[str]:
    """The marks of a text, for at most `n` hidden boards, not yet read.

    MarkError: the text may be one mark as well, and nothing but `|` or `;` can tell.
    """
    text = text.strip()
    pieces = _SURE.split(text)
    if len(pieces) > 1 or n == 1:
        return pieces
    pieces = _COMMAS.split(text) if "," in text else text.split()
    if len(pieces) > 1 and _reads(game, text):
        if len(pieces) == n and all(_reads(game, piece) for piece in pieces):
            raise MarkError(
                "{text} may be one mark, or one for each of {n} boards: write {apart} for these",
                text=quoted(text),
                n=n,
                apart=" | ".join(pieces),
            )
        return [text]
    return pieces


def _reads(game: Parallel, text: str) -> bool:
    try:
        full_mark(text, game.rules)
    except InputError:
        return False
    return True


def _check_number(pieces: Sequence[Any], n: int, marks: Any) -> None:
    if len(pieces) != n:
        raise MarkError(
            "{marks}: give {n} marks, one for each board that is still hidden, with | between "
            "them, not {given}",
            marks=quoted(str(marks) if isinstance(marks, Marks) else marks),
            n=n,
            given=len(pieces),
        )


def _pairs(game: Parallel, history: Turns) -> Iterator[tuple[Any, Any]]:
    """Guess and marks of each turn."""
    signs = isinstance(game.rules, Rules) and not game.rules.marked
    if not isinstance(history, Iterable):
        yield from pairs(history)  # refuses it
    for turn in history.splitlines() if isinstance(history, str) else history:
        if not isinstance(turn, str):
            yield from pairs([turn])
        elif signs:
            before, *rest = _TURN.split(turn.strip())
            if before.strip() or not all(mark.strip() for mark in rest[1::2]):
                raise _no_turn(turn)
            yield from zip(rest[::2], rest[1::2], strict=True)
        elif turn.strip():  # codes and marks of any signs: one turn in a line
            guess, marks = split_turn(turn)
            if not marks:
                raise _no_turn(turn)
            yield guess, marks


def _no_turn(text: str) -> InputError:
    return InputError(
        "cannot read turn {text}: write a guess and a mark for each hidden board, as in "
        "GUESS=MARK | MARK",
        text=quoted(text.strip()),
    )


def check_secrets(game: Parallel, secrets: Any) -> Secrets:
    """The secrets of all boards, also as texts, or in one text with `|`, commas or spaces between.

    CodeError: another number, one that is none, or two that are alike.
    """
    given = re.split(r"\s*[|;,]\s*|\s+", secrets.strip()) if isinstance(secrets, str) else secrets
    codes = Secrets(check_code(each, game.rules, secret=True) for each in given)
    if len(codes) != game.n:
        raise CodeError(
            "{secrets}: give {n} secrets, not {given}",
            secrets=quoted(str(secrets)),
            n=game.n,
            given=len(codes),
        )
    for board, code in enumerate(codes):
        if code in codes[:board]:
            raise CodeError("the secret {code} is given twice; they are distinct", code=str(code))
    return codes
