"""Strategies that look one step ahead: each guess splits the candidates into parts, by mark.

The guess with the least score by a criterion is played (see `criteria`). If secrets have weights, a
part is as large as their sum. Ties go to a second criterion if there is one, then to a candidate
before a code that cannot win, then to the first in numeric order (Knuth 1976).
"""

from __future__ import annotations

from typing import ClassVar, TypeGuard

import numpy as np

from pegwise.arrays import I32
from pegwise.errors import InputError, StrategyError, TooLargeError, UnknownNameError
from pegwise.game import FiniteGame, Game, Mastermind, all_secrets
from pegwise.game.game import check_listed
from pegwise.kernels import LARGEST, plain, small
from pegwise.progress import Progress, Report, silent
from pegwise.strategies.base import CandidateStrategy, Card, History, Nodes, changed
from pegwise.strategies.criteria import CRITERIA, Criterion, GuessOrder, largest_part


class OneStep(CandidateStrategy):
    """Play the guess that scores best by one criterion.

    Args:
        guesses: `all` codes that may be guessed, or only `candidates`.
        then: second criterion for ties (`minimax`, `size`, `entropy`, `parts`), or `none`.
        weighted: whether the weights of secrets count, if they have some.

    Raises:
        InputError: another value.
    """

    criterion: ClassVar[Criterion]

    def __init__(self, *, guesses: str = "all", then: str = "none", weighted: bool = True) -> None:
        if guesses not in {"all", "candidates"}:
            raise InputError(
                "guesses={guesses}: write guesses=all or guesses=candidates", guesses=repr(guesses)
            )
        if then not in {"none", *CRITERIA}:
            raise UnknownNameError.of("second criterion", then, ["none", *CRITERIA])
        then = "none" if then == self.criterion.id else then
        second = None if then == "none" else CRITERIA[then]
        self.order = GuessOrder(self.criterion, second, only_candidates=guesses == "candidates")
        self.weighted = weighted
        self.options = changed(OneStep, guesses=guesses, then=then, weighted=weighted)

    def choose(self, game: Game, candidates: I32, history: History) -> int:
        if _needs_kernels(game, weighted=self.weighted):
            from pegwise.strategies import boards

            return boards.choose(game, candidates, history, self.order)
        return plain.choose(self._table(game), candidates, self._comparison(game))

    def follow(self, game: Game, candidates: I32, history: History) -> Nodes | None:
        if _needs_kernels(game, weighted=self.weighted):
            from pegwise.strategies import boards

            return boards.grow_from(game, candidates, history, self.order)
        comparison = self._comparison(game)
        return Nodes(*plain.grow(self._table(game), candidates, lambda _level: comparison))

    def compile(self, game: Game, *, threads: int = 1, report: Report = silent) -> Nodes | None:
        check_listed(game.name, game.n_guesses)
        if _needs_kernels(game, weighted=self.weighted):
            from pegwise.strategies import boards

            return boards.grow(game, self.order, threads, report)
        nodes = self.follow(game, all_secrets(game), ())
        report(Progress(game.n_secrets, game.n_secrets, "secrets"))
        return nodes

    def _table(self, game: Game) -> plain.Table:
        """A small board, or another game, as its marks."""
        if not isinstance(game, Mastermind | FiniteGame):
            raise StrategyError("{id} needs a game with a table of marks", id=self.card.id)
        outsiders = np.full(game.n_guesses, not self.order.only_candidates)
        marks, rows = game.table, game.guess_of_secret
        weights = game.weights if self.weighted else None
        return plain.Table(marks, rows, game.n_marks, game.winning, outsiders, weights)

    def _comparison(self, game: Game) -> plain.Comparison:
        """What is minimised on a game."""
        n, (first, second, _) = game.n_secrets, self.order
        if self.weighted:
            n = largest_part(game)
        criteria = [first] if second is None else [first, second]
        return [(criterion.table(n), criterion.additive) for criterion in criteria]


def _needs_kernels(game: Game, *, weighted: bool) -> TypeGuard[Mastermind]:
    """Whether kernels play; TooLargeError where weights are to count, which they cannot."""
    if not isinstance(game, Mastermind):
        return False
    if game.weights is None or not weighted:
        pegs = game.rules.pegs
        return not small(game.n_guesses, game.n_secrets, "onestep.grow", pegs)
    if game.n_guesses * game.n_secrets > LARGEST:
        raise TooLargeError(
            "{game} is too large to compare guesses by weights: {cells:,} marks, at most {most:,}",
            game=game.name,
            cells=game.n_guesses * game.n_secrets,
            most=LARGEST,
        )
    return False


class Knuth(OneStep):
    """The smallest largest part: the worst case of the next mark."""

    criterion = CRITERIA["minimax"]
    card = Card(
        id="knuth",
        name="Minimax",
        authors="Donald E. Knuth",
        year=1976,
        source="The computer as Master Mind, Journal of Recreational Mathematics 9(1), p. 1-6",
        about=(
            "Plays the guess whose largest part is smallest: whatever the mark, as few candidates "
            "as possible stay. On 4 pegs and 6 colors it never needs more than five guesses."
        ),
        traits=frozenset({"any-game"}),
    )


class Irving(OneStep):
    """The smallest expected number of candidates left."""

    criterion = CRITERIA["size"]
    card = Card(
        id="irving",
        name="Expected size",
        authors="Robert W. Irving",
        year=1978,
        source=(
            "Towards an optimum Mastermind strategy, "
            "Journal of Recreational Mathematics 11(2), p. 81-87"
        ),
        about=(
            "Plays the guess after which the expected number of candidates, each part weighed by "
            "its own chance, is smallest."
        ),
        traits=frozenset({"any-game"}),
    )


class Entropy(OneStep):
    """The most information expected from the next mark."""

    criterion = CRITERIA["entropy"]
    card = Card(
        id="entropy",
        name="Entropy",
        authors="E. Neuwirth",
        year=1982,
        source="Some strategies for Mastermind, Zeitschrift für Operations Research 26, B257-B278",
        about=(
            "Plays the guess whose mark tells most, in bits: the entropy of the partition is "
            "largest, so the expected uncertainty that stays is smallest."
        ),
        traits=frozenset({"any-game"}),
    )


class Parts(OneStep):
    """The most parts: the most different marks possible."""

    criterion = CRITERIA["parts"]
    card = Card(
        id="parts",
        name="Most parts",
        authors="Barteld Kooi",
        year=2005,
        source="Yet another Mastermind strategy, ICGA Journal 28(1), p. 13-20",
        about=(
            "Plays the guess that can get the most different marks. The sizes of the parts do not "
            "matter; still it is the best of the classical one-step methods on 4 pegs, 6 colors."
        ),
        traits=frozenset({"any-game"}),
    )
