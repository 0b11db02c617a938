"""Sentences that are kept in the database and said later, to each reader in a language.

Kept is the template with its values, not the English words: who looks at a race that failed may
read French. A text that an earlier version kept is said as it stands.
"""

from __future__ import annotations

import json
from contextlib import suppress
from numbers import Integral
from typing import Any, Final

from pegwise.errors import PegwiseError, Phrase
from pegwise.i18n import SOURCE, translated

__all__ = ["kept", "phrase", "said"]

_MARK: Final = '{"say": '
"""How what is kept begins, as no sentence does."""


def kept(text: PegwiseError | str) -> str:
    """The text that is kept of a sentence: a JSON object of its template and values."""
    words = text.phrase if isinstance(text, PegwiseError) else text
    return json.dumps(_packed(words if isinstance(words, Phrase) else Phrase(words)))


def phrase(text: str) -> Phrase:
    """What was kept, as a phrase that can be said; any other text as it is."""
    if text.startswith(_MARK):
        with suppress(ValueError):
            return _unpacked(json.loads(text))
    return Phrase(text)


def said(text: str | None, language: str = SOURCE) -> str | None:
    """What was kept, in a language; None of nothing."""
    return None if text is None else translated(phrase(text), language)


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
    # numbers that JSON does not know, fractions say, are kept as they are written
    return value if isinstance(value, float) else str(value)


def _unpacked(packed: dict[str, Any]) -> Phrase:
    values = {
        name: _unpacked(value) if isinstance(value, dict) else value
        for name, value in packed.get("of", {}).items()
    }
    return Phrase(packed["say"], **values)
