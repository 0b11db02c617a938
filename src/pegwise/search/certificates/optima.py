"""Claims of trees: proven best with or without a proof to check, and best known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

import numpy as np

from pegwise.arrays import GuessNumber
from pegwise.errors import Phrase
from pegwise.game import Game, game_of
from pegwise.progress import Report, silent
from pegwise.search.certificates.claims import (
    Certificate,
    Document,
    Figure,
    Parts,
    check_format,
    count,
    heading,
    made,
    proof_of,
    proof_parts,
    proof_problems,
    tree_of,
    tree_problems,
)
from pegwise.search.certificates.published import Published, published
from pegwise.trees import Tree
from pegwise.trees.lower_bound import INFINITE, UNLIMITED, Checker, LowerBound
from pegwise.trees.store import from_bytes, to_bytes
from pegwise.trees.verify import verify

_OBJECTIVES: Final = ("total", "worst", "worst-total")


class _OfTree:
    """A claim of a smallest total."""

    tree: Tree

    @property
    def game(self) -> Game:
        return self.tree.game

    @property
    def figure(self) -> Figure:
        return "total", self.tree.total


@dataclass(frozen=True)
class ProvenTrees(_OfTree):
    """Two trees that exhaustive search has proven best.

    Attributes:
        tree: smallest total.
        limited: smallest worst case, and of those the smallest total; may be the same tree.
        positions: sets entered by both searches.
    """

    title: ClassVar = Phrase("an optimum")
    part: ClassVar = "record.json"
    folder: ClassVar = "optima"
    suffix: ClassVar = ".optimum"
    table: ClassVar = ""

    tree: Tree
    limited: Tree
    positions: int

    def problems(self) -> list[str]:
        problems = tree_problems(Phrase("tree of the smallest total"), self.tree)
        if self.limited is not self.tree:
            problems += tree_problems(Phrase("tree of the smallest worst"), self.limited)
        problems += [
            Phrase(
                "{what}: {figure}, but {value} is published ({source})",
                what=row.words,
                figure=figure,
                value=row.value,
                source=row.source,
            )
            for row in published(self.game)
            if row.proven and (figure := self._answer(row)) not in (None, row.value)
        ]
        return problems

    def _answer(self, row: Published) -> int | None:
        """The figure of the same question; None for a question that the trees do not answer."""
        if row.guesses != "all":
            return None
        if row.objective == "worst":
            return self.limited.worst
        if row.max_guesses is None:
            return self.tree.total
        return self.limited.total if row.max_guesses == self.limited.worst else None

    def to_parts(self, certificate: Certificate[Any]) -> tuple[Document, Parts]:
        parts = {"total.tree": to_bytes(self.tree)}
        if self.limited is not self.tree:
            parts["worst.tree"] = to_bytes(self.limited)
        return heading(certificate, {**self.figures(), "positions": self.positions}), parts

    def figures(self) -> Document:
        return {
            "total": self.tree.total,
            "worst": self.tree.worst,
            "least_worst": self.limited.worst,
            "limited_total": self.limited.total,
        }

    @classmethod
    def from_parts(cls, document: Document, parts: Parts) -> Certificate[Self]:
        check_format(document)
        rules = game_of(document["rules"]).name
        tree = tree_of(parts["total.tree"], rules)
        limited = tree_of(parts["worst.tree"], rules) if "worst.tree" in parts else tree
        claim = cls(tree, limited, count(document["positions"]))
        figures = claim.figures()
        if {key: document[key] for key in figures} != figures:
            raise ValueError("the trees have other totals or worst cases than it says")
        return Certificate(claim, **made(document))


@dataclass(frozen=True)
class ProvenOptimum(_OfTree):
    """A best tree, with the proof that none is better.

    Attributes:
        tree: the tree.
        objective: `total`, `worst` or `worst-total`.
        max_guesses: no tree that needs more guesses was asked for; None for any number.
        proof: see `trees.lower_bound`.
        positions: sets entered by the search for the tree; 0 when not known.
        first: no tree that begins otherwise was asked for, by number; None for any.
    """

    title: ClassVar = Phrase("an optimum with its proof")
    part: ClassVar = "bound.json"
    folder: ClassVar = ""
    suffix: ClassVar = ""
    table: ClassVar = ""

    tree: Tree
    objective: str
    max_guesses: int | None
    proof: LowerBound
    positions: int = 0
    first: GuessNumber | None = None

    def problems(self, report: Report = silent) -> list[str]:
        problems = tree_problems(Phrase("tree"), self.tree) + self.bound_problems()
        return problems or proof_problems(self, report)

    def checker(self) -> Checker:
        return Checker(self.game, self.first)

    @property
    def sets(self) -> int:
        return len(self.proof.bounds)

    def bound_problems(self) -> list[str]:
        """Problems of the proof as a whole, before its sets are checked."""
        tree, most = self.tree, self.max_guesses
        problems: list[str] = []
        if malformed := self.proof.malformed(tree.game):
            return [malformed]
        if most is not None and tree.worst > most:
            problems.append(Phrase("the tree needs {n} guesses, more than allowed", n=tree.worst))
        if self.first not in (None, int(tree.nodes.guess[0])):
            problems.append(
                Phrase("the tree does not begin with {guess}", guess=tree.game.guess(self.first))
            )
        whole = np.flatnonzero(np.diff(self.proof.starts) == tree.game.n_secrets)
        limits, bounds = self.proof.limits[whole], self.proof.bounds[whole]
        for limit, bound in bounds_needed(tree, self.objective, most):
            if not ((limits >= limit) & (bounds >= bound)).any():
                what = Phrase("at most {n} guesses are not enough", n=limit)
                if bound != INFINITE:
                    what = Phrase("no total is below {total}", total=bound)
                problems.append(Phrase("it does not prove that {what}", what=what))
        return problems

    def to_parts(self, certificate: Certificate[Any]) -> tuple[Document, Parts]:
        figures: Document = {"objective": self.objective, "max_guesses": self.max_guesses}
        if self.first is not None:
            figures["first"] = str(self.game.guess(self.first))
        parts = {**proof_parts(self.proof), "best.tree": to_bytes(self.tree)}
        return heading(certificate, {**figures, "positions": self.positions}), parts

    @classmethod
    def from_parts(cls, document: Document, parts: Parts) -> Certificate[Self]:
        check_format(document)
        tree, objective = from_bytes(parts["best.tree"]), document["objective"]
        if tree.game.name != document["rules"] or objective not in _OBJECTIVES:
            raise ValueError("the tree is of another game, or the objective unknown")
        most = document["max_guesses"]
        most = None if most is None else count(most)
        first = None
        if document.get("first") is not None:
            first = int(tree.nodes.guess[0])
            if document["first"] != str(tree.game.guess(first)):
                raise ValueError("the tree does not begin with the first guess that it says")
        proof, positions = proof_of(LowerBound, parts), count(document["positions"])
        return Certificate(cls(tree, objective, most, proof, positions, first), **made(document))


def bounds_needed(tree: Tree, objective: str, most: int | None) -> list[tuple[int, int]]:
    """The limits and bounds to be proven for all secrets, so that a tree is best.

    Args:
        tree: it verifies, and needs `most` guesses or fewer.
        objective: `total`, `worst` or `worst-total`.
        most: guesses that a tree may need, None for any number.
    """
    if tree.game.n_secrets == 1:
        return []
    total = (tree.worst if objective == "worst-total" else most or UNLIMITED, tree.total)
    worst = (tree.worst - 1, INFINITE)
    return {"total": [total], "worst": [worst], "worst-total": [worst, total]}[objective]


@dataclass(frozen=True)
class ProvenGoal(_OfTree):
    """A tree that exhaustive search has proven best for another objective than the total.

    Attributes:
        tree: the tree.
        objective: `fewest-at-worst`, `total-fewest`, or `within:N`.
        histogram: how many secrets are said to be found with 1, 2, ... guesses.
        positions: sets entered by the search.
    """

    title: ClassVar = Phrase("an optimum of another goal")
    part: ClassVar = "goal.json"
    folder: ClassVar = "goals"
    suffix: ClassVar = ""
    table: ClassVar = "goals/goals.json"

    tree: Tree
    objective: str
    histogram: tuple[int, ...]
    positions: int

    def problems(self) -> list[str]:
        problems = tree_problems(Phrase("tree"), self.tree)
        if not problems and verify(self.tree).histogram != self.histogram:
            problems.append(Phrase("the tree finds other numbers of secrets by guesses"))
        return problems

    def to_parts(self, certificate: Certificate[Any]) -> tuple[Document, Parts]:
        document = {
            "rules": self.game.name,
            "objective": self.objective,
            "total": self.tree.total,
            "histogram": list(self.histogram),
            **_measured(certificate),
            "positions": self.positions,
        }
        return document, {"best.tree": to_bytes(self.tree)}

    @classmethod
    def from_parts(cls, document: Document, parts: Parts) -> Certificate[Self]:
        tree, objective = _tree_told_of(document, parts), str(document["objective"])
        positions = count(document["positions"])
        claim = cls(tree, objective, tuple(document["histogram"]), positions)
        return Certificate(claim, **made(document))


@dataclass(frozen=True)
class BestTree(_OfTree):
    """The best tree known of a board whose smallest total and worst case are not both proven.

    Attributes:
        tree: the tree.
        lower_bound: no tree has a smaller total, proven.
    """

    title: ClassVar = Phrase("a best tree known")
    part: ClassVar = "best.json"
    folder: ClassVar = "best"
    suffix: ClassVar = ""
    table: ClassVar = "best/best.json"

    tree: Tree
    lower_bound: int

    def problems(self) -> list[str]:
        return list(verify(self.tree).problems[:1])

    def to_parts(self, certificate: Certificate[Any]) -> tuple[Document, Parts]:
        document = {
            "rules": self.game.name,
            "total": self.tree.total,
            "lower_bound": self.lower_bound,
            "command": certificate.method,
            **_measured(certificate),
        }
        return document, {"best.tree": to_bytes(self.tree)}

    @classmethod
    def from_parts(cls, document: Document, parts: Parts) -> Certificate[Self]:
        claim = cls(_tree_told_of(document, parts), int(document["lower_bound"]))
        return Certificate(claim, method=str(document["command"]), **made(document))


def _measured(certificate: Certificate[Any]) -> Document:
    """How the claim of a row of a table was made."""
    return {
        "seconds": round(certificate.seconds, 2),
        "megabytes": certificate.megabytes,
        "date": certificate.date,
        "program": certificate.program,
    }


def _tree_told_of(document: Document, parts: Parts) -> Tree:
    """The tree that stands beside a row of a table."""
    tree = from_bytes(parts["best.tree"])
    if (tree.game.name, tree.total) != (document["rules"], document["total"]):
        raise ValueError("the tree is not the one that is told of")
    return tree
