"""Learn: the rules, the strategies with a worked game each, and tables for the class."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, BeforeValidator, ConfigDict
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pegwise.encoder import encoded
from pegwise.errors import PegwiseError, Phrase, TooLargeError, UnknownNameError
from pegwise.game import Code, Game, Turn, game_of
from pegwise.game.rules import Rules
from pegwise.i18n import SOURCE, speaking, translated
from pegwise.knowledge import count
from pegwise.knowledge.codemaker import draw_secret
from pegwise.knowledge.reasoning import reason
from pegwise.pictures import board_svg
from pegwise.strategies import Card, load, parse
from pegwise.strategies.registry import cards, is_offered, names, options
from pegwise.telling.advice import deduction_words, reason_words
from pegwise.telling.strategies import before_words, option_rows, rounds_table
from pegwise.trees import play
from pegwise.web.games import draw_seed
from pegwise.web.inputs import query_of, rules_of, secret_of
from pegwise.web.pages import STATIC, attachment, language_of, render, render_piece
from pegwise.web.services import Services, Shared, Spoken
from pegwise.web.spreadsheet import spreadsheet
from pegwise.web.storage import NotFoundError

_BLANKS = ("numbers", "all")  # what pupils are to fill in


class CardView(BaseModel):
    """The card of a strategy.

    `plays` tells whether it plays the rules that were asked for, `why_not` the reason if not; both
    are null where none were asked for, and for strategies that must compute long to know.
    """

    model_config = ConfigDict(from_attributes=True)

    id: str
    name: str
    authors: str
    year: int | None
    source: str
    about: str
    traits: Annotated[list[str], BeforeValidator(sorted)]
    options: list[dict[str, Any]] = []
    plays: bool | None = None
    why_not: str | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """A turn of a worked game, and how many codes are possible after it, if that is known.

    `why` says why the strategy plays this guess, by which `criterion`, and `so` what it concludes
    from the mark, in its own words.
    """

    number: int
    turn: Turn
    candidates: int | None
    why: str = ""
    criterion: str = ""
    so: str = ""

    @property
    def bits(self) -> float | None:
        """The logarithm of `candidates` to base 2."""
        return math.log2(self.candidates) if self.candidates else None


# What a process computes.


def card_views(ids: Sequence[str], rules: Game | None, language: str = SOURCE) -> list[CardView]:
    """The cards of strategies; with rules, whether each strategy plays these.

    What options mean, and which values they allow, is said in a language.
    """
    views = []
    for name in ids:
        strategy = load(name)
        view = CardView.model_validate(strategy.card)
        with speaking(language):
            said = option_rows(name)
        view.options = [
            encoded(option) | {"typed": typed, "meaning": meaning, "allowed": allowed}
            for option, (typed, meaning, allowed) in zip(options(name), said, strict=True)
        ]
        views.append(view)
        if rules is None:
            continue
        game = game_of(rules)
        try:
            if not strategy.is_slow(game):
                strategy.begin(game)
                view.plays = True
        except PegwiseError as error:
            view.plays, view.why_not = False, f"{error}."
    return views


def worked_game(rules: Game, name: str, secret: Code, language: str = SOURCE) -> list[Round]:
    """How a strategy finds a secret, and why it plays each guess."""
    strategy, game = parse(name), game_of(rules)
    turns = play(game, strategy, secret)
    decision, rounds = strategy.begin(game), []
    for number, turn in enumerate(turns, 1):
        candidates, why, so, criterion = None, "", "", ""
        with suppress(TooLargeError):
            candidates = count(rules, turns[:number])
        with suppress(TooLargeError), speaking(language):
            explanation = decision.explain(turn.mark)
            why = reason_words(explanation, rules, turns[: number - 1], whole=True)
            so = deduction_words(explanation)
            criterion = translated(explanation.criterion)
        rounds.append(Round(number, turn, candidates, why, criterion, so))
        if number < len(turns):
            decision = decision.after(turn.mark)
    return rounds


def as_csv(rounds: list[Round], language: str = SOURCE) -> str:
    """The rounds as a spreadsheet of a language reads them."""
    rows: list[Sequence[object]] = []
    for step in rounds:
        guess, mark = step.turn
        rows.append([step.number, str(guess), mark.write("counts"), step.candidates, step.bits])
    head = ["round", "guess", "mark", "candidates", "log2_candidates"]
    return spreadsheet(head, rows, language)


# The API: the strategies, who invented them, and which boards they play.

api = APIRouter(prefix="/strategies", tags=["strategies"])

RulesToPlay = Annotated[
    str | None, Query(max_length=100, description="Tell which of them play these rules.")
]


def _cards() -> list[Card]:
    """Those of strategies that have a source: not of files and programs of this server's owner."""
    return [card for card in cards() if not is_offered(card.id)]


