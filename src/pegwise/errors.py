"""Every error of pegwise, as one tree under `PegwiseError`.

A message quotes the input and says what is allowed. It is a template with values,
`RulesError("{name} must be a whole number, not {value}", name=...)`, so that it can be translated.
Each class has the exit status of the command line.
"""

from __future__ import annotations

import re
import sys
from abc import ABC
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral, Number
from typing import Any, Final

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def quoted(value: object, limit: int = 80) -> str:
    """A value as an error message quotes it: as Python writes it, long ones cut in the middle."""
    try:
        shown = repr(value)
    except ValueError:  # Python writes no number of more than 4300 digits
        return "a number too long to write"
    if len(shown) <= limit:
        return shown
    half = limit // 2
    return f"{shown[:half]}...{shown[-half:]}"


def plain(text: str) -> str:
    """What others have written, without control signs, which would command a terminal.

    Those that turn the direction of a text are control signs too.
    """
    return _CONTROL.sub(lambda sign: repr(sign[0])[1:-1], text)


class Sign(ABC):  # noqa: B024 - codes, marks and turns are registered
    """A code, a mark or a turn, which is written in the notation of its reader."""

    __slots__ = ()


class SignRow(tuple[Any, ...]):
    """Several signs in a row."""

    __slots__ = ()

    def __str__(self) -> str:
        return " ".join(map(str, self))


Sign.register(SignRow)


def write_sign(sign: object, write: Callable[[Any], str] = str) -> str:
    """A sign, or several in a row, as `write` writes each of them."""
    return " ".join(map(write, sign)) if isinstance(sign, SignRow) else write(sign)


class Phrase(str):
    """English words made from a template with values, so that they can be translated.

    A text without values is taken as it is, braces included.
    """

    template: str
    values: dict[str, object]

    def __new__(cls, template: str, /, **values: object) -> Phrase:
        frozen = {name: _frozen(value) for name, value in values.items()}
        written = {
            n: str(value) if isinstance(value, Sign) else value for n, value in frozen.items()
        }
        phrase = super().__new__(cls, template.format(**written) if frozen else template)
        phrase.template, phrase.values = template, frozen
        return phrase

    @classmethod
    def of(cls, text: str) -> Phrase:
        """A text as a phrase, which one that is a phrase is already."""
        return text if isinstance(text, Phrase) else cls(text)

    @classmethod
    def of_document(cls, document: Mapping[str, Any]) -> Phrase:
        """The phrase that `document` gave, of another process or day; without control signs."""

        def read(value: Any) -> Any:
            if isinstance(value, Mapping):
                return cls.of_document(value)
            return plain(value) if isinstance(value, str) else value

        values = {name: read(value) for name, value in document["of"].items()}
        return cls(plain(document["say"]), **values)

    def document(self) -> dict[str, Any]:
        """The phrase as JSON, phrases among its values included: template and values."""

        def write(value: Any) -> Any:
            if isinstance(value, Phrase):
                return value.document()
            if isinstance(value, Integral) and not isinstance(value, bool):
                return int(value)
            return value if isinstance(value, bool | float) else str(value)

        return {"say": self.template, "of": {k: write(v) for k, v in self.values.items()}}

    @property
    def unadvised(self) -> Phrase:
        """The phrase without its value `advice`, which is what to type at the command line."""
        values = {
            name: value.unadvised if isinstance(value, Phrase) else value
            for name, value in self.values.items()
        }
        return Phrase(self.template, **(values | ({"advice": ""} if "advice" in values else {})))

    def said(
        self,
        translate: Callable[[str], str],
        write: Callable[..., str] = str.format,
        sign: Callable[[Any], str] = str,
    ) -> str:
        """The words in another language: `translate` gives a template, `write` fills it in.

        `sign` writes codes, marks and turns.
        """
        values: dict[str, object] = {}
        for name, value in self.values.items():
            if isinstance(value, Phrase):
                values[name] = value.said(translate, write, sign)
            else:
                values[name] = write_sign(value, sign) if isinstance(value, Sign) else value
        template = translate(self.template)
        return write(template, **values) if values else template


def _frozen(value: object) -> object:
    """A value that does not change later, and that another process can read."""
    if isinstance(value, PegwiseError):
        return value.phrase
    return value if isinstance(value, Number | Phrase | Sign) else str(value)


def system_reason(error: OSError) -> Phrase:
    """The operating system's sentence about a failure."""
    return Phrase(error.strerror or str(error))


class PegwiseError(Exception):
    """Anything that pegwise refuses or cannot do.

    Examples:
        >>> try:
        ...     pegwise.build("4x6", "knut")
        ... except pegwise.PegwiseError as error:
        ...     print(str(error)[:23])
        unknown strategy 'knut'
    """

    exit_status = 2

    def __init__(self, template: str = "", /, **values: object) -> None:
        self.phrase = template if isinstance(template, Phrase) else Phrase(template, **values)
        super().__init__(str(self.phrase))


class InputError(PegwiseError, ValueError):
    """Input that is malformed or out of range.

    Examples:
        >>> try:
        ...     pegwise.Rules.parse("4x99")
        ... except pegwise.InputError as error:
        ...     print(error)
        rules '4x99': colors must be 1 to 26, not 99
    """


