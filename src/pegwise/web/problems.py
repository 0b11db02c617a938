"""Errors as answers: one sentence that a person understands, with a status of its kind."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pegwise.errors import PegwiseError, Phrase, quoted
from pegwise.web.refusals import refusal
from pegwise.web.work import BusyError

__all__ = ["ConflictError", "NotFoundError", "Problem", "install_problems", "status_of"]


class Problem(BaseModel):
    """An error as a document: what was refused, and what is allowed."""

    detail: str


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
        return refusal(request, status_of(error), error.phrase)

    async def from_validation(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)  # noqa: S101
        return refusal(request, 422, _sentence(error.errors()[0]))

    async def from_http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)  # noqa: S101
        said, path = Phrase(str(error.detail)), quoted(request.url.path)
        if error.status_code == 404:
            said = Phrase("there is nothing at {path}", path=path)
        elif error.status_code == 405:
            said = Phrase("{method} is not possible at {path}", method=request.method, path=path)
        return refusal(request, error.status_code, said, **(error.headers or {}))

    app.add_exception_handler(PegwiseError, from_pegwise)
    app.add_exception_handler(RequestValidationError, from_validation)
    app.add_exception_handler(HTTPException, from_http)


def _sentence(error: dict[str, Any]) -> Phrase:
    """What is wrong with a value of a request."""
    kind, context = error["type"], error.get("ctx", {})
    if kind == "value_error":  # ours, which quotes what it refuses
        said = context.get("error", error["msg"])
        return said.phrase if isinstance(said, PegwiseError) else Phrase(str(said))
    if kind == "json_invalid":
        return Phrase("the body is not JSON: {why}", why=context.get("error", "?"))
    if kind in {"dict_type", "model_attributes_type", "model_type"} and len(error["loc"]) == 1:
        return Phrase("the body must be a JSON object, sent as application/json")
    where = ".".join(str(part) for part in error["loc"][1:]) or str(error["loc"][0])
    if kind == "missing":
        return Phrase("{where} is missing", where=where)
    if kind == "extra_forbidden":
        return Phrase("there is no {where} here: leave it out", where=where)
    given, message = quoted(error.get("input")), str(error["msg"])
    why = f"{message[:1].lower()}{message[1:]}"
    if kind in {"greater_than_equal", "less_than_equal"}:
        least, most = context.get("ge"), context.get("le")
        why = Phrase("at least {n}", n=least) if most is None else Phrase("at most {n}", n=most)
        return Phrase("{where} {given}: must be {why}", where=where, given=given, why=why)
    return Phrase("{where} {given}: {why}", where=where, given=given, why=why)
