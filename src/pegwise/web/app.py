"""The application: the subjects of the site with what they share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Final

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from itsdangerous import URLSafeTimedSerializer
from sqlalchemy.exc import SQLAlchemyError
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.staticfiles import StaticFiles

from pegwise._version import __version__
from pegwise.compute.workers import WorkerPool, do_nothing
from pegwise.errors import PegwiseError
from pegwise.strategies.registry import offer
from pegwise.web import (
    bounds,
    challenges,
    day,
    decode,
    games,
    learn,
    own_games,
    play,
    puzzle,
    review,
    start,
    transfers,
    tree,
    word_lists,
)
from pegwise.web.games_of_folder import load_file_games
from pegwise.web.job_kinds import run_job
from pegwise.web.jobs import JobRunner
from pegwise.web.pages import STAMPED, STATIC
from pegwise.web.race import api as race
from pegwise.web.refusals import PROBLEMS, answer_error
from pegwise.web.rooms import api as rooms
from pegwise.web.rooms.live import Rooms
from pegwise.web.rooms.room import delete_old as delete_old_rooms
from pegwise.web.security import Guard
from pegwise.web.services import (
    QuestionWorkers,
    Services,
    compile_all,
    offers_by,
    prepare_offering,
    prepare_quick,
    prepare_slow,
)
from pegwise.web.session import signing_secret
from pegwise.web.settings import Settings
from pegwise.web.storage import Storage, find_list
from pegwise.web.worker_imports import import_for_workers

_REPORT_SECONDS: Final = 60.0  # a report of many strategies takes longer than a page
_SUBJECTS: Final = (
    play,
    own_games,
    challenges,
    word_lists,
    puzzle,
    day,
    decode,
    review,
    learn,
    race,
    rooms,
    tree,
    bounds,
)


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application; the database is opened and brought to its newest form."""
    import_for_workers()
    settings = settings or Settings.from_environment()
    seconds, storage = settings.seconds, Storage(settings)
    secret = settings.secret or signing_secret(settings.home)
    offers = offers_by(settings)
    offer(offers)
    besides = load_file_games(settings.games)

    def workers(
        limit: float, prepare: Callable[[], None], n: int = settings.workers
    ) -> QuestionWorkers:
        return QuestionWorkers(n, limit, partial(prepare_offering, offers, prepare))

    slow = workers(seconds, prepare_slow)
    shared = Services(
        settings,
        storage,
        quick=workers(seconds / 2, prepare_quick),
        slow=slow,
        explore=workers(max(_REPORT_SECONDS, seconds), do_nothing, 1),
        jobs=JobRunner(settings, storage, partial(run_job, offers)),
        rooms=Rooms(storage, slow.ask),
    )

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        behind = [asyncio.ensure_future(task(shared)) for task in (_warm, _delete_old)]
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
        middleware=[
            Middleware(
                TrustedHostMiddleware, allowed_hosts=settings.hosts or ["*"], www_redirect=False
            ),
            Middleware(Guard, settings, secret, partial(find_list, storage)),
            Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
        ],
    )
    app.state.signer = URLSafeTimedSerializer(secret, "transfers")
    app.state.services, app.state.offers, app.state.games = shared, offers, besides
    for kind in (PegwiseError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, answer_error)
    app.mount(STAMPED, StaticFiles(directory=STATIC), name="stamped")
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    for subject in (*_SUBJECTS, transfers):
        app.include_router(subject.api, prefix="/api", responses=PROBLEMS)
    for subject in (start, *_SUBJECTS):
        app.include_router(subject.pages)
    return app


async def _warm(shared: Services) -> None:
    """Load behind the first page what the first questions need, the most frequent first."""
    await shared.storage.do(games.prepare)
    await shared.quick.start()
    await shared.slow.start()
    compiler = WorkerPool(1)
    try:
        with suppress(Exception):  # then kernels are compiled by the questions that need them
            await asyncio.wrap_future(compiler.ask(compile_all))
    finally:
        compiler.close()


async def _delete_old(shared: Services) -> None:
    """Delete rooms and unfinished games whose time is over, every hour."""
    while True:
        with suppress(SQLAlchemyError):  # the database may be away for a moment
            await shared.storage.do(delete_old_rooms, shared.settings.room_days)
            await shared.storage.do(games.delete_old, shared.settings.game_days)
        await asyncio.sleep(3600)
