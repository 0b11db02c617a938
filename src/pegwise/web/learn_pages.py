"""The page Learn: the rules, each strategy with a worked game, and tables for the class."""

from __future__ import annotations

import math
import secrets
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pegwise.errors import UnknownNameError
from pegwise.game import Code, Rules, check_code
from pegwise.pictures import board_svg
from pegwise.strategies import Card
from pegwise.strategies.registry import cards
from pegwise.web.lessons import Round, as_csv, worked_game
from pegwise.web.rendering import render
from pegwise.web.services import Services, Shared
from pegwise.web.state import rules_of, secret_of

router = APIRouter(prefix="/learn", include_in_schema=False)

_BLANKS = ("", "numbers", "all")
"""What a table leaves for pupils to fill in: nothing, the numbers, or everything."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """The game that an address asks for.

    Attributes:
        rules: the board.
        card: of the strategy that plays.
        secret: the code that it seeks.
        drawn: whether the secret was drawn, for the address names none.
    """

    rules: Rules
    card: Card
    secret: Code
    drawn: bool

    @classmethod
    def of(cls, request: Request, name: str) -> Lesson:
        """Read the address.

        Raises:
            InputError: rules or secret cannot be read; UnknownNameError: no such strategy.
        """
        known = {card.id: card for card in cards()}
        if name not in known:
            raise UnknownNameError.of("strategy", name, known)
        rules = rules_of(request.query_params)
        secret = secret_of(request.query_params, rules)
        return cls(rules, known[name], secret or _draw(rules), secret is None)

    @property
    def query(self) -> str:
        """The query of an address that asks for this very game."""
        state = {"rules": self.rules, "strategy": self.card.id, "secret": self.secret}
        return urlencode({name: str(value) for name, value in state.items()}, safe=",")

    async def rounds(self, shared: Services) -> list[Round]:
        """The game."""
        line = shared.line_for_advice(self.rules, self.card.id)
        return await line.ask(worked_game, self.rules, self.card.id, self.secret)


@router.get("")
def learn(request: Request) -> Response:
    """The rules, all strategies, and the form of a table."""
    return render(request, "learn.html.j2", page="learn", cards=cards(), rules=Rules())


@router.get("/table")
async def table(request: Request, shared: Shared) -> Response:
    """The table of a game: round, guess, mark, candidates and their logarithm."""
    lesson = Lesson.of(request, request.query_params.get("strategy", "entropy"))
    blank = request.query_params.get("blank", "")
    if lesson.drawn:
        state = f"{lesson.query}&blank={blank}" if blank in _BLANKS[1:] else lesson.query
        return RedirectResponse(f"/learn/table?{state}", 303)
    return await _page(request, shared, lesson, "table.html.j2", blank=blank)


@router.get("/table.csv")
async def table_csv(request: Request, shared: Shared) -> Response:
    """The same as comma-separated values."""
    lesson = Lesson.of(request, request.query_params.get("strategy", "entropy"))
    name = f"pegwise-{lesson.card.id}-{lesson.secret}.csv"
    disposition = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(as_csv(await lesson.rounds(shared)), media_type="text/csv", headers=disposition)


@router.get("/{name}")
async def strategy(name: str, request: Request, shared: Shared) -> Response:
    """The card of a strategy, with a worked game."""
    lesson = Lesson.of(request, name)
    if lesson.drawn:
        state = urlencode({"rules": str(lesson.rules), "secret": str(lesson.secret)}, safe=",")
        return RedirectResponse(f"/learn/{name}?{state}", 303)
    return await _page(request, shared, lesson, "strategy.html.j2")


async def _page(
    request: Request, shared: Services, lesson: Lesson, template: str, **context: Any
) -> Response:
    rounds = await lesson.rounds(shared)
    picture = board_svg([step.turn for step in rounds], lesson.rules, theme="page")
    return render(
        request,
        template,
        page="learn",
        lesson=lesson,
        card=lesson.card,
        rules=lesson.rules,
        rounds=rounds,
        picture=picture,
        start_bits=math.log2(lesson.rules.n_secrets),
        again=urlencode({"rules": str(lesson.rules), "strategy": lesson.card.id}, safe=","),
        **context,
    )


def _draw(rules: Rules) -> Code:
    """Any secret of these rules."""
    draw = secrets.SystemRandom()
    colors = range(rules.colors)
    if rules.secrets_are_distinct:
        return check_code(draw.sample(colors, rules.pegs), rules, secret=True)
    return check_code(draw.choices(colors, k=rules.pegs), rules, secret=True)
