"""Strategies play the same secrets, one strategy after the other."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from pegwise._version import __version__
from pegwise.arena.draw import Draw, Numbered, draw_games, entrants, every_secret
from pegwise.arena.play import play_draw_at, plays_everything
from pegwise.arena.results import Exact, RaceResults, Standing, duels, mean_interval
from pegwise.arrays import I32, I64
from pegwise.compute import PieceStore, Place, place
from pegwise.errors import (
    InputError,
    OutputError,
    PegwiseError,
    Phrase,
    StrategyError,
    TooLargeError,
    quoted,
)
from pegwise.game import Game, GameLike, Mastermind, as_game, mastermind
from pegwise.game.game import MAX_LISTED
from pegwise.progress import Progress, Report, silent
from pegwise.strategies import (
    Strategy,
    StrategyLike,
    as_strategy,
    compiles,
    is_ours,
    label,
    names,
    options_of,
)
from pegwise.trees import build, build_at

OnStanding = Callable[[Standing], None]

_REHEARSED: Final = 10_000
_LONG: Final = 0.5
"""Seconds from which on what a strategy has played is kept for a race that is stopped."""

_UNFINISHED: Final = Phrase("not finished")


class _Played(NamedTuple):
    """What one strategy has played: guesses, exact figures, seconds, nodes (see `standing`)."""

    depths: I32
    exact: Exact | None
    seconds: float
    nodes: int


class Race:
    """A race that can be stopped at any time and then still holds what is finished.

    Args:
        game: what is played: a game, or the rules of a board.
        strategies: who plays, in this order: strategies, their names, or functions (see
            `as_strategy`).
        games: number of games to draw, the same ones for every strategy; None for every secret.
        seed: for the draw.
        threads: how much may run side by side on this machine: threads of strategies that can
            use them, processes for others on large games. The result is the same for any number.
        where: where trees are built instead, on a cluster say.
        lenient: skip a strategy that cannot play, and say why in the results, rather than raise.
        skipped: strategies left out beforehand, each with the reason, for the results.
        command: what to type to run the race again; made from the rest when not given.
        folder: where what took long is kept, so that the same race goes on when it was stopped;
            None to keep nothing.
        clock: tells the seconds.

    Attributes:
        draw: the secrets that are played.
        depths: int32 (secrets of the draw) by label, the guesses each strategy needs.

    Raises:
        InputError: no strategy, one given twice, or numbers out of range.
        TooLargeError: every secret is to be played, and there are too many.
    """

    def __init__(
        self,
        game: GameLike,
        strategies: Iterable[StrategyLike],
        *,
        games: int | None = None,
        seed: int = 0,
        threads: int = 1,
        where: Place | None = None,
        lenient: bool = False,
        skipped: Iterable[tuple[str, str]] = (),
        command: str | None = None,
        folder: Path | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        game = as_game(game)
        given = _listed(strategies)
        self.strategies = {label(strategy): strategy for strategy in given}
        if not given:
            raise InputError("a race needs at least one strategy")
        if len(self.strategies) < len(given):
            labels = [label(strategy) for strategy in given]
            double = next(name for k, name in enumerate(labels) if name in labels[:k])
            raise InputError("strategy {double} is given twice", double=repr(double))
        if threads < 1:
            raise InputError(
                "threads={threads}: give a whole number from 1", threads=quoted(threads)
            )
        self.game = game
        self.draw: Draw = every_secret(game) if games is None else draw_games(game, games, seed)
        self.seed = seed
        self.threads = threads
        self.where = where or place(threads)
        self.lenient = lenient
        self.command = command or _to_type(game, given, games, seed)
        self.clock = clock
        self._kept: PieceStore | None = None
        if folder is not None:
            board = f"{__version__} {game.name} {games} {seed}"
            self._kept = PieceStore(folder, f"race {board} {sorted(self.strategies)}")
        self.depths: dict[str, I32] = {}
        self._standings: dict[str, Standing] = {}
        self._skipped = dict(skipped)

    def run(
        self, *, report: Report = silent, on_standing: OnStanding = lambda _standing: None
    ) -> RaceResults:
        """Play what is not played yet.

        Args:
            report: is told of games played; raising from it stops the race.
            on_standing: receives each standing as it is reached.

        Raises:
            StrategyError: a strategy cannot play, and the race is not lenient.
            MissingExtraError: a strategy's optional libraries are not installed; likewise.
            TooLargeError: a strategy needs the list of codes of a board too large to list.
        """
        for name in self._waiting():
            self._attempt(name, self._enter)
        for name in self._waiting():
            if self._attempt(name, lambda strategy: self._play(strategy, report)):
                on_standing(self._standings[name])
        return self.results

    def forget(self) -> None:
        """Remove what is kept for a race that goes on: everything is told."""
        if self._kept is not None:
            self._kept.clear()

    @property
    def results(self) -> RaceResults:
        """What is finished so far."""
        unfinished = dict.fromkeys(self._waiting(), _UNFINISHED)
        return RaceResults(
            version=__version__,
            rules=self.game.name,
            secrets=self.game.n_secrets,
            seed=self.seed,
            games=self.draw.games,
            standings=tuple(self._standings.values()),
            duels=duels(self.depths, self.draw.times),
            skipped=tuple((self._skipped | unfinished).items()),
            command=self.command,
        )

    def _waiting(self) -> list[str]:
        done = self._standings.keys() | self._skipped.keys()
        return [name for name in self.strategies if name not in done]

    def _attempt(self, name: str, action: Callable[[Strategy], None]) -> bool:
        """Let a strategy do something; False where it cannot and that is allowed."""
        strategy = self.strategies[name]
        try:
            action(strategy)
        except PegwiseError as error:
            failure = error
        except Exception as error:
            if is_ours(strategy):
                raise  # ours are to be mended, not excused
            failure = StrategyError(
                "strategy {name} breaks down: {error}", name=repr(name), error=repr(error)
            )
            failure.__cause__ = error
        else:
            return True
        if not self.lenient:
            raise failure
        self._skipped[name] = failure.phrase
        return False

    def _enter(self, strategy: Strategy) -> None:
        """Refuse now, before anyone plays, a strategy that cannot."""
        name, game = label(strategy), self.game
        if game.n_secrets > MAX_LISTED and "unlisted" not in strategy.card.traits:
            who = "" if self.lenient else f"{name}: "
            raise TooLargeError(
                "{who}{game} has {secrets:,} secrets, too many to list (at most {most:,}) for a "
                "strategy that weighs them all",
                who=who,
                game=game.name,
                secrets=game.n_secrets,
                most=MAX_LISTED,
            )
        strategy.begin(game)

    def _play(self, strategy: Strategy, report: Report) -> None:
        """Play, unless an earlier run of the race has."""
        name = label(strategy)
        try:
            if self._kept is None:
                raise KeyError(name)
            played = self._kept.load(name)
        except KeyError:
            played = self._played(strategy, report)
            if self._kept is not None and played.seconds >= _LONG:
                with suppress(OutputError):  # it only is played again
                    self._kept.save(name, played)
        self.depths[name] = played.depths
        self._standings[name] = standing(
            strategy, played.depths, self.draw, played.exact, played.seconds, played.nodes
        )

    def _played(self, strategy: Strategy, report: Report) -> _Played:
        draw, exact = self.draw, None
        numbers = None
        if isinstance(draw, Numbered) and plays_everything(strategy, draw):
            numbers = draw.numbers
            self._rehearse(strategy)
        listen = self._listener(report)
        start = self.clock()
        if numbers is None:
            depths, nodes = play_draw_at(strategy, draw, self.where, report=listen)
        else:
            every, nodes = self._play_everything(strategy, listen)
            exact, depths = _exact(every, self.game.weights), every[numbers]
        return _Played(depths, exact, self.clock() - start, nodes)

    def _play_everything(self, strategy: Strategy, report: Report) -> tuple[I32, int]:
        """Guesses for each secret of the game, int32 (n_secrets), and the nodes of the tree."""
        tree = build_at(strategy, self.game, self.where, report=report)
        depths = tree.depths()
        if not depths.all():
            lost = self.game.secret(int(np.argmin(depths)))
            raise StrategyError(
                "{strategy} never finds {lost} of {game}",
                strategy=label(strategy),
                lost=lost,
                game=self.game.name,
            )
        return depths, len(tree)

    def _rehearse(self, strategy: Strategy) -> None:
        """Play off the clock, so that nobody's time holds compiling, or tables that all share."""
        game = self.game
        if not compiles(strategy):
            game.marks(0, np.zeros(1, np.int32))
            return
        if game.n_secrets > _REHEARSED:
            game = mastermind("2x2")
        with suppress(Exception):  # the race itself will tell
            build(strategy, game, threads=self.threads)

    def _listener(self, report: Report) -> Report:
        """Steps of one strategy as steps of the race."""
        games = len(self.draw)
        played = games * (len(self.strategies) - len(self._waiting()))
        best = min(self._standings.values(), key=lambda s: s.mean, default=None)
        words = ""
        if best:
            words = Phrase("best: {name} {mean:.3f}", name=best.strategy, mean=best.mean)

        def listen(step: Progress) -> None:
            now = games * step.done // step.total if step.total else 0
            report(Progress(played + now, games * len(self.strategies), "games", words))

        return listen


