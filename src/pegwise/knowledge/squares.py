"""A shared game without its words: rows of squares, and the words of a list that fit them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pegwise.arrays import Bools
from pegwise.game import Code, Game, Mark, game_of
from pegwise.progress import Progress, Report, silent

_STEP = 256  # guesses between two reports of progress


def words_of_rows(rules: Game, marks: Sequence[Mark], secret: Code) -> list[list[Code]]:
    """For each mark, the words that would get it if the code is this one."""
    game = game_of(rules)
    by_mark: dict[Mark, list[Code]] = {mark: [] for mark in marks}
    for number in range(game.n_guesses):
        guess = game.guess(number)
        mark = rules.mark_of(guess, secret)
        if mark in by_mark:
            by_mark[mark].append(guess)
    return [by_mark[mark] for mark in marks]


def secrets_of_rows(
    rules: Game, marks: Sequence[Mark], *, report: Report = silent
) -> tuple[list[int], list[Code]]:
    """For how many codes some word would get each mark; and the codes of which that holds for all.

    `report` receives how many guesses are done.
    """
    game = game_of(rules)
    secrets = np.arange(game.n_secrets, dtype=np.int32)
    numbers = np.array([[game.mark_number(mark)] for mark in marks])
    fits: Bools = np.zeros((len(marks), game.n_secrets), np.bool_)
    for number in range(game.n_guesses):
        fits |= game.marks_against(game.guess(number), secrets)[None] == numbers
        if number % _STEP == 0:
            report(Progress(number, game.n_guesses, "guesses"))
    possible = np.flatnonzero(fits.all(axis=0)).tolist()
    return [int(row.sum()) for row in fits], [game.secret(number) for number in possible]
