"""Certificates that come with the program: a file for each board, in a folder of this package."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pegwise.errors import Phrase
from pegwise.game import Rules
from pegwise.search.archive import unpack


def shipped_parts(folder: str, name: str) -> dict[str, bytes] | None:
    """The parts of a file, None if there is none of that name.

    Raises:
        DataFileError: it is damaged.
    """
    file = files("pegwise.search.certificates").joinpath("data", folder, name)
    return unpack(file.read_bytes(), name) if file.is_file() else None


def shipped_boards(folder: str, suffix: str) -> list[Rules]:
    """The boards whose files end so: those with repetition first, then those of other rules."""
    place = files("pegwise.search.certificates").joinpath("data", folder)
    names = [file.name for file in place.iterdir()] if place.is_dir() else []
    boards = [Rules.parse(name.removesuffix(suffix)) for name in names if name.endswith(suffix)]
    return sorted(boards, key=_place)


def _place(rules: Rules) -> tuple[int, str, int, int]:
    flags = str(rules).partition(",")[2]
    return len(flags), flags, rules.pegs, rules.colors


# Optima that others have published, each with its source (`published.json`).


@dataclass(frozen=True, slots=True)
class Published:
    """A published optimum.

    Attributes:
        rules: the board.
        objective: what is smallest: `total`, or `worst`.
        value: the guesses over all secrets, or for the deepest one.
        source: where it stands.
        max_guesses: no secret needs more; None when that is free.
        guesses: `all`, or `candidates` when only these are played.
        proven: False for the best that is known.
    """

    rules: Rules
    objective: str
    value: int
    source: str
    max_guesses: int | None = None
    guesses: str = "all"
    proven: bool = True

    def __str__(self) -> str:
        return str(self.words)

    @property
    def words(self) -> Phrase:
        """What is smallest, and under which limits."""
        what = Phrase("smallest total") if self.proven else Phrase("smallest total known")
        if self.objective == "worst":
            what = Phrase("smallest worst case")
        most = self.max_guesses
        return Phrase(
            "{what}{limit}{played}",
            what=what,
            limit="" if most is None else Phrase(", at most {n} guesses", n=most),
            played=Phrase(", candidates only") if self.guesses == "candidates" else "",
        )


def published(rules: Rules | None = None) -> tuple[Published, ...]:
    """What is published about a board, or about all boards."""
    return tuple(row for row in _table() if rules is None or row.rules == rules)


def published_total(rules: Rules) -> Published | None:
    """The published smallest total of a board, proven or not, where guesses are free."""
    for row in published(rules):
        if row.objective == "total" and row.max_guesses is None and row.guesses == "all":
            return row
    return None


@cache
def _table() -> tuple[Published, ...]:
    text = (
        files("pegwise.search.certificates")
        .joinpath("data", "published.json")
        .read_text(encoding="utf-8")
    )
    document = json.loads(text)
    return tuple(
        Published(
            **{
                **row,
                "rules": Rules.parse(row["rules"]),
                "source": document["sources"][row["source"]],
            }
        )
        for row in document["optima"]
    )
