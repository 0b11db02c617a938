"""Claims about games with how they were made, and how they are written and read.

The claims themselves stand in `optima`, `values` and `sets`; each checks itself by the plain
marking, and writes and reads itself. The check shares no code with what it checks: these modules
use neither kernels nor searches. They play trees and sets against every secret. That nothing
better exists is repeated by the searches, or follows from a proof that is checked.
"""

from __future__ import annotations

import io
from dataclasses import MISSING, dataclass, fields
from fractions import Fraction
from tokenize import TokenError
from typing import Any, ClassVar, Final, Generic, Protocol, Self, TypeVar

import numpy as np

from pegwise._version import __version__
from pegwise.errors import Phrase
from pegwise.game import Game
from pegwise.progress import Progress, Report
from pegwise.search.certificates.published import Published, published_figure, reported
from pegwise.trees import Tree
from pegwise.trees.lower_bound import Checker, LowerBound
from pegwise.trees.set_bound import Branchings, SetChecker
from pegwise.trees.store import from_bytes
from pegwise.trees.verify import verify

Figure = tuple[str, int | Fraction]
"""A statement of a claim on an objective (see `Published`)."""

Document = dict[str, Any]
"""The JSON document of a certificate: what is claimed, and how the claim was made."""

Parts = dict[str, bytes]
"""Parts beside the document in a file, by name: trees and the arrays of proofs."""

ProofT = TypeVar("ProofT", LowerBound, Branchings)

_FORMAT: Final = 1


class Claim(Protocol):
    """A claim about a game that can be checked."""

    title: ClassVar[Phrase]
    """Its kind, in words."""

    part: ClassVar[str]
    """The name of the document in a file, by which the kind is known; "" where the file is the
    document."""

    folder: ClassVar[str]
    """Where certificates are stored, in the package and among the user's data; "" if nowhere."""

    suffix: ClassVar[str]
    """How the names of their files end."""

    table: ClassVar[str]
    """The file of the package that holds all documents of this kind; "" if each has its own."""

    @property
    def game(self) -> Game: ...

    @property
    def figure(self) -> Figure:
        """Objective and value, which are compared with figures that others have published."""

    def problems(self) -> list[str]:
        """Problems of the claim, a sentence each, by the plain marking."""

    def to_parts(self, certificate: Certificate[Any]) -> tuple[Document, Parts]:
        """The document and the other parts of a certificate of this claim: `from_parts` reads them.

        The certificate says how the claim was made.
        """

    @classmethod
    def from_parts(cls, document: Document, parts: Parts, /) -> Certificate[Self]:
        """The certificate of a document and of what stands beside it.

        Raises:
            ArithmeticError, AttributeError, LookupError, TypeError, ValueError: something is
                missing, malformed or contradictory.
        """


class ClaimOfTrees(Claim, Protocol):
    """A claim of the smallest total and the smallest worst case."""

    @property
    def tree(self) -> Tree: ...

    @property
    def limited(self) -> Tree: ...


ClaimT = TypeVar("ClaimT", bound=Claim)
TreesT = TypeVar("TreesT", bound=ClaimOfTrees)


@dataclass(frozen=True)
class Certificate(Generic[ClaimT]):
    """A claim and how it was made.

    Attributes:
        claim: what can be checked.
        seconds: processor time of the search; 0 when not known.
        megabytes: largest memory of the process, in MiB; 0 when not known.
        date: when, as YYYY-MM-DD.
        program: the version that made it.
        method: how, or which command repeats it.
    """

    claim: ClaimT
    seconds: float = 0.0
    megabytes: int = 0
    date: str = ""
    program: str = __version__
    method: str = ""

    @property
    def proof(self) -> ClaimT:
        """The claim, which of a proven optimum has both trees."""
        return self.claim

    @property
    def total(self: Certificate[TreesT]) -> int:
        """The smallest total."""
        return self.claim.tree.total

    @property
    def least_worst(self: Certificate[TreesT]) -> int:
        """The smallest worst case."""
        return self.claim.limited.worst

    @property
    def published(self) -> Published | None:
        """The figure that others have published for the same question."""
        return published_figure(self.claim.game, self.claim.figure[0])

    @property
    def standing(self) -> str:
        """`confirms`, `corrects` or `improves` with the published source.

        Where no figure was found, `reported` with a source that was not read, or `new`.
        """
        row = self.published
        if row is None:
            unread = reported(self.claim.game) if self.claim.figure[0] == "total" else None
            return "new" if unread is None else f"reported {unread}"
        source = row.source
        if source.startswith("github") and row.proven:
            source = source.partition(",")[0]
        if row.value == self.claim.figure[1]:
            return f"confirms {source}"
        return f"{'corrects' if row.proven else 'improves'} {row.value}, {source}"