def check_whole(name: str, value: object, least: int = 0, most: int | None = None) -> None:
    """Refuse, by InputError, an argument that is no whole number in a range."""
    number = int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None
    if number is not None and least <= number and (most is None or number <= most):
        return
    values: dict[str, object] = {"name": name, "value": quoted(value), "least": least}
    if most is None:
        raise InputError("{name}={value}: give a whole number from {least}", **values)
    values["most"] = most
    raise InputError("{name}={value}: give a whole number from {least} to {most}", **values)


def check_seconds(seconds: float | None) -> None:
    """Refuse what is no time limit, by InputError; None is none."""
    if seconds is not None and not (isinstance(seconds, int | float) and seconds >= 0):
        raise InputError("{seconds} seconds: write a number from 0", seconds=quoted(seconds))


class AmbiguousError(InputError):
    """A text that may be read in several ways.

    Attributes:
        what: what is ambiguous.
        readings: each in words, with what chooses it: arguments of `read_history`.
    """

    what: Phrase = Phrase("the text")
    readings: tuple[tuple[Phrase, dict[str, object]], ...] = ()

    @classmethod
    def of(
        cls, what: Phrase, readings: Iterable[tuple[Phrase, Phrase, dict[str, object]]]
    ) -> AmbiguousError:
        """An error that names each reading, with the option that chooses it."""
        rows = list(readings)
        told: Phrase | None = None
        for number, (words, option, _) in enumerate(rows, 1):
            advice = Phrase("; {option}", option=option)
            one = Phrase("({n}) {words}{advice}", n=number, words=words, advice=advice)
            told = one if told is None else Phrase("{first}, or {second}", first=told, second=one)
        words = Phrase("{what} can be read in several ways: {readings}", what=what, readings=told)
        error = cls(words)
        error.what = what
        error.readings = tuple((words, choice) for words, _, choice in rows)
        return error


class RulesError(InputError):
    """Rules that are malformed, out of range or contradictory."""


class CodeError(InputError):
    """A code that is malformed, or that the rules do not allow."""


class MarkError(InputError):
    """A mark that is malformed, or that cannot happen."""


class UnknownNameError(InputError):
    """A name (of a strategy, an option, a variant) that does not exist."""

    @classmethod
    def of(
        cls, kind: str, name: str, names: Iterable[str], near: str | None = None
    ) -> UnknownNameError:
        """An error that quotes `name`, proposes `near` or the nearest name, lists `names`."""
        import difflib  # --help waits for no errors

        names = list(names)
        typed = str(name).lower()
        nearest = [each for each in names if len(typed) > 2 and each.startswith(typed)]
        nearest += difflib.get_close_matches(typed, names, n=1, cutoff=0.65)
        near = near or next(iter(nearest), None)
        return cls(
            Phrase(
                "unknown {kind} {name}{hint}; known: {names}",
                kind=kind if isinstance(kind, Phrase) else Phrase(kind),
                name=quoted(name),
                hint=Phrase(" (did you mean {near}?)", near=repr(near)) if near else "",
                names=", ".join(names),
            )
        )


class StrategyError(PegwiseError):
    """A strategy that cannot play these rules, or that broke its contract while playing.

    Examples:
        >>> try:
        ...     pegwise.build("3x3", "greenwell")
        ... except pegwise.StrategyError:
        ...     print("it cannot play this board")
        it cannot play this board
    """


class TooLargeError(PegwiseError):
    """A board is too large for a question; the message says what is possible instead.

    Examples:
        >>> try:
        ...     pegwise.find_optimum("9x9")
        ... except pegwise.TooLargeError:
        ...     print("too large")
        too large
    """


class DataFileError(InputError):
    """A stored file that is damaged, truncated or foreign."""


class DamagedError(DataFileError):
    """A stored file whose digest is wrong.

    Attributes:
        content: its bytes.
    """

    content: memoryview = memoryview(b"")


class TreeFileError(DataFileError):
    """A tree file that is damaged, truncated or foreign."""


class OutputError(PegwiseError, OSError):
    """A path that cannot be written."""


class HomeError(OutputError):
    """The user's data directory takes no files."""


class ContradictionError(PegwiseError):
    """Marks that no secret could have given.

    Examples:
        >>> try:
        ...     pegwise.rank(pegwise.Position("2x2", "AA=X AB=XX BB=XX"))
        ... except pegwise.ContradictionError as error:
        ...     print(error)
        no secret of 2x2 gives these marks
    """

    exit_status = 1


class MissingExtraError(PegwiseError, ImportError):
    """A part of pegwise whose optional libraries are not installed."""

    @classmethod
    def of(cls, what: str, extra: str) -> MissingExtraError:
        """An error that names the exact line to install."""
        return cls(
            Phrase(
                "{what} needs the optional extra '{extra}'{advice}",
                what=Phrase(what),
                extra=extra,
                advice=Phrase(": pip install 'pegwise[{extra}]'", extra=extra),
            )
        )

    @classmethod
    def of_package(cls, what: Phrase, package: str) -> MissingExtraError:
        """An error that names a package which pegwise is installed with, but not everywhere."""
        in_browser = sys.platform == "emscripten"
        return cls(
            Phrase(
                "{what} needs {package}, {advice}",
                what=what,
                package=package,
                advice=Phrase("which a browser does not have: install Python and pegwise")
                if in_browser
                else Phrase("which is not installed: pip install {package}", package=package),
            )
        )
