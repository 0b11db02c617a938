"""Strategies play the same secrets, one strategy after the other."""

from __future__ import annotations

import hashlib
import shlex
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from pegwise._version import __version__
from pegwise.arena.draw import (
    Draw,
    draw_games,
    draw_ways,
    every_secret,
    every_way,
    exact_depths,
    play_draw,
    play_ways,
    plays_everything,
)
from pegwise.arena.games import (
    EntrantGames,
    GamesPiece,
    clocked,
    games_of_tree,
    order_of_play,
    play_by_clock,
    play_games,
    warm_up,
)
from pegwise.arena.results import (
    KEPT,
    UNFINISHED,
    ExactFigures,
    PlayedGames,
    RaceResults,
    Standing,
    csv_text,
    duels,
    standing,
)
from pegwise.arrays import I32, I64, countable, from_bytes, to_bytes
from pegwise.compute.backends import Backend, Cluster, backend
from pegwise.compute.cache import ResultForm
from pegwise.errors import (
    InputError,
    MissingExtraError,
    OutputError,
    PegwiseError,
    Phrase,
    StrategyError,
    TooLargeError,
    UnknownNameError,
    check_whole,
)
from pegwise.game import (
    Game,
    game_of,
)
from pegwise.game.rules import MAX_LISTED
from pegwise.kernels.cache import use_numpy, without_numpy
from pegwise.playing import Play, Playable
from pegwise.progress import Progress, Report, silent
from pegwise.strategies import (
    Entrant,
    FunctionStrategy,
    Nodes,
    Strategy,
    StrategyLike,
    as_strategy,
    begin_play,
    is_builtin,
    label,
    names,
    naming_the_turns,
    parse,
)
from pegwise.strategies.registry import strategies_of
from pegwise.trees import Tree, build
from pegwise.trees.build import (
    RANDOM,
    Failure,
    build_entrant,
    lost_words,
    plays_alike,
    result_cache,
)
from pegwise.trees.tree import NodeList

LONG: Final = 0.5  # seconds from which on a result is stored for a race that is stopped
_AT_ONCE: Final = ("knuth", "irving", "entropy", "parts")  # who seeks several secrets


class EntrantResult(NamedTuple):
    """The games of one strategy: guesses, exact figures, seconds, nodes (see `standing`)."""

    depths: I32
    exact: ExactFigures | None
    seconds: float
    nodes: int
    notes: tuple[str, ...] = ()
    failure: str = ""
    tree: Nodes | None = None

    def to_bytes(self) -> bytes:
        """The result as it is stored for a race that is stopped."""
        document = {
            "exact": self.exact and [self.exact.mean, self.exact.total, self.exact.worst],
            "seconds": self.seconds,
            "nodes": self.nodes,
            "notes": [Phrase.of(note).document() for note in self.notes],
            "failure": Phrase.of(self.failure).document(),
        }
        return to_bytes(document, self.depths, *(self.tree or ()))

    @classmethod
    def from_bytes(cls, value: memoryview) -> EntrantResult:
        """The result that was stored."""
        told, (depths, *tree) = from_bytes(value)
        return cls(
            depths,
            told["exact"] and ExactFigures(*told["exact"]),
            told["seconds"],
            told["nodes"],
            tuple(map(Phrase.of_document, told["notes"])),
            Phrase.of_document(told["failure"]),
            Nodes(*tree) if tree else None,
        )


