"""The page Race: a form, and a race as it goes on."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pegwise.errors import Phrase, UnknownNameError
from pegwise.game import Rules
from pegwise.pictures.words import strategy_name
from pegwise.strategies import Card
from pegwise.strategies.registry import cards
from pegwise.web.entries import MAX_GAMES, MAX_STRATEGIES
from pegwise.web.i18n import catalogue, language_of
from pegwise.web.inputs import rules_of
from pegwise.web.pages import card_line, render, rules_data
from pegwise.web.services import Shared
from pegwise.web.trees import proven

router = APIRouter(prefix="/race", include_in_schema=False)

_CHOSEN: Final = ("knuth", "entropy", "parts")
SPEEDS: Final = (5, 50, 500, 0)
"""Guesses a second of each strategy; 0 for all at once."""


@router.get("")
def new(request: Request) -> Response:
    """Who is to race, and on what."""
    query = request.query_params
    rules = rules_of(query)
    if "pegs" in query:
        return RedirectResponse(f"/race?rules={rules}", 303)
    known = [card for card in cards() if _plays(card.traits, rules)]
    asked = list(dict.fromkeys(query.getlist("strategy")))[:MAX_STRATEGIES]
    stored = {"optimal", "optimal-worst"} if rules in proven().values() else set()
    usual = [*_CHOSEN, "optimal"] if stored else _CHOSEN
    chosen = (
        asked or [card.id for card in known if card.id in usual] or [card.id for card in known[:2]]
    )
    texts: Any = catalogue(language_of(request))
    ids = {card.id for card in cards()}
    others = [
        {"value": label, "name": _name(card, label, texts), "who": card_line(card, texts)}
        for label in asked
        if label not in ids
        for card in [_card(label)]
    ]
    return render(
        request,
        "race_new.html.j2",
        page="race",
        script="race_new",
        rules=rules,
        cards=known,
        chosen=chosen,
        slow={card.id for card in known if "slow" in card.traits} - stored,
        others=others,
        most_games=MAX_GAMES,
        most_strategies=MAX_STRATEGIES,
        every=rules.n_secrets <= MAX_GAMES,
        games=query.get("games", ""),
        seed=query.get("seed", ""),
        data={"rules": rules_data(rules)},
    )


@router.get("/{race_id}")
async def race(race_id: str, request: Request, shared: Shared) -> Response:
    """A race."""
    language = language_of(request)
    found = await shared.storage.do(lambda _: shared.races.view(race_id[:40], language))
    texts: Any = catalogue(language)
    rules = Rules.parse(found["rules"])
    known = {card.id: card for card in cards()}
    lanes = [
        {
            "strategy": lane["strategy"],
            "name": _name(card, lane["strategy"], texts) if card else lane["strategy"],
            "who": card_line(card, texts) if card else "",
        }
        for lane in found["lanes"]
        for card in [known.get(lane["strategy"].partition(":")[0])]
    ]
    return render(
        request,
        "race.html.j2",
        page="race",
        script="race",
        rules=rules,
        race=found,
        lanes=lanes,
        speeds=SPEEDS,
        again=_again(found),
        data={"rules": rules_data(rules), "race": found, "lanes": lanes},
    )


def _plays(traits: frozenset[str], rules: Rules) -> bool:
    from pegwise.game.game import MAX_LISTED

    return rules.n_secrets <= MAX_LISTED or "unlisted" in traits


def _name(card: Card, label: str, texts: NullTranslations) -> str:
    """A strategy as lanes, tables and the chart name it, with the options that set it apart."""
    return strategy_name(texts.gettext(card.name), label)


def _card(strategy: str) -> Card:
    """The card of a strategy that may have options.

    Raises:
        UnknownNameError: there is no such strategy.
    """
    known = {card.id: card for card in cards()}
    name = strategy.partition(":")[0]
    if name not in known:
        raise UnknownNameError.of(Phrase("strategy"), name, known)
    return known[name]


def _again(found: dict[str, Any]) -> str:
    """The query of the form that begins the same race."""
    from urllib.parse import urlencode

    state = [("rules", found["rules"])]
    state += [("strategy", lane["strategy"]) for lane in found["lanes"]]
    state += [("games", str(found["games"]))] if found["games"] else []
    state += [("seed", str(found["seed"]))] if found["seed"] else []
    return urlencode(state, safe=",:=")
