"""Puzzle: the puzzle of the day and others, hint by hint; sheets for a class."""

from __future__ import annotations

import calendar
from asyncio import to_thread
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Any, Final, NamedTuple

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pegwise.encoder import encoded
from pegwise.errors import ContradictionError, InputError, PegwiseError
from pegwise.game import NAMED_GAMES, Code, Game, Mark, Turn, game_of, parse_code
from pegwise.game.names import one_secret_only
from pegwise.i18n import speaking, tr
from pegwise.knowledge import candidates, count
from pegwise.knowledge.puzzles import WEEK, hardest_level, puzzle, the_day
from pegwise.knowledge.reasoning import LEVELS, MOST_CODES, Deduction, is_explained, reason
from pegwise.knowledge.sentences import document
from pegwise.knowledge.squares import secrets_of_rows, words_of_rows
from pegwise.reading import Interpretation
from pegwise.telling import reasoning as telling
from pegwise.telling.blocks import Block, Sentence, TurnList
from pegwise.telling.position import codes_by_row, none_fits, words_by_row
from pegwise.web.dates import long_date, month_and_year, weekdays
from pegwise.web.games import draw_seed
from pegwise.web.inputs import (
    CLASSIC,
    Blank,
    RequestBody,
    RulesQuery,
    RulesText,
    SentTurns,
    is_form,
    query_of,
    read_rules,
    rules_of,
)
from pegwise.web.pages import language_of, render
from pegwise.web.reading import color_names, pasted, read_sent, shown_names
from pegwise.web.services import Shared

_ON_SHEET: Final = 36  # puzzles that are printed at once, at most
_ON_PAGE: Final = 6
_WORDS: Final = 20  # that fit a row of squares
_FITTING: Final = 200  # codes that fit, of which one is proposed


class PuzzleRequest(NamedTuple):
    """A puzzle as an address names it: level and seed, or a day; None for what it leaves open."""

    rules: Game
    level: int | None
    seed: int | None
    day: date | None


Level = Annotated[int | None, Query(ge=1, le=LEVELS), Blank]
Seed = Annotated[int | None, Query(ge=0, le=10**18), Blank]


async def _asked(
    request: Request,
    rules: RulesQuery = "",
    level: Level = None,
    seed: Seed = None,
    day: Annotated[str, Query(alias="date", max_length=10)] = "",
) -> PuzzleRequest:
    """The puzzle that an address names; without a seed it is a day, today where it names none."""
    board = read_rules(rules) if rules else rules_of(request.query_params)
    asked_day = the_day(day or today()) if day or seed is None else None
    if asked_day is not None and asked_day > latest_day():
        raise InputError("{day} is not there yet: what is of a day comes on it", day=asked_day)
    return PuzzleRequest(board, level, seed, asked_day)


Asked = Annotated[PuzzleRequest, Depends(_asked)]


def today() -> date:
    """The day of a visitor whose script does not tell another one."""
    return datetime.now(UTC).date()


def latest_day() -> date:
    """The day that it is where a day begins first."""
    return (datetime.now(UTC) + timedelta(hours=14)).date()


# What a process computes.


def documents(asked: PuzzleRequest, count: int, language: str) -> list[dict[str, Any]]:
    """Puzzles in a language: the requested one, and those of the next seeds."""
    rules, level, seed, day = asked
    with speaking(language):
        if day is not None:
            return [puzzle(rules, level=level, seed=seed, date=day).document()]
        seeds = range(seed or 0, (seed or 0) + count)
        return [puzzle(rules, level=level, seed=each).document() for each in seeds]


class ExplainRequest(RequestBody):
    """The turns of a board."""

    rules: RulesText = CLASSIC
    turns: SentTurns


class ExplainView(BaseModel):
    """The steps that follow from each turn and those before it, without steps told before.

    `marks` say what each mark says. `fits` is a code that fits all turns, `why` a sentence on it.
    `read_as` tells what was inferred of the turns, if anything was.
    """

    marks: list[str]
    turns: list[list[dict[str, Any]]]
    fits: str
    why: str
    read_as: str | None = None


