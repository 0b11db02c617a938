"""The game itself: rules, codes, marks, and any finite game of deduction."""

from pegwise.game.codes import HOLE, Code, Codes, check_code, list_guesses, list_secrets, parse_code
from pegwise.game.game import FiniteGame, Game, all_secrets
from pegwise.game.marks import Mark, check_mark, legal_marks, mark, nearest_marks, parse_mark
from pegwise.game.mastermind import GameLike, Mastermind, as_game, mastermind
from pegwise.game.record import (
    Played,
    Record,
    Turn,
    Turns,
    check_turns,
    parse_game,
    parse_record,
    parse_turn,
    read_record,
)
from pegwise.game.rules import NAMED, Rules, as_rules

__all__ = [
    "HOLE",
    "NAMED",
    "Code",
    "Codes",
    "FiniteGame",
    "Game",
    "GameLike",
    "Mark",
    "Mastermind",
    "Played",
    "Record",
    "Rules",
    "Turn",
    "Turns",
    "all_secrets",
    "as_game",
    "as_rules",
    "check_code",
    "check_mark",
    "check_turns",
    "legal_marks",
    "list_guesses",
    "list_secrets",
    "mark",
    "mastermind",
    "nearest_marks",
    "parse_code",
    "parse_game",
    "parse_mark",
    "parse_record",
    "parse_turn",
    "read_record",
]
