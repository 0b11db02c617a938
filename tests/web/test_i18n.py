"""Languages: texts of scripts, catalogues, and sentences that are stored and shown later."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from html import unescape
from pathlib import Path

import numpy as np
import pytest
from babel.messages.pofile import read_po
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError
from tools.messages import catalogues

import pegwise.web
from pegwise.errors import InputError, Phrase, SignRow, StrategyError, plain
from pegwise.game import Code, Mark, Turn
from pegwise.i18n import translated
from pegwise.web.inputs import RequestBody
from pegwise.web.jobs import pack_sentence, stored_sentence, unpack_sentence
from pegwise.web.pages import catalogue, script_texts
from pegwise.web.refusals import sentence_of
from tests.web.playing import refused

STATIC = Path(pegwise.web.__file__).parent / "static"
ASKED = re.compile(r'\b(?:word|count|sentence|form)\(\s*(?:\w+\s*\?\s*)?"(\w+)"(?:\s*:\s*"(\w+)")?')
PAGES = {path.name.partition(".")[0] for path in (STATIC.parent / "templates").iterdir()}
SCRIPTS = sorted(PAGES & {path.stem for path in STATIC.glob("*.js")})


def keys(script: str, seen: set[str]) -> set[str]:
    """The texts that a script and the modules it imports ask for by name."""
    if script in seen:
        return set()
    seen.add(script)
    text = (STATIC / script).read_text(encoding="utf-8")
    names = {name for match in ASKED.finditer(text) for name in match.groups() if name}
    return names.union(*(keys(name, seen) for name in re.findall(r'from "\./(\w+\.js)"', text)))


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_ask_only_for_texts_that_are_sent(script: str) -> None:
    names = keys(f"{script}.js", set())
    assert names
    assert names <= set(script_texts(script, "en"))


def french(kind: str) -> Iterator[str]:
    """The translations of a catalogue."""
    with catalogues(kind)["fr"].open("rb") as file:
        messages = list(read_po(file, locale="fr"))[1:]
    for message in messages:
        yield from message.string if isinstance(message.string, tuple) else (str(message.string),)


def test_french_typography() -> None:
    for kind in ("web", "pegwise"):
        for text in french(kind):
            assert not re.search(r" [;!?»](\W|$)| :(\s|$)|« ", text), f"unbreakable space: {text!r}"
            if kind == "pegwise":
                continue  # it writes commands and formats too
            assert not re.search(r"\w[;!?]|(?<![\d\w])\w+:(?!\w)", text), f"space: {text!r}"
            assert not re.search("['\"]", text), f"typewriter sign: {text!r}"


def test_french_plurals_count_zero_as_one() -> None:
    texts = catalogue("fr")
    assert texts.ngettext("{n} code left", "{n} codes left", 0) == "{n} code restant"
    assert script_texts("play", "fr")["left"] == ["{n} code restant", "{n} codes restants"]
    for template in (STATIC.parent / "templates").iterdir():
        words = template.read_text("utf-8")
        for single, plural in re.findall(r'ngettext\("(.+?)", "(.+?)"', words):
            # what has no translation counts zero as many, as English does
            assert texts.ngettext(single, plural, 0) == texts.ngettext(single, plural, 1)
    # cards of strategies are in the catalogue of the program
    assert texts.gettext("Fewest guesses still to play") == "Le moins de coups restants"


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("fr-CH, en;q=0.8", "fr"),
        ("de, en;q=0.5, fr;q=0.9", "fr"),
        ("fr;q=zero, en;q=0.1", "en"),
        ("fr;q=0", "en"),
    ],
)
def test_the_browser_chooses_the_language(client: TestClient, header: str, language: str) -> None:
    headers = {"accept": "text/html", "accept-language": header}
    answer = client.get("/learn", headers=headers)
    assert answer.headers["content-language"] == language
    assert f'<html lang="{language}">' in answer.text
    sentence = {"en": "colors must be 1 to 26", "fr": "couleurs\u00a0: de 1 à 26"}[language]
    for path, accept in [("/play", "text/html"), ("/play", "*/*"), ("/api/marks", "text/html")]:
        query = {"rules": "4x99", "guess": "AABB"}
        refusal = client.get(path, params=query, headers=headers | {"accept": accept})
        is_page = refusal.headers["content-type"].startswith("text/html")
        assert sentence in (unescape(refusal.text) if is_page else refused(refusal))
        assert is_page == ((path, accept) == ("/play", "text/html"))


def test_a_stored_sentence_is_shown_in_each_language() -> None:
    inner = StrategyError("{job} broke its contract: {problem}", job="x", problem="{y}")
    error = InputError("turn {n}: {problem}", n=2, problem=inner)
    text = pack_sentence(error)
    assert (stored_sentence(text), stored_sentence(None)) == (str(error), None)
    assert stored_sentence(text, "fr") == "tour 2\u00a0: x n’a pas tenu son contrat\u00a0: {y}"
    phrase = unpack_sentence(text)
    assert (phrase, phrase.template) == (error.phrase, "turn {n}: {problem}")
    assert isinstance(phrase.values["problem"], Phrase)


@pytest.mark.parametrize(
    "number", [7, True, 2.5, 1e300, np.int64(7), np.float64(0.5), Fraction(7, 3)]
)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_stored_numbers_are_shown_as_before(number: object, language: str) -> None:
    phrase = Phrase("turn {n}: {problem}", n=number, problem="")
    assert stored_sentence(pack_sentence(phrase), language) == translated(phrase, language)


@pytest.mark.parametrize("text", ['{"say": ', '{"say": 1}', '{"say": "x", "of": 1}', '{"say": {}}'])
def test_what_is_no_stored_sentence_is_shown_as_it_is(text: str) -> None:
    assert stored_sentence(text) == text


def test_codes_and_turns_of_a_stored_sentence_are_written() -> None:
    turn = Turn(Code([0, 0, 1]), Mark(1, 0))
    told = Phrase("turn {n}: {problem}", n=1, problem=SignRow([turn, turn]))
    assert stored_sentence(pack_sentence(told)) == str(told) == "turn 1: AAB=X AAB=X"


@given(st.text())
def test_plain_words_stay_as_they_are(words: str) -> None:
    shown = Phrase(plain(words))
    assert stored_sentence(pack_sentence(Phrase(words)), "fr") == translated(shown, "fr")
    if not words.startswith('{"say": '):
        assert stored_sentence(words) == words


@pytest.mark.parametrize("text", ["{braces} }{", '{"say": ', "it ended by signal 9"])
def test_what_an_earlier_version_stored_is_shown_as_it_is(text: str) -> None:
    assert stored_sentence(text) == stored_sentence(text, "fr") == text


VALIDATOR = re.compile(r"\b(should|valid|validation|input|unable|items?)\b", re.IGNORECASE)
NONSENSE: list[object] = [None, True, {}, [], [{}], [1] * 999, "", "x" * 10**5, -1, 10**20, 0.5]


def test_bounds_of_every_field_have_a_sentence_of_ours() -> None:
    kinds = set()
    for body in RequestBody.__subclasses__():
        for field in body.model_fields:
            for value in NONSENSE:
                try:
                    body.model_validate({field: value})
                except ValidationError as refused:
                    for error in refused.errors():
                        sentence = sentence_of({**error, "loc": ("body", *error["loc"])})
                        assert not VALIDATOR.search(sentence.partition(":")[2]), sentence
                        assert translated(sentence, "fr") != sentence
                        kinds.add(error["type"])
    assert {"too_long", "string_too_long", "less_than", "literal_error", "int_type"} <= kinds
