"""Losses of the guesses of a tree against best play, added up by turn and by position.

The value of a position is the number of guesses that best play needs for all its candidates. A
guess loses what it needs more when best play follows. Whoever knows the values brings them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from pegwise.arrays import I32, I64, U64
from pegwise.game import Turn, all_secrets
from pegwise.game.hard import required_after, required_before
from pegwise.hooks import Drawable
from pegwise.progress import Progress, Report, silent
from pegwise.statistics import interval_of
from pegwise.trees.tree import Tree

Value = Callable[[I32, U64], tuple[int, int] | None]
"""Guesses that best play needs for all of some candidates, int32 (n), and the number of a best
guess, where turns require something of guesses (`game.hard`); None where that is not known."""

SOLVED: Final = 1296
"""Secrets of the largest game that is solved to the end for losses where no time is given."""

_SHOWN: Final = 10  # positions that lose most
_REPORTS: Final = 50  # reports of progress in all


@dataclass(frozen=True, slots=True)
class Loss:
    """A position where a guess loses.

    Attributes:
        turns: the guesses and marks before, as text.
        guess: what is played.
        best: a guess that loses nothing.
        candidates: how many codes are possible.
        cost: guesses that it loses, over all codes that are possible there.
    """

    turns: tuple[str, ...]
    guess: str
    best: str
    candidates: int
    cost: int


@dataclass(frozen=True, slots=True)
class Losses(Drawable):
    """The guesses of a tree above best play, over every code or in games that were drawn.

    Attributes:
        total: in all; over every code that is the total of the tree minus the smallest total, and
            a whole number; in drawn games a game loses what a code loses on average at each of
            its positions.
        by_turn: by the turn in which they are lost, from turn 1; None for a turn with positions
            that were not solved.
        best: share of the positions solved in which the guess is the best one that is named.
        as_good: share of those in which another guess loses nothing either.
        inconsistent: share of the positions in which the guess cannot be the code.
        positions: those that cost most, the largest first.
        accounted: share of the guesses, over all codes or games, that are played in positions that
            were solved; where it is below 1, `total` is what is known.
        games: number of games drawn; None for every code.
        mean: guesses lost in a game.
        interval: what holds the mean over all codes with a confidence of 95 %; None where every
            code is played, and for a single game.
        turn_intervals: the same for what a game loses in each turn.
    """

    total: float
    by_turn: tuple[float | None, ...] = field(repr=False)
    best: float
    as_good: float
    inconsistent: float
    positions: tuple[Loss, ...] = field(repr=False)
    accounted: float = 1.0
    games: int | None = None
    mean: float = 0.0
    interval: tuple[float, float] | None = None
    turn_intervals: tuple[tuple[float, float] | None, ...] = field(default=(), repr=False)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each turn, as `pandas.DataFrame(losses.rows())` takes them."""
        return [{"turn": turn, "lost": lost} for turn, lost in enumerate(self.by_turn, 1)]


@dataclass(frozen=True, slots=True)
class _Node:
    """A position of a tree: its candidates, and which of the drawn secrets are among them."""

    number: int
    candidates: I32
    drawn: I64
    required: U64  # by the turns before it, of guesses (`game.requirements`)


