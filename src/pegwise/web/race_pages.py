"""The page Race: a form, and a race as it goes on."""

from __future__ import annotations

from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pegwise.game import Rules
from pegwise.strategies.registry import cards
from pegwise.web import race_words
from pegwise.web.language import catalogue, language_of
from pegwise.web.pages import rules_data
from pegwise.web.races import MAX_GAMES, MAX_STRATEGIES
from pegwise.web.rendering import render
from pegwise.web.services import Shared
from pegwise.web.state import rules_of

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
    chosen = (
        query.getlist("strategy")
        or [name for name in _CHOSEN if any(card.id == name for card in known)]
        or [card.id for card in known[:2]]
    )
    return render(
        request,
        "race_new.html.j2",
        page="race",
        rules=rules,
        cards=known,
        chosen=chosen,
        most_games=MAX_GAMES,
        most_strategies=MAX_STRATEGIES,
        every=rules.n_secrets <= MAX_GAMES,
        games=query.get("games", ""),
        seed=query.get("seed", ""),
        data={"rules": rules_data(rules)},
        words=race_words.new(catalogue(language_of(request))),
    )


@router.get("/{race_id}")
async def race(race_id: str, request: Request, shared: Shared) -> Response:
    """A race."""
    found = await shared.storage.do(lambda _: shared.races.view(race_id[:40]))
    texts: Any = catalogue(language_of(request))
    rules = Rules.parse(found["rules"])
    known = {card.id: card for card in cards()}
    lanes = [
        {
            "strategy": lane["strategy"],
            "name": texts.gettext(card.name) if card else lane["strategy"],
            "who": ", ".join(filter(None, [card.authors, str(card.year or "")])) if card else "",
        }
        for lane in found["lanes"]
        for card in [known.get(lane["strategy"].partition(":")[0])]
    ]
    return render(
        request,
        "race.html.j2",
        page="race",
        rules=rules,
        race=found,
        lanes=lanes,
        speeds=SPEEDS,
        again=_again(found),
        data={"rules": rules_data(rules), "race": found, "lanes": lanes},
        words=race_words.race(texts),
    )


def _plays(traits: frozenset[str], rules: Rules) -> bool:
    from pegwise.game.game import MAX_LISTED

    return rules.n_secrets <= MAX_LISTED or "unlisted" in traits


def _again(found: dict[str, Any]) -> str:
    """The query of the form that begins the same race."""
    from urllib.parse import urlencode

    state = [("rules", found["rules"])]
    state += [("strategy", lane["strategy"]) for lane in found["lanes"]]
    state += [("games", str(found["games"]))] if found["games"] else []
    state += [("seed", str(found["seed"]))] if found["seed"] else []
    return urlencode(state, safe=",:=")
