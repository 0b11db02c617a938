"""Check a tree by playing it against every secret, by the plain definition of marking alone.

The check is independent of what it checks: marks come from `game.mark_pairs`, which is the
textbook definition, and no kernel is used. Secrets are played side by side, turn by turn, in
blocks that threads share.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from pegwise.arrays import I32, I64, Bools
from pegwise.errors import Phrase, SignRow, check_whole
from pegwise.game.game import all_secrets
from pegwise.game.hard import missed
from pegwise.game.turns import Turn
from pegwise.hooks import Drawable
from pegwise.progress import Progress, Report, silent
from pegwise.trees.tree import Tree, tree_of

MAX_PROBLEMS: Final = 10  # no more problems than this are described
BLOCK: Final = 1 << 16  # secrets: enough for NumPy, few enough for the processor's cache


@dataclass(frozen=True, slots=True)
class Verification(Drawable):
    """The results of a tree that was played against every secret.

    Attributes:
        valid: every secret is found, every node is played, and each does what the tree says.
        secrets: number of secrets found.
        total: guesses over the secrets found, weighted where the game is.
        worst: guesses for the deepest secret found.
        histogram: number of secrets found with 1, 2, ... guesses.
        problems: what is wrong, a sentence each, at most `MAX_PROBLEMS`.
        count: how many problems there are in all.
        notes: those of the tree, such as that guesses are not repeated.

    Examples:
        >>> checked = pegwise.verify(pegwise.build("3x3", "first"))
        >>> checked.valid, checked.total
        (True, 89)
    """

    valid: bool
    secrets: int
    total: int
    worst: int
    histogram: tuple[int, ...]
    problems: tuple[str, ...]
    count: int
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Problems:
    """All problems are counted, the first are described."""

    sentences: list[str] = field(default_factory=list)
    count: int = 0

    def add(self, *sentences: str) -> None:
        self.count += len(sentences)
        self.sentences += sentences[: MAX_PROBLEMS - len(self.sentences)]

    def add_nodes(self, tree: Tree, wrong: Bools, what: Phrase) -> None:
        nodes = np.flatnonzero(wrong)
        for node in nodes[:MAX_PROBLEMS].tolist():
            self.add(Phrase("{node}: {what}", node=_at(tree, node), what=what))
        self.count += max(len(nodes) - MAX_PROBLEMS, 0)


def verify(tree: Tree | Path | str, *, threads: int = 1, report: Report = silent) -> Verification:
    """Play a tree against every secret of its game.

    Problems are secrets that the tree does not find, nodes that no secret reaches, wins that are
    claimed and do not happen (so also totals and histogram, which the tree counts from its
    claims) or happen and are not claimed, and nodes that are malformed or out of order.

    Args:
        tree: of any game, or the file of one.
        threads: how many play side by side; the result is the same for any number.
        report: receives the secrets played so far.

    Raises:
        InputError: no tree, or less than one thread. TreeFileError: as `load_tree`.

    Examples:
        >>> pegwise.verify(pegwise.build("3x3", "first")).valid
        True
    """
    tree = tree_of(tree)
    check_whole("threads", threads, 1)
    if unplayable := _unplayable(tree):
        return Verification(False, 0, 0, 0, (), (unplayable,), 1)
    problems = _Problems()
    problems.add(*_disorder(tree))
    depths, reached, won = _play(tree, problems, threads, report)
    claimed = tree.nodes.wins
    for wrong, what in (
        (~reached, Phrase("no secret comes here")),
        (reached & claimed & ~won, Phrase("marked as winning, but it cannot be the secret here")),
        (reached & won & ~claimed, Phrase("not marked as winning, but it may be the secret here")),
    ):
        problems.add_nodes(tree, wrong, what)
    problems.add(*_not_hard(tree))
    counts = np.bincount(depths)[1:].tolist()
    weights = tree.game.weights
    guesses = depths.astype(np.int64)
    return Verification(
        valid=problems.count == 0,
        secrets=sum(counts),
        total=int(guesses.sum() if weights is None else guesses @ weights),
        worst=len(counts),
        histogram=tuple(counts),
        problems=tuple(problems.sentences),
        count=problems.count,
        notes=tree.notes,
    )


def structure(tree: Tree) -> list[str]:
    """Problems of the nodes of a tree, malformed or out of order, a sentence each; without play."""
    unplayable = _unplayable(tree)
    return [unplayable] if unplayable else list(_disorder(tree))


def _unplayable(tree: Tree) -> str | None:
    """Why a tree cannot even be played, or None."""
    game, nodes = tree.game, tree.nodes
    if len({len(array) for array in nodes}) > 1:
        sizes = ", ".join(str(len(array)) for array in nodes)
        return Phrase("guesses, parents, marks and wins must be as many, not {sizes}", sizes=sizes)
    if not len(tree):
        return Phrase("the tree has no nodes")
    guess, parent, mark = (np.asarray(array).astype(np.int64) for array in nodes[:3])
    for what, values, count in (
        (Phrase("guess"), guess, game.n_guesses),
        (Phrase("mark"), mark, game.n_marks),
    ):
        wrong = np.flatnonzero((values < 0) | (values >= count))
        if len(wrong):
            return Phrase(
                "node {node} has {what} number {number}, but {what} numbers of {game} go from 0 "
                "to {last}",
                node=wrong[0],
                what=what,
                number=values[wrong[0]],
                game=game.name,
                last=count - 1,
            )
    if parent[0] != -1:
        return Phrase(
            "node 0 is the root, but its parent is given as {parent}, not -1", parent=parent[0]
        )
    wrong = 1 + np.flatnonzero((parent[1:] < 0) | (parent[1:] >= np.arange(1, len(tree))))
    if len(wrong):
        return Phrase(
            "node {node} has parent {parent}, which does not come before it",
            node=wrong[0],
            parent=parent[wrong[0]],
        )
    return None


def _disorder(tree: Tree) -> Iterator[str]:
    """Sentences about nodes out of order in a tree that can be played."""
    game, nodes = tree.game, tree.nodes
    parent = nodes.parent.astype(np.int64)
    falls = 1 + np.flatnonzero(np.diff(parent) < 0)
    if len(falls):
        node = int(falls[0])
        yield Phrase(
            "node {node} has parent {parent} after a node with parent {before}: nodes are not "
            "in breadth-first order",
            node=node,
            parent=parent[node],
            before=parent[node - 1],
        )
    keys = parent[1:] * game.n_marks + nodes.mark[1:]
    ascending = np.sort(keys)
    twice = np.flatnonzero(np.diff(ascending) == 0)
    if len(twice):
        node, mark = divmod(int(ascending[twice[0]]), game.n_marks)
        yield Phrase(
            "{node} has two children for the mark {mark}",
            node=_at(tree, node),
            mark=game.mark(mark),
        )
    elif not len(falls) and (np.diff(keys) < 0).any():
        node = int(parent[int(np.argmax(np.diff(keys) < 0)) + 1])
        yield Phrase(
            "the children of {node} are not in the order of their marks", node=_at(tree, node)
        )
    claimed = np.flatnonzero(nodes.wins & (game.secret_of_guess[nodes.guess] < 0))
    if len(claimed):
        yield Phrase(
            "{node} is marked as winning, but it is not a secret of {game}",
            node=_at(tree, int(claimed[0])),
            game=game.name,
        )


def _not_hard(tree: Tree) -> Iterator[str]:
    """The guesses that hard rules do not allow where they are played."""
    game = tree.game
    if game.free:
        return
    for node, guess in enumerate(tree.nodes.guess.tolist()):
        turns = [(game.guess(played), game.mark(mark)) for played, mark in tree.path(node)]
        if (why := missed(game, turns, game.guess(guess))) is not None:
            yield Phrase("{node}: {what}", node=_at(tree, node), what=why)


class _Results(NamedTuple):
    """Results of all blocks of secrets: each writes its own secrets, and True where it passes."""

    depths: I32  # turn in which each secret is found; 0 where it is lost
    reached: Bools  # nodes
    won: Bools  # nodes


_Lost = tuple[int, int, int, int]
"""Turn, secret, node and mark where the tree does not find a secret; described in this order."""


def _play(tree: Tree, problems: _Problems, threads: int, report: Report) -> _Results:
    game = tree.game
    secrets = all_secrets(game)
    depths = np.zeros(game.n_secrets, np.int32)
    results = _Results(depths, np.zeros(len(tree), np.bool_), np.zeros(len(tree), np.bool_))
    blocks = [secrets[start : start + BLOCK] for start in range(0, len(secrets), BLOCK)]
    described: list[_Lost] = []
    played = count = 0
    pool = ThreadPoolExecutor(min(threads, len(blocks)))
    try:
        run = pool.map if threads > 1 else map  # a browser has no threads
        work = partial(_play_block, tree, _branches(tree), results)
        for block, (lost, more) in zip(blocks, run(work, blocks), strict=True):
            described += lost
            count += more
            played += len(block)
            report(Progress(played, game.n_secrets, "secrets"))
    finally:
        pool.shutdown(cancel_futures=True)
    for _, secret, node, mark in sorted(described)[:MAX_PROBLEMS]:
        problems.add(
            Phrase(
                "secret {secret} is not found: {node}, gets {mark}, and the tree ends there",
                secret=game.secret(secret),
                node=_at(tree, node),
                mark=game.mark(mark),
            )
        )
    problems.count += max(count - MAX_PROBLEMS, 0)
    return results


def _play_block(
    tree: Tree, branches: tuple[I64, I64], results: _Results, secrets: I32
) -> tuple[list[_Lost], int]:
    """Play some secrets; the first of each turn that are not found, and how many in all."""
    game, nodes = tree.game, tree.nodes
    all_keys, following = branches
    described: list[_Lost] = []
    count = turn = 0
    at = np.zeros(len(secrets), np.int64)
    while len(secrets):
        turn += 1
        results.reached[at] = True
        marks = game.mark_pairs(nodes.guess[at].astype(np.int32), secrets).astype(np.int64)
        wins = marks == game.winning
        results.depths[secrets[wins]] = turn
        results.won[at[wins]] = True
        secrets, at, marks = secrets[~wins], at[~wins], marks[~wins]
        keys = at * game.n_marks + marks
        place = np.searchsorted(all_keys, keys)
        lost = all_keys[place] != keys
        first = (array[lost][:MAX_PROBLEMS].tolist() for array in (secrets, at, marks))
        described += [(turn, *numbers) for numbers in zip(*first, strict=True)]
        count += int(lost.sum())
        secrets, at = secrets[~lost], following[place[~lost]]
    return described, count


def _branches(tree: Tree) -> tuple[I64, I64]:
    """Sorted keys (node * marks + mark) of all branches, and the node that each leads to."""
    nodes, n_marks = tree.nodes, tree.game.n_marks
    keys = nodes.parent[1:].astype(np.int64) * n_marks + nodes.mark[1:]
    order = np.argsort(keys, kind="stable")
    # the last key is no branch: a search beyond every branch ends there
    end = np.array([len(tree) * n_marks], np.int64)
    return np.concatenate([keys[order], end]), np.concatenate([order + 1, [0]])


def _at(tree: Tree, node: int) -> Phrase:
    """A node in words: `turn 3, BDDE after AABC=XO CABD=OO`."""
    game = tree.game
    turns = [Turn(game.guess(guess), game.mark(mark)) for guess, mark in tree.path(node)]
    return Phrase(
        "turn {n}, {guess}{after}",
        n=len(turns) + 1,
        guess=game.guess(int(tree.nodes.guess[node])),
        after=Phrase(" after {turns}", turns=SignRow(turns)) if turns else "",
    )
