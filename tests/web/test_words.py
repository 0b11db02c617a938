"""The texts of pages: every one that a script asks for is there, and in French, well set."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po
from tools.messages import catalogues

import pegwise.web
from pegwise.web.i18n import catalogue, script_texts

STATIC = Path(pegwise.web.__file__).parent / "static"
ASKED = re.compile(r'\b(?:word|count|sentence|form)\(\s*(?:\w+\s*\?\s*)?"(\w+)"(?:\s*:\s*"(\w+)")?')
PAGES = {
    "play.js": "play",
    "decode.js": "decode",
    "review.js": "review",
    "race_new.js": "race_new",
    "race.js": "race",
    "tree_new.js": "tree",
    "tree_wait.js": "tree",
    "tree.js": "tree",
}


def asked(script: str, seen: set[str]) -> set[str]:
    """The texts that a script and the modules it imports ask for by name."""
    if script in seen:
        return set()
    seen.add(script)
    text = (STATIC / script).read_text(encoding="utf-8")
    found = {name for match in ASKED.finditer(text) for name in match.groups() if name}
    for imported in re.findall(r'from "\./(\w+\.js)"', text):
        found |= asked(imported, seen)
    return found


def french() -> Catalog:
    with catalogues("web")["fr"].open("rb") as file:
        return read_po(file, locale="fr")


def pairs() -> list[tuple[str, str]]:
    """Each text with each of its translations."""
    found = []
    for message in french():
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        sources = message.id if isinstance(message.id, tuple | list) else (message.id,)
        found += [(str(sources[-1]), str(form)) for form in forms if sources[-1]]
    return found


@pytest.mark.parametrize("script", PAGES)
def test_scripts_ask_only_for_texts_that_are_sent(script: str) -> None:
    names = asked(script, set())
    assert names
    assert names <= set(script_texts(PAGES[script], "en"))


def test_french_typography() -> None:
    for _, translated in pairs():
        assert not re.search(r" [;:!?»]|« ", translated), f"unbreakable space: {translated!r}"
        assert not re.search(r"\w[;!?]", translated), f"missing space: {translated!r}"
        assert not re.search(r"(?<![\d\w])\w+:(?!\w)", translated), f"missing space: {translated!r}"
        assert "'" not in translated, f"typewriter apostrophe: {translated!r}"
        assert '"' not in translated


def test_french_plurals_count_zero_as_one() -> None:
    texts = catalogue("fr")
    assert texts.ngettext("{n} code left", "{n} codes left", 0) == "{n} code restant"
    assert texts.ngettext("{n} code left", "{n} codes left", 2) == "{n} codes restants"