class Race:
    """A race that can be stopped at any time and then still holds what is finished.

    Args:
        game: what is played: a game, or the rules of a board; also one with several secrets, where
            guesses count until the last is found.
        strategies: who plays, in this order: strategies, their names, or functions (see
            `as_strategy`); None for every one that is not slow and can play the game; for several
            secrets `knuth`, `irving`, `entropy` and `parts`. Different ones with one name are
            numbered: `guess`, `guess (2)`.
        games: number of games to draw, the same ones for every strategy; None for every secret, or
            every way to hide several.
        seed: for the draw, and for a strategy that a text names, draws, and has no seed of its own.
        threads: how much may run side by side on this machine: threads of strategies that can
            use them, processes for others on large games. The result is the same for any number.
        where: where trees are built instead, on a cluster say.
        lenient: skip a strategy that fails while it plays too, and say why in the results, rather
            than raise; one that cannot play at all is skipped if another can.
        command: what to type to run the race again; made from the rest when not given. None where
            no text names the game, as a list of words that is not installed.
        folder: where what took long is stored, so that the same race resumes when it was stopped;
            None to store nothing.
        played: number of games, drawn with the seed, that each strategy really plays besides,
            guess by guess on one thread, for the processor time of a game.
        weights: how often each secret is hidden, whole numbers from 0 in the order of the game;
            for a game by its rules.
        max_guesses: a limit of guesses; how many games take more is a note of each standing.

    Attributes:
        draw: the secrets that are played.
        depths: int32 (secrets of the draw) by label, the guesses each strategy needs.
        built: figures over every secret, and seconds, by label, where `play_games` built a tree.

    Raises:
        InputError: no strategy, one given twice, or numbers out of range; `played` or `weights`
            for several secrets.
        TooLargeError: every secret, or way to hide several, is to be played, and there are too
            many.
        StrategyError: a program, or a file that needs others, cannot be sent to a cluster.

    Examples:
        >>> pegwise.Race("3x3", ["first", "knuth"]).run().standings[0].strategy
        'first'
    """

    def __init__(
        self,
        game: Playable,
        strategies: Iterable[StrategyLike] | None = None,
        *,
        games: int | None = None,
        seed: int = 0,
        threads: int = 1,
        where: Backend | None = None,
        lenient: bool = False,
        command: str | None = None,
        folder: Path | None = None,
        played: int = 0,
        weights: Sequence[int] | I64 | None = None,
        max_guesses: int | None = None,
    ) -> None:
        self.play = Play.of(game)
        several = self.play.several
        if several is not None and (played or weights is not None):
            raise InputError("{game}: leave out played and weights", game=several.name)
        self.game = game_of(self.play.game, weights)
        self.lenient = lenient or strategies is None
        self.max_guesses = max_guesses
        self._skipped: dict[str, str] = {}
        if strategies is None and several is not None:
            strategies = _AT_ONCE
        elif strategies is None:
            strategies, self._skipped = entrants(self.game, seed)
        if isinstance(strategies, str) or not isinstance(strategies, Iterable):
            strategies = [strategies]
        self.strategies = named([each for some in strategies for each in _all_of(some, seed)])
        if not self.strategies:
            raise InputError("a race needs at least one strategy")
        check_whole("threads", threads, 1)
        if several is not None:
            self.draw = every_way(several) if games is None else draw_ways(several, games, seed)
        elif games is None:
            self.draw = every_secret(self.game)
        else:
            self.draw = draw_games(self.game, games, seed)
        self.to_play = draw_games(self.game, played, seed) if played else None
        self.seed = seed
        self.threads = threads
        self.where = where or backend(threads)
        if isinstance(self.where, Cluster):
            for entrant in self._entrants():
                entrant.check_travels()
        self.command = command or _to_type(self, games, seed, played)
        work = f"raced {games} {seed} {sorted(self.strategies)}"
        work += f" {self.play.boards} at once" if several is not None else ""
        form = ResultForm(EntrantResult.to_bytes, EntrantResult.from_bytes)
        self._store = result_cache(folder, work, form, self.game)
        self._folder = folder
        if folder is not None:
            for entrant in self._entrants():
                entrant.answers.open(folder, entrant.digest)
        self._stop: BaseException | None = None  # what `report` has raised
        self.depths: dict[str, I32] = {}
        self._standings: dict[str, Standing] = {}
        self._trees: dict[str, Tree] = {}
        self._alike: dict[str, list[str]] = {}  # labels of those with one tree, by its digest
        self.built: dict[str, tuple[ExactFigures, float]] = {}
        self._times: dict[str, I64] = {}  # how often each secret was played, by label
        self._warm: set[str] = set()  # labels of those who have played off the clock

    def run(self, *, report: Report = silent) -> RaceResults:
        """Play what is not played yet.

        `report` receives the games played so far; raising from it stops the race. A strategy that
        cannot play is skipped, and the others race.

        Raises:
            PegwiseError: no strategy can play, or one fails while it plays, where the race is not
                lenient.
        """
        refused: dict[str, PegwiseError] = {}
        try:
            for name in self._waiting():
                try:
                    self._attempt(name, self._enter)
                except PegwiseError as error:
                    refused[name] = error
            if refused and len(refused) == len(self._waiting()) and not self._standings:
                who, refusal = next(iter(refused.items()))
                if who in refusal.phrase:
                    raise refusal
                raise type(refusal)("{name}: {what}", name=who, what=refusal.phrase)
            self._skipped |= {name: error.phrase for name, error in refused.items()}
            for name in self._waiting():
                self._attempt(name, partial(self._play, report=report))
                if isinstance(entrant := self.strategies[name], Entrant):
                    entrant.close()
        finally:
            for entrant in self._entrants():
                entrant.close()
        return self.results

    @property
    def name(self) -> str:
        """The game, and where several secrets are sought how many: `4x6`, `wordle*4`."""
        return self.game.name if self.play.several is None else self.play.several.name

    def _entrants(self) -> list[Entrant]:
        return [each for each in self.strategies.values() if isinstance(each, Entrant)]

    # Game by game, for those who watch: as pieces that are stored, and taken again.

    @cached_property
    def order(self) -> I64:
        """int64 (games), the index in the draw of each game's secret, in the order of play."""
        return order_of_play(self.draw, self.seed)

    def play_games(
        self,
        name: str,
        before: EntrantGames,
        *,
        failures: list[Failure] | None = None,
        report: Report = silent,
    ) -> Iterator[GamesPiece]:
        """Play the games of a strategy in `order`, from those before on, as pieces.

        A strategy that compiles itself plays all of them at once, and is then among `built`.
        `failures` receives why an entrant does not find secrets; where it is None, and of other
        strategies, that is an error.
        """
        strategy = self.strategies[name]
        self.check_size(strategy)
        if isinstance(strategy, Entrant):
            try:
                yield from play_games(
                    *(strategy, self.draw, self.order, before), failures=failures, report=report
                )
            finally:
                strategy.close()
            return
        if not (strategy.compiles and plays_everything(strategy, self.draw)):
            yield from play_games(strategy, self.draw, self.order, before, report=report)
            return
        self._load(strategy)
        start = time.perf_counter()
        tree = build(self.game, strategy, report=report)
        exact_depths(strategy, tree)  # refuses a tree that misses a secret
        exact = ExactFigures(tree.mean, tree.total, tree.worst)
        self.built[name] = exact, time.perf_counter() - start
        if not before.n_pieces:
            yield games_of_tree(tree, self.draw, self.order)

    def play_by_clock(self, name: str, before: EntrantGames, limit: float) -> Iterator[GamesPiece]:
        """Play the games of a strategy one by one, for `limit` seconds of processor time."""
        strategy = self.strategies[name]
        if name not in self._warm:
            self._warm.add(name)
            self.check_size(strategy)
            warm_up(strategy, self.draw)
        return play_by_clock(strategy, self.draw, self.order, before, limit)

    def take(
        self,
        name: str,
        depths: I32,
        *,
        seconds: float,
        nodes: int,
        exact: ExactFigures | None = None,
        timed: bool = False,
        failure: str = "",
        notes: Sequence[str] = (),
    ) -> None:
        """Take the first games of a strategy in `order`: `depths`, int32 (n), guesses of each.

        What was played of a longer race is a draw of that size.
        """
        order, n = self.order[: len(depths)], len(depths)
        self.depths[name] = np.zeros(len(self.draw), np.int32)
        self.depths[name][order] = depths
        draw = self.draw
        if n < len(self.order):
            draw = replace(draw, games=n, times=np.bincount(countable(order), minlength=len(draw)))
        self._times[name] = draw.times
        each = PlayedGames(n, seconds / n) if timed else None
        strategy = self.strategies[name]
        taken = standing(
            *(strategy, self.depths[name], draw.times, exact, seconds, nodes, each),
            drawn=draw.games is not None,
        )
        self._standings[name] = replace(taken, failure=failure, notes=tuple(notes))

    def take_tree(self, name: str, nodes: Nodes) -> None:
        """Take what a strategy has played, whose games were taken."""
        strategy = self.strategies[name]
        tree = Tree(self.game, nodes, strategy.card.id, strategy.options)
        failure = self._standings[name].failure
        self._alike.setdefault(_digest(tree, self.draw, failure), []).append(name)
        self._trees[name] = tree

    def skip(self, name: str, why: Phrase) -> None:
        """Note why a strategy has no standing, or not of all games."""
        self._skipped[name] = why

    def forget(self) -> None:
        """Remove what is stored: the results are written."""
        if self._store is not None:
            self._store.clear()
        for entrant in self._entrants():
            entrant.answers.forget()

    @property
    def results(self) -> RaceResults:
        """Results of the games that are finished."""
        unfinished = dict.fromkeys(self._waiting(), UNFINISHED)
        several = self.play.several
        return RaceResults(
            version=__version__,
            rules=self.name,
            secrets=self.game.n_secrets if several is None else several.n_secrets,
            seed=self.seed,
            games=self.draw.games,
            standings=tuple(self._standings.values()),
            duels=duels(self.depths, self._times),
            skipped=tuple((self._skipped | unfinished).items()),
            command=self.command,
            weighted=self.game.weights is not None,
            depths=dict(self.depths),
            identical=tuple(tuple(names) for names in self._alike.values() if len(names) > 1),
            trees=dict(self._trees),
            draw=self.draw,
        )

    def _waiting(self) -> list[str]:
        done = self._standings.keys() | self._skipped.keys()
        return [name for name in self.strategies if name not in done]

    def _attempt(self, name: str, action: Callable[[str, Strategy], None]) -> None:
        """Let a strategy do something; skip it where it cannot and that is allowed."""
        strategy = self.strategies[name]
        try:
            with naming_the_turns(name, self.game.name, foreign=not is_builtin(strategy)):
                action(name, strategy)
            return
        except PegwiseError as error:
            if self._stop is not None:
                raise self._stop from None
            failure = error
        if not self.lenient and not isinstance(strategy, Entrant):
            raise failure
        self._skipped[name] = failure.phrase

    def _enter(self, _name: str, strategy: Strategy) -> None:
        """Refuse now, before anyone plays, a strategy that cannot."""
        self.check_size(strategy)
        begin_play(strategy, replace(self.play, game=self.game))

    def check_entry(self) -> None:
        """Refuse a race in which the game is too large for each strategy."""
        refused: list[PegwiseError] = []
        for strategy in self.strategies.values():
            try:
                self.check_size(strategy)
            except TooLargeError as error:
                refused.append(error)
        if len(refused) == len(self.strategies):
            raise refused[0]

    def check_size(self, strategy: Strategy) -> None:
        """Refuse a strategy that weighs all secrets where they are too many to list."""
        game = self.game
        if game.n_secrets > MAX_LISTED and "unlisted" not in strategy.card.traits:
            raise TooLargeError(
                "{game} has {secrets:,} secrets, too many to list (at most {most:,}) for a "
                "strategy that compares them all",
                game=game.name,
                secrets=game.n_secrets,
                most=MAX_LISTED,
            )

    def _play(self, name: str, strategy: Strategy, report: Report) -> None:
        """Play, unless an earlier run of the race has."""
        listener = self._listener(report)
        store = (
            self._store if is_builtin(strategy) else None
        )  # another may change until a later run
        played: EntrantResult | None = None
        if store is not None:
            with suppress(KeyError):
                played = store.load(name)
        if played is None:
            played = self._played(strategy, listener)
            if store is not None and played.seconds >= LONG:
                with suppress(OutputError):  # it only is played again
                    store.save(name, played)
        each = None if self.to_play is None else self._play_each(strategy, self.to_play, listener)
        self.depths[name], self._times[name] = played.depths, self.draw.times
        result = standing(
            *(strategy, played.depths, self.draw.times, played.exact),
            *(played.seconds, played.nodes, each),
            drawn=self.draw.games is not None,
        )
        notes = played.notes
        if self.max_guesses is not None:
            notes = (*notes, _beyond(played.depths, self.draw.times, self.max_guesses))
        self._standings[name] = replace(result, strategy=name, notes=notes, failure=played.failure)
        if played.tree is not None:
            self.take_tree(name, played.tree)

    def _played(self, strategy: Strategy, report: Report) -> EntrantResult:
        draw = self.draw
        failures: list[Failure] = []
        if draw.boards > 1:
            start = time.perf_counter()
            depths = play_ways(strategy, draw, self.where, folder=self._folder, report=report)
            return EntrantResult(depths, None, time.perf_counter() - start, int(depths.sum()))
        if not plays_everything(strategy, draw):
            start = time.perf_counter()
            steps = NodeList() if draw.listed and self.game.n_secrets <= KEPT else None
            depths, nodes = play_draw(
                strategy, draw, self.where, failures=failures, steps=steps, report=report
            )
            seconds = time.perf_counter() - start
            played = steps.nodes(self.game) if steps is not None and steps.guess else None
            alike = plays_alike(strategy, self.game, depths, draw.secret)
            notes = (*strategy.notes, *([] if alike else [RANDOM]))
            failure = lost_words(failures, len(draw), drawn=True) if failures else ""
            return EntrantResult(depths, None, seconds, nodes, notes, failure, played)
        self._load(strategy)
        start = time.perf_counter()
        if isinstance(strategy, Entrant):
            tree, failures = build_entrant(strategy, self.game, self.where, report=report)
            depths = tree.depths
        else:
            tree = build(self.game, strategy, where=self.where, report=report)
            depths = exact_depths(strategy, tree)
        exact = None if failures else ExactFigures(tree.mean, tree.total, tree.worst)
        seconds = time.perf_counter() - start
        failure = lost_words(failures, self.game.n_secrets) if failures else ""
        kept = tree.nodes if self.game.n_secrets <= KEPT else None
        return EntrantResult(
            depths[draw.secrets], exact, seconds, len(tree), tree.notes, failure, kept
        )

    def _play_each(self, strategy: Strategy, games: Draw, report: Report) -> PlayedGames:
        """Play games one by one by the clock."""
        warm_up(strategy, games)
        seconds = 0.0
        for _, taken in clocked(
            strategy, games, np.repeat(np.arange(len(games)), countable(games.times))
        ):
            seconds += taken
            report(Progress(1, 1, "games"))  # raises when the race is stopped
        n = int(games.times.sum())
        return PlayedGames(n, seconds / n)

    def _load(self, strategy: Strategy) -> None:
        """Load kernels, and make tables that all share, off the clock."""
        game, board = self.game, self.game.board
        game.marks(0, np.zeros(1, np.int32))
        if board is None or not strategy.compiles:
            return
        if use_numpy(game.n_guesses, game.n_secrets, "onestep.grow", board.pegs):
            return
        colors = min(board.colors, max(3, board.pegs * board.secrets_are_distinct))
        with without_numpy(), suppress(Exception):  # the race itself will tell
            build(game_of(replace(board, colors=colors)), strategy)

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
            try:
                report(Progress(played + now, games * len(self.strategies), "games", words))
            except BaseException as error:
                self._stop = error
                raise

        return listen


