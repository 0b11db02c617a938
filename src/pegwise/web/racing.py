"""One strategy plays the games of a race: what a job of kind `lane` does, in a process of its own.

A strategy that compiles itself to a tree plays from it; any other is asked guess by guess, and
what it decided is remembered for the games that begin alike.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import numpy as np

from pegwise.arena.draw import Draw, Numbered, draw_games, every_secret
from pegwise.arena.play import plays_everything
from pegwise.arrays import I32, I64, U8
from pegwise.errors import StrategyError
from pegwise.game import Code, Mark, Mastermind, Rules, mastermind
from pegwise.progress import Progress
from pegwise.strategies import Decision, Strategy, blaming, compiles, label, options_of
from pegwise.strategies import parse as parse_strategy
from pegwise.trees import Tree, build
from pegwise.trees.build import MAX_DEPTH
from pegwise.web.desk import Desk
from pegwise.web.played import Piece, Played

__all__ = ["drawn", "order_of", "race", "strategy_of"]

_FIRST: Final = 4
"""Games of the first piece: few, so that something is seen at once."""

_PIECE: Final = 0.4
"""Seconds that a piece should take."""


def drawn(rules: Rules, games: int | None, seed: int) -> Draw:
    """The secrets of a race.

    Raises:
        InputError, TooLargeError: as `arena.draw`.
    """
    game = mastermind(rules)
    return every_secret(game) if games is None else draw_games(game, games, seed)


def order_of(draw: Draw, seed: int) -> I64:
    """int64 (games), the index in the draw of each game's secret, in the order of play.

    Mixed, so that the mean so far is near the mean to come.
    """
    places = np.repeat(np.arange(len(draw)), draw.times)
    return np.random.Generator(np.random.PCG64([seed, 1])).permutation(places)


def race(desk: Desk) -> None:
    """Play all games that are not played yet, piece by piece."""
    assert desk.race is not None  # noqa: S101 (a lane has a race)
    rules = Rules.parse(desk.race.rules)
    draw = drawn(rules, desk.race.games, desk.race.seed)
    order = order_of(draw, desk.race.seed)
    strategy = parse_strategy(desk.job.name)
    start = time.perf_counter()
    tree = _tree(strategy, draw, desk)
    if tree is None:
        nodes, exact = _play(strategy, draw, order, desk), None
        seconds = desk.seconds
    else:
        seconds = time.perf_counter() - start
        nodes, exact = len(tree), [tree.mean, tree.total, tree.worst]
        if not desk.job.pieces:
            piece = _whole(tree, draw, order)
            played = Played([piece])
            desk.put(piece, len(order), int(played.depths.sum()))
    desk.finish({"nodes": nodes, "exact": exact, "seconds": seconds})


def strategy_of(name: str, seed: int) -> Strategy:
    """The strategy of this text; one that draws takes the seed, unless the text names one.

    Raises:
        InputError: as `strategies.parse`.
    """
    strategy = parse_strategy(name)
    if "random" in strategy.card.traits and seed and "seed" not in options_of(strategy):
        separator = "," if ":" in name else ":"
        strategy = parse_strategy(f"{name}{separator}seed={seed}")
    return strategy


def _tree(strategy: Strategy, draw: Draw, desk: Desk) -> Tree | None:
    """The whole tree, where the strategy makes it faster than game by game."""
    if not compiles(strategy) or not isinstance(draw, Numbered):
        return None
    if not plays_everything(strategy, draw):
        return None
    tree = build(strategy, draw.game, report=desk.look)
    depths = tree.depths()
    if not depths.all():
        lost = draw.game.secret(int(np.argmin(depths)))
        raise StrategyError(
            "{strategy} never finds {lost} of {game}",
            strategy=label(strategy),
            lost=lost,
            game=draw.game.name,
        )
    return tree


def _whole(tree: Tree, draw: Draw, order: I64) -> bytes:
    """A tree with all games of a race, as one piece."""
    game, nodes = draw.game, tree.nodes
    assert isinstance(game, Mastermind)  # noqa: S101 (races of the web are on boards)
    assert isinstance(draw, Numbered)  # noqa: S101 (by `_tree`)
    marks = np.array([game.mark(number) for number in range(game.n_marks)], np.uint8)
    winners = np.zeros(game.n_secrets, np.int32)
    winning = np.flatnonzero(nodes.wins)
    winners[game.secret_of_guess[nodes.guess[winning]]] = winning
    return Piece(
        guesses=game.guess_codes[nodes.guess].astype(np.uint8),
        parents=nodes.parent.astype(np.int32),
        marks=marks[nodes.mark],
        wins=winners[draw.numbers[order]],
    ).to_bytes()


class _Player:
    """A strategy that is asked guess by guess, and what it has decided so far.

    Args:
        strategy: what plays.
        draw: against which secrets.
        before: what it has played already.
    """

    def __init__(self, strategy: Strategy, draw: Draw, before: Played) -> None:
        self._strategy = strategy
        self._draw = draw
        self._game = draw.game
        self.guesses: list[Any] = [Code(row) for row in before.guesses.tolist()]
        self.parents: list[int] = before.parents.tolist()
        self.marks: list[Any] = [Mark(*row) for row in before.marks.tolist()]
        self._children = {
            (parent, mark): node
            for node, (parent, mark) in enumerate(zip(self.parents, self.marks, strict=True))
        }
        self._decisions: dict[int, Decision] = {}

    def play(self, which: I64, look: Callable[[], None]) -> I32:
        """Play games; the node that wins each.

        Args:
            which: int64 (games), indices in the draw of their secrets.
            look: is called from time to time; raising from it stops the work.

        Raises:
            StrategyError: the strategy breaks its contract.
        """
        wins = np.zeros(len(which), np.int32)
        open_nodes = [(self._node(-1, Mark(0)), 1, np.arange(len(which)))]
        while open_nodes:
            node, depth, games = open_nodes.pop()
            if depth > MAX_DEPTH:
                lost = self._draw.secret(int(which[games[0]]))
                raise StrategyError(
                    "{strategy} does not find {lost} of {game} within {most} guesses",
                    strategy=label(self._strategy),
                    lost=lost,
                    game=self._game.name,
                    most=MAX_DEPTH,
                )
            numbers = self._draw.marks(self.guesses[node], which[games])
            for number in np.unique(numbers).tolist():
                part = games[numbers == number]
                if number == self._game.winning:
                    wins[part] = node
                else:
                    mark = self._game.mark(number)
                    open_nodes.append((self._node(node, mark), depth + 1, part))
                    look()
        return wins

    def _node(self, parent: int, mark: Mark) -> int:
        """The node after this mark; it is made when it is first come to."""
        node = self._children.get((parent, mark))
        if node is None:
            node = len(self.guesses)
            self.parents.append(parent)
            self.marks.append(mark)
            self.guesses.append(self._decision(node).guess)
            self._children[parent, mark] = node
        return node

    def _decision(self, node: int) -> Decision:
        """What the strategy thinks at a node; worked out again after a new start."""
        if node not in self._decisions:
            parent = self.parents[node]
            self._decisions[node] = (
                self._strategy.begin(self._game)
                if parent < 0
                else self._decision(parent).after(self.marks[node])
            )
        return self._decisions[node]


def _play(strategy: Strategy, draw: Draw, order: I64, desk: Desk) -> int:
    """Play the games that are not played yet; the number of decisions in all."""
    before = Played(desk.pieces())
    player = _Player(strategy, draw, before)
    done, guesses, size = len(before), int(before.depths.sum()), _FIRST
    while done < len(order):
        step = Progress(done, len(order), "games")
        start, known = time.monotonic(), len(player.guesses)
        with blaming(strategy, draw.game):
            wins = player.play(order[done : done + size], partial(desk.look, step))
        piece = Piece(
            guesses=_rows(player.guesses[known:], draw),
            parents=np.array(player.parents[known:], np.int32),
            marks=np.array(player.marks[known:], np.uint8).reshape(-1, 2),
            wins=wins,
        )
        done += len(wins)
        guesses += _guesses(wins, player.parents)
        desk.put(piece.to_bytes(), done, guesses)
        taken = time.monotonic() - start
        size = size * 2 if taken < _PIECE / 2 else max(1, size // 2) if taken > _PIECE else size
    return len(player.guesses)


def _rows(codes: list[Any], draw: Draw) -> U8:
    game = draw.game
    assert isinstance(game, Mastermind)  # noqa: S101
    return np.array(codes, np.uint8).reshape(-1, game.rules.pegs)


def _guesses(wins: I32, parents: list[int]) -> int:
    """Guesses of these games."""
    total = 0
    for node in wins.tolist():
        while node >= 0:
            total += 1
            node = parents[node]
    return total
