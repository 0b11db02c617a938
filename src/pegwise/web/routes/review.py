"""Review: the coach looks at a game."""

from __future__ import annotations

from fastapi import APIRouter

from pegwise.errors import InputError
from pegwise.game import Record, parse_record
from pegwise.web import decoding, reviewing
from pegwise.web.schemas import ReviewRequest, ReviewView
from pegwise.web.services import Shared

router = APIRouter(tags=["review"])


@router.post("/review")
async def review(request: ReviewRequest, shared: Shared) -> ReviewView:
    """A game, turn by turn: what each guess could tell, and what it did tell."""
    record = _record(request)
    line = shared.line_for_advice(record.rules)
    found = await line.ask(reviewing.review_document, record, request.rule, request.criterion)
    return ReviewView(**found)


def _record(request: ReviewRequest) -> Record:
    if request.record is not None:
        if request.turns or request.secret is not None:
            raise InputError("send a record, or rules with turns and secret; not both")
        return parse_record(request.record, "record")
    sent = [(turn.guess, turn.mark) for turn in request.turns if not turn.ignored]
    turns = decoding.read_turns(request.rules, sent)
    return reviewing.record_of(request.rules, turns, request.secret)
