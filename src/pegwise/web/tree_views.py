"""Trees as pages show them: whole, position by position, and where a secret is.

Computed in a process of a line, which keeps the trees that it read last.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from pegwise.arrays import I32, I64
from pegwise.errors import InputError, quoted
from pegwise.game import (
    Code,
    FiniteGame,
    Mastermind,
    Rules,
    all_secrets,
    mastermind,
    parse_code,
    parse_mark,
)
from pegwise.search.certificates.published import published
from pegwise.search.certificates.trees import shipped_record
from pegwise.search.exact.optimal import OptimalSearch
from pegwise.trees import Tree, load
from pegwise.web.problems import NotFoundError
from pegwise.web.stored_trees import path_of, proven

__all__ = ["find", "position", "summary"]

_SEARCHED: Final = 400_000
"""Cells of the table of marks up to which the optimum of a position is searched for,"""

_SECONDS: Final = 1.0
"""and seconds after which that is given up."""


@dataclass(frozen=True, eq=False)
class _View:
    """A tree with what is known of its branches."""

    tree: Tree
    game: Mastermind

    @property
    def rules(self) -> Rules:
        return self.game.rules

    @cached_property
    def totals(self) -> tuple[I64, I32]:
        """Guesses from each node on, int64 (nodes) over its secrets and int32 (nodes) at most."""
        tree = self.tree
        totals = tree.node_sizes.copy()
        worst = np.ones(len(tree), np.int32)
        parents = tree.nodes.parent
        # children come after their parents, so that from behind each is complete
        for node in range(len(tree) - 1, 0, -1):
            parent = parents[node]
            totals[parent] += totals[node]
            worst[parent] = max(worst[parent], worst[node] + 1)
        return totals, worst

    def candidates(self, node: int) -> I32:
        """Numbers of the secrets that are possible at a node."""
        found = all_secrets(self.game)
        for guess, mark in self.tree.path(node):
            found = found[self.game.marks(guess, found) == mark]
        return found

    def code(self, node: int) -> str:
        """The guess of a node."""
        return str(self.game.guess(int(self.tree.nodes.guess[node])))

    def mark(self, node: int) -> str:
        """The mark that leads to a node."""
        return str(self.game.mark(int(self.tree.nodes.mark[node])))

    def go(self, path: str) -> int:
        """The node of a path: `AABC:XO/BDDE:X`.

        Raises:
            InputError: it cannot be read.
            NotFoundError: the tree has no such branch.
        """
        node = 0
        for step in filter(None, path.split("/")):
            guess, colon, mark = step.partition(":")
            if not colon:
                raise InputError(
                    "{step} of the path is no turn: write GUESS:MARK", step=quoted(step)
                )
            code = str(parse_code(guess, self.rules))
            if code != self.code(node):
                raise NotFoundError(
                    "this tree plays {code} there, not {asked}", code=self.code(node), asked=code
                )
            number = self.game.mark_number(parse_mark(mark, self.rules))
            child = self.tree.child(node, number)
            if child is None:
                raise NotFoundError(
                    "this tree has no branch {asked}:{mark} there", asked=code, mark=mark
                )
            node = child
        return node

    def path(self, node: int) -> str:
        """The path of a node."""
        return "/".join(
            f"{self.game.guess(guess)}:{self.game.mark(mark)}"
            for guess, mark in self.tree.path(node)
        )


def summary(home: Path, identity: str) -> dict[str, Any]:
    """What a tree is, as a whole.

    Raises:
        NotFoundError: there is no such tree.
        TreeFileError: its file is damaged.
    """
    tree = _view(home, identity).tree
    return {
        "id": identity,
        "rules": tree.game.name,
        "strategy": tree.strategy,
        "options": dict(tree.options),
        "secrets": tree.game.n_secrets,
        "nodes": len(tree),
        "total": tree.total,
        "mean": tree.mean,
        "worst": tree.worst,
        "histogram": tree.histogram(),
    }


def position(home: Path, identity: str, path: str) -> dict[str, Any]:
    """A position of a tree: its guess, and the parts it makes.

    Raises:
        NotFoundError: there is no such tree or branch.
        InputError: the path cannot be read.
        TreeFileError: the file is damaged.
    """
    view = _view(home, identity)
    node = view.go(path)
    tree = view.tree
    totals, worst = view.totals
    size = int(tree.node_sizes[node])
    children: list[dict[str, Any]] = [
        {
            "mark": view.mark(child),
            "count": int(tree.node_sizes[child]),
            "solved": False,
            "guess": view.code(child),
            "mean": int(totals[child]) / int(tree.node_sizes[child]),
            "worst": int(worst[child]),
            "leaf": not tree.children(child),
        }
        for child in tree.children(node)
    ]
    if tree.nodes.wins[node]:
        winning = str(view.game.mark(view.game.winning))
        children.append(
            {"mark": winning, "count": 1, "solved": True, "guess": None, "mean": 0.0, "worst": 0}
            | {"leaf": True}
        )
    children.sort(key=lambda part: (-part["count"], part["mark"]))
    optimum = _optimum(view, node)
    return {
        "path": view.path(node),
        "depth": int(tree.node_depths[node]),
        "guess": view.code(node),
        "possible": bool(tree.nodes.wins[node]),
        "count": size,
        "largest": max(part["count"] for part in children),
        "expected": sum(part["count"] ** 2 for part in children) / size,
        "total": int(totals[node]),
        "mean": int(totals[node]) / size,
        "worst": int(worst[node]),
        "parts": children,
        "optimum": optimum,
        "excess": None if optimum is None else int(totals[node]) - optimum,
    }


def find(home: Path, identity: str, secret: str) -> dict[str, Any]:
    """Where a secret is found.

    Raises:
        NotFoundError: there is no such tree.
        CodeError: the secret cannot be read.
        TreeFileError: the file is damaged.
    """
    view = _view(home, identity)
    code = parse_code(secret, view.rules, secret=True)
    tree, game = view.tree, view.game
    number = game.guess_number(code)
    secret_number = int(game.secret_of_guess[number])
    node = 0
    while int(tree.nodes.guess[node]) != number:
        mark = game.marks(int(tree.nodes.guess[node]), np.array([secret_number], np.int32))[0]
        child = tree.child(node, int(mark))
        if child is None:
            raise NotFoundError("this tree does not find {asked}", asked=code)
        node = child
    turns = [{"guess": str(game.guess(g)), "mark": str(game.mark(m))} for g, m in tree.path(node)]
    winning = {"guess": str(code), "mark": str(game.mark(game.winning))}
    return {"secret": str(code), "path": view.path(node), "turns": [*turns, winning]}


def _view(home: Path, identity: str) -> _View:
    if identity in proven():
        return _proven(proven()[identity])
    path = path_of(home, identity)
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        raise NotFoundError(
            "there is no tree {identity}: /api/trees lists them", identity=quoted(identity)
        ) from None
    return _read(path, changed)


@lru_cache(maxsize=6)
def _proven(rules: str) -> _View:
    """The tree of smallest total that comes with the program."""
    record = shipped_record(Rules.parse(rules))
    if record is None:
        raise NotFoundError("the tree of {rules} did not come with this program", rules=rules)
    return _View(record.proof.tree, mastermind(rules))


@lru_cache(maxsize=6)
def _read(path: Path, _changed: int) -> _View:
    tree = load(path)
    if not isinstance(tree.game, Mastermind):
        raise InputError(
            "the tree in {path} plays no board, so that it cannot be shown", path=repr(path.name)
        )
    return _View(tree, tree.game)


@lru_cache(maxsize=4096)
def _optimum(view: _View, node: int) -> int | None:
    """The smallest number of guesses over all secrets of a position, where it is known."""
    tree, game = view.tree, view.game
    size = int(tree.node_sizes[node])
    if size <= 2:
        return 2 * size - 1
    if node == 0:
        record = shipped_record(game.rules)
        if record is not None:
            return record.total
        known = [
            row.value
            for row in published(game.rules)
            if (row.objective, row.max_guesses, row.guesses, row.proven)
            == ("total", None, "all", True)
        ]
        if known:
            return known[0]
    if size * game.n_guesses > _SEARCHED:
        return None
    candidates = view.candidates(node)
    guesses = [Code(row) for row in game.guess_codes.tolist()]
    rows = [game.marks(number, candidates).tolist() for number in range(game.n_guesses)]
    secrets = [guesses[number] for number in game.guess_of_secret[candidates].tolist()]
    search = OptimalSearch(FiniteGame(secrets, rows, guesses, name="a position"))
    end = time.monotonic() + _SECONDS
    for _step in search:
        if time.monotonic() > end:
            break
    found = search.result()
    return found.tree.total if found.proven and found.tree is not None else None
