"""Races: begun, watched live, stopped, and their results; their API and their pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from math import inf
from time import monotonic
from typing import Annotated, Any, Final, Literal, NamedTuple
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Header, Path, Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response, StreamingResponse

from pegwise.arena.race import protocol
from pegwise.errors import PegwiseError
from pegwise.game import Game, game_of
from pegwise.i18n import speaking
from pegwise.reading import parse_turn
from pegwise.strategies.registry import cards
from pegwise.telling.race import accounted_words, histograms_words, means_words
from pegwise.web.inputs import (
    CLASSIC,
    CodeText,
    RequestBody,
    RulesText,
    StrategyText,
    history_text,
    is_form,
    query_of,
    rules_of,
)
from pegwise.web.pages import (
    Look,
    attachment,
    catalogue,
    check_name,
    event_stream,
    language_of,
    render,
    render_piece,
    strategy_words,
)
from pegwise.web.race import races, worker
from pegwise.web.race.races import MAX_GAMES, MAX_SECRETS, MAX_STRATEGIES
from pegwise.web.race.views import GamesView, LossesView, RaceView, SecretsView
from pegwise.web.reading import address_of_form, color_names, colors_of
from pegwise.web.services import (
    Player,
    Services,
    Shared,
    Spoken,
    TooLongError,
    client_name,
)
from pegwise.web.storage import BusyError, NotFoundError, RaceRow

api = APIRouter(prefix="/races", tags=["race"])
pages = APIRouter(prefix="/race", include_in_schema=False)

Games = Annotated[int, Field(ge=1, le=MAX_GAMES)]
RaceId = Annotated[str, Path(max_length=40)]
RaceIds = Annotated[list[Annotated[str, Field(max_length=40)]], Query(min_length=1, max_length=12)]
Speed = Annotated[
    float, Field(ge=0, le=100_000, description="Guesses a second of each strategy; 0: all at once.")
]
Reading = Annotated[
    float,
    Field(ge=0, le=1e12, description="Guesses of each strategy that are shown; seconds if timed."),
]

_STEP: Final = 0.2  # seconds between two looks at a race that is watched

_SOLVING: Final = 0.6  # of the time of a question, for the positions of a strategy

_KINDS: Final = {"json": "application/json", "csv": "text/csv", "ipynb": "application/x-ipynb+json"}
_DRAWN: Final = {
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "sandbox; frame-ancestors 'none'"
}
"""Reports and drawings have styles of their own, and nothing else."""

_CHOSEN: Final = ("knuth", "entropy", "parts", "optimal")  # where none is asked for
# ways that people play, and the best one
_PEOPLE: Final = ("optimal", "first", *(f"marechal-rastoix-{k}" for k in (1, 2, 3)))
_CLASSICS: Final = ("knuth", "irving", "entropy", "parts")  # published from 1977 to 2003
SPEEDS: Final = (5, 50, 500, 0)  # guesses a second of each strategy; 0 for all at once


class RaceRequest(RequestBody):
    """A new race."""

    rules: RulesText = CLASSIC
    strategies: Annotated[list[StrategyText], Field(min_length=1, max_length=MAX_STRATEGIES)]
    games: Games | None = Field(
        None, description="Games to draw, the same for all; null for every secret once."
    )
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0
    speed: Speed = 50.0
    timed: bool = Field(
        False,
        description="Whether games are really played, and the race goes by their processor time.",
    )


class ProtocolRequest(RequestBody):
    """The races of a published protocol."""

    games: Games | None = Field(
        None, description="Games to draw for each race; null for as many as were published."
    )
    timed: bool = False


class Pace(NamedTuple):
    """A clock of one's own: what it says now, and how much it counts in a second."""

    clock: float | None
    speed: float | None

    def after(self, seconds: float) -> float | None:
        """The time that it shows `seconds` later; None for the clock of the race."""
        if self.speed == 0:
            return inf
        if self.clock is None and self.speed is None:
            return None
        return (self.clock or 0.0) + (self.speed or 0.0) * seconds


def _own_pace(
    clock: Annotated[Reading | None, Query()] = None, speed: Annotated[Speed | None, Query()] = None
) -> Pace:
    return Pace(clock, speed)


OwnPace = Annotated[Pace, Depends(_own_pace)]


@api.post("", status_code=201)
async def begin(request: RaceRequest, shared: Shared, language: Spoken, player: Player) -> RaceView:
    """Begin a race; every strategy is a job of its own."""
    race = await shared.explore.ask(
        worker.prepare, request.rules, request.strategies, request.games, request.seed
    )
    (begun,) = await _begin([race], request.speed, request.timed, shared, language, player)
    return begun


