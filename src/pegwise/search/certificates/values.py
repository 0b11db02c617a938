"""Stored values of games: certificates of both bounds, and their check.

A certificate of a board is the codemaker's weights with the least cost against them, and the
codebreaker's trees with their probabilities. The check plays every tree against every secret by
the plain definition of marking, and finds the least cost again by exact search.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from pegwise._version import __version__
from pegwise.errors import DataFileError, PegwiseError, Phrase, TreeFileError
from pegwise.game import Mastermind, Rules, mastermind
from pegwise.paths import home
from pegwise.progress import Progress, Report, silent
from pegwise.search.archive import pack, read_parts, write_whole
from pegwise.search.certificates.published import shipped_boards, shipped_parts
from pegwise.search.value.response import BestResponse, classes_of
from pegwise.search.value.search import GameValue
from pegwise.trees.store import from_bytes, to_bytes
from pegwise.trees.verify import verify

_FORMAT: Final = 1
_FOLDER: Final = "values"
_SUFFIX: Final = ".value"
_PUBLISHED: Final = {
    "4x6": "Wiener, sci.math, 29 November 1995",
    "4x10,distinct": "the optimal total of Tanaka 1996, all secrets being alike",
    "3x6,distinct": "the optimal total of fancidev, all secrets being alike",
    "3x7,distinct": "the optimal total of fancidev, all secrets being alike",
}


@dataclass(frozen=True)
class StoredValue:
    """A certificate and how it was made.

    Attributes:
        value: the bounds, with their certificates.
        seconds: processor time of the search; 0 when not known.
        megabytes: most memory that the program took; 0 when not known.
        date: when, as YYYY-MM-DD.
        program: the version that made it.
    """

    value: GameValue
    seconds: float = 0.0
    megabytes: int = 0
    date: str = ""
    program: str = f"pegwise {__version__}"


@dataclass(frozen=True)
class ValueRow:
    """A row of the table of values.

    Attributes:
        rules: the board.
        value: the value as guesses over weights, such as 5600/1290.
        mean: the same as a decimal.
        codemaker: weight of a secret of each class, by the first code of the class.
        uniform: whether drawing every secret with the same chance is best.
        trees: number of trees in the codebreaker's mixture.
        seconds: processor time of the search.
        megabytes: most memory that the program took.
        date: when.
        program: the version that made it.
        confirms: the published value that this one equals, "" for one that is, to our
            knowledge, new.
    """

    rules: Rules
    value: str
    mean: float
    codemaker: dict[str, int]
    uniform: bool
    trees: int
    seconds: float
    megabytes: int
    date: str
    program: str
    confirms: str


def certificate(stored: StoredValue) -> bytes:
    """The content of the file of a certificate; the same certificate gives the same bytes."""
    value = stored.value
    document = {
        "format": _FORMAT,
        "program": stored.program,
        "rules": value.game.name,
        "value": value.write(value.lower),
        "codemaker": {
            str(value.game.secret(first)): weight
            for first, weight in zip(value.classes.first, value.weights, strict=True)
        },
        "cost": value.cost,
        "codebreaker": [str(probability) for probability, _ in value.mixture],
        "positions": value.positions,
        "seconds": round(stored.seconds, 2),
        "megabytes": stored.megabytes,
        "date": stored.date,
    }
    parts = {"value.json": json.dumps(document, indent=1).encode()}
    parts |= {f"{k}.tree": to_bytes(tree) for k, (_, tree) in enumerate(value.mixture, 1)}
    return pack(parts)


def save_value(stored: StoredValue, path: Path) -> None:
    """Write a certificate into a file.

    Raises:
        OutputError: it cannot be written.
    """
    write_whole(path, [certificate(stored)])


def load_value(path: Path) -> StoredValue:
    """Read a certificate from a file; what it claims is for `check_value` to say.

    Raises:
        DataFileError: the file cannot be read, is damaged or foreign.
    """
    return _read(read_parts(path), str(path))


def _read(parts: dict[str, bytes], name: str) -> StoredValue:
    try:
        document = json.loads(parts["value.json"])
        if document["format"] != _FORMAT:
            raise ValueError("unknown format")
        game = mastermind(document["rules"])
        classes = classes_of(game)
        weights = tuple(
            _count(document["codemaker"][str(game.secret(first))]) for first in classes.first
        )
        if not any(weights) or len(document["codemaker"]) != len(weights):
            raise ValueError("weights do not fit the classes")
        mixture = []
        for number, probability in enumerate(document["codebreaker"], 1):
            tree = from_bytes(parts[f"{number}.tree"])
            if tree.game.name != game.name or tree.game.weights is not None:
                raise ValueError("a tree is of another game")
            mixture.append((Fraction(probability), tree))
        if not mixture:
            raise ValueError("no trees")
        value = GameValue(
            game,
            classes,
            weights,
            _count(document["cost"]),
            tuple(mixture),
            _count(document["positions"]),
        )
        return StoredValue(
            value,
            float(document["seconds"]),
            _count(document["megabytes"]),
            str(document["date"]),
            str(document["program"]),
        )
    # a TreeFileError is a ValueError as well
    except (KeyError, ValueError, TypeError, AttributeError, ZeroDivisionError) as error:
        reason = f": {error}" if isinstance(error, TreeFileError) else ""
        raise DataFileError(
            "{name} is no whole certificate of a value{reason}", name=repr(name), reason=reason
        ) from error


def _count(number: Any) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or number < 0:
        raise ValueError("not a whole number from 0")
    return number


def check_value(value: GameValue, *, search: bool = True, report: Report = silent) -> list[str]:
    """What is wrong with a certificate, a sentence each; nothing for one that proves its value.

    Args:
        value: the certificate.
        search: whether the lower bound is found again by exact search, which takes as long as
            one best response.
        report: is told of trees played.
    """
    problems: list[str] = []
    probabilities = [probability for probability, _ in value.mixture]
    if min(probabilities) < 0 or sum(probabilities) != 1:
        problems.append(Phrase("the probabilities of the trees do not add up to 1"))
    for number, (_, tree) in enumerate(value.mixture, 1):
        played = verify(tree)
        problems += [
            Phrase("tree {n}: {text}", n=number, text=text) for text in played.problems[:1]
        ]
        report(Progress(number, len(value.mixture), "trees"))
    if problems:
        return problems
    if not value.proven:
        problems.append(
            Phrase(
                "the codebreaker's mixture needs up to {upper} guesses, the codemaker's weights "
                "claim {lower}",
                upper=value.upper,
                lower=value.lower,
            )
        )
    if search:
        response = BestResponse(value.game, value.classes)
        for _ in response.steps(value.weights):
            report(Progress(len(value.mixture), len(value.mixture), "trees"))
        cost, _ = response.answer(value.weights)
        if cost != value.cost:
            problems.append(
                Phrase(
                    "the best tree against the codemaker's weights costs {cost}, not {claimed}",
                    cost=cost,
                    claimed=value.cost,
                )
            )
    return problems


def _file_name(rules: Rules) -> str:
    return f"{rules}{_SUFFIX}"


@lru_cache(maxsize=64)
def shipped(rules: Rules) -> StoredValue | None:
    """The certificate that comes with the program, None if there is none."""
    name = _file_name(rules)
    parts = shipped_parts(_FOLDER, name)
    return None if parts is None else _read(parts, name)


def stored_value(rules: Rules) -> StoredValue | None:
    """A certificate that comes with the program, or that was made here before."""
    if (found := shipped(rules)) is not None:
        return found
    try:
        found = load_value(home() / _FOLDER / _file_name(rules))
    except DataFileError:
        return None  # none, or a damaged one, which is replaced
    return found if found.value.game.name == str(rules) and found.value.proven else None


def keep_value(stored: StoredValue) -> Path | None:
    """Keep a proven value among the user's data; None if it cannot be."""
    game = stored.value.game
    if not isinstance(game, Mastermind) or not stored.value.proven:
        return None
    path = home() / _FOLDER / _file_name(game.rules)
    try:
        save_value(stored, path)
    except PegwiseError:
        return None  # what cannot be kept is computed again
    return path


