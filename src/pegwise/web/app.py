"""The application: what stands before every request, the pages, the API, and what they share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from fastapi import APIRouter, FastAPI
from starlette.middleware import Middleware
from starlette.staticfiles import StaticFiles

from pegwise._version import __version__
from pegwise.web import decode, games, learn, pages, play, race_pages, review, tree
from pegwise.web.computing import warm, warm_widely
from pegwise.web.guard import BodyLimit, RateLimit, SafetyHeaders, TokenCheck
from pegwise.web.jobs import Foreman
from pegwise.web.memory import Memory
from pegwise.web.pages import STATIC
from pegwise.web.problems import Problem, install_problems
from pegwise.web.questions import warm_to_explore
from pegwise.web.races import Races
from pegwise.web.routes import race
from pegwise.web.services import Services
from pegwise.web.session import SessionMiddleware, signing_secret
from pegwise.web.settings import Settings
from pegwise.web.storage import Storage
from pegwise.web.work import Line

__all__ = ["create_app"]

_QUICK_SECONDS: Final = 10.0
_DRAWING_SECONDS: Final = 60.0  # the first chart loads its engine
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": why}
    for status, why in (
        (403, "The token of the page is missing."),
        (404, "There is no such thing."),
        (409, "The state of the thing does not allow it."),
        (413, "The body is too large."),
        (422, "What was sent is refused."),
        (429, "Too many requests."),
    )
}
_API: tuple[APIRouter, ...] = (
    play.api,
    decode.api,
    review.api,
    learn.api,
    race.router,
    tree.api,
)


def create_app(settings: Settings | None = None) -> FastAPI:
    """The application; the database is opened and brought to its newest form.

    Args:
        settings: what the server is told; read from the environment when not given.

    Raises:
        InputError: a setting cannot be understood, or the database is not there.
        OutputError: the directory for what lasts cannot be written.
    """
    settings = settings or Settings.from_environment()
    storage = Storage(settings)
    shared = Services(
        settings,
        storage,
        Line(settings.workers, min(_QUICK_SECONDS, settings.seconds), warm),
        Line(settings.workers, settings.seconds, warm_widely),
        Line(1, max(_DRAWING_SECONDS, settings.seconds), warm_to_explore),
        Foreman(settings, storage),
        Races(storage, Memory()),
    )

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        beginning = asyncio.ensure_future(_begin(shared))
        shared.foreman.start()
        yield
        beginning.cancel()
        await asyncio.to_thread(shared.foreman.close)
        shared.quick.close()
        shared.slow.close()
        shared.explore.close()
        storage.close()

    app = FastAPI(
        title="pegwise",
        version=__version__,
        summary="Play, decode and review Mastermind.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # these pages come from elsewhere
        redoc_url=None,
        lifespan=lifespan,
        middleware=[
            Middleware(SafetyHeaders),
            Middleware(SessionMiddleware, settings.secret or signing_secret(settings.home)),
            Middleware(RateLimit, settings.rate),
            Middleware(BodyLimit, settings.max_body),
            Middleware(TokenCheck),
        ],
    )
    app.state.services = shared
    install_problems(app)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    for router in _API:
        app.include_router(router, prefix="/api", responses=_PROBLEMS)
    app.include_router(pages.router)
    app.include_router(race_pages.router)
    for subject in (play, decode, review, learn, tree):
        app.include_router(subject.pages)
    return app


async def _begin(shared: Services) -> None:
    """Get ready behind the first page: one thing after the other, the most wanted first."""
    shared.quick.start()
    await shared.storage.do(games.prepare)
    await shared.quick.ready()
    shared.slow.start()
