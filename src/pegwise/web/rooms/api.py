"""Rooms for a class: their API and their pages."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar

import segno
from fastapi import APIRouter, Depends, Header, Path, Query
from pydantic import Field, ValidationError
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from pegwise.errors import InputError, PegwiseError
from pegwise.game import Game, game_of, parse_code
from pegwise.knowledge.codemaker import draw_secret
from pegwise.web.dates import long_date
from pegwise.web.games import draw_seed
from pegwise.web.inputs import CodeText, RequestBody, is_form, rules_of
from pegwise.web.limits import client_of
from pegwise.web.pages import (
    attachment,
    event_stream,
    form_fields,
    language_of,
    render,
    render_piece,
    strategy_words,
)
from pegwise.web.puzzle import PuzzleRequest, documents
from pegwise.web.rooms import room as rooms
from pegwise.web.rooms import turns
from pegwise.web.rooms.live import STRATEGIES, RoomReport, as_csv
from pegwise.web.rooms.results import told
from pegwise.web.rooms.room import MODES, PUZZLES, Action, RoomChange, RoomRequest
from pegwise.web.rooms.turns import (
    RoomPlayerView,
    RoomResults,
    RoomTotal,
    RoomTurnRequest,
    RoomView,
)
from pegwise.web.services import Player, Services, Shared, Spoken, Visitor, asker
from pegwise.web.storage import NotFoundError, NotYoursError, RoomRow

Answer = TypeVar("Answer")
_WAITING: Final = 20  # seconds that a file may wait for what is computed of its rounds
_COLORS: Final = "ABCDGHIJKL"  # of the pegs of pupils: what is seen on white and on black

api = APIRouter(prefix="/rooms", tags=["rooms"])
pages = APIRouter(prefix="/room", include_in_schema=False)


class JoinRequest(RequestBody):
    """A pupil comes in."""

    name: Annotated[str, Field(max_length=200)]


class HideRequest(RequestBody):
    """A code that a pupil hides in a duel; empty to play against pegwise."""

    round: Annotated[int, Field(ge=1, le=10**6)]
    code: Annotated[str, Field(max_length=200)] = ""


class SteerRequest(RequestBody):
    """The round in which the room is, and the code of the next one where the teacher hides it."""

    round: Annotated[int, Field(ge=0)]
    code: CodeText | None = None


class ResultsView(RoomResults):
    """A round that is over, with the report as far as it is computed, and names of strategies.

    `totals` are of all rounds that are over.
    """

    report: RoomReport
    strategies: dict[str, str]
    totals: list[RoomTotal]


class _Guest:
    """A visitor who asks about a room."""

    def __init__(
        self,
        shared: Shared,
        returning: Player,
        visitor: Visitor,
        code: Annotated[str, Path(description="The code of the room.")],
    ) -> None:
        self.shared, self.visitor, self.code = shared, visitor, rooms.read_code(code)
        self.returning = returning  # the visitor, if the session has begun before

    async def ask(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Call a function that uses the room; wrong codes are counted."""
        joins = function is rooms.join
        with self.shared.rooms.counting(asker.get().client, self.returning, joins=joins):
            return await self.shared.storage.do(function, self.code, self.visitor, *arguments)

    async def view(self) -> RoomView:
        """The room for its teacher or for a pupil."""
        return await self.ask(turns.view, self.shared.settings.room_days)

    def wake(self) -> None:
        """Let those who watch the room look at it now."""
        self.shared.rooms.wake(self.code)


Guest = Annotated[_Guest, Depends()]


@api.post("", status_code=201)
async def open_room(request: RoomRequest, shared: Shared, visitor: Visitor) -> RoomView:
    """Open a room, which belongs to the session that asks."""
    if request.mode == "puzzles":  # a board without puzzles is refused at once
        await _puzzles(shared, request.rules, request.level, 1)
    code = await shared.storage.do(rooms.open_room, request, visitor, asker.get().client)
    return await _Guest(shared, visitor, visitor, code).view()


@api.get("/{code}")
async def view(guest: Guest) -> RoomView:
    """A room for its teacher or for a pupil."""
    return await guest.view()


@api.delete("/{code}", status_code=204)
async def remove(guest: Guest) -> None:
    """Delete a room of one's own, with all names and games."""
    await guest.ask(rooms.delete_room)
    guest.shared.rooms.forget(guest.code)


@api.post("/{code}/players", status_code=201)
async def join(guest: Guest, request: JoinRequest) -> RoomView:
    """Come in under a nickname. Who comes again, from the same browser, is who was there."""
    await guest.ask(rooms.join, request.name)
    return await guest.view()


@api.delete("/{code}/players/{number}", status_code=204)
async def remove_name(guest: Guest, number: Annotated[int, Path(ge=1, le=2**31 - 1)]) -> None:
    """Take a pupil out of one's own room."""
    await guest.ask(rooms.remove_name, number)
    guest.wake()


