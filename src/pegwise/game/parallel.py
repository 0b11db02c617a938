"""Several secrets at once: each guess gets a mark for every secret that is still hidden.

Quordle is `wordle*4`: four games of Wordle that share their guesses, and end when the last word is
found. Each of them is a board here, whatever game it is of. The secrets are distinct.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Final

import numpy as np

from pegwise.arrays import I32
from pegwise.errors import InputError, Phrase, quoted
from pegwise.game.game import Game
from pegwise.game.rules import check_listed
from pegwise.game.turns import Secrets

MAX_BOARDS: Final = 100
"""Most secrets that are sought at once."""

_MANY: Final = Phrase("several secrets cannot be sought at once")


@dataclass(frozen=True)
class Parallel:
    """A game in which several distinct secrets are sought at once, by the same guesses.

    It is no `Game`: a guess that finds one secret does not end it. What takes several secrets says
    so; everything else refuses it.

    Attributes:
        game: what each board is of.
        n: number of secrets, 2 to 100.

    InputError: another number, more than the game has secrets, or `hard` rules; a game whose
    guesses are questions. TooLargeError: a game with too many secrets to list.

    Examples:
        >>> pegwise.parallel("4x6", 2).name
        '4x6*2'
    """

    game: Game
    n: int

    def __post_init__(self) -> None:
        game, n = self.game, self.n
        if not isinstance(game, Game):
            raise InputError("{value} is not a game: give what game_of returns", value=quoted(game))
        if isinstance(n, bool) or not 2 <= index(n) <= min(MAX_BOARDS, game.n_secrets):
            raise InputError(
                "{n} secrets at once of {game}: give a number from 2 to {most}",
                n=quoted(n),
                game=game.name,
                most=min(MAX_BOARDS, game.n_secrets),
            )
        check_listed(game.name, game.n_secrets)
        game.refuse_hard(_MANY)
        if game.n_questions:
            raise InputError(
                "{game}: {what} with guesses that are questions", game=game.name, what=_MANY
            )
        if np.count_nonzero(game.frequencies()) < n:
            raise InputError("{game}: fewer than {n} secrets have a weight", game=game.name, n=n)

    def __str__(self) -> str:
        return f"{self.game.name}*{self.n}"

    @property
    def name(self) -> str:
        """The name that people give it: `wordle*4`."""
        return f"{self.game.named}*{self.n}"

    @property
    def n_secrets(self) -> int:
        """In how many ways secrets can be hidden."""
        return math.perm(self.game.n_secrets, self.n)

    def draw(self, games: int, seed: int = 0) -> I32:
        """Distinct secrets by number: int32 (games, n); the same for the same seed.

        Each is as likely as its weight says among those that are not drawn yet.
        """
        rng = np.random.Generator(np.random.PCG64(seed))
        weights = None
        if self.game.weights is not None:
            weights = self.game.weights / self.game.weights.sum()
        drawn = [rng.choice(self.game.n_secrets, self.n, False, weights) for _ in range(games)]
        return np.array(drawn, np.int32).reshape(games, self.n)

    def read_secrets(self, numbers: Sequence[int]) -> Secrets:
        """The secrets of these numbers, as people read them."""
        return Secrets(map(self.game.secret, numbers))