def _digest(tree: Tree, draw: Draw, failure: str) -> str:
    """Tells trees apart by the positions that some secrets lead to, and what is not found."""
    nodes = tree.nodes
    used = np.ones(len(tree), np.bool_)
    if draw.games is not None:
        numbers = np.flatnonzero(nodes.wins)
        secrets = tree.game.secret_of_guess[nodes.guess[numbers]]
        used = (
            tree.sums(np.bincount(numbers[np.isin(secrets, draw.secrets)], minlength=len(tree))) > 0
        )
    parents = np.append(np.cumsum(used) - 1, -1)[nodes.parent[used]]
    arrays = (nodes.guess[used], parents, nodes.mark[used])
    content = b"".join(array.astype(np.int64).tobytes() for array in arrays)
    return hashlib.sha256(content + failure.encode()).hexdigest()


def race(
    game: Playable,
    strategies: Iterable[StrategyLike] | None = None,
    *,
    games: int | None = None,
    seed: int = 0,
    threads: int = 1,
    where: Backend | None = None,
    played: int = 0,
    weights: Sequence[int] | I64 | None = None,
    lenient: bool = False,
    report: Report = silent,
) -> RaceResults:
    """Let strategies play against every secret, or against games drawn with a seed.

    Arguments and errors are those of `Race` and `Race.run`; to keep what is finished when the
    race is stopped, or to count games beyond a limit, use these.

    Examples:
        >>> pegwise.race("3x3", ["first", "knuth"], games=10, seed=1).games
        10
    """
    entered = Race(
        *(game, strategies),
        games=games,
        seed=seed,
        threads=threads,
        where=where,
        played=played,
        weights=weights,
        lenient=lenient,
    )
    return entered.run(report=report)


