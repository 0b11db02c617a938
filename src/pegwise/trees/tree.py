"""A tree: a strategy played out against every secret of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, cast

import numpy as np

from pegwise import hooks
from pegwise.arrays import I32, I64
from pegwise.errors import (
    ContradictionError,
    InputError,
    MissingExtraError,
    Phrase,
    StrategyError,
    quoted,
)
from pegwise.game import Game
from pegwise.hooks import Drawable
from pegwise.strategies import Card, Decision, Explanation, Nodes, Option, Strategy
from pegwise.strategies.candidates import NO_OTHER, WON, agreeing_words
from pegwise.strategies.explanation import Write


class Tree(Strategy, Drawable):
    """A tree: the guess of a strategy in every situation that can occur.

    Nodes are numbered breadth first: the root is 0, the children of a node follow those of the
    node before, by number of their mark. A tree is itself a strategy, for its own game.

    Args:
        game: what is played.
        nodes: guesses, parents, marks and wins (see `Nodes`).
        strategy: id of the strategy that made it, or a word on where it comes from.
        options: options of that strategy that differ from their defaults.

    Attributes:
        notes: remarks on the tree, such as that the strategy plays another game when it is
    asked again, and how numbers of colors were read.

    Examples:
        >>> tree = pegwise.build("4x6", "knuth")
        >>> tree.total, tree.worst, tree.histogram
        (5801, 5, (1, 6, 62, 533, 694))
    """

    def __init__(
        self, game: Game, nodes: Nodes, strategy: str, options: Mapping[str, Option] | None = None
    ) -> None:
        self.game = game
        self.nodes = nodes
        self.strategy = strategy
        self.options: Mapping[str, Option] = dict(options or {})
        self.notes: tuple[Phrase, ...] = ()

    def __repr__(self) -> str:
        notes = "".join(f", {note}" for note in self.notes)
        return f"Tree({self.game.name!r}, {self.strategy!r}, {len(self)} nodes{notes})"

    def __eq__(self, other: object) -> bool:
        """Whether two trees of a game play the same guesses; who made them does not matter."""
        if not isinstance(other, Tree):
            return NotImplemented
        return self.game == other.game and all(map(np.array_equal, self.nodes, other.nodes))

    def __hash__(self) -> int:
        return hash((self.game.name, len(self)))

    def document(self) -> dict[str, Any]:
        """What the tree is and needs, as JSON; `rows` has its nodes."""
        return {
            "rules": self.game.name,
            "strategy": self.strategy,
            "options": dict(self.options),
            "secrets": self.game.n_secrets,
            "total": self.total,
            "mean": self.mean,
            "worst": self.worst,
            "histogram": self.histogram,
            "histogram_by_guesses": {str(k): n for k, n in enumerate(self.histogram, 1)},
            "nodes": len(self),
        }

    def rows(self) -> list[dict[str, Any]]:
        """A row for each node, breadth first, as `pandas.DataFrame(tree.rows())` takes them.

        A node has its `guess`, whether it may be the secret (`wins`), how many codes are left
        before it (`codes`), the number of its parent in the list, and the mark that leads to it;
        both are None for the first.
        """
        game = self.game
        nodes = zip(*(array.tolist() for array in self.nodes), self.node_sizes, strict=True)
        return [
            {
                "guess": str(game.guess(guess)),
                "wins": wins,
                "codes": int(size),
                "parent": None if parent < 0 else parent,
                "mark": None if parent < 0 else str(game.mark(mark)),
            }
            for guess, parent, mark, wins, size in nodes
        ]

    def to_networkx(self) -> Any:
        """A `networkx.DiGraph` of the nodes by number, with the figures of `rows`.

        Its edges have the mark.

        Raises:
            MissingExtraError: networkx is not installed.
        """
        try:
            import networkx
        except ImportError as error:
            raise MissingExtraError.of_package(Phrase("a graph"), "networkx") from error
        graph = networkx.DiGraph(rules=self.game.name, strategy=self.strategy)
        for number, row in enumerate(self.rows()):
            parent, mark = row.pop("parent"), row.pop("mark")
            graph.add_node(number, **row)
            if parent is not None:
                graph.add_edge(parent, number, mark=mark)
        return graph

    def __len__(self) -> int:
        return len(self.nodes.guess)

    @property
    def card(self) -> Card:
        """A card for the tree as a strategy."""
        return Card(
            id=self.strategy,
            name=f"stored tree of {self.strategy}",
            about=f"Plays {self.game.name} from a tree of {len(self)} nodes.",
        )

    @cached_property
    def _levels(self) -> list[slice]:
        """The nodes of each depth, from the root down."""
        levels = [slice(0, 1)]
        while (stop := levels[-1].stop) < len(self):
            levels.append(slice(stop, int(np.searchsorted(self.nodes.parent, stop))))
        return levels

    @cached_property
    def node_depths(self) -> I32:
        """int32 (nodes): number of guesses played once this node's guess is played."""
        depths = np.ones(len(self), np.int32)
        for depth, level in enumerate(self._levels, 1):
            depths[level] = depth
        return depths

    @cached_property
    def node_sizes(self) -> I64:
        """int64 (nodes): number of candidates when each node's guess is played."""
        return self.sums(self.nodes.wins.astype(np.int64))

    @cached_property
    def node_totals(self) -> I64:
        """int64 (nodes): guesses from each node on, its own included, over its candidates."""
        depths = self.sums(np.where(self.nodes.wins, self.node_depths, 0).astype(np.int64))
        return depths - self.node_sizes * (self.node_depths - 1)

    def sums(self, values: I64) -> I64:
        """int64 (nodes): the sum of the values of each node and of all nodes below it."""
        sums = values.copy()
        for level in self._levels[:0:-1]:
            np.add.at(sums, self.nodes.parent[level], sums[level])
        return sums

    @cached_property
    def depths(self) -> I32:
        """int32 (n_secrets): number of guesses to find each secret, in the game's order.

        0 for a secret that the tree never wins (a damaged tree: see `verify`).
        """
        depths = np.zeros(self.game.n_secrets, np.int32)
        wins = self.nodes.wins
        depths[self.game.secret_of_guess[self.nodes.guess[wins]]] = self.node_depths[wins]
        depths.flags.writeable = False
        return depths

    @property
    def total(self) -> int:
        """Guesses over all secrets, weighted where the game is."""
        depths = self.depths.astype(np.int64)
        weights = self.game.weights
        return int(depths.sum() if weights is None else depths @ weights)

    @property
    def mean(self) -> float:
        """Guesses per secret, weighted where the game is."""
        weights = self.game.weights
        return self.total / (self.game.n_secrets if weights is None else int(weights.sum()))

    @property
    def worst(self) -> int:
        """Guesses for the deepest secret."""
        return int(self.depths.max())

    @property
    def histogram(self) -> tuple[int, ...]:
        """Number of secrets found with 1, 2, ... guesses."""
        return tuple(np.bincount(self.depths)[1:].tolist())

    def games(self) -> I32:
        """int32 (n_secrets, worst): the node of each turn of every secret's game, -1 after it."""
        nodes, depths = self.nodes, self.depths
        if not depths.all():
            raise InputError(
                "this tree does not find the secret {lost}, so its games have no end",
                lost=self.game.secret(int(np.argmin(depths))),
            )
        wins = np.flatnonzero(nodes.wins)
        node = np.zeros(len(depths), np.int32)
        node[self.game.secret_of_guess[nodes.guess[wins]]] = wins
        games = np.full((len(depths), int(depths.max())), -1, np.int32)
        # every game is walked backwards from its winning node
        for turn in range(games.shape[1], 0, -1):
            reached = depths >= turn
            games[reached, turn - 1] = node[reached]
            node[reached] = nodes.parent[node[reached]]
        return games

    def children(self, node: int) -> range:
        """The nodes that follow a node, by number of their mark."""
        first, last = np.searchsorted(self.nodes.parent, [node, node + 1])
        return range(max(int(first), 1), int(last))

    def child(self, node: int, mark: int) -> int | None:
        """The node after this mark, None where the tree has none."""
        marks = self.nodes.mark
        return next((child for child in self.children(node) if marks[child] == mark), None)

    def path(self, node: int) -> list[tuple[int, int]]:
        """Numbers of guess and mark of every turn that leads to a node."""
        turns: list[tuple[int, int]] = []
        while (parent := int(self.nodes.parent[node])) >= 0:
            turns.append((int(self.nodes.guess[parent]), int(self.nodes.mark[node])))
            node = parent
        return turns[::-1]

    def begin(self, game: Game) -> TreeDecision:
        """Play the tree; StrategyError for another game than the tree's."""
        if game.name != self.game.name or game.n_secrets != self.game.n_secrets:
            raise StrategyError(
                "this tree plays {game}, not {asked}", game=self.game.name, asked=game.name
            )
        return TreeDecision(self, 0)


