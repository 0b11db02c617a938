"""Decode: a person has a real board, or hides a code; nothing is kept here."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from pegwise.game import Rules, parse_code
from pegwise.web import decoding
from pegwise.web.schemas import CodeText, DecodeRequest, DecodeView, MarksView, RulesQuery, WhyView
from pegwise.web.services import Shared

router = APIRouter(tags=["decode"])


@router.post("/decode")
async def decode(request: DecodeRequest, shared: Shared) -> DecodeView:
    """What is possible after these turns, and what to play; or which mark may be wrong."""
    sent = [(turn.guess, turn.mark) for turn in request.history]
    turns = decoding.read_turns(request.rules, sent)
    used = [place for place, turn in enumerate(request.history) if not turn.ignored]
    line = shared.line_for_advice(request.rules, request.strategy)
    found = await line.ask(
        decoding.decode, request.rules, request.strategy, turns, used, request.limit
    )
    return DecodeView(**found)


@router.post("/decode/why")
async def why(request: DecodeRequest, shared: Shared) -> WhyView:
    """The best guesses by the strategy's criterion, with what they can be expected to tell."""
    sent = [(turn.guess, turn.mark) for turn in request.history if not turn.ignored]
    turns = decoding.read_turns(request.rules, sent)
    line = shared.line_for_advice(request.rules, request.strategy)
    return WhyView(**await line.ask(decoding.why, request.rules, request.strategy, turns))


@router.get("/marks")
async def marks(
    guess: Annotated[CodeText, Query()],
    shared: Shared,
    rules: RulesQuery = "4x6",
) -> MarksView:
    """The marks that some secret gives to a guess."""
    board = Rules.parse(rules)
    code = parse_code(guess, board)
    found = await shared.quick.ask(decoding.possible, board, code)
    return MarksView(rules=board, guess=str(code), marks=found)
