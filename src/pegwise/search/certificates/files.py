"""Certificates in files: those that come with the program, and those in the user's folder.

A file of the package is trusted: `pegwise records --check` plays all of them. A file of the user
is played whenever it is read.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import fields, replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from tokenize import TokenError
from typing import Any, Final, TypeVar

import numpy as np

from pegwise.compute.machine import peak_memory
from pegwise.errors import CodeError, DataFileError, InputError, OutputError, Phrase
from pegwise.game import Code, Rules, game_of, mastermind, parse_code
from pegwise.paths import home, read_text, read_whole, write_whole
from pegwise.search.certificates.claims import (
    BestTree,
    Certificate,
    Claim,
    ClaimT,
    FixedSet,
    GameValue,
    ProvenBound,
    ProvenGoal,
    ProvenSet,
    ProvenTrees,
    classes_of,
)
from pegwise.search.storage import DAMAGE, pack, unpack
from pegwise.trees import Tree
from pegwise.trees.lower_bound import LowerBound
from pegwise.trees.set_bound import Branchings
from pegwise.trees.store import from_bytes, to_bytes

SET_METHOD: Final = (
    "local search for the set; exhaustion one guess below by orbital branching on pairs of codes "
    "not yet told apart"
)
COLUMN_METHOD: Final = (
    "peg by peg: no sum of columns of signs is zero; exhaustion one guess below, up to symmetry"
)

_FORMAT: Final = 1
_OBJECTIVES: Final = ("total", "worst", "worst-total")
_SUFFIXES: Final[dict[type, str]] = {ProvenTrees: ".optimum", GameValue: ".value"}
_FOLDERS: Final[dict[type, str]] = {ProvenTrees: "optima", GameValue: "values", FixedSet: "static"}
_TABLES: Final[dict[type, str]] = {
    FixedSet: "static_sets.json",
    BestTree: "best/best.json",
    ProvenGoal: "goals/goals.json",
}
_PARTS: Final[dict[type, str]] = {  # of a file, which tells of the claim
    ProvenTrees: "record.json",
    ProvenBound: "bound.json",
    ProvenSet: "set.json",
    GameValue: "value.json",
}
_PROVEN_FOR: Final = "proven_for"  # there, the board with fewer pegs that the proof is about
ProofT = TypeVar("ProofT", LowerBound, Branchings)
_LARGEST_LIST: Final = 1 << 22  # bytes of a list of guesses that are read


def certify(claim: ClaimT, seconds: float, method: str = "") -> Certificate[ClaimT]:
    """The certificate of what this process has found now, in so many seconds of processor time."""
    today = datetime.now(UTC).date().isoformat()
    return Certificate(claim, seconds, peak_memory() >> 20, today, method=method)


# The content of files


def content(certificate: Certificate[Any]) -> bytes:
    """The file of a certificate; the same certificate gives the same bytes."""
    claim, program = certificate.claim, certificate.program
    figures: dict[str, Any]
    trees: dict[str, Tree]
    match claim:
        case FixedSet():
            return _json(set_document(certificate)) + b"\n"
        case ProvenSet():
            fixed = set_document(replace(certificate, claim=claim.fixed))
            if claim.board.name != claim.game.name:
                fixed[_PROVEN_FOR] = claim.board.name
            return pack({_PARTS[ProvenSet]: _json(fixed), **_arrays(claim.proof)})
        case ProvenBound():
            trees = {"best.tree": claim.tree}
            figures = {"objective": claim.objective, "max_guesses": claim.max_guesses}
        case ProvenTrees():
            trees = {"total.tree": claim.tree}
            if claim.limited is not claim.tree:
                trees["worst.tree"] = claim.limited
            figures = {
                "total": claim.tree.total,
                "worst": claim.tree.worst,
                "least_worst": claim.limited.worst,
                "limited_total": claim.limited.total,
            }
        case GameValue():
            program = f"pegwise {program}"
            trees = {f"{number}.tree": tree for number, (_, tree) in enumerate(claim.mixture, 1)}
            figures = {
                "value": claim.write(claim.lower),
                "codemaker": claim.codemaker(),
                "cost": claim.cost,
                "codebreaker": [str(probability) for probability, _ in claim.mixture],
            }
    document = {
        "format": _FORMAT,
        "program": program,
        "rules": claim.game.name,
        **figures,
        "positions": claim.positions,
        "seconds": round(certificate.seconds, 2),
        "megabytes": certificate.megabytes,
        "date": certificate.date,
    }
    proof = _arrays(claim.proof) if isinstance(claim, ProvenBound) else {}
    tree_parts = {name: to_bytes(tree) for name, tree in trees.items()}
    return pack({_PARTS[type(claim)]: _json(document), **proof, **tree_parts})


def _json(document: dict[str, Any]) -> bytes:
    return json.dumps(document, indent=1).encode()


def _arrays(proof: LowerBound | Branchings) -> dict[str, bytes]:
    """The parts of a file that `_proof` reads."""
    parts = {}
    for name, array in vars(proof).items():
        file = io.BytesIO()
        smallest = np.min_scalar_type(array.max(initial=0))
        np.lib.format.write_array(file, array.astype(smallest), allow_pickle=False)
        parts[f"{name}.npy"] = file.getvalue()
    return parts


def _proof(kind: type[ProofT], parts: dict[str, bytes]) -> ProofT:
    """A proof from the arrays of a file, in NumPy's format; a ValueError if they are damaged."""
    arrays = {}
    for name in (field.name for field in fields(kind)):
        try:
            file = io.BytesIO(parts[f"{name}.npy"])
            array = np.lib.format.read_array(file, allow_pickle=False)
        except (EOFError, LookupError, MemoryError, TokenError) as error:
            raise ValueError(Phrase("{field} cannot be read", field=name)) from error
        if not np.issubdtype(array.dtype, np.integer):
            raise ValueError(Phrase("{field} holds no whole numbers", field=name))
        arrays[name] = array.astype(np.int64)
    return kind(**arrays)


