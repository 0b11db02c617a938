"""`python -m benchmarks.strategies`: the table of strategies, and the picture of a race.

The table is written between its markers into docs/race.md, from a race of all of them; the chart is
drawn into docs/pictures. A test holds the page against `table`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pegwise
from pegwise.pictures.charts import chart_svg, race_chart

__all__ = ["BEGIN", "END", "PAGE", "table"]

PAGE: Final = Path(__file__).parents[1] / "docs" / "race.md"
BEGIN: Final = "<!-- strategies: python -m benchmarks.strategies -->\n"
END: Final = "<!-- end of strategies -->\n"

_RACE: Final = ("optimal", "parts", "entropy", "knuth", "first")


def table() -> str:
    """Every strategy, who described it, and what it needs on 4x6, fewest guesses first."""
    cards = {card.id: card for card in pegwise.cards()}
    results = pegwise.race("4x6", list(cards))
    lines = ["| strategy | plays | described by | mean | worst |", "|---|---|---|---|---|"]
    for standing in sorted(results.standings, key=lambda row: (row.total, row.worst)):
        card = standing.card
        authors = f"{card.authors} {card.year or ''}".rstrip()
        figures = f"{standing.mean:.3f} | {standing.worst}"
        lines.append(f"| `{card.id}` | {card.name} | {authors} | {figures} |")
    return "\n".join(lines) + "\n"


def _draw(folder: Path) -> None:
    """The chart of a race."""
    chart = race_chart(pegwise.race("4x6", _RACE), width=420, labelled=False)
    (folder / "race.svg").write_text(chart_svg(chart), encoding="utf-8")


def main() -> None:
    """Write both."""
    before, begin, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"{PAGE} has no place for the table: {BEGIN}...{END}")
    PAGE.write_text(f"{before}{BEGIN}{table()}{END}{after}", encoding="utf-8")
    _draw(PAGE.parent / "pictures")


if __name__ == "__main__":
    main()
