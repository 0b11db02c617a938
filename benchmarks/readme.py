"""`python -m benchmarks.readme`: what README.md shows and the program alone knows.

The table of strategies is written between its markers, from a race of all of them; the chart is
drawn into docs/pictures. A test holds README.md against `table`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pegwise
from pegwise.pictures.charts import chart_svg, race_chart

__all__ = ["BEGIN", "END", "README", "table"]

README: Final = Path(__file__).parents[1] / "README.md"
BEGIN: Final = "<!-- strategies: python -m benchmarks.readme -->\n"
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
    before, begin, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise SystemExit(f"{README} has no place for the table: {BEGIN}...{END}")
    README.write_text(f"{before}{BEGIN}{table()}{END}{after}", encoding="utf-8")
    _draw(README.parent / "docs" / "pictures")


if __name__ == "__main__":
    main()
