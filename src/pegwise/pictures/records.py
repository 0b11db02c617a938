"""The table of records as a page, from the certificates that come with the program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pegwise.errors import Phrase
from pegwise.i18n import tr
from pegwise.search.certificates.sets import StaticRow, static_rows
from pegwise.search.certificates.trees import BestKnown, Record, best_rows, record_rows, standing
from pegwise.search.certificates.values import ValueRow, value_rows

_HEAD = Phrase(
    """\
# Records

What is proven about boards of Mastermind, each claim with a certificate that plain code checks.
`pegwise records` prints this page from the certificates, `pegwise records --check` plays every
stored tree and set against every secret by the plain definition of marking, and shares no code
with the searches. "New" means: no published value is known to us. Programs may print the same
without having published it: mmstrat does for 3x10, 5x5 and 6x4.

"""
)

_OPTIMA = Phrase(
    """\
## Proven optima

Exhaustive search ([search.md](search.md)); the chance that an answer rests on a collision of keys
is below 10⁻²⁷. "Total" is the smallest sum of guesses over all secrets, with the worst case of its
tree; then the smallest worst case of any tree, with the smallest total under it. Seconds are
processor time for both searches, with {programs}.
`pegwise records --prove RULES` repeats a row.

| board | total | mean | worst | least worst | its total | first guess | seconds | MiB | date | |
|---|---|---|---|---|---|---|---|---|---|---|
"""
)

_BEST = Phrase(
    """
## Best trees known, not proven

Good trees of boards that are out of reach of proof ([search.md](search.md)), played against every
secret as well. No tree has a total below the bound; a better one may exist. The command finds the
tree of its row again.

| board | total | mean | worst | at least | first guess | command | seconds | MiB | date | |
|---|---|---|---|---|---|---|---|---|---|---|
"""
)

_VALUES = Phrase(
    """
## Values of games

Both sides mix ([value.md](value.md)); lower and upper value agree as fractions. `pegwise value
RULES` repeats a row.

| board | value | mean | trees | seconds | MiB | date | |
|---|---|---|---|---|---|---|---|
"""
)

_SETS = Phrase(
    """
## Fixed sets of guesses

The smallest known sets that tell all codes apart ([static.md](static.md)). `pegwise static RULES`
repeats a row.

| board | guesses | at least | set | seconds | MiB | date | |
|---|---|---|---|---|---|---|---|
"""
)


_STANDINGS = {
    "confirms": Phrase("confirms"),
    "corrects": Phrase("corrects"),
    "improves": Phrase("improves"),
    "new": Phrase("new"),
}


def page() -> str:
    """The whole page, Markdown."""
    return tr(_HEAD) + optima_section() + _best_section() + _values_section() + _sets_section()


def optima_section() -> str:
    """The table of proven optima, Markdown."""
    records = list(record_rows())
    versions = sorted({record.program for record in records})
    head = tr(_OPTIMA).format(programs=f"pegwise {', '.join(versions)}")
    return head + "".join(f"{_row(record)}\n" for record in records)


def _row(record: Record) -> str:
    tree, limited = record.proof.tree, record.proof.limited
    return (
        f"| {record.rules} | {tree.total} | {tree.mean:.4f} | {tree.worst} | {limited.worst} | "
        f"{limited.total} | {_first(record)} | {record.seconds:.2f} | {record.megabytes} | "
        f"{record.date} | {_in_words(standing(record))} |"
    )


def _first(record: Record) -> str:
    tree = record.proof.tree
    return str(tree.game.guess(int(tree.nodes.guess[0])))


def _best_section() -> str:
    return tr(_BEST) + "".join(f"{_best_row(row)}\n" for row in best_rows())


def _best_row(row: BestKnown) -> str:
    tree = row.tree
    return (
        f"| {row.rules} | {tree.total} | {tree.mean:.4f} | {tree.worst} | {row.lower_bound} | "
        f"{tree.game.guess(int(tree.nodes.guess[0]))} | `{row.command}` | {row.seconds:.0f} | "
        f"{row.megabytes} | {row.date} | {_in_words(row.standing)} |"
    )


def _values_section() -> str:
    return tr(_VALUES) + "".join(f"{_value_row(row)}\n" for row in value_rows())


def _value_row(row: ValueRow) -> str:
    return (
        f"| {row.rules} | {row.value} | {row.mean:.4f} | {row.trees} | {row.seconds:.2f} | "
        f"{row.megabytes} | {row.date} | {_in_words(_said(row))} |"
    )


def _said(row: ValueRow) -> str:
    return f"confirms {row.confirms}" if row.confirms else "new"


def _sets_section() -> str:
    return tr(_SETS) + "".join(_set_rows(static_rows()))


def _set_rows(rows: tuple[StaticRow, ...]) -> Iterator[str]:
    for row in rows:
        found = row.certificate
        stands = _in_words(f"{row.standing} {row.source}".rstrip())
        shown = " ".join(str(guess) for guess in found.guesses)
        yield (
            f"| {found.rules} | {found.size} | {found.lower_bound} | {shown} | "
            f"{found.seconds:.2f} | {found.memory} | {found.date} | {stands} |\n"
        )


def _in_words(standing: str) -> str:
    """How a claim stands to what is published, in the language that is spoken."""
    word, _, rest = standing.partition(" ")
    return f"{tr(_STANDINGS[word])} {rest}".rstrip()


def document(record: Record) -> dict[str, Any]:
    """A record as a JSON document."""
    tree, limited = record.proof.tree, record.proof.limited
    return {
        "rules": str(record.rules),
        "total": tree.total,
        "mean": tree.mean,
        "worst": tree.worst,
        "least_worst": limited.worst,
        "limited_total": limited.total,
        "first": _first(record),
        "proven": True,
        "positions": record.proof.positions,
        "seconds": record.seconds,
        "megabytes": record.megabytes,
        "date": record.date,
        "program": record.program,
        "standing": standing(record),
    }


def documents() -> dict[str, Any]:
    """All records as one JSON document."""
    return {
        "optima": [document(record) for record in record_rows()],
        "best": [row.document() for row in best_rows()],
        "values": [
            {
                "rules": str(row.rules),
                "value": row.value,
                "trees": row.trees,
                "seconds": row.seconds,
                "megabytes": row.megabytes,
                "date": row.date,
                "standing": _said(row),
            }
            for row in value_rows()
        ],
        "sets": [
            {**row.certificate.document(), "standing": row.standing, "source": row.source}
            for row in static_rows()
        ],
    }
