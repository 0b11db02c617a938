"""Viaud's strategy: at every turn the worst case of what follows is smallest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pegwise.arrays import I32
from pegwise.errors import StrategyError, TooLargeError
from pegwise.game import Game
from pegwise.search.theory import largest_parts
from pegwise.strategies import CandidateStrategy, Card, Decision, History

if TYPE_CHECKING:
    from pegwise.search.exact.position import Solvable


class Viaud(CandidateStrategy):
    """Play the guess after which the fewest guesses are still to play, whatever the mark.

    D. Viaud 1979, remark 2 of section 2.3: after every history the worst case of the rest is
    smallest, not only from the start.
    """

    card = Card(
        id="viaud",
        name="Fewest guesses still to play",
        authors="D. Viaud",
        year=1979,
        source=(
            "Une formalisation du jeu de Mastermind, RAIRO Recherche opérationnelle 13(3), "
            "p. 307-321, remark 2 of section 2.3"
        ),
        about=(
            "Plays so that the largest number of guesses still to play is smallest, at every turn "
            "again: no strategy has a smaller worst case, from the start or after any marks. On 4 "
            "pegs and 4 colors it needs at most four guesses, on 6 colors five. It looks all the "
            "way down, so it plays boards of up to 5000 codes only."
        ),
        traits=frozenset({"any-game", "adapts", "slow"}),
    )

    def begin(self, game: Game) -> Decision:
        from pegwise.search.exact.position import solvable

        try:
            solvable(game)
        except TooLargeError as error:
            raise StrategyError("viaud cannot play this board: {error}", error=error) from None
        return super().begin(game)

    def choose(self, game: Game, candidates: I32, history: History) -> int:  # noqa: ARG002
        """The guess after which the fewest guesses are still to play.

        Ties, and there are many: a candidate before a code that cannot win, then the first in
        numeric order, as everywhere in this package. Viaud leaves them open.
        """
        from pegwise.search.exact.position import reach, solvable

        answers = solvable(game)
        budget = answers.order(candidates)
        most = reach(game.n_marks, budget - 1)
        largest = largest_parts(game, candidates)
        possible = np.sort(game.guess_of_secret[candidates])
        others = np.setdiff1d(np.arange(game.n_guesses), possible)
        guesses: list[int] = [*possible.tolist(), *others.tolist()]
        return next(
            guess
            for guess in guesses
            if budget == 1
            or (
                largest[guess] <= most
                and _solves_parts(answers, game, candidates, guess, budget - 1)
            )
        )


def _solves_parts(answers: Solvable, game: Game, candidates: I32, guess: int, budget: int) -> bool:
    """Whether every part of a guess can be solved with so many guesses."""
    marks = game.marks(guess, candidates)
    sizes = np.bincount(marks, minlength=game.n_marks)
    # a part that cannot be solved is most often a large one
    return all(
        answers.within(candidates[marks == mark], budget)
        for mark in np.argsort(-sizes, kind="stable").tolist()
        if sizes[mark] > budget
    )
