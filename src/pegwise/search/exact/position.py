"""Whether a set of candidates can be solved in so many guesses, for any set of one game.

In Viaud's words: whether tau_k(E) = 1 (`search.tau`). His definition runs through every guess at
every turn; here the exact search answers, which remembers sets that are the same but for the
names of pegs and colors.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

import numpy as np

from pegwise.arrays import I32
from pegwise.errors import TooLargeError
from pegwise.game import Code, FiniteGame, Game, Mark, Rules, Turn, mastermind
from pegwise.kernels.exact.board import Work, new_work
from pegwise.kernels.exact.bounds import INFINITE, build_bounds
from pegwise.kernels.exact.search import CLAIMS, RUNNING, TOO_DEEP, advance, begin
from pegwise.kernels.exact.table import new_table
from pegwise.knowledge import candidates, count
from pegwise.search.exact.model import make_board
from pegwise.search.exact.optimal import OptimalSearch

MAX_SECRETS = 5_000
"""Games with more secrets are left alone: one answer could take minutes."""

_STEP = 1 << 20


def reach(marks: int, guesses: int) -> int:
    """Most codes that so many guesses can tell apart and announce: Viaud's (11).

    1 + pi + ... + pi ** (guesses - 1), where pi is the number of marks but for the winning one.
    """
    return sum((marks - 1) ** turn for turn in range(guesses))


class Solvable:
    """Answers for the sets of one game, and what is remembered between them.

    It may be asked from several threads.

    Args:
        game: what is played; its weights do not matter.

    Raises:
        TooLargeError: more than `MAX_SECRETS` secrets, or a game too large for exact search.
    """

    def __init__(self, game: Game) -> None:
        if game.n_secrets > MAX_SECRETS:
            raise TooLargeError(
                "{game} has {secrets:,} secrets, too many to find the smallest worst case of "
                "every set (at most {most:,})",
                game=game.name,
                secrets=game.n_secrets,
                most=MAX_SECRETS,
            )
        board, self._translation = make_board(game, None, any_tree=True)
        self._board = board
        self._bounds = build_bounds(game.n_marks, game.n_secrets)
        self._table = new_table(16 if game.n_secrets < 1500 else 20)
        self._marks = game.n_marks
        self._work = self._new_work(24)
        self._lock = threading.Lock()

    def within(self, candidates: I32, guesses: int) -> bool:
        """Whether some strategy finds every one of these secrets with at most so many guesses.

        Args:
            candidates: int32 (n), secrets by number, each once.
            guesses: any whole number.
        """
        n = len(candidates)
        if n <= guesses:
            return True
        if n > reach(self._marks, guesses):
            return False
        with self._lock:
            return self._search(candidates, guesses)

    def order(self, candidates: I32, least: int = 0) -> int:
        """The fewest guesses that always find the secret: the least q with tau_q(E) = 1.

        Args:
            candidates: int32 (n), secrets by number, each once.
            least: a number known to be no larger than the answer.
        """
        guesses = least
        while not self.within(candidates, guesses):
            guesses += 1
        return guesses

    def _new_work(self, depths: int) -> Work:
        return new_work(self._board, depths, np.zeros((1, CLAIMS), np.uint64), 0)

    def _search(self, candidates: I32, guesses: int) -> bool:
        codes = self._translation.secret_at[candidates].astype(np.int64)
        weights = np.ones(len(codes), np.int64)
        while True:
            begin(self._board, self._work, codes, weights, INFINITE, guesses)
            status = RUNNING
            while status == RUNNING:
                status = advance(self._board, self._bounds, self._table, self._work, _STEP)
            if status != TOO_DEEP:
                return bool(self._work.frames["guess"][0] >= 0)
            self._work = self._new_work(2 * len(self._work.frames))


@lru_cache(maxsize=4)
def solvable(game: Game) -> Solvable:
    """The answers for a game, shared between callers.

    Raises:
        TooLargeError: as `Solvable`.
    """
    return Solvable(game)


# The exact value of a position of a game: the fewest guesses that it still needs on average.
#
# At the start the symmetries of the board are used. After some turns the candidates are few, and a
# game of their own with all guesses of the board.

_MAX_PAIRS: Final = 1_000_000
"""Marks of a position that are worked out; more of them are not searched within seconds."""

_MAX_SECRETS: Final = 4096


@dataclass(frozen=True, slots=True)
class PositionValue:
    """What a position needs.

    Attributes:
        guess: a best guess.
        total: guesses for all candidates together from here on, by best play.
        played: the same if the guess that was asked about is played first; None if it is not one
            of the guesses allowed, or none was asked about.
    """

    guess: Code
    total: int
    played: int | None


def position_value(
    rules: Rules,
    history: Sequence[tuple[Code, Mark]],
    guess: Code | None = None,
    *,
    guesses: str = "all",
    seconds: float = math.inf,
) -> PositionValue | None:
    """The exact value of a position, and of a guess in it.

    Args:
        rules: the board.
        history: the turns so far, which some code fits.
        guess: the guess that is asked about, if any.
        guesses: `all`, or only `candidates`, from here to the end; these only at the start.
        seconds: how long it may take; kernels that are compiled first do not count.

    Returns:
        None where the position is too large, or takes longer.

    Raises:
        CodeError, MarkError: a guess or a mark that the rules do not allow.
        InputError: other guesses.
    """
    if seconds < math.inf:
        _compile()
    end = time.monotonic() + seconds
    game = _game(rules, history)
    if game is None or (history and guesses == "candidates"):
        return None
    best = _search(game, None, guesses, end)
    if best is None:
        return None
    total, root = best
    if guess is None:
        return PositionValue(root, total, None)
    number = game.guess_number(guess)
    if guesses == "candidates" and game.secret_of_guess[number] < 0:
        return PositionValue(root, total, None)
    if number != game.guess_number(root) and len(np.unique(game.marks(number))) == 1:
        return PositionValue(root, total, total + game.n_secrets)  # it tells nothing
    played = _search(game, number, guesses, end)
    return None if played is None else PositionValue(root, total, played[0])


def timed_solver(
    seconds: float,
) -> Callable[[Rules, Sequence[Turn], Code, str], PositionValue | None]:
    """A solver for the coach: `position_value` for as many positions as there is time for.

    Args:
        seconds: for all positions together; kernels that are compiled first do not count.
    """
    _compile()
    end = time.monotonic() + seconds

    def known(
        rules: Rules, history: Sequence[Turn], guess: Code, guesses: str
    ) -> PositionValue | None:
        left = end - time.monotonic()
        if left <= 0:
            return None
        return position_value(rules, history, guess, guesses=guesses, seconds=left)

    return known


@cache
def _compile() -> None:
    """Search small positions, so that no clock counts what is done once on a machine."""
    rules, guess = Rules(3, 4), Code([0, 0, 1])
    position_value(rules, (), guess)
    position_value(rules, (Turn(guess, Mark(1)),), Code([0, 2, 2]))


def _game(rules: Rules, history: Sequence[tuple[Code, Mark]]) -> Game | None:
    """The game that is left to play; None if it is too large."""
    board = mastermind(rules)
    if not history:
        return board if rules.n_secrets <= _MAX_SECRETS else None
    if rules.n_guesses * count(rules, history) > _MAX_PAIRS:
        return None
    left = candidates(rules, history)
    secrets: I32 = board.secret_of_guess[[board.guess_number(code) for code in left]]
    possible = set(left)
    codes = map(Code, board.guess_codes.tolist())
    everyone: list[Any] = [*left, *(code for code in codes if code not in possible)]
    rows: Any = [board.marks(board.guess_number(code), secrets) for code in everyone]
    return FiniteGame(left, rows, everyone, name=f"{rules} after {len(history)} turns")


def _search(game: Game, first: int | None, guesses: str, end: float) -> tuple[int, Code] | None:
    """Total and first guess of a best tree, given its first guess or not; None out of time."""
    search = OptimalSearch(game, first=first, guesses=guesses)
    for _ in search:
        if time.monotonic() > end:
            return None
    tree = search.result().tree
    return None if tree is None else (tree.total, Code(game.guess(int(tree.nodes.guess[0]))))
