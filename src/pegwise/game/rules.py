"""The rules of a board: pegs, colors, and the marks that are given."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from functools import lru_cache
from operator import index
from typing import Any, Final, SupportsIndex

from pegwise.arrays import I64, U8
from pegwise.errors import Phrase, RulesError, TooLargeError, UnknownNameError, quoted
from pegwise.game.alphabet import Colors
from pegwise.game.jar import check_jar, is_jar, jar_weights, read_jar, write_jar
from pegwise.game.marking import BOARD_MARKINGS, BoardMarking
from pegwise.game.marking.pegs import Pegs
from pegwise.game.named import NAMED, MarkWords, mark_words, shortest_name, writes_digits
from pegwise.hooks import Drawable

MAX_PEGS: Final = 16
MAX_COLORS: Final = 26

MARKS: Final = tuple(filter(None, BOARD_MARKINGS))
"""The flags that ask for other marks than black and white pegs."""

_BOARD_FLAGS: Final = ("distinct", "distinct-secrets", "blank")
FLAGS: Final = (*_BOARD_FLAGS, *MARKS, "hard")

_BOARD = re.compile(r"([0-9]{1,9})\s*[x×]\s*([0-9]{1,9})")
FORM: Final = Phrase(
    "write PEGSxCOLORS[,FLAG...] with up to {pegs} pegs and {colors} colors, for example 4x6 or "
    "4x10,distinct",
    pegs=MAX_PEGS,
    colors=MAX_COLORS,
)
"""How rules are written."""


@dataclass(frozen=True, slots=True)
class Rules(Drawable):
    """The rules of a board: the secrets, the guesses, and the marks that are given.

    Attributes:
        pegs: length of a code, 1 to 16.
        colors: number of colors, 1 to 26.
        distinct: no color twice in a code, secret or guess.
        distinct_secrets: no color twice in a secret; guesses are free.
        blank: a guess may leave holes empty; a secret may not.
        marks: the flag of the marks that are given, such as `black` or `placed`; empty for black
            and white pegs.
        hard: a guess must use what the marks told so far (see `game.hard`).
        name: the name that stood for these rules where they were read, whose words marks are then
            written in; empty where none did. Rules of different names may be equal.
        jar: the jar that secrets are drawn from, such as `A4B2C1`: how many pegs it holds of each
            color (see `game.jar`); empty where all secrets are alike.

    RulesError: a size out of range, or flags that contradict each other or the sizes.

    Examples:
        >>> pegwise.Rules(4, 6, marks="black").n_secrets
        1296
    """

    pegs: int = 4
    colors: int = 6
    distinct: bool = False
    distinct_secrets: bool = False
    blank: bool = False
    marks: str = ""
    hard: bool = False
    name: str = field(default="", compare=False, repr=False)
    jar: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "pegs", _size(Phrase("pegs"), self.pegs, MAX_PEGS))
        object.__setattr__(self, "colors", _size(Phrase("colors"), self.colors, MAX_COLORS))
        check_marks(self.marks, self.pegs)
        for flag in (*_BOARD_FLAGS, "hard"):
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
        if self.hard and self.on_board and (self.blank or self.distinct_secrets):
            raise RulesError(
                "with 'hard' each guess may be the secret: leave 'blank' out, and write 'distinct' "
                "for 'distinct-secrets'"
            )
        if self.jar != "":
            numbers = read_jar(self.jar)
            check_jar(numbers, self.pegs, self.colors)
            object.__setattr__(self, "jar", write_jar(numbers))

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read `4x6`, `4x10,distinct`, `4x6,placed` or a name of a board such as `super`.

        RulesError: the text is malformed, the rules are not possible, or it names a game that
        is not a board. UnknownNameError: a flag that does not exist.
        """
        head, flags = split_rules(text) if isinstance(text, str) else ("", [])
        if (rules := cls.of_board(text, head, flags)) is not None:
            return rules
        if head in NAMED:
            raise RulesError("{text} is not a board: {form}", text=quoted(text), form=FORM)
        raise RulesError("cannot read rules {text}: {form}", text=quoted(text), form=FORM)

    @classmethod
    def of_board(cls, text: str, head: str, flags: list[str]) -> Rules | None:
        """The rules of a board whose text is split, or of its name; None for other texts."""
        board, *own_flags = NAMED.get(head, head).split(",")
        if (match := _BOARD.fullmatch(board)) is None:
            return None
        name = head if head in NAMED and set(flags) <= {"hard"} else ""
        jars = [flag for flag in flags if is_jar(flag)]
        flags = [flag for flag in flags if not is_jar(flag)]
        options, marks = read_flags(text, own_flags + flags, FLAGS)
        try:
            pegs, colors = (int(group) for group in match.groups())
            if len(jars) > 1:
                raise RulesError("give only one jar, not {jars}", jars=", ".join(map(quoted, jars)))
            jar = "".join(jars)
            return cls(pegs, colors, marks=one_marking(marks), jar=jar, name=name, **options)
        except RulesError as error:
            raise RulesError("rules {text}: {error}", text=quoted(text), error=error) from None

    def __str__(self) -> str:
        flags = [
            flag
            for flag in FLAGS
            if flag == self.marks or getattr(self, flag.replace("-", "_"), False)
        ]
        return ",".join([f"{self.pegs}x{self.colors}", *filter(None, [self.jar]), *flags])

    @property
    def named(self) -> str:
        """The name that stood for these rules, if it still does; else the shortest that is read."""
        return shortest_name(str(self), self.name)

    @property
    def mark_words(self) -> MarkWords | None:
        """The words of its own in which the named game writes black and white marks, if any."""
        return mark_words(self.name)

    @property
    def black(self) -> bool:
        """Whether only black marks are given."""
        return self.marks == "black"

    @property
    def marking(self) -> BoardMarking:
        """How guesses are marked."""
        return _marking(self, self.mark_words)

    @property
    def alphabet(self) -> Colors:
        """What codes are written in."""
        return _colors(self, writes_digits(self.name))

    @property
    def colors_apart(self) -> bool:
        """Whether the colors of each peg may be renamed on their own, as no mark compares pegs."""
        return self.black and not self.secrets_are_distinct

    @property
    def on_board(self) -> bool:
        """Whether kernels mark: every code may be hidden, and black and white are counted."""
        return BOARD_MARKINGS[self.marks].by_kernels

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


