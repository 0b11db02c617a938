"""Known fixed sets: certificates that come with pegwise, those found here, and published sizes.

A certificate holds a set, what is proven of it, and how it was found. The set is checked by the
plain marking whenever it is read; that fewer guesses cannot do is repeated by
`pegwise static RULES --fresh`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from pegwise.errors import DataFileError, OutputError, PegwiseError, Phrase
from pegwise.game import Code, Mastermind, Rules, mastermind, parse_code
from pegwise.paths import home
from pegwise.search.archive import write_whole
from pegwise.search.static.check import confused

METHOD: Final = (
    "local search for the set; exhaustion one guess below by orbital branching on pairs of codes "
    "not yet told apart"
)


@dataclass(frozen=True, slots=True)
class Certificate:
    """A fixed set of guesses, and what is known of it.

    Attributes:
        rules: the board.
        guesses: the set, in the order in which it is best played.
        lower_bound: no set has fewer guesses.
        method: how it was found and proven.
        version: of the program.
        date: when, as YYYY-MM-DD.
        seconds: processor time of the search.
        memory: largest memory of the process, in MiB.
        positions: sets of guesses tried.
    """

    rules: Rules
    guesses: tuple[Code, ...]
    lower_bound: int
    method: str
    version: str
    date: str
    seconds: float
    memory: int
    positions: int

    @property
    def size(self) -> int:
        """Number of guesses."""
        return len(self.guesses)

    @property
    def proven(self) -> bool:
        """Fewer guesses cannot do."""
        return self.size == self.lower_bound

    def document(self) -> dict[str, Any]:
        """The certificate as it is stored."""
        return {
            **asdict(self),
            "rules": str(self.rules),
            "guesses": [str(guess) for guess in self.guesses],
            "size": self.size,
            "proven": self.proven,
        }


@dataclass(frozen=True, slots=True)
class StaticRow:
    """A row of the table of records.

    Attributes:
        certificate: what was found here.
        published: the size that others have published, or None.
        source: where, or "".
    """

    certificate: Certificate
    published: int | None
    source: str

    @property
    def standing(self) -> str:
        """`confirms`, `corrects`, or `new` where no published size is known to us."""
        if self.published is None:
            return "new"
        return "confirms" if self.published == self.certificate.size else "corrects"


def read_certificate(document: Any, where: str) -> Certificate:
    """The certificate in a JSON document.

    Args:
        document: what was read.
        where: how to call it in an error.

    Raises:
        DataFileError: something is missing, malformed or contradictory.
    """
    try:
        rules = Rules.parse(document["rules"])
        found = Certificate(
            rules,
            tuple(parse_code(guess, rules) for guess in document["guesses"]),
            int(document["lower_bound"]),
            str(document["method"]),
            str(document["version"]),
            str(document["date"]),
            float(document["seconds"]),
            int(document["memory"]),
            int(document["positions"]),
        )
        said = (document["size"], document["proven"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DataFileError(
            "{where} is no certificate of a fixed set: {error}", where=where, error=error
        ) from error
    if said != (found.size, found.proven):
        raise DataFileError(
            "{where}: size {said} and proven {proven} do not agree with its {size} guesses and "
            "the bound {lower_bound}",
            where=where,
            said=said[0],
            proven=said[1],
            size=found.size,
            lower_bound=found.lower_bound,
        )
    return found


def static_rows() -> tuple[StaticRow, ...]:
    """All certificates that come with pegwise, with what is published about their boards."""
    published = _published()
    return tuple(
        StaticRow(certificate, *published.get(certificate.rules, (None, "")))
        for certificate in _shipped()
    )


def check_static_rows() -> Iterator[tuple[StaticRow, str]]:
    """Check every set by the plain marking: each row with what is wrong, or ""."""
    for row in static_rows():
        yield row, _wrong(row.certificate)


def known_set(game: Mastermind) -> Certificate | None:
    """The smallest known set for a board, checked; None if none is known."""
    candidates = [found for found in _shipped() if found.rules == game.rules]
    with suppress(DataFileError):  # none, or a damaged one, which is no set
        candidates.append(_kept(game.rules))
    candidates = [found for found in candidates if not _wrong(found)]
    return min(candidates, key=lambda found: found.size, default=None)


def kept_path(rules: Rules) -> Path:
    """Where the set of a board is kept among the user's data."""
    return home() / "static" / f"{str(rules).replace(',', '-')}.json"


def keep(certificate: Certificate) -> Path | None:
    """Keep a set for the strategy `static`, unless a better one is known; the file."""
    known = known_set(mastermind(certificate.rules))
    if known is not None and (known.size, not known.proven) <= (
        certificate.size,
        not certificate.proven,
    ):
        return None
    path = kept_path(certificate.rules)
    try:
        write_whole(path, [json.dumps(certificate.document(), indent=1).encode()])
    except OutputError:
        return None  # what cannot be kept is found again
    return path


def _kept(rules: Rules) -> Certificate:
    path = kept_path(rules)
    try:
        found = read_certificate(json.loads(path.read_text(encoding="utf-8")), repr(str(path)))
    except (OSError, ValueError, RecursionError) as error:
        raise DataFileError(
            "cannot read {path}: {error}", path=repr(str(path)), error=error
        ) from error
    if found.rules != rules:
        raise DataFileError("{path} belongs to {rules}", path=repr(str(path)), rules=found.rules)
    return found


def _wrong(certificate: Certificate) -> str:
    """What is wrong with a set, or ""."""
    game = mastermind(certificate.rules)
    try:
        found = confused(game, [game.guess_number(guess) for guess in certificate.guesses])
    except PegwiseError as error:
        return error.phrase
    if found is None:
        return ""
    return Phrase(
        "does not tell {one} from {other}",
        one=game.secret(found.one),
        other=game.secret(found.other),
    )


@cache
def _shipped() -> tuple[Certificate, ...]:
    text = (
        files("pegwise.search.certificates")
        .joinpath("data", "static_sets.json")
        .read_text(encoding="utf-8")
    )
    return tuple(read_certificate(row, "a shipped set") for row in json.loads(text))


@cache
def _published() -> dict[Rules, tuple[int, str]]:
    text = (
        files("pegwise.search.certificates")
        .joinpath("data", "static_published.json")
        .read_text(encoding="utf-8")
    )
    document = json.loads(text)
    return {
        Rules.parse(row["rules"]): (row["size"], document["sources"][row["source"]])
        for row in document["sizes"]
    }
