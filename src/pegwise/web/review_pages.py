"""The page Review: a game turn by turn, and the files of it that can be shared."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pegwise.errors import PegwiseError, Phrase
from pegwise.game import Mark, Record, parse_record
from pegwise.i18n import translated
from pegwise.web import words
from pegwise.web.language import SOURCE, catalogue, language_of
from pegwise.web.pages import rules_data
from pegwise.web.rendering import render
from pegwise.web.reviewing import record_of, review_document
from pegwise.web.services import Services, Shared
from pegwise.web.state import history_of, history_text, rules_of

router = APIRouter(prefix="/review", include_in_schema=False)

_EXAMPLE = "rules=4x6&history=FEDB:XO,FABA:O,CEAD:XO,CDCB:O,EEFC:XXXX"
_MAX_RECORD = 50_000
_NOTHING = 1e-9


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address asks for.

    Attributes:
        record: the game.
        rule: what the best guess is chosen from: `any` guess, or only `candidates`.
    """

    record: Record
    rule: str

    @classmethod
    def of(cls, request: Request) -> Asked:
        """Read the address.

        Raises:
            InputError: rules, turns or secret cannot be read, or are not possible.
        """
        query = request.query_params
        rules = rules_of(query)
        turns = history_of(query.get("history", ""), rules)
        record = record_of(rules, turns, query.get("secret") or None)
        return cls(record, "candidates" if query.get("rule") == "candidates" else "any")

    def query(self, **changed: str) -> str:
        """The query of an address that asks for this, with changes."""
        record = self.record
        state = {"rules": str(record.rules), "history": history_text(record.turns)}
        if record.secret is not None:
            state["secret"] = str(record.secret)
        if self.rule != "any":
            state["rule"] = self.rule
        kept = {name: value for name, value in (state | changed).items() if value}
        return urlencode(kept, safe=":,")

    async def document(self, shared: Services, language: str = SOURCE) -> dict[str, Any]:
        """The coach's review; what is to be shared of it in a language."""
        line = shared.line_for_advice(self.record.rules)
        return await line.ask(review_document, self.record, self.rule, "entropy", language)


@router.get("")
async def review(request: Request, shared: Shared) -> Response:
    """A game to paste, or its review."""
    query = request.query_params
    if "record" in query:
        return _pasted(request, query["record"][:_MAX_RECORD])
    if not query.get("history"):
        return _form(request)
    asked = Asked.of(request)
    found = await asked.document(shared)
    record, turns = asked.record, found["turns"]
    texts = catalogue(language_of(request))
    return render(
        request,
        "review.html.j2",
        page="review",
        record=record,
        asked=asked,
        review=found,
        turns=[_shown(turn, record) for turn in turns],
        bits=math.log2(record.rules.n_secrets),
        worth=math.fsum(turn["expected_bits"] for turn in turns),
        known=[turn for turn in turns if turn["best"] is not None],
        answers=query.get("answers") == "1",
        data={
            "rules": rules_data(record.rules),
            "history": [{"guess": str(guess), "mark": str(mark)} for guess, mark in record.turns],
        },
        words=words.review(texts),
    )


@router.get("/text")
async def text(request: Request, shared: Shared) -> Response:
    """A review as plain text."""
    found = await Asked.of(request).document(shared, language_of(request))
    return _file(found["text"], "text/plain", "pegwise-review.txt")


@router.get("/record")
def record(request: Request) -> Response:
    """The record of a game, as `pegwise review` reads it."""
    return _file(Asked.of(request).record.write(), "text/plain", "pegwise-game.txt")


@router.get("/board.svg")
async def board(request: Request, shared: Shared) -> Response:
    """The game as a picture."""
    found = await Asked.of(request).document(shared, language_of(request))
    return _file(found["svg"], "image/svg+xml", "pegwise-game.svg")


def _pasted(request: Request, pasted: str) -> Response:
    """The address of a pasted record; the form again where it cannot be read."""
    try:
        game = parse_record(pasted, "record")
    except PegwiseError as error:
        return _form(request, pasted, translated(error, language_of(request)))
    if not game.turns:
        said = Phrase("this game has no turn yet: there is nothing to review")
        return _form(request, pasted, translated(said, language_of(request)))
    rule = "candidates" if request.query_params.get("rule") == "candidates" else "any"
    return RedirectResponse(f"/review?{Asked(game, rule).query()}", 303)


def _form(request: Request, pasted: str = "", problem: str = "") -> Response:
    return render(
        request,
        "review_form.html.j2",
        400 if problem else 200,
        page="review",
        example=f"/review?{_EXAMPLE}",
        pasted=pasted,
        problem=problem,
    )


def _shown(turn: dict[str, Any], record: Record) -> dict[str, Any]:
    """A turn of the review with what its row shows; what is exact goes before what is estimated."""
    best, exact = turn["best"], turn["exact"]
    answer, is_best, skill = None, False, None
    if best is not None:
        answer, is_best = best["guess"], best["guess"] == turn["guess"]
    known = exact is not None and exact["cost"] is not None
    if known:
        answer, is_best = exact["guess"], exact["cost"] < _NOTHING
    if best is not None:
        skill = turn["expected_bits"] / best["expected_bits"] if best["expected_bits"] else 1.0
    return turn | {
        "won": turn["mark"] == str(Mark(record.rules.pegs)),
        "answer": answer,
        "is_best": is_best,
        "known": known,
        "skill": skill,
        "history": history_text(record.turns[: turn["turn"] - 1]),
    }


def _file(content: str, kind: str, name: str) -> Response:
    disposition = {"content-disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=kind, headers=disposition)
