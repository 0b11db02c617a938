"""The application: the subjects with what they share, errors as answers, and the start page."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, date, datetime
from functools import cache, lru_cache, partial
from hashlib import sha256
from itertools import accumulate, count, product
from typing import Any, Final

from babel.dates import format_date
from fastapi import APIRouter, FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from pegwise._version import __version__
from pegwise.compute.pool import TimedPool, watch_compiling
from pegwise.errors import PegwiseError, Phrase, quoted
from pegwise.game import Code, Rules, Turn, mark
from pegwise.game.words import other_words
from pegwise.web import (
    Settings,
    decode,
    games,
    import_for_workers,
    learn,
    play,
    player,
    puzzle,
    review,
    tree,
)
from pegwise.web.inputs import history_text
from pegwise.web.jobs import Job, JobInterrupted, JobPool
from pegwise.web.pages import STATIC, language_of, render
from pegwise.web.race import advance
from pegwise.web.race import api as race
from pegwise.web.race.worker import play_lane, play_timed
from pegwise.web.rooms import api as rooms
from pegwise.web.rooms import delete_old
from pegwise.web.rooms.live import Rooms
from pegwise.web.security import Guard, RefusedError, refusal, signing_secret
from pegwise.web.services import QuestionPool, Services, compile_all, prepare_quick, prepare_slow
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
_START: Final = Rules()
_FEWEST, _MOST = 5, 12  # how many codes a position of the day leaves
_SUBJECTS: Final = (play, player, puzzle, decode, review, learn, race, rooms, tree)


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application; the database is opened and brought to its newest form."""
    import_for_workers()
    settings = settings or Settings.from_environment()
    seconds, storage = settings.seconds, Storage(settings)
    secret = settings.secret or signing_secret(settings.home)
    slow = QuestionPool(settings.workers, seconds, prepare_slow)
    shared = Services(
        settings,
        storage,
        quick=QuestionPool(settings.workers, min(_QUICK_SECONDS, seconds), prepare_quick),
        slow=slow,
        # the engine behind charts reserves far more addresses than it uses
        explore=QuestionPool(1, max(_DRAWING_SECONDS, seconds), watch_compiling, memory=None),
        jobs=JobPool(settings, storage, run_job, advance),
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
    for pages in (start, *(subject.pages for subject in _SUBJECTS)):
        app.include_router(pages)
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


_JOBS: Final = {"lane": play_lane, "timed": play_timed, "tree": tree.grow}


def run_job(settings: Settings, job_id: str, lease: str) -> None:
    """In a worker: do a job until it is done, cannot be done, or is to be left."""
    do_job(_storage(settings), settings, job_id, lease)


def do_job(storage: Storage, settings: Settings, job_id: str, lease: str) -> None:
    """Likewise on an open database."""
    with suppress(JobInterrupted):
        job = Job(storage, settings, job_id, lease)
        _JOBS[job.row.kind](job)


@cache
def _storage(settings: Settings) -> Storage:
    """The database of a worker, which also has the lists of words of visitors."""
    storage = Storage(settings)
    other_words.set(partial(find_list, storage))
    return storage


# Errors as answers: a sentence that a person understands, with a status of its kind.


async def _answer_error(request: Request, error: Any) -> Response:
    path, method = quoted(request.url.path), request.method
    if isinstance(error, RequestValidationError):
        error = RefusedError(422, sentence_of(error.errors()[0]))
    elif isinstance(error, HTTPException):
        sentence = {
            404: Phrase("there is nothing at {path}", path=path),
            405: Phrase("{method} is not possible at {path}", method=method, path=path),
        }.get(error.status_code, Phrase(str(error.detail)))
        error = RefusedError(error.status_code, sentence, **(error.headers or {}))
    return refusal(request, error)


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


# The start page: a board, a race that was played beforehand, and the position of the day.

start = APIRouter(include_in_schema=False)


@cache
def runners() -> list[tuple[str, float, int]]:
    """The strategies of the race: the mean of each, and its codes when the best has them all.

    `start_race.json` has for each strategy how many guesses it needs for every code, in the order
    of the race, as digits to base 36.
    """
    lanes = json.loads((STATIC / "start_race.json").read_text(encoding="utf-8"))
    needed = {name: [int(digit, 36) for digit in digits] for name, digits in lanes.items()}
    end = min(map(sum, needed.values()))
    return [
        (name, sum(guesses) / len(guesses), sum(played <= end for played in accumulate(guesses)))
        for name, guesses in needed.items()
    ]


@lru_cache(maxsize=2)
def position_of(day: date) -> tuple[tuple[Turn, ...], int]:
    """The turns of the position of a day, which depends on the date alone, and its codes."""
    codes = [Code(colors) for colors in product(range(_START.colors), repeat=_START.pegs)]
    for attempt in count():
        digest = sha256(f"pegwise {day.isoformat()} {attempt}".encode()).digest()
        draws = [int.from_bytes(digest[place : place + 4]) for place in range(0, 32, 4)]
        secret, possible = codes[draws.pop() % len(codes)], codes
        turns: list[Turn] = []
        while draws and len(possible) > _MOST:
            guess = possible[draws.pop() % len(possible)]
            turns.append(Turn(guess, mark(guess, secret)))
            possible = [code for code in possible if mark(guess, code) == turns[-1].mark]
        if len(turns) > 1 and _FEWEST <= len(possible) <= _MOST:
            break
    return tuple(turns), len(possible)


@start.get("/")
def first_page(request: Request) -> Response:
    """The first page."""
    today = datetime.now(UTC).date()
    turns, n_codes = position_of(today)
    return render(
        request,
        "start",
        rules=_START,
        runners=runners(),
        day=format_date(today, "long", language_of(request)),
        turns=turns,
        history=history_text(turns),
        n_codes=n_codes,
        data={"history": [{"guess": str(guess), "mark": str(marked)} for guess, marked in turns]},
    )


@start.get("/favicon.ico")
def favicon() -> Response:
    """The icon, for programs that look for it by its old name."""
    return FileResponse(STATIC / "icon-192.png")