@api.post("/protocols/{name}", status_code=201)
async def begin_protocol(
    name: Annotated[str, Path(max_length=40)],
    request: ProtocolRequest,
    shared: Shared,
    language: Spoken,
    player: Player,
) -> list[RaceView]:
    """Begin the races of a published protocol."""
    rows = await shared.explore.ask(worker.prepare_protocol, name, request.games)
    return await _begin(rows, 0.0, request.timed, shared, language, player)


@api.get("/protocols/{name}/{file}", response_class=Response)
async def protocol_file(
    name: Annotated[str, Path(max_length=40)],
    file: Literal["chart.svg", "report.html"],
    race: RaceIds,
    shared: Shared,
    language: Spoken,
    shade: Literal["light", "dark"] = "light",
    narrow: bool = False,
) -> Response:
    """Means, longest games and times of races that have ended: a chart, or a page of its own."""
    protocol(name)  # refuses another name
    ended = [await shared.storage.do(races.results, race_id) for race_id in race]
    form = file.rpartition(".")[2]
    made = await shared.explore.ask(
        worker.protocol_file, name, ended, form, shade, narrow, language
    )
    return HTMLResponse(made, headers=_DRAWN) if form == "html" else _svg(made)


async def _begin(
    rows: list[RaceRow],
    speed: float,
    timed: bool,
    shared: Services,
    language: str,
    player: str | None,
) -> list[RaceView]:
    """Begin races of the client that asks; a clock of processor time goes as that of a wall."""
    begin_all = partial(races.begin, timed=timed, player=player)
    begun = await shared.storage.do(begin_all, client_name(), rows, 1.0 if timed else speed)
    shared.jobs.wake()
    return [await shared.storage.do(races.view, race_id, language) for race_id in begun]


@api.get("/{race_id}")
async def view(race_id: RaceId, shared: Shared, language: Spoken, pace: OwnPace) -> RaceView:
    """A race as it is shown now, by its own clock or by that of who asks."""
    return await shared.storage.do(races.view, race_id, language, pace.after(0))


@api.delete("/{race_id}", status_code=204)
async def remove(race_id: RaceId, shared: Shared, player: Player) -> None:
    """Delete a race that the same visitor began, and its games."""
    await shared.storage.do(races.remove, race_id, player)


@api.get(
    "/{race_id}/events",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}, "description": "Events."}},
)
async def events(
    race_id: RaceId,
    shared: Shared,
    language: Spoken,
    pace: OwnPace,
    last_event_id: Annotated[str, Header(max_length=40)] = "",
) -> StreamingResponse:
    """The race live, by its own clock or by that of who asks.

    `progress` whenever something is new, `result` for each strategy that has finished, `end`. Who
    comes again with `Last-Event-ID` is told only what is new since.
    """
    # a race that is not there is an answer, not an event
    await shared.storage.do(races.view, race_id, language)
    return event_stream(_looks(race_id, shared, language, pace), last_event_id)


@api.get("/{race_id}/secrets")
async def secrets(
    race_id: RaceId,
    strategy: Annotated[StrategyText, Query()],
    guesses: Annotated[int, Query(ge=1, le=10_000)],
    shared: Shared,
    pace: OwnPace,
) -> SecretsView:
    """The secrets behind a bar, which a strategy found with the same number of guesses."""
    clock = pace.after(0)
    return await shared.storage.do(races.secrets_of, race_id, strategy, guesses, clock)


@api.get("/{race_id}/secrets/{code}")
async def games(
    race_id: RaceId, code: Annotated[CodeText, Path()], shared: Shared, pace: OwnPace
) -> GamesView:
    """The games of a secret side by side."""
    return await shared.storage.do(races.games_of, race_id, code, pace.after(0))


@api.get("/{race_id}/secrets.html", response_class=Response)
async def secrets_html(
    request: Request,
    race_id: RaceId,
    strategy: Annotated[StrategyText, Query()],
    guesses: Annotated[int, Query(ge=1, le=10_000)],
    shared: Shared,
    language: Spoken,
    pace: OwnPace,
) -> Response:
    """The secrets behind a bar, as a piece of a page."""
    listed = await secrets(race_id, strategy, guesses, shared, pace)
    name = strategy_words(strategy, language)["name"]
    rules = game_of(listed.rules)
    names = color_names(colors_of(request.query_params, rules), language)
    return render_piece(
        request, "race_secrets", rules=rules, color_names=names, listed=listed, name=name
    )


@api.get("/{race_id}/secrets/{code}/games.html", response_class=Response)
async def games_html(
    request: Request,
    race_id: RaceId,
    code: Annotated[CodeText, Path()],
    shared: Shared,
    language: Spoken,
    pace: OwnPace,
) -> Response:
    """The games of a secret side by side, as a piece of a page."""
    view = await games(race_id, code, shared, pace)
    columns = [(strategy_words(game.strategy, language)["name"], game.turns) for game in view.games]
    rules = game_of(view.rules)
    names = color_names(colors_of(request.query_params, rules), language)
    return render_piece(
        request, "race_games", rules=rules, color_names=names, secret=view.secret, games=columns
    )


