"""The application: what stands before every request, the pages, the API, and what they share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from pegwise._version import __version__
from pegwise.compute.pool import TimedPool, watch_compiling
from pegwise.errors import PegwiseError, Phrase, quoted
from pegwise.web import decode, games, learn, lists, play, player, puzzle, review, start, tree
from pegwise.web.pages import STATIC
from pegwise.web.race import api as race
from pegwise.web.race.store import Races
from pegwise.web.rooms import api as rooms
from pegwise.web.rooms.live import Rooms
from pegwise.web.rooms.store import delete_old
from pegwise.web.security import Guard, refusal, signing_secret
from pegwise.web.services import (
    JobPool,
    QuestionPool,
    Services,
    compile_all,
    prepare_quick,
    prepare_slow,
)
from pegwise.web.settings import Settings
from pegwise.web.storage import Storage, find_list


class Problem(BaseModel):
    """An error as a document: what was refused, and what is allowed."""

    detail: str


_QUICK_SECONDS: Final = 10.0
_DRAWING_SECONDS: Final = 60.0  # the first chart loads its engine
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": why}
    for status, why in (
        (403, "The token of the page is missing, or the thing is another visitor's."),
        (404, "There is no such thing."),
        (409, "The state of the thing does not allow it."),
        (413, "The body is too large."),
        (422, "What was sent is refused."),
        (429, "Too many requests."),
    )
}
_SUBJECTS: Final = (play, player, puzzle, decode, review, learn, race, rooms, tree, lists)


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application; the database is opened and brought to its newest form."""
    settings = settings or Settings.from_environment()
    seconds, storage = settings.seconds, Storage(settings)
    races = Races(storage)
    secret = settings.secret or signing_secret(settings.home)
    slow = QuestionPool(settings.workers, seconds, prepare_slow)
    shared = Services(
        settings,
        storage,
        quick=QuestionPool(settings.workers, min(_QUICK_SECONDS, seconds), prepare_quick),
        slow=slow,
        # the engine behind charts reserves far more addresses than it uses
        explore=QuestionPool(1, max(_DRAWING_SECONDS, seconds), watch_compiling, memory=None),
        jobs=JobPool(settings, storage, races.advance),
        races=races,
        rooms=Rooms(storage, slow.ask),
    )

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        behind = [asyncio.ensure_future(task(shared)) for task in (_warm, _delete_old_rooms)]
        shared.jobs.start()
        yield
        for task in behind:
            task.cancel()
        await asyncio.to_thread(shared.close)

    app = FastAPI(
        title="pegwise",
        version=__version__,
        summary="Play, decode and review Mastermind.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # these pages come from elsewhere
        redoc_url=None,
        lifespan=lifespan,
        middleware=[Middleware(Guard, settings, secret, partial(find_list, storage))],
    )
    app.state.services = shared
    for kind in (PegwiseError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _answer_error)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    for subject in _SUBJECTS:
        app.include_router(subject.api, prefix="/api", responses=_PROBLEMS)
    for subject in (start, *_SUBJECTS):
        app.include_router(subject.pages)
    return app


async def _warm(shared: Services) -> None:
    """Load behind the first page what the first questions need, the most frequent first."""
    await shared.storage.do(games.prepare)
    await shared.quick.start()
    await shared.slow.start()
    compiler = TimedPool(1)
    try:
        with suppress(Exception):  # then kernels are compiled by the questions that need them
            await asyncio.wrap_future(compiler.submit(compile_all))
    finally:
        compiler.close()


async def _delete_old_rooms(shared: Services) -> None:
    """Delete rooms whose time is over, every hour."""
    while True:
        with suppress(SQLAlchemyError):  # the database may be away for a moment
            await shared.storage.do(delete_old, shared.settings.room_days)
        await asyncio.sleep(3600)


# Errors as answers: a sentence that a person understands, with a status of its kind.


async def _answer_error(request: Request, error: Any) -> Response:
    status, path = getattr(error, "status", 422), quoted(request.url.path)
    if isinstance(error, PegwiseError):
        sentence = error.phrase
    elif isinstance(error, RequestValidationError):
        sentence = sentence_of(error.errors()[0])
    else:
        status, sentence = error.status_code, Phrase(str(error.detail))
        if status == 404:
            sentence = Phrase("there is nothing at {path}", path=path)
        elif status == 405:
            method = request.method
            sentence = Phrase("{method} is not possible at {path}", method=method, path=path)
    return refusal(request, status, sentence, **(getattr(error, "headers", None) or {}))


def sentence_of(error: dict[str, Any]) -> Phrase:
    """What is wrong with a value of a request."""
    kind, context = error["type"], error.get("ctx", {})
    if kind == "value_error":  # ours, which quotes what it refuses
        sentence = context.get("error", error["msg"])
        return sentence.phrase if isinstance(sentence, PegwiseError) else Phrase(str(sentence))
    if kind == "json_invalid":
        return Phrase("the body is not JSON: {why}", why=context.get("error", "?"))
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
"""What the rules of a field say, by the validator's name of the fault."""
