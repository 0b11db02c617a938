"""The texts of the pages: found in the sources, and kept in step with the catalogues.

    python -m pegwise.web.messages

finds them in templates and modules, adds what the cards of the strategies say, and brings every
`locale/LANGUAGE/LC_MESSAGES/web.po` up to date; what is new in it is left to translate.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.pofile import read_po, write_po

from pegwise.strategies.registry import cards

__all__ = ["catalogues", "found", "updated"]

_WEB: Final = Path(__file__).parent
_METHODS: Final = [("**.py", "python"), ("**.j2", "jinja2")]
_OPTIONS: Final = {"**.j2": {"newstyle_gettext": "true", "trimmed": "true"}}
_KEYWORDS: Final = {**DEFAULT_KEYWORDS, "both": (1, 2)}
"""`both` makes the pairs of `words`."""


def found() -> Catalog:
    """All texts of the sources, with the file that each stands in."""
    catalog = Catalog(project="pegwise", charset="utf-8", fuzzy=False)
    for file, message, comments, context in sorted(_extracted(), key=lambda text: text[0]):
        catalog.add(message, locations=[(file, 0)], auto_comments=comments, context=context)
    for card in cards():
        texts = [card.name, card.about, *([card.authors] if " and " in card.authors else [])]
        for text in texts:
            catalog.add(text, locations=[("strategies", 0)])
    return catalog


def catalogues() -> dict[str, Path]:
    """The file of each language that there is a catalogue of."""
    paths = sorted((_WEB / "locale").glob("*/LC_MESSAGES/web.po"))
    return {path.parent.parent.name: path for path in paths}


def updated(language: str, path: Path) -> Catalog:
    """A catalogue with exactly the texts of the sources."""
    with path.open("rb") as file:
        catalog = read_po(file, locale=language)
    catalog.update(found(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    return catalog


def as_bytes(catalog: Catalog) -> bytes:
    """A catalogue as its file has it, without anything that changes from day to day."""
    buffer = BytesIO()
    write_po(buffer, catalog, width=100, sort_output=True, omit_header=True, include_lineno=False)
    language = catalog.locale_identifier or ""
    header = (
        f'msgid ""\nmsgstr ""\n"Language: {language}\\n"\n'
        f'"Plural-Forms: {catalog.plural_forms}\\n"\n'
        '"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    )
    return header.encode() + buffer.getvalue()


def _extracted() -> Iterator[tuple[str, str | tuple[str, ...], list[str], str | None]]:
    for file, _, message, comments, context in extract_from_dir(
        _WEB, _METHODS, _OPTIONS, _KEYWORDS, strip_comment_tags=True
    ):
        yield file, message, comments, context


if __name__ == "__main__":
    for name, place in catalogues().items():
        place.write_bytes(as_bytes(updated(name, place)))