# what documents and parts have in common


def heading(certificate: Certificate[Any], figures: Document) -> Document:
    """The document of a certificate whose claim adds these figures."""
    return {
        "format": _FORMAT,
        "program": certificate.program,
        "rules": certificate.claim.game.name,
        **figures,
        "seconds": round(certificate.seconds, 2),
        "megabytes": certificate.megabytes,
        "date": certificate.date,
    }


def check_format(document: Document) -> None:
    """Raise a ValueError if a document is of a form that this version does not know."""
    if document["format"] != _FORMAT:
        raise ValueError("unknown format")


def made(document: Document) -> dict[str, Any]:
    """How a certificate was made, as `Certificate` names it, but for the method."""
    return {
        "seconds": float(document["seconds"]),
        "megabytes": count(document["megabytes"]),
        "date": str(document["date"]),
        "program": str(document["program"]),
    }


def count(number: Any) -> int:
    """A number of a document that counts something; a ValueError if it does not."""
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise ValueError("not a whole number from 0")
    return number


def tree_of(part: bytes, rules: str) -> Tree:
    """A tree of a board without weights; a ValueError if it is another."""
    tree = from_bytes(part)
    if tree.game.name != rules or tree.game.weights is not None:
        raise ValueError("a tree is of another game")
    return tree


def proof_parts(proof: LowerBound | Branchings) -> Parts:
    """The arrays of a proof, in NumPy's format; `proof_of` reads them."""
    parts = {}
    for name, array in vars(proof).items():
        file = io.BytesIO()
        smallest = np.min_scalar_type(array.max(initial=0))
        np.lib.format.write_array(file, array.astype(smallest), allow_pickle=False)
        parts[f"{name}.npy"] = file.getvalue()
    return parts


def proof_of(kind: type[ProofT], parts: Parts) -> ProofT:
    """A proof of its arrays; a ValueError if they are damaged."""
    arrays = {}
    for field in fields(kind):
        name = field.name
        if field.default_factory is not MISSING and f"{name}.npy" not in parts:
            continue  # files of earlier versions lack it
        try:
            file = io.BytesIO(parts[f"{name}.npy"])
            array = np.lib.format.read_array(file, allow_pickle=False)
        except (EOFError, LookupError, MemoryError, TokenError) as error:
            raise ValueError(Phrase("{field} cannot be read", field=name)) from error
        if not np.issubdtype(array.dtype, np.integer):
            raise ValueError(Phrase("{field} holds no whole numbers", field=name))
        arrays[name] = array.astype(np.int64)
    return kind(**arrays)


# what checks have in common


def tree_problems(name: Phrase, tree: Tree) -> list[str]:
    """The first problem of a tree of a claim, or none."""
    return [Phrase("{tree}: {text}", tree=name, text=text) for text in verify(tree).problems[:1]]


class Proof(Protocol):
    """A claim with a proof that is checked in parts."""

    @property
    def proof(self) -> Any: ...

    @property
    def sets(self) -> int:
        """Number of parts of the proof."""

    def checker(self) -> Checker | SetChecker: ...


def proof_problems(claim: Proof, report: Report) -> list[str]:
    """Problems of the parts of a proof, a sentence each."""
    checker: Any = claim.checker()
    problems = []
    for number in range(claim.sets):
        problems.append(checker.problem(claim.proof, number))
        report(Progress(number + 1, claim.sets, "sets"))
    return [problem for problem in problems if problem is not None]
