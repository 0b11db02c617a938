"""Which language a page is in, and its catalogue.

Catalogues are `locale/LANGUAGE/LC_MESSAGES/web.po`, read as they are; what is not in them is said
as at the command line (`pegwise.i18n`). The English texts are the source.
"""

from __future__ import annotations

import gettext
import io
from functools import cache
from pathlib import Path
from typing import Final

from starlette.requests import Request

from pegwise import i18n as texts
from pegwise.i18n import LANGUAGES, SOURCE
from pegwise.web.session import session_of

__all__ = ["LANGUAGES", "SOURCE", "catalogue", "language_of"]

_LOCALE: Final = Path(__file__).parent / "locale"


@cache
def catalogue(language: str) -> gettext.NullTranslations:
    """The texts of a language; the source's own where there is no catalogue."""
    path = _LOCALE / language / "LC_MESSAGES" / "web.po"
    if not path.is_file():
        return gettext.NullTranslations()
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = io.BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file, locale=language))
    compiled.seek(0)
    found = gettext.GNUTranslations(compiled)
    found.add_fallback(texts.catalogue(language))
    return found


def language_of(request: Request) -> str:
    """The language of a request: `?lang=`, which the session then keeps; else the browser's."""
    session = session_of(request)
    asked = request.query_params.get("lang", "")
    if asked in LANGUAGES:
        if session.get("lang") != asked:
            session["lang"] = asked
        return asked
    if (kept := str(session.get("lang", ""))) in LANGUAGES:
        return kept
    return _accepted(request.headers.get("accept-language", ""))


def _accepted(header: str) -> str:
    """The best language of an Accept-Language header such as `fr-CH, en;q=0.8`."""
    found: list[tuple[float, int, str]] = []
    for place, part in enumerate(header.split(",")[:20]):
        name, _, quality = part.strip().partition(";")
        language = name.strip().lower().partition("-")[0]
        try:
            weight = float(quality.strip().removeprefix("q=")) if quality else 1.0
        except ValueError:
            continue
        if language in LANGUAGES and weight > 0:
            found.append((-weight, place, language))
    return min(found)[2] if found else SOURCE
