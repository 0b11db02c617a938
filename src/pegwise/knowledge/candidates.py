"""What is still possible after a history: how many codes, which ones, and what a guess would tell.

On a board nothing is listed, so that boards of any size are counted exactly; other games are
small enough for their table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pegwise.errors import InputError
from pegwise.game import (
    Code,
    Game,
    Mark,
    Mastermind,
    Rules,
    Turn,
    all_secrets,
    check_code,
    check_mark,
)
from pegwise.game.game import I32
from pegwise.knowledge.halves import Halves
from pegwise.knowledge.opening import opening_parts
from pegwise.progress import Report, silent

__all__ = ["candidates", "check_history", "count", "parts"]

Turns = Sequence[tuple[Any, Any]]


def count(game: Rules | Game, history: Turns, *, report: Report = silent) -> int:
    """How many secrets fit a history: exactly, also where they are too many to list.

    Args:
        game: a board by its rules, or any game.
        history: turns: a guess and its mark each.
        report: told of the work done, on boards where it takes long.

    Raises:
        CodeError: a guess that the rules do not allow; MarkError: a mark likewise.
        TooLargeError: one of the largest boards, with turns that tell many cases apart.
    """
    board = _board(game)
    if not isinstance(board, Rules):
        return len(_listed(board, history))
    return Halves(board, check_history(board, history), report=report).count()


def candidates(
    game: Rules | Game, history: Turns, limit: int | None = None, *, report: Report = silent
) -> list[Any]:
    """The secrets that fit a history, in numeric order: the first `limit`, or all.

    Args:
        game: a board by its rules, or any game.
        history: turns: a guess and its mark each.
        limit: how many are wanted; None for all of them.
        report: as in `count`.

    Returns:
        Codes on a board; on another game its secrets, in its own order.

    Raises:
        InputError: a limit below 0; and as `count`.
        TooLargeError: more than `MAX_LISTED` are wanted; and as `count`.
    """
    if limit is not None and limit < 0:
        raise InputError("limit {limit}: it must be 0 or more", limit=limit)
    board = _board(game)
    if not isinstance(board, Rules):
        return [board.secret(number) for number in _listed(board, history)[:limit].tolist()]
    halves = Halves(board, check_history(board, history), report=report)
    return halves.first(halves.count() if limit is None else limit)


def parts(rules: Rules, history: Turns, guess: Code, *, report: Report = silent) -> dict[Mark, int]:
    """The partition of the candidates by a guess: how many there are for each mark.

    Returns:
        Marks with at least one candidate, in the order of `legal_marks`.

    Raises:
        CodeError, MarkError, TooLargeError: as `count`.
    """
    turns, guess = check_history(rules, history), check_code(guess, rules)
    if not turns:
        return opening_parts(rules, guess)
    return Halves(rules, turns, guess, report=report).parts()


def check_history(rules: Rules, history: Turns) -> tuple[Turn, ...]:
    """The turns, each a guess and a mark that the rules allow.

    Raises:
        CodeError: a guess that they do not allow.
        MarkError: a mark that they do not allow.
    """
    return tuple(Turn(check_code(guess, rules), check_mark(mark, rules)) for guess, mark in history)


def _board(game: Rules | Game) -> Rules | Game:
    """The rules of a board; another game as it is."""
    return game.rules if isinstance(game, Mastermind) else game


def _listed(game: Game, history: Turns) -> I32:
    """The secrets of a game, by number, that fit a history."""
    left = all_secrets(game)
    for guess, mark in history:
        left = left[game.marks(game.guess_number(guess), left) == game.mark_number(mark)]
    return left
