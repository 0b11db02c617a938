"""What is possible after a history: how many codes, which ones, and how a guess splits them.

The codes of a small board are listed, those of a larger one counted (see `knowledge.counting`).
Other games are small enough for their table.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import comb, perm
from typing import Any, Final, Protocol, overload

import numpy as np

from pegwise.arrays import I32, U8, MarkNumbers
from pegwise.errors import InputError
from pegwise.game import (
    HOLE,
    Code,
    Codes,
    FiniteGame,
    Game,
    GameLike,
    Mark,
    Mastermind,
    Ruled,
    Rules,
    Turn,
    Turns,
    all_secrets,
    check_code,
    check_turns,
    game_of,
    legal_marks,
    mastermind,
    ruled,
)
from pegwise.game.record import pairs
from pegwise.kernels import plain, small
from pegwise.progress import Report, silent

MAX_STATES: Final = 8_000_000
"""States of half a code that memory is spent on: some 2 GiB, and half a minute of time."""

_max_states = MAX_STATES


def limit_states(most: int) -> None:
    """Let this process spend memory and time on at most so many states of half a code."""
    global _max_states
    _max_states = most


def count(game: GameLike, history: Turns = (), *, report: Report = silent) -> int:
    """How many secrets fit a history: exactly, also where they are too many to list.

    Args:
        game: a board by its rules, or any game.
        history: turns: a guess and its mark each, or a text such as `AABB=XO`.
        report: receives the progress, on boards where it takes long.

    Raises:
        InputError: no game, or no turn.
        CodeError: a guess that the rules do not allow; MarkError: a mark likewise.
        TooLargeError: one of the largest boards, with turns that tell many cases apart.
    """
    board = ruled(game)
    if not isinstance(board, Rules):
        return len(listed_candidates(board, history))
    return candidate_set(board, check_turns(history, board), report=report).count()


@overload
def candidates(
    game: Mastermind | Rules | str,
    history: Turns = ...,
    limit: int | None = ...,
    *,
    report: Report = ...,
) -> Codes: ...
@overload
def candidates(
    game: Game, history: Turns = ..., limit: int | None = ..., *, report: Report = ...
) -> list[Any]: ...
def candidates(
    game: GameLike, history: Turns = (), limit: int | None = None, *, report: Report = silent
) -> list[Any]:
    """The secrets that fit a history, in numeric order: the first `limit`, or all.

    Args:
        game: a board by its rules, or any game.
        history: turns: as in `count`.
        limit: how many; None for all of them.
        report: as in `count`.

    Returns:
        `Codes` on a board; on another game its secrets, in its own order.

    Raises:
        InputError: a limit below 0; and as `count`.
        TooLargeError: there are more than `MAX_LISTED`; and as `count`.
    """
    if limit is not None and limit < 0:
        raise InputError("limit {limit}: it must be 0 or more", limit=limit)
    board = ruled(game)
    if not isinstance(board, Rules):
        return list(map(board.secret, listed_candidates(board, history)[:limit].tolist()))
    fitting_codes = candidate_set(board, check_turns(history, board), report=report)
    return Codes(fitting_codes.first(limit))


def parts(
    rules: Ruled, history: Turns, guess: Code | str, *, report: Report = silent
) -> dict[Mark, int]:
    """How many candidates there are for each mark that a guess can get.

    Returns:
        Marks with at least one candidate, in the order of `legal_marks`.

    Raises:
        CodeError, MarkError, TooLargeError: as `count`.
    """
    turns, code = check_turns(history, rules), check_code(guess, rules)
    if isinstance(rules, FiniteGame):
        return _TableSet(rules, turns, code).parts()
    if not turns and rules.on_board:
        return opening_parts(rules, code)
    return candidate_set(rules, turns, code, report=report).parts()


class Candidates(Protocol):
    """The codes of a board that fit a history."""

    def count(self) -> int:
        """How many there are."""

    def parts(self) -> dict[Mark, int]:
        """How many there are, by the mark that the open guess would get."""

    def first(self, limit: int | None = None) -> list[Code]:
        """The first in numeric order, or all.

        Raises:
            TooLargeError: more than `MAX_LISTED` of them.
        """


def candidate_set(
    rules: Rules, history: Sequence[Turn], guess: Code | None = None, *, report: Report = silent
) -> Candidates:
    """The codes that fit a history: listed on a small board, else counted by kernels.

    Args:
        rules: the board.
        history: turns, already checked.
        guess: a guess that was not played: codes are counted by the mark that it would get.
        report: receives the progress, on boards where it takes long.

    Raises:
        TooLargeError: one of the largest boards, with turns that tell many cases apart.
    """
    if not rules.on_board:
        return _TableSet(game_of(rules), history, guess)
    # to list a code takes as long as to mark it some times
    if small(8 * (len(history) + 1), rules.n_secrets, "counting"):
        return _ListedSet(rules, history, guess)
    from pegwise.knowledge.counting import CandidateSet

    return CandidateSet(rules, history, guess, most=_max_states, report=report)


class _TableSet:
    """The secrets that fit a history, of a game with a table of its marks."""

    def __init__(self, game: Game, history: Sequence[Turn], guess: Code | None) -> None:
        self._game, self._guess = game, guess
        self._secrets = listed_candidates(game, history)

    def count(self) -> int:
        return len(self._secrets)

    def parts(self) -> dict[Mark, int]:
        if self._guess is None:
            return {}
        marks = self._game.marks(self._game.guess_number(self._guess), self._secrets)
        return _sizes(self._game, marks)

    def first(self, limit: int | None = None) -> list[Code]:
        return list(map(self._game.secret, self._secrets[:limit].tolist()))


def _sizes(game: Game, marks: MarkNumbers) -> dict[Mark, int]:
    """How often each mark occurs, in the order of their numbers."""
    numbers, sizes = np.unique(marks, return_counts=True)
    pairs = zip(numbers.tolist(), sizes.tolist(), strict=True)
    return {game.mark(number): size for number, size in pairs}


class _ListedSet:
    """The codes of a small board that fit a history, from the list of all."""

    def __init__(self, rules: Rules, history: Sequence[Turn], guess: Code | None) -> None:
        self._game, self._guess = mastermind(rules), guess
        self._codes = self._game.secret_codes
        for turn in history:
            number = self._game.mark_number(turn.mark)
            self._codes = self._codes[self._marks(turn.guess) == number]

    def _marks(self, guess: Code) -> U8:
        """uint8 (n): the marks of a guess against the candidates."""
        guesses = np.array([guess], np.uint8)
        colors = self._game.rules.colors
        return plain.mark_table(guesses, self._codes, colors, self._game.mark_ids).ravel()

    def count(self) -> int:
        return len(self._codes)

    def parts(self) -> dict[Mark, int]:
        if self._guess is None:
            return {Mark(0): len(self._codes)} if len(self._codes) else {}
        return _sizes(self._game, self._marks(self._guess))

    def first(self, limit: int | None = None) -> list[Code]:
        return list(map(Code, self._codes[:limit].tolist()))


def listed_candidates(game: Game, history: Turns) -> I32:
    """The secrets of a game, by number, that fit a history; for games that can be listed."""
    secrets = all_secrets(game)
    for guess, mark in pairs(history):
        marks = game.marks(game.guess_number(guess), secrets)
        secrets = secrets[marks == game.mark_number(mark)]
    return secrets


def opening_parts(rules: Rules, guess: Code) -> dict[Mark, int]:
    """How many secrets give each mark to a guess, in closed form; marks that none gives are absent.

    Inclusion and exclusion. Pin some pegs of the guess, f_c of each color c, and let the other
    pegs of the code be free, r_c of them with color c. However the pegs are placed, f_c + r_c is
    how often the color occurs, and so what guess and code have in common is known. Counting codes
    by f, the number of pegs pinned, counts each code once for every choice of f of its blacks; so
    the codes with b blacks are the alternating sum over f of that count times (f choose b).
    """
    colors = Counter(peg for peg in guess if peg != HOLE)
    ways = NO_COLORS
    for number in colors.values():
        ways = with_color(rules, ways, number)
    return parts_of_ways(rules, ways, len(colors))


Ways = dict[tuple[int, int], int]
"""Ways to choose pegs, by how many are pinned and free: a digit for each number in common."""

NO_COLORS: Final[Ways] = {(0, 0): 1}

_DIGIT: Final = 128
"""Bits of a digit, which stays below 2 ** 16 * 26 ** 16, the choices of pegs times the codes."""


def with_color(rules: Rules, ways: Ways, number: int) -> Ways:
    """The ways with one more color, which the guess has so often."""
    most = 1 if rules.secrets_are_distinct else rules.pegs
    more: Ways = defaultdict(int)
    for (pinned, free), digits in ways.items():
        room = min(most, rules.pegs - pinned - free)
        for pin in range(min(number, room) + 1):
            chosen = digits * comb(number, pin)
            for unpinned in range(room - pin + 1):
                # free pegs of this color are chosen among all free pegs so far
                choices = chosen * comb(free + unpinned, unpinned)
                common = min(number, pin + unpinned)
                more[pinned + pin, free + unpinned] += choices << common * _DIGIT
    return more


def parts_of_ways(rules: Rules, ways: Ways, colors: int) -> dict[Mark, int]:
    """How many secrets give each mark, once the ways hold so many colors, all of the guess."""
    absent = rules.colors - colors
    sizes: dict[Mark, int] = defaultdict(int)
    for (pinned, free), digits in ways.items():
        rest = rules.pegs - pinned - free
        fill = perm(absent, rest) if rules.secrets_are_distinct else absent**rest
        codes = fill * comb(free + rest, rest)
        for common in range(pinned, rules.pegs + 1):
            number = (digits >> common * _DIGIT) % (1 << _DIGIT) * codes
            for black in range(pinned + 1 if number else 0):
                mark = Mark(black, 0 if rules.black else common - black)
                sizes[mark] += (-1) ** (pinned - black) * comb(pinned, black) * number
    return {mark: sizes[mark] for mark in legal_marks(rules) if sizes[mark]}