def _all_of(strategy: StrategyLike, seed: int) -> Sequence[Strategy]:
    """A strategy, or all those of a folder; one that a text names draws with the seed."""
    if isinstance(strategy, str):
        return strategies_of(strategy, seed)
    return [as_strategy(strategy)]


def named(strategies: Iterable[Strategy]) -> dict[str, Strategy]:
    """Strategies by their labels; of different ones with one label, all but the first numbered.

    A file or a program that calls itself as one of ours, or as another, is named by its place.
    InputError: one is given twice.
    """
    by_name: dict[str, Strategy] = {}
    entered = list(strategies)
    shared = Counter(map(label, entered))
    for strategy in entered:
        name, number = label(strategy), 1
        taken = shared[name] > 1 or (name != strategy.typed and strategy.card.id in names())
        if isinstance(strategy, Entrant) and taken:
            name = strategy.place
        while name in by_name:
            if _same(by_name[name], strategy):
                raise InputError("strategy {double} is given twice", double=repr(name))
            number += 1
            name = f"{name.partition(' (')[0]} ({number})"
        by_name[name] = strategy
    return by_name


def _same(one: Strategy, other: Strategy) -> bool:
    if isinstance(one, FunctionStrategy) and isinstance(other, FunctionStrategy):
        return one.function is other.function
    if isinstance(one, Entrant) and isinstance(other, Entrant):
        return one.typed == other.typed
    return one is other or (is_builtin(one) and is_builtin(other))


