"""What the API takes and gives, each value with its bounds."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Final, Literal, get_args

from fastapi import Query
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, WithJsonSchema

from pegwise.game import Rules

__all__ = [
    "CODEMAKERS",
    "MAX_TURNS",
    "CodeText",
    "Codemaker",
    "GameRequest",
    "GameView",
    "GuessRequest",
    "HintView",
    "LeftView",
    "MarkText",
    "Problem",
    "Request",
    "RulesQuery",
    "RulesText",
    "StrategyText",
    "TurnView",
    "read_rules",
]

MAX_TURNS: Final = 200
"""A game has at most so many turns."""

Codemaker = Literal["random", "optimal", "evil"]
CODEMAKERS: Final[tuple[Codemaker, ...]] = get_args(Codemaker)
"""Who hides codes: see `game.record.CODEMAKERS`."""


@lru_cache(maxsize=256)
def read_rules(text: str) -> Rules:
    """Rules from their text, which are the same few again and again.

    Raises:
        InputError: as `Rules.parse`.
    """
    return Rules.parse(text)


def _rules(value: Any) -> Rules:
    if isinstance(value, Rules):
        return value
    if not isinstance(value, str) or len(value) > 100:
        raise ValueError("rules are a short text, for example '4x6' or '4x10,distinct'")
    return read_rules(value)


RulesText = Annotated[
    Rules,
    BeforeValidator(_rules),
    PlainSerializer(str, return_type=str),
    WithJsonSchema(
        {"type": "string", "maxLength": 100, "description": "4x6, 4x10,distinct, classic"}
    ),
]
"""Rules, written as on the command line."""

RulesQuery = Annotated[str, Query(max_length=100, description="4x6, 4x10,distinct, classic")]
"""Rules as a parameter of an address."""

CodeText = Annotated[
    str, Field(min_length=1, max_length=200, description="A code: ABCD, 1123 or discs.")
]
MarkText = Annotated[str, Field(max_length=50, description="A mark: XXO, 2b1w, 2 1; - for none.")]
StrategyText = Annotated[
    str, Field(max_length=100, description="A strategy: knuth, or with options.")
]


class Request(BaseModel):
    """What is sent; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """An error: what was refused, and what is allowed."""

    detail: str


class GameRequest(Request):
    """A new game."""

    rules: RulesText = Rules()
    codemaker: Codemaker = "random"
    hints: bool = True
    max_guesses: Annotated[int, Field(ge=1, le=MAX_TURNS)] | None = None


class GuessRequest(Request):
    """The next guess. Its number makes it safe to send the same request again."""

    guess: CodeText
    turn: Annotated[int, Field(ge=1, le=MAX_TURNS)]


class TurnView(BaseModel):
    """A turn; `left` is null where hints are off or the codes cannot be counted."""

    guess: str
    mark: str
    left: int | None


class GameView(BaseModel):
    """A game; secret and record are told once it is over."""

    id: str
    rules: RulesText
    codemaker: str
    hints: bool
    max_guesses: int | None
    turns: list[TurnView]
    left: int | None
    over: bool
    won: bool
    secret: str | None
    record: str | None


class HintView(BaseModel):
    """A guess that pegwise would play, and how many codes are possible."""

    guess: str
    by: str
    left: int | None


class LeftView(BaseModel):
    """How many codes are possible, and the first of them."""

    count: int
    codes: list[str]


class SentTurn(Request):
    """A turn of a real board; an ignored one stays in its place but does not count."""

    guess: CodeText
    mark: MarkText
    ignored: bool = False


Sent = Annotated[list[SentTurn], Field(max_length=MAX_TURNS)]


class DecodeRequest(Request):
    """A history, and the strategy that is to go on."""

    rules: RulesText = Rules()
    strategy: StrategyText = ""
    history: Sent = []
    limit: Annotated[int, Field(ge=0, le=1000)] = 20


class Alternative(BaseModel):
    """A mark that a turn may have had, and how many codes fit with it."""

    mark: str
    count: int


class SuspectView(BaseModel):
    """A turn (from 1) whose mark, changed alone, makes the history possible."""

    turn: int
    mark: str
    instead: list[Alternative]


class Agreement(BaseModel):
    """How many of the first turns that count agree, and how many codes fit them."""

    turns: int
    count: int


class DecodeView(BaseModel):
    """What is possible, and what to play.

    `count` is null where the codes cannot be counted, `left` has the count after each turn.
    `guess` is null when the code is found or the marks contradict each other; then there are
    `suspects`, or `fewest_wrong` tells how many marks must be wrong.
    """

    count: int | None
    left: list[int | None]
    guess: str | None
    by: str
    won: bool
    marks: list[str]
    codes: list[str]
    suspects: list[SuspectView]
    agree: Agreement | None
    fewest_wrong: int | None


class WhyRow(BaseModel):
    """A guess and how it splits the possible codes; its place is null beyond the best ones."""

    place: int | None
    guess: str
    score: float
    bits: float
    expected: float
    largest: int
    parts: int
    candidate: bool


class WhyView(BaseModel):
    """The best guesses by a criterion, and the one that is proposed."""

    criterion: str
    guess: str
    by: str
    count: int
    weighed: int
    exact: bool
    note: str | None
    rows: list[WhyRow]


class ReviewRequest(Request):
    """A game to review: the text of its record, or its turns.

    `rule` is what the best guess is chosen from: `any` guess, or only `candidates`.
    """

    record: Annotated[str, Field(max_length=50_000)] | None = None
    rules: RulesText = Rules()
    turns: Sent = []
    secret: CodeText | None = None
    rule: Literal["any", "candidates"] = "any"
    criterion: Literal["entropy", "size", "minimax", "parts"] = "entropy"


class ReviewView(BaseModel):
    """A review as `pegwise review --json` gives it, with a picture and a text to share."""

    model_config = ConfigDict(extra="allow")

    rules: str
    result: str
    secret: str | None
    criterion: str
    guesses: str
    estimated: bool
    turns: list[dict[str, Any]]
    luck: float
    cost: float
    cost_in_guesses: float | None
    consistent: bool
    suspects: list[SuspectView]
    wrong: list[dict[str, Any]]
    record: str
    svg: str
    text: str


class CardView(BaseModel):
    """The card of a strategy.

    `plays` tells whether it plays the rules that were asked for, `why_not` the reason if not; both
    are null where none were asked for, and for strategies that must compute long to know.
    """

    id: str
    name: str
    authors: str
    year: int | None
    source: str
    about: str
    traits: list[str]
    plays: bool | None = None
    why_not: str | None = None


class MarksView(BaseModel):
    """The marks that some secret gives to a guess."""

    rules: RulesText
    guess: str
    marks: list[str]
