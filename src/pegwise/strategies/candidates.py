"""Strategies that list all candidates and choose a guess by them."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Self

import numpy as np

from pegwise.arrays import I32, I64
from pegwise.errors import ContradictionError, InputError, Phrase, StrategyError
from pegwise.game import Game, all_secrets, parse_code
from pegwise.strategies.base import Decision, Strategy
from pegwise.strategies.explanation import Explanation, WeighedTable, Write
from pegwise.strategies.nodes import Nodes

History = tuple[tuple[int, int], ...]
"""Turns: number of the guess, number of its mark."""

NO_OTHER: Final = Phrase("No other code is possible.")
IT_COULD: Final = Phrase("It could be the code.")
IT_CANNOT: Final = Phrase("It cannot be the code.")
WON: Final = Phrase("This is the code.")
ASKED_FOR: Final = Phrase("It is the opening that was asked for.")


def agreeing_words(agreeing: int, before: int, code: str) -> Phrase:
    """How many of the codes agree with a mark; the code where it is the only one."""
    if agreeing == 1:
        return Phrase("Only {code} agrees with all marks.", code=code)
    return Phrase(
        "{agreeing:,} of {candidates:,} codes agree with this mark.",
        agreeing=agreeing,
        candidates=before,
    )


def opening_number(strategy: str, game: Game, opening: str, *, secret: bool) -> int:
    """The number of a first guess as typed, which has to be a `secret` or only a guess.

    Raises:
        StrategyError: it is none; the message names the strategy.
    """
    try:
        if game.board is not None:
            return game.guess_number(parse_code(opening, game.board, secret=secret))
        number = game.guess_number(opening)
    except InputError as error:
        raise StrategyError(
            "{strategy} cannot play its opening on {game}: {error}",
            strategy=strategy,
            game=game.name,
            error=error,
        ) from error
    return number


class CandidateStrategy(Strategy):
    """A strategy that lists all candidates and chooses a guess by them.

    One method, `choose`, makes a whole strategy.
    """

    def begin(self, game: Game) -> Decision:
        """All secrets are candidates.

        Raises:
            StrategyError: the strategy cannot play this game.
            TooLargeError: too many secrets to list.
        """
        return CandidateDecision(self, game, all_secrets(game))

    @abstractmethod
    def choose(self, game: Game, candidates: I32, history: History) -> int:
        """The number of the guess to play.

        Args:
            game: what is played.
            candidates: int32 (n), secrets that agree with the history, ascending; n at least 1.
            history: the turns so far.
        """

    def follow(self, game: Game, candidates: I32, history: History) -> Nodes | None:  # noqa: ARG002
        """All nodes from there on, faster than guess by guess; None, the default, for no way."""
        return None

    def explain(self, decision: CandidateDecision, write: Write) -> Explanation:  # noqa: ARG002
        """Why it plays the guess of a decision: the `reason` of its card, with the figures.

        Args:
            decision: a state with candidates.
            write: how codes are written in the sentences.
        """
        figures = decision.figures()
        if not self.card.reason:
            return Explanation(attempt=decision.guess, figures=figures)
        sentences = [self.card.reason_of(figures)]
        if "consistent" not in self.card.traits:
            sentences.append(IT_COULD if figures["could_win"] else IT_CANNOT)
        return Explanation(attempt=decision.guess, reason=tuple(sentences), figures=figures)

    def weighed(self, decision: CandidateDecision) -> WeighedTable | None:  # noqa: ARG002
        """The table that it compared; None, the default, for nothing (see `Decision.weighed`)."""
        return None


@dataclass(frozen=True, eq=False)
class CandidateDecision(Decision):
    """The candidates after a history, and the guess that a strategy chooses by them.

    Attributes:
        strategy: what chooses.
        game: what is played.
        candidates: int32 (n), secrets that agree with the history, ascending.
        history: the turns so far.
    """

    strategy: CandidateStrategy
    game: Game
    candidates: I32
    history: History = ()

    @cached_property
    def number(self) -> int:
        """Number of the guess; ContradictionError where there are no candidates."""
        if not len(self.candidates):
            raise ContradictionError("no secret of {game} gives these marks", game=self.game.name)
        number = self.strategy.choose(self.game, self.candidates, self.history)
        if self.game.names_too_early(number, len(self.candidates)):
            raise StrategyError(
                "{strategy} names a secret of {game} while {n} are possible; there guesses are "
                "questions until one is left",
                strategy=self.strategy.card.id,
                game=self.game.name,
                n=len(self.candidates),
            )
        return number

    @property
    def guess(self) -> Any:
        return self.game.guess(self.number)

    def after(self, mark: Any) -> Self:
        return self._following(self.number, mark)

    def instead(self, guess: Any, mark: Any) -> Self | None:
        if "fixed" in self.strategy.card.traits:
            return None
        return self._following(self.game.guess_number(guess), mark)

    def grow(self) -> Nodes | None:
        if not len(self.candidates):
            return None
        return self.strategy.follow(self.game, self.candidates, self.history)

    def explain(self, mark: Any = None, *, write: Write = str) -> Explanation:
        number = self.number
        if len(self.candidates) == 1 and number == self.game.guess_of_secret[self.candidates[0]]:
            explained = Explanation(attempt=self.guess, reason=(NO_OTHER,), figures=self.figures())
        else:
            explained = self.strategy.explain(self, write)
        if mark is None:
            return explained
        agreeing = self._following(number, mark).candidates
        if not len(agreeing):
            raise ContradictionError("no secret of {game} gives these marks", game=self.game.name)
        won = self.game.mark_number(mark) == self.game.winning
        deduction = (
            WON
            if won
            else agreeing_words(
                len(agreeing), len(self.candidates), write(self.game.secret(int(agreeing[0])))
            )
        )
        return replace(explained, result=mark, deduction=(deduction,), agreeing=len(agreeing))

    def weighed(self) -> WeighedTable | None:
        return self.strategy.weighed(self)

    def figures(self, weights: I64 | None = None) -> dict[str, Any]:
        """Figures about the information that the guess can be expected to give.

        Args:
            weights: int64 (n_secrets), how often each secret counts; None for once.

        Returns:
            `candidates`, how many there are; of the partition of the guess the size of its
            `largest` part, the `expected` size, the `bits` of information and the number of
            `parts`; and whether the guess `could_win`. By weights a part is as large as so many
            candidates of mean weight.
        """
        marks = self.game.marks(self.number, self.candidates)
        counted = np.ones(len(marks)) if weights is None else weights[self.candidates]
        sizes = np.bincount(marks, weights=counted)
        sizes = sizes[sizes > 0]
        shares = sizes / sizes.sum()
        mean = float(sizes.sum()) / len(marks)
        return {
            "candidates": len(self.candidates),
            "largest": round(float(sizes.max()) / mean),
            "expected": float((sizes @ sizes) / sizes.sum()) / mean,
            "bits": float(-(shares @ np.log2(shares))) + 0.0,
            "parts": len(sizes),
            "could_win": self.number in self.game.guess_of_secret[self.candidates],
        }

    def _following(self, guess: int, mark: Any) -> Self:
        number = self.game.mark_number(mark)
        candidates = self.candidates[self.game.marks(guess, self.candidates) == number]
        return replace(self, candidates=candidates, history=(*self.history, (guess, number)))
