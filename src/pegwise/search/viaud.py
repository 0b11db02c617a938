"""Viaud's strategy: at every turn the fewest guesses still to play, whatever the marks.

D. Viaud, Une formalisation du jeu de Mastermind, RAIRO Recherche opérationnelle 13(3), 1979,
p. 307-321, remark 2 of section 2.3. A strategy of smallest worst case need not hurry where a game
has gone well; this one does: after every history the worst case of what is left is smallest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from pegwise.errors import ContradictionError, StrategyError, TooLargeError
from pegwise.game import FiniteGame, Game, Mastermind, all_secrets
from pegwise.game.game import I32
from pegwise.search.solvable import Solvable, reach, solvable
from pegwise.search.tau import largest_parts
from pegwise.strategies import Card, Option

__all__ = ["Viaud"]


class Viaud:
    """Play the guess after which the fewest guesses are still to play, whatever the mark."""

    card: ClassVar = Card(
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
        traits=frozenset({"any-game", "slow"}),
    )

    def __init__(self) -> None:
        self.options: Mapping[str, Option] = {}

    def begin(self, game: Game) -> Hurry:
        """All secrets are candidates.

        Raises:
            StrategyError: a game too large to look all the way down.
        """
        if not isinstance(game, Mastermind | FiniteGame):
            raise StrategyError("viaud needs a game with a table of marks")
        try:
            solvable(game)
        except TooLargeError as error:
            raise StrategyError("viaud cannot play this board: {error}", error=error) from None
        return Hurry(game, all_secrets(game))


class Hurry:
    """Candidates after a history, and the guess that leaves fewest guesses to play.

    Ties, and there are many: a candidate before a code that cannot win, then the first in numeric
    order, as everywhere in this package. Viaud leaves them open.
    """

    def __init__(self, game: Mastermind | FiniteGame, candidates: I32) -> None:
        self.game = game
        self.candidates = candidates

    @cached_property
    def number(self) -> int:
        """Number of the guess."""
        if not len(self.candidates):
            raise ContradictionError("no secret of {game} gives these marks", game=self.game.name)
        answers = solvable(self.game)
        left = answers.order(self.candidates)
        most = reach(self.game.n_marks, left - 1)
        largest = largest_parts(self.game, self.candidates)
        return next(
            guess
            for guess in self._in_order()
            if left == 1 or (largest[guess] <= most and self._leaves(answers, guess, left - 1))
        )

    def _in_order(self) -> Iterator[int]:
        """All guesses, candidates first, by number."""
        candidates = np.sort(self.game.guess_of_secret[self.candidates])
        yield from candidates.tolist()
        yield from np.setdiff1d(np.arange(self.game.n_guesses), candidates).tolist()

    def _leaves(self, answers: Solvable, guess: int, left: int) -> bool:
        """Whether every part of a guess can be solved with so many guesses."""
        marks = self.game.marks(guess, self.candidates)
        sizes = np.bincount(marks, minlength=self.game.n_marks)
        # a part that cannot be solved is most often a large one
        return all(
            answers.within(self.candidates[marks == mark], left)
            for mark in np.argsort(-sizes, kind="stable").tolist()
            if sizes[mark] > left
        )

    @property
    def guess(self) -> Any:
        return self.game.guess(self.number)

    def after(self, mark: Any) -> Hurry:
        return self._following(self.number, mark)

    def instead(self, guess: Any, mark: Any) -> Hurry:
        return self._following(self.game.guess_number(guess), mark)

    def _following(self, guess: int, mark: Any) -> Hurry:
        number = self.game.mark_number(mark)
        left = self.candidates[self.game.marks(guess, self.candidates) == number]
        return Hurry(self.game, left)
