"""The strategy `static`: it plays a smallest known fixed set, then announces the code."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

from pegwise.errors import ContradictionError, StrategyError
from pegwise.game import Code, Game, Mastermind, all_secrets
from pegwise.game.game import I32
from pegwise.search.static_sets import known_set
from pegwise.strategies import Card, Option

__all__ = ["Static"]


class Static:
    """Play a fixed set of guesses whatever the marks, then announce the code.

    Args:
        early: announce the code as soon as the marks leave only one, not after all guesses.
    """

    card: ClassVar = Card(
        id="static",
        name="Smallest fixed set",
        authors="Wayne Goddard",
        year=2003,
        source=(
            "Static Mastermind, Journal of Combinatorial Mathematics and Combinatorial Computing "
            "47, p. 225-236; the sets by `pegwise static`"
        ),
        about=(
            "Plays guesses fixed beforehand, as few as are known to tell all codes of the board "
            "apart: six on 4 pegs and 6 colors, where five cannot do. As soon as fewer marks leave "
            "only one code, that one is announced, unless early=false. It plays the boards for "
            "which such a set is known; `pegwise static` finds more."
        ),
        traits=frozenset({"fixed"}),
    )

    def __init__(self, *, early: bool = True) -> None:
        self.early = early
        self.options: Mapping[str, Option] = {} if early else {"early": False}

    def begin(self, game: Game) -> Announcing:
        """The first guess of the set.

        Raises:
            StrategyError: no board, or one without a known set.
        """
        known = known_set(game) if isinstance(game, Mastermind) else None
        if known is None or not isinstance(game, Mastermind):
            raise StrategyError(
                "static knows no fixed set of guesses for {game}: 'pegwise static RULES' finds "
                "one, for boards of up to 12000 codes",
                game=game.name,
            )
        return Announcing(game, known.guesses, all_secrets(game), 0, early=self.early)


class Announcing:
    """How many guesses of a set are played, and which codes are left."""

    def __init__(
        self,
        game: Mastermind,
        guesses: tuple[Code, ...],
        candidates: I32,
        played: int,
        *,
        early: bool,
    ) -> None:
        self.game = game
        self.guesses = guesses
        self.candidates = candidates
        self.played = played
        self.early = early

    @cached_property
    def guess(self) -> Code:
        """The next guess of the set, or the code."""
        if not len(self.candidates):
            raise ContradictionError("no secret of {game} gives these marks", game=self.game.name)
        known = self.early and len(self.candidates) == 1
        if known or self.played >= len(self.guesses):
            return self.game.secret(int(self.candidates[0]))
        return self.guesses[self.played]

    def after(self, mark: tuple[int, int]) -> Announcing:
        given = self.game.mark_number(mark)
        marks = self.game.marks(self.game.guess_number(self.guess), self.candidates)
        left = self.candidates[marks == given]
        return Announcing(self.game, self.guesses, left, self.played + 1, early=self.early)
