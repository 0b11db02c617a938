"""A choice of a guess: what it could tell, beside the best one."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from pegwise.coach.advice import Advice as Advice
from pegwise.coach.advice import Adviser as Adviser
from pegwise.coach.advice import Position as Position
from pegwise.coach.advice import Ranking as Ranking
from pegwise.coach.advice import Split as Split
from pegwise.coach.advice import best_guess as best_guess
from pegwise.coach.advice import default_strategy as default_strategy
from pegwise.coach.advice import rank as rank
from pegwise.errors import TooLargeError
from pegwise.game import Code, Game, Turn
from pegwise.knowledge import PositionValue
from pegwise.playing import Play
from pegwise.strategies import load

Unit = Literal["guesses", "bits", "codes", "largest", "parts"]

_UNITS: Final[dict[str, Unit]] = {
    "entropy": "bits",
    "size": "codes",
    "minimax": "largest",
    "parts": "parts",
}

Verdict = Literal["best", "good", "inaccurate", "wasted"]

# a good guess costs less: about one guess in seven games, or a quarter of a question of yes or no
_GOOD: Final[dict[Unit, float]] = {"guesses": 0.15, "bits": 0.25}
_GOOD_SHARE: Final = 0.1  # by other units: what a good guess may cost of what the best has
_NEGLIGIBLE: Final = 1e-9  # scores that differ by rounding alone
_QUICK: Final = {"sample": 1000, "pool": 200, "keep": 10_000, "ahead": 30}
"""Options of `sampling` for a review, which has a guess to look for at every turn."""


Solver = Callable[[Game, Sequence[Turn], Code | None, str], PositionValue | None]
"""From rules, history, a guess, and `all` or `candidates`: best play, or None if unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """A guess of a position, compared with the best one.

    Attributes:
        counts: candidates of each board before it; 1 of a solved one.
        weights: their weight: their number where all codes are alike.
        played: how the guess splits the candidates.
        best: how the best guess by one look ahead splits them, the guess itself where none is
            better; on boards too large to compare guesses the best of those that `sampling`
            weighs; None where none is known.
        exact: what best play needs from this position, where a solver finds it.
        criterion: what one look ahead compares: `entropy`, `size`, `minimax` or `parts`.
    """

    counts: tuple[int, ...]
    weights: tuple[int, ...]
    played: Split
    best: Split | None
    exact: PositionValue | None = None
    criterion: str = "entropy"

    @property
    def before(self) -> int:
        """Candidates before it; of several boards the ways to choose one for each."""
        return math.prod(self.counts)

    @property
    def unit(self) -> Unit | None:
        """The unit of the yardstick; None where no best guess is known."""
        if self.exact is not None and self.exact.played is not None:
            return "guesses"
        return None if self.best is None else _UNITS[self.criterion]

    @property
    def answer(self) -> Code | None:
        """The best guess: the one played where none is better, None where none is known."""
        if self.is_best:
            return self.played.guess
        if self.unit == "guesses" and self.exact is not None:
            return self.exact.guess
        return None if self.best is None else self.best.guess

    @property
    def excess(self) -> float | None:
        """Cost of the guess against the best one, at least 0, counted in `unit`."""
        if self.cost_in_guesses is not None:
            return float(self.cost_in_guesses)
        if self.best is None:
            return None
        cost = self.played.score(self.criterion) - self.best.score(self.criterion)
        return 0.0 if cost < _NEGLIGIBLE else cost

    @property
    def is_best(self) -> bool:
        """Whether no guess is better than the one played."""
        return self.excess == 0

    @property
    def verdict(self) -> Verdict | None:
        """A word for the guess; None where no best guess is known.

        A guess is `wasted` if its mark was known beforehand, unless it wins. It is `good` if it
        costs less than 0.15 guesses or 0.25 bits.
        """
        if self.played.n_parts == 1 and not self.played.possible:
            return "wasted"
        if self.excess is None or self.unit is None:
            return None
        if self.is_best:
            return "best"
        limit = _GOOD.get(self.unit)
        if limit is None and self.best is not None:
            limit = _GOOD_SHARE * abs(self.best.score(self.criterion))
        return "good" if self.excess < (limit or 0) else "inaccurate"

    @property
    def skill(self) -> float | None:
        """Guesses needed after the best guess, as a share of those after this one; at most 1."""
        if self.exact is not None and self.exact.played is not None:
            return self.exact.total / self.exact.played
        if self.best is None:
            return None
        if self.is_best:
            return 1.0
        played, best = self.played.score(self.criterion), self.best.score(self.criterion)
        return played / best if best < 0 else best / played

    @property
    def cost_in_guesses(self) -> Fraction | None:
        """Guesses that this choice costs on average against best play, where that is known."""
        if self.exact is None or self.exact.played is None:
            return None
        return Fraction(self.exact.played - self.exact.total, self.before)


def weigh(
    position: Position,
    guess: Code,
    *,
    criterion: str = "entropy",
    guesses: str = "all",
    solver: Solver | None = None,
) -> Choice:
    """Compare a guess with the best one; the arguments are those of `review`."""
    played = position.split(guess)
    best: Split | None = None
    exact: PositionValue | None = None
    with suppress(TooLargeError):
        best = _best_of(position, played, criterion, guesses)
        if position.play.boards > 1:
            if best.score(criterion) > played.score(criterion) - _NEGLIGIBLE:
                best = played
        elif position.count == 1:
            exact = PositionValue(best.guess, 1, 1 if played.possible else 2)
        elif math.isclose(best.score(criterion), played.score(criterion), abs_tol=_NEGLIGIBLE):
            best = played
    settled = exact is not None or position.partial or position.play.boards > 1
    # best play is searched for codes that are alike
    if not settled and position.game.weights is None and solver is not None and position.game.text:
        exact = solver(position.game, position.turns, guess, guesses)
    return Choice(
        counts=position.counts,
        weights=position.weights,
        played=played,
        best=best,
        exact=exact,
        criterion=criterion,
    )


def _best_of(position: Position, played: Split, criterion: str, guesses: str) -> Split:
    """The best guess; where there are too many to compare, that of `sampling`, or the one played.

    Raises:
        TooLargeError: too many codes to look for a guess, or for one by this criterion.
    """
    try:
        return best_guess(position, criterion, guesses)
    except TooLargeError:
        if criterion != "entropy" or position.game.board is None:
            raise
    advice = Adviser(load("sampling", **_QUICK), position.game).propose(position.turns)
    if advice.guess == played.guess or advice.strategy.startswith("constraint"):
        return played
    return max(played, position.split(advice.guess), key=lambda split: split.bits)


def hint(play: Play, solver: Solver | None = None) -> Advice:
    """A best guess by the yardstick; where none is known, that of the board's default strategy."""
    position = Position(play)
    game, exact = position.game, None
    alike = not position.partial and play.boards == 1 and game.weights is None
    if solver is not None and alike:
        exact = solver(game, position.turns, None, "all")
    if exact is not None:
        return Advice(exact.guess, "optimal")
    with suppress(TooLargeError):
        return Advice(best_guess(position).guess, "entropy")
    return Adviser(default_strategy(game), game).propose(play.turns)
