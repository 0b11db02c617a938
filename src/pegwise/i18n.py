"""The language that a face speaks: English is the source, others are read from catalogues.

A catalogue is `locale/LANGUAGE/LC_MESSAGES/pegwise.mo`; `python -m tools.messages` keeps it in
step with the sources. It holds every sentence above the kernels and below the pages of the web.
The command line speaks one language from its start (`use`); the web one for each request
(`speaking`).
"""

from __future__ import annotations

import gettext
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from numbers import Number
from pathlib import Path
from string import Formatter
from typing import Any, Final

from pegwise.errors import PegwiseError, Phrase, UnknownNameError

SOURCE: Final = "en"
LANGUAGES: Final = {"en": "English", "fr": "Français"}
LOCALE: Final = Path(__file__).parent / "locale"

_FIGURES: Final = {"fr": str.maketrans({",": "\u202f", ".": ",", "%": "\u202f%"})}
"""How a language writes what Python writes in numbers."""

_everywhere = SOURCE
_here: ContextVar[str | None] = ContextVar("pegwise_language", default=None)


def language() -> str:
    """The language that is spoken now."""
    return _here.get() or _everywhere


def use(name: str) -> None:
    """Speak a language from now on, in all threads.

    Raises:
        UnknownNameError: there is no such language.
    """
    global _everywhere
    _everywhere = _known(name)


@contextmanager
def speaking(name: str) -> Iterator[None]:
    """Speak a language in this thread or task only, as long as the block runs.

    Raises:
        UnknownNameError: there is no such language.
    """
    token = _here.set(_known(name))
    try:
        yield
    finally:
        _here.reset(token)


def chosen_by(environment: Mapping[str, str]) -> str:
    """The language that a user's environment asks for; the source's where it asks for none.

    `PEGWISE_LANG` counts most. Then, as with GNU gettext, `LANGUAGE` counts more than `LC_ALL`,
    `LC_MESSAGES` and `LANG`, but not where these ask for no language at all (`C`).
    """
    names = ("LC_ALL", "LC_MESSAGES", "LANG")
    locale = next((environment[name] for name in names if environment.get(name)), "")
    wanted = [environment.get("PEGWISE_LANG", "")]
    if locale.partition(".")[0] not in {"C", "POSIX"}:
        wanted += [*environment.get("LANGUAGE", "").split(":"), locale]
    for text in wanted:
        name = text.replace("-", "_").partition("_")[0].partition(".")[0].lower()
        if name in LANGUAGES:
            return name
        if name:
            break  # another language, which English stands for
    return SOURCE


@cache
def catalogue(name: str) -> gettext.NullTranslations:
    """The sentences of a language; none for the source."""
    if name == SOURCE:
        return gettext.NullTranslations()
    return gettext.translation("pegwise", LOCALE, [name])


def tr(text: str, /, **values: object) -> str:
    """A sentence in the language that is spoken now, with its values.

    Args:
        text: the English sentence with a place `{name}` for each value; or a phrase, as it is.
        values: what stands in the places; phrases are translated too.
    """
    return translated(text if isinstance(text, Phrase) else Phrase(text, **values))


def trn(one: str, many: str, n: int, /, **values: object) -> str:
    """Likewise of two sentences the one for the number `n`, which is the value {n} as well."""
    name = language()
    told = {key: translated(value) for key, value in values.items() if isinstance(value, Phrase)}
    text = catalogue(name).ngettext(one, many, n)
    return str(_written_in(name)(text, n=n, **{**values, **told}))


def translated(said: PegwiseError | str, name: str | None = None) -> str:
    """What an error or a phrase says, in the language that is spoken now or in another.

    A text that is no phrase stays as it is.
    """
    phrase = said.phrase if isinstance(said, PegwiseError) else said
    if not isinstance(phrase, Phrase):
        return str(phrase)
    name = name or language()
    return phrase.said(_translate_as(name), _written_in(name))


def figure(value: float, form: str = "") -> str:
    """A number as `format` writes it, with the signs of the language that is spoken now."""
    return _signed(format(value, form), language())


def _known(name: str) -> str:
    if name not in LANGUAGES:
        raise UnknownNameError.of("language", name, LANGUAGES)
    return name


def _signed(text: str, name: str) -> str:
    return text.translate(_FIGURES[name]) if name in _FIGURES else text


@cache
def _translate_as(name: str) -> Any:
    found = catalogue(name)
    # the empty text is the name of the head of a catalogue
    return lambda text: found.gettext(text) if text else text


@cache
def _written_in(name: str) -> Any:
    return _Written(name).format


class _Written(Formatter):
    """Templates filled in, with numbers in the signs of a language."""

    def __init__(self, name: str) -> None:
        self.name = name

    def format_field(self, value: Any, format_spec: str) -> Any:
        text = super().format_field(value, format_spec)
        return _signed(text, self.name) if isinstance(value, Number) else text
