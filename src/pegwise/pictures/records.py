"""The table of records as a page, from the certificates that come with the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pegwise.errors import Phrase
from pegwise.game import Rules
from pegwise.i18n import tr
from pegwise.search.certificates.claims import Certificate
from pegwise.search.certificates.files import shipped_certificates
from pegwise.search.certificates.optima import BestTree, ProvenGoal, ProvenTrees
from pegwise.search.certificates.published import published_figure
from pegwise.search.certificates.sets import FixedSet
from pegwise.search.certificates.values import GameValue
from pegwise.trees import Tree

_HEAD = Phrase(
    """\
# Records

What is proven about boards of Mastermind, each claim with a certificate that plain code checks.
`pegwise records --check` plays every stored tree and set against every secret by the plain
definition of marking, and shares no code with the searches. The page docs/records.md begins with
the boards that are played; its tables can be sorted and filtered.

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

_GOALS = Phrase(
    """
## Other goals

The best trees for other goals than the total, proven by the same search
([search.md](search.md#the-method)): "fewest-at-worst" has the smallest worst case, the fewest codes
there, then the smallest total; "total-fewest" the smallest total, then the fewest codes at the last
guess, at the one before, and so on; "within N" finds most codes within N guesses, then has the
smallest total. Counts are of codes found with 1, 2, ... guesses. `pegwise optimal RULES
--objective GOAL --search`, or `--within N`, repeats a row.

| board | goal | total | worst | counts | first guess | seconds | MiB | date |
|---|---|---|---|---|---|---|---|---|
"""
)

_PROOFS = Phrase(
    """
## Proofs of lower bounds

`pegwise optimal RULES --certificate FILE` writes the tree of the smallest total with a proof that
no tree is better, a list of sets of candidates with a bound each
([how](search.md#a-proof-that-anybody-can-check)). `pegwise verify FILE` checks it by the plain
definition of marking, and shares no code with the search. Seconds are processor time on one core,
to write the proof and to check it.

| board | total | sets | references | KiB | seconds to write | seconds to check |
|---|---|---|---|---|---|---|
"""
)

# measured in November 2026
_PROVEN_BOUNDS = (
    "| 4x6 | 5625 | 1888 | 13881 | 99 | 2 | 1 |",
    "| 4x7 | 11228 | 81628 | 457748 | 3730 | 78 | 28 |",
    "| 4x8 | 20471 | 140075 | 1370268 | 10181 | 257 | 93 |",
    "| 5x5 | 13496 | 23289 | 161304 | 1174 | 29 | 14 |",
    "| 6x4 | 17281 | 151267 | 525222 | 5565 | 807 | 109 |",
    "| 4x10,distinct | 26274 | 106908 | 854647 | 7074 | 267 | 83 |",
    "| 3x10 | 5242 | 2089 | 41771 | 232 | 11 | 2 |",
    "| 4x5,black | 3742 | 277 | 1811 | 19 | 4 | 1 |",
    "| 4x6,black | 8859 | 913 | 11665 | 93 | 13 | 2 |",
)

_SET_PROOFS = Phrase(
    """
## Proofs of the size of fixed sets

`pegwise static RULES --certificate FILE` writes a smallest set with a proof that no smaller one is
enough ([how](static.md#a-proof-that-anybody-can-check)), which `pegwise verify FILE` checks in the
same way. "Sets" are the sets of guesses that the proof lists.

| board | guesses | branchings | sets | KiB | seconds to write | seconds to check |
|---|---|---|---|---|---|---|
"""
)

_PROVEN_SETS = (
    "| 3x8 | 7 | 408 | 10931 | 15 | 1 | 4 |",
    "| 4x6 | 6 | 154 | 13583 | 22 | 1 | 22 |",
    "| 5x4 | 5 | 7 | 273 | 2 | 1 | 2 |",
    "| 3x7,black | 10 | 1406 | 11798 | 30 | 1 | 3 |",
    "| 4x5,black | 8 | 230 | 2938 | 7 | 1 | 4 |",
    "| 10x2,black | 7 | 23 | 133 | 2 | 1 | 1 |",
    "| 11x2–13x2,black | 8 | 372 | 8619 | 16 | 1 | 97 |",
)

_MEASURED: Final = {
    "trees": (_PROOFS, _PROVEN_BOUNDS),
    "sets": (_SET_PROOFS, _PROVEN_SETS),
}

