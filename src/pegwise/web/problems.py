"""Errors as answers: one sentence that a person understands, with a status of its kind."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pegwise.errors import PegwiseError, quoted
from pegwise.web.guard import refuse
from pegwise.web.rendering import render
from pegwise.web.work import BusyError

__all__ = ["ConflictError", "NotFoundError", "install_problems", "status_of"]

_SENTENCES: Final = {
    404: "there is nothing at {path}",
    405: "{method} is not possible at {path}",
}


class NotFoundError(PegwiseError):
    """There is no such thing."""


class ConflictError(PegwiseError):
    """The state of a thing does not allow what was asked."""


def status_of(error: PegwiseError) -> int:
    """The status of an error."""
    if isinstance(error, NotFoundError):
        return 404
    if isinstance(error, ConflictError):
        return 409
    return 429 if isinstance(error, BusyError) else 422


def install_problems(app: FastAPI) -> None:
    """Let an application answer errors in this way."""

    async def from_pegwise(request: Request, error: Exception) -> Response:
        assert isinstance(error, PegwiseError)  # noqa: S101 (by its registration)
        return _answer(request, status_of(error), str(error))

    async def from_validation(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)  # noqa: S101
        return _answer(request, 422, _sentence(error.errors()[0]))

    async def from_http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101
        form = _SENTENCES.get(error.status_code, str(error.detail))
        path = quoted(request.url.path)
        sentence = form.format(path=path, method=request.method) if "{" in form else form
        return _answer(request, error.status_code, sentence, **(error.headers or {}))

    app.add_exception_handler(PegwiseError, from_pegwise)
    app.add_exception_handler(RequestValidationError, from_validation)
    app.add_exception_handler(HTTPException, from_http)


def _answer(request: Request, status: int, sentence: str, **headers: str) -> Response:
    """A page for people who look at pages, else JSON."""
    wants_page = "text/html" in request.headers.get("accept", "")
    if not wants_page or request.url.path.startswith(("/api/", "/static/")):
        return refuse(status, sentence, **headers)
    response = render(request, "error.html.j2", status, page="", message=sentence)
    response.headers.update(headers)
    return response


def _sentence(error: dict[str, Any]) -> str:
    """What is wrong with a value of a request."""
    kind, context = error["type"], error.get("ctx", {})
    if kind == "value_error":  # ours, which quotes what it refuses
        return str(context.get("error", error["msg"]))
    if kind == "json_invalid":
        return f"the body is not JSON: {context.get('error', 'it cannot be read')}"
    if kind in {"dict_type", "model_attributes_type", "model_type"} and len(error["loc"]) == 1:
        return "the body must be a JSON object, sent as application/json"
    where = ".".join(str(part) for part in error["loc"][1:]) or str(error["loc"][0])
    if kind == "missing":
        return f"{where} is missing"
    if kind == "extra_forbidden":
        return f"there is no {where} here: leave it out"
    message = str(error["msg"])
    return f"{where} {quoted(error.get('input'))}: {message[:1].lower()}{message[1:]}"
