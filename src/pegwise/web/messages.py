"""The texts of the pages: found in the sources, and kept in step with the catalogues.

    python -m pegwise.web.messages

finds them in templates and modules, and brings every `locale/LANGUAGE/LC_MESSAGES/web.po` up to
date; what is new in it is left to translate. Errors, pictures and the cards of the strategies are
in the catalogue of `pegwise.messages`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir

from pegwise.messages import as_bytes, updated

__all__ = ["catalogues", "found"]

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
    return catalog


def catalogues() -> dict[str, Path]:
    """The file of each language that there is a catalogue of."""
    paths = sorted((_WEB / "locale").glob("*/LC_MESSAGES/web.po"))
    return {path.parent.parent.name: path for path in paths}


def _extracted() -> Iterator[tuple[str, str | tuple[str, ...], list[str], str | None]]:
    for file, _, message, comments, context in extract_from_dir(
        _WEB, _METHODS, _OPTIONS, _KEYWORDS, strip_comment_tags=True
    ):
        yield file, message, comments, context


if __name__ == "__main__":
    for name, place in catalogues().items():
        place.write_bytes(as_bytes(updated(name, place, found())))
