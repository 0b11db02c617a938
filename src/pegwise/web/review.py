"""Review: the coach looks at a game turn by turn. The address of a review holds the whole game."""

from __future__ import annotations

import math
from asyncio import to_thread
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, Literal, NamedTuple
from urllib.parse import parse_qsl

from fastapi import APIRouter
from pydantic import Field
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pegwise.coach.review import review
from pegwise.errors import AmbiguousError, InputError, PegwiseError, TooLargeError
from pegwise.game.game import game_title
from pegwise.game.names import one_secret_only
from pegwise.i18n import SOURCE, speaking, tr, translated
from pegwise.knowledge import candidates
from pegwise.pictures import board_svg
from pegwise.playing import Record, parse_game
from pegwise.playing.record import PERSON
from pegwise.reading import HistoryReader, Interpretation
from pegwise.search.solver import best_play_within
from pegwise.strategies.registry import cards
from pegwise.telling import review as words
from pegwise.telling.blocks import Report
from pegwise.telling.reasoning import follows_from
from pegwise.web.decode import Criterion
from pegwise.web.inputs import (
    CLASSIC,
    CodeText,
    RequestBody,
    RulesText,
    SentTurns,
    boards_of,
    check_count,
    history_text,
    query_of,
    secret_of,
    sent_turns,
)
from pegwise.web.learn import figures
from pegwise.web.pages import attachment, form_fields, language_of, render
from pegwise.web.reading import (
    color_names,
    colors_of,
    questions,
    read_sent,
    reader_of,
    shown_names,
    with_boards,
)
from pegwise.web.services import SEARCHING, Services, Shared, Spoken

_EXAMPLE: Final = "rules=4x6&history=FEDB:XO,FABA:O,CEAD:XO,CDCB:O,EEFC:XXXX"
_MAX_RECORD: Final = 50_000  # characters of a pasted game
_MAX_HINTS: Final = 1000  # characters of an address
_QUICK_TURNS: Final = 20  # turns of a game that is reviewed at once; a longer one may take seconds
_SCRIPTED: Final = ("guess", "mark", "before", "after", "codes", "above")
_LISTED: Final = 12  # codes that are listed after each turn


class ReviewRequest(RequestBody):
    """A game to review: the text of its record, or its turns.

    `rule` is what the best guess is chosen from: `any` guess, or only `candidates`.
    """

    record: Annotated[str, Field(max_length=_MAX_RECORD)] | None = None
    rules: RulesText = CLASSIC
    turns: SentTurns
    secret: CodeText | None = None
    rule: Literal["any", "candidates"] = "any"
    criterion: Criterion = "entropy"


@dataclass(frozen=True, slots=True)
class GameToReview:
    """A game, and how it is reviewed.

    The best guess is chosen from `any` guess or from `candidates`, by a criterion.
    """

    record: Record
    rule: str = "any"
    criterion: str = "entropy"
    noted: Interpretation | None = None  # how its turns were read

    @classmethod
    def of_address(cls, request: Request) -> GameToReview:
        """The game of an address."""
        query = request.query_params
        rules, boards = boards_of(query)
        turns: Sequence[Any] = sent_turns(query.get("history", ""))
        reading: Interpretation | None = None
        if boards == 1:
            reading = read_sent(rules, turns, language=language_of(request)).noted
            turns = reading.turns
        else:
            turns = [(turn.guess, turn.mark) for turn in turns if not turn.ignored]
        noted: dict[str, Any] = {
            name: query[name] for name in ("codemaker", "result") if query.get(name)
        }
        seed = query.get("seed", "")
        if seed.isdecimal():
            noted["seed"] = int(seed[:21])
        own_names = reading.notation.own_names if reading else ()
        noted["colors"] = colors_of(query, rules) or own_names
        hints = query.get("hints", "")[:_MAX_HINTS].split(",")
        noted["hinted"] = tuple(n for n in range(1, len(turns) + 1) if str(n) in hints)
        secret = secret_of(query, rules, boards)
        record = Record.of_turns(rules, turns, secret, boards=boards, **noted)
        return cls(record, _rule_of(query), noted=reading)

    def query(self, **changed: str) -> str:
        """The query of an address for this, with changes."""
        record = self.record
        state = {
            "rules": record.game if record.boards == 1 else record.game_name,
            "history": history_text(record.turns),
            "secret": record.secret,
            "result": record.result if record.result == "lost" else None,
            "codemaker": None if record.codemaker == PERSON else record.codemaker,
            "seed": record.seed,
            "colors": ",".join(record.colors),
            "rule": None if self.rule == "any" else self.rule,
            "hints": ",".join(map(str, record.hinted)),
        }
        return query_of(state | changed)

    async def reviewed(self, shared: Services, language: str = SOURCE) -> Reviewed:
        """The review; its picture and its text in a language."""
        long = len(self.record.turns) > _QUICK_TURNS or self.record.boards > 1
        pool = shared.slow if long else shared.pool_for_advice(self.record.game)
        return await pool.ask(reviewed_game, self.record, self.rule, self.criterion, language)


