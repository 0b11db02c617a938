"""The page of records: `python -m tools.records` writes its tables from the certificates.

`docs/records.md` answers what people ask, for the boards that are played, in a table between its
markers; all other tables follow between the markers at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from pegwise.game import Rules
from pegwise.telling.records import documents, markdown, section

__all__ = ["PAGE", "page"]

PAGE: Final = Path(__file__).parents[1] / "docs" / "records.md"

PLAYED: Final = (
    *("4x6", "5x8", "4x8", "4x10,distinct", "4x7", "5x5", "5x6", "6x4", "3x6", "4x6,distinct"),
    *("4x6,black", "4x10", "6x6", "5x9"),
)
"""Boards that are sold, or that papers are about."""

BEGIN: Final = "<!-- boards: python -m tools.records -->\n"
END: Final = "<!-- end of boards -->\n"
TABLES: Final = "<!-- tables: python -m tools.records -->\n"

_HEADS: Final = """\
| board | secrets | total | mean | worst | least worst | first guess | value | fixed set |
|---|---|---|---|---|---|---|---|---|
"""
_COLUMNS: Final = (("optima", "total"), ("values", "value"), ("sets", "set"))
_SECTIONS: Final = ("best", "goals", "tree proofs", "set proofs")

Records = dict[str, dict[str, dict[str, Any]]]
"""Documents of certificates by the kind of record and the board."""


def page() -> str:
    """The text of the page."""
    records: Records = {
        kind: {row["rules"]: row for row in rows} for kind, rows in documents().items()
    }
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    between = rest.partition(END)[2].partition(TABLES)[0]
    usual = "".join(f"{_row(rules, records)}\n" for rules in PLAYED)
    tables = markdown(block for name in _SECTIONS for block in section(name))
    summary = f"{before}{BEGIN}{_HEADS}{usual}{END}"
    return f"{summary}{between}{TABLES}{''.join(_all_boards(records))}\n{tables}"


def _all_boards(records: Records) -> Iterator[str]:
    """Return one line for each board of which anything is proven, then the sources by number."""
    boards = dict.fromkeys(rules for kind, _ in _COLUMNS for rules in records[kind])
    sources = dict[str, int]()
    names, line = _HEADS.splitlines()
    yield f"{names} published |\n{line}---|\n"
    for rules in sorted(boards, key=_order):
        yield f"{_row(rules, records)} {'; '.join(_published(rules, records, sources))} |\n"
    yield "\nThe numbers in the last column:\n\n"
    for source, number in sources.items():
        yield f"{number}. {source}\n"


def _order(name: str) -> tuple[tuple[str, ...], int, int]:
    """Boards with the same flags stand together, by pegs and colors."""
    rules = Rules.parse(name)
    return tuple(name.split(",")[1:]), rules.pegs, rules.colors


def _row(rules: str, records: Records) -> str:
    """The best results known of a board."""
    optimum, best = records["optima"].get(rules), records["best"].get(rules)
    value, fixed = records["values"].get(rules), records["sets"].get(rules)
    cells = [rules, f"{Rules.parse(rules).n_secrets:,}"]
    if tree := optimum or best:
        sign = "" if optimum else "≤ "
        cells += [f"{sign}{tree['total']:,}", f"{sign}{tree['mean']:.4f}", str(tree["worst"])]
        cells += [f"{sign}{tree['least_worst' if optimum else 'worst']}", tree["first"]]
    else:
        cells += [""] * 5
    cells.append("" if value is None else f"{value['value']} = {value['mean']:.4f}")
    least = fixed is not None and fixed["size"] == fixed["lower_bound"]
    cells.append("" if fixed is None else f"{'' if least else '≤ '}{fixed['size']}")
    return f"| {' | '.join(cells)} |"


def _published(rules: str, records: Records, sources: dict[str, int]) -> Iterable[str]:
    """What is published of the figures of a board, with numbers for the sources."""
    for kind, figure in _COLUMNS:
        row = records[kind].get(rules)
        if row is None or row["standing"] == "new":
            continue
        word, _, source = row["standing"].partition(" ")
        source = source or row.get("source", "")
        if word != "confirms" and word != "reported":
            other, _, source = source.partition(", ")
            word = f"{word} {int(other):,}"
        yield f"{figure} {word} [{sources.setdefault(source, len(sources) + 1)}]"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
    print("written: docs/records.md")
