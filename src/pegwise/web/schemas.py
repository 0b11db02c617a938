"""What the API takes and gives, each value with its bounds."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, WithJsonSchema

from pegwise.game import Rules

__all__ = [
    "MAX_TURNS",
    "CodeText",
    "GameRequest",
    "GameView",
    "GuessRequest",
    "HintView",
    "LeftView",
    "MarkText",
    "Problem",
    "Request",
    "RulesText",
    "StrategyText",
    "TurnView",
]

MAX_TURNS: Final = 200
"""A game has at most so many turns."""


def _rules(value: Any) -> Rules:
    if isinstance(value, Rules):
        return value
    if not isinstance(value, str) or len(value) > 100:
        raise ValueError("rules are a short text, for example '4x6' or '4x10,distinct'")
    return Rules.parse(value)


RulesText = Annotated[
    Rules,
    BeforeValidator(_rules),
    PlainSerializer(str, return_type=str),
    WithJsonSchema(
        {"type": "string", "maxLength": 100, "description": "4x6, 4x10,distinct, classic"}
    ),
]
"""Rules, written as on the command line."""

CodeText = Annotated[
    str, Field(min_length=1, max_length=200, description="A code: ABCD, 1123 or discs.")
]
MarkText = Annotated[str, Field(max_length=50, description="A mark: XXO, 2b1w, 2 1; - for none.")]
StrategyText = Annotated[
    str, Field(min_length=1, max_length=100, description="A strategy: knuth, or with options.")
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
    codemaker: Literal["random", "evil"] = "random"
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