def explain(rules: Game, history: tuple[Turn, ...], language: str) -> ExplainView:
    """Sentences about each turn, by steps that need no case; and a next guess."""
    told, steps, turns = set[Any](), tuple[Deduction, ...](), list[list[dict[str, Any]]]()
    with speaking(language):
        marks = [
            telling.mark_sentence(number, turn, rules) for number, turn in enumerate(history, 1)
        ]
        for number in range(1, len(history) + 1):
            steps = reason(rules, history[:number], LEVELS - 2)
            fresh = [step for step in steps if not _facts(step) <= told]
            told = told.union(*map(_facts, fresh))
            turns.append(encoded([document(step, rules, history) for step in fresh]))
        halves = None if history else rules.alphabet.halves()
        if halves is not None:
            fits, why = (
                halves,
                tr("Two colors are a good beginning: the mark tells much about both."),
            )
        else:
            codes = candidates(rules, history, _FITTING)
            if not codes:
                raise ContradictionError("no code of {rules} fits these turns", rules=rules)
            fits, why = codes[len(codes) // 2], telling.certain(steps, len(codes), rules)
    return ExplainView(marks=marks, turns=turns, fits=str(fits), why=why)


def _facts(step: Deduction) -> set[Any]:
    """The facts of a step; that a color occurs at most twice, or more often, helps nobody."""
    counts = {("count", *bound) for bound in step.counts if bound[1] or bound[2] < 2}
    return counts | set(step.excluded) | {("placed", *cell) for cell in step.placed}


# The API and the pages.

api = APIRouter(tags=["puzzle"])
pages = APIRouter(prefix="/puzzle", include_in_schema=False)


@api.get("/puzzle")
async def draw(request: Request, asked: Asked, shared: Shared) -> dict[str, Any]:
    """A puzzle by level and seed, or of a day, with its solution and the steps that tell it."""
    (document,) = await shared.quick.ask(documents, asked, 1, language_of(request))
    return document


@api.post("/explain")
async def explain_turns(request: Request, asked: ExplainRequest, shared: Shared) -> ExplainView:
    """Explain the marks of some turns, and give a code that fits them."""
    language = language_of(request)
    sent = read_sent(asked.rules, asked.turns, language=language)
    pool = shared.pool_for_counting(asked.rules)
    view = await pool.ask(explain, asked.rules, sent.history, language)
    return view.model_copy(update=sent.read_as(language))


@pages.get("")
async def page(request: Request, asked: Asked, shared: Shared) -> Response:
    """A puzzle, and a month of them."""
    if is_form(request.query_params):
        seed = draw_seed() % 10**6 if asked.seed is None else asked.seed
        chosen = {"rules": asked.rules, "level": asked.level, "seed": seed}
        return RedirectResponse(f"/puzzle?{query_of(chosen)}", 303)
    language = language_of(request)
    (document,) = await shared.quick.ask(documents, asked, 1, language)
    another = {"rules": asked.rules, "level": document["level"], "seed": draw_seed() % 10**6}
    return render(
        request,
        "puzzle",
        rules=asked.rules,
        games={name: game for name, game in NAMED_GAMES.items() if _has_puzzles(game.rules)},
        puzzle=document,
        asked=asked,
        title=long_date(asked.day, language) if asked.day else "",
        another=query_of(another),
        **month_of(asked.day or today(), language),
        levels=[min(level, hardest_level(asked.rules)) for level in WEEK],
        hardest=hardest_level(asked.rules),
        paths=[
            query_of(another | {"level": level})
            for level in range(1, hardest_level(asked.rules) + 1)
        ],
        data={
            "puzzle": document | {"steps": [_shown(step) for step in document["steps"]]},
            "day": str(asked.day or ""),
            "named": "date" in request.query_params,
        },
    )


def _has_puzzles(text: str) -> bool:
    """Whether puzzles of a game can be drawn: steps explain it, and it is not too large."""
    rules = game_of(text)
    return is_explained(rules) and rules.n_secrets <= MOST_CODES


def _shown(step: dict[str, Any]) -> dict[str, Any]:
    """Of a step what the page shows."""
    chain = [{"text": inner["text"]} for inner in step["chain"]]
    return {name: step[name] for name in ("text", "pegs", "excluded")} | {"chain": chain}


def month_of(day: date, language: str, earliest: date = date.min) -> dict[str, Any]:
    """The days of the month of a day, by weeks from Monday, and the months beside it."""
    first = day.replace(day=1)
    before = date.fromordinal(max(1, first.toordinal() - 1)).replace(day=1)
    after = date.fromordinal(min(first.toordinal() + 31, date.max.toordinal())).replace(day=1)
    return {
        "month": month_and_year(day, language),
        "shown_day": day,
        "earliest": earliest,
        "latest": latest_day(),
        "weekdays": weekdays(language),
        "weeks": [
            [day.replace(day=number) if number else None for number in week]
            for week in calendar.Calendar().monthdayscalendar(day.year, day.month)
        ],
        "months": [(month, month_and_year(month, language)) for month in (before, after)],
    }


def row_fits(rules: Game, marks: Sequence[Mark], secret: Code | None, language: str) -> list[Block]:
    """How many words fit each row of squares, if the code is this one; else of how many codes."""
    with speaking(language):
        if secret is not None:
            words = words_of_rows(rules, marks, secret)
            return [*words_by_row(rules, secret, [*zip(marks, words, strict=True)], _WORDS)]
        sizes, codes = secrets_of_rows(rules, marks)
        return [*codes_by_row(rules, [*zip(marks, sizes, strict=True)], codes, _ON_SHEET)]


def explained(noted: Interpretation, language: str) -> list[Block]:
    """What some turns tell step by step, in a language."""
    rules, turns = noted.game, noted.turns
    steps: tuple[Deduction, ...] | None = None
    with speaking(language):
        if not (fitting := count(rules, turns)):
            return [TurnList(turns), Sentence(none_fits(rules), "warning")]
        with suppress(InputError):
            steps = reason(rules, turns, LEVELS if rules.n_secrets <= MOST_CODES else LEVELS - 2)
        codes = candidates(rules, turns) if fitting <= _ON_SHEET else ()
        return [*telling.explained(steps, fitting, rules, turns, noted.notation, codes)]


@pages.get("/explain")
async def explain_own(request: Request, shared: Shared) -> Response:
    """A form for turns of one's own; what they tell step by step."""
    language = language_of(request)
    text = await to_thread(pasted, request.query_params, language)
    context: dict[str, Any] = {"pasted": text, "told": [], "squares": text.rows is not None}
    error = text.error
    if text.play is not None:
        error = one_secret_only(text.play.name)
    if text.rows is not None:
        context["rules"] = text.rows.game
        answer = request.query_params.get("secret", "").strip()
        try:
            rows, secret = text.rows, None
            if answer:
                secret = parse_code(answer, rows.game, secret=True)
            asked = rows.game, rows.marks.marks, secret, language
            context["told"] = await shared.slow.ask(row_fits, *asked)
        except PegwiseError as refused:
            error = refused
    if text.noted is not None:
        context["rules"] = text.noted.game
        context["color_names"] = color_names(shown_names(text.noted), language)
        try:
            context["told"] = await shared.slow.ask(explained, text.noted, language)
        except PegwiseError as refused:
            error = refused
    return render(request, "explain", page="puzzle", error=error, **context)


@pages.get("/sheet")
async def sheet(
    request: Request,
    shared: Shared,
    level: Level = None,
    seed: Seed = None,
    count: Annotated[int | None, Query(ge=1, le=_ON_SHEET), Blank] = None,
) -> Response:
    """Puzzles to print, six to a page, with their answers; or empty score sheets."""
    query, count = request.query_params, count or _ON_PAGE
    rules = rules_of(query)
    empty = query.get("empty") == "1"
    if not empty and (seed is None or level is None):
        values = {"rules": rules, "level": level or 2, "seed": draw_seed() % 10**6, "count": count}
        values["lang"] = query.get("lang")
        return RedirectResponse(f"/puzzle/sheet?{query_of(values)}", 303)
    drawn = list[dict[str, Any]]()
    # a page at a time, so that no question takes long
    for first in range(0, 0 if empty else count, _ON_PAGE):
        asked = PuzzleRequest(rules, level, (seed or 0) + first, None)
        number = min(_ON_PAGE, count - first)
        drawn += await shared.slow.ask(documents, asked, number, language_of(request))
    return render(
        request,
        "sheet",
        page="puzzle",
        rules=rules,
        puzzles=drawn,
        rows=10 if rules.pegs < 6 else 8,
        query=query,
    )
