"""The pages Play and Decode, and the first one. Their state is in their address (see `state`)."""

from __future__ import annotations

from gettext import NullTranslations
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pegwise.errors import InputError, UnknownNameError, quoted
from pegwise.game import Rules
from pegwise.strategies import Card
from pegwise.strategies.registry import cards
from pegwise.web import words
from pegwise.web.language import catalogue, language_of
from pegwise.web.rendering import render
from pegwise.web.schemas import CODEMAKERS, MAX_TURNS
from pegwise.web.state import rules_of

router = APIRouter(include_in_schema=False)


@router.get("/")
def start(request: Request) -> Response:
    """The first page."""
    return render(request, "start.html.j2", page="")


@router.get("/play")
def play(request: Request) -> Response:
    """A board to play on."""
    query = request.query_params
    rules = rules_of(query)
    options = {
        "codemaker": _codemaker(query.get("codemaker") or "random"),
        "hints": query.get("hints") != "0",
        "max_guesses": _max_guesses(query.get("max", "")),
    }
    state: dict[str, str] = {"rules": str(rules)}
    if options["codemaker"] != "random":
        state["codemaker"] = str(options["codemaker"])
    if not options["hints"]:
        state["hints"] = "0"
    if options["max_guesses"]:
        state["max"] = str(options["max_guesses"])
    again = f"/play?{urlencode(state)}"
    if "pegs" in query:
        return RedirectResponse(again, 303)
    return render(
        request,
        "play.html.j2",
        page="play",
        rules=rules,
        options=options,
        again=again,
        data={"rules": rules_data(rules), "options": options, "game": query.get("game", "")},
        words=words.play(_texts(request)),
    )


@router.get("/decode")
def decode(request: Request) -> Response:
    """Advice for a real board."""
    query = request.query_params
    rules = rules_of(query)
    again = f"/decode?{urlencode({'rules': str(rules)})}"
    if "pegs" in query:
        return RedirectResponse(again, 303)
    texts = _texts(request)
    known = cards()
    return render(
        request,
        "decode.html.j2",
        page="decode",
        rules=rules,
        again=again,
        cards=known,
        strategy=query.get("strategy", ""),
        data={
            "rules": rules_data(rules),
            "strategies": {card.id: texts.gettext(card.name) for card in known},
        },
        words=words.decode(texts),
    )


def rules_data(rules: Rules) -> dict[str, Any]:
    """Rules as the scripts of a page read them; the number of codes as text, for it may be long."""
    return {
        "text": str(rules),
        "pegs": rules.pegs,
        "colors": rules.colors,
        "distinct": rules.distinct,
        "blank": rules.blank,
        "black": rules.black,
        "codes": str(rules.n_secrets),
    }


def card_line(card: Card, texts: NullTranslations) -> str:
    """Whose a strategy is, and since when."""
    who = texts.gettext(card.authors) if card.authors else ""
    return ", ".join(filter(None, [who, str(card.year or "")]))


def _texts(request: Request) -> Any:
    return catalogue(language_of(request))


def _codemaker(name: str) -> str:
    if name not in CODEMAKERS:
        raise UnknownNameError.of("codemaker", name, CODEMAKERS)
    return name


def _max_guesses(text: str) -> int | None:
    if not text.strip():
        return None
    if not text.strip().isdecimal() or not 1 <= int(text[:4]) <= MAX_TURNS:
        raise InputError(
            "{text} guesses at most: give a number from 1 to {most}",
            text=quoted(text),
            most=MAX_TURNS,
        )
    return int(text)