def mean(values: Sequence[float]) -> float | None:
    """The mean of numbers; None of none."""
    return math.fsum(values) / len(values) if values else None


def nearest(record: Record, document: dict[str, Any]) -> tuple[float, str, float] | None:
    """The guesses that such choices need on average, and the strategy that is nearest to them.

    None where the cost of a choice is not known exactly, or where no averages of strategies are.
    """
    turns, total = document["turns"], document["costs"].get("guesses", 0.0)
    exact = all(turn["above"] is not None for turn in turns) and "bits" not in document["costs"]
    if str(record.game) != "4x6" or not exact or not turns[0]["exact"]:
        return None
    own = turns[0]["exact"]["guesses"] + total
    means = {name: mean for name, (mean, _) in figures().items()}
    name = min(means, key=lambda name: abs(means[name] - own))
    return own, name, means[name]


def _rule_of(query: Mapping[str, str]) -> str:
    return "candidates" if query.get("rule") == "candidates" else "any"


# What a process computes.


class Reviewed(NamedTuple):
    """A review.

    Attributes:
        document: its JSON document.
        turns: what is said of each turn on one board.
        turning: which turn decided the game.
        skill: the mean of the turns that were no hints; None where it is not known.
        report: the blocks that tell it.
    """

    document: dict[str, Any]
    turns: tuple[words.TurnWords, ...]
    turning: str
    skill: float | None
    report: Report


def reviewed_game(
    record: Record, rule: str, criterion: str = "entropy", language: str = SOURCE
) -> Reviewed:
    """A review with what is shared of it; its picture and its texts in a language."""
    if not record.turns:
        raise InputError("this game has no turn yet: there is nothing to review")
    guesses = "all" if rule == "any" else "candidates"
    solver = best_play_within(SEARCHING)
    reviewed = review(record, criterion=criterion, guesses=guesses, solver=solver)
    one = record.boards == 1
    with speaking(language):
        picture = (
            board_svg(
                record.game,
                record.turns,
                candidates=[turn.after for turn in reviewed.turns] if reviewed.consistent else None,
                secret=reviewed.secret,
                title=tr(
                    "{name}: {what}",
                    name=game_title(record.game),
                    what=words.ended_words(record),
                ),
            )
            if one
            else None
        )
        report = words.review_report(reviewed)
        texts: dict[str, Any] = {
            "record": record.write(),
            "svg": picture,
            "text": f"pegwise {report.text()}",
            "title": words.review_title(reviewed),
            "verdict": words.review_words(reviewed),
            "luck_note": words.luck_note(reviewed),
            "line": words.review_line(reviewed),
            "missed": [
                "" if turn.missed is None else words.missed_words(turn) for turn in reviewed.turns
            ],
            "follows": [follows_from(turn.follows_from) for turn in reviewed.turns],
        }
        told = tuple(words.turn_words(turn, record.game) for turn in reviewed.turns if one)
        turning = words.turning_words(reviewed)
    document = reviewed.document() | texts
    for turn, sent in enumerate(document["turns"] if one else (), 1):
        sent["codes"] = []
        with suppress(TooLargeError):
            codes = candidates(record.game, record.turns[:turn], _LISTED)
            sent["codes"] = [str(code) for code in codes]
    own = [turn.skill for turn in reviewed.turns if turn.number not in record.hinted]
    skill = mean([each for each in own if each is not None])
    return Reviewed(document, told, turning, skill, report)


# The API.

api = APIRouter(tags=["review"])


@api.post("/review")
async def review_game(request: ReviewRequest, shared: Shared, language: Spoken) -> dict[str, Any]:
    """A game, turn by turn: what each guess could tell, and what it did tell.

    The document of `pegwise review --json`, with a picture (null of several boards), a text, the
    verdict in a sentence, and a line that gives nothing away.
    """
    reader = HistoryReader(french=language == "fr")
    noted: Interpretation | None
    if request.record is None:
        noted = read_sent(request.rules, request.turns, language=language).noted
        secret = secret_of({"secret": request.secret or ""}, request.rules)
        colors = noted.notation.own_names
        record = Record.of_turns(request.rules, noted.turns, secret, colors=colors)
    elif request.turns or request.secret is not None:
        raise InputError("send a record, or rules with turns and secret; not both")
    else:
        record = parse_game(request.record, "record", reader, several=True)
        noted = reader.reading
    game = GameToReview(record, request.rule, request.criterion)
    document = (await game.reviewed(shared, language)).document
    with speaking(language):
        return document | ({"read_as": translated(noted.told)} if noted and noted.read_as else {})


# The pages.

pages = APIRouter(prefix="/review", include_in_schema=False)