@api.post("/{code}/options")
async def change(guest: Guest, request: RoomChange) -> RoomView:
    """Lock one's own room or open it again, and choose how pupils are addressed."""
    await guest.ask(rooms.change, request)
    return await guest.view()


@api.post("/{code}/key")
async def renew_key(guest: Guest) -> RoomView:
    """Make another link for teachers: who came by an earlier one does not steer any more."""
    await guest.ask(rooms.renew_key)
    guest.wake()  # who came by the earlier one is told no more, who asks again is told at once
    return await guest.view()


@api.post("/{code}/turns")
async def turn(guest: Guest, request: RoomTurnRequest) -> RoomPlayerView:
    """Play a turn. Sent again with the same round, number and guess, it is not played twice."""
    return await guest.ask(turns.play, request)


@api.post("/{code}/hidden")
async def hide(guest: Guest, request: HideRequest) -> RoomView:
    """Hide a code for another pupil, in a duel."""
    await guest.ask(turns.hide, request.round, request.code)
    return await guest.view()


@api.get(
    "/{code}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}, "description": "Events."}},
)
async def events(
    guest: Guest, last_event_id: Annotated[str, Header(max_length=40)] = ""
) -> StreamingResponse:
    """A room live: `progress` whenever something is new; the teacher is told the whole board."""
    room = await guest.view()
    owner = room.board is not None
    return event_stream(guest.shared.rooms.follow(room.id, owner=owner), last_event_id)


@api.get("/{code}/results")
async def results(
    guest: Guest,
    language: Spoken,
    number: Annotated[int, Query(alias="round", ge=1, le=10**6)],
) -> ResultsView:
    """A round that is over: all games, and the report as far as it is computed."""
    room = await guest.view()
    over = await guest.ask(turns.results, number)
    report = guest.shared.rooms.report(room.id, room.rules, over)
    names = {name: strategy_words(name, language)["name"] for name in STRATEGIES}
    totals = await guest.ask(turns.totals)
    return ResultsView(**over.model_dump(), report=report, strategies=names, totals=totals)


@api.get("/{code}/results.html", response_class=Response)
async def results_html(
    guest: Guest,
    request: Request,
    number: Annotated[int, Query(alias="round", ge=1, le=10**6)],
    names: bool = True,
) -> HTMLResponse:
    """The results of a round as a piece of a page; `names=False` shows numbers in their place."""
    room, over = await guest.view(), await guest.ask(turns.results, number)
    report = guest.shared.rooms.report(room.id, room.rules, over)
    totals, lessons = await guest.ask(turns.totals), await guest.ask(turns.lessons)
    context = told(room, over, report, totals, lessons, language_of(request))
    return render_piece(request, "room_results", rules=room.rules, names=names, **context)


@api.get("/{code}/results.csv", response_class=Response)
async def file(guest: Guest, language: Spoken) -> Response:
    """All rounds that are over, a game a line, for the teacher's spreadsheet."""
    room, report = await guest.view(), guest.shared.rooms.report
    rounds = await guest.ask(turns.all_results)
    reports = [(over, report(room.id, room.rules, over)) for over in rounds]
    for _ in range(_WAITING):  # a server that was started again computes them again
        if all(about.complete for _, about in reports):
            break
        await asyncio.sleep(1)
    text = as_csv(reports, language)
    return attachment(text, "text/csv; charset=utf-8", f"pegwise-room-{room.id}.csv")


@api.post("/{code}/{action}")
async def steer(guest: Guest, action: Action, request: SteerRequest) -> RoomView:
    """Begin the next round of one's own room, pause, go on, show the results, or end the room."""
    hidden = ""
    if action == "next":
        room = await guest.ask(rooms.owned)
        hidden = await _hidden(guest.shared, room, request.code)
    await guest.ask(rooms.steer, action, request.round, hidden)
    guest.wake()
    return await guest.view()


async def _hidden(shared: Services, room: RoomRow, code: str | None) -> str:
    """The code of the next round, or its puzzles."""
    rules = game_of(room.rules)
    if room.mode == "puzzles":
        return json.dumps(await _puzzles(shared, rules, room.level, PUZZLES))
    if room.mode == "teacher":
        if code is None:
            raise InputError("the code of the teacher is missing")
        return str(parse_code(code, rules, secret=True))
    return str(draw_secret(rules, draw_seed()))


async def _puzzles(shared: Services, rules: Game, level: int, count: int) -> list[dict[str, Any]]:
    """New puzzles, without their steps."""
    asked = PuzzleRequest(rules, level, draw_seed() % 10**9, None)
    drawn = await shared.slow.ask(documents, asked, count, "en")
    return [{key: puzzle[key] for key in puzzle if key != "steps"} for puzzle in drawn]