def save(certificate: Certificate[Any], path: Path) -> None:
    """Write a certificate into a file.

    Raises:
        OutputError: it cannot be written.
    """
    write_whole(path, [content(certificate)])


def load(kind: type[ClaimT], path: Path) -> Certificate[ClaimT]:
    """Read a certificate from a file; whether its claim holds is for `problems` to say.

    Raises:
        DataFileError: the file cannot be read, is damaged, or of another kind.
    """
    return _read(kind, read_whole(path), str(path))


def _read(kind: type[ClaimT], data: bytes, name: str) -> Certificate[ClaimT]:
    parse: Any = {
        ProvenTrees: _optimum_of,
        ProvenBound: _bound_of,
        ProvenSet: _proven_set_of,
        GameValue: _value_of,
        FixedSet: _set_of,
    }[kind]
    parts = None if kind is FixedSet else unpack(data, name)
    with _reading(kind, name):
        certificate: Certificate[ClaimT] = parse(json.loads(data) if parts is None else parts)
    return certificate


def load_any(path: Path) -> Certificate[Any]:
    """Read a certificate of any kind; the errors are those of `load`."""
    data, name = read_whole(path), str(path)
    if data[:1] == b"{":
        return _read(FixedSet, data, name)
    parts = unpack(data, name)
    kind = next((kind for kind, part in _PARTS.items() if part in parts), ProvenBound)
    return _read(kind, data, name)


def check_sets(piece: tuple[str, int, int]) -> list[str]:
    """What is wrong with the parts of a proof in a file, from one to the last by steps."""
    path, first, step = piece
    claim, checker = _opened(path)
    problems = (checker.problem(claim.proof, number) for number in range(first, claim.sets, step))
    return [problem for problem in problems if problem is not None]


@lru_cache(maxsize=1)
def _opened(path: str) -> tuple[ProvenBound | ProvenSet, Any]:
    claim = load_any(Path(path)).claim
    return claim, claim.checker()


@contextmanager
def _reading(kind: type[ClaimT], name: str) -> Iterator[None]:
    """Tell of what is missing, malformed or contradictory in a file."""
    try:
        yield
    # a PegwiseError of a bad rule, code or tree is a ValueError as well
    except DAMAGE as error:
        reason = f": {error}" if isinstance(error, ValueError) else ""
        raise DataFileError(
            "{name} is no whole certificate of {what}{reason}",
            name=repr(name),
            what=kind.title,
            reason=reason,
        ) from error


