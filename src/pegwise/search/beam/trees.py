"""A tree at once, by looking one step ahead: what a search for a better one begins with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from pegwise.arrays import I64
from pegwise.game import Game
from pegwise.game.game import all_secrets
from pegwise.kernels.exact.board import Board
from pegwise.kernels.exact.bounds import INFINITE
from pegwise.kernels.exact.search import begin
from pegwise.search.beam.explorer import Explorer, key_of
from pegwise.search.exact.driver import Solver, rename, rename_back
from pegwise.search.exact.model import Translation
from pegwise.strategies import Nodes
from pegwise.strategies.one_step import Entropy
from pegwise.trees import Tree
from pegwise.trees.build import build, play_on


def first_tree(game: Game, *, guesses: str, first: int | None, threads: int) -> Tree:
    """The tree of the strategy `entropy`, after any first guess.

    Args:
        game: what is played.
        guesses: `all`, or `candidates` to play candidates only.
        first: the first guess, by number; None for that of the strategy.
        threads: the tree is the same for any number.
    """
    strategy = Entropy(guesses=guesses)
    if first is None:
        return build(strategy, game, threads=threads)
    secrets = all_secrets(game)
    given = game.marks(first, secrets)
    pieces: list[tuple[int, Nodes]] = []
    for mark in np.unique(given).tolist():
        if mark != game.winning:
            decision = strategy.begin(game).instead(game.guess(first), game.mark(mark))
            pieces.append((mark, play_on(decision, game, decision.candidates, strategy.card.id)))
    wins = bool((given == game.winning).any())
    root = Nodes.of([first], [-1], [0], [wins], game.n_marks)
    nodes = Nodes.join([(-1, 0, root), *((0, mark, nodes) for mark, nodes in pieces)])
    return Tree(game, nodes, strategy.card.id, strategy.options)


# Sets of candidates as a search for good trees names them, and the way back to the game's names.
#
# The canonical form of a set may depend on how its codes were named before. So whoever looks up
# what the search has found for a position goes the way of the search: from canonical form to
# canonical form.

TINY: Final = 12
"""Sets of so many codes, or fewer, are solved in no time under any names."""


@dataclass(frozen=True, slots=True, eq=False)
class Named:
    """A set under names of its own.

    Attributes:
        codes: int64 (n), ascending.
        weights: int64 (n), or one element when there are none.
        key: what the position is found by, guesses left included; -1 when nobody looks for it.
        source: int64 (pegs), the peg of the game that moved to each place.
        name: int64 (colors + 1), new name of every color of the game; the hole keeps its own.
    """

    codes: I64
    weights: I64
    key: int
    source: I64
    name: I64

    def into(self, guess: int, board: Board) -> int:
        """The number of a guess of the game under these names."""
        return rename(board, guess, self.source, self.name) if board.symmetric else guess

    def back(self, guess: int, board: Board) -> int:
        """The number in the game of a guess under these names."""
        return rename_back(board, guess, self.source, self.name) if board.symmetric else guess


def as_named(codes: I64, weights: I64, key: int, board: Board) -> Named:
    """A set whose present names count as those of the game.

    Args:
        codes: int64 (n), ascending.
        weights: int64 (n), or one element when there are none.
        key: what the position is found by.
        board: the game.
    """
    pegs = board.symmetry.guesses.shape[1] if board.symmetric else 0
    return Named(codes, weights, key, np.arange(pegs), np.arange(board.symmetry.colors + 1))


def parts_of(
    explorer: Explorer, whole: Named, guess: int, left: int, *, larger_than: int = 0
) -> Iterator[tuple[int, Named]]:
    """The parts that a guess leaves, by mark, but for the winning one.

    Args:
        explorer: of this thread.
        whole: the candidates.
        guess: what is played, under their names.
        left: guesses allowed after it.
        larger_than: smaller parts are left out, and those of this size.
    """
    board, work = explorer.kernels.board, explorer.work
    row = board.by_guess[guess][whole.codes]
    for mark in np.unique(row).tolist():
        own = np.flatnonzero(row == mark)
        if mark == board.winning or len(own) <= larger_than:
            continue
        codes = whole.codes[own]
        weights = whole.weights[own] if board.weighted else whole.weights
        if len(codes) <= TINY:
            yield mark, Named(codes, weights, -1, whole.source, whole.name)
            continue
        begin(board, work, codes, weights, INFINITE, left)
        frame = work.frames[0]
        key = key_of(frame["key1"], frame["key2"])
        renamed = work.codes[0, : len(codes)]
        order = np.argsort(renamed)
        codes = renamed[order]
        if board.weighted:
            weights = work.weights[0, order]
        source, name = whole.source, whole.name
        if board.symmetric:
            source, name = source[work.renaming.source], work.renaming.name[name]
        yield mark, Named(codes, weights, key, source, name)


# What a search for good trees learns from a tree, and how it makes the next one.

LARGE: Final = 60
"""Positions with more candidates are kept in books."""

_UNIT: Final = 1 << 10
_DENSE: Final = 32
_PER_OCTAVE: Final = 4


def rates(tree: Tree) -> I64:
    """int64 (n + 1): guesses that a candidate of a set of 0, 1, ... takes, times 1024.

    The average over the nodes of a tree, smoothed, and never less for more candidates.
    """
    n = tree.game.n_secrets
    sizes = tree.node_sizes
    costs = _sums(tree, sizes)
    # one group for each small size, and four for every doubling above
    group = np.where(
        sizes < _DENSE,
        sizes,
        _DENSE + (_PER_OCTAVE * np.log2(np.maximum(sizes, _DENSE) / _DENSE)).astype(np.int64),
    )
    count = np.bincount(group, sizes)
    there = np.flatnonzero(count)
    where = np.bincount(group, sizes * np.log(sizes))[there] / count[there]
    mean = np.bincount(group, costs)[there] / count[there]
    smooth = np.maximum.accumulate(mean)
    everywhere = np.interp(np.log(np.arange(1, n + 1)), where, smooth)
    known = np.array([0.0, 1.0, 1.5])[: n + 1]
    rate = np.concatenate([[0.0], everywhere])
    rate[: len(known)] = known
    return np.round(np.maximum.accumulate(rate) * _UNIT).astype(np.int64)


def _sums(tree: Tree, values: I64) -> I64:
    """int64 (nodes): the sum of the values of each node and all that come after it."""
    sums = values.copy()
    parent = tree.nodes.parent
    starts = np.flatnonzero(np.diff(tree.node_depths, prepend=0))
    bounds = [*starts.tolist(), len(parent)]
    for level in range(len(starts) - 1, 0, -1):
        nodes = slice(bounds[level], bounds[level + 1])
        np.add.at(sums, parent[nodes], sums[nodes])
    return sums


@dataclass(slots=True)
class Book:
    """The large positions of a tree, but for the first one.

    Attributes:
        guesses: their guesses, by key; both are of the canonical form.
        keys: key of each, parents first.
        costs: cost of each.
        parents: place of the position before, -1 for the first one of the game.
        total: cost of the whole tree.
    """

    guesses: dict[int, int] = field(default_factory=dict)
    keys: list[int] = field(default_factory=list)
    costs: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    total: int = 0

    def improved(self, memo: Mapping[int, tuple[int, int]]) -> int:
        """What the tree costs when the positions that are known better are played better."""
        saved = [0] * (len(self.keys) + 1)
        for at in range(len(self.keys) - 1, -1, -1):
            here = saved[at]
            found = memo.get(self.keys[at])
            if found is not None:
                here = max(here, self.costs[at] - found[0])
            saved[self.parents[at]] += here
        return self.total - saved[-1]


def make_book(tree: Tree, explorer: Explorer, translation: Translation, left: int) -> Book:
    """The book of a tree.

    Args:
        tree: any tree of the game.
        explorer: of this thread.
        translation: numbers of the game and of the search.
        left: guesses allowed.
    """
    weights = translation.weights
    secrets = tree.game.secret_of_guess[tree.nodes.guess]
    own = np.where(tree.nodes.wins, weights[translation.secret_at[secrets]], 0)
    all_costs = _sums(tree, _sums(tree, own))
    book = Book(total=tree.total)
    least: dict[int, int] = {}
    places: dict[int, int] = {0: -1}
    for node, named, guess in _large_nodes(tree, explorer, translation, left):
        if node == 0:
            continue
        cost = int(all_costs[node])
        if named.key not in least or cost < least[named.key]:
            least[named.key] = cost
            book.guesses[named.key] = guess
        book.keys.append(named.key)
        book.costs.append(cost)
        book.parents.append(places[int(tree.nodes.parent[node])])
        places[node] = len(book.keys) - 1
    return book


def _large_nodes(
    tree: Tree, explorer: Explorer, translation: Translation, left: int
) -> Iterator[tuple[int, Named, int]]:
    """The large nodes of a tree, parents first: node, candidates, and guess as they name it."""
    board = explorer.kernels.board
    sizes = tree.node_sizes
    level = [(0, _root(board, translation))]
    while level:
        left -= 1
        following: list[tuple[int, Named]] = []
        for node, named in level:
            guess = named.into(int(translation.guess_at[tree.nodes.guess[node]]), board)
            yield node, named, guess
            large = {
                int(tree.nodes.mark[child]): child
                for child in tree.children(node)
                if sizes[child] > LARGE
            }
            following += [
                (large[mark], part)
                for mark, part in parts_of(explorer, named, guess, left, larger_than=LARGE)
            ]
        level = following


def _root(board: Board, translation: Translation) -> Named:
    weights = translation.weights if board.weighted else np.ones(1, np.int64)
    return as_named(np.arange(len(translation.secrets)), weights, -1, board)


def assemble(
    before: Tree | None,
    memo: Mapping[int, tuple[int, int]],
    first: int,
    explorer: Explorer,
    translation: Translation,
    left: int,
) -> Nodes:
    """The nodes of a tree that plays every position as well as is known.

    Args:
        before: a tree to follow where nothing better is known; None if `first` is given.
        memo: cost and guess of positions by key.
        first: the first guess, by number of the search, after which no tree is followed; -1 to
            begin with that of the tree.
        explorer: of this thread.
        translation: numbers of the game and of the search.
        left: guesses allowed.
    """
    kernels = explorer.kernels
    board = kernels.board
    solver = Solver(board, kernels.bounds, kernels.table)
    guesses: list[int] = []
    parents: list[int] = []
    marks: list[int] = []
    wins: list[bool] = []
    level = [(-1, 0, _root(board, translation), -1 if first >= 0 else 0)]
    while level:
        following: list[tuple[int, int, Named, int]] = []
        for parent, mark, named, follow in level:
            node = len(guesses)
            guess = first if node == 0 else memo.get(named.key, (0, -1))[1]
            if guess >= 0:
                follow = -1
            elif follow >= 0 and before is not None:
                guess = int(translation.guess_at[before.nodes.guess[follow]])
                guess = named.into(guess, board)
            else:
                guess = solver.best_guess(named.codes, named.weights, left)
            guesses.append(int(translation.guesses[named.back(guess, board)]))
            parents.append(parent)
            marks.append(mark)
            wins.append(bool((board.by_guess[guess, named.codes] == board.winning).any()))
            for answer, part in parts_of(explorer, named, guess, left - 1):
                child = None
                if follow >= 0 and before is not None:
                    child = before.child(follow, answer)
                following.append((node, answer, part, -1 if child is None else child))
        level = following
        left -= 1
    return Nodes.of(guesses, parents, marks, wins, board.n_marks)