@api.get("/{race_id}/losses")
async def losses(
    race_id: RaceId, strategy: Annotated[StrategyText, Query()], shared: Shared
) -> LossesView:
    """Where a strategy that has played all its games loses: guesses above best play."""
    played = await shared.storage.do(races.results, race_id, strategy)
    seconds = _SOLVING * shared.settings.seconds
    return await shared.slow.ask(worker.race_losses, played, seconds)


@api.get("/{race_id}/chart.svg", response_class=Response)
async def chart(
    race_id: RaceId,
    shared: Shared,
    language: Spoken,
    shade: Literal["light", "dark"] = "light",
    narrow: bool = False,
) -> Response:
    """The histograms of a race that has ended."""
    results = await shared.storage.do(races.results, race_id)
    drawing = await shared.explore.ask(worker.race_chart, results, shade, narrow, language)
    return _svg(drawing)


def _svg(drawing: str) -> Response:
    return Response(drawing, media_type="image/svg+xml", headers=_DRAWN)


@api.get("/{race_id}/table.html", response_class=Response)
async def table(race_id: RaceId, shared: Shared, language: Spoken) -> Response:
    """The final table of a race that has ended, as a piece of a page."""
    results = await shared.storage.do(races.results, race_id)
    race = await shared.storage.do(races.view, race_id, language, inf)
    stopped = race.state == "stopped"
    drawing = shared.explore.ask(worker.race_table, results, race.length, stopped, language)
    return HTMLResponse(await drawing)


@api.get("/{race_id}/{name}", response_class=Response)
async def file(
    race_id: RaceId,
    name: Literal["results.json", "results.csv", "report.html", "notebook.ipynb"],
    shared: Shared,
    language: Spoken,
) -> Response:
    """Send a file of a race that has ended: results, a page of its own, or a notebook."""
    results = await shared.storage.do(races.results, race_id)
    form = name.rpartition(".")[2]
    text = await shared.explore.ask(worker.race_file, results, form, language)
    if form == "html":
        return HTMLResponse(text, headers=_DRAWN)
    return attachment(text, _KINDS[form], f"pegwise-race-{name}")


@api.post("/{race_id}/stop")
async def stop(race_id: RaceId, shared: Shared, language: Spoken, player: Player) -> RaceView:
    """Stop one's own race for good, with the games that are computed."""
    await shared.storage.do(races.stop, race_id, player)
    shared.jobs.wake()
    return await shared.storage.do(races.view, race_id, language)


async def _looks(race_id: str, shared: Services, language: str, pace: Pace) -> AsyncIterator[Look]:
    told: set[int] | None = None
    begun = monotonic()
    while not shared.jobs.closed:
        try:
            clock = pace.after(monotonic() - begun)
            race = await shared.storage.do(races.view, race_id, language, clock)
        except NotFoundError:
            return  # too old to keep
        data = race.model_dump_json(by_alias=True)
        finished = {
            entrant.place for entrant in race.entrants if entrant.state in {"done", "failed"}
        }
        new = sorted(finished - (finished if told is None else told))
        told = finished
        events = [("result", race.entrants[place].model_dump_json()) for place in new]
        if race.state in {"over", "stopped"}:
            yield data, [*events, ("end", data)]
            return
        yield data, events
        await asyncio.sleep(_STEP)


# The pages.


@pages.get("")
async def new_race(request: Request, shared: Shared, player: Player) -> Response:
    """The form that begins a race, and the races of the same visitor."""
    query = request.query_params
    rules = rules_of(query)
    if is_form(query):
        return RedirectResponse(address_of_form("/race", query), 303)
    slow = await shared.explore.ask(worker.playable, rules)
    playing = [card for card in cards() if card.id in slow]
    asked = list(dict.fromkeys(query.getlist("strategy")))[:MAX_STRATEGIES]
    chosen = asked or [name for name in _CHOSEN if not slow.get(name, True)]
    language, ids = language_of(request), [card.id for card in cards()]
    for label in asked:
        check_name(label)
    return render(
        request,
        "race_new",
        rules=rules,
        own_names=colors_of(query, rules),
        cards=playing,
        chosen=chosen or [card.id for card in playing[:2]],
        slow=slow,
        presets=_presets([card.id for card in playing], slow, language),
        entrants=[strategy_words(label, language) for label in asked if label not in ids],
        own=[
            (begun, [strategy_words(job.name, language)["name"] for job in begun.races[0].jobs])
            for begun in (await shared.storage.do(races.begun_by, player) if player else [])
        ],
        most_games=MAX_GAMES,
        protocol=protocol("marechal-rastoix"),
        limit=shared.settings.job_seconds,
        most_strategies=MAX_STRATEGIES,
        every=rules.n_secrets <= MAX_SECRETS,
        games=query.get("games", ""),
        seed=query.get("seed", ""),
        timed=query.get("timed") == "1",
    )


