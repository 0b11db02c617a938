"""Proven optima with their trees: certificates that come with the program, and their check.

A certificate of a board holds the tree of smallest total and, where that is another one, the tree
of smallest worst case that has the smallest total of those. The check plays both against every
secret by the plain definition of marking; that no tree is better is for the exact search to
repeat (`prove`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from pegwise._version import __version__
from pegwise.compute import Place
from pegwise.errors import DataFileError, InputError, Phrase, TreeFileError
from pegwise.game import Rules, mastermind
from pegwise.paths import home
from pegwise.progress import Report, silent
from pegwise.search.archive import pack, read_parts, write_whole
from pegwise.search.certificates.published import (
    Published,
    published,
    published_total,
    shipped_boards,
    shipped_parts,
)
from pegwise.search.exact.optimal import OptimalSearch
from pegwise.search.resume import Checkpoint
from pegwise.trees import Tree
from pegwise.trees.store import from_bytes, to_bytes
from pegwise.trees.verify import verify

_FORMAT: Final = 1
_FOLDER: Final = "optima"
_SUFFIX: Final = ".optimum"


@dataclass(frozen=True)
class Proof:
    """Two trees that exhaustive search has proven best.

    Attributes:
        tree: smallest total.
        limited: smallest worst case, and of those the smallest total; may be the same tree.
        positions: sets entered by both searches.
    """

    tree: Tree
    limited: Tree
    positions: int


@dataclass(frozen=True)
class Record:
    """A certificate.

    Attributes:
        rules: the board.
        proof: the trees.
        seconds: processor time of both searches.
        megabytes: most memory that the program took.
        date: when, as YYYY-MM-DD.
        program: the version that made it.
    """

    rules: Rules
    proof: Proof
    seconds: float
    megabytes: int
    date: str
    program: str = __version__

    @property
    def total(self) -> int:
        """The smallest total."""
        return self.proof.tree.total

    @property
    def least_worst(self) -> int:
        """The smallest worst case."""
        return self.proof.limited.worst


def prove(
    rules: Rules,
    *,
    threads: int = 1,
    where: Place | None = None,
    keep: bool = False,
    report: Report = silent,
) -> Proof:
    """Search both optima of a board to the end.

    Args:
        rules: the board.
        threads: how many search side by side.
        where: processes or a cluster that do most of the work.
        keep: whether to keep checkpoints and finished pieces among the user's data, and to go on
            from those that are there.
        report: is told of every step.

    Raises:
        InputError: some secret can never be found, so that there is no tree.
        TooLargeError: the board is too large for exact search.
    """
    game = mastermind(rules)
    pieces = home() / "pieces" if keep else None
    searches = [
        OptimalSearch(game, objective=objective, threads=threads, where=where, kept=pieces)
        for objective in ("total", "worst-total")
    ]
    found = []
    for search in searches:
        checkpoint = Checkpoint(Checkpoint.default_path(search))
        if keep:
            checkpoint.resume(search)
        for step in checkpoint.run(search) if keep else search:
            report(step)
        found.append(search.result())
        if keep and search is searches[0]:
            checkpoint.save(search)  # found again at once if the second search is left
    if keep:
        Checkpoint.default_path(searches[0]).unlink(missing_ok=True)
    free, limited = found
    if free.tree is None or limited.tree is None:
        raise InputError("{rules} has no tree that finds every secret", rules=rules)
    same = (free.tree.total, free.tree.worst) == (limited.tree.total, limited.tree.worst)
    positions = free.positions + limited.positions
    return Proof(free.tree, free.tree if same else limited.tree, positions)


def save_record(record: Record, path: Path) -> None:
    """Write a certificate into a file; the same certificate gives the same bytes.

    Raises:
        OutputError: it cannot be written.
    """
    proof = record.proof
    document = {
        "format": _FORMAT,
        "program": record.program,
        "rules": str(record.rules),
        "total": proof.tree.total,
        "worst": proof.tree.worst,
        "least_worst": proof.limited.worst,
        "limited_total": proof.limited.total,
        "positions": proof.positions,
        "seconds": round(record.seconds, 2),
        "megabytes": record.megabytes,
        "date": record.date,
    }
    parts = {"record.json": json.dumps(document, indent=1).encode()}
    parts["total.tree"] = to_bytes(proof.tree)
    if proof.limited is not proof.tree:
        parts["worst.tree"] = to_bytes(proof.limited)
    write_whole(path, [pack(parts)])


def load_record(path: Path) -> Record:
    """Read a certificate from a file; whether its trees play as they say is for `check_record`.

    Raises:
        DataFileError: the file cannot be read, is damaged or foreign.
    """
    return _read(read_parts(path), str(path))


def _read(parts: dict[str, bytes], name: str) -> Record:
    try:
        document = json.loads(parts["record.json"])
        if document["format"] != _FORMAT:
            raise ValueError("unknown format")
        rules = Rules.parse(document["rules"])
        tree = from_bytes(parts["total.tree"])
        limited = from_bytes(parts["worst.tree"]) if "worst.tree" in parts else tree
        if any(t.game.name != str(rules) or t.game.weights is not None for t in (tree, limited)):
            raise ValueError("a tree is of another game")
        said = [document[key] for key in ("total", "worst", "limited_total", "least_worst")]
        if said != [tree.total, tree.worst, limited.total, limited.worst]:
            raise ValueError("the trees have other totals or worst cases than it says")
        return Record(
            rules,
            Proof(tree, limited, int(document["positions"])),
            float(document["seconds"]),
            int(document["megabytes"]),
            str(document["date"]),
            str(document["program"]),
        )
    # a TreeFileError is a ValueError as well
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        told = isinstance(error, TreeFileError) or str(error).startswith(("the ", "a ", "unk"))
        reason = f": {error}" if told else ""
        raise DataFileError(
            "{name} is no whole certificate of an optimum{reason}", name=repr(name), reason=reason
        ) from error


@lru_cache(maxsize=16)
def shipped_record(rules: Rules) -> Record | None:
    """The certificate that comes with the program, None if there is none."""
    name = f"{rules}{_SUFFIX}"
    parts = shipped_parts(_FOLDER, name)
    return None if parts is None else _read(parts, name)


def record_rows() -> Iterator[Record]:
    """All certificates that come with the program: repetition first, then other rules."""
    for rules in shipped_boards(_FOLDER, _SUFFIX):
        record = shipped_record(rules)
        if record is not None:
            yield record


def check_record(record: Record) -> list[str]:
    """Play both trees by the plain marking: what is wrong, a sentence each."""
    problems: list[str] = []
    trees = [(Phrase("tree of the smallest total"), record.proof.tree)]
    if record.proof.limited is not record.proof.tree:
        trees.append((Phrase("tree of the smallest worst"), record.proof.limited))
    for name, tree in trees:
        played = verify(tree)
        problems += [Phrase("{tree}: {text}", tree=name, text=text) for text in played.problems[:1]]
        if (played.total, played.worst) != (tree.total, tree.worst):
            problems.append(
                Phrase(
                    "{tree}: plays {played}, not {total}",
                    tree=name,
                    played=played.total,
                    total=tree.total,
                )
            )
    for row in published(record.rules):
        found = _comparable(record, row)
        if row.proven and found is not None and found != row.value:
            problems.append(
                Phrase(
                    "{what}: {found}, but {value} is published ({source})",
                    what=row.words,
                    found=found,
                    value=row.value,
                    source=row.source,
                )
            )
    return problems


def check_records() -> Iterator[tuple[Rules, list[str]]]:
    """Check every certificate that comes with the program."""
    for record in record_rows():
        yield record.rules, check_record(record)


def _comparable(record: Record, row: Published) -> int | None:
    """What the record says of the same question; None for a question that it does not answer."""
    if row.guesses != "all":
        return None
    if row.objective == "worst":
        return record.least_worst
    if row.max_guesses is None:
        return record.total
    return record.proof.limited.total if row.max_guesses == record.least_worst else None


def standing(record: Record) -> str:
    """`confirms` with the source of a published smallest total, `corrects` one, or `new`."""
    row = published_total(record.rules)
    if row is None:
        return "new"
    source = row.source.partition(",")[0] if row.source.startswith("github") else row.source
    if row.value == record.total:
        return f"confirms {source}"
    return f"{'corrects' if row.proven else 'improves'} {row.value}, {source}"


# The best trees known of boards whose optimum is not proven, and their check.
#
# A certificate is a tree, which comes with the program, and a row of `best.json` that says how it
# was found. The check plays the tree against every secret by the plain definition of marking; that
# there is none better, nobody claims.

_BEST_FOLDER: Final = "best"


@dataclass(frozen=True)
class BestKnown:
    """A tree that is not known to be best.

    Attributes:
        rules: the board.
        tree: the tree.
        lower_bound: no tree has a smaller total, proven.
        command: what finds it again.
        seconds: processor time that it took.
        megabytes: most memory that the program took.
        date: when, as YYYY-MM-DD.
        program: the version that found it.
    """

    rules: Rules
    tree: Tree
    lower_bound: int
    command: str
    seconds: float
    megabytes: int
    date: str
    program: str

    @property
    def standing(self) -> str:
        """`improves` or `confirms` with the best total published, or `new`."""
        row = published_total(self.rules)
        if row is None:
            return "new"
        if row.value == self.tree.total:
            return f"confirms {row.source}"
        return f"improves {row.value}, {row.source}"

    def document(self) -> dict[str, Any]:
        """The row as a JSON document."""
        tree = self.tree
        return {
            "rules": str(self.rules),
            "total": tree.total,
            "mean": tree.mean,
            "worst": tree.worst,
            "lower_bound": self.lower_bound,
            "first": str(tree.game.guess(int(tree.nodes.guess[0]))),
            "proven": False,
            "command": self.command,
            "seconds": self.seconds,
            "megabytes": self.megabytes,
            "date": self.date,
            "program": self.program,
            "standing": self.standing,
        }


@cache
def _rows() -> tuple[BestKnown, ...]:
    folder = files("pegwise.search.certificates").joinpath("data", _BEST_FOLDER)
    rows = []
    for row in json.loads(folder.joinpath("best.json").read_text(encoding="utf-8")):
        rules = Rules.parse(row["rules"])
        name = f"{rules}.tree"
        tree = from_bytes(folder.joinpath(name).read_bytes(), name)
        if tree.game.name != str(rules) or tree.total != row["total"]:
            raise DataFileError("{name} is not the tree that best.json tells of", name=repr(name))
        rows.append(
            BestKnown(
                rules,
                tree,
                int(row["lower_bound"]),
                str(row["command"]),
                float(row["seconds"]),
                int(row["megabytes"]),
                str(row["date"]),
                str(row["program"]),
            )
        )
    return tuple(rows)


def best_rows() -> tuple[BestKnown, ...]:
    """All trees of this kind that come with the program.

    Raises:
        DataFileError: one is damaged.
    """
    return _rows()


def check_best(row: BestKnown) -> list[str | Phrase]:
    """Play a tree by the plain marking: what is wrong, a sentence each."""
    played = verify(row.tree)
    problems: list[str | Phrase] = list(played.problems[:1])
    if played.total != row.tree.total:
        problems.append(
            Phrase("plays {played}, not {said}", played=played.total, said=row.tree.total)
        )
    return problems


def check_best_rows() -> Iterator[tuple[Rules, list[str | Phrase]]]:
    """Check every tree of this kind that comes with the program."""
    for row in best_rows():
        yield row.rules, check_best(row)