def value_rows() -> list[ValueRow]:
    """The table of values that come with the program: repetition first, then other rules."""
    rows = []
    for rules in shipped_boards(_FOLDER, _SUFFIX):
        stored = shipped(rules)
        if stored is None:
            continue
        value = stored.value
        rows.append(
            ValueRow(
                rules,
                value.write(value.lower),
                float(value.lower),
                {
                    str(value.game.secret(first)): weight
                    for first, weight in zip(value.classes.first, value.weights, strict=True)
                },
                len(set(value.weights)) == 1,
                len(value.mixture),
                stored.seconds,
                stored.megabytes,
                stored.date,
                stored.program,
                _confirms(rules),
            )
        )
    return rows


def _confirms(rules: Rules) -> str:
    if rules == Rules(2, rules.colors, distinct=True) and rules.colors >= 3:
        return "the optimal totals of Chen and Lin 2004, all secrets being alike"
    return _PUBLISHED.get(str(rules), "")


def check_value_rows(
    *, seconds: float = 60.0, report: Report = silent
) -> Iterator[tuple[Rules, list[str], bool]]:
    """Check every certificate that comes with the program.

    Args:
        seconds: the lower bound is searched again where the whole search took at most so long.
        report: is told of trees played.

    Yields:
        The board, what is wrong with its certificate, and whether its lower bound was searched.
    """
    for rules in shipped_boards(_FOLDER, _SUFFIX):
        stored = shipped(rules)
        if stored is not None:
            search = stored.seconds <= seconds
            yield rules, check_value(stored.value, search=search, report=report), search
