"""The strategies: who invented what, and which boards they play."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query

from pegwise.errors import UnknownNameError
from pegwise.game import Rules
from pegwise.web import cards
from pegwise.web.problems import NotFoundError
from pegwise.web.schemas import CardView
from pegwise.web.services import Shared

router = APIRouter(prefix="/strategies", tags=["strategies"])

Asked = Annotated[
    str | None, Query(max_length=100, description="Tell which of them play these rules.")
]


@router.get("")
async def strategies(shared: Shared, rules: Asked = None) -> list[CardView]:
    """The card of every strategy."""
    found = await shared.quick.ask(cards.cards, _board(rules))
    return [CardView(**card) for card in found]


@router.get("/{name}")
async def strategy(
    name: Annotated[str, Path(max_length=100)], shared: Shared, rules: Asked = None
) -> CardView:
    """The card of one strategy."""
    try:
        return CardView(**await shared.quick.ask(cards.card, name, _board(rules)))
    except UnknownNameError as error:
        raise NotFoundError(error.phrase) from None


def _board(rules: str | None) -> Rules | None:
    return None if rules is None else Rules.parse(rules)
