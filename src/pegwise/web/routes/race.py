"""Races: begun, watched live, steered, and what comes of them."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any, Final, Literal, TypeVar

from fastapi import APIRouter, Header, Path, Query
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from pegwise.web import entries, questions
from pegwise.web.inputs import CodeText, StrategyText
from pegwise.web.problems import NotFoundError
from pegwise.web.race_schemas import GamesView, PaceRequest, RaceRequest, RaceView, SecretsView
from pegwise.web.services import Services, Shared, Spoken
from pegwise.web.work import asking

router = APIRouter(prefix="/races", tags=["race"])

Answer = TypeVar("Answer")

RaceId = Annotated[str, Path(max_length=40)]

_STEP: Final = 0.2
"""Seconds between two looks at a race that is watched."""

_SILENCE: Final = 15.0
"""Seconds without news after which a comment says that the line still stands."""

_WATCHED: Final = 600.0
"""Seconds after which a watcher must ask again, as browsers do by themselves."""

_FINISHED: Final = frozenset({"done", "failed"})

_TYPES: Final = {
    "json": "application/json",
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "ipynb": "application/x-ipynb+json",
}
_NAMES: Final = {
    "results.json": "json",
    "results.csv": "csv",
    "report.html": "html",
    "notebook.ipynb": "ipynb",
}
_REPORT_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'"
)


@router.post("", status_code=201)
async def begin(request: RaceRequest, shared: Shared, language: Spoken) -> RaceView:
    """Begin a race; every strategy is a job of its own."""
    entry = await shared.explore.ask(
        entries.prepare, request.rules, request.strategies, request.games, request.seed
    )
    race_id = await _do(shared, shared.races.begin, _client(), entry, request.speed)
    shared.foreman.wake()
    return await _view(shared, race_id, language)


@router.get("/{race_id}")
async def view(race_id: RaceId, shared: Shared, language: Spoken) -> RaceView:
    """A race as it is now."""
    return await _view(shared, race_id, language)


@router.get(
    "/{race_id}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}, "description": "Events."}},
)
async def events(
    race_id: RaceId,
    request: Request,
    shared: Shared,
    language: Spoken,
    last_event_id: Annotated[str, Header(max_length=40)] = "",
) -> StreamingResponse:
    """The race live.

    `progress` whenever something is new, `result` for each strategy that has finished, `end`. Who
    comes again with `Last-Event-ID` is told only what is new since.
    """
    await _view(shared, race_id, language)  # a race that is not there is an answer, not an event
    stream = _events(race_id, request, shared, language, last_event_id)
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(stream, media_type="text/event-stream", headers=headers)


@router.post("/{race_id}/speed")
async def pace(race_id: RaceId, request: PaceRequest, shared: Shared, language: Spoken) -> RaceView:
    """Show the race faster or slower."""
    await _do(shared, shared.races.pace, race_id, request.speed)
    shared.foreman.wake()
    return await _view(shared, race_id, language)


@router.get("/{race_id}/secrets")
async def secrets(
    race_id: RaceId,
    strategy: Annotated[StrategyText, Query()],
    guesses: Annotated[int, Query(ge=1, le=10_000)],
    shared: Shared,
) -> SecretsView:
    """The secrets behind a bar: those that a strategy found with so many guesses."""
    found = await _do(shared, shared.races.secrets_of, race_id, strategy, guesses)
    return SecretsView(**found)


@router.get("/{race_id}/secrets/{code}")
async def games(race_id: RaceId, code: Annotated[CodeText, Path()], shared: Shared) -> GamesView:
    """The games of a secret side by side."""
    return GamesView(**await _do(shared, shared.races.games_of, race_id, code))


@router.get("/{race_id}/chart.svg", response_class=Response)
async def chart(
    race_id: RaceId,
    shared: Shared,
    language: Spoken,
    shade: Literal["light", "dark"] = "light",
    narrow: bool = False,
) -> Response:
    """The histograms of a race that has ended."""
    found = await _do(shared, shared.races.results, race_id)
    dark = shade == "dark"
    drawn = await shared.explore.ask(questions.race_chart, found, dark, narrow, language)
    return Response(drawn, media_type="image/svg+xml")


@router.get("/{race_id}/{name}", response_class=Response)
async def file(
    race_id: RaceId,
    name: Literal["results.json", "results.csv", "report.html", "notebook.ipynb"],
    shared: Shared,
    language: Spoken,
) -> Response:
    """What comes of a race that has ended: results, a page of its own, or a notebook."""
    found = await _do(shared, shared.races.results, race_id)
    form = _NAMES[name]
    written = await shared.explore.ask(questions.race_file, found, form, language)
    headers = {"content-disposition": f'attachment; filename="pegwise-race-{name}"'}
    if form == "html":
        headers = {"content-security-policy": _REPORT_POLICY}
    return Response(written, media_type=_TYPES[form], headers=headers)


@router.post("/{race_id}/{action}")
async def steer(
    race_id: RaceId,
    action: Literal["pause", "resume", "stop"],
    shared: Shared,
    language: Spoken,
) -> RaceView:
    """Pause a race, let it go on, or stop it for good."""
    await _do(shared, shared.races.change, race_id, action)
    shared.foreman.wake()
    return await _view(shared, race_id, language)


async def _events(
    race_id: str, request: Request, shared: Services, language: str, seen: str
) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    told: set[int] | None = None
    begun = heard = loop.time()
    yield "retry: 1000\n\n"
    while not shared.foreman.closed and loop.time() - begun < _WATCHED:
        try:
            found = await _do(shared, shared.races.view, race_id, language)
        except NotFoundError:
            return  # too old to keep
        data = json.dumps(found, separators=(",", ":"))
        stamp = f"{zlib.crc32(data.encode()):08x}"
        finished = {lane["place"] for lane in found["lanes"] if lane["state"] in _FINISHED}
        if stamp != seen:
            yield _event("progress", data, stamp)
            seen, heard = stamp, loop.time()
        for place in sorted(finished - (finished if told is None else told)):
            yield _event("result", json.dumps(found["lanes"][place]), stamp)
        told = finished
        if found["state"] in {"over", "stopped"}:
            yield _event("end", data, stamp)
            return
        if loop.time() - heard > _SILENCE:
            yield ": still here\n\n"
            heard = loop.time()
        await asyncio.sleep(_STEP)
        if await request.is_disconnected():
            return


def _event(name: str, data: str, stamp: str) -> str:
    return f"event: {name}\nid: {stamp}\ndata: {data}\n\n"


async def _view(shared: Services, race_id: str, language: str) -> RaceView:
    return RaceView(**await _do(shared, shared.races.view, race_id, language))


def _client() -> str:
    return asking.get() or "this machine"


async def _do(shared: Services, method: Callable[..., Answer], *arguments: Any) -> Answer:
    """What a method of the races returns, called on the thread of the database."""
    return await shared.storage.do(lambda _storage: method(*arguments))
