"""Pages: Jinja2 templates with the language, the session's token and links to static files."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from starlette.requests import Request
from starlette.responses import HTMLResponse

from pegwise._version import __version__
from pegwise.web.filters import filters
from pegwise.web.language import LANGUAGES, catalogue, language_of
from pegwise.web.session import csrf_token

__all__ = ["STATIC", "render"]

_HERE: Final = Path(__file__).parent
STATIC: Final = _HERE / "static"


def render(request: Request, template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page.

    Beside its own context, a template has `_` and `ngettext` (and the `trans` tag), `lang`,
    `languages`, `csrf_token`, `static` (the address of a static file), `version`, `request`.
    """
    language = language_of(request)
    page = _environment(language).get_template(template)
    text = page.render(
        request=request,
        lang=language,
        languages=LANGUAGES,
        csrf_token=csrf_token(request),
        version=__version__,
        **context,
    )
    return HTMLResponse(
        text, status, headers={"content-language": language, "vary": "accept-language, cookie"}
    )


@cache
def _environment(language: str) -> Environment:
    """The templates of a language; they are read once."""
    environment = Environment(
        loader=FileSystemLoader(_HERE / "templates"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
    )
    install: Any = environment
    install.install_gettext_translations(catalogue(language), newstyle=True)
    environment.globals["static"] = _static
    environment.filters.update(filters(language))
    return environment


def _static(name: str) -> str:
    """The address of a static file, which changes when the file does."""
    try:
        stamp = f"?v={(STATIC / name).stat().st_mtime_ns // 10**6:x}"
    except OSError:
        stamp = ""
    return f"/static/{name}{stamp}"
