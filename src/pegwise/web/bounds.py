"""Bounds: how many guesses a board needs, or what fits some turns, by counting."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from fastapi import APIRouter, Query
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pegwise.errors import (
    ContradictionError,
    InputError,
    PegwiseError,
    TooLargeError,
    quoted,
)
from pegwise.game import Game, Turn
from pegwise.i18n import speaking, translated
from pegwise.reading import HistoryReader, Interpretation
from pegwise.telling.bounds import bounds_document, bounds_report
from pegwise.web.inputs import (
    CLASSIC,
    RequestBody,
    RulesText,
    SentTurns,
    history_text,
    is_form,
    query_of,
    rules_of,
)
from pegwise.web.pages import attachment, language_of, render
from pegwise.web.reading import read_sent
from pegwise.web.services import Shared

if TYPE_CHECKING:
    from pegwise.search.theory import BoardBounds

MAX_WORK: Final = 2_000_000
"""The most guesses times codes where every place is marked: 4x6,placed has fewer."""

_MAX_TEXT: Final = 4000  # characters of turns in an address


class BoundsRequest(RequestBody):
    """A board, and the turns so far: the bounds are of what fits them."""

    rules: RulesText = CLASSIC
    turns: SentTurns


# What a process computes.


@lru_cache(maxsize=64)
def find_bounds(rules: Game, history: tuple[Turn, ...]) -> BoardBounds:
    """The bounds of a board or a position."""
    from pegwise.search.theory import bounds

    if rules.marking.cells and rules.n_guesses * rules.n_secrets > MAX_WORK:
        raise TooLargeError(
            "{rules} is too large for bounds here: 'pegwise bounds' takes its time", rules=rules
        )
    return bounds(rules, history)


# The API and the page.

api = APIRouter(prefix="/bounds", tags=["tree"])


@api.post("")
async def find(request: Request, asked: BoundsRequest, shared: Shared) -> dict[str, Any]:
    """Viaud's tau_1, tau_2, ..., his bounds, and the guesses that reach the smallest worst case."""
    language = language_of(request)
    sent = read_sent(asked.rules, asked.turns, language=language)
    board = await shared.slow.ask(find_bounds, asked.rules, sent.history)
    with speaking(language):
        return {**bounds_document(board), **sent.read_as(language)}


pages = APIRouter(prefix="/bounds", include_in_schema=False)


TypedTurns = Annotated[str, Query(max_length=_MAX_TEXT)]


@pages.get("")
async def page(request: Request, shared: Shared, turns: TypedTurns = "") -> Response:
    """The bounds of a board, or of what fits the turns that are typed."""
    rules = rules_of(request.query_params)
    if is_form(request.query_params):
        return RedirectResponse(f"/bounds?{query_of({'rules': rules, 'turns': turns})}", 303)
    language = language_of(request)
    told, report, problem = "", None, None
    history: tuple[Turn, ...] = ()
    try:
        if turns.strip():
            noted = _noted(rules, turns, language)
            history = noted.turns
            with speaking(language):
                told = translated(noted.told)
        board = await shared.slow.ask(find_bounds, rules, history)
        with speaking(language):
            report = bounds_report(board)
    except PegwiseError as error:
        problem = error
    return render(
        request,
        "bounds",
        page="tree",
        error=problem,
        rules=rules,
        turns=turns,
        told=told,
        report=report,
        query=query_of({"rules": rules, "turns": turns}),
        contradiction=isinstance(problem, ContradictionError),
        decode=f"/decode?{query_of({'rules': rules, 'history': history_text(history)})}",
    )


@pages.get("/bounds.{form}")
async def file(
    request: Request, form: Literal["json", "txt"], shared: Shared, turns: TypedTurns = ""
) -> Response:
    """The bounds in a file: as JSON, or as the page tells them."""
    rules, language = rules_of(request.query_params), language_of(request)
    history = _noted(rules, turns, language).turns if turns.strip() else ()
    board = await shared.slow.ask(find_bounds, rules, history)
    with speaking(language):
        if form == "txt":
            return attachment(bounds_report(board).text(), "text/plain", "pegwise-bounds.txt")
        text = json.dumps(bounds_document(board), ensure_ascii=False)
        return attachment(text, "application/json", "pegwise-bounds.json")


def _noted(rules: Game, turns: str, language: str) -> Interpretation:
    """The turns that are typed; InputError for none."""
    typed = turns.split()  # also in one line, as at the terminal
    text = "\n".join(typed) if all("=" in turn for turn in typed) else turns
    noted = HistoryReader(rules, french=language == "fr").read(text)
    if not noted.turns:
        raise InputError(
            "cannot read {text}: write turns, as in {turn}",
            text=quoted(text),
            turn=rules.example_turn,
        )
    return noted
