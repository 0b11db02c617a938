"""What is told of records, from the certificates that come with the program.

The page is Markdown, which `docs/records.md` and what is not a terminal get; a terminal shows its
blocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from textwrap import wrap
from typing import Any, Final, NamedTuple

from pegwise.errors import Phrase
from pegwise.game import Game
from pegwise.i18n import figure, tr, translated
from pegwise.search.certificates.claims import Certificate
from pegwise.search.certificates.files import shipped_certificates
from pegwise.search.certificates.optima import BestTree, ProvenGoal, ProvenTrees
from pegwise.search.certificates.published import published_figure
from pegwise.search.certificates.sets import FixedSet
from pegwise.search.certificates.values import GameValue
from pegwise.telling.blocks import Block, Head, Report, Sentence, Table, cell_text, in_two_lines
from pegwise.trees import Tree

_TITLE: Final = Phrase("Records")
_INTRODUCTION: Final = Phrase(
    "What is proven about boards of Mastermind, each claim with a certificate that plain code "
    "checks. `pegwise records --verify` plays every stored tree and set against every secret by "
    "the plain definition of marking, and shares no code with the searches. The page "
    "docs/records.md begins with the boards that are played; its tables can be sorted and "
    "filtered."
)


class _Part(NamedTuple):
    """A part of the page: a title, what explains the table, and its columns by key.

    The rows are the certificates of a kind, or were measured: cells, set apart by spaces.
    """

    title: Phrase
    about: Phrase
    columns: str
    kind: type[Any] | None = None
    measured: tuple[str, ...] = ()


_MADE: Final = "seconds megabytes date"
_TAKEN: Final = "kibibytes to_write to_check"

# measured in November 2026
_PROVEN_BOUNDS: Final = (
    "4x6 5625 1888 13881 99 2 1",
    "4x7 11228 81628 457748 3730 78 28",
    "4x8 20471 140075 1370268 10181 257 93",
    "5x5 13496 23289 161304 1174 29 14",
    "6x4 17281 151267 525222 5565 807 109",
    "4x10,distinct 26274 106908 854647 7074 267 83",
    "3x10 5242 2089 41771 232 11 2",
    "4x5,black 3742 277 1811 19 4 1",
    "4x6,black 8859 913 11665 93 13 2",
)
_PROVEN_SETS: Final = (
    "3x8 7 408 10931 15 1 4",
    "4x6 6 154 13583 22 1 22",
    "5x4 5 7 273 2 1 2",
    "3x7,black 10 1406 11798 30 1 3",
    "4x5,black 8 230 2938 7 1 4",
    "10x2,black 7 23 133 2 1 1",
    "11x2–13x2,black 8 372 8619 16 1 97",
)

_PARTS: Final = {
    "optima": _Part(
        Phrase("Proven optima"),
        Phrase(
            "Exhaustive search ([search.md](search.md)); the chance that an answer rests on a "
            'collision of keys is below 10⁻²⁷. "Total" is the smallest sum of guesses over all '
            "secrets, with the worst case of its tree; then the smallest worst case of any tree, "
            "with the smallest total under it. Seconds are processor time for both searches, with "
            "{programs}. `pegwise records --prove RULES` repeats a row."
        ),
        f"rules total mean worst least_worst limited_total first {_MADE} standing",
        ProvenTrees,
    ),
    "tree proofs": _Part(
        Phrase("Proofs of lower bounds"),
        Phrase(
            "`pegwise optimal RULES --certificate FILE` writes the tree of the smallest total "
            "with a proof that no tree is better, a list of sets of candidates with a bound each "
            "([how](search.md#a-proof-that-anybody-can-check)). `pegwise verify FILE` checks it "
            "by the plain definition of marking, and shares no code with the search. Seconds are "
            "processor time on one core, to write the proof and to check it."
        ),
        f"rules total sets references {_TAKEN}",
        measured=_PROVEN_BOUNDS,
    ),
    "set proofs": _Part(
        Phrase("Proofs of the size of fixed sets"),
        Phrase(
            "`pegwise static RULES --certificate FILE` writes a smallest set with a proof that no "
            "smaller one is enough ([how](static.md#a-proof-that-anybody-can-check)), which "
            '`pegwise verify FILE` checks in the same way. "Sets" are the sets of guesses that '
            "the proof lists."
        ),
        f"rules size branchings sets {_TAKEN}",
        measured=_PROVEN_SETS,
    ),
    "goals": _Part(
        Phrase("Other goals"),
        Phrase(
            "The best trees for other goals than the total, proven by the same search "
            '([search.md](search.md#the-method)): "fewest-at-worst" has the smallest worst case, '
            'the fewest codes there, then the smallest total; "total-fewest" the smallest total, '
            'then the fewest codes at the last guess, at the one before, and so on; "within N" '
            "finds most codes within N guesses, then has the smallest total. Counts are of codes "
            "found with 1, 2, ... guesses. `pegwise optimal RULES --objective GOAL --search`, or "
            "`--within N`, repeats a row."
        ),
        f"rules objective total worst histogram first {_MADE}",
        ProvenGoal,
    ),
    "best": _Part(
        Phrase("Best trees known, not proven"),
        Phrase(
            "Good trees of boards that are out of reach of proof ([search.md](search.md)), "
            "each played against every secret. No tree has a total below the bound; a better "
            "one may exist. Where the two are equal the total is proven, but the smallest "
            "worst case is not. The command finds the tree of its row again; with a time limit "
            "the result depends on the machine. 7x7,distinct and 7x7,distinct,black are the "
            "same game, with the same tree."
        ),
        f"rules total mean worst lower_bound first command {_MADE} standing",
        BestTree,
    ),
    "values": _Part(
        Phrase("Values of games"),
        Phrase(
            "Both sides mix ([value.md](value.md)); lower and upper value agree as fractions. "
            "`pegwise value RULES` repeats a row."
        ),
        f"rules value mean trees {_MADE} standing",
        GameValue,
    ),
    "sets": _Part(
        Phrase("Fixed sets of guesses"),
        Phrase(
            "The smallest known sets that tell all codes apart ([static.md](static.md)). `pegwise "
            "static RULES` repeats a row."
        ),
        f"rules size lower_bound guesses {_MADE} standing",
        FixedSet,
    ),
}
"""The parts of the page, in order."""

CERTIFICATES: Final[dict[str, type[Any]]] = {
    name: part.kind for name, part in _PARTS.items() if part.kind is not None
}
"""The kinds of certificates by their keys in `documents`."""

_HEADS: Final = {
    "rules": Phrase("board"),
    "total": Phrase("total"),
    "mean": Phrase("mean"),
    "worst": Phrase("worst"),
    "least_worst": Phrase("least worst"),
    "limited_total": Phrase("its total"),
    "lower_bound": Phrase("at least"),
    "first": Phrase("first guess"),
    "objective": Phrase("goal"),
    "histogram": Phrase("counts"),
    "command": Phrase("command"),
    "value": Phrase("value"),
    "trees": Phrase("trees"),
    "size": Phrase("guesses"),
    "guesses": Phrase("set"),
    "sets": Phrase("sets"),
    "references": Phrase("references"),
    "branchings": Phrase("branchings"),
    "kibibytes": Phrase("KiB"),
    "to_write": Phrase("seconds to write"),
    "to_check": Phrase("seconds to check"),
    "seconds": Phrase("seconds"),
    "megabytes": Phrase("MiB"),
    "date": Phrase("date"),
}
_WORDS: Final = ("rules", "first", "objective", "histogram", "command", "value", "guesses", "date")
_SPARE: Final = {"megabytes": 3, "seconds": 2, "date": 1}  # first where there is no room

_STANDINGS = {
    "confirms": Phrase("confirms"),
    "corrects": Phrase("corrects"),
    "improves": Phrase("improves"),
    "reported": Phrase("reported in"),
    "new": Phrase("no published value known to us"),
}
"""The column by the first word of `Certificate.standing`."""


def records_report(board: Game | None = None) -> Report:
    """All records, or those of one board."""
    parts = [block for name in _PARTS for block in section(name, board)]
    return Report.of([Sentence(tr(_TITLE), "heading"), Sentence(tr(_INTRODUCTION)), *parts])


def section(name: str, board: Game | None = None) -> list[Block]:
    """A title, a paragraph and a table of the records; nothing where the table has no row."""
    title, about, columns, kind, measured = _PARTS[name]
    keys, programs = columns.split(), set()
    rows = [tuple(row.split()) for row in measured if board is None or row.split()[0] == str(board)]
    for certificate in shipped_certificates(kind, board) if kind else ():
        programs.add(certificate.program)
        figures = _figures(certificate)
        rows.append(tuple(_cell(key, figures[key]) for key in keys))
    if not rows:
        return []
    words = tr(str(about), programs=f"pegwise {', '.join(sorted(programs))}")
    table = Table(tuple(map(_head, keys)), tuple(rows))
    return [Sentence(tr(title), "title"), Sentence(words), table]


def _head(key: str) -> Head:
    if key == "standing":
        return Head("", "prose")
    text = tr(_HEADS[key])
    if key in _WORDS:
        return Head(text, spare=_SPARE.get(key, 0))
    return Head(in_two_lines(text), "number", _SPARE.get(key, 0))


def _figures(certificate: Certificate[Any]) -> dict[str, Any]:
    """The document of a certificate, with seconds and standing in words."""
    figures, kind = certificate_document(certificate), type(certificate.claim)
    word, _, source = certificate.standing.partition(" ")
    standing = f"{tr(_STANDINGS[word])} {source}".rstrip() if word in _STANDINGS else ""
    row = published_figure(certificate.claim.game, "worst") if kind is BestTree else None
    if row is not None and row.value < figures["worst"]:
        standing += tr(" (worst case there: {worst})", worst=row.value)
    seconds = figure(certificate.seconds, ",.0f" if kind is BestTree else ",.2f")
    made = {"megabytes": certificate.megabytes, "date": certificate.date}
    board = certificate.claim.game.name
    return figures | made | {"rules": board, "seconds": seconds, "standing": standing}


def markdown(blocks: Iterable[Block]) -> str:
    """Sentences and tables as Markdown."""
    return "\n\n".join("\n".join(_markdown(block)) for block in blocks) + "\n"


def _markdown(block: Block) -> Iterator[str]:
    if isinstance(block, Sentence):
        start = {"heading": "# ", "title": "## "}.get(block.kind, "")
        yield from wrap(
            start + translated(block.text), 100, break_long_words=False, break_on_hyphens=False
        )
    elif isinstance(block, Table):
        names = [head.text.replace("\n", " ") for head in block.heads]
        for cells in (names, None, *block.rows):
            if cells is None:
                yield f"|{'---|' * len(names)}"
            else:
                yield f"| {' | '.join(map(cell_text, cells))} |".replace("|  |", "| |")
    else:
        raise TypeError(block)


def _cell(key: str, value: Any) -> str:
    if isinstance(value, list):
        return " ".join(figure(each, ",") if isinstance(each, int) else str(each) for each in value)
    if key == "mean":
        return figure(value, ".4f")
    if key == "objective":
        return str(value).replace(":", " ")
    if isinstance(value, int) and not isinstance(value, bool):
        return figure(value, ",")
    return f"`{value}`" if key == "command" else str(value)


def _first(tree: Tree) -> str:
    return str(tree.game.guess(int(tree.nodes.guess[0])))


def certificate_document(certificate: Certificate[Any]) -> dict[str, Any]:
    """A certificate of a table as a JSON document."""
    claim, published = certificate.claim, certificate.published
    if isinstance(claim, FixedSet):
        return {
            **claim.certified(certificate),
            "standing": certificate.standing.partition(" ")[0],
            "source": published.source if published else "",
        }
    made = ("seconds", "megabytes", "date", "standing")
    common = {"rules": certificate.claim.game.name} | {
        key: getattr(certificate, key) for key in made
    }
    if isinstance(claim, GameValue):
        value = {"value": claim.write(claim.lower), "mean": float(claim.lower)}
        return common | value | {"trees": len(claim.mixture)}
    common |= {key: getattr(claim.tree, key) for key in ("total", "mean", "worst")}
    common |= {"first": _first(claim.tree), "program": certificate.program}
    if isinstance(claim, ProvenGoal):
        return common | {"objective": claim.objective, "histogram": list(claim.tree.histogram)}
    if isinstance(claim, BestTree):
        bound = {"lower_bound": claim.lower_bound, "proven": claim.tree.total == claim.lower_bound}
        return common | bound | {"command": certificate.method}
    worst = {"least_worst": claim.limited.worst, "limited_total": claim.limited.total}
    return common | worst | {"proven": True, "positions": claim.positions}


def documents(board: Game | None = None) -> dict[str, Any]:
    """The records of one board or of all as one JSON document."""
    return {
        key: [certificate_document(row) for row in shipped_certificates(kind, board)]
        for key, kind in CERTIFICATES.items()
    }
