"""The secrets of a race: every one, or those of games drawn with a seed; and playing only those."""

from __future__ import annotations

import hashlib
import itertools
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from pegwise.arrays import I32, I64, U8, MarkNumbers, countable, from_bytes, to_bytes
from pegwise.compute.backends import Backend, Serial
from pegwise.compute.cache import ResultForm
from pegwise.compute.pieces import run
from pegwise.errors import InputError, StrategyError, TooLargeError, check_whole
from pegwise.game import Code, Game, Mastermind, Parallel, Rules, Secrets, all_secrets
from pegwise.game.rules import MAX_LISTED, check_listed
from pegwise.kept import PIECES
from pegwise.playing import Play
from pegwise.progress import Progress, Report, silent
from pegwise.strategies import (
    Decision,
    Entrant,
    Picklable,
    Strategy,
    begin_play,
    is_builtin,
    label,
    naming_the_turns,
)
from pegwise.strategies.scoring import mark_codes
from pegwise.trees import Tree
from pegwise.trees.build import (
    Ahead,
    Failure,
    asking_ahead,
    lost_words,
    parts_of,
    play_boards,
    play_steps,
    result_cache,
)
from pegwise.trees.tree import NodeList

MAX_GAMES: Final = 20_000_000  # most games that are drawn
FEW: Final = 10_000  # secrets: in a game up to this size, every strategy's whole tree is built
COMPILED: Final = 200_000  # secrets: up to this size, the tree of a strategy with kernels is built
FEW_GAMES: Final = 200  # up to this number, games are played on this thread
MAX_EVERY: Final = 20_000  # most ways to hide several secrets that are all played
MAX_DRAWN: Final = 1_000_000  # most games with several secrets that are drawn
_PIECE: Final = 50  # games that are played, and stored, together


@dataclass(frozen=True, eq=False)
class Draw:
    """The secrets of a race: every strategy plays the same ones.

    Attributes:
        game: what is played.
        games: number of games drawn, or None where every secret is played once.
        secrets: different secrets, ascending: int32 (n), their numbers; or uint8 (n, pegs), the
            codes of a board too large to list. Of several boards int32 (n, boards), their numbers
            in each game, in the order of the draw.
        times: int64 (n), how often each is played.
        boards: how many secrets are sought at once.
    """

    game: Game
    games: int | None
    secrets: I32 | U8
    times: I64
    boards: int = 1

    def __len__(self) -> int:
        return len(self.times)

    @property
    def listed(self) -> bool:
        """Whether secrets are numbers, not codes."""
        return self.secrets.ndim == 1

    @property
    def digest(self) -> str:
        """Tells draws apart."""
        return hashlib.sha256(self.secrets.tobytes() + self.times.tobytes()).hexdigest()[:16]

    def secret(self, k: int) -> Any:
        """The secret of this index, as people read it."""
        secret = self.secrets[k].tolist()
        if self.boards > 1:
            return Secrets(map(self.game.secret, secret))
        return self.game.secret(secret) if self.listed else Code(secret)

    def marks(self, guess: Any, which: I64) -> MarkNumbers:
        """The marks of a guess against the secrets of these indices, int64 (m), by number."""
        game, secrets = self.game, self.secrets[which]
        if self.listed or self.boards > 1:
            return game.marks(game.guess_number(guess), secrets.astype(np.int32))
        board = cast(Mastermind, game)  # no other game is drawn in codes
        return mark_codes(board, board.rules.alphabet.check(guess), secrets.astype(np.uint8))


def every_secret(game: Game) -> Draw:
    """Every secret once; TooLargeError where they are too many to list."""
    if game.n_secrets > MAX_LISTED:
        raise TooLargeError(
            "{game} has {secrets:,} secrets, too many to play each (at most {most:,}); "
            "draw some of them, as by games=1000 (--games 1000)",
            game=game.name,
            secrets=game.n_secrets,
            most=MAX_LISTED,
        )
    return Draw(game, None, all_secrets(game), np.ones(game.n_secrets, np.int64))


