"""The language of a page: its catalogue, the texts of its scripts, and stored sentences.

The catalogue of a language is `locale/LANGUAGE/LC_MESSAGES/web.mo`. A text that it lacks is looked
up in the catalogue of the program (`pegwise.i18n`). The English texts are the source.
"""

from __future__ import annotations

import gettext
import json
from contextlib import suppress
from functools import cache
from numbers import Integral
from pathlib import Path
from typing import Any, Final

from starlette.requests import Request

from pegwise.errors import PegwiseError, Phrase
from pegwise.i18n import LANGUAGES, SOURCE, translated
from pegwise.i18n import catalogue as program_catalogue

_FOLDER: Final = Path(__file__).parent


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """The texts of a language; none for the source."""
    if language == SOURCE:
        return gettext.NullTranslations()
    translations = gettext.translation("web", _FOLDER / "locale", [language])
    translations.add_fallback(program_catalogue(language))
    return translations


def language_of(request: Request) -> str:
    """The language of a request: `?lang=`, which the session keeps; else the browser's."""
    session = request.session
    chosen = request.query_params.get("lang", "")
    if chosen in LANGUAGES:
        if session.get("lang") != chosen:
            session["lang"] = chosen
        return chosen
    stored = str(session.get("lang", ""))
    if stored in LANGUAGES:
        return stored
    return _accepted(request.headers.get("accept-language", ""))


def _accepted(header: str) -> str:
    """The best language of an Accept-Language header such as `fr-CH, en;q=0.8`."""
    language, best = SOURCE, 0.0
    for part in header.split(",")[:20]:
        tag, _, quality = part.strip().partition(";")
        name = tag.strip().lower().partition("-")[0]
        try:
            weight = float(quality.strip().removeprefix("q=")) if quality else 1.0
        except ValueError:
            continue
        if name in LANGUAGES and weight > best:
            language, best = name, weight
    return language


# Sentences in the database are stored as template and values, so that each reader gets them in
# their own language. A text that an earlier version stored is shown as it is.

_PACKED: Final = '{"say": '


def pack_sentence(sentence: PegwiseError | str) -> str:
    """A sentence as it is stored: a JSON object of its template and values."""
    phrase = sentence.phrase if isinstance(sentence, PegwiseError) else sentence
    return json.dumps(_packed(phrase if isinstance(phrase, Phrase) else Phrase(phrase)))


def unpack_sentence(text: str) -> Phrase:
    """A stored sentence; any other text as it is."""
    if text.startswith(_PACKED):
        with suppress(ValueError):
            return _unpacked(json.loads(text))
    return Phrase(text)


def stored_sentence(text: str | None, language: str = SOURCE) -> str | None:
    """A stored sentence in a language; None for None."""
    return None if text is None else translated(unpack_sentence(text), language)


def _packed(phrase: Phrase) -> dict[str, Any]:
    packed: dict[str, Any] = {"say": phrase.template}
    if phrase.values:
        packed["of"] = {name: _value(value) for name, value in phrase.values.items()}
    return packed


def _value(value: object) -> Any:
    if isinstance(value, Phrase):
        return _packed(value)
    if isinstance(value, Integral):
        return int(value)
    # numbers that JSON lacks, such as fractions, are stored as text
    return value if isinstance(value, float) else str(value)


def _unpacked(packed: dict[str, Any]) -> Phrase:
    values = {
        name: _unpacked(value) if isinstance(value, dict) else value
        for name, value in packed.get("of", {}).items()
    }
    return Phrase(packed["say"], **values)


# The English texts of the scripts are `texts.json`: for each page, and for the board that all have.
# A place for a value is written `{name}`. A text that depends on a number is a list of its
# singular and its plural.


@cache
def script_texts(page: str, language: str) -> dict[str, str | list[str]]:
    """The texts that the scripts of a page show, in a language."""
    texts = json.loads((_FOLDER / "texts.json").read_text(encoding="utf-8"))
    translations = catalogue(language)
    return {
        key: translations.gettext(text)
        if isinstance(text, str)
        else [translations.ngettext(text[0], text[1], n) for n in (1, 2)]
        for key, text in (texts["board"] | texts[page]).items()
    }
