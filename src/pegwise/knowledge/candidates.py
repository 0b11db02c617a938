"""What is still possible after a history: how many codes, which ones, and what a guess would tell.

On a board nothing is listed, so that boards of any size are counted exactly; other games are
small enough for their table.
"""

from __future__ import annotations

from typing import Any

from pegwise.errors import InputError
from pegwise.game import (
    Code,
    Codes,
    Game,
    GameLike,
    Mark,
    Mastermind,
    Rules,
    Turns,
    all_secrets,
    as_game,
    as_rules,
    check_code,
    check_turns,
)
from pegwise.game.game import I32
from pegwise.game.turns import pairs
from pegwise.knowledge.halves import Halves
from pegwise.knowledge.opening import opening_parts
from pegwise.progress import Report, silent

__all__ = ["candidates", "count", "parts"]


def count(game: GameLike, history: Turns = (), *, report: Report = silent) -> int:
    """How many secrets fit a history: exactly, also where they are too many to list.

    Args:
        game: a board by its rules, or any game.
        history: turns: a guess and its mark each, or a text such as `AABB=XO`.
        report: told of the work done, on boards where it takes long.

    Raises:
        InputError: no game, or no turn.
        CodeError: a guess that the rules do not allow; MarkError: a mark likewise.
        TooLargeError: one of the largest boards, with turns that tell many cases apart.
    """
    board = _board(game)
    if not isinstance(board, Rules):
        return len(_listed(board, history))
    return Halves(board, check_turns(history, board), report=report).count()


def candidates(
    game: GameLike, history: Turns = (), limit: int | None = None, *, report: Report = silent
) -> list[Any]:
    """The secrets that fit a history, in numeric order: the first `limit`, or all.

    Args:
        game: a board by its rules, or any game.
        history: turns: as in `count`.
        limit: how many are wanted; None for all of them.
        report: as in `count`.

    Returns:
        `Codes` on a board; on another game its secrets, in its own order.

    Raises:
        InputError: a limit below 0; and as `count`.
        TooLargeError: more than `MAX_LISTED` are wanted; and as `count`.
    """
    if limit is not None and limit < 0:
        raise InputError("limit {limit}: it must be 0 or more", limit=limit)
    board = _board(game)
    if not isinstance(board, Rules):
        return [board.secret(number) for number in _listed(board, history)[:limit].tolist()]
    halves = Halves(board, check_turns(history, board), report=report)
    return Codes(halves.first(halves.count() if limit is None else limit))


def parts(
    rules: Rules, history: Turns, guess: Code | str, *, report: Report = silent
) -> dict[Mark, int]:
    """The partition of the candidates by a guess: how many there are for each mark.

    Returns:
        Marks with at least one candidate, in the order of `legal_marks`.

    Raises:
        CodeError, MarkError, TooLargeError: as `count`.
    """
    turns, code = check_turns(history, rules), check_code(guess, rules)
    if not turns:
        return opening_parts(rules, code)
    return Halves(rules, turns, code, report=report).parts()


def _board(game: GameLike) -> Rules | Game:
    """The rules of a board; another game as it is."""
    if isinstance(game, Rules | str):
        return as_rules(game)
    return game.rules if isinstance(game, Mastermind) else as_game(game)


def _listed(game: Game, history: Turns) -> I32:
    """The secrets of a game, by number, that fit a history."""
    left = all_secrets(game)
    for guess, mark in pairs(history):
        left = left[game.marks(game.guess_number(guess), left) == game.mark_number(mark)]
    return left
