"""How a request is refused: one sentence in the visitor's language, as a page or as JSON."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from pegwise.errors import Phrase
from pegwise.i18n import translated
from pegwise.web.i18n import language_of
from pegwise.web.pages import render

__all__ = ["refusal"]


def refusal(request: Request, status: int, said: Phrase, **headers: str) -> Response:
    """A page for people who look at pages, else `{"detail": sentence}`.

    Args:
        request: behind `SessionMiddleware`, for the session knows the language.
        status: of the answer.
        said: what is wrong.
        headers: of the answer, further ones.
    """
    sentence = translated(said, language_of(request))
    wants_page = "text/html" in request.headers.get("accept", "")
    if not wants_page or request.url.path.startswith(("/api/", "/static/")):
        return JSONResponse({"detail": sentence}, status, headers)
    again = _again(request, status)
    response = render(request, "error.html.j2", status, page="", message=sentence, again=again)
    response.headers.update(headers)
    return response


def _again(request: Request, status: int) -> str:
    """Where it goes on: at the very address later, at the page's beginning, or at the start."""
    if status == 404:
        return "/"
    query = f"?{request.url.query}" if status == 429 and request.url.query else ""
    return f"{request.url.path}{query}"
