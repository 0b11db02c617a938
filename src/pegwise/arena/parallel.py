"""Races in which several secrets are sought at once, on games drawn with a seed.

There are too many ways to hide several secrets for a tree of all; where they are few, each may be
played once.
"""

from __future__ import annotations

import itertools
import shlex
import time
from collections.abc import Iterable
from dataclasses import replace
from operator import index
from typing import Final

import numpy as np

from pegwise._version import __version__
from pegwise.arena.results import RaceResults, Standing, duels, standing
from pegwise.arrays import I32
from pegwise.errors import InputError, Phrase, TooLargeError, quoted
from pegwise.game import Parallel
from pegwise.progress import Progress, Report, silent
from pegwise.strategies import Strategy, StrategyLike, as_strategy, label
from pegwise.trees.parallel import play_parallel

MAX_EVERY: Final = 20_000
"""Most ways to hide the secrets that are all played."""

MAX_DRAWN: Final = 1_000_000
"""Most games that are drawn."""

_ALL: Final = ("knuth", "irving", "entropy", "parts")


def race_parallel(
    game: Parallel,
    strategies: Iterable[StrategyLike] | None = None,
    *,
    games: int | None = None,
    seed: int = 0,
    most: int | None = None,
    report: Report = silent,
) -> RaceResults:
    """Let strategies seek the same secrets: guesses until the last is found.

    Args:
        game: what is played.
        strategies: who plays; None for `knuth`, `irving`, `entropy` and `parts`.
        games: number of games to draw, each with distinct secrets; None for every way to hide
            them, in order, once.
        seed: for the draw.
        most: a limit of guesses; how many games take more is a note of each standing.
        report: receives the games played so far.

    Raises:
        InputError: no strategy, one given twice, or numbers out of range; every way to hide the
            secrets of a game with weights.
        TooLargeError: too many ways to hide the secrets.
        StrategyError: one seeks one secret only.
    """
    given = _ALL if strategies is None else strategies
    given = [given] if isinstance(given, str) or not isinstance(given, Iterable) else given
    entered: dict[str, Strategy] = {}
    for strategy in map(as_strategy, given):
        if entered.setdefault(label(strategy), strategy) is not strategy:
            raise InputError("strategy {double} is given twice", double=repr(label(strategy)))
    if not entered:
        raise InputError("a race needs at least one strategy")
    secrets = _every(game) if games is None else _drawn(game, games, seed)
    begun = {name: each.begin_parallel(game) for name, each in entered.items()}
    depths: dict[str, I32] = {}
    standings: list[Standing] = []
    times = np.ones(len(secrets), np.int64)
    for number, (name, strategy) in enumerate(entered.items()):
        start, lengths = time.perf_counter(), []
        for k, numbers in enumerate(secrets):
            hidden = game.read_secrets(numbers.tolist())
            lengths.append(len(play_parallel(strategy, game, hidden, begun[name])))
            done = number * len(secrets) + k + 1
            report(Progress(done, len(entered) * len(secrets), "games"))
        seconds = time.perf_counter() - start
        depths[name] = np.array(lengths, np.int32)
        result = standing(
            *(strategy, depths[name], times, None, seconds, sum(lengths)), drawn=games is not None
        )
        notes = () if most is None else (_beyond(depths[name], most),)
        standings.append(replace(result, strategy=name, notes=notes))
    return RaceResults(
        version=__version__,
        rules=game.name,
        secrets=game.n_secrets,
        seed=seed,
        games=games,
        standings=tuple(standings),
        duels=duels(depths, dict.fromkeys(depths, times)),
        skipped=(),
        command=_command(game, entered.values(), games, seed, most),
        depths=depths,
    )


def _every(game: Parallel) -> I32:
    """Every way to hide the secrets: int32 (ways, n)."""
    if game.game.weights is not None:
        raise InputError("{game}: its secrets have weights; give games to draw", game=game.name)
    if game.n_secrets > MAX_EVERY:
        raise TooLargeError(
            "{game}: there are {ways:,} ways to hide the secrets, too many to play each (at most "
            "{most:,}); give a number of games",
            game=game.name,
            ways=game.n_secrets,
            most=MAX_EVERY,
        )
    ways = itertools.permutations(range(game.game.n_secrets), game.n)
    return np.array(list(ways), np.int32)


def _drawn(game: Parallel, games: int, seed: int) -> I32:
    if not 1 <= index(games) <= MAX_DRAWN:
        raise InputError(
            "games={games}: draw 1 to {most} games", games=quoted(games), most=MAX_DRAWN
        )
    if index(seed) < 0:
        raise InputError("seed={seed}: a seed is a whole number from 0", seed=quoted(seed))
    return game.draw(games, seed)


def _beyond(depths: I32, most: int) -> Phrase:
    return Phrase(
        "{lost:,} of {games:,} games take more than {most} guesses",
        lost=int((depths > most).sum()),
        games=len(depths),
        most=most,
    )


def _command(
    game: Parallel, strategies: Iterable[Strategy], games: int | None, seed: int, most: int | None
) -> str:
    """What to type to run the race again."""
    words = ["pegwise", "race", game.name.rpartition("*")[0], "--secrets", str(game.n)]
    words += [word for each in strategies for word in ("-s", each.typed)]
    numbers = {"games": games, "seed": seed or None, "max": most}
    for name, number in numbers.items():
        words += [] if number is None else [f"--{name}", str(number)]
    return shlex.join(words)
