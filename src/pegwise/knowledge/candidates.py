"""All codes by the mark of a first guess, in closed form: at once on the largest boards.

Inclusion and exclusion. Pin some pegs of the guess, f_c of each color c, and let the other pegs of
the code be free, r_c of them with color c. However the pegs are placed, f_c + r_c is how often the
color occurs, and so what guess and code have in common is known. Counting codes by f, the number
of pegs pinned, counts each code once for every choice of f of its blacks; so the codes with b
blacks are the alternating sum over f of that count times (f choose b).
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from math import comb, perm
from typing import Any

from pegwise.arrays import I32
from pegwise.errors import InputError, MarkError, Phrase
from pegwise.game import (
    HOLE,
    Code,
    Codes,
    Game,
    GameLike,
    Mark,
    Mastermind,
    Rules,
    Turn,
    Turns,
    all_secrets,
    as_game,
    as_rules,
    check_code,
    check_mark,
    check_turns,
    legal_marks,
    nearest_marks,
)
from pegwise.game.turns import pairs
from pegwise.knowledge.counting import CandidateSet
from pegwise.progress import Report, silent

# ways to choose pegs, by how many are pinned, how many are free, and what is in common
_Ways = dict[tuple[int, int, int], int]


def opening_parts(rules: Rules, guess: Code) -> dict[Mark, int]:
    """How many secrets give each mark to a guess; marks that none gives are left out.

    Args:
        rules: the board.
        guess: a guess that they allow.
    """
    counts = Counter(peg for peg in guess if peg != HOLE)
    ways: _Ways = {(0, 0, 0): 1}
    for number in counts.values():
        ways = _with_color(ways, number, rules)
    pinned: dict[tuple[int, int], int] = {}
    others = rules.colors - len(counts)
    for (f, r, common), number in ways.items():
        rest = rules.pegs - f - r
        fill = perm(others, rest) if rules.secrets_are_distinct else others**rest
        codes = number * comb(rules.pegs - f, r) * fill
        pinned[f, common] = pinned.get((f, common), 0) + codes
    found: dict[Mark, int] = {}
    for (f, common), codes in pinned.items():
        for black in range(f + 1):
            mark = Mark(black, 0 if rules.black else common - black)
            found[mark] = found.get(mark, 0) + (-1) ** (f - black) * comb(f, black) * codes
    return {mark: found[mark] for mark in legal_marks(rules) if found.get(mark)}


def _with_color(ways: _Ways, number: int, rules: Rules) -> _Ways:
    """One more color, which the guess has so many times."""
    most = 1 if rules.secrets_are_distinct else rules.pegs
    found: _Ways = {}
    for (f, r, common), before in ways.items():
        for pin in range(min(number, most) + 1):
            for free in range(min(most, rules.pegs - f - r) - pin + 1):
                key = (f + pin, r + free, common + min(pin + free, number))
                # free pegs of this color are chosen among all free pegs so far
                new = before * comb(number, pin) * comb(r + free, free)
                found[key] = found.get(key, 0) + new
    return found


# Marks that can happen for a guess: some marks are legal, yet no secret gives them.


def possible_marks(rules: Rules, guess: Code) -> tuple[Mark, ...]:
    """The marks that some secret gives to a guess, in the order of `legal_marks`.

    Raises:
        CodeError: the rules do not allow this guess.
    """
    return _possible_marks(rules, check_code(guess, rules))


@lru_cache(maxsize=1024)
def _possible_marks(rules: Rules, guess: Code) -> tuple[Mark, ...]:
    return tuple(opening_parts(rules, guess))


def check_turn(rules: Rules, turn: tuple[Code, Mark]) -> None:
    """Refuse a turn whose mark no secret gives to its guess.

    Raises:
        CodeError: the rules do not allow the guess.
        MarkError: the mark cannot happen, in general or for this guess, with the reason and the
            nearest marks that can.
    """
    guess, mark = Turn(check_code(turn[0], rules), check_mark(turn[1], rules))
    possible = possible_marks(rules, guess)
    if mark in possible:
        return
    near = [
        other for other in nearest_marks(mark, rules, len(legal_marks(rules))) if other in possible
    ]
    raise MarkError(
        "mark {mark} cannot happen for {guess}: {why}; nearest possible: {known}",
        mark=mark,
        guess=guess,
        why=_why(mark, guess, possible, rules),
        known=", ".join(str(other) for other in near[:3]),
    )


def _why(mark: Mark, guess: Code, possible: tuple[Mark, ...], rules: Rules) -> Phrase:
    """The reason in words, the simplest that applies."""
    colors = {color for color in guess if color != HOLE}
    most, fewest = (pick(sum(other) for other in possible) for pick in (max, min))
    if sum(mark) > most:
        return Phrase(
            "no secret of {rules} has more than {most} pegs in common with it",
            rules=rules,
            most=most,
        )
    if sum(mark) < fewest:
        return Phrase(
            "every secret of {rules} has at least {fewest} pegs in common with it",
            rules=rules,
            fewest=fewest,
        )
    if mark.white and len(colors) == 1 and HOLE not in guess:
        return Phrase("it has one color only, so that what is right in color is in place too")
    return Phrase("no secret of {rules} gives it", rules=rules)


# What is still possible after a history: how many codes, which ones, and what a guess would tell.
#
# On a board nothing is listed, so that boards of any size are counted exactly; other games are
# small enough for their table.


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
        return len(listed_candidates(board, history))
    return CandidateSet(board, check_turns(history, board), report=report).count()


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
        return [
            board.secret(number) for number in listed_candidates(board, history)[:limit].tolist()
        ]
    halves = CandidateSet(board, check_turns(history, board), report=report)
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
    return CandidateSet(rules, turns, code, report=report).parts()


def _board(game: GameLike) -> Rules | Game:
    """The rules of a board; another game as it is."""
    if isinstance(game, Rules | str):
        return as_rules(game)
    return game.rules if isinstance(game, Mastermind) else as_game(game)


def listed_candidates(game: Game, history: Turns) -> I32:
    """The secrets of a game, by number, that fit a history."""
    left = all_secrets(game)
    for guess, mark in pairs(history):
        left = left[game.marks(game.guess_number(guess), left) == game.mark_number(mark)]
    return left