def race(
    game: GameLike,
    strategies: Iterable[StrategyLike] | None = None,
    *,
    games: int | None = None,
    seed: int = 0,
    threads: int = 1,
    report: Report = silent,
    on_standing: OnStanding = lambda _standing: None,
) -> RaceResults:
    """Let strategies play against every secret, or against games drawn with a seed.

    Without `strategies`, every one races that is not slow and can play the game. Arguments and
    errors are otherwise those of `Race` and `Race.run`; to keep what is finished when the race is
    stopped, use these.
    """
    game = as_game(game)
    left_out: list[tuple[str, str]] = []
    lenient = strategies is None
    if strategies is None:
        strategies, left_out = entrants(game, seed)
    found = Race(
        game,
        strategies,
        games=games,
        seed=seed,
        threads=threads,
        lenient=lenient,
        skipped=left_out,
    )
    return found.run(report=report, on_standing=on_standing)


def _listed(strategies: Iterable[StrategyLike]) -> list[Strategy]:
    if isinstance(strategies, str) or not isinstance(strategies, Iterable):
        strategies = [strategies]
    return [as_strategy(strategy) for strategy in strategies]


def command_line(rules: str, strategies: Sequence[str], games: int | None, seed: int) -> str:
    """What to type to run a race."""
    words = ["pegwise", "race", rules]
    words += [word for strategy in strategies for word in ("-s", strategy)]
    words += ["--games", str(games)] if games is not None else []
    words += ["--seed", str(seed)] if seed else []
    return shlex.join(words)