def _document(parts: dict[str, bytes], kind: type) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(parts[_PARTS[kind]])
    if document["format"] != _FORMAT:
        raise ValueError("unknown format")
    return document


def _tree(part: bytes, rules: Rules) -> Tree:
    tree = from_bytes(part)
    if tree.game.name != str(rules) or tree.game.weights is not None:
        raise ValueError("a tree is of another game")
    return tree


def _made(document: dict[str, Any], program: str) -> dict[str, Any]:
    """How a certificate was made, as `Certificate` names it."""
    return {
        "seconds": float(document["seconds"]),
        "megabytes": _count(document["megabytes"]),
        "date": str(document["date"]),
        "program": program,
    }


def _count(number: Any) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise ValueError("not a whole number from 0")
    return number


def _optimum_of(parts: dict[str, bytes]) -> Certificate[ProvenTrees]:
    document = _document(parts, ProvenTrees)
    rules = Rules.parse(document["rules"])
    tree = _tree(parts["total.tree"], rules)
    limited = _tree(parts["worst.tree"], rules) if "worst.tree" in parts else tree
    claimed = [document[key] for key in ("total", "worst", "limited_total", "least_worst")]
    if claimed != [tree.total, tree.worst, limited.total, limited.worst]:
        raise ValueError("the trees have other totals or worst cases than it says")
    claim = ProvenTrees(tree, limited, _count(document["positions"]))
    return Certificate(claim, **_made(document, str(document["program"])))


def _bound_of(parts: dict[str, bytes]) -> Certificate[ProvenBound]:
    document, tree = _document(parts, ProvenBound), from_bytes(parts["best.tree"])
    objective, most = document["objective"], document["max_guesses"]
    if tree.game.name != document["rules"] or objective not in _OBJECTIVES:
        raise ValueError("the tree is of another game, or the objective unknown")
    most = None if most is None else _count(most)
    proof, positions = _proof(LowerBound, parts), _count(document["positions"])
    claim = ProvenBound(tree, objective, most, proof, positions)
    return Certificate(claim, **_made(document, str(document["program"])))


def _value_of(parts: dict[str, bytes]) -> Certificate[GameValue]:
    document = _document(parts, GameValue)
    game = mastermind(document["rules"])
    classes = classes_of(game)
    stored_weights = document["codemaker"]
    weights = tuple(_count(stored_weights[str(game.secret(first))]) for first in classes.first)
    if not any(weights) or len(stored_weights) != len(weights):
        raise ValueError("weights do not fit the classes")
    mixture = tuple(
        (Fraction(probability), _tree(parts[f"{number}.tree"], game.rules))
        for number, probability in enumerate(document["codebreaker"], 1)
    )
    if not mixture:
        raise ValueError("no trees")
    cost, positions = _count(document["cost"]), _count(document["positions"])
    stated = Fraction(document["value"]) if "value" in document else None
    claim = GameValue(game, classes, weights, cost, mixture, positions, stated)
    return Certificate(claim, **_made(document, document["program"].removeprefix("pegwise ")))


def set_document(certificate: Certificate[FixedSet]) -> dict[str, Any]:
    """The certificate of a fixed set as a JSON document."""
    claim = certificate.claim
    return {
        "rules": claim.game.name,
        "guesses": [str(code) for code in claim.codes],
        "lower_bound": claim.lower_bound,
        "method": certificate.method,
        "version": certificate.program,
        "date": certificate.date,
        "seconds": round(certificate.seconds, 2),
        "memory": certificate.megabytes,
        "positions": claim.positions,
        "size": claim.size,
        "proven": claim.proven,
    }


