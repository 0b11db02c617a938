"""Sentences kept in the database: said in each language, whatever stands in them."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegwise.errors import InputError, Phrase, StrategyError
from pegwise.i18n import translated
from pegwise.web.i18n import pack_sentence, stored_sentence, unpack_sentence

ENDED = (
    "the process that computed this ended {how}, {tries} times: choose smaller rules or another "
    "strategy"
)


def test_a_sentence_is_said_in_each_language_with_what_stands_in_it() -> None:
    text = pack_sentence(InputError(ENDED, how=Phrase("by signal {number}", number=9), tries=3))
    assert str(stored_sentence(text)).startswith(
        "the process that computed this ended by signal 9, 3 times"
    )
    french = str(stored_sentence(text, "fr"))
    assert "par le signal 9, 3 fois" in french


def test_an_error_with_a_phrase_in_a_phrase_comes_back_whole() -> None:
    inner = StrategyError("{name} broke its contract: {problem}", name="x", problem="{y}")
    error = InputError("turn {n}: {problem}", n=2, problem=inner)
    back = unpack_sentence(pack_sentence(error))
    assert back == error.phrase
    assert back.template == "turn {n}: {problem}"
    assert isinstance(back.values["problem"], Phrase)


@pytest.mark.parametrize("number", [7, 2.5, 1e300, np.int64(7), np.float64(0.5), Fraction(7, 3)])
@pytest.mark.parametrize("language", ["en", "fr"])
def test_numbers_are_said_as_before(number: object, language: str) -> None:
    words = Phrase("turn {n}: {problem}", n=number, problem="")
    assert stored_sentence(pack_sentence(words), "en") == str(words)
    assert stored_sentence(pack_sentence(words), language) == translated(words, language)


def test_a_limit_is_said_in_the_signs_of_the_language() -> None:
    limit = (
        "this took longer than {limit:g} seconds: choose smaller rules, fewer games or another "
        "strategy"
    )
    text = pack_sentence(Phrase(limit, limit=2.5))
    assert "than 2.5 seconds" in str(stored_sentence(text))
    assert "plus de 2,5 secondes" in str(stored_sentence(text, "fr"))


@given(st.text())
def test_plain_words_stay_as_they_are(words: str) -> None:
    assert stored_sentence(pack_sentence(words), "fr") == translated(Phrase(words), "fr")
    if not words.startswith('{"say": '):
        assert stored_sentence(words) == words


@pytest.mark.parametrize("text", ["{braces} }{", '{"say": ', "it ended by signal 9"])
def test_what_an_earlier_version_kept_is_said_as_it_is(text: str) -> None:
    assert stored_sentence(text) == stored_sentence(text, "fr") == text


def test_nothing_was_pack_sentence() -> None:
    assert stored_sentence(None) is None