def _to_type(game: Game, strategies: Sequence[Strategy], games: int | None, seed: int) -> str:
    """Likewise, in Python where the command line does not know the game or a strategy."""
    labels, known = [label(strategy) for strategy in strategies], names()
    own = [strategy.card.id not in known for strategy in strategies]
    board = isinstance(game, Mastermind) and game.weights is None
    if board and not any(own):
        return command_line(game.name, labels, games, seed)
    listed = ", ".join(
        text.replace("-", "_") if mine else repr(text)
        for text, mine in zip(labels, own, strict=True)
    )
    drawn = f", games={games}" if games is not None else ""
    seeded = f", seed={seed}" if seed else ""
    played = repr(game.name) if board else "game"
    return f"pegwise.race({played}, [{listed}]{drawn}{seeded})"


def _exact(depths: I32, weights: I64 | None) -> Exact:
    times = np.ones(len(depths), np.int64) if weights is None else weights
    total = int((depths * times).sum())
    return Exact(total / int(times.sum()), total, int(depths.max()))


def standing(
    strategy: Strategy, depths: I32, draw: Draw, exact: Exact | None, seconds: float, nodes: int
) -> Standing:
    """The standing that follows from the guesses of every secret.

    Args:
        strategy: what played.
        depths: int32 (secrets of the draw), the guesses it needs for each.
        draw: against which secrets.
        exact: the figures over every secret of the game, where they are known.
        seconds: that it took.
        nodes: that its tree has.
    """
    histogram = np.bincount(depths, draw.times).astype(np.int64)[1:]
    games = int(draw.times.sum())
    total = int((depths * draw.times).sum())
    mean = total / games
    drawn = draw.games is not None
    if exact is not None and not drawn:
        total, mean = exact.total, exact.mean
    return Standing(
        strategy=label(strategy),
        card=strategy.card,
        options=dict(options_of(strategy)),
        secrets=games,
        total=total,
        mean=mean,
        worst=int(depths.max()),
        histogram=(counts := tuple(histogram.tolist())),
        seconds=seconds,
        nodes=nodes,
        interval=mean_interval(counts) if drawn else None,
        exact=exact if drawn else None,
    )
