"""Figures that others have published of boards, each with its source (`data/published.json`)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Any

from pegwise.errors import Phrase
from pegwise.game import Game, Rules


@dataclass(frozen=True, slots=True)
class Published:
    """A published figure.

    Attributes:
        rules: the board.
        objective: what the figure is: the smallest `total` or `worst` of a tree, the size of the
            smallest `fixed set`, or the `value` of the game.
        value: the figure.
        source: where it is published.
        max_guesses: no secret needs more; None when that is free.
        guesses: `all`, or `candidates` when only these are played.
        proven: False for the best that is known.
    """

    rules: Rules
    objective: str
    value: int | Fraction
    source: str
    max_guesses: int | None = None
    guesses: str = "all"
    proven: bool = True

    def __str__(self) -> str:
        return str(self.words)

    @property
    def words(self) -> Phrase:
        """A phrase that says what is smallest, and under which limits."""
        what = Phrase("smallest total") if self.proven else Phrase("smallest total known")
        if self.objective == "worst":
            proven, known = Phrase("smallest worst case"), Phrase("smallest worst case known")
            what = proven if self.proven else known
        most = self.max_guesses
        return Phrase(
            "{what}{limit}{played}",
            what=what,
            limit="" if most is None else Phrase(", at most {n} guesses", n=most),
            played=Phrase(", candidates only") if self.guesses == "candidates" else "",
        )


def published(game: Game | None = None) -> tuple[Published, ...]:
    """The published totals and worst cases of trees, of a board or of all boards."""
    return tuple(
        row
        for row in _published_figures()
        if row.objective in {"total", "worst"} and (game is None or row.rules == game.rules)
    )


def published_figure(game: Game, objective: str) -> Published | None:
    """The published figure of a board where guesses are free, proven or not."""
    for row in _published_figures():
        asked = (row.rules, row.objective, row.max_guesses, row.guesses)
        if asked == (game.rules, objective, None, "all"):
            return row
    return None


def reported(game: Game) -> str | None:
    """Where the smallest total of a board is reported to stand, which nobody here has read."""
    document = _document()
    for source, boards in document["reported"].items():
        if game.text in boards:
            return str(document["sources"][source])
    return None


@cache
def _document() -> dict[str, Any]:
    data = files("pegwise.search.certificates").joinpath("data", "published.json")
    document: dict[str, Any] = json.loads(data.read_text(encoding="utf-8"))
    return document


@cache
def _published_figures() -> tuple[Published, ...]:
    rows, sources = list[Published](), _document()["sources"]
    for row in _document()["figures"]:
        value = Fraction(row["value"]) if row["objective"] == "value" else row["value"]
        rules, source = Rules.parse(row["rules"]), sources[row["source"]]
        rows.append(Published(**{**row, "rules": rules, "value": value, "source": source}))
    return tuple(rows)
