"""Slow twins of strategies that go by a listing: what their authors printed, in plain Python.

As in `tests/naive.py`, nothing of pegwise is imported here, and codes and marks are as there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from tests import naive

# sweep the colors, then discriminate (Forget)


def forget(
    pegs: int,
    colors: int,
    codes: Sequence[naive.Code],
    history: Sequence[tuple[naive.Code, naive.Mark]],
    lead: str,
    *,
    black_only: bool = False,
    weight: Callable[[naive.Code], int] = lambda _code: 1,
) -> naive.Code:
    """What Forget's decoder plays after a history, among the codes that may be hidden."""
    absent: set[int] = set()
    met: set[int] = set()
    total = 0
    for turn in range(len(history) + 1):
        present = [color for color in range(colors) if color not in absent]
        fresh = [color for color in present if color not in met]
        if turn and (not fresh or total >= pegs - 1):
            break
        if turn == len(history):
            return tuple((fresh + present * pegs)[:pegs])
        guess, answer = history[turn]
        met |= set(guess)
        total += sum(answer)
        if answer == (0, 0) and not black_only:
            absent |= set(guess)
    swept = [tuple((fresh[k:] + present * pegs)[:pegs]) for k in range(0, len(fresh), pegs)]
    candidates = naive.consistent(codes, history, black_only=black_only)
    then = {"entropy": "minimax", "minimax": "entropy"}[lead]

    def rank(guess: naive.Code) -> tuple[int, int]:
        def marking(guess: naive.Code, secret: naive.Code) -> naive.Mark:
            return naive.mark(guess, secret, black_only=black_only)

        sizes = naive.sizes_of(guess, candidates, marking, weight)
        return naive.CRITERIA[lead](sizes), naive.CRITERIA[then](sizes)

    return min([*candidates, *swept], key=rank)


# one color after the other, by the listings of Maréchal and Rastoix


class Solved(Exception):  # noqa: N818
    """The code is found."""


class Asking:
    """A codemaker who answers until the secret is guessed, and keeps what was asked."""

    def __init__(self, secret: Sequence[int]) -> None:
        self.secret = tuple(secret)
        self.turns: list[tuple[naive.Code, naive.Mark]] = []

    def __call__(self, guess: Sequence[int]) -> naive.Mark:
        answer = naive.mark(guess, self.secret)
        self.turns.append((tuple(guess), answer))
        if answer[0] == len(self.secret):
            raise Solved
        return answer


def color_by_color(
    secret: Sequence[int], colors: int, **reading: bool
) -> list[tuple[naive.Code, naive.Mark]]:
    """The turns of strategy 1 by listing 2; of strategy 3 by listing 3 with `look_ahead`.

    Other readings: `infer` an occurrence that has one place left, `restart` at the first hole,
    do not `repeat` a guess.
    """
    ask = Asking(secret)
    with suppress(Solved):
        _color_by_color(ask, len(secret), colors, **reading)
    return ask.turns


def _color_by_color(
    ask: Asking,
    pegs: int,
    colors: int,
    *,
    infer: bool = False,
    restart: bool = False,
    repeat: bool = True,
    look_ahead: bool = False,
) -> None:
    solution: list[int | None] = [None] * pegs

    def filled(color: int) -> list[int]:
        return [color if peg is None else peg for peg in solution]

    color, occurrences = 0, None
    while True:
        settled = sum(peg is not None for peg in solution)
        if occurrences is None:
            guess = filled(color)
            if ask.turns and not repeat and tuple(guess) == ask.turns[-1][0]:
                occurrences = ask.turns[-1][1][0] - settled
            else:
                occurrences = ask(guess)[0] - settled
        following, following_occurrences = color + 1, None
        hole = 0
        while occurrences > 0:
            while solution[hole] is not None:
                hole += 1
            right = False
            # where there is no color to fill the other holes with, this one fills them all
            if (infer or following == colors) and solution[hole:].count(None) == occurrences:
                right = True
            else:
                guess = filled(following)
                guess[hole] = color
                black, white = ask(guess)
                right = white == 0
                following_occurrences = black + white - settled - 1
                if look_ahead and following_occurrences == 0:
                    following, following_occurrences = following + 1, None
            if right:
                solution[hole] = color
                occurrences -= 1
                settled += 1
            hole = 0 if right and restart else hole + 1
        color = following
        occurrences = following_occurrences if look_ahead else None
