"""Weigh: what a guess can be expected to tell, for the coach beside the board."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field

from pegwise.game import Rules, parse_code
from pegwise.web.decoding import read_turns
from pegwise.web.schemas import CodeText, Request, RulesText, Sent
from pegwise.web.services import Shared
from pegwise.web.weighing import weigh

router = APIRouter(tags=["decode"])


class WeighRequest(Request):
    """A guess after some turns."""

    rules: RulesText = Rules()
    history: Sent = Field(default_factory=list)
    guess: CodeText
    criterion: Literal["entropy", "size", "minimax", "parts"] = "entropy"


class BestView(BaseModel):
    """The best guess by one look ahead: codes expected to be left, and bits."""

    guess: str
    expected: float
    bits: float


class WeighView(BaseModel):
    """What a guess can be expected to tell: codes left, bits, and into how many parts it splits.

    `best` is null where there are too many codes to look for it.
    """

    count: int
    guess: str
    candidate: bool
    expected: float
    bits: float
    largest: int
    parts: int
    best: BestView | None


@router.post("/weigh")
async def weigh_guess(request: WeighRequest, shared: Shared) -> WeighView:
    """Weigh a guess against the best one."""
    counted = [turn for turn in request.history if not turn.ignored]
    history = read_turns(request.rules, [(turn.guess, turn.mark) for turn in counted])
    guess = parse_code(request.guess, request.rules)
    line = shared.line_for_advice(request.rules)
    return WeighView(**await line.ask(weigh, request.rules, history, guess, request.criterion))
