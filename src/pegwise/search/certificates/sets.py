"""Claims of fixed sets of guesses that tell all secrets apart, with or without a proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Self

import numpy as np

from pegwise.errors import Phrase
from pegwise.game import Code, Game, all_secrets, game_of, parse_code
from pegwise.hooks import Drawable
from pegwise.progress import Report, silent
from pegwise.search.certificates.claims import (
    Certificate,
    Document,
    Figure,
    Parts,
    made,
    proof_of,
    proof_parts,
    proof_problems,
)
from pegwise.trees.set_bound import Branchings, SetChecker, proves_for

_BLOCK: Final = 1 << 20  # secrets that are marked at a time, to save memory
_PROVEN_FOR: Final = "proven_for"  # the board with fewer pegs that a proof is about


@dataclass(frozen=True, slots=True)
class Confused:
    """Two secrets that a set of guesses does not tell apart.

    Attributes:
        first: number of a secret.
        second: number of another that gets the same marks.
        answers: how many different answers the set gets in all.
    """

    first: int
    second: int
    answers: int


def confused(game: Game, guesses: Sequence[int]) -> Confused | None:
    """The first two secrets that some guesses, by number, confuse; None if all are told apart.

    Raises:
        TooLargeError: too many secrets to list.
    """
    secrets = all_secrets(game)
    labels = np.zeros(len(secrets), np.int64)
    for guess in guesses:
        marks = np.concatenate(
            [
                game.mark_pairs(np.full(len(block), guess, np.int32), block)
                for block in np.array_split(secrets, -(-len(secrets) // _BLOCK))
            ]
        )
        joint = labels * game.n_marks + marks
        labels = np.unique(joint, return_inverse=True)[1].astype(np.int64)
    answers = int(labels.max()) + 1
    if answers == len(secrets):
        return None
    order = np.argsort(labels, kind="stable")
    same = np.flatnonzero(labels[order[1:]] == labels[order[:-1]])
    # order is stable, so that of each class the smallest secret comes first
    first = same[np.argmin(order[same])]
    return Confused(int(order[first]), int(order[first + 1]), answers)


@dataclass(frozen=True)
class FixedSet(Drawable):
    """A set of guesses that tells all secrets of a game apart.

    Attributes:
        game: what is played.
        numbers: of its guesses, in the order in which they are best played; None if there is no set
            of the size asked for, or none so far.
        lower_bound: no set has fewer guesses, proven.
        positions: sets of guesses tried.
    """

    title: ClassVar = Phrase("a fixed set")
    part: ClassVar = ""
    folder: ClassVar = "static"
    suffix: ClassVar = ".json"
    table: ClassVar = "static_sets.json"

    game: Game
    numbers: tuple[int, ...] | None
    lower_bound: int
    positions: int

    @property
    def size(self) -> int | None:
        return None if self.numbers is None else len(self.numbers)

    @property
    def proven(self) -> bool:
        return self.size == self.lower_bound

    @property
    def guesses(self) -> tuple[Code, ...]:
        """The guesses; none where there is no set."""
        return tuple(self.game.guess(number) for number in self.numbers or ())

    @property
    def figure(self) -> Figure:
        return "fixed set", len(self.numbers or ())

    def problems(self) -> list[str]:
        pair = confused(self.game, self.numbers or ())
        if pair is None:
            return []
        first, second = self.game.secret(pair.first), self.game.secret(pair.second)
        return [Phrase("does not tell {first} from {second}", first=first, second=second)]

    def document(self) -> Document:
        """The guesses as text, and what is proven of how few there can be."""
        return {
            "rules": self.game.name,
            "guesses": [str(code) for code in self.guesses],
            "lower_bound": self.lower_bound,
            "positions": self.positions,
            "size": self.size,
            "proven": self.proven,
        }

    def certified(self, certificate: Certificate[Any]) -> Document:
        """The document of a certificate, which says how the claim was made."""
        claim = self.document()
        first = {key: claim.pop(key) for key in ("rules", "guesses", "lower_bound")}
        return first | {
            "method": certificate.method,
            "version": certificate.program,
            "date": certificate.date,
            "seconds": round(certificate.seconds, 2),
            "memory": certificate.megabytes,
            **claim,
        }

    def to_parts(self, certificate: Certificate[Any]) -> tuple[Document, Parts]:
        return self.certified(certificate), {}

    @classmethod
    def from_parts(cls, document: Document, _parts: Parts) -> Certificate[Self]:
        game = game_of(document["rules"])
        numbers = tuple(game.guess_number(parse_code(code, game)) for code in document["guesses"])
        claim = cls(game, numbers, int(document["lower_bound"]), int(document["positions"]))
        if (document["size"], document["proven"]) != (claim.size, claim.proven):
            raise ValueError("size, proven, guesses and lower bound do not agree")
        told = {**document, "megabytes": document["memory"], "program": document["version"]}
        return Certificate(claim, method=str(document["method"]), **made(told))


@dataclass(frozen=True)
class ProvenSet:
    """A smallest fixed set, with the proof that none is smaller.

    Attributes:
        fixed: the set.
        board: the game that the proof is about: that of the set, or one with fewer pegs.
        proof: see `trees.set_bound`.
    """

    title: ClassVar = Phrase("a fixed set with its proof")
    part: ClassVar = "set.json"
    folder: ClassVar = ""
    suffix: ClassVar = ""
    table: ClassVar = ""

    fixed: FixedSet
    board: Game
    proof: Branchings

    @property
    def game(self) -> Game:
        return self.fixed.game

    @property
    def figure(self) -> Figure:
        return self.fixed.figure

    @property
    def sets(self) -> int:
        """Number of branchings of the proof, at least 1."""
        return max(1, len(self.proof.parents))

    def problems(self, report: Report = silent) -> list[str]:
        problems = self.fixed.problems() + self.bound_problems()
        return problems or proof_problems(self, report)

    def checker(self) -> SetChecker:
        return SetChecker(self.board, self.fixed.lower_bound - 1)

    def bound_problems(self) -> list[str]:
        """Problems of the proof as a whole, before its branchings are checked."""
        if not self.fixed.proven:
            return [Phrase("it does not claim that a set is smallest")]
        if not proves_for(self.board, self.game):
            return [
                Phrase(
                    "a proof for {board} does not hold for {game}",
                    board=self.board.name,
                    game=self.game.name,
                )
            ]
        malformed = self.proof.malformed(self.board)
        return [] if malformed is None else [malformed]

    def to_parts(self, certificate: Certificate[Any]) -> tuple[Document, Parts]:
        document = self.fixed.certified(certificate)
        if self.board.name != self.game.name:
            document[_PROVEN_FOR] = self.board.name
        return document, proof_parts(self.proof)

    @classmethod
    def from_parts(cls, document: Document, parts: Parts) -> Certificate[Self]:
        fixed = FixedSet.from_parts(document, parts)
        about = document[_PROVEN_FOR if _PROVEN_FOR in document else "rules"]
        claim = cls(fixed.claim, game_of(about), proof_of(Branchings, parts))
        made_by = fixed.date, fixed.program, fixed.method
        return Certificate(claim, fixed.seconds, fixed.megabytes, *made_by)
