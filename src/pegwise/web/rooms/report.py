"""What a round has shown: guesses above best play, first guesses, and what strategies need."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from pydantic import BaseModel

from pegwise.errors import PegwiseError
from pegwise.game import Record, Rules, Turn, parse_code, parse_mark
from pegwise.web.inputs import history_text
from pegwise.web.rooms.play import RoomGame, RoomResults

_SEARCHING: Final = 2.0  # seconds for what best play needs in the positions of one game
STRATEGIES: Final = ("knuth", "entropy", "optimal")


class GameCost(BaseModel):
    """What the guesses of a game cost against best play: in guesses, else in bits.

    `first` is how many bits the first guess could be expected to tell. Null is not known.
    """

    above: float | None = None
    unit: str | None = None
    first: float | None = None


class RoomReport(BaseModel):
    """The report on a round: costs by the number of the pupil, and guesses that strategies need.

    `needed` has for each code the number of guesses by strategy.
    """

    complete: bool = False
    costs: dict[int, GameCost] = {}
    needed: dict[str, dict[str, int]] = {}


# What a process computes.


def game_cost(rules: Rules, game: RoomGame) -> GameCost:
    """What the guesses of a game cost."""
    from pegwise.coach import review
    from pegwise.search.exact import timed_solver

    record = Record.of_turns(rules, _turns(rules, game), parse_code(game.secret or "", rules))
    try:
        reviewed = review(record, solver=timed_solver(_SEARCHING))
    except PegwiseError:
        return GameCost()  # too large
    first = reviewed.turns[0].played.bits if reviewed.turns else None
    if "bits" in reviewed.costs:  # not all of it is known in guesses
        return GameCost(above=reviewed.cost, unit="bits", first=first)
    unit = next(iter(reviewed.costs), None)
    return GameCost(above=reviewed.costs[unit] if unit else None, unit=unit, first=first)


def guesses_needed(rules: Rules, secret: str) -> dict[str, int]:
    """How many guesses strategies need for a code, of those that play it at once."""
    from pegwise.game import mastermind
    from pegwise.strategies import is_slow, load
    from pegwise.trees import play

    game, needed = mastermind(rules), {}
    for name in STRATEGIES:
        strategy = load(name)
        with suppress(PegwiseError):
            if not is_slow(strategy, game):
                needed[name] = len(play(strategy, game, parse_code(secret, rules)))
    return needed


def _turns(rules: Rules, game: RoomGame) -> tuple[Turn, ...]:
    return tuple(
        Turn(parse_code(turn.guess, rules), parse_mark(turn.mark, rules)) for turn in game.turns
    )


# The file.


def as_csv(rules: Rules, rounds: Sequence[tuple[RoomResults, RoomReport]]) -> str:
    """All rounds as comma-separated values, a game a line."""
    text = io.StringIO()
    writer = csv.writer(text)
    names = "round name guesses solved above unit code turns"
    writer.writerow(names.split())
    for results, report in rounds:
        for game in results.games:
            cost = report.costs.get(game.number, GameCost())
            above = "" if cost.above is None else f"{cost.above:.4f}"
            if results.puzzles:
                turns = ",".join(f"{turn.guess}:{turn.mark}" for turn in game.turns)
            else:
                turns = history_text(_turns(rules, game))
            # a spreadsheet takes what begins with such a sign for a formula
            name = f"'{game.name}" if game.name[0] in "=+-@" else game.name
            solved = [results.round, name, len(game.turns), game.solved]
            writer.writerow([*solved, above, cost.unit, game.secret, turns])
    return text.getvalue()
