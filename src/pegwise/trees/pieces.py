"""Trees built in pieces: by processes, or by the machines of a cluster.

A piece is what a strategy plays after some turns. Turns that leave too many secrets for one piece
are played one by one, all that are open side by side, until every piece is small enough; then the
pieces are played out, and put together in the order in which one thread would have made them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from pegwise import __version__
from pegwise.cluster import Here, Kept, Place, Processes, run
from pegwise.errors import CodeError, ContradictionError, StrategyError
from pegwise.game import Game, all_secrets
from pegwise.game.game import I32
from pegwise.home import home
from pegwise.progress import Progress, Report, silent
from pegwise.strategies import Compiles, Decision, Nodes, Strategy, label, options_of
from pegwise.trees.build import build, play_on
from pegwise.trees.tree import Tree

__all__ = ["build_at", "build_in_pieces"]

WORTHWHILE = 2_000
"""Games of up to so many secrets are played in less time than it takes to hand them out."""

SMALL = 500
"""Pieces of up to so many secrets are not cut."""

PER_WORKER = 16
"""Pieces for each worker, so that all end at nearly the same time."""


@dataclass(frozen=True)
class Piece:
    """What a strategy plays after some turns of its own.

    Attributes:
        strategy: who plays.
        game: what is played.
        marks: numbers of the marks that its guesses got.
        size: secrets left.
    """

    strategy: Strategy = field(repr=False)
    game: Game = field(repr=False)
    marks: tuple[int, ...]
    size: int = field(repr=False)

    def open(self) -> tuple[Decision, I32]:
        """The decision, and the secrets left."""
        decision, left = self.strategy.begin(self.game), all_secrets(self.game)
        for mark in self.marks:
            given = self.game.marks(self.game.guess_number(decision.guess), left)
            left = left[given == mark]
            decision = decision.after(self.game.mark(mark))
        return decision, left


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

    Strategies that compile themselves use the cores of this machine as threads; others, and a
    cluster, work in pieces; a small game is played here. The tree is the same in any case.

    Raises:
        StrategyError, WorkersLost, OutputError: as `build` and `build_in_pieces`.
    """
    if isinstance(where, Processes) and isinstance(strategy, Compiles):
        return build(strategy, game, threads=where.workers, report=report)
    if isinstance(where, Here) or game.n_secrets <= WORTHWHILE:
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
    kept = Kept(home() / "pieces", identity)
    most = max(SMALL, game.n_secrets // (PER_WORKER * where.workers))
    turns: dict[tuple[int, ...], Turn] = {}
    pieces: list[Piece] = []
    try:
        level = [Piece(strategy, game, (), game.n_secrets)]
        while level:
            pieces += [piece for piece in level if piece.size <= most]
            cut = [piece for piece in level if piece.size > most]
            found = run(play_turn, cut, where, kept=kept)
            level = []
            for piece, turn in zip(cut, found, strict=True):
                turns[piece.marks] = turn
                level += [
                    Piece(strategy, game, (*piece.marks, mark), size)
                    for mark, size in turn.sizes.items()
                ]
        done = sum(turn.wins for turn in turns.values())

        def tell(step: Progress) -> None:
            report(Progress(done + step.done, game.n_secrets, "secrets"))

        grown = run(
            play_piece, pieces, where, kept=kept, report=tell, size=lambda piece: piece.size
        )
    except (CodeError, ContradictionError) as error:
        raise StrategyError(
            "{strategy} fails on {game}: {error}",
            strategy=label(strategy),
            game=game.name,
            error=error,
        ) from error
    branches = {piece.marks: nodes for piece, nodes in zip(pieces, grown, strict=True)}
    tree = Tree(game, _joined(game, turns, branches), strategy.card.id, options_of(strategy))
    kept.forget()
    return tree


def play_turn(piece: Piece) -> Turn:
    """The guess of a piece, and the parts that its secrets fall into."""
    decision, left = piece.open()
    guess = piece.game.guess_number(decision.guess)
    marks, sizes = np.unique(piece.game.marks(guess, left), return_counts=True)
    parts = dict(zip(marks.tolist(), sizes.tolist(), strict=True))
    return Turn(guess, parts, wins=bool(parts.pop(piece.game.winning, 0)))


def play_piece(piece: Piece) -> Nodes:
    """All nodes of a piece, breadth first; its first node has parent -1."""
    decision, left = piece.open()
    return play_on(decision, piece.game, left, label(piece.strategy))


def _joined(
    game: Game, turns: dict[tuple[int, ...], Turn], branches: dict[tuple[int, ...], Nodes]
) -> Nodes:
    """Turns and branches as one tree, breadth first, children by number of mark."""
    joined: list[Nodes] = []
    start: dict[tuple[int, ...], int] = {}
    at = 0
    for marks, nodes in _from_the_root(game, turns, branches):
        start[marks] = at
        parent, mark = nodes.parent + np.int32(at), nodes.mark.copy()
        parent[0] = start[marks[:-1]] if marks else -1
        mark[0] = marks[-1] if marks else 0
        joined.append(nodes._replace(parent=parent, mark=mark))
        at += len(nodes.guess)
    return _breadth_first(Nodes(*map(np.concatenate, zip(*joined, strict=True))))


def _from_the_root(
    game: Game, turns: dict[tuple[int, ...], Turn], branches: dict[tuple[int, ...], Nodes]
) -> Iterator[tuple[tuple[int, ...], Nodes]]:
    """Turns, each as a tree of one node, and branches; what stands above comes before."""
    kind: Any = np.uint8 if game.n_marks <= 256 else np.uint16
    for marks, turn in sorted(turns.items(), key=lambda item: len(item[0])):
        yield (
            marks,
            Nodes(
                np.array([turn.guess], np.int32),
                np.array([-1], np.int32),
                np.zeros(1, kind),
                np.array([turn.wins]),
            ),
        )
    yield from branches.items()


def _breadth_first(nodes: Nodes) -> Nodes:
    """The same tree in the order of `Nodes`; every node must come behind its parent."""
    n = len(nodes.guess)
    # levels from the root down: children of the nodes of a level, in their order, by mark
    order = np.flatnonzero(nodes.parent < 0)
    whole = [order]
    children = np.argsort(nodes.parent, kind="stable")
    starts = np.searchsorted(nodes.parent[children], np.arange(n + 1))
    while len(order):
        counts = starts[order + 1] - starts[order]
        rank = np.repeat(np.arange(len(order)), counts)
        ends = np.cumsum(counts)
        within = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - counts, counts)
        found = children[np.repeat(starts[order], counts) + within]
        order = found[np.lexsort((nodes.mark[found], rank))]
        whole.append(order)
    new = np.concatenate(whole)
    number = np.empty(n + 1, np.int32)
    number[new] = np.arange(n, dtype=np.int32)
    number[-1] = -1
    return Nodes(nodes.guess[new], number[nodes.parent[new]], nodes.mark[new], nodes.wins[new])
