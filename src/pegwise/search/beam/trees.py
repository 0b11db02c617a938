"""Statistics that a beam search takes from a tree, and the next tree that it makes.

The canonical form of a set may depend on how its codes were named before. So whoever looks up
what the search has found for a position goes the way of the search: from canonical form to
canonical form.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from pegwise.arrays import I64, U64
from pegwise.game import Game
from pegwise.kernels.exact.board import Board
from pegwise.kernels.exact.table import new_table, probe, store
from pegwise.search.beam.worker import BeamPosition, BeamWorker, Memo, key_of
from pegwise.search.exact.driver import Expansion, SetSearch, rename, rename_back, tree_nodes
from pegwise.search.storage import entries
from pegwise.strategies import Nodes
from pegwise.trees import Tree

TINY: Final = 12  # codes: a set of this size, or smaller, is solved in no time under any names
LARGE: Final = 60  # an incumbent lists positions with more candidates

_UNIT: Final = 1 << 10  # rates are whole numbers of this part of a guess
_DENSE: Final = 32  # smaller sizes of parts have a group each
_PER_OCTAVE: Final = 4  # groups for every doubling of the larger sizes


@dataclass(frozen=True, slots=True, eq=False)
class RenamedSet:
    """A position under names of its own.

    `source`, int64 (pegs), is the peg of the game that moved to each place; `name`, int64
    (colors + 1), the new name of each color. Positions of at most `TINY` codes have no key, and
    keep the names of the set before.
    """

    position: BeamPosition
    source: I64
    name: I64

    @classmethod
    def unchanged(cls, position: BeamPosition, board: Board) -> RenamedSet:
        """A position whose present names count as those of the game."""
        pegs = board.symmetry.guesses.shape[1] if board.symmetric else 0
        return cls(position, np.arange(pegs), np.arange(board.symmetry.colors + 1))

    def parts(
        self, worker: BeamWorker, guess: int, budget: int, *, larger_than: int, start: bool = False
    ) -> Iterator[tuple[int, RenamedSet]]:
        """The parts of more than `larger_than` codes that a guess leaves, by mark but the winning.

        The guess has its number under these names; the budget is that of the parts. Those of a
        first guess know the classes of guesses from the `start` on.
        """
        board, sets, codes = worker.board, worker.sets, self.position.codes
        first = worker.after_first(self.position, guess, budget) if start else {}
        row = board.by_guess[guess][codes]
        for mark in np.unique(row).tolist():
            own = np.flatnonzero(row == mark)
            if mark == board.winning or len(own) <= larger_than:
                continue
            weights = self.position.weights[own] if board.weighted else self.position.weights
            part = BeamPosition(codes[own], weights)
            if len(own) <= TINY:
                yield mark, replace(self, position=part)
                continue
            sets.begin(part.codes, part.weights, budget)
            renamed = sets.work.codes[0, : len(own)]
            order = np.argsort(renamed)
            if board.weighted:
                weights = sets.work.weights[0, order]
            key = key_of(sets.frame["key1"], sets.frame["key2"])
            part = BeamPosition(renamed[order], weights, key, int(sets.frame["present"]))
            source, name = self.source, self.name
            if board.symmetric:
                renaming = sets.work.renaming
                source, name = source[renaming.source], renaming.name[name]
            yield mark, RenamedSet(first.get(mark, part), source, name)


def rates(tree: Tree) -> I64:
    """int64 (n + 1): guesses that a candidate of a set of 0, 1, ... takes, times 1024.

    The average over the nodes of a tree, smoothed, and never less for more candidates.
    """
    n = tree.game.n_secrets
    sizes = tree.node_sizes
    costs = tree.sums(sizes)
    # one group for each small size, and four for every doubling above
    group = np.where(
        sizes < _DENSE,
        sizes,
        _DENSE + (_PER_OCTAVE * np.log2(np.maximum(sizes, _DENSE) / _DENSE)).astype(np.int64),
    )
    count = np.bincount(group, sizes)
    filled = np.flatnonzero(count)
    where = np.bincount(group, sizes * np.log(sizes))[filled] / count[filled]
    mean = np.bincount(group, costs)[filled] / count[filled]
    smooth = np.maximum.accumulate(mean)
    rate = np.concatenate([[0.0], np.interp(np.log(np.arange(1, n + 1)), where, smooth)])
    smallest = np.array([0.0, 1.0, 1.5])[: n + 1]
    rate[: len(smallest)] = smallest
    return np.round(np.maximum.accumulate(rate) * _UNIT).astype(np.int64)


@dataclass(slots=True)
class IncumbentPlays:
    """The large positions of a tree but the first: cost and place of the one before, for each.

    Parents come first. `budgets` are the guesses that are allowed from each position on; `guesses`
    are the guesses, by key of the set; `total` is the cost of the whole tree.
    """

    guesses: dict[int, int] = field(default_factory=dict)
    positions: list[BeamPosition] = field(default_factory=list)
    budgets: list[int] = field(default_factory=list)
    costs: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    total: int = 0

    def improved(self, memo: Memo) -> int:
        """The total when positions are played as in the memo where that costs less."""
        saved = [0] * (len(self.positions) + 1)
        for at in range(len(self.positions) - 1, -1, -1):
            cost, _ = memo.get(self.positions[at].memo_key, (self.costs[at], -1))
            saved[self.parents[at]] += max(saved[at], self.costs[at] - cost)
        return self.total - saved[-1]


def incumbent_plays(tree: Tree, worker: BeamWorker, budget: int) -> IncumbentPlays:
    """The plays of any tree of the game, where `budget` guesses are allowed."""
    model = worker.model
    secrets = tree.game.secret_of_guess[tree.nodes.guess]
    own = np.where(tree.nodes.wins, model.weights[model.secret_at[secrets]], 0)
    all_costs = tree.sums(tree.sums(own))
    plays = IncumbentPlays(total=tree.total)
    least: dict[int, int] = {}
    # of one depth: node, place of the one before, its set
    level = [(0, -1, RenamedSet.unchanged(worker.root(budget), model.board))]
    while level:
        budget -= 1
        below: list[tuple[int, int, RenamedSet]] = []
        for node, place, renamed in level:
            number = int(model.guess_at[tree.nodes.guess[node]])
            guess = rename(model.board, number, renamed.source, renamed.name)
            if node:
                cost, key = int(all_costs[node]), renamed.position.key
                if key not in least or cost < least[key]:
                    least[key] = cost
                    plays.guesses[key] = guess
                plays.positions.append(renamed.position)
                plays.budgets.append(budget + 1)
                plays.costs.append(cost)
                plays.parents.append(place)
                place = len(plays.positions) - 1
            children = {int(tree.nodes.mark[child]): child for child in tree.children(node)}
            parts = renamed.parts(worker, guess, budget, larger_than=LARGE, start=not node)
            below += [(children[mark], place, part) for mark, part in parts]
        level = below
    return plays


def assemble(
    game: Game, before: Tree | None, memo: Memo, first: int, worker: BeamWorker, limit: int
) -> Nodes:
    """The nodes of a tree that plays every position as well as is known.

    Where nothing better is in the memo, play follows the tree before. A first guess of -1 is that
    of this tree; after any other no tree is followed.
    """
    model = worker.model
    board = model.board
    sets = SetSearch(model, worker.table)

    def play(position: tuple[RenamedSet, int, int]) -> Expansion[tuple[RenamedSet, int, int]]:
        renamed, budget, node = position
        codes, start = renamed.position.codes, budget == limit
        guess = first if start else memo.get(renamed.position.memo_key, (0, -1))[1]
        if guess >= 0:
            node = -1
        elif before is not None and node >= 0:
            number = int(model.guess_at[before.nodes.guess[node]])
            guess = rename(board, number, renamed.source, renamed.name)
        else:
            guess = sets.best_guess(codes, renamed.position.weights, budget)
        after: list[tuple[int, tuple[RenamedSet, int, int]]] = []
        start &= bool(memo)
        for mark, part in renamed.parts(worker, guess, budget - 1, larger_than=0, start=start):
            child = before.child(node, mark) if before is not None and node >= 0 else None
            after.append((mark, (part, budget - 1, -1 if child is None else child)))
        wins = bool((board.by_guess[guess, codes] == board.winning).any())
        number = rename_back(board, guess, renamed.source, renamed.name)
        return int(model.guesses[number]), wins, after

    root = RenamedSet.unchanged(worker.root(limit), board)
    return tree_nodes((root, limit, 0), play, game)


def facts_to_play(
    worker: BeamWorker,
    number: int,
    position: BeamPosition,
    budget: int,
    guess: int,
    without: Collection[int],
) -> tuple[Memo, U64]:
    """Facts that let another process play on from a position that a level has searched.

    Played first is `guess`, or the best (-1); parts with the keys `without` are left out. Returns
    cost and guess of large positions by key, and entries of the table for those solved exactly.
    """
    sets = SetSearch(worker.model, worker.table)
    memo = worker.levels[number].memo
    large: Memo = {}
    exact: list[tuple[np.uint64, np.uint64, int, int, int]] = []
    board = worker.board
    waiting = [(RenamedSet.unchanged(position, board), budget, guess)]
    while waiting:
        renamed, budget, guess = waiting.pop()
        codes, key = renamed.position.codes, renamed.position.memo_key
        if guess < 0 and key in memo:
            large[key] = memo[key]
            guess = memo[key][1]
        elif guess < 0:
            guess = sets.best_guess(codes, renamed.position.weights, budget)
            key1, key2 = sets.frame["key1"], sets.frame["key2"]
            cost, proven, best = probe(worker.table.rows, key1, key2)
            if proven:
                exact.append((key1, key2, cost, best, len(codes)))
        if guess >= 0:
            parts = renamed.parts(worker, guess, budget - 1, larger_than=TINY)
            below = (part for _, part in parts if part.position.key not in without)
            waiting += [(part, budget - 1, -1) for part in below]
    table = new_table(max(4, (4 * len(exact)).bit_length()))
    for key1, key2, cost, best, size in exact:
        store(table, key1, key2, cost, True, best, size)
    return large, entries(table)[1]
