"""Chances: of the codes that fit some turns, the share that have a color in a place.

Exact on boards of any size: a large board is not listed, but its codes are counted once more for
each place and color, as the codes that would mark a guess of that one peg black.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final

import numpy as np

from pegwise.arrays import I64
from pegwise.errors import CodeError, ContradictionError, InputError, check_whole, quoted
from pegwise.game import HOLE, Code, Game, Turn, Turns
from pegwise.game.rules import Rules, check_listed
from pegwise.hooks import Drawable
from pegwise.knowledge.candidates import MAX_STATES, candidate_set, listed_candidates
from pegwise.progress import Progress, Report, silent
from pegwise.reading import check_turns

_LISTED: Final = 2_000  # candidates of a large board that are listed, which is faster then
_SMALL: Final = 10_000  # codes of a board whose candidates are always listed


@dataclass(frozen=True, slots=True)
class Chances(Drawable):
    """How likely each color is in each place, after some turns.

    Attributes:
        game: the game.
        turns: the turns.
        count: how many codes fit.
        total: the sum of their weights; the same where all are alike.
        colors: the colors, or letters, as codes write them.
        counts: for each place, for each color: the weight of the codes that have it there.

    Examples:
        >>> chances = pegwise.Position("4x6", "AABB=XO").chances()
        >>> chances.share(1, "A")
        Fraction(1, 4)
    """

    game: Game
    turns: tuple[Turn, ...] = field(repr=False)
    count: int
    total: int
    colors: tuple[str, ...] = field(repr=False)
    counts: tuple[tuple[int, ...], ...] = field(repr=False)

    def share(self, place: int, color: str) -> Fraction:
        """The chance of a color, as codes write it, in a place, from 1.

        Raises:
            InputError: no place of the game. CodeError: no color of it.
        """
        check_whole("place", place, 1, len(self.counts))
        if color not in self.colors:
            raise CodeError(
                "{color} is not a color of {game}: {colors}",
                color=quoted(color),
                game=self.game,
                colors=", ".join(self.colors),
            )
        return Fraction(self.counts[place - 1][self.colors.index(color)], self.total)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each place and color, as `pandas.DataFrame(chances.rows())` takes them."""
        return [
            {"place": place, "color": color, "count": number, "share": number / self.total}
            for place, counts in enumerate(self.counts, 1)
            for color, number in zip(self.colors, counts, strict=True)
        ]

    def document(self) -> dict[str, Any]:
        """The share of each color, place by place."""
        return {
            "rules": self.game,
            "turns": self.turns,
            "count": self.count,
            "chances": [
                {
                    color: number / self.total
                    for color, number in zip(self.colors, counts, strict=True)
                }
                for counts in self.counts
            ],
        }


def chances(game: Game, turns: Turns = (), *, report: Report = silent) -> Chances:
    """How likely each color is in each place; each code that fits is as likely as its weight.

    Args:
        game: a board of any size, or a game of words; its weights count.
        turns: a guess and its mark each, or a text such as `AABB=XO`.
        report: receives the progress, on boards where it takes long.

    Raises:
        InputError: as `count`; or a game whose codes have no places.
        ContradictionError: no code fits.
        TooLargeError: as `count`.
    """
    played = tuple(check_turns(turns, game))
    if game.alphabet.typed or not game.alphabet.colors or not game.text:
        raise InputError("{game}: its codes have no places with colors or letters", game=game.name)
    rules = game.board
    if rules is not None and game.weights is None and rules.n_secrets > _SMALL:
        if not played:
            counts = [[rules.n_secrets // rules.colors] * rules.colors] * rules.pegs
            return _chances(game, played, rules.n_secrets, counts)
        fitting = candidate_set(game, played, report=report)
        if (number := fitting.count()) > _LISTED:
            return _chances(game, played, number, _one_by_one(rules, played, number, report))
        codes = fitting.first() if number else []
        return _chances(game, played, number, _counted(game, codes, np.ones(number, np.int64)))
    check_listed(game.name, game.n_secrets)
    secrets = listed_candidates(game, played)
    codes = list(map(game.secret, secrets.tolist()))
    counts = _counted(game, codes, game.frequencies()[secrets])
    return _chances(game, played, len(codes), counts)


def _chances(
    game: Game, turns: tuple[Turn, ...], count: int, counts: Sequence[Sequence[int]]
) -> Chances:
    total = sum(counts[0])
    if not total:
        raise ContradictionError("no code of {rules} fits these turns", rules=game.name)
    colors = tuple(game.alphabet.of([sign]).write() for sign in game.alphabet.signs)
    return Chances(game, turns, count, total, colors, tuple(map(tuple, counts)))


def _counted(game: Game, codes: Sequence[Code], weights: I64) -> list[list[int]]:
    """The weight of listed codes by place and color."""
    signs = np.array(codes, np.int64).reshape(len(codes), game.pegs)
    return [
        [int(weights[signs[:, place] == sign].sum()) for sign in game.alphabet.signs]
        for place in range(game.pegs)
    ]


def _one_by_one(
    rules: Rules, turns: Sequence[Turn], number: int, report: Report
) -> list[list[int]]:
    """How many codes of a large board fit by place and color, each counted for itself.

    Places that have the same colors in all guesses are alike, and so are the colors of no guess.
    """
    from pegwise.knowledge.counting import CandidateSet

    guesses = [turn.guess for turn in turns]
    columns = list(zip(*guesses, strict=True))
    in_guesses = sorted({color for guess in guesses for color in guess if color != HOLE})
    absent = rules.colors - len(in_guesses)
    # one color need not be counted: every code has one of them in the place
    asked = in_guesses if absent else in_guesses[:-1]
    places = {column: place for place, column in enumerate(columns)}
    by_column: dict[tuple[int, ...], list[int]] = {}
    for done, (column, place) in enumerate(places.items()):
        counts = [0] * rules.colors
        for color in asked:
            pegs = [HOLE] * rules.pegs
            pegs[place] = color
            parts = CandidateSet(rules, turns, Code(pegs), most=MAX_STATES).parts()
            counts[color] = sum(size for mark, size in parts.items() if mark.black)
        rest = number - sum(counts)
        for color in range(rules.colors):
            if color not in asked:
                counts[color] = rest // absent if absent else rest
        by_column[column] = counts
        report(Progress(done + 1, len(places), "places"))
    return [by_column[column] for column in columns]