# The pages.


@pages.get("")
async def new_room(request: Request, shared: Shared, visitor: Visitor) -> Response:
    """A field for the code of a room, and a form that opens one."""
    query = request.query_params
    if code := rooms.read_code(query.get("code", "")):
        if not code.isalnum():
            return await _form(request, shared, visitor, game_of("4x6"), rooms.no_room(code), code)
        return RedirectResponse(f"/room/{code}", 303)
    if is_form(query):
        return RedirectResponse(f"/room?rules={rules_of(query)}", 303)
    return await _form(request, shared, visitor, rules_of(query))


@pages.post("")
async def open_by_form(request: Request, shared: Shared, visitor: Visitor) -> Response:
    """Open a room, and go to it; or the form again, with what is wrong."""
    sent = await form_fields(request)
    rules = game_of(sent.get("rules", "4x6"))
    try:
        chosen = {name: sent[name] for name in ("mode", "level", "familiar") if sent.get(name)}
        asked = RoomRequest.model_validate({"rules": rules, **chosen})
        room = await open_room(asked, shared, visitor)
    except ValidationError:
        raise InputError("choose how the class plays") from None
    except PegwiseError as error:
        return await _form(request, shared, visitor, rules, error)
    return RedirectResponse(f"/room/{room.id}", 303)


@pages.get("/{code}")
async def show(guest: Guest, request: Request) -> Response:
    """A room: for its teacher, for a pupil, or to come in."""
    try:
        room = await guest.view()
    except NotYoursError:
        return await _come_in(request, guest)
    except NotFoundError as error:
        return await _form(request, guest.shared, guest.visitor, game_of("4x6"), error, guest.code)
    context: dict[str, Any] = {}
    if room.you is not None:
        context = {"peg": _COLORS[sum(map(ord, room.you.name)) % len(_COLORS)]}
    if room.board is not None:
        link, local = await asyncio.to_thread(link_for_phones, request, f"/room/{room.id}")
        context = {"link": link, "local": local, "picture": segno.make(link).svg_data_uri()}
        steering = room.key and f"{link}/steer/{room.key}"
        context |= {"steering": steering, "code": steering and segno.make(steering).svg_data_uri()}
    page = render(
        request,
        "room" if room.board is None else "room_board",
        rules=room.rules,
        kinds=["familiar"] if room.familiar and room.board is None else [],
        room=room,
        deleted=long_date(room.deleted, language_of(request)).replace(" ", "\N{NO-BREAK SPACE}"),
        data={"room": room.model_dump(mode="json"), "puzzles": PUZZLES},
        **context,
    )
    if room.board is not None:
        page.headers["x-frame-options"] = "DENY"  # what a teacher steers stands in no other page
    return page


@pages.get("/{code}/steer/{key}")
async def take_over(guest: Guest, key: Annotated[str, Path(max_length=40)]) -> Response:
    """Let whoever has the link of a teacher steer the room, on this device too."""
    await guest.ask(rooms.become_teacher, key)
    return RedirectResponse(f"/room/{guest.code}", 303)


@pages.post("/{code}")
async def join_by_form(guest: Guest, request: Request) -> Response:
    """Come in under a nickname; or the form again, with what is wrong."""
    name = (await form_fields(request)).get("name", "")
    try:
        await guest.ask(rooms.join, name)
    except NotFoundError:
        raise
    except PegwiseError as error:
        return await _come_in(request, guest, name, error)
    return RedirectResponse(f"/room/{guest.code}", 303)


async def _form(
    request: Request,
    shared: Services,
    visitor: str,
    rules: Game,
    error: PegwiseError | None = None,
    code: str = "",
) -> Response:
    return render(
        request,
        "room_new",
        error=error,
        rules=rules,
        modes=MODES,
        days=shared.settings.room_days,
        code=code,
        own=await shared.storage.do(rooms.rooms_of, visitor),
    )


async def _come_in(
    request: Request, guest: _Guest, name: str = "", error: PegwiseError | None = None
) -> Response:
    door = await guest.shared.storage.do(rooms.door, guest.code, guest.visitor)
    return render(
        request,
        "room_join",
        error=error or door.refusal,
        code=guest.code,
        name=name[:40],
        most=rooms.MAX_NAME,
        days=guest.shared.settings.room_days,
        door=door,
    )


def link_for_phones(request: Request, path: str) -> tuple[str, bool]:
    """The address of a page for phones, and whether it was asked for on this machine only.

    Then the address is that of this machine in its network, where it has one.
    """
    url = request.url.replace(path=path, query="")
    host = url.hostname or ""
    local = host == "localhost" or not client_of(host)
    if local:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as route:
            try:
                route.connect(("192.0.2.1", 9))  # which sends nothing
                url = url.replace(hostname=route.getsockname()[0])
            except OSError:
                pass
    return str(url), local