def entrants(game: Game, seed: int = 0) -> tuple[list[Strategy], dict[str, str]]:
    """Every registered strategy that is not slow on a game, and why the others are left out."""
    entered: list[Strategy] = []
    left_out: dict[str, str] = {}
    for name in names():
        try:
            strategy = parse(name, seed)
        except (StrategyError, MissingExtraError) as error:
            left_out[name] = error.phrase
            continue
        if strategy.is_slow(game):
            left_out[name] = Phrase("slow; name it to let it race: -s {name}", name=name)
        else:
            entered.append(strategy)
    return entered, left_out


def command_line(
    rules: str,
    strategies: Sequence[str],
    games: int | None,
    seed: int,
    played: int = 0,
    *,
    boards: int = 1,
    max_guesses: int | None = None,
    also: Sequence[str] = (),
) -> str:
    """The command that runs a race; `also` are options that it takes besides."""
    words = ["pegwise", "race", rules]
    words += ["--secrets", str(boards)] if boards > 1 else []
    words += [word for strategy in strategies for word in ("-s", strategy)]
    numbers = _numbers(games, seed, played, max_guesses).items()
    words += [word for name, n in numbers for word in ("--" + name.replace("_", "-"), str(n))]
    return shlex.join([*words, *also])


def _numbers(
    games: int | None, seed: int, played: int, max_guesses: int | None = None
) -> dict[str, int]:
    """Those of a race that differ from their defaults."""
    numbers = {
        "games": games,
        "seed": seed or None,
        "played": played or None,
        "max_guesses": max_guesses,
    }
    return {name: number for name, number in numbers.items() if number is not None}