def draw_games(game: Game, games: int, seed: int = 0) -> Draw:
    """Games drawn with replacement, each secret as likely as its weight says.

    The same game, number and seed give the same draw.
    """
    _check_draw(games, seed, MAX_GAMES)
    rng = np.random.Generator(np.random.PCG64(seed))
    n = game.n_secrets
    if game.board is not None and game.weights is None and n > MAX_LISTED:
        codes, times = np.unique(_codes(game.board, games, rng), axis=0, return_counts=True)
        return Draw(game, games, codes, times.astype(np.int64))
    check_listed(game.name, n)
    if game.weights is None:
        drawn = rng.integers(0, n, games)
    else:
        ends = np.cumsum(game.weights)
        drawn = np.searchsorted(ends, rng.integers(0, ends[-1], games), side="right")
    times = np.bincount(countable(drawn), minlength=n).astype(np.int64, copy=False)
    numbers = np.flatnonzero(times)
    return Draw(game, games, numbers.astype(np.int32), times[numbers])


def every_way(several: Parallel) -> Draw:
    """Every way to hide several secrets, in order, once; errors where it cannot be."""
    game = several.game
    if game.weights is not None:
        raise InputError("{game}: its secrets have weights; give games to draw", game=game.name)
    if several.n_secrets > MAX_EVERY:
        raise TooLargeError(
            "{game}: there are {ways:,} ways to hide the secrets, too many to play each (at most "
            "{most:,}); draw some of them, as by games=1000 (--games 1000)",
            game=several.name,
            ways=several.n_secrets,
            most=MAX_EVERY,
        )
    ways = np.array(list(itertools.permutations(range(game.n_secrets), several.n)), np.int32)
    return Draw(game, None, ways, np.ones(len(ways), np.int64), several.n)


def draw_ways(several: Parallel, games: int, seed: int = 0) -> Draw:
    """Games drawn as `Parallel.draw` does, each with distinct secrets."""
    _check_draw(games, seed, MAX_DRAWN)
    ways = several.draw(games, seed)
    return Draw(several.game, games, ways, np.ones(games, np.int64), several.n)


def _check_draw(games: int, seed: int, most: int) -> None:
    check_whole("games", games, 1, most)
    check_whole("seed", seed)


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


def exact_depths(strategy: Strategy, tree: Tree) -> I32:
    """int32 (secrets), guesses of its whole tree; StrategyError where it never finds one."""
    depths, game = tree.depths, tree.game
    if not depths.all():
        raise StrategyError(
            "{strategy} never finds {lost} of {game}",
            strategy=label(strategy),
            lost=game.secret(int(np.argmin(depths))),
            game=game.name,
        )
    return depths


# Play the secrets of a draw.


def _write_played(played: tuple[I32, int]) -> bytes:
    depths, decisions = played
    return to_bytes(decisions, depths)


def _read_played(value: memoryview) -> tuple[I32, int]:
    decisions, (depths,) = from_bytes(value)
    return depths, decisions


_PLAYED: Final = ResultForm(_write_played, _read_played)


def plays_everything(strategy: Strategy, draw: Draw) -> bool:
    """Whether to play every secret and look the drawn ones up, rather than play only those.

    Then exact figures are known as well.
    """
    if not draw.listed:
        return False
    n = draw.game.n_secrets
    if draw.games is None or n <= draw.games:
        return True
    if strategy.is_slow(draw.game) or isinstance(strategy, Entrant):
        return False  # each guess of another's program may take long
    return n <= (COMPILED if strategy.compiles else FEW)


def play_draw(
    strategy: Strategy,
    draw: Draw,
    where: Backend | None = None,
    *,
    failures: list[Failure] | None = None,
    steps: NodeList | None = None,
    report: Report = silent,
) -> tuple[I32, int]:
    """Play only the secrets of a draw, decision by decision; in pieces where that is worth it.

    Secrets that have got the same marks so far share their decisions, so that this is the tree of
    the strategy without the branches that nothing leads to. Returns int32 (secrets), guesses that
    each secret needs, 0 where an entrant does not find it; and the number of decisions. `failures`
    receives the positions where an entrant fails, `steps` the decisions where they are not played
    in pieces.
    """
    game, which = draw.game, np.arange(len(draw))
    if isinstance(strategy, Entrant):
        return _play_entrant(strategy, draw, where or Serial(), report, failures, steps)
    foreign = not is_builtin(strategy)
    with naming_the_turns(label(strategy), game.name, foreign=foreign):
        if where is None or isinstance(where, Serial) or len(draw) <= FEW_GAMES:
            decision = strategy.begin(game)
            return _play_on(decision, draw, label(strategy), report, foreign=foreign, steps=steps)
        parts = parts_of(draw.marks(strategy.begin(game).guess, which), which)
        parts.pop(game.winning, None)
        tasks = [
            DrawTask(strategy, replace(draw, secrets=draw.secrets[some], times=draw.times[some]), m)
            for m, some in parts.items()
        ]
        work = f"draw {draw.games} {draw.digest}"
        store = result_cache(PIECES.store().path, work, _PLAYED, game, strategy)

        def tell(step: Progress) -> None:
            report(Progress(step.done, len(draw), "secrets"))

        played = run(play_draw_task, tasks, where, store=store, report=tell, size=len)
    depths, nodes = np.ones(len(draw), np.int32), 1
    for some, (further, decisions) in zip(parts.values(), played, strict=True):
        depths[some] += further
        nodes += decisions
    if store is not None:
        store.clear()
    return depths, nodes


