"""Certificates in files: those that come with the program, and those in the user's folder.

A file of the package is trusted: `pegwise records --verify` plays all of them. A file of the user
is played whenever it is read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from pegwise.compute.machine import peak_memory
from pegwise.errors import DataFileError, InputError, OutputError, quoted
from pegwise.game import Game, Rules
from pegwise.kept import ANSWERS, Folder
from pegwise.paths import read_whole, write_whole
from pegwise.search.certificates.claims import Certificate, Claim, ClaimT, Document, Parts
from pegwise.search.certificates.optima import BestTree, ProvenGoal, ProvenOptimum, ProvenTrees
from pegwise.search.certificates.sets import FixedSet, ProvenSet
from pegwise.search.certificates.values import GameValue
from pegwise.search.storage import DAMAGE, pack, unpack

SET_METHOD: Final = (
    "local search for the set; exhaustion one guess below by orbital branching on pairs of codes "
    "not yet told apart"
)
COLUMN_METHOD: Final = (
    "peg by peg: no sum of columns of signs is zero; exhaustion one guess below, up to symmetry"
)

_KINDS: Final[tuple[type[Claim], ...]] = (
    ProvenTrees,
    ProvenOptimum,
    ProvenGoal,
    BestTree,
    GameValue,
    FixedSet,
    ProvenSet,
)


def certify(claim: ClaimT, seconds: float, method: str = "") -> Certificate[ClaimT]:
    """The certificate of a claim that this process has proved in `seconds` of processor time."""
    today = datetime.now(UTC).date().isoformat()
    return Certificate(claim, seconds, peak_memory() >> 20, today, method=method)


# The content of files


def content(certificate: Certificate[Any]) -> bytes:
    """The file of a certificate; the same certificate gives the same bytes."""
    claim = certificate.claim
    document, parts = claim.to_parts(certificate)
    text = json.dumps(document, indent=1).encode()
    return pack({claim.part: text, **parts}) if claim.part else text + b"\n"


def save_certificate(claim: Certificate[Any] | Claim, path: Path | str) -> None:
    """Write a certificate into a file, which appears whole or not at all.

    Args:
        claim: what was proved: `FixedSet`, `GameValue`, `ProvenOptimum`, ..., or its certificate,
            which says how.
        path: the file, with any suffix; `pegwise verify` checks it.

    Raises:
        InputError: neither a claim nor a certificate.
        OutputError: the path cannot be written.

    Examples:
        >>> pegwise.save_certificate(pegwise.find_static("3x3"), "set.json")
        >>> pegwise.load_certificate("set.json").claim.size
        3
    """
    if isinstance(claim, _KINDS):
        claim = Certificate(claim)
    if not isinstance(claim, Certificate):
        raise InputError(
            "{value} is not a certificate: give what find_static, find_value or prove_bound "
            "returned",
            value=quoted(claim),
        )
    write_whole(Path(path), [content(claim)], shared=True)


def load(kind: type[ClaimT], path: Path) -> Certificate[ClaimT]:
    """Read a certificate from a file; whether its claim holds is for `problems` to say.

    Raises:
        DataFileError: the file cannot be read, is damaged, or of another kind.
    """
    name = str(path)
    return _read(kind, _parts(read_whole(path), name), name)


def load_certificate(path: Path | str) -> Certificate[Any]:
    """Read a certificate of any kind; whether its claim holds is for `claim.problems()` to say.

    Raises:
        DataFileError: the file cannot be read, is damaged, or is no certificate.

    Examples:
        >>> pegwise.save_certificate(pegwise.find_value("2x4"), "2x4.value")
        >>> pegwise.load_certificate("2x4.value").claim.problems()
        []
    """
    name = str(path)
    parts = _parts(read_whole(Path(path)), name)
    kind = next((kind for kind in _KINDS if kind.part in parts), ProvenOptimum)
    return _read(kind, parts, name)


def _parts(data: bytes, name: str) -> Parts:
    """The parts of a file by name; a JSON document is one part."""
    return {"": data} if data.lstrip()[:1] == b"{" else unpack(data, name)


def _read(kind: type[ClaimT], parts: Parts, name: str) -> Certificate[ClaimT]:
    with _reading(kind, name):
        return kind.from_parts(json.loads(parts[kind.part]), parts)


def check_sets(piece: tuple[str, int, int]) -> list[str]:
    """Problems of the parts of a proof in a file, from one to the last by steps."""
    path, first, step = piece
    claim, checker = _opened(path)
    problems = (checker.problem(claim.proof, number) for number in range(first, claim.sets, step))
    return [problem for problem in problems if problem is not None]


@lru_cache(maxsize=1)
def _opened(path: str) -> tuple[ProvenOptimum | ProvenSet, Any]:
    claim = load_certificate(path).claim
    return claim, claim.checker()


@contextmanager
def _reading(kind: type[Claim], name: str) -> Iterator[None]:
    """Tell of what is missing, malformed or contradictory in a file."""
    try:
        yield
    # a PegwiseError of a bad rule, code or tree is a ValueError as well
    except DAMAGE as error:
        reason = f": {error}" if isinstance(error, ValueError) else ""
        raise DataFileError(
            "{name} is not a complete certificate of {what}{reason}",
            name=repr(name),
            what=kind.title,
            reason=reason,
        ) from error


# Certificates that come with the program


def shipped_boards(kind: type[Claim]) -> list[Rules]:
    """The boards of which the program has a certificate: those with repetition first."""
    if kind.table:
        return [*map(Rules.parse, _certificates_by_board(kind))]
    names = [Path(file.name) for file in _data(kind.folder).iterdir()]
    boards = [Rules.parse(name.stem) for name in names if name.suffix == kind.suffix]
    return sorted(boards, key=_by_flags)


def _by_flags(rules: Rules) -> tuple[int, str, int, int]:
    flags = str(rules).partition(",")[2]
    return len(flags), flags, rules.pegs, rules.colors


def shipped(kind: type[ClaimT], game: Game) -> Certificate[ClaimT] | None:
    """The certificate of a board that comes with the program, None if there is none.

    Raises:
        DataFileError: it is damaged.
    """
    return next(shipped_certificates(kind, game), None)


def shipped_certificates(
    kind: type[ClaimT], game: Game | None = None
) -> Iterator[Certificate[ClaimT]]:
    """The certificates of a kind that come with the program, of one board or of all.

    Raises:
        DataFileError: one is damaged.
    """
    for board in map(str, shipped_boards(kind)) if game is None else [game.text]:
        yield from (
            _certificates_by_board(kind).get(board, []) if kind.table else _shipped(kind, board)
        )


def records() -> Iterator[Certificate[ProvenTrees]]:
    """The proven optima that come with the program, each with its trees.

    Examples:
        >>> records = pegwise.records()
        >>> len([*records]) > 100
        True
    """
    return shipped_certificates(ProvenTrees)


def _data(name: str) -> Any:
    return files("pegwise.search.certificates").joinpath("data", name)


@lru_cache(maxsize=64)
def _shipped(kind: type[Claim], board: str) -> list[Certificate[Any]]:
    name = f"{board}{kind.suffix}"
    file = _data(kind.folder).joinpath(name)
    return [_read(kind, _parts(file.read_bytes(), name), name)] if file.is_file() else []


@cache
def _certificates_by_board(kind: type[Claim]) -> dict[str, list[Certificate[Any]]]:
    """The kinds of which one file holds all: by board, in the order of the file."""
    file = _data(kind.table)
    certificates: dict[str, list[Certificate[Any]]] = {}
    with _reading(kind, file.name):
        for row in json.loads(file.read_text(encoding="utf-8")):
            certificate: Certificate[Any] = kind.from_parts(row, _beside(kind, row))
            certificates.setdefault(certificate.claim.game.name, []).append(certificate)
    return certificates


def _beside(kind: type[Claim], row: Document) -> Parts:
    """The tree that stands beside a row of a table, where there is one."""
    name = ":".join([row["rules"], *([row["objective"]] if "objective" in row else [])])
    file = _data(kind.folder).joinpath(f"{name.replace(':', '-')}.tree")
    return {"best.tree": file.read_bytes()} if file.is_file() else {}


# Certificates in the user's folder


def user_file(kind: type[ClaimT], game: Game) -> tuple[Folder, str]:
    """Where the certificate of a board is kept among the user's data, and its name there."""
    name = game.file_name.replace(",", "-") if kind is FixedSet else game.file_name
    return ANSWERS.store(kind.folder), f"{name}{kind.suffix}"


