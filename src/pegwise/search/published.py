"""Optima that others have published, each with its source (`published.json`)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pegwise.errors import Phrase
from pegwise.game import Rules

__all__ = ["Published", "published", "published_total"]


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
    text = files("pegwise.search").joinpath("published.json").read_text(encoding="utf-8")
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
