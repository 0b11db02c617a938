"""Forget's decoder: an opening that sweeps the colors, then the most discriminating code.

Source: Jean Forget, perl5-decodeur-Mastermind, description of the decoder (2011-2026). After the
opening and the interlude (see `forget_opening`) the endgame weighs the candidates and the opening
guesses that were not played, which can no longer win but may discriminate better. One criterion
leads, entropy or the size of the largest part, and the other decides between equals; then the
first weighed is played: candidates in numeric order, then the unplayed guesses in theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np
import numpy.typing as npt

from pegwise.errors import (
    ContradictionError,
    InputError,
    StrategyError,
    TooLargeError,
    UnknownNameError,
)
from pegwise.game import Code, Game, Mastermind, check_code
from pegwise.game.game import I32, I64
from pegwise.progress import Report, silent
from pegwise.strategies.base import Card, Nodes, Option
from pegwise.strategies.forget_opening import MAX_BUILT, Opening, Turn, evenly, interlude
from pegwise.strategies.forget_pool import Pool
from pegwise.strategies.one_step import CRITERIA

__all__ = ["LEADS", "Endgame", "Forget", "ForgetEntropy", "ForgetMinimax", "OpeningMove"]

U8 = npt.NDArray[np.uint8]

LEADS: Final = ("entropy", "minimax")
LIMIT: Final = 2000
MAX_LIMIT: Final = 20_000

_ABOUT: Final = (
    "Opens with ABCD, EFGH, ... and wraps round the colors; a mark of nothing removes its colors. "
    "Once all colors have been seen, or at most one peg is still unknown, it builds every code "
    "that fits, peg by peg, and plays the most discriminating one of them or of the opening "
    "guesses not played, "
)


class Forget:
    """Sweep the colors, build the candidates, then play the most discriminating code.

    Args:
        switch: number of the guess from which on the other criterion leads; 0 for never.
        limit: more candidates than this are sampled, this many of them at even distances, where
            a guess is chosen (never where codes are ruled out).
        unplayed: whether opening guesses not played compete with the candidates.

    Raises:
        InputError: a number out of range.
    """

    card: ClassVar[Card]
    lead: ClassVar[str]

    def __init__(self, *, switch: int = 0, limit: int = LIMIT, unplayed: bool = True) -> None:
        if switch < 0:
            raise InputError(
                "switch={switch}: write the number of a guess, or 0 for never", switch=switch
            )
        if not 2 <= limit <= MAX_LIMIT:
            raise InputError(
                "limit={limit}: write a number of candidates from 2 to {most}",
                limit=limit,
                most=MAX_LIMIT,
            )
        self.switch = switch
        self.limit = limit
        self.unplayed = unplayed
        self.options: Mapping[str, Option] = {
            **({"switch": switch} if switch else {}),
            **({"limit": limit} if limit != LIMIT else {}),
            **({} if unplayed else {"unplayed": False}),
        }

    @property
    def worth(self) -> I64:
        """int64 (limit + 1): n log2 n by n, in whole numbers, so that equal partitions tie."""
        return CRITERIA["entropy"].table(self.limit)

    def lead_at(self, guess: int) -> str:
        """The criterion that leads at the guess of this number, from 1."""
        if self.switch and guess >= self.switch:
            return LEADS[1 - LEADS.index(self.lead)]
        return self.lead

    def begin(self, game: Game) -> OpeningMove:
        """The first colors.

        Raises:
            StrategyError: not a board of pegs and colors.
        """
        if not isinstance(game, Mastermind):
            raise StrategyError(
                "{id} sweeps the colors of a board; {game} is not a board such as 4x6",
                id=self.card.id,
                game=game.name,
            )
        return OpeningMove(self, game, Opening.of(game.rules))

    def compile(self, game: Game, *, threads: int = 1, report: Report = silent) -> Nodes | None:
        """All nodes of its tree (see `Compiles`); None where candidates are only sampled.

        Raises:
            StrategyError: as `begin`.
            TooLargeError: too many codes to list.
        """
        from pegwise.strategies.forget_tree import play_out

        return play_out(self.begin(game), threads=threads, report=report)


class ForgetEntropy(Forget):
    """The most information first, the smallest largest part second."""

    lead = "entropy"
    card = Card(
        id="forget-entropy",
        name="Forget's decoder, by entropy",
        authors="Jean Forget",
        year=2011,
        source="perl5-decodeur-Mastermind: description of the decoder, 2011-2026",
        about=_ABOUT + "by entropy, ties by the smallest largest part.",
        traits=frozenset({"unlisted"}),
    )


class ForgetMinimax(Forget):
    """The smallest largest part first, the most information second."""

    lead = "minimax"
    card = Card(
        id="forget-minimax",
        name="Forget's decoder, by minimax",
        authors="Jean Forget",
        year=2011,
        source="perl5-decodeur-Mastermind: description of the decoder, 2011-2026",
        about=_ABOUT + "by the smallest largest part, ties by entropy.",
        traits=frozenset({"unlisted"}),
    )


@dataclass(frozen=True, eq=False)
class OpeningMove:
    """A state of the opening.

    Attributes:
        strategy: what plays.
        game: on which board.
        opening: the sweep so far.
        lead: the criterion that leads from here on; None for what the strategy says.
    """

    strategy: Forget
    game: Mastermind
    opening: Opening
    lead: str | None = None

    @property
    def guess(self) -> Code:
        return self.opening.guess

    def after(self, mark: Any) -> OpeningMove | Endgame:
        """The opening goes on, or the interlude lists the candidates.

        Raises:
            ContradictionError: no secret could have given these marks.
            TooLargeError: no candidate was found among too many partial codes.
        """
        following = self.opening.after(self.game.mark(self.game.mark_number(mark)))
        if not following.over:
            return replace(self, opening=following)
        return Endgame.of(self.strategy, self.game, following, following.turns, self.lead)

    def with_criterion(self, lead: str) -> OpeningMove:
        """The same state, with this criterion (`entropy`, `minimax`) leading from here on."""
        return replace(self, lead=_known(lead))


@dataclass(frozen=True, eq=False)
class Endgame:
    """A state of the endgame.

    Attributes:
        strategy: what plays.
        game: on which board.
        opening: the opening as it ended.
        turns: all turns so far.
        pool: codes to choose from; with a table of marks unless there are too many.
        left: int32, which candidates of the pool are left, ascending.
        complete: whether these are all candidates, not a sample.
        lead: the criterion that leads from here on; None for what the strategy says.
    """

    strategy: Forget
    game: Mastermind
    opening: Opening
    turns: tuple[Turn, ...]
    pool: Pool
    left: I32
    complete: bool
    lead: str | None = None

    @classmethod
    def of(
        cls,
        strategy: Forget,
        game: Mastermind,
        opening: Opening,
        turns: tuple[Turn, ...],
        lead: str | None,
    ) -> Endgame:
        """The state after these turns, with candidates built afresh.

        Raises:
            ContradictionError: no secret could have given these marks.
            TooLargeError: no candidate was found among too many partial codes.
        """
        for most in (MAX_BUILT, 8 * MAX_BUILT):
            codes, complete = interlude(opening, turns, most)
            if complete or len(codes):
                break
        else:
            raise TooLargeError(
                "{game} after {n_turns} turns: too many partial codes to build the candidates "
                "peg by peg; strategy 'constraint' plays boards of this size",
                game=game.name,
                n_turns=len(turns),
            )
        pool = Pool(game, codes, opening.unplayed if strategy.unplayed else ())
        left = np.arange(len(codes), dtype=np.int32)
        return cls(strategy, game, opening, turns, pool, left, complete, lead)._checked()

    @property
    def candidates(self) -> U8:
        """uint8 (n, pegs): the codes still possible (or a sample of them), in numeric order."""
        return self.pool.codes[self.left]

    @property
    def tabled(self) -> bool:
        """Whether the marks of the pool are kept in a table."""
        return len(self.pool.codes) <= self.strategy.limit

    @property
    def leading(self) -> str:
        """The criterion that leads at this guess."""
        return self.lead or self.strategy.lead_at(len(self.turns) + 1)

    @cached_property
    def row(self) -> int:
        """The row of the pool that is played, where its marks are kept in a table."""
        return self.pool.best(self.left, self.strategy.worth, self.leading)

    @cached_property
    def guess(self) -> Code:
        if self.tabled:
            return self.pool.code(self.row)
        limit = self.strategy.limit
        sample = replace(self.pool, codes=self.candidates[evenly(len(self.left), limit)])
        everyone = np.arange(limit, dtype=np.int32)
        return sample.code(sample.best(everyone, self.strategy.worth, self.leading))

    @cached_property
    def marks(self) -> U8:
        """uint8: marks of the guess against the candidates left, by number."""
        marks = self.pool.table[self.row] if self.tabled else self.pool.marks(self.guess)
        return marks[self.left]

    def after(self, mark: Any) -> Endgame:
        """The candidates that would have given this mark.

        Raises:
            ContradictionError: no secret could have given these marks.
            TooLargeError: no candidate was found among too many partial codes.
        """
        return self.instead(self.guess, mark)

    def instead(self, guess: Any, mark: Any) -> Endgame:
        """Likewise after another guess.

        Raises:
            CodeError: it is no guess of the board.
            ContradictionError: as `after`.
            TooLargeError: as `after`.
        """
        code = check_code(guess, self.game.rules)
        number = self.game.mark_number(mark)
        turns = (*self.turns, Turn(code, self.game.mark(number)))
        if not self.complete:
            return Endgame.of(self.strategy, self.game, self.opening, turns, self.lead)
        marks = self.marks if code == self.guess else self.pool.marks(code)[self.left]
        left = self.left[marks == number]
        following = replace(self, turns=turns, left=left)
        if not self.tabled and len(left) <= self.strategy.limit:
            pool = replace(self.pool, codes=self.pool.codes[left])
            following = replace(following, pool=pool, left=np.arange(len(left), dtype=np.int32))
        return following._checked()

    def with_criterion(self, lead: str) -> Endgame:
        """The same state, with this criterion (`entropy`, `minimax`) leading from here on."""
        return replace(self, lead=_known(lead))

    def _checked(self) -> Endgame:
        if not len(self.left):
            raise ContradictionError("no secret of {game} gives these marks", game=self.game.name)
        return self


def _known(lead: str) -> str:
    if lead not in LEADS:
        raise UnknownNameError.of("criterion", lead, LEADS)
    return lead