@pages.get("/protocols/{name}")
async def show_protocol(
    name: Annotated[str, Path(max_length=40)], race: RaceIds, request: Request, shared: Shared
) -> Response:
    """The races of a protocol on one page."""
    published = protocol(name)
    language = language_of(request)
    begun = [await shared.storage.do(races.view, race_id, language) for race_id in race]
    return render(
        request,
        "race_protocol",
        chart=_told(means_words, language),
        protocol=published,
        races=begun,
        entrants=[strategy_words(entrant.strategy, language) for entrant in begun[0].entrants],
        data={"name": name, "ids": [each.id for each in begun]},
    )


def _presets(names: list[str], slow: dict[str, bool], language: str) -> list[tuple[str, list[str]]]:
    """The groups of strategies that may race together on a board, each with two or more."""
    gettext = catalogue(language).gettext
    quick = [name for name in names if not slow[name]]
    choices: dict[str, list[str]] = {
        gettext("Humans and machines"): [name for name in _PEOPLE if name in names],
        gettext("The classics"): [name for name in _CLASSICS if name in names],
        gettext("All that are quick"): quick[:MAX_STRATEGIES],
    }
    return [(label, chosen) for label, chosen in choices.items() if len(chosen) > 1]


def _told(words: Callable[..., str], language: str, *values: Any) -> str:
    """Words about a race, in a language."""
    with speaking(language):
        return words(*values)


@pages.get("/{race_id}")
async def show(race_id: str, request: Request, shared: Shared, player: Player) -> Response:
    """A race as it goes on."""
    language = language_of(request)
    race = await shared.storage.do(races.view, race_id[:40], language)
    entrants = [strategy_words(entrant.strategy, language) for entrant in race.entrants]
    rules = game_of(race.rules)
    own_names = colors_of(request.query_params, rules)
    # no game is shown of a race that has ended
    left_out = {"histogram_by_guesses"} | ({"game"} if race.state != "running" else set[str]())
    return render(
        request,
        "race",
        rules=rules,
        race=race,
        chart=_told(histograms_words, language),
        colors=query_of({"colors": ",".join(own_names)}),
        entrants=entrants,
        speeds=SPEEDS,
        losable=rules.n_secrets <= worker.MAX_LOSSES,
        again=_again(race, own_names),
        data={
            "race": race.model_dump(by_alias=True, exclude={"entrants": {"__all__": left_out}}),
            "own": await shared.storage.do(races.owned, race.id, player),
            "names": [name.model_dump() for name in color_names(own_names, language)],
        },
    )


@pages.get("/{race_id}/losses")
async def show_losses(
    race_id: str,
    strategy: Annotated[str, Query(max_length=100)],
    request: Request,
    shared: Shared,
) -> Response:
    """Where a strategy of a race loses, or why that is not told."""
    language = language_of(request)
    race = await shared.storage.do(races.view, race_id[:40], language, inf)
    rules, lost, problem = game_of(race.rules), None, None
    own_names = colors_of(request.query_params, rules)
    try:
        lost = await losses(race.id, strategy, shared)
    except PegwiseError as error:
        problem = error
    positions = lost.losses["positions"] if lost else ()
    return render(
        request,
        "race_losses",
        error=problem,
        rules=rules,
        race=race,
        strategy=strategy_words(strategy, language),
        lost=lost,
        accounted=_told(accounted_words, language, lost.losses["accounted"]) if lost else "",
        again=isinstance(problem, BusyError | TooLongError),
        colors=query_of({"colors": ",".join(own_names)}),
        color_names=color_names(own_names, language),
        decode=[_decode(rules, position["turns"], own_names) for position in positions],
    )


def _decode(rules: Game, turns: Sequence[str], own_names: Sequence[str]) -> str:
    """The address of the page Decode after some turns, in letters or names of one's own."""
    history = history_text(parse_turn(turn, rules) for turn in turns)
    colors = ",".join(own_names)
    return f"/decode?{query_of({'rules': rules, 'history': history, 'colors': colors})}"


def _again(race: RaceView, own_names: Sequence[str]) -> str:
    """The query of the form that begins the same race."""
    state = [("rules", race.rules)]
    state += [("strategy", entrant.strategy) for entrant in race.entrants]
    state += [("games", str(race.games))] if race.games else []
    state += [("seed", str(race.seed))] if race.seed else []
    state += [("timed", "1")] if race.timed else []
    state += [("colors", ",".join(own_names))] if own_names else []
    return urlencode(state, safe=",:=")