def check_tree(tree: object) -> None:
    """Raise InputError for anything that is not a tree."""
    if not isinstance(tree, Tree):
        raise InputError(
            "{value} is not a tree: read one with load_tree, or build one", value=quoted(tree)
        )


def tree_of(tree: Tree | Path | str) -> Tree:
    """A tree, or the tree in a file. InputError: neither; other errors as `load_tree`."""
    if isinstance(tree, Path | str):
        assert hooks.stored_tree is not None  # noqa: S101 (the package root fills it in)
        return cast(Tree, hooks.stored_tree()(Path(tree)))
    check_tree(tree)
    return tree


@dataclass(frozen=True, slots=True, eq=False)
class TreeDecision(Decision):
    """A node of a tree, as a decision.

    Attributes:
        tree: the tree.
        node: the node.
        claim: what is true of the guess of every node.
    """

    tree: Tree
    node: int
    claim: Phrase = Phrase("A stored tree plays this guess.")  # noqa: RUF009 - it never changes

    @property
    def guess(self) -> Any:
        """The guess of the tree at its node."""
        return self.tree.game.guess(int(self.tree.nodes.guess[self.node]))

    def after(self, mark: Any) -> TreeDecision:
        """The node after this mark; ContradictionError where the tree has no such branch."""
        child = self.tree.child(self.node, self.tree.game.mark_number(mark))
        if child is None:
            raise ContradictionError(
                "the tree of {game} has no guess after mark {mark} of {guess}: no secret gives it "
                "after the marks before, or the tree is not whole",
                game=self.tree.game.name,
                mark=mark,
                guess=self.guess,
            )
        return replace(self, node=child)

    def explain(self, mark: Any = None, *, write: Write = str) -> Explanation:
        tree, n = self.tree, int(self.tree.node_sizes[self.node])
        total = int(tree.node_totals[self.node])
        figures = {"candidates": n, "total": total, "mean": total / n}
        cost = Phrase(
            "The tree needs {total:,} guesses for the {candidates:,} codes that agree, {mean:.3f} "
            "on average.",
            **figures,
        )
        reason = (self.claim, cost) if n > 1 else (NO_OTHER,)
        explained = Explanation(attempt=self.guess, reason=reason, figures=figures)
        if mark is None:
            return explained
        number = tree.game.mark_number(mark)
        if number == tree.game.winning and tree.nodes.wins[self.node]:
            return replace(explained, result=mark, deduction=(WON,), agreeing=1)
        following = self.after(mark)
        agreeing = int(tree.node_sizes[following.node])
        deduction = agreeing_words(agreeing, n, write(following.guess))
        return replace(explained, result=mark, deduction=(deduction,), agreeing=agreeing)


@dataclass(slots=True)
class NodeList:
    """Nodes that are added one by one, each after its parent."""

    guess: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    mark: list[int] = field(default_factory=list)
    wins: list[bool] = field(default_factory=list)

    def add(self, parent: int, mark: int, guess: int, *, wins: bool = False) -> int:
        """A node after a mark; its number."""
        self.guess.append(guess)
        self.parent.append(parent)
        self.mark.append(mark)
        self.wins.append(wins)
        return len(self.guess) - 1

    def nodes(self, game: Game) -> Nodes:
        """The nodes in the order of a tree."""
        nodes = Nodes.of(self.guess, self.parent, self.mark, self.wins, game.n_marks)
        return nodes.breadth_first()


@dataclass(frozen=True, slots=True)
class Reading:
    """A tree that was read, and what its reader noticed, a sentence each."""

    tree: Tree
    notation: str  # `pegwise`, `json`, `nested`, `viaud`, `irving`, `knuth` (of 1976) or `table`
    mended: tuple[str, ...] = ()  # slips
    problems: tuple[str, ...] = ()  # what the text says of its tree and is not so
