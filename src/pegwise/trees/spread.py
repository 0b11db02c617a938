"""Trees built in pieces: by processes, or by the machines of a cluster.

Turns that leave too many secrets for one piece of work are played one by one. What follows such a
turn and is small enough is bundled: a bundle is a piece of work, and its branches are played out.
Whatever follows a turn is handed out as soon as that turn is played. All is put together in the
order in which one thread would have made it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from pegwise._version import __version__
from pegwise.arrays import I32
from pegwise.compute import PieceStore, Place, Processes, Serial, Threads, WorkerPool, run
from pegwise.game import Game, Mastermind, Rules, all_secrets, mastermind
from pegwise.paths import home
from pegwise.progress import Progress, Report, silent
from pegwise.strategies import (
    Compiles,
    Decision,
    Nodes,
    Strategy,
    blaming,
    label,
    options_of,
    parse,
)
from pegwise.strategies.one_step import OneStep
from pegwise.strategies.whole_tree import board_of
from pegwise.trees.build import build, play_on
from pegwise.trees.tree import Tree

WORTHWHILE = 2_000
"""Games of up to so many secrets are played in less time than it takes to hand them out."""

LONG = 2_000_000
"""Trees of more secrets take so long that a run that was stopped should go on."""

SMALL = 500
"""Branches of up to so many secrets are not cut."""

LARGE = 100_000
"""Larger pieces take minutes: progress would stand still, and a run that is killed lose them."""

PER_WORKER = 16
"""Pieces for each worker, so that all end at nearly the same time."""


@dataclass(frozen=True)
class Piece:
    """What a strategy plays after some turns of its own.

    Attributes:
        strategy: who plays.
        game: what is played.
        guesses: numbers of its guesses, so that they need not be found again.
        marks: numbers of the marks that they got.
        size: secrets left.
    """

    strategy: Strategy = field(repr=False)
    game: Game = field(repr=False)
    guesses: tuple[int, ...] = field(repr=False)
    marks: tuple[int, ...]
    size: int = field(repr=False)

    def open(self) -> tuple[Decision, I32]:
        """The decision, and the secrets left."""
        game = self.game
        known = type(self.strategy).__module__ == OneStep.__module__
        if known and isinstance(game, Mastermind) and game.weights is None:
            return _opened(label(self.strategy), game.rules, self.guesses, self.marks)
        decision, left = self.strategy.begin(game), all_secrets(game)
        for guess, mark in zip(self.guesses, self.marks, strict=True):
            left = left[game.marks(guess, left) == mark]
            decision = _after(decision, game, guess, mark)
        return decision, left


@lru_cache(maxsize=64)
def _opened(
    name: str, rules: Rules, guesses: tuple[int, ...], marks: tuple[int, ...]
) -> tuple[Decision, I32]:
    """Likewise of a one-step strategy of ours; what many pieces begin with is kept."""
    game = mastermind(rules)
    if not guesses:
        return parse(name).begin(game), all_secrets(game)
    decision, left = _opened(name, rules, guesses[:-1], marks[:-1])
    left = left[game.marks(guesses[-1], left) == marks[-1]]
    return _after(decision, game, guesses[-1], marks[-1]), left


@dataclass(frozen=True)
class Bundle:
    """Branches that follow one turn, small enough to be played out as one piece of work.

    Attributes:
        piece: what stands before that turn.
        guess: number of the guess of that turn.
        marks: number of the mark that leads to each branch.
        size: secrets in all branches.
    """

    piece: Piece
    guess: int = field(repr=False)
    marks: tuple[int, ...]
    size: int = field(repr=False)


class Turn(NamedTuple):
    """One guess of a tree.

    Attributes:
        guess: its number.
        sizes: for each mark but the winning one that some secret gives, how many give it.
        wins: whether the guess may be the secret.
    """

    guess: int
    sizes: dict[int, int]
    wins: bool


def build_at(strategy: Strategy, game: Game, where: Place, *, report: Report = silent) -> Tree:
    """The tree of a strategy on a game, built in the way that suits game, strategy and place.

    Strategies that compile themselves use the cores of this machine as threads, in pieces where
    it takes long; others, and a cluster, work in pieces; a small game is played here. The tree is
    the same in any case.

    Raises:
        StrategyError, WorkersLost, OutputError: as `build` and `build_in_pieces`.
    """
    if isinstance(where, Serial | Processes) and isinstance(strategy, Compiles):
        if game.n_secrets > LONG:
            return build_in_pieces(strategy, game, Threads(where.workers), report=report)
        return build(strategy, game, threads=where.workers, report=report)
    if isinstance(where, Serial) or game.n_secrets <= WORTHWHILE:
        return build(strategy, game, report=report)
    return build_in_pieces(strategy, game, where, report=report)


def build_in_pieces(
    strategy: Strategy, game: Game, where: Place, *, report: Report = silent
) -> Tree:
    """The tree of a strategy on a game, as `build` makes it.

    Finished pieces are kept among the user's data until the tree is whole, so that a run that was
    stopped goes on.

    Raises:
        StrategyError: as `build`.
        WorkersLost: the workers are gone.
        OutputError: a finished piece cannot be kept.
    """
    identity = f"tree {__version__} {label(strategy)} {game.name} {game.n_secrets}"
    kept = PieceStore(home() / "pieces", identity)
    growing = Growing(strategy, game, where.workers)

    def tell(_step: Progress) -> None:
        report(Progress(growing.done, game.n_secrets, "secrets"))

    with blaming(strategy, game), WorkerPool(where) as there:
        there.make_ready(make_ready, strategy, game)
        # workers are not called for one turn
        (first,) = run(play, [growing.root], Serial(), store=kept)
        run(
            play,
            growing.follow(growing.root, first),
            there,
            store=kept,
            follow=growing.follow,
            report=tell,
            size=lambda work: work.size,
        )
    tree = Tree(game, growing.nodes(), strategy.card.id, options_of(strategy))
    kept.clear()
    return tree


class Growing:
    """A tree that is being built in pieces, put together from what they tell.

    Args:
        strategy: who plays.
        game: what is played.
        workers: how many; the more, the smaller the pieces.

    Attributes:
        root: the first turn.
        most: of branches up to so many secrets bundles are made.
        done: secrets found so far.
    """

    def __init__(self, strategy: Strategy, game: Game, workers: int) -> None:
        self.root = Piece(strategy, game, (), (), game.n_secrets)
        self.most = max(SMALL, min(LARGE, game.n_secrets // (PER_WORKER * workers)))
        self.done = 0
        self._turns: dict[tuple[int, ...], Turn] = {}
        self._branches: dict[tuple[int, ...], Nodes] = {}

    def follow(self, work: Piece | Bundle, played: Turn | list[Nodes]) -> list[Piece | Bundle]:
        """Take what was played, and say what can be played now."""
        if isinstance(work, Piece) and isinstance(played, Turn):
            self._turns[work.marks] = played
            self.done += played.wins
            return [*pieces_of(work, played, self.most), *bundles_of(work, played, self.most)]
        if isinstance(work, Bundle) and isinstance(played, list):
            for mark, nodes in zip(work.marks, played, strict=True):
                self._branches[(*work.piece.marks, mark)] = nodes
            self.done += work.size
        return []

    def nodes(self) -> Nodes:
        """The whole tree, once all is played."""
        return _joined(self.root.game, self._turns, self._branches)


def pieces_of(piece: Piece, turn: Turn, most: int) -> list[Piece]:
    """The branches of more than so many secrets after a turn."""
    guesses = (*piece.guesses, turn.guess)
    return [
        Piece(piece.strategy, piece.game, guesses, (*piece.marks, mark), size)
        for mark, size in turn.sizes.items()
        if size > most
    ]


def bundles_of(piece: Piece, turn: Turn, most: int) -> Iterator[Bundle]:
    """The branches of up to so many secrets after a turn, together as many at most."""
    marks: list[int] = []
    size = 0
    for mark, secrets in turn.sizes.items():
        if secrets > most:
            continue
        if marks and size + secrets > most:
            yield Bundle(piece, turn.guess, tuple(marks), size)
            marks, size = [], 0
        marks.append(mark)
        size += secrets
    if marks:
        yield Bundle(piece, turn.guess, tuple(marks), size)


def make_ready(strategy: Strategy, game: Game) -> None:
    """List the codes and make the arrays that all pieces of a game need."""
    Piece(strategy, game, (), (), game.n_secrets).open()
    if isinstance(strategy, OneStep) and isinstance(game, Mastermind):
        board_of(game.rules)


def play(work: Piece | Bundle) -> Turn | list[Nodes]:
    """One turn, or all that follows one."""
    return play_turn(work) if isinstance(work, Piece) else play_bundle(work)


def play_turn(piece: Piece) -> Turn:
    """The guess of a piece, and the parts that its secrets fall into."""
    decision, left = piece.open()
    guess = piece.game.guess_number(decision.guess)
    marks, sizes = np.unique(piece.game.marks(guess, left), return_counts=True)
    parts = dict(zip(marks.tolist(), sizes.tolist(), strict=True))
    return Turn(guess, parts, wins=bool(parts.pop(piece.game.winning, 0)))


def play_bundle(bundle: Bundle) -> list[Nodes]:
    """All nodes of each branch, breadth first; the first node of each has parent -1."""
    piece, guess = bundle.piece, bundle.guess
    decision, left = piece.open()
    given = piece.game.marks(guess, left)
    name = label(piece.strategy)
    return [
        play_on(_after(decision, piece.game, guess, mark), piece.game, left[given == mark], name)
        for mark in bundle.marks
    ]


def _after(decision: Decision, game: Game, guess: int, mark: int) -> Decision:
    """The state after the decision's own guess, which is known, got a mark."""
    # not by isinstance, which would ask for the guess: it takes long to find again
    instead = getattr(decision, "instead", None)
    if instead is None:
        return decision.after(game.mark(mark))
    adapted: Decision = instead(game.guess(guess), game.mark(mark))
    return adapted


def _joined(
    game: Game, turns: dict[tuple[int, ...], Turn], branches: dict[tuple[int, ...], Nodes]
) -> Nodes:
    """Turns and branches as one tree, breadth first, children by number of mark."""
    start: dict[tuple[int, ...], int] = {}
    pieces: list[tuple[int, int, Nodes]] = []
    size = 0
    for marks, nodes in _from_the_root(game, turns, branches):
        start[marks] = size
        pieces.append((start[marks[:-1]], marks[-1], nodes) if marks else (-1, 0, nodes))
        size += len(nodes.guess)
    return Nodes.join(pieces)


def _from_the_root(
    game: Game, turns: dict[tuple[int, ...], Turn], branches: dict[tuple[int, ...], Nodes]
) -> Iterator[tuple[tuple[int, ...], Nodes]]:
    """Turns, each as a tree of one node, and branches; what stands above comes before."""
    for marks, turn in sorted(turns.items(), key=lambda item: len(item[0])):
        yield marks, Nodes.of([turn.guess], [-1], [0], [turn.wins], game.n_marks)
    yield from branches.items()