def _set_of(document: dict[str, Any]) -> Certificate[FixedSet]:
    rules = Rules.parse(document["rules"])
    game = game_of(rules)
    numbers = tuple(game.guess_number(parse_code(code, rules)) for code in document["guesses"])
    claim = FixedSet(game, numbers, int(document["lower_bound"]), int(document["positions"]))
    if (document["size"], document["proven"]) != (claim.size, claim.proven):
        raise ValueError("size, proven, guesses and lower bound do not agree")
    document = {**document, "megabytes": document["memory"]}
    made = _made(document, str(document["version"]))
    return Certificate(claim, method=str(document["method"]), **made)


def _proven_set_of(parts: dict[str, bytes]) -> Certificate[ProvenSet]:
    document = json.loads(parts[_PARTS[ProvenSet]])
    certificate: Certificate[Any] = _set_of(document)
    board = game_of(Rules.parse(document.get(_PROVEN_FOR, document["rules"])))
    claim = ProvenSet(certificate.claim, board, _proof(Branchings, parts))
    return replace(certificate, claim=claim)


# Certificates that come with the program


def shipped_boards(kind: type[Claim]) -> list[Rules]:
    """The boards of which the program has a certificate: those with repetition first."""
    if kind in _TABLES:
        return list(_table(kind))
    names = [Path(file.name) for file in _data(_FOLDERS[kind]).iterdir()]
    boards = [Rules.parse(name.stem) for name in names if name.suffix == _SUFFIXES[kind]]
    return sorted(boards, key=_by_flags)


def _by_flags(rules: Rules) -> tuple[int, str, int, int]:
    flags = str(rules).partition(",")[2]
    return len(flags), flags, rules.pegs, rules.colors


def shipped(kind: type[ClaimT], rules: Rules) -> Certificate[ClaimT] | None:
    """The certificate of a board that comes with the program, None if there is none.

    Raises:
        DataFileError: it is damaged.
    """
    return next(shipped_certificates(kind, rules), None)


def shipped_certificates(
    kind: type[ClaimT], rules: Rules | None = None
) -> Iterator[Certificate[ClaimT]]:
    """The certificates of a kind that come with the program, of one board or of all.

    Raises:
        DataFileError: one is damaged.
    """
    for board in shipped_boards(kind) if rules is None else [rules]:
        yield from _table(kind).get(board, []) if kind in _TABLES else _shipped(kind, board)


def records() -> Iterator[Certificate[ProvenTrees]]:
    """The proven optima that come with the program, each with its trees."""
    return shipped_certificates(ProvenTrees)


def _data(name: str) -> Any:
    return files("pegwise.search.certificates").joinpath("data", name)


@lru_cache(maxsize=64)
def _shipped(kind: type[Any], rules: Rules) -> list[Certificate[Any]]:
    name = f"{rules}{_SUFFIXES[kind]}"
    file = _data(_FOLDERS[kind]).joinpath(name)
    return [_read(kind, file.read_bytes(), name)] if file.is_file() else []


@cache
def _table(kind: type[Any]) -> dict[Rules, list[Certificate[Any]]]:
    """The kinds of which one file holds all: by board, in the order of the file."""
    file = _data(_TABLES[kind])
    certificates: dict[Rules, list[Certificate[Any]]] = {}
    with _reading(kind, file.name):
        for row in json.loads(file.read_text(encoding="utf-8")):
            certificate = _set_of(row) if kind is FixedSet else _tree_of(kind, row)
            certificates.setdefault(certificate.rules, []).append(certificate)
    return certificates


def _tree_of(kind: type[Any], row: dict[str, Any]) -> Certificate[Any]:
    """A tree that stands beside its row."""
    objective = f"-{row['objective']}".replace(":", "-") if kind is ProvenGoal else ""
    file = _data(_TABLES[kind].partition("/")[0]).joinpath(f"{row['rules']}{objective}.tree")
    tree = from_bytes(file.read_bytes(), file.name)
    if (tree.game.name, tree.total) != (row["rules"], row["total"]):
        raise ValueError("the tree is not the one that is told of")
    made = _made(row, str(row["program"]))
    if kind is BestTree:
        claim = BestTree(tree, int(row["lower_bound"]))
        return Certificate(claim, method=str(row["command"]), **made)
    histogram, positions = tuple(row["histogram"]), _count(row["positions"])
    return Certificate(ProvenGoal(tree, str(row["objective"]), histogram, positions), **made)