def take_apart(
    tree: Tree,
    value: Value,
    *,
    secrets: I32 | None = None,
    times: I64 | None = None,
    report: Report = silent,
) -> Losses:
    """The losses of a tree; of drawn games only the positions that occur in them are solved.

    Args:
        tree: every code counts once; only drawn secrets need to be won.
        value: solves positions.
        secrets: int32 (n), numbers of the secrets that were drawn; None for every one.
        times: int64 (n), in how many games each is hidden.
        report: receives the positions done so far.
    """
    every = secrets is None
    drawn = all_secrets(tree.game) if secrets is None else secrets
    games = np.ones(len(drawn), np.int64) if times is None else times
    nodes = _nodes(tree, drawn)
    depth = tree.node_depths
    # from the last turn to the first one, smaller positions first
    nodes.sort(key=lambda node: (-depth[node.number], len(node.candidates)))
    worst = int(max(depth[node.number] for node in nodes))
    lost = np.zeros((worst, len(drawn)))  # by a game, in each turn
    by_turn, solved = np.zeros(worst, np.int64), np.ones(worst, np.bool_)
    costs: list[tuple[int, int, int, int]] = []  # cost, node, best guess, candidates
    named = equal = inconsistent = guesses = known = 0
    for done, node in enumerate(nodes, 1):
        turn, n = int(depth[node.number]) - 1, len(node.candidates)
        guesses += n
        own = tree.nodes.guess[node.number]
        inconsistent += tree.game.secret_of_guess[own] not in node.candidates
        cost, best = _cost(tree, node, value)
        if cost is None:
            solved[turn] = False
        else:
            known += n
            by_turn[turn] += cost
            lost[turn, node.drawn] = cost / n
            named += best == own
            equal += cost == 0 and best != own
            costs.append((cost, node.number, best, n))
        if done * _REPORTS // len(nodes) > (done - 1) * _REPORTS // len(nodes):
            report(Progress(done, len(nodes), "positions"))
    costs.sort(key=lambda each: (-each[0], each[1]))
    game = lost.sum(axis=0)
    n_games = int(games.sum())
    total: float = int(by_turn.sum()) if every else float(game @ games)
    turns = by_turn.tolist() if every else (lost @ games).tolist()
    rows = [] if every else list(zip(lost, solved, strict=True))
    return Losses(
        total=total,
        by_turn=tuple(n if sure else None for n, sure in zip(turns, solved, strict=True)),
        best=float(named / max(1, len(costs))),
        as_good=float(equal / max(1, len(costs))),
        inconsistent=inconsistent / len(nodes),
        positions=tuple(_loss(tree, *each) for each in costs[:_SHOWN] if each[0]),
        accounted=known / guesses,
        games=None if every else n_games,
        mean=total / n_games,
        interval=None if every else interval_of(game, games),
        turn_intervals=tuple(interval_of(row, games) if sure else None for row, sure in rows),
    )


def _nodes(tree: Tree, drawn: I32) -> list[_Node]:
    """The positions that some of the drawn secrets lead to."""
    game, nodes = tree.game, tree.nodes
    waiting = [_Node(0, all_secrets(game), np.arange(len(drawn)), required_before(game))]
    reached: list[_Node] = []
    while waiting:
        node = waiting.pop()
        reached.append(node)
        guess = int(nodes.guess[node.number])
        marks, own = game.marks(guess, node.candidates), game.marks(guess, drawn[node.drawn])
        for child in tree.children(node.number):
            if (follows := own == nodes.mark[child]).any():
                mark = int(nodes.mark[child])
                part = node.candidates[marks == mark]
                required = required_after(game, node.required, guess, mark)
                waiting.append(_Node(child, part, node.drawn[follows], required))
    return reached


def _cost(tree: Tree, node: _Node, value: Value) -> tuple[int | None, int]:
    """Loss of the guess of a node, and a best guess; None where a value is not known."""
    game = tree.game
    guess = int(tree.nodes.guess[node.number])
    marks = game.marks(guess, node.candidates)
    needed = len(node.candidates)
    for mark in np.unique(marks).tolist():
        if mark != game.winning:
            required = required_after(game, node.required, guess, mark)
            after = value(node.candidates[marks == mark], required)
            if after is None:
                return None, -1
            needed += after[0]
    before = value(node.candidates, node.required)
    return (None, -1) if before is None else (needed - before[0], before[1])


def _loss(tree: Tree, cost: int, node: int, best: int, n: int) -> Loss:
    game = tree.game
    turns = (Turn(game.guess(guess), game.mark(mark)) for guess, mark in tree.path(node))
    return Loss(
        turns=tuple(map(str, turns)),
        guess=str(game.guess(int(tree.nodes.guess[node]))),
        best=str(game.guess(best)),
        candidates=n,
        cost=cost,
    )
