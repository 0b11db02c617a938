"""The game of whatever names it: a text, rules, a list of words, or a game as it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from pegwise.arrays import I64
from pegwise.errors import InputError, Phrase, RulesError, UnknownNameError, quoted
from pegwise.game.codes import Code
from pegwise.game.finite import TableGame
from pegwise.game.game import Game
from pegwise.game.listed import ListedBoard, WordGame
from pegwise.game.mastermind import board_game
from pegwise.game.named import NAMED
from pegwise.game.parallel import Parallel
from pegwise.game.resolvers import game_named
from pegwise.game.rules import FORM, MARKS, Rules, one_marking, read_flags, split_rules
from pegwise.game.table import TextTable
from pegwise.game.words import WordList, find_words, installed_words

SEVERAL = re.compile(r"(.+)\*\s*([0-9]{1,9})\s*", re.DOTALL)
"""A game with the number of secrets that are sought at once, as in `wordle*4`."""

_LIST: Final = re.compile(r"([a-z][a-z0-9_-]*)(?:@([0-9a-f]{8}))?")

GameLike = Game | Rules | str
"""Values that `game_of` makes a game of."""


def game_of(game: GameLike, weights: Sequence[int] | I64 | None = None) -> Game:
    """A game as it is, or the game of a text (`4x6`, `wordle`), or of the rules of a board.

    The game of a text is shared between callers, unless its secrets have weights.

    InputError: none of these, or weights for a game that has its own. RulesError: the text is
    malformed or the rules are not possible. UnknownNameError: a flag or a name that does not exist.

    Examples:
        >>> pegwise.game_of("4x10,distinct").n_secrets
        5040
    """
    if isinstance(game, str):
        game = _of_text(game)
    elif isinstance(game, Rules):
        game = _of_rules(game)
    if isinstance(game, Parallel):
        raise one_secret_only(game)
    if not isinstance(game, Game):
        raise InputError(
            "{value} is not a game: give rules such as 4x6, or a FiniteGame", value=quoted(game)
        )
    return game if weights is None else game.weighted(weights)


def parse_code(text: str, game: GameLike, *, secret: bool = False) -> Code:
    """Read a code of a game, as `Alphabet.read` of its alphabet; errors too.

    Examples:
        >>> pegwise.parse_code("1122", "4x6")
        Code('AABB')
        >>> print(pegwise.parse_code("ABCD", "4x6").write("digits"))
        1234
    """
    return game_of(game).alphabet.read(text, secret=secret)


def parallel(game: GameLike, n: int) -> Parallel:
    """A game in which `n` distinct secrets of a game are sought at once; errors as `Parallel`.

    As text it is the rules and the number: `wordle*4`.

    Examples:
        >>> game = pegwise.parallel("4x6", 2)
        >>> len(pegwise.play(game, "knuth", ["ABCD", "AAEF"]))
        6
    """
    return Parallel(game_of(game), n)


def as_parallel(game: object) -> Parallel | None:
    """The game with several secrets, also from a text such as `wordle*4`; None for any other."""
    if isinstance(game, str) and (several := SEVERAL.fullmatch(game)):
        return parallel(several[1], int(several[2]))
    return game if isinstance(game, Parallel) else None


def one_secret_only(game: object) -> RulesError:
    """The error of what takes one secret, where a game has several."""
    return RulesError(
        "{game}: several secrets at once are for the pages Play, Decode and Review, and for the "
        "commands play, solve, candidates, race and review",
        game=game,
    )


def _of_text(text: str) -> Game:
    if several := SEVERAL.fullmatch(text):
        _of_text(several[1].strip())  # refuses rules that are none
        raise one_secret_only(text)
    head, flags = split_rules(text)
    if (rules := Rules.of_board(text, head, flags)) is not None:
        return _of_rules(rules)
    if (named := game_named(text)) is not None:
        return _table(named[0], _is_hard(named[1], text))
    base, *own_flags = NAMED.get(head, head).split(",")
    words = _words(base, text)
    called = head if head in NAMED and set(flags) <= {"hard"} else ""
    try:
        return flagged_words(words, own_flags + flags, text, called=called)
    except RulesError as error:
        raise RulesError("rules {text}: {error}", text=quoted(text), error=error) from None


def _of_rules(rules: Rules) -> Game:
    if rules.on_board:
        return board_game(rules)
    return _listed_board(rules, rules.name)


def _words(name: str, text: str) -> WordList:
    """The list that a text names, which is no board; errors as `game_of`."""
    match = _LIST.fullmatch(name)
    if match is None:
        raise RulesError("cannot read rules {text}: {form}", text=quoted(text), form=FORM)
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


def _is_hard(flags: str, text: str) -> bool:
    """Whether the flags behind a game in a file, which has only one, ask for hard play."""
    named = [flag.strip().lower() for flag in flags.split(",") if flag.strip()]
    for flag in named:
        if flag != "hard":
            raise UnknownNameError.of(
                Phrase("flag in rules {text}:", text=quoted(text)), flag, ["hard"]
            )
    return bool(named)


# each game keeps the name by which it was called


@lru_cache(maxsize=4)
def _listed_board(rules: Rules, _name: str) -> ListedBoard:
    return ListedBoard(rules)


@lru_cache(maxsize=4)
def word_game(
    words: WordList, marks: str = "", *, hard: bool = False, called: str = ""
) -> WordGame:
    """The game on a list of words, shared between callers; see `WordGame`."""
    return WordGame(words, marks, hard=hard, called=called)


def flagged_words(words: WordList, flags: list[str], text: str, *, called: str = "") -> WordGame:
    """The game on a list of words with the flags of a text of rules.

    UnknownNameError, RulesError: flags that do not exist, or not together.
    """
    options, marks = read_flags(text, flags, (*MARKS, "hard"))
    return word_game(words, one_marking(marks), called=called, **options)


@lru_cache(maxsize=4)
def _table(codes: TextTable, hard: bool) -> TableGame:
    return TableGame(codes, hard=hard)