def stored(kind: type[ClaimT], game: Game) -> Certificate[ClaimT] | None:
    """The best certificate of a board, of the program or of the user; None if there is none."""
    own = shipped(kind, game)
    if own is not None and not isinstance(own.claim, FixedSet):
        return own  # only sets may become smaller
    certificates = [own]
    kept, name = user_file(kind, game)
    with suppress(DataFileError):  # a damaged one is replaced
        if (value := kept.get(name)) is not None:
            users = _read(kind, _parts(bytes(value), name), name)
            if users.claim.game == game and not users.claim.problems():
                certificates.append(users)
    return min(filter(None, certificates), key=_rank, default=None)


def _rank(certificate: Certificate[Any]) -> tuple[int, bool]:
    """Smallest for the best of several certificates."""
    claim = certificate.claim
    return (len(claim.guesses), not claim.proven) if isinstance(claim, FixedSet) else (0, False)


def keep(certificate: Certificate[Any]) -> bool:
    """Keep a certificate in the user's folder for the strategies; whether it is kept.

    It is not if its claim does not hold, if as good a one is stored, or if it cannot be written.
    """
    claim = certificate.claim
    if claim.game.board is None or claim.problems():
        return False
    best = stored(type(claim), claim.game)
    if best is not None and _rank(best) <= _rank(certificate):
        return False
    kept, name = user_file(type(claim), claim.game)
    with suppress(OutputError):  # what cannot be kept is computed again
        kept.put(name, content(certificate))
        return True
    return False
