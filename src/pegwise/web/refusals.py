"""How a request is refused: one sentence in the visitor's language, as a page or as JSON."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from pegwise.errors import Phrase
from pegwise.language import translated
from pegwise.web.language import language_of
from pegwise.web.rendering import render

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
    response = render(request, "error.html.j2", status, page="", message=sentence)
    response.headers.update(headers)
    return response