@pages.get("")
async def page(request: Request, shared: Shared) -> Response:
    """A form for a record, or a review."""
    query = request.query_params
    if "record" in query:
        return _pasted(request, query)
    if not query.get("history"):
        return _form(request)
    game = GameToReview.of_address(request)
    language = language_of(request)
    reviewed = await game.reviewed(shared, language)
    if game.record.boards > 1:
        return _of_boards(request, game, reviewed)
    document = reviewed.document
    record, turns = game.record, document["turns"]
    own_names = color_names(record.colors, language)
    with speaking(language):
        told = translated(game.noted.told) if game.noted and game.noted.read_as else ""
        ended = words.ended_words(record)
    whole = record.result == "solved" and not record.hinted
    return render(
        request,
        "review",
        record=record,
        game=game,
        review=document,
        ended=ended,
        turns=turns,
        full=str(record.game.marking.winning),
        bits=record.game.bits,
        worth=math.fsum(turn["expected_bits"] for turn in turns),
        accuracy=reviewed.skill,
        said=reviewed.turns,
        turning=reviewed.turning,
        nearest=nearest(record, document) if whole else None,
        names={card.id: card.name for card in cards()},
        told=told,
        color_names=own_names,
        answers=query.get("answers") == "1",
        rules=record.game,
        data={
            "turns": [{name: turn[name] for name in _SCRIPTED} for turn in turns],
            "names": [name.model_dump() for name in own_names],
        },
    )


def _of_boards(request: Request, game: GameToReview, reviewed: Reviewed) -> Response:
    """The review of a game with several secrets: its boards, and what each guess told of all."""
    record = game.record
    with speaking(language_of(request)):
        ended = words.ended_words(record)
    return render(
        request,
        "review_several",
        rules=record.game,
        ended=ended,
        boards=[record.play.turns_on(board) for board in range(record.boards)],
        color_names=color_names(record.colors, language_of(request)),
        **of_piece(game, reviewed),
    )


def of_piece(game: GameToReview, reviewed: Reviewed) -> dict[str, Any]:
    """What the piece of a page needs that reviews a game with several secrets."""
    return {
        "game": game,
        "record": game.record,
        "review": reviewed.document,
        "skill": reviewed.skill,
        "turning": reviewed.turning,
        "told": reviewed.report.blocks[1:],  # below what its heading says
    }


@pages.post("")
async def paste(request: Request) -> Response:
    """The review of a game that was pasted, at its own address."""
    return await to_thread(_pasted, request, await form_fields(request))


@pages.get("/text")
async def text(request: Request, shared: Shared, language: Spoken) -> Response:
    """A review as plain text."""
    document = (await GameToReview.of_address(request).reviewed(shared, language)).document
    return attachment(document["text"], "text/plain", "pegwise-review.txt")


@pages.get("/record")
def record(request: Request) -> Response:
    """The record of a game, as `pegwise review` reads it."""
    game = GameToReview.of_address(request)
    return attachment(game.record.write(), "text/plain", "pegwise-game.txt")


@pages.get("/board.svg")
async def board(request: Request, shared: Shared, language: Spoken) -> Response:
    """The game as a picture."""
    game = GameToReview.of_address(request)
    if game.record.boards > 1:
        raise one_secret_only(game.record.game_name)
    document = (await game.reviewed(shared, language)).document
    return attachment(document["svg"], "image/svg+xml", "pegwise-game.svg")


def _pasted(request: Request, sent: Mapping[str, str]) -> Response:
    """A redirection to the review of a game; the form again where it cannot be read so."""
    text, language = sent.get("record", "")[:_MAX_RECORD], language_of(request)
    told = {**sent, **dict(parse_qsl(sent.get("chosen", "")))}
    chosen = {name: told[name] for name in ("rules", "colors", "marks") if told.get(name)}
    shown: dict[str, Any] = {"pasted": text, "chosen": chosen}
    try:
        whole = with_boards(text, chosen)
        reader = reader_of(chosen if whole == text else {}, language)
        record = parse_game(whole, "", reader, several=True)
        if reader.reading is not None and not record.colors:
            record = replace(record, colors=shown_names(reader.reading))
        game = GameToReview(record, _rule_of(sent))
        if not game.record.turns:
            raise InputError("this game has no turn yet: there is nothing to review")
        check_count(game.record.turns)
    except AmbiguousError as error:
        return _form(request, question=questions(error, language), **shown)
    except PegwiseError as error:
        return _form(request, error=error, **shown)
    address = f"/review?{game.query()}"
    if reader.reading is not None and reader.reading.read_as:
        with speaking(language):
            words = translated(reader.reading.told)
        return _form(request, told=words, address=address, **shown)
    return RedirectResponse(address, 303)


def _form(request: Request, *, error: PegwiseError | None = None, **shown: Any) -> Response:
    """The form; what was inferred of a text is told, with the address of its review."""
    empty = {"pasted": "", "chosen": {}, "told": "", "question": (), "address": ""}
    example = f"/review?{_EXAMPLE}"
    return render(request, "review_form", error=error, example=example, **{**empty, **shown})