# Certificates in the user's folder


def user_path(kind: type[ClaimT], rules: Rules) -> Path:
    """Where the certificate of a board is kept among the user's data."""
    if kind is FixedSet:
        return home() / _FOLDERS[kind] / f"{rules.file_name.replace(',', '-')}.json"
    return home() / _FOLDERS[kind] / f"{rules.file_name}{_SUFFIXES[kind]}"


def stored(kind: type[ClaimT], rules: Rules) -> Certificate[ClaimT] | None:
    """The best certificate of a board, of the program or of the user; None if there is none."""
    own = shipped(kind, rules)
    if own is not None and not isinstance(own.claim, FixedSet):
        return own  # only sets may become smaller
    certificates = [own]
    with suppress(DataFileError):  # none, or a damaged one, which is replaced
        users = load(kind, user_path(kind, rules))
        if users.rules == rules and not users.claim.problems():
            certificates.append(users)
    return min(filter(None, certificates), key=_rank, default=None)


def _rank(certificate: Certificate[Any]) -> tuple[int, bool]:
    """Smallest for the best of several certificates."""
    claim = certificate.claim
    return (len(claim.codes), not claim.proven) if isinstance(claim, FixedSet) else (0, False)


def keep(certificate: Certificate[Any]) -> Path | None:
    """Keep a certificate in the user's folder for the strategies; the file.

    None if its claim does not hold, if as good a one is stored, or if it cannot be written.
    """
    claim = certificate.claim
    if claim.game.board is None or claim.problems():
        return None
    best = stored(type(claim), certificate.rules)
    if best is not None and _rank(best) <= _rank(certificate):
        return None
    path = user_path(type(claim), certificate.rules)
    try:
        save(certificate, path)
    except OutputError:
        return None  # what cannot be kept is computed again
    return path


# Lists of guesses


def read_guesses(path: Path, rules: Rules) -> list[Code]:
    """The guesses in a file: one a line, or several with spaces; `#` begins a comment.

    A file that begins with `{` is the certificate of a fixed set.

    Raises:
        DataFileError: the file cannot be read, or is neither.
        InputError: a guess that the rules do not allow, with its line; a set of other rules.
    """
    text = read_text(path, _LARGEST_LIST)
    if text.lstrip().startswith("{"):
        return _guesses_of_set(text, path, rules)
    guesses: list[Code] = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            guesses += [parse_code(word, rules) for word in _words(line.partition("#")[0], rules)]
        except CodeError as error:
            raise InputError(
                "{path}, line {number}: {error}", path=path, number=number, error=error
            ) from None
    return guesses


def set_claims(path: Path) -> dict[str, Any]:
    """What a file that `read_guesses` has read claims of its set; {} for a list of guesses."""
    text = read_text(path, _LARGEST_LIST)
    return dict(json.loads(text)) if text.lstrip().startswith("{") else {}


def _guesses_of_set(text: str, path: Path, rules: Rules) -> list[Code]:
    """The guesses in the certificate of a fixed set, of which no more is read."""
    try:
        document = json.loads(text)
        words, board = list(document["guesses"]), str(document["rules"])
        if not all(isinstance(word, str) for word in words):
            raise TypeError
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DataFileError(
            "{path} is no stored set of guesses: it lacks 'rules' or 'guesses'",
            path=repr(str(path)),
        ) from None
    if Rules.parse(board) != rules:
        raise InputError(
            "{path} holds a set for {belongs}, not for {rules}",
            path=repr(str(path)),
            belongs=board,
            rules=rules,
        )
    return [parse_code(word, rules) for word in words]


def _words(line: str, rules: Rules) -> list[str]:
    """The guesses of a line; where the colors are set apart, the line is one guess."""
    words = line.split()
    bare = [word.rstrip(",") for word in words]
    letters = all(len(word) == 1 for word in bare)
    numbers = all(word.isdigit() for word in bare) and {len(word) for word in bare} != {rules.pegs}
    if rules.pegs > 1 and len(words) > 1 and (letters or (numbers and len(words) == rules.pegs)):
        return [line.strip()]
    return words
