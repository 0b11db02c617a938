"""Goals that come before the smallest total: what a secret costs by the number of its guesses."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import lcm
from pathlib import Path
from typing import Final

import numpy as np

from pegwise.arrays import I32, I64
from pegwise.errors import InputError, TooLargeError
from pegwise.game import Game
from pegwise.paths import read_text
from pegwise.trees import Tree

_MOST_WORTHS: Final = 1000  # lines of such a file
_LARGEST_FILE: Final = 1 << 16  # bytes of it

# Goals that come before the smallest total: what a secret costs by the number of its guesses.
#
# A cost that does not fall is a sum of steps. A secret pays the steps of the first, second, ...
# guess up to the one that finds it. The search adds the total, so that of equal trees the one of
# smallest total is best; but not where secrets have costs of their own: that takes several times
# as long.


@dataclass(frozen=True, eq=False)
class Goal:
    """A cost that a search makes smallest.

    Attributes:
        name: the objective in a word that tells goals apart.
        steps: int64 (classes, turns): what a secret adds that is not found before the first,
            second, ... guess; the last column holds for all later guesses.
        figures: what a tree reaches, in names and numbers.
        classes: int64 (n_secrets), the row of each secret; None when there is one row.
        offset: is added to the cost of all secrets where users see it.
    """

    name: str
    steps: I64
    figures: Callable[[Tree], dict[str, int | float]]
    classes: I64 | None = None
    offset: int = 0


def within(game: Game, guesses: int) -> Goal:
    """The goal of finding as many secrets as possible within `guesses` guesses."""
    weights = game.frequencies()

    def figures(tree: Tree) -> dict[str, int | float]:
        return {"within": guesses, "found": int(weights[tree.depths <= guesses].sum())}

    return Goal(f"within:{guesses}", np.array([[0] * guesses + [1, 0]], np.int64), figures)


def utility(game: Game, worths: Sequence[Fraction]) -> Goal:
    """The largest sum of what 1, 2, ... guesses are worth; the last number holds for more."""
    if not worths or any(after > before for before, after in pairwise(worths)):
        raise InputError("more guesses cannot be worth more: write numbers that do not grow")
    weights, unit = game.frequencies(), lcm(*(worth.denominator for worth in worths))
    whole = [int(worth * unit) for worth in worths]

    def figures(tree: Tree) -> dict[str, int | float]:
        reached = np.array(whole, object)[np.minimum(tree.depths, len(whole)) - 1]
        worth = Fraction(int(reached @ weights), unit)
        return {"worth": worth.numerator if worth.denominator == 1 else float(worth)}

    drops = [before - after for before, after in pairwise(whole)]
    if max([0, *drops]) >= 1 << 40:
        raise TooLargeError("{game}: such costs are too large to add up", game=game.name)
    name = "utility:" + ",".join(map(str, worths))
    return Goal(name, np.array([[0, *drops, 0]], np.int64), figures)


def against(game: Game, depths: I32) -> Goal:
    """Most wins minus losses against a player who needs `depths` guesses for the secrets."""
    if not depths.all():
        raise InputError("the tree does not find every secret of {game}", game=game.name)
    kinds, classes = np.unique(depths, return_inverse=True)
    steps = np.zeros((len(kinds), int(kinds[-1]) + 2), np.int64)
    rows, weights = np.arange(len(kinds)), game.frequencies()
    steps[rows, kinds - 1] = steps[rows, kinds] = 1

    def figures(tree: Tree) -> dict[str, int | float]:
        lead = np.sign(depths - tree.depths)
        wins, ties, losses = (int(weights[lead == sign].sum()) for sign in (1, 0, -1))
        return {"wins": wins, "ties": ties, "losses": losses}

    digest = hashlib.sha256(depths.astype(np.int32).tobytes()).hexdigest()[:16]
    classes = classes.reshape(-1).astype(np.int64)
    return Goal(f"against:{digest}", steps, figures, classes, -int(weights.sum()))


def read_worths(path: Path) -> list[Fraction]:
    """Read what 1, 2, ... guesses are worth: a number a line; `#` begins a comment.

    Raises:
        DataFileError: the file cannot be read.
        InputError: a line that is no number, or a number larger than the one before.
    """
    worths: list[Fraction] = []
    for number, line in enumerate(read_text(path, _LARGEST_FILE).splitlines(), 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        where = {"path": repr(str(path)), "number": number, "text": repr(text[:40])}
        try:
            if len(text) > 20 or "/" in text or "_" in text or "e" in text.lower():
                raise ValueError
            worths.append(Fraction(text))
        except ValueError:
            raise InputError(
                "{path}, line {number}: {text} is not a number; write one such as 10 or 0.5",
                **where,
            ) from None
        if len(worths) > 1 and worths[-1] > worths[-2]:
            raise InputError(
                "{path}, line {number}: {text} is more than the number before; more guesses "
                "cannot be worth more",
                **where,
            )
    if not 1 <= len(worths) <= _MOST_WORTHS:
        raise InputError(
            "{path}: write what 1, 2, ... guesses are worth, a number a line, at most {most} lines",
            path=repr(str(path)),
            most=_MOST_WORTHS,
        )
    return worths
