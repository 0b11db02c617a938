"""The pages of records: `python -m tools.records` writes them from the certificates.

`docs/records.md` answers what people ask, for the boards that are played, in a table between its
markers; the long tables stand on pages of their own.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from pegwise.game import Rules
from pegwise.telling.blocks import Block, Sentence
from pegwise.telling.records import documents, markdown, section

__all__ = ["DOCS", "pages"]

DOCS: Final = Path(__file__).parents[1] / "docs"

PLAYED: Final = (
    *("4x6", "5x8", "4x8", "4x10,distinct", "4x7", "5x5", "5x6", "6x4", "3x6", "4x6,distinct"),
    *("4x6,black", "4x10", "6x6", "5x9"),
)
"""Boards that are sold, or that papers are about."""

BEGIN: Final = "<!-- boards: python -m tools.records -->\n"
END: Final = "<!-- end of boards -->\n"

_HEADS: Final = """\
| board | secrets | total | mean | at worst | first guess | value | fixed set |
|---|---|---|---|---|---|---|---|
"""

_FIRST: Final = {
    "optima": "For whoever looks up a proven optimum. [Records](records.md) has the usual boards.",
    "best": "For whoever wants to improve a record. [Records](records.md) has the proven ones.",
    "values": "For whoever looks up the value of a game. The usual boards: [records](records.md).",
    "sets": "For whoever looks up a fixed set of guesses. The usual boards: [records](records.md).",
}


def pages() -> dict[str, str]:
    """The text of each page by its name."""
    records = documents()
    before, _, rest = (DOCS / "records.md").read_text("utf-8").partition(BEGIN)
    summary = f"{before}{BEGIN}{_HEADS}{''.join(_rows(records))}{END}{rest.partition(END)[2]}"
    parts = {
        "optima": ["optima", "tree proofs", "goals"],
        "best": ["best"],
        "values": ["values"],
        "sets": ["sets", "set proofs"],
    }
    long = {f"records-{name}.md": _page(name, tables) for name, tables in parts.items()}
    return {"records.md": summary, **long}


def _rows(records: dict[str, list[dict[str, Any]]]) -> Iterable[str]:
    """Return one line for each board that is played: the best results known of it."""
    by_rules = {name: {row["rules"]: row for row in rows} for name, rows in records.items()}
    for rules in PLAYED:
        proven, best = by_rules["optima"].get(rules), by_rules["best"].get(rules)
        value, fixed = by_rules["values"].get(rules), by_rules["sets"].get(rules)
        row = proven or best
        if row is None:
            continue
        sign, worst = ("", row["least_worst"]) if proven else ("≤ ", row["worst"])
        cells = [rules, f"{Rules.parse(rules).n_secrets:,}", f"{sign}{row['total']:,}"]
        cells += [f"{sign}{row['mean']:.3f}", f"{sign}{worst}", row["first"]]
        cells.append("" if value is None else f"{value['value']} = {value['mean']:.3f}")
        least = fixed is not None and fixed["size"] == fixed["lower_bound"]
        cells.append("" if fixed is None else f"{'' if least else '≤ '}{fixed['size']}")
        yield f"| {' | '.join(cells)} |\n"


def _page(name: str, tables: list[str]) -> str:
    """Tables of one page: the title of the first is that of the page."""
    blocks: list[Block] = [block for table in tables for block in section(table)]
    title = blocks[0]
    assert isinstance(title, Sentence)
    return markdown([Sentence(title.text, "heading"), Sentence(_FIRST[name]), *blocks[1:]])


if __name__ == "__main__":
    for name, text in pages().items():
        (DOCS / name).write_text(text, "utf-8")
        print(f"written: docs/{name}")
