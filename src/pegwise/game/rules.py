"""The rules of a board: how many pegs and colors, and what a code may repeat or leave empty."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from operator import index
from typing import Final, SupportsIndex

from pegwise.errors import Phrase, RulesError, UnknownNameError, quoted
from pegwise.hooks import paint

MAX_PEGS: Final = 16
MAX_COLORS: Final = 26

NAMED: Final = {"classic": "4x6", "super": "5x8", "bulls-and-cows": "4x10,distinct"}
FLAGS: Final = ("distinct", "distinct-secrets", "blank", "black")

_BOARD = re.compile(r"([0-9]{1,9})\s*[x×]\s*([0-9]{1,9})")
_FORM = Phrase(
    "write PEGSxCOLORS[,FLAG...] with up to {pegs} pegs and {colors} colors, for example 4x6 or "
    "4x10,distinct",
    pegs=MAX_PEGS,
    colors=MAX_COLORS,
)


@dataclass(frozen=True, slots=True)
class Rules:
    """What may be hidden, what may be guessed, and which marks are given.

    Attributes:
        pegs: length of a code, 1 to 16.
        colors: number of colors, 1 to 26.
        distinct: no color twice in a code, secret or guess.
        distinct_secrets: no color twice in a secret; guesses are free.
        blank: a guess may leave holes empty; a secret may not.
        black: only black marks are given.

    Raises:
        RulesError: a size out of range, or flags that contradict each other or the sizes.
    """

    pegs: int = 4
    colors: int = 6
    distinct: bool = False
    distinct_secrets: bool = False
    blank: bool = False
    black: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "pegs", _size(Phrase("pegs"), self.pegs, MAX_PEGS))
        object.__setattr__(self, "colors", _size(Phrase("colors"), self.colors, MAX_COLORS))
        for flag in FLAGS:
            value = getattr(self, flag.replace("-", "_"))
            if not isinstance(value, bool):
                raise RulesError(
                    "{flag} must be True or False, not {value}", flag=flag, value=quoted(value)
                )
        if self.distinct and self.distinct_secrets:
            raise RulesError(
                "'distinct' already forbids repeated colors in secrets; give only one of "
                "'distinct' and 'distinct-secrets'"
            )
        if self.secrets_are_distinct and self.colors < self.pegs:
            raise RulesError(
                "{pegs} pegs without a repeated color need at least {pegs} colors, not {colors}",
                pegs=self.pegs,
                colors=self.colors,
            )

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read `4x6`, `4x10,distinct`, `5x8,blank` or a name such as `classic`.

        Raises:
            RulesError: the text is malformed or the rules are not possible.
            UnknownNameError: a flag or a name that does not exist.
        """
        words = text.split(",") if isinstance(text, str) else [""]
        head, *flags = (word.strip().lower() for word in words)
        board, *named_flags = NAMED.get(head, head).split(",")
        match = _BOARD.fullmatch(board)
        if match is None:
            if head.replace("-", "").isalpha():
                raise UnknownNameError.of("rules", head, [*NAMED, "PEGSxCOLORS"])
            raise RulesError("cannot read rules {text}: {form}", text=quoted(text), form=_FORM)
        flags = named_flags + flags
        for flag in flags:
            if flag.replace("_", "-") not in FLAGS:
                raise UnknownNameError.of(
                    Phrase("flag in rules {text}:", text=quoted(text)), flag, FLAGS
                )
        pegs, colors = (int(group) for group in match.groups())
        try:
            return cls(pegs, colors, **{flag.replace("-", "_"): True for flag in flags})
        except RulesError as error:
            raise RulesError("rules {text}: {error}", text=quoted(text), error=error) from None

    def __str__(self) -> str:
        flags = [flag for flag in FLAGS if getattr(self, flag.replace("-", "_"))]
        return ",".join([f"{self.pegs}x{self.colors}", *flags])

    def _repr_html_(self) -> str | None:
        return paint("rules", self)

    @property
    def secrets_are_distinct(self) -> bool:
        """Whether no secret repeats a color."""
        return self.distinct or self.distinct_secrets

    @property
    def n_secrets(self) -> int:
        """Number of codes that may be hidden."""
        if self.secrets_are_distinct:
            return math.perm(self.colors, self.pegs)
        return int(self.colors**self.pegs)

    @property
    def n_guesses(self) -> int:
        """Number of codes that may be guessed."""
        if not self.distinct:
            return int((self.colors + self.blank) ** self.pegs)
        return count_distinct(self.pegs, self.colors, blank=self.blank)


def _size(name: Phrase, value: object, limit: int) -> int:
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise RulesError(
            "{name} must be a whole number, not {value}", name=name, value=quoted(value)
        )
    if not 1 <= index(value) <= limit:
        raise RulesError(
            "{name} must be 1 to {limit}, not {value}", name=name, limit=limit, value=quoted(value)
        )
    return index(value)


def as_rules(rules: Rules | str) -> Rules:
    """Rules as they are, or as they are written.

    Raises:
        RulesError: neither; or as `Rules.parse`.
    """
    if isinstance(rules, str):
        return Rules.parse(rules)
    if not isinstance(rules, Rules):
        raise RulesError(
            "{value} is not a board: give Rules, or a text such as 4x6", value=quoted(rules)
        )
    return rules


def count_distinct(pegs: int, colors: int, *, blank: bool) -> int:
    """Number of codes without a repeated color, with any number of empty holes if `blank`."""
    if not blank:
        return math.perm(colors, pegs)
    return sum(math.comb(pegs, filled) * math.perm(colors, filled) for filled in range(pegs + 1))
