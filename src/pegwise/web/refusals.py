"""Errors as answers: a sentence that a person understands, with a status of its kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from pegwise.errors import AmbiguousError, PegwiseError, Phrase, quoted
from pegwise.i18n import translated
from pegwise.web.pages import language_of, render


class Problem(BaseModel):
    """An error as a document: what is refused, and what is allowed.

    `readings`: of a text that may mean several things, each in words, with what to send with it.
    """

    detail: str
    readings: list[dict[str, Any]] | None = None


PROBLEMS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": Problem, "description": why}
    for status, why in (
        (403, "The request comes from another site, or the thing is another visitor's."),
        (404, "There is no such thing."),
        (409, "The state of the thing does not allow it."),
        (413, "The body is too large."),
        (422, "What was sent is refused."),
        (429, "Too many requests."),
    )
}


def _plain(choice: Mapping[str, object]) -> dict[str, Any]:
    """The choices between readings, as JSON."""
    return {
        {"game": "rules"}.get(name, name): list(value) if isinstance(value, tuple) else str(value)
        for name, value in choice.items()
    }


class RefusedError(PegwiseError):
    """A request is refused: status, sentence, headers of the answer."""

    def __init__(self, status: int, sentence: Phrase, **headers: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.headers = headers


def refusal(request: Request, error: PegwiseError) -> Response:
    """A page for people who look at pages, else `{"detail": sentence}`, in their language."""
    status, headers = getattr(error, "status", 422), getattr(error, "headers", {})
    if not wants_page(request):
        language = language_of(request)
        document: dict[str, Any] = {"detail": translated(error.phrase.unadvised, language)}
        if isinstance(error, AmbiguousError):
            document["readings"] = [
                {"words": translated(words, language), **_plain(choice)}
                for words, choice in error.readings
            ]
        return JSONResponse(document, status, headers)
    again = "/" if status == 404 else request.url.path
    if status == 429 and request.url.query:
        again = f"{again}?{request.url.query}"
    waits = "refresh" in headers
    response = render(request, "error", error=error, again=again, waits=waits, lost=status == 404)
    response.headers.update(headers)
    return response


def wants_page(request: Request) -> bool:
    """Whether a person looks at the answer."""
    page = not request.url.path.startswith(("/api/", "/static/"))
    return page and "text/html" in request.headers.get("accept", "")


async def answer_error(request: Request, error: Any) -> Response:
    """The answer to a request that raised an error."""
    path, method = quoted(request.url.path), request.method
    if isinstance(error, RequestValidationError):
        error = RefusedError(422, sentence_of(error.errors()[0]))
    elif isinstance(error, HTTPException):
        sentence = {
            400: Phrase("this request cannot be read"),
            404: Phrase("there is nothing at {path}", path=path),
            405: Phrase("{method} is not possible at {path}", method=method, path=path),
        }.get(error.status_code, Phrase(str(error.detail)))
        error = RefusedError(error.status_code, sentence, **(error.headers or {}))
    return refusal(request, error)


def sentence_of(error: dict[str, Any]) -> Phrase:
    """A sentence about a refused value of a request."""
    kind, context = error["type"], error.get("ctx", {})
    if kind == "value_error":  # ours, which quotes what it refuses
        sentence = context.get("error", error["msg"])
        return sentence.phrase if isinstance(sentence, PegwiseError) else Phrase(str(sentence))
    if kind == "json_invalid":
        return Phrase("the body is not JSON, as character {place} shows", place=error["loc"][-1])
    if kind in {"dict_type", "model_attributes_type", "model_type"} and len(error["loc"]) == 1:
        return Phrase("the body must be a JSON object, sent as application/json")
    where = ".".join(str(part) for part in error["loc"][1:]) or str(error["loc"][0])
    if kind == "missing":
        return Phrase("{where} is missing", where=where)
    if kind == "extra_forbidden":
        return Phrase("there is no {where} here: leave it out", where=where)
    limits = {**context, "names": str(context.get("expected")).replace(" or ", ", ")}
    why = Phrase(_BOUNDS.get(kind, _UNREADABLE), **limits)
    if kind in {"too_long", "too_short"}:  # a list, of which nobody wants to read the beginning
        return Phrase("{where}: {why}", where=where, why=why)
    return Phrase("{where} {value}: {why}", where=where, value=quoted(error.get("input")), why=why)


_WHOLE: Final = Phrase("must be a whole number")
_NUMBER: Final = Phrase("must be a number")
_YES_OR_NO: Final = Phrase("must be true or false")
_UNREADABLE: Final = Phrase("cannot be read")
_BOUNDS: Final = {
    "greater_than_equal": Phrase("must be at least {ge}"),
    "less_than_equal": Phrase("must be at most {le}"),
    "less_than": Phrase("must be less than {lt}"),
    "string_too_long": Phrase("at most {max_length} characters are allowed"),
    "string_too_short": Phrase("must not be empty"),
    "too_long": Phrase("at most {max_length} are allowed, not {actual_length}"),
    "too_short": Phrase("at least {min_length} must be there"),
    "literal_error": Phrase("must be one of {names}"),
    "string_type": Phrase("must be text"),
    "list_type": Phrase("must be a list"),
    **dict.fromkeys(("model_type", "model_attributes_type"), Phrase("must be a JSON object")),
    **dict.fromkeys(("int_type", "int_parsing", "int_parsing_size", "int_from_float"), _WHOLE),
    **dict.fromkeys(("float_type", "float_parsing", "finite_number"), _NUMBER),
    **dict.fromkeys(("bool_type", "bool_parsing"), _YES_OR_NO),
}
"""The sentences of the rules of a field, by the validator's name of the fault."""