_BEST = Phrase(
    """
## Best trees known, not proven

Good trees of boards that are out of reach of proof ([search.md](search.md)), played against every
secret as well. No tree has a total below the bound; a better one may exist. Where both are equal
the total is proven, and the smallest worst case is not. The command finds the tree of
its row again; with a time it finds what the machine can in so long. 7x7,distinct and
7x7,distinct,black are the same game, with the same tree.

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
    "reported": Phrase("reported in"),
    "new": Phrase("no published value known to us"),
}
"""The column by the first word of `Certificate.standing`."""


TABLES: Final[dict[str, tuple[type[Any], str, str]]] = {
    "optima": (ProvenTrees, _OPTIMA, "total,mean,worst,least_worst,limited_total,first"),
    "goals": (ProvenGoal, _GOALS, "objective,total,worst,histogram,first"),
    "best": (BestTree, _BEST, "total,mean,worst,lower_bound,first,command"),
    "values": (GameValue, _VALUES, "value,mean,trees"),
    "sets": (FixedSet, _SETS, "size,lower_bound,guesses"),
}
"""The kinds of certificates by their keys in `documents`: the head of a table, and what of the
document of a certificate is in its row, but for the board and how the claim was made."""


def page(board: Rules | None = None) -> str:
    """The whole page, Markdown, or what it says of one board."""
    optima, *others = (table(name, board) for name in TABLES)
    return "".join([tr(_HEAD), optima, proofs("trees", board), proofs("sets", board), *others])


def proofs(kind: str, board: Rules | None = None) -> str:
    """A table of the proofs of `trees` or `sets`, Markdown; "" where the board has none."""
    title, measured = _MEASURED[kind]
    rows = [row for row in measured if board is None or row.startswith(f"| {board} |")]
    return "".join([tr(title), *(f"{row}\n" for row in rows)]) if rows else ""


def table(name: str, board: Rules | None = None) -> str:
    """A table of the page, Markdown; "" where it has no row."""
    kind, head, columns = TABLES[name]
    certificates = [*shipped_certificates(kind, board)]
    if not certificates:
        return ""
    versions = sorted({certificate.program for certificate in certificates})
    programs = f"pegwise {', '.join(versions)}"
    rows = [_row(certificate, columns.split(",")) for certificate in certificates]
    return "".join([tr(head).format(programs=programs), *rows])


def _row(certificate: Certificate[Any], columns: Sequence[str]) -> str:
    """A row: the board, what is claimed, and how the claim was made and stands."""
    figures, kind = document(certificate), type(certificate.claim)
    word, _, source = certificate.standing.partition(" ")
    standing = [] if kind is ProvenGoal else [f"{tr(_STANDINGS[word])} {source}".rstrip()]
    row = published_figure(certificate.rules, "worst") if kind is BestTree else None
    if row is not None and row.value < figures["worst"]:
        standing[0] += tr(" (worst case there: {worst})", worst=row.value)
    seconds = f"{certificate.seconds:.{0 if kind is BestTree else 2}f}"
    cells = [_cell(key, figures[key]) for key in columns]
    cells += [seconds, str(certificate.megabytes), certificate.date, *standing]
    return f"| {' | '.join([str(certificate.rules), *cells])} |\n"


def _cell(key: str, value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    if key == "mean":
        return f"{value:.4f}"
    return f"`{value}`" if key == "command" else str(value).replace(":", " ")


def _first(tree: Tree) -> str:
    return str(tree.game.guess(int(tree.nodes.guess[0])))


def document(certificate: Certificate[Any]) -> dict[str, Any]:
    """A certificate of a table as a JSON document."""
    claim, published = certificate.claim, certificate.published
    if isinstance(claim, FixedSet):
        return {
            **claim.document(certificate),
            "standing": certificate.standing.partition(" ")[0],
            "source": published.source if published else "",
        }
    made = ("seconds", "megabytes", "date", "standing")
    common = {"rules": str(certificate.rules)} | {key: getattr(certificate, key) for key in made}
    if isinstance(claim, GameValue):
        value = {"value": claim.write(claim.lower), "mean": float(claim.lower)}
        return common | value | {"trees": len(claim.mixture)}
    common |= {key: getattr(claim.tree, key) for key in ("total", "mean", "worst")}
    common |= {"first": _first(claim.tree), "program": certificate.program}
    if isinstance(claim, ProvenGoal):
        return common | {"objective": claim.objective, "histogram": claim.tree.histogram()}
    if isinstance(claim, BestTree):
        bound = {"lower_bound": claim.lower_bound, "proven": claim.tree.total == claim.lower_bound}
        return common | bound | {"command": certificate.method}
    worst = {"least_worst": claim.limited.worst, "limited_total": claim.limited.total}
    return common | worst | {"proven": True, "positions": claim.positions}


def documents(board: Rules | None = None) -> dict[str, Any]:
    """The records of one board or of all as one JSON document."""
    return {
        key: [document(row) for row in shipped_certificates(kind, board)]
        for key, (kind, _, _) in TABLES.items()
    }
