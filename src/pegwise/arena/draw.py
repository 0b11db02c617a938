"""The secrets that a race is run on: every one, or those of games drawn with a seed."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from typing import Any, Final

import numpy as np

from pegwise.arrays import I32, I64, U8, MarkNumbers
from pegwise.errors import (
    InputError,
    MissingExtraError,
    Phrase,
    StrategyError,
    TooLargeError,
    quoted,
)
from pegwise.game import Code, Game, Mastermind, Rules, all_secrets, check_code
from pegwise.game.game import MAX_LISTED, check_listed
from pegwise.game.marks import mark_pairs
from pegwise.strategies import Strategy, is_slow, load, names

MAX_GAMES: Final = 20_000_000
"""Most games that are drawn."""


@dataclass(frozen=True, eq=False)
class Numbered:
    """Different secrets by number, each with the number of games it is played in.

    Attributes:
        game: what is played.
        games: number of games drawn, or None where every secret is played once.
        numbers: int32 (n), the secrets in ascending order.
        times: int64 (n), how often each is played.
    """

    game: Game
    games: int | None
    numbers: I32
    times: I64

    def __len__(self) -> int:
        return len(self.times)

    def secret(self, k: int) -> Any:
        """The secret of this index, as people read it."""
        return self.game.secret(int(self.numbers[k]))

    def marks(self, guess: Any, which: I64) -> MarkNumbers:
        """The marks of a guess against some of the secrets.

        Args:
            guess: as people read it.
            which: int64 (m), indices of secrets.

        Returns:
            (m), marks by number.

        Raises:
            CodeError: it is no guess of the game.
        """
        return self.game.marks(self.game.guess_number(guess), self.numbers[which])


@dataclass(frozen=True, eq=False)
class Coded:
    """The same on a board too large to list.

    Attributes:
        game: what is played.
        games: number of games drawn.
        codes: uint8 (n, pegs), the secrets in numeric order.
        times: int64 (n), how often each is played.
    """

    game: Mastermind
    games: int
    codes: U8
    times: I64

    def __len__(self) -> int:
        return len(self.times)

    def secret(self, k: int) -> Code:
        """The secret of this index."""
        return Code(self.codes[k].tolist())

    def marks(self, guess: Any, which: I64) -> MarkNumbers:
        """As `Numbered.marks`."""
        rules, secrets = self.game.rules, self.codes[which]
        guesses = np.broadcast_to(np.array(check_code(guess, rules), np.uint8), secrets.shape)
        black, white = mark_pairs(guesses, secrets, black_only=rules.black)
        numbers: U8 = self.game.mark_ids[black, black + white]
        return numbers


Draw = Numbered | Coded
"""The secrets of a race: every strategy plays the same ones."""


def every_secret(game: Game) -> Numbered:
    """Every secret once.

    Raises:
        TooLargeError: too many to list.
    """
    if game.n_secrets > MAX_LISTED:
        raise TooLargeError(
            "{game} has {secrets:,} secrets, too many to play each (at most {most:,}); draw some "
            "with --games N",
            game=game.name,
            secrets=game.n_secrets,
            most=MAX_LISTED,
        )
    return Numbered(game, None, all_secrets(game), np.ones(game.n_secrets, np.int64))


def draw_games(game: Game, games: int, seed: int = 0) -> Draw:
    """Games drawn with replacement, each secret as likely as its weight says.

    The same game, number and seed give the same draw.

    Raises:
        InputError: the number of games is not 1 to `MAX_GAMES`, or the seed is negative.
        TooLargeError: a game with weights that is too large to list.
    """
    if not 1 <= index(games) <= MAX_GAMES:
        raise InputError(
            "games={games}: draw 1 to {most} games", games=quoted(games), most=MAX_GAMES
        )
    if index(seed) < 0:
        raise InputError("seed={seed}: a seed is a whole number from 0", seed=quoted(seed))
    rng = np.random.Generator(np.random.PCG64(seed))
    n = game.n_secrets
    if isinstance(game, Mastermind) and game.weights is None and n > MAX_LISTED:
        codes, times = np.unique(_codes(game.rules, games, rng), axis=0, return_counts=True)
        return Coded(game, games, codes, times.astype(np.int64))
    check_listed(game.name, n)
    if game.weights is None:
        drawn = rng.integers(0, n, games)
    else:
        ends = np.cumsum(game.weights)
        drawn = np.searchsorted(ends, rng.integers(0, ends[-1], games), side="right")
    times = np.bincount(drawn, minlength=n)
    numbers = np.flatnonzero(times)
    return Numbered(game, games, numbers.astype(np.int32), times[numbers])


def _codes(rules: Rules, games: int, rng: np.random.Generator) -> U8:
    """uint8 (games, pegs): secrets, each with the same chance."""
    if not rules.secrets_are_distinct:
        return rng.integers(0, rules.colors, (games, rules.pegs), np.uint8)
    codes = np.empty((games, rules.pegs), np.uint8)
    for peg in range(rules.pegs):
        # the k-th of the colors that are left: step over those before it that are taken
        color = rng.integers(0, rules.colors - peg, games, np.uint8)
        for taken in np.sort(codes[:, :peg], axis=1).T:
            color += color >= taken
        codes[:, peg] = color
    return codes


# Who races when nobody is named.


def entrants(game: Game, seed: int = 0) -> tuple[list[Strategy], list[tuple[str, str]]]:
    """Every registered strategy that is not slow on a game.

    Args:
        game: what they race on.
        seed: for those that draw.

    Returns:
        The strategies; and the ids of the others, each with the reason.
    """
    found: list[Strategy] = []
    left_out: list[tuple[str, str]] = []
    for name in names():
        try:
            strategy = load(name)
            if "random" in strategy.card.traits and seed:
                strategy = load(name, seed=seed)
        except (StrategyError, MissingExtraError) as error:
            left_out.append((name, error.phrase))
            continue
        if is_slow(strategy, game):
            left_out.append((name, Phrase("slow; name it to let it race: -s {name}", name=name)))
        else:
            found.append(strategy)
    return found, left_out
