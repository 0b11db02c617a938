"""The language of a user interface: English is the source, others are read from catalogues.

A catalogue is `locale/LANGUAGE/LC_MESSAGES/pegwise.po`. `python -m tools.messages` collects its
sentences, and `pegwise.mo`, which is read, is compiled when the package is built or installed.
The command line speaks one language from its start (`use`); the web site one for each request
(`speaking`).
"""

from __future__ import annotations

import gettext
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from numbers import Integral, Number
from string import Formatter
from typing import Any, Final

from pegwise.errors import PegwiseError, Phrase, Sign, UnknownNameError, write_sign

SOURCE: Final = "en"
LANGUAGES: Final = {"en": "English", "fr": "Français"}
LOCALE: Final = os.path.join(os.path.dirname(__file__), "locale")  # noqa: PTH118, PTH120

_ONE: Final = {"en": (1,), "fr": (0, 1)}  # the whole numbers whose word is that for one
_FIGURES: Final = {"en": {}, "fr": str.maketrans({",": "\u202f", ".": ",", "%": "\u202f%"})}
"""How a language writes what Python writes in numbers."""

_default = SOURCE
_write: Callable[[Any], str] = str  # how codes, marks and turns are written
_current: ContextVar[str | None] = ContextVar("pegwise_language", default=None)


def language() -> str:
    """The language that is spoken now."""
    return _current.get() or _default


def use(name: str) -> None:
    """Speak a language from now on, in all threads; UnknownNameError if there is none such."""
    global _default
    _default = _checked(name)


def write_signs(write: Callable[[Any], str]) -> None:
    """Write codes, marks and turns so from now on, in all sentences."""
    global _write
    _write = write


def sign_text(sign: Any) -> str:
    """A code, mark or turn as `write_signs` says."""
    return _write(sign)


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Speak a language in this thread or task only, as long as the block runs."""
    token = _current.set(_checked(name))
    try:
        yield
    finally:
        _current.reset(token)


def _checked(name: str) -> str:
    if name not in LANGUAGES:
        raise UnknownNameError.of("language", name, LANGUAGES)
    return name


def chosen_by(environment: Mapping[str, str]) -> str:
    """The language that a user's environment asks for; the source's where it asks for none.

    `PEGWISE_LANG` counts most; then, as with GNU gettext, `LANGUAGE`, unless `LC_ALL`,
    `LC_MESSAGES` or `LANG` ask for no language (`C`); then these.
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "")
    requests = [environment.get("PEGWISE_LANG", "")]
    if locale.partition(".")[0] not in {"C", "POSIX"}:
        requests += [*environment.get("LANGUAGE", "").split(":"), locale]
    # the first request counts; a language without a catalogue is answered in English
    first = next(filter(None, requests), SOURCE)
    name = first.replace("-", "_").partition("_")[0].partition(".")[0].lower()
    return name if name in LANGUAGES else SOURCE


@cache
def catalogue(name: str) -> gettext.NullTranslations:
    """The sentences of a language; none for the source."""
    if name == SOURCE:
        return gettext.NullTranslations()
    return gettext.translation("pegwise", LOCALE, [name])


def tr(text: str, /, **values: object) -> str:
    """A sentence in the language that is spoken now.

    The text is English, with a place `{name}` for each value; phrases among the values are
    translated too. A text that is a phrase has its values already.
    """
    return translated(text if isinstance(text, Phrase) else Phrase(text, **values))


def trn(singular: str, plural: str, n: float, /, **values: object) -> str:
    """Translate the sentence for the number `n`, singular or plural; {n} stands for the number."""
    name = language()
    texts = {key: translated(value) for key, value in values.items() if isinstance(value, Phrase)}
    texts |= {
        k: write_sign(value, _write) for k, value in values.items() if isinstance(value, Sign)
    }
    sentence = catalogue(name).ngettext(singular, plural, whole(n))
    return _writer(name)(sentence, n=n, **{**values, **texts})


def translated(
    message: PegwiseError | str,
    name: str | None = None,
    write: Callable[[Any], str] | None = None,
) -> str:
    """The text of an error or a phrase in the language spoken now or in another; else the text.

    `write` writes codes, marks and turns, otherwise than `write_signs` says.
    """
    phrase = message.phrase if isinstance(message, PegwiseError) else message
    if not isinstance(phrase, Phrase):
        return str(phrase)
    name = name or language()
    translate = catalogue(name).gettext
    # the empty text is the name of the head of a catalogue
    return phrase.said(lambda text: text and translate(text), _writer(name), write or _write)


def whole(value: float) -> int:
    """A whole number that takes the same plural as this one, in English and in French."""
    return 1 if value == 1 else int(value) if value >= 2 else 0


def figure(value: float, form: str = "") -> str:
    """A number as `format` writes it, with the signs of the language that is spoken now."""
    return format(value, form).translate(_FIGURES[language()])


def duration(seconds: float) -> str:
    """A time as it is read: `0.4 ms`, `12 ms`, `3.1 s`, `12 s`, `2 min 5 s`, `3 h 7 min`."""
    if seconds < 0.00995:
        return f"{figure(1000 * seconds, '.1f')} ms"
    if seconds < 0.9995:
        return f"{1000 * seconds:.0f} ms"
    if seconds < 9.95:
        return f"{figure(seconds, '.1f')} s"
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{figure(minutes // 60, ',')} h {minutes % 60} min"


def size_of(size: int) -> str:
    """A size in the largest unit that it fills."""
    if size >= 2**30:
        return tr("{size} GiB", size=figure(size / 2**30, ".1f"))
    if size >= 2**20:
        return tr("{size} MiB", size=round(size / 2**20))
    return tr("{size} KiB", size=round(size / 2**10))


@cache
def _writer(name: str) -> Callable[..., str]:
    return _LocalFormatter(name).format


class _LocalFormatter(Formatter):
    """Fills templates in, with numbers in the signs of a language.

    A whole number has its thousands set apart, where the template says nothing else of it.
    `{n:bit|bits}` in a translation is the word for one or for many, as the number `n` takes it.
    """

    def __init__(self, name: str) -> None:
        self.figures = _FIGURES[name]
        self.one: Final = _ONE[name]

    def format_field(self, value: Any, format_spec: str) -> Any:
        one, bar, many = format_spec.partition("|")
        if bar:
            return one if whole(abs(value)) in self.one else many
        whole_number = isinstance(value, Integral) and not isinstance(value, bool)
        text = super().format_field(value, format_spec or ("," if whole_number else ""))
        return text.translate(self.figures) if isinstance(value, Number) else text
