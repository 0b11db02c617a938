"""The rules of a game: pegs and colors of a board or a list of words, and its marks."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from operator import index
from typing import Any, Final, SupportsIndex

from pegwise.arrays import U8
from pegwise.errors import InputError, Phrase, RulesError, TooLargeError, UnknownNameError, quoted
from pegwise.game.alphabet import Alphabet, Colors, Letters, Texts
from pegwise.game.marked import MarkedList
from pegwise.game.marking import BOARD_MARKINGS, Marking, TableMarks
from pegwise.game.marking.pegs import Pegs
from pegwise.game.named import NAMED, NAMED_GAMES, MarkWords
from pegwise.game.resolvers import game_named, names_game
from pegwise.game.words import WordList, find_words, installed_words, is_installed
from pegwise.plugins import Drawable

MAX_PEGS: Final = 16
MAX_COLORS: Final = 26

MARKS: Final = tuple(filter(None, BOARD_MARKINGS))
"""The flags that ask for other marks than black and white pegs."""

_BOARD_FLAGS: Final = ("distinct", "distinct-secrets", "blank")
FLAGS: Final = (*_BOARD_FLAGS, *MARKS, "hard")
_HARD: Final = ",hard"  # the last flag of a text

SEVERAL = re.compile(r"(.+)\*\s*([0-9]{1,9})\s*", re.DOTALL)
"""Rules with the number of secrets that are sought at once, as in `wordle*4`."""

_BOARD = re.compile(r"([0-9]{1,9})\s*[x×]\s*([0-9]{1,9})")
_LIST = re.compile(r"([a-z][a-z0-9_-]*)(?:@([0-9a-f]{8}))?")
_FORM = Phrase(
    "write PEGSxCOLORS[,FLAG...] with up to {pegs} pegs and {colors} colors, for example 4x6 or "
    "4x10,distinct",
    pegs=MAX_PEGS,
    colors=MAX_COLORS,
)


@dataclass(frozen=True, slots=True)
class Rules(Drawable):
    """The rules of a game: the secrets, the guesses, and the marks that are given.

    Attributes:
        pegs: length of a code, 1 to 16.
        colors: number of colors, 1 to 26.
        distinct: no color twice in a code, secret or guess.
        distinct_secrets: no color twice in a secret; guesses are free.
        blank: a guess may leave holes empty; a secret may not.
        marks: the flag of the marks that are given, such as `black` or `placed`; empty for black
            and white pegs.
        words: the list of words of a game of words; None on a board. Such a game has as many
            pegs as a word has letters.
        name: the name that stood for these rules where they were read, whose words marks are then
            written in; empty where none did. Rules of different names may be equal.
        hard: a guess must use what the marks told so far (see `game.hard`).

    RulesError: a size out of range, or flags that contradict each other or the sizes.
    """

    pegs: int = 4
    colors: int = 6
    distinct: bool = False
    distinct_secrets: bool = False
    blank: bool = False
    marks: str = ""
    words: WordList | None = None
    name: str = field(default="", compare=False, repr=False)
    hard: bool = False

    def __post_init__(self) -> None:
        if self.words is not None:
            check_list(self.words)
        if not self.marked:
            object.__setattr__(self, "pegs", _size(Phrase("pegs"), self.pegs, MAX_PEGS))
        if self.words is None:
            object.__setattr__(self, "colors", _size(Phrase("colors"), self.colors, MAX_COLORS))
        if self.marks not in BOARD_MARKINGS:
            raise UnknownNameError.of("kind of marks", str(self.marks), MARKS)
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
        if self.marked and self.marks:
            raise RulesError(
                "{game} has marks of its own: {flags} are for boards and words",
                game=str(self.words),
                flags=", ".join(map(quoted, MARKS)),
            )
        if self.hard and self.n_questions:
            raise RulesError(
                "with 'hard' guesses must be candidates, and those of {game} are questions",
                game=str(self.words),
            )
        if self.hard and self.on_board and (self.blank or self.distinct_secrets):
            raise RulesError(
                "with 'hard' each guess may be the secret: leave 'blank' out, and write 'distinct' "
                "for 'distinct-secrets'"
            )
        if self.pegs > (most := BOARD_MARKINGS[self.marks].widest):
            raise RulesError(
                "marks by place are for at most {most} pegs, not {pegs}", most=most, pegs=self.pegs
            )

    @classmethod
    def of_words(cls, words: WordList, *, marks: str = "", hard: bool = False) -> Rules:
        """The game on a list of words; with black and white marks, unless said otherwise."""
        check_list(words)
        n_letters, n_signs = words.n_letters, len(words.letters)
        return cls(n_letters, n_signs, marks=marks, hard=hard, words=words)

    @classmethod
    def parse(cls, text: str) -> Rules:
        """Read `4x6`, `4x10,distinct`, `4x6,placed`, `sgb,placed` or a name such as `wordle`.

        RulesError: the text is malformed or the rules are not possible. UnknownNameError: a flag or
        a name that does not exist.
        """
        if isinstance(text, str) and (several := SEVERAL.fullmatch(text)):
            raise one_secret_only(text, several[2])
        words = text.split(",") if isinstance(text, str) else [""]
        head, *flags = (word.strip().lower() for word in words)
        name = head if head in NAMED and set(flags) <= {"hard"} else ""
        board, *named_flags = NAMED.get(head, head).split(",")
        flags = named_flags + flags
        match = _BOARD.fullmatch(board)
        if not match and isinstance(text, str) and (named := game_named(text)) is not None:
            return cls.of_words(named[0], hard=_is_hard(named[1], text))
        listed = None if match else _words(board, text)
        for flag in flags:
            possible_flags = FLAGS if listed is None else (*MARKS, "hard")
            if flag.replace("_", "-") not in possible_flags:
                raise UnknownNameError.of(
                    Phrase("flag in rules {text}:", text=quoted(text)), flag, possible_flags
                )
        flags = [flag.replace("_", "-") for flag in flags]
        options: dict[str, Any] = {
            flag.replace("-", "_"): True for flag in flags if flag not in MARKS
        }
        if marks := [flag for flag in MARKS if flag in flags]:
            options["marks"] = marks[0]
        try:
            if len(marks) > 1:
                raise RulesError("give only one of {flags}", flags=", ".join(map(quoted, marks)))
            if listed is not None:
                return replace(cls.of_words(listed, **options), name=name)
            pegs, colors = (int(group) for group in match.groups()) if match else (0, 0)
            return cls(pegs, colors, words=None, name=name, **options)
        except RulesError as error:
            raise RulesError("rules {text}: {error}", text=quoted(text), error=error) from None

    def __str__(self) -> str:
        flags = [
            flag
            for flag in FLAGS
            if flag == self.marks or getattr(self, flag.replace("-", "_"), False)
        ]
        size = f"{self.pegs}x{self.colors}" if self.words is None else str(self.words)
        return ",".join([size, *flags])

    @property
    def named(self) -> str:
        """The name that stood for these rules, if it still does; else the shortest that is read.

        A name that brings words of marks of its own stands only where it was typed.
        """
        plain = str(self).removesuffix(_HARD)
        same = [name for name, game in NAMED_GAMES.items() if game.rules == plain]
        others = [name for name in same if NAMED_GAMES[name].marks is None]
        name = self.name if self.name in same else min([plain, *others], key=len)
        return name + str(self).removeprefix(plain)

    @property
    def mark_words(self) -> MarkWords | None:
        """The words of its own in which the named game writes black and white marks, if any."""
        game = NAMED_GAMES.get(self.name)
        return None if game is None else game.marks

    @property
    def in_digits(self) -> bool:
        """Whether the codes of the named game are digits."""
        return self.name in NAMED_GAMES and NAMED_GAMES[self.name].digits

    @property
    def black(self) -> bool:
        """Whether only black marks are given."""
        return self.marks == "black"

    @property
    def placed(self) -> bool:
        """Whether a mark for every place is given."""
        return self.marks == "placed"

    @property
    def marking(self) -> Marking:
        """How guesses are marked."""
        return _marking(self, self.mark_words)

    @property
    def alphabet(self) -> Alphabet:
        """What codes are written in."""
        return _alphabet(self, self.in_digits)

    @property
    def about(self) -> tuple[Phrase, ...]:
        """What is to be said of the rules, one by one: `4 pegs`, `colors may repeat`."""
        told = (*self.alphabet.about, *self.marking.about)
        return (*told, Phrase("guesses must use the marks")) if self.hard else told

    @property
    def colors_apart(self) -> bool:
        """Whether the colors of each peg may be renamed on their own, as no mark compares pegs."""
        return self.black and not self.secrets_are_distinct

    @property
    def marked(self) -> bool:
        """Whether this is a game with a table of marks of its own, such as one in a file."""
        return self.words is not None and self.words.marked

    @property
    def n_questions(self) -> int:
        """Number of guesses that are questions, in a game that ends when the secret is known."""
        return 0 if self.words is None else self.words.n_questions

    @property
    def file_name(self) -> str:
        """Their text as the name of a file: signs that a path could not have are hyphens."""
        return re.sub(r"[^\w@,.×-]+", "-", str(self))

    @property
    def on_board(self) -> bool:
        """Whether this is Mastermind on a board: every code may be hidden, marks are counted."""
        return self.words is None and BOARD_MARKINGS[self.marks].by_kernels

    @property
    def secrets_are_distinct(self) -> bool:
        """Whether no secret repeats a color."""
        return self.distinct or self.distinct_secrets

    @property
    def n_secrets(self) -> int:
        """Number of codes that may be hidden."""
        if self.words is not None:
            return len(self.words.secrets)
        if self.secrets_are_distinct:
            return math.perm(self.colors, self.pegs)
        return int(self.colors**self.pegs)

    @property
    def n_guesses(self) -> int:
        """Number of codes that may be guessed."""
        if self.words is not None:
            return len(self.words.guesses)
        if not self.distinct:
            return int((self.colors + self.blank) ** self.pegs)
        return count_distinct(self.pegs, self.colors, blank=self.blank)


@lru_cache(maxsize=256)
def _marking(rules: Rules, words: MarkWords | None) -> Marking:
    if isinstance(rules.words, MarkedList):
        return TableMarks(rules.words)
    return BOARD_MARKINGS[rules.marks](str(rules), rules.pegs, words)


@lru_cache(maxsize=256)
def _alphabet(rules: Rules, in_digits: bool) -> Alphabet:
    if isinstance(rules.words, MarkedList):
        return Texts(rules.words)
    if rules.words is not None:
        return Letters(str(rules), rules.words)
    return Colors(
        str(rules),
        rules.pegs,
        rules.colors,
        distinct=rules.distinct,
        distinct_secrets=rules.secrets_are_distinct,
        blank=rules.blank,
        in_digits=in_digits,
    )


def _is_hard(flags: str, text: str) -> bool:
    """Whether the flags behind a game in a file, which has only one, ask for hard play."""
    named = [flag.strip().lower() for flag in flags.split(",") if flag.strip()]
    for flag in named:
        if flag != "hard":
            raise UnknownNameError.of(
                Phrase("flag in rules {text}:", text=quoted(text)), flag, ["hard"]
            )
    return bool(named)


def one_secret_only(game: object, n: object) -> RulesError:
    """The error of what takes one secret, where a game has several."""
    return RulesError(
        "{game}: several secrets at once are for the pages Play, Decode and Review, for play, "
        "solve, candidates and race with --secrets {n}, and for review",
        game=game,
        n=n,
    )


def _words(name: str, text: str) -> WordList:
    """The list that rules name, which are no board; errors as `Rules.parse`."""
    match = _LIST.fullmatch(name)
    if match is None:
        raise RulesError("cannot read rules {text}: {form}", text=quoted(text), form=_FORM)
    try:
        words = find_words(match[1], match[2] or "")
    except InputError as error:
        raise RulesError("rules {text}: {error}", text=quoted(text), error=error) from None
    if words is None and match[2]:
        raise RulesError(
            "rules {text}: there is no list {name}; add it: pegwise words add {name} FILE",
            text=quoted(text),
            name=match[1],
        )
    if words is None:
        raise UnknownNameError.of("rules", name, [*NAMED, "PEGSxCOLORS", *installed_words()])
    return words


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


def named_everywhere(rules: Rules) -> bool:
    """Whether every process reads these rules from their text, not only this one."""
    if rules.words is None:
        return True
    return names_game(str(rules.words)) if rules.marked else is_installed(rules.words)


def rules_title(rules: object) -> str:
    """Rules as people call them: `Wordle` for `sgb,placed`, a name, or their text."""
    if str(rules).removesuffix(_HARD) == NAMED["wordle"]:
        return "Wordle, hard" if str(rules).endswith(_HARD) else "Wordle"
    return rules.named if isinstance(rules, Rules) else str(rules)


def check_list(words: WordList) -> None:
    """Refuse what is no list of words."""
    if not isinstance(words, WordList):
        raise RulesError(
            "{words} is not a list of words: give what read_words or WordList.of returns",
            words=quoted(words),
        )


def as_rules(rules: Rules | str) -> Rules:
    """Rules as they are, or as they are written; RulesError for neither, or as `Rules.parse`."""
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
    return board_colors(rules).list_secrets()


def list_guesses(rules: Rules) -> U8:
    """All codes that may be guessed, uint8 (rules.n_guesses, rules.pegs), in numeric order.

    An empty hole is the largest sign. Errors as `list_secrets`.
    """
    check_listed(str(rules), rules.n_guesses)
    return board_colors(rules).list_guesses()


def board_colors(rules: Rules) -> Colors:
    """The colors of a board; RulesError for a list of words."""
    codes = rules.alphabet
    if not isinstance(codes, Colors):
        raise RulesError("{rules} is not a board", rules=rules)
    return codes


def board_pegs(rules: Rules) -> Pegs:
    """The marking of a board with black and white marks; RulesError for every other game."""
    marking = rules.marking
    if not rules.on_board or not isinstance(marking, Pegs):
        raise RulesError(
            "{rules} is not a board with black and white marks, which this needs", rules=rules
        )
    return marking
