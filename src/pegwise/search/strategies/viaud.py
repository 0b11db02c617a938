"""Viaud's strategy: at every turn the worst case of what follows is smallest."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from pegwise.arrays import I32
from pegwise.errors import Phrase, StrategyError, TooLargeError
from pegwise.game import Game
from pegwise.search.theory.taus import largest_parts, reach
from pegwise.strategies import (
    CandidateDecision,
    CandidateStrategy,
    Card,
    Decision,
    Explanation,
    History,
    StrategyOption,
    check_options,
)
from pegwise.strategies.explanation import Write
from pegwise.strategies.one_step import rank_of_guesses
from pegwise.strategies.scoring import check_free


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

    def __init__(
        self,
        *,
        ties: Annotated[
            str,
            StrategyOption(
                "which of the guesses that tie is played: as knuth does, one that may be the "
                "secret, then the first in numeric order; or the first in an order drawn at random",
                values=("knuth", "random"),
            ),
        ] = "knuth",
        seed: Annotated[int, StrategyOption("the seed of ties=random", least=0)] = 0,
    ) -> None:
        self.options = check_options(Viaud, ties=ties, seed=seed)
        self.ties, self.seed = ties, seed

    def begin(self, game: Game) -> Decision:
        from pegwise.search.exact.position import solvable

        check_free(self.card.id, game)
        try:
            solvable(game)
        except TooLargeError as error:
            raise StrategyError("viaud cannot play this board: {error}", error=error) from None
        return super().begin(game)

    def choose(self, game: Game, candidates: I32, history: History) -> int:  # noqa: ARG002
        """The guess after which the fewest guesses are still to play.

        Ties, and there are many, are as `ties` says. Viaud leaves them open.
        """
        from pegwise.search.exact.position import solvable

        answers = solvable(game)
        budget = answers.order(candidates)
        most = reach(game.n_marks, budget - 1)
        largest = largest_parts(game, candidates)
        possible = np.sort(game.guess_of_secret[candidates])
        if budget == 1:
            return int(possible[0])
        rank = rank_of_guesses(self.ties, self.seed, game.n_guesses)
        if rank is None:
            others = np.setdiff1d(np.arange(game.n_guesses), possible)
            guesses = np.concatenate([possible, others])
        else:
            guesses = np.argsort(rank)
        guesses = guesses[guesses < game.n_open_guesses]
        return next(
            guess
            for guess in map(int, guesses[largest[guesses] <= most])
            if answers.within_after(candidates, guess, budget - 1)
        )

    def explain(self, decision: CandidateDecision, write: Write) -> Explanation:  # noqa: ARG002
        """The q of the position, and the largest tau of the guess."""
        from pegwise.search.exact.position import solvable

        figures = decision.figures()
        q = solvable(decision.game).order(decision.candidates)
        figures |= {"q": q, "k": q - 1, "largest_tau": 1}
        values = {"q": q, "k": q - 1, "largest": figures["largest"]}
        reason = (
            Phrase(
                "q = {q}: from here {q} guesses are always enough, and fewer are not.", **values
            ),
            Phrase(
                "The largest tau_{k} of the parts of this guess is 1: whatever the mark, q is at "
                "most {k}. Their largest tau_1, the size, is {largest:,}.",
                **values,
            ),
        )
        criterion = Phrase("remark 2 of section 2.3: the largest tau_(q-1) is 1")
        return Explanation(
            attempt=decision.guess, reason=reason, criterion=criterion, figures=figures
        )
