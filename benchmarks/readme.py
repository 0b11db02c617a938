"""`python -m benchmarks.readme`: what README.md shows and the program alone knows.

The table of strategies is written between its markers, from a race of all of them; the pictures
are drawn into docs/pictures. A test holds README.md against `table`.
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
    """Every strategy with its source and what it needs on 4x6, fewest guesses first."""
    cards = {card.id: card for card in pegwise.cards()}
    results = pegwise.race("4x6", list(cards))
    lines = [
        "| strategy | plays | described by | mean | total | worst |",
        "|---|---|---|---|---|---|",
    ]
    for found in sorted(results.standings, key=lambda found: (found.total, found.worst)):
        card = found.card
        year = f" {card.year}" if card.year else ""
        lines.append(
            f"| `{card.id}` | {card.name} | {card.authors}{year}. {card.source} "
            f"| {found.mean:.3f} | {found.total:,} | {found.worst} |"
        )
    return "\n".join(lines) + "\n"


def _draw(folder: Path) -> None:
    """The chart of a race, and the board of a game."""
    results = pegwise.race("4x6", _RACE)
    chart = race_chart(results, width=420, labelled=False)
    (folder / "race.svg").write_text(chart_svg(chart), encoding="utf-8")
    turns = pegwise.play("knuth", "4x6", "BEEF")
    left = [pegwise.count("4x6", turns[:played]) for played in range(1, len(turns) + 1)]
    board = pegwise.board_svg(
        turns, pegwise.Rules(4, 6), candidates=left, title="Knuth's minimax finds BEEF"
    )
    (folder / "board.svg").write_text(board, encoding="utf-8")


def main() -> None:
    """Write both."""
    before, found, rest = README.read_text(encoding="utf-8").partition(BEGIN)
    _, ended, after = rest.partition(END)
    if not (found and ended):
        raise SystemExit(f"{README} has no place for the table: {BEGIN}...{END}")
    README.write_text(f"{before}{BEGIN}{table()}{END}{after}", encoding="utf-8")
    _draw(README.parent / "docs" / "pictures")


if __name__ == "__main__":
    main()
