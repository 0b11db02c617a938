"""Races in which several secrets are sought at once, on games drawn with a seed.

There are too many ways to hide several secrets for a tree of all; where they are few, each may be
played once.
"""

from __future__ import annotations

import hashlib
import itertools
import shlex
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import index
from pathlib import Path
from typing import Final

import numpy as np

from pegwise._version import __version__
from pegwise.arena.results import UNFINISHED, RaceResults, Standing, duels, standing
from pegwise.arrays import I32
from pegwise.compute.backends import Backend, Serial
from pegwise.compute.cache import ResultCache
from pegwise.compute.pieces import run
from pegwise.errors import InputError, Phrase, TooLargeError, quoted
from pegwise.game import Parallel
from pegwise.progress import Progress, Report, silent
from pegwise.strategies import Strategy, StrategyLike, Travels, as_strategy, label
from pegwise.trees.build import result_cache
from pegwise.trees.parallel import play_parallel

MAX_EVERY: Final = 20_000
"""Most ways to hide the secrets that are all played."""

MAX_DRAWN: Final = 1_000_000
"""Most games that are drawn."""

_PIECE: Final = 50  # games that are played, and kept, together

_ALL: Final = ("knuth", "irving", "entropy", "parts")


class ParallelRace:
    """A race for several secrets at once, whose finished games are kept when it is stopped.

    Args:
        game: what is played.
        strategies: who plays; None for `knuth`, `irving`, `entropy` and `parts`.
        games: number of games to draw, each with distinct secrets; None for every way to hide
            them, in order, once.
        seed: for the draw.
        max_guesses: a limit of guesses; how many games take more is a note of each standing.

    Attributes:
        game: what is played.
        secrets: int32 (games, n), the secrets of each game by number.
        depths: of each strategy that has finished, int32 (games), guesses of each game.

    Raises:
        InputError: no strategy, one given twice, or numbers out of range; every way to hide the
            secrets of a game with weights.
        TooLargeError: too many ways to hide the secrets.
        StrategyError: one seeks one secret only.
    """

    def __init__(
        self,
        game: Parallel,
        strategies: Iterable[StrategyLike] | None = None,
        *,
        games: int | None = None,
        seed: int = 0,
        max_guesses: int | None = None,
    ) -> None:
        given = _ALL if strategies is None else strategies
        given = [given] if isinstance(given, str) or not isinstance(given, Iterable) else given
        self._entered: dict[str, Strategy] = {}
        for strategy in map(as_strategy, given):
            name = label(strategy)
            if self._entered.setdefault(name, strategy) is not strategy:
                raise InputError("strategy {double} is given twice", double=repr(name))
        if not self._entered:
            raise InputError("a race needs at least one strategy")
        self.game, self.games, self.seed, self.max_guesses = game, games, seed, max_guesses
        self.secrets = _every(game) if games is None else _drawn(game, games, seed)
        for strategy in self._entered.values():
            strategy.begin_parallel(game)  # refuses one that seeks one secret
        self.depths: dict[str, I32] = {}
        self._standings: list[Standing] = []
        self._stores: list[ResultCache] = []

    def run(
        self, *, where: Backend | None = None, folder: Path | None = None, report: Report = silent
    ) -> RaceResults:
        """Play all games, and return the results.

        Args:
            where: where games are played, by default in this process.
            folder: where finished games are kept for a later run of the same race.
            report: receives the games played so far; raising from it stops the race.
        """
        n, work = len(self.secrets), hashlib.sha256(self.secrets.tobytes()).hexdigest()[:16]
        times = np.ones(n, np.int64)
        for number, (name, strategy) in enumerate(self._entered.items()):
            tasks = [
                ParallelTask(strategy, self.game, k, self.secrets[k : k + _PIECE])
                for k in range(0, n, _PIECE)
            ]
            store = result_cache(folder, f"{self.game.n} at once {work}", self.game.game, strategy)
            self._stores += [] if store is None else [store]

            def tell(step: Progress, before: int = number * n) -> None:
                report(Progress(before + step.done, len(self._entered) * n, "games"))

            start = time.perf_counter()
            pieces = run(
                play_parallel_task, tasks, where or Serial(), store=store, report=tell, size=len
            )
            seconds = time.perf_counter() - start
            depths = self.depths[name] = np.concatenate(pieces)
            result = standing(
                *(strategy, depths, times, None, seconds, int(depths.sum())),
                drawn=self.games is not None,
            )
            notes = () if self.max_guesses is None else (_beyond(depths, self.max_guesses),)
            self._standings.append(replace(result, strategy=name, notes=notes))
        return self.results

    @property
    def results(self) -> RaceResults:
        """The results of the strategies that have finished."""
        waiting = [name for name in self._entered if name not in self.depths]
        times = np.ones(len(self.secrets), np.int64)
        return RaceResults(
            version=__version__,
            rules=self.game.name,
            secrets=self.game.n_secrets,
            seed=self.seed,
            games=self.games,
            standings=tuple(self._standings),
            duels=duels(self.depths, dict.fromkeys(self.depths, times)),
            skipped=tuple((name, UNFINISHED) for name in waiting),
            command=_command(
                self.game, self._entered.values(), self.games, self.seed, self.max_guesses
            ),
            depths=dict(self.depths),
        )

    def forget(self) -> None:
        """Remove what is stored: the results are written."""
        for store in self._stores:
            store.clear()


@dataclass(frozen=True, repr=False)
class ParallelTask(Travels):
    """Some games of a race, from a number on: int32 (games, n), their secrets."""

    strategy: Strategy
    game: Parallel
    first: int
    secrets: I32

    def __len__(self) -> int:
        return len(self.secrets)

    def __repr__(self) -> str:
        return f"games from {self.first}"  # the name of its piece


def play_parallel_task(task: ParallelTask) -> I32:
    """Guesses until the last secret is found: int32 (games of the task)."""
    begun = task.strategy.begin_parallel(task.game)
    games = (task.game.read_secrets(numbers) for numbers in task.secrets.tolist())
    played = (play_parallel(task.strategy, task.game, secrets, begun) for secrets in games)
    return np.fromiter(map(len, played), np.int32, len(task))


def _every(game: Parallel) -> I32:
    """Every way to hide the secrets: int32 (ways, n)."""
    if game.game.weights is not None:
        raise InputError("{game}: its secrets have weights; give games to draw", game=game.name)
    if game.n_secrets > MAX_EVERY:
        raise TooLargeError(
            "{game}: there are {ways:,} ways to hide the secrets, too many to play each (at most "
            "{most:,}); draw some of them, as by games=1000 (--games 1000)",
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


def _beyond(depths: I32, max_guesses: int) -> Phrase:
    return Phrase(
        "{lost:,} of {games:,} games take more than {most} guesses",
        lost=int((depths > max_guesses).sum()),
        games=len(depths),
        most=max_guesses,
    )


def _command(
    game: Parallel,
    strategies: Iterable[Strategy],
    games: int | None,
    seed: int,
    max_guesses: int | None,
) -> str:
    """The command that runs the race again."""
    words = ["pegwise", "race", game.name.rpartition("*")[0], "--secrets", str(game.n)]
    words += [word for each in strategies for word in ("-s", each.typed)]
    numbers = {"games": games, "seed": seed or None, "max": max_guesses}
    for name, number in numbers.items():
        words += [] if number is None else [f"--{name}", str(number)]
    return shlex.join(words)
