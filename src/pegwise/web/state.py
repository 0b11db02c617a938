"""The state of a page in its address: rules, history, secret, as people can share them.

`rules=4x6,distinct`, `history=AABB:XO,CCDD:-`, `secret=ABCD`. A turn whose mark is ignored ends
with `~`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pegwise.errors import InputError, quoted
from pegwise.game import Code, Rules, Turn, parse_code, parse_mark

__all__ = ["history_of", "history_text", "rules_of", "secret_of"]

_FLAGS: Final = ("blank", "black")
_MAX_TURNS: Final = 99


def rules_of(query: Mapping[str, str]) -> Rules:
    """The rules of an address, or of the form that chooses rules; 4x6 where there are none.

    Raises:
        InputError: they cannot be read, or are not possible.
    """
    if "pegs" in query or "colors" in query:
        board = f"{query.get('pegs', '4')}x{query.get('colors', '6')}"
        flags = [flag for flag in _FLAGS if query.get(flag)]
        return Rules.parse(",".join([board, *filter(None, [query.get("repeats")]), *flags]))
    return Rules.parse(query.get("rules") or "4x6")


def history_of(text: str, rules: Rules) -> tuple[Turn, ...]:
    """The turns of an address whose marks are not ignored.

    Raises:
        InputError: a turn cannot be read or is not one of these rules, or there are too many.
    """
    turns = []
    for part in filter(None, text.split(",")):
        guess, colon, mark = part.partition(":")
        if not colon:
            raise InputError(
                "cannot read turn {part}: write GUESS:MARK, as in ABCD:XXO", part=quoted(part)
            )
        turn = Turn(parse_code(guess, rules), parse_mark(mark.removesuffix("~"), rules))
        if not mark.endswith("~"):
            turns.append(turn)
    if len(turns) > _MAX_TURNS:
        raise InputError(
            "{n_turns} turns are too many: at most {most}", n_turns=len(turns), most=_MAX_TURNS
        )
    return tuple(turns)


def history_text(turns: tuple[Turn, ...]) -> str:
    """Turns as `history_of` reads them."""
    return ",".join(f"{guess}:{mark}" for guess, mark in turns)


def secret_of(query: Mapping[str, str], rules: Rules) -> Code | None:
    """The secret of an address, if it names one.

    Raises:
        InputError: it cannot be hidden by these rules.
    """
    text = query.get("secret", "")
    return parse_code(text, rules, secret=True) if text else None
