"""What to play next, after any history: the advice of a strategy, and of which."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pegwise.coach.ranking import MAX_LISTED
from pegwise.errors import MissingExtraError, StrategyError, TooLargeError
from pegwise.game import Code, Rules, Turn, mastermind
from pegwise.strategies import Adapts, Decision, Strategy, label, load

__all__ = ["Advice", "Adviser", "default_strategy"]


@dataclass(frozen=True, slots=True)
class Advice:
    """A guess to play.

    Attributes:
        guess: the guess.
        strategy: who proposes it, as typed on the command line.
    """

    guess: Code
    strategy: str


def default_strategy(rules: Rules) -> Strategy:
    """The strategy for a board where none is named.

    `entropy` where all guesses can be weighed; else `constraint`, which plays boards of any size,
    or `forget-entropy` where the extra 'constraint' is not installed.
    """
    if rules.n_guesses <= MAX_LISTED:
        return load("entropy")
    constraint = load("constraint")
    try:
        constraint.begin(mastermind(rules))
    except MissingExtraError:
        return load("forget-entropy")
    return constraint


class Adviser:
    """Gives a strategy's next guess after any history.

    A history may hold guesses that the strategy would not have played. Where it cannot go on from
    those, the default strategy of the board takes its place.

    Args:
        strategy: whose advice is asked first.
        rules: the board.

    Raises:
        StrategyError: the strategy cannot play this board.
        MissingExtraError: its extra is not installed.
    """

    def __init__(self, strategy: Strategy, rules: Rules) -> None:
        self.strategy = strategy
        self.rules = rules
        self._asked: dict[tuple[str, tuple[Turn, ...]], Decision | None] = {}
        self._after(strategy, ())

    def propose(self, history: Sequence[Turn]) -> Advice:
        """The guess to play now.

        Raises:
            ContradictionError: no secret would have given these marks.
            StrategyError: neither strategy can go on from this history.
        """
        advice = self._advice(self.strategy, tuple(history))
        if advice is None:
            advice = self._advice(default_strategy(self.rules), tuple(history))
        if advice is None:
            raise StrategyError(
                "{strategy} cannot go on from guesses that are not its own on {rules}; "
                "strategy 'constraint' can",
                strategy=label(self.strategy),
                rules=self.rules,
            )
        return advice

    def _advice(self, strategy: Strategy, turns: tuple[Turn, ...]) -> Advice | None:
        """What this strategy proposes; None where it cannot go on."""
        try:
            decision = self._after(strategy, turns)
            return None if decision is None else Advice(decision.guess, label(strategy))
        except TooLargeError:
            return None

    def _after(self, strategy: Strategy, turns: tuple[Turn, ...]) -> Decision | None:
        """The state of a strategy after these turns; None where it cannot go on."""
        key = (label(strategy), turns)
        if key not in self._asked:
            self._asked[key] = self._go_on(strategy, turns)
        return self._asked[key]

    def _go_on(self, strategy: Strategy, turns: tuple[Turn, ...]) -> Decision | None:
        if not turns:
            return strategy.begin(mastermind(self.rules))
        before = self._after(strategy, turns[:-1])
        guess, mark = turns[-1]
        if isinstance(before, Adapts):
            return before.instead(guess, mark)
        if before is None or before.guess != guess:
            return None
        return before.after(mark)