@api.get("")
async def strategies(shared: Shared, language: Spoken, rules: RulesToPlay = None) -> list[CardView]:
    """The card of every strategy."""
    ids = [card.id for card in _cards()]
    return await shared.quick.ask(card_views, ids, _board(rules), language)


@api.get("/{name}")
async def strategy(
    name: Annotated[str, Path(max_length=100)],
    shared: Shared,
    language: Spoken,
    rules: RulesToPlay = None,
) -> CardView:
    """The card of one strategy."""
    if name not in names():
        raise NotFoundError(UnknownNameError.of("strategy", name, names()).phrase)
    return (await shared.quick.ask(card_views, [name], _board(rules), language))[0]


@api.get("/{name}/options.html", response_class=Response)
def options_html(request: Request, name: Annotated[str, Path(max_length=100)]) -> Response:
    """The options of a strategy, as a piece of a page."""
    if name not in names():
        raise NotFoundError(UnknownNameError.of("strategy", name, names()).phrase)
    return render_piece(request, "strategy_options", id=name)


def _board(rules: str | None) -> Game | None:
    return None if rules is None else game_of(rules)


# The pages.

pages = APIRouter(prefix="/learn", include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Lesson:
    """The game that an address asks for; its secret is drawn where the address names none."""

    rules: Game
    card: Card
    secret: Code
    drawn: bool

    @classmethod
    def of(cls, request: Request, name: str) -> Lesson:
        """Read the address."""
        by_id = {card.id: card for card in _cards()}
        if name not in by_id:
            raise UnknownNameError.of("strategy", name, by_id)
        rules = rules_of(request.query_params)
        secret = secret_of(request.query_params, rules)
        return cls(rules, by_id[name], secret or draw_secret(rules, draw_seed()), secret is None)

    @property
    def state(self) -> dict[str, Any]:
        """The query of an address that asks for this very game."""
        return {"rules": self.rules, "strategy": self.card.id, "secret": self.secret}

    @property
    def query(self) -> str:
        """The query of such an address."""
        return query_of(self.state)

    async def rounds(self, shared: Services, language: str = SOURCE) -> list[Round]:
        """The game."""
        pool = shared.pool_for_advice(self.rules, self.card.id)
        return await pool.ask(worked_game, self.rules, self.card.id, self.secret, language)


@cache
def figures() -> dict[str, tuple[float, int]]:
    """The mean and the worst of strategies on 4x6, which `python -m tools.start` has computed."""
    text = (STATIC.parent / "strategies.json").read_text(encoding="utf-8")
    codes = Rules().n_secrets
    return {name: (total / codes, worst) for name, (total, worst) in json.loads(text).items()}


_IDEAS: Final = {
    Phrase("Best play, by exhaustive search"): ("optimal", "optimal-worst"),
    Phrase("The guess that tells most"): ("knuth", "irving", "entropy", "parts", "sampling"),
    Phrase("Estimates of the guesses still to play"): (
        "viaud",
        "forget-entropy",
        "forget-minimax",
    ),
    Phrase("A code that fits every mark"): ("first", "random", "constraint"),
    Phrase("Color by color, as people play"): tuple(f"marechal-rastoix-{k}" for k in (1, 2, 3)),
    Phrase("Guesses that are fixed in advance"): ("static", "greenwell"),
}
"""Strategies by their idea."""


def by_idea() -> list[tuple[Phrase, list[Card]]]:
    """The cards of all strategies by their idea; those of others come last."""
    every = {card.id: card for card in _cards()}
    groups = [
        (idea, [every.pop(name) for name in members if name in every])
        for idea, members in _IDEAS.items()
    ]
    return [*groups, *([(Phrase("Other ideas"), list(every.values()))] if every else [])]


@pages.get("")
def learn(request: Request) -> Response:
    """The rules, all strategies by their idea, and the form of a table."""
    ideas = [(translated(idea, language_of(request)), group) for idea, group in by_idea()]
    return render(
        request, "learn", cards=_cards(), ideas=ideas, figures=figures(), rules=game_of("4x6")
    )


@pages.get("/game")
def guided_game(request: Request) -> Response:
    """A game in which each mark is explained."""
    query = request.query_params
    rules = rules_of(query)
    reason(rules, ())  # refuses games that are not explained
    options = {"codemaker": "random", "hints": True, "max_guesses": None}
    return render(
        request,
        "play",
        page="learn",
        rules=rules,
        options=options,
        guided=True,
        again=f"/learn/game?{query_of({'rules': rules})}",
        offered=(),
        challenge="",
        data={"options": options, "game": query.get("game", ""), "guided": True},
    )


@pages.get("/table")
async def table(
    request: Request, shared: Shared, strategy: str = "entropy", blank: str = ""
) -> Response:
    """The table of a game: round, guess, mark, candidates and their logarithm."""
    lesson = Lesson.of(request, strategy)
    if lesson.drawn:
        filled = blank if blank in _BLANKS else None
        return _redirect(request, "table", lesson.state | {"blank": filled})
    return await _page(request, shared, lesson, "table", blank)


@pages.get("/table.csv")
async def table_csv(request: Request, shared: Shared, strategy: str = "entropy") -> Response:
    """The table of a game as comma-separated values."""
    lesson = Lesson.of(request, strategy)
    name = f"pegwise-{lesson.card.id}-{lesson.secret}.csv"
    return attachment(as_csv(await lesson.rounds(shared), language_of(request)), "text/csv", name)


@pages.get("/{name}")
async def strategy_page(name: str, request: Request, shared: Shared) -> Response:
    """The card of a strategy, with a worked game."""
    lesson = Lesson.of(request, name)
    if lesson.drawn:
        state = {"rules": lesson.rules, "secret": lesson.secret}
        return _redirect(request, name, state)
    return await _page(request, shared, lesson, "strategy")


def _redirect(request: Request, page: str, state: dict[str, Any]) -> Response:
    """Go on to a page of Learn, in the language that the address asks for."""
    state |= {"lang": request.query_params.get("lang")}
    return RedirectResponse(f"/learn/{page}?{query_of(state)}", 303)


async def _page(
    request: Request, shared: Services, lesson: Lesson, template: str, blank: str = ""
) -> Response:
    language = language_of(request)
    rounds = await lesson.rounds(shared, language)
    turns = [step.turn for step in rounds]
    with speaking(language):
        sheet = rounds_table(turns, [step.candidates for step in rounds], blank)
        before = before_words(lesson.rules)
    return render(
        request,
        template,
        page="learn",
        lesson=lesson,
        card=lesson.card,
        rules=lesson.rules,
        rounds=rounds,
        sheet=sheet,
        before=before,
        blank=blank,
        picture=board_svg(lesson.rules, turns, theme="page"),
        again=query_of({"rules": lesson.rules, "strategy": lesson.card.id}),
    )