def _to_type(race: Race, games: int | None, seed: int, played: int) -> str | None:
    """The command or, for functions, the Python that runs a race; None for a game without text."""
    game, boards = race.game, race.play.boards
    limit = race.max_guesses if boards > 1 else None
    if not game.everywhere:
        return None
    labels = {
        typed_with(strategy, seed): isinstance(strategy, Entrant) or strategy.card.id in names()
        for strategy in race.strategies.values()
    }
    name = race.play.name.removesuffix(f"*{boards}") if boards > 1 else game.name
    if all(labels.values()):
        return command_line(
            name, list(labels), games, seed, played, boards=boards, max_guesses=limit
        )
    listed = [
        repr(text) if registered else text.replace("-", "_") for text, registered in labels.items()
    ]
    text = f"pegwise.parallel({name!r}, {boards})" if boards > 1 else repr(name)
    words = [text, f"[{', '.join(listed)}]"]
    words += [f"{key}={n}" for key, n in _numbers(games, seed, played).items()]
    return f"pegwise.race({', '.join(words)})"


def typed_with(strategy: Strategy, seed: int) -> str:
    """How a strategy is typed beside a seed: one that draws with 0 says so."""
    draws = "random" in strategy.card.traits and strategy.card.id in names()
    if not seed or not draws or isinstance(strategy, Entrant) or "seed" in strategy.options:
        return strategy.typed
    return f"{strategy.typed}{',' if strategy.options else ':'}seed=0"