@lru_cache(maxsize=256)
def _marking(rules: Rules, words: MarkWords | None) -> BoardMarking:
    return BOARD_MARKINGS[rules.marks](str(rules), rules.pegs, words)


@lru_cache(maxsize=256)
def _colors(rules: Rules, in_digits: bool) -> Colors:
    return Colors(
        str(rules),
        rules.pegs,
        rules.colors,
        distinct=rules.distinct,
        distinct_secrets=rules.secrets_are_distinct,
        blank=rules.blank,
        in_digits=in_digits,
    )


# the flags of a text


def split_rules(text: str) -> tuple[str, list[str]]:
    """The board, list or name that rules begin with, and their flags; all in small letters."""
    head, *flags = (word.strip().lower() for word in text.split(","))
    return head, flags


def read_flags(
    text: str, flags: list[str], possible: tuple[str, ...]
) -> tuple[dict[str, Any], list[str]]:
    """The options that flags stand for, and the marks that they ask for.

    UnknownNameError: a flag that is not possible.
    """
    named = [flag.replace("_", "-") for flag in flags]
    for flag, written in zip(named, flags, strict=True):
        if flag not in possible:
            raise UnknownNameError.of(
                Phrase("flag in rules {text}:", text=quoted(text)), written, possible
            )
    options = {flag.replace("-", "_"): True for flag in named if flag not in MARKS}
    return options, [flag for flag in MARKS if flag in named]


def one_marking(marks: list[str]) -> str:
    """The only flag of marks, or none; RulesError for several."""
    if len(marks) > 1:
        raise RulesError("give only one of {flags}", flags=", ".join(map(quoted, marks)))
    return "".join(marks)


def check_marks(marks: str, pegs: int) -> None:
    """Refuse marks that do not exist, or that codes of this length cannot have."""
    if marks not in BOARD_MARKINGS:
        raise UnknownNameError.of("kind of marks", str(marks), MARKS)
    if pegs > (most := BOARD_MARKINGS[marks].widest):
        raise RulesError(
            "marks by place are for at most {most} pegs, not {pegs}", most=most, pegs=pegs
        )


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


def count_distinct(pegs: int, colors: int, *, blank: bool) -> int:
    """Number of codes without a repeated color, with any number of empty holes if `blank`."""
    if not blank:
        return math.perm(colors, pegs)
    return sum(math.comb(pegs, filled) * math.perm(colors, filled) for filled in range(pegs + 1))


MAX_LISTED: Final = 20_000_000
"""Games with more codes than this are not listed."""


def check_listed(name: str, count: int, most: int = MAX_LISTED) -> None:
    """Refuse to list more codes."""
    if count > most:
        raise TooLargeError(
            "{name} has {count:,} codes, too many to list (at most {most:,}); use a strategy that "
            "does not need the list, or a smaller board",
            name=name,
            count=count,
            most=most,
        )


def list_secrets(rules: Rules) -> U8:
    """All codes that may be hidden, uint8 (rules.n_secrets, rules.pegs), in numeric order.

    TooLargeError: more than `MAX_LISTED` codes.
    """
    check_listed(str(rules), rules.n_secrets)
    return rules.alphabet.list_secrets()


def list_guesses(rules: Rules) -> U8:
    """All codes that may be guessed, uint8 (rules.n_guesses, rules.pegs), in numeric order.

    An empty hole is the largest sign. Errors as `list_secrets`.
    """
    check_listed(str(rules), rules.n_guesses)
    return rules.alphabet.list_guesses()


def weights_of(rules: Rules) -> I64 | None:
    """int64 (n_secrets): how often each secret is drawn from the jar; None where there is none."""
    if not rules.jar:
        return None
    weights = jar_weights(read_jar(rules.jar), list_secrets(rules))
    weights.setflags(write=False)
    return weights


def board_pegs(rules: Rules) -> Pegs:
    """The marking of a board with black and white marks; RulesError for every other game."""
    marking = rules.marking
    if not rules.on_board or not isinstance(marking, Pegs):
        raise RulesError(
            "{rules} is not a board with black and white marks, which this needs", rules=rules
        )
    return marking
