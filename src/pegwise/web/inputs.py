"""Rules, codes, marks and turns, in an address or in JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sized
from contextlib import contextmanager
from functools import lru_cache
from typing import Annotated, Any, Final
from urllib.parse import unquote, urlencode

from fastapi import Query
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    InstanceOf,
    PlainSerializer,
    WithJsonSchema,
)

from pegwise.errors import InputError, Phrase, quoted
from pegwise.game import Game, Turn, game_of, parse_code
from pegwise.game.names import SEVERAL
from pegwise.playing.record import MAX_NOTED

MAX_TURNS: Final = 200  # most turns of a game
_FLAGS: Final = ("blank", "black", "placed", "hard")


@lru_cache(maxsize=256)
def read_rules(text: str) -> Game:
    """Rules from their text; the latest are cached."""
    return game_of(text)


def _rules(value: Any) -> Game:
    if isinstance(value, Game):
        return value
    if not isinstance(value, str) or len(value) > 100:
        raise InputError("rules are a short text, for example '4x6' or '4x10,distinct'")
    return read_rules(value)


RulesText = Annotated[
    InstanceOf[Game],
    BeforeValidator(_rules),
    PlainSerializer(lambda rules: rules.named, return_type=str),
    WithJsonSchema(
        {"type": "string", "maxLength": 100, "description": "4x6, 4x10,distinct, classic"}
    ),
]
"""Rules, written as on the command line."""

CLASSIC: Final[Any] = Field(
    default_factory=lambda: game_of("4x6"), json_schema_extra={"default": "4x6"}
)
"""The rules of a request that names none."""

RulesQuery = Annotated[str, Query(max_length=100, description="4x6, 4x10,distinct, classic")]
"""Rules as a parameter of an address."""

Blank = BeforeValidator(lambda text: text or None)
"""An empty field of a form asks for nothing."""

CodeText = Annotated[
    str, Field(min_length=1, max_length=200, description="A code: ABCD, 1123 or discs.")
]
MarkText = Annotated[str, Field(max_length=50, description="A mark: XXO, 2b1w, 2 1; - for none.")]
StrategyText = Annotated[
    str, Field(max_length=100, description="A strategy: knuth, or with options.")
]


Candidates = Annotated[int | None, Field(serialization_alias="left")]
"""How many codes are possible, as `left` in JSON; null where that is not told."""


class RequestBody(BaseModel):
    """A JSON body; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


class SentTurn(RequestBody):
    """A turn of a real board; an ignored one stays in its place but does not count."""

    guess: CodeText
    mark: MarkText
    ignored: bool = False


class PlayedTurn(BaseModel):
    """A turn as it is answered."""

    guess: str
    mark: str


SentTurns = Annotated[list[SentTurn], Field(default_factory=list, max_length=MAX_TURNS)]


@contextmanager
def numbered(number: int) -> Iterator[None]:
    """Begin the message of an `InputError` with the number of a turn."""
    try:
        yield
    except InputError as error:
        raise type(error)(Phrase("turn {n}: {problem}", n=number, problem=error)) from None


# The state of a page in its address: `rules=4x6,distinct`, `history=AABB:XO,CCDD:-`,
# `secret=ABCD`. An ignored turn ends with `~`.


def is_form(query: Mapping[str, str]) -> bool:
    """Whether an address comes from the form that chooses rules."""
    return not {"pegs", "words"}.isdisjoint(query) or query.get("colors", "").isdecimal()


def rules_of(query: Mapping[str, str]) -> Game:
    """The rules of an address, or of the form that chooses rules; 4x6 by default."""
    if is_form(query):
        board = query.get("words") or f"{query.get('pegs', '4')}x{query.get('colors', '6')}"
        flags = [flag for flag in _FLAGS if query.get(flag)]
        chosen = filter(None, [query.get("jar"), query.get("repeats"), query.get("marks")])
        return game_of(",".join([board, *chosen, *flags]))
    return game_of(query.get("rules") or "4x6")


def boards_of(query: Mapping[str, str]) -> tuple[Game, int]:
    """The rules of an address, and how many boards are played at once: `rules=wordle*4`."""
    if several := SEVERAL.fullmatch(query.get("rules", "")):
        return read_rules(several[1]), int(several[2])
    return rules_of(query), 1


def split_turn(text: str) -> tuple[str, str]:
    """The guess and the mark of `GUESS:MARK`."""
    guess, *rest = re.split("[:=]", text, maxsplit=1)
    if not rest:
        raise InputError(
            "cannot read turn {part}: write GUESS:MARK, as in ABCD:XXO", part=quoted(text)
        )
    return guess, rest[0]


def sent_turns(text: str) -> list[SentTurn]:
    """The turns of an address."""
    sent = []
    for part in filter(None, text.split(",")):
        guess, mark = split_turn(part)
        ignored = mark.endswith("~")
        mark = unquote(mark.rstrip("~"))
        turn = SentTurn.model_construct(guess=unquote(guess), mark=mark, ignored=ignored)
        sent.append(turn)
    check_count(sent)
    return sent


def check_count(turns: Sized) -> None:
    """Refuse more turns than a game may have noted, by InputError."""
    if len(turns) > MAX_NOTED:
        raise InputError(
            "{n_turns} turns are too many: at most {most}", n_turns=len(turns), most=MAX_NOTED
        )


def history_text(turns: Iterable[Turn | tuple[str, str]]) -> str:
    """Turns, or their texts, as `sent_turns` splits them."""
    texts = ((_escaped(str(g), "[%,:=~]"), _escaped(str(m), "[%,:~]")) for g, m in turns)
    return ",".join(f"{guess}:{mark}" for guess, mark in texts)


def _escaped(text: str, signs: str) -> str:
    """A code or a mark without the signs that set turns apart: `%2C` for a comma."""
    return re.sub(signs, lambda sign: f"%{ord(sign[0]):02X}", text)


def query_of(state: Mapping[str, Any]) -> str:
    """The query of an address: what a state holds that is neither None nor empty."""
    used = {name: value for name, value in state.items() if value not in (None, "")}
    return urlencode(used, safe=",:@")


def secret_of(query: Mapping[str, str], rules: Game, boards: int = 1) -> Any:
    """The secret of an address, if it names one; of several boards a tuple."""
    text = query.get("secret", "")
    if not text:
        return None
    secrets = text.split("|") if boards > 1 else [text]
    codes = tuple(parse_code(each.strip(), rules, secret=True) for each in secrets)
    return codes if boards > 1 else codes[0]