def _beyond(depths: I32, times: I64, most: int) -> Phrase:
    return Phrase(
        "{lost:,} of {games:,} games take more than {most} guesses",
        lost=int(times[depths > most].sum()),
        games=int(times.sum()),
        most=most,
    )


def turns_csv(races: Sequence[Race]) -> str:
    """One row a secret and race: how often it was played, and the guesses each strategy needed."""
    labels = list(dict.fromkeys(name for race in races for name in race.depths))
    rows = (
        [
            race.game.name,
            race.draw.secret(k),
            int(race.draw.times[k]),
            *(int(race.depths[name][k]) if name in race.depths else "" for name in labels),
        ]
        for race in races
        for k in range(len(race.draw))
    )
    return csv_text(["rules", "secret", "games", *labels], rows)


# Protocols: fixed sets of races, so that results can be set beside published ones.


@dataclass(frozen=True, slots=True)
class Protocol:
    """Which games are played under which rules."""

    id: str  # its name on the command line
    name: str  # its name in prose
    source: str  # where it is described
    rules: tuple[Game, ...]  # one race each
    games: int  # number of games drawn in each race
    strategies: tuple[str, ...]  # ids of those that its authors compare

    def races(
        self, strategies: Sequence[Strategy], *, games: int | None = None, **options: Any
    ) -> list[Race]:
        """The races, not yet run; they skip strategies that cannot play, and say why.

        Arguments are those of `Race`.
        """
        games = games or self.games
        return [
            Race(rules, strategies, games=games, lenient=True, **options) for rules in self.rules
        ]

    def document(self, races: Sequence[RaceResults]) -> dict[str, Any]:
        """The results as JSON."""
        return {"version": __version__, "protocol": self.id, "races": races}


PROTOCOLS: Final = {
    "marechal-rastoix": Protocol(
        id="marechal-rastoix",
        name=Phrase("Maréchal and Rastoix's five rules"),
        source=Phrase(
            "Benoît Maréchal and Marc Rastoix, Rapport Intelligence Artificielle pour le "
            "Mastermind, undated, section 5"
        ),
        rules=tuple(
            game_of(text) for text in ("4x6", "4x8", "4x8,distinct-secrets", "4x20", "6x4")
        ),
        games=1_000_000,
        strategies=("marechal-rastoix-1", "marechal-rastoix-2", "marechal-rastoix-3"),
    )
}


def protocol(name: str) -> Protocol:
    """The protocol of this id; UnknownNameError where there is none."""
    if name not in PROTOCOLS:
        raise UnknownNameError.of("protocol", name, PROTOCOLS)
    return PROTOCOLS[name]