def _play_entrant(
    entrant: Entrant,
    draw: Draw,
    where: Backend,
    report: Report,
    failures: list[Failure] | None,
    steps: NodeList | None,
) -> tuple[I32, int]:
    """Play the secrets of a draw by an entrant, in as many processes as there are workers."""
    lost = [] if failures is None else failures
    decision, name = entrant.begin(draw.game), label(entrant)
    with asking_ahead(entrant, where) as ahead:
        depths, nodes = _play_on(
            decision, draw, name, report, foreign=True, lost=lost, ahead=ahead, steps=steps
        )
    if not depths.any():
        raise StrategyError(lost_words(lost, len(draw)))
    return depths, nodes


def _play_on(
    decision: Decision,
    draw: Draw,
    name: str,
    report: Report,
    *,
    foreign: bool,
    lost: list[Failure] | None = None,
    ahead: Ahead | None = None,
    steps: NodeList | None = None,
) -> tuple[I32, int]:
    """The number of guesses for each secret of a draw from a decision on, and of nodes."""
    depths, nodes = np.zeros(len(draw), np.int32), 0
    which = np.arange(len(draw))
    read = draw.secret
    for step in play_steps(
        *(decision, draw.game, which, draw.marks, read, name),
        foreign=foreign,
        failures=lost,
        ahead=ahead,
        report=report,
    ):
        depths[step.won] = step.depth
        nodes += 1
        if steps is not None:
            number = draw.game.guess_number(step.guess)
            steps.add(step.parent, step.mark, number, wins=len(step.won) > 0)
    return depths, nodes


def play_ways(
    strategy: Strategy,
    draw: Draw,
    where: Backend | None = None,
    *,
    folder: Path | None = None,
    report: Report = silent,
) -> I32:
    """Play games with several secrets in pieces: int32 (games), guesses until the last is found.

    Pieces are stored in the folder, if one is given, until all are played.
    """
    tasks = [
        WaysTask(strategy, replace(draw, secrets=draw.secrets[k : k + _PIECE]), k)
        for k in range(0, len(draw), _PIECE)
    ]
    work = f"{draw.boards} at once {draw.digest}"
    form = ResultForm[I32](partial(to_bytes, None), lambda value: from_bytes(value)[1][0])
    store = result_cache(folder, work, form, draw.game, strategy)
    pieces = run(play_ways_task, tasks, where or Serial(), store=store, report=report, size=len)
    if store is not None:
        store.clear()
    return np.concatenate(pieces)


@dataclass(frozen=True, repr=False)
class WaysTask(Picklable):
    """Some games of a draw with several secrets, from a number on."""

    strategy: Strategy
    draw: Draw
    first: int

    def __len__(self) -> int:
        return len(self.draw.secrets)

    def __repr__(self) -> str:
        return f"games from {self.first}"  # the name of its piece


def play_ways_task(task: WaysTask) -> I32:
    """Guesses until the last secret is found: int32 (games of the task)."""
    play = Play(task.draw.game, task.draw.boards)
    begun = begin_play(task.strategy, play)
    games = map(task.draw.secret, range(len(task)))
    played = (play_boards(task.strategy, play, secrets, begun) for secrets in games)
    return np.fromiter(map(len, played), np.int32, len(task))


@dataclass(frozen=True, repr=False)
class DrawTask(Picklable):
    """The games of a draw whose first guess gets one mark."""

    strategy: Strategy
    draw: Draw
    mark: int

    def __len__(self) -> int:
        return len(self.draw)

    def __repr__(self) -> str:
        return f"mark {self.mark}"  # the name of its piece


def play_draw_task(task: DrawTask) -> tuple[I32, int]:
    """Guesses after the first one, int32 (games of the task), and decisions."""
    game = task.draw.game
    decision = task.strategy.begin(game).after(game.mark(task.mark))
    foreign = not is_builtin(task.strategy)
    return _play_on(decision, task.draw, label(task.strategy), silent, foreign=foreign)
