"""`python -m benchmarks.strategies [NAME ...]`: the table of strategies, and the picture of a race.

The table is written between its markers into docs/race.md, from a race of all of them, which takes
minutes; with names only these race, and their rows join the others. The chart is drawn into
docs/pictures when all race. A test holds the page against `table`.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pegwise
from pegwise.pictures.charts import race_chart

__all__ = ["BEGIN", "END", "PAGE", "table"]

PAGE: Final = Path(__file__).parents[1] / "docs" / "race.md"
BEGIN: Final = "<!-- strategies: python -m benchmarks.strategies -->\n"
END: Final = "<!-- end of strategies -->\n"

_RACE: Final = ("optimal", "parts", "entropy", "knuth", "first")


def table(names: Sequence[str] = ()) -> str:
    """Strategies, who described them, and what they need on 4x6, fewest guesses first.

    Args:
        names: those that race; all if there is none.
    """
    cards = {card.id: card for card in pegwise.cards()}
    results = pegwise.race("4x6", [*names] or list(cards))
    lines = ["| strategy | plays | described by | mean | worst |", "|---|---|---|---|---|"]
    for standing in sorted(results.standings, key=lambda row: (row.total, row.worst)):
        card = standing.card
        authors = f"{card.authors} {card.year or ''}".rstrip()
        figures = f"{standing.mean:.3f} | {standing.worst}"
        lines.append(f"| `{card.id}` | {card.name} | {authors} | {figures} |")
    return "\n".join(lines) + "\n"


def joined(rows: Sequence[str], new: Sequence[str]) -> list[str]:
    """The rows of a table with new ones, which replace those of the same strategies."""

    def strategy(row: str) -> str:
        return row.split("|")[1]

    def mean(row: str) -> float:
        return float(row.split("|")[-3])

    replaced = set(map(strategy, new))
    return sorted([*(row for row in rows if strategy(row) not in replaced), *new], key=mean)


def _draw(folder: Path) -> None:
    """The chart of a race."""
    chart = race_chart(pegwise.race("4x6", _RACE), width=420, labelled=False)
    (folder / "race.svg").write_text(chart, encoding="utf-8")


def main(names: Sequence[str]) -> None:
    """Write the table; with names, their rows."""
    before, begin, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    old, end, after = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"{PAGE} has no place for the table: {BEGIN}...{END}")
    head, ruler, *new = table(names).splitlines()
    rows = joined(old.splitlines()[2:], new) if names else new
    text = "".join(f"{line}\n" for line in (head, ruler, *rows))
    PAGE.write_text(f"{before}{BEGIN}{text}{END}{after}", encoding="utf-8")
    if not names:
        _draw(PAGE.parent / "pictures")


if __name__ == "__main__":
    main(sys.argv[1:])
