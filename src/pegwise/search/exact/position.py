"""Whether a set of candidates can be solved in a number of guesses, for any set of one game.

In Viaud's words: whether tau_k(E) = 1 (`search.tau`). His definition runs through every guess at
every turn; here the exact search answers, which remembers sets that are the same but for the
names of pegs and colors.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, Final

import numpy as np

from pegwise.arrays import I32, I64
from pegwise.errors import TooLargeError
from pegwise.game import Code, FiniteGame, Game, Mark, Turn, game_of
from pegwise.game.hard import is_searched
from pegwise.game.requirements import Requirements
from pegwise.knowledge import PositionValue, candidates, count
from pegwise.knowledge.candidates import listed_candidates
from pegwise.progress import run_until
from pegwise.search.exact.driver import SetSearch
from pegwise.search.exact.model import model_of, only_candidates
from pegwise.search.exact.optimal import OptimalSearch
from pegwise.search.exact.table import TranspositionTable, table_bits_for
from pegwise.search.plain import MAX_PAIRS_OF_KERNELS
from pegwise.search.theory.taus import reach

MAX_SECRETS: Final = 5_000  # games with more secrets are refused: one answer could take minutes
MAX_SECRETS_AT_START: Final = 2500


class Solvable:
    """Answers for the sets of one game, with one transposition table; threads may share it.

    Weights of the game do not matter.

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
        self._game = game
        self._model = model_of(game, with_weights=False).options(any_tree=True)
        self._search = SetSearch(self._model, TranspositionTable(table_bits_for(game.n_secrets)))
        self._lock = threading.Lock()

    def within(self, candidates: I32, guesses: int) -> bool:
        """Whether some strategy finds each of these secrets with at most `guesses` guesses."""
        n = len(candidates)
        if n <= guesses:
            return True
        if n > reach(self._model.board.n_marks, guesses):
            return False
        codes = self._model.secret_at[candidates].astype(np.int64)
        with self._lock:
            self._search.begin(codes, np.ones(n, np.int64), guesses)
            return self._search.finish() >= 0

    def within_after(self, candidates: I32, guess: int, guesses: int) -> bool:
        """Whether `guesses` guesses are enough after this one, whatever its mark."""
        marks = self._game.marks(guess, candidates)
        sizes = np.bincount(marks, minlength=self._game.n_marks)
        sizes[self._game.winning] = 0
        # a part that cannot be solved is most often a large one
        return all(
            self.within(candidates[marks == mark], guesses)
            for mark in np.argsort(-sizes, kind="stable").tolist()
            if sizes[mark] > guesses
        )

    @property
    def positions(self) -> int:
        """Sets entered so far."""
        return self._search.positions

    def order(self, candidates: I32, least: int = 0) -> int:
        """The fewest guesses, from `least`, that always find the secret."""
        guesses = least
        while not self.within(candidates, guesses):
            guesses += 1
        return guesses


@lru_cache(maxsize=4)
def solvable(game: Game) -> Solvable:
    """The answers for a game, shared between callers; errors are those of `Solvable`."""
    return Solvable(game)


# the value of a position


def check_solved(game: Game) -> None:
    """Refuse a game whose positions are not solved exactly, by TooLargeError."""
    if not game.text or game.weights is not None or game.n_secrets > MAX_SECRETS_AT_START:
        raise _unsolved(game)


def _unsolved(game: Game) -> TooLargeError:
    return TooLargeError(
        "reward 'regret': positions of {game} are not solved exactly; use another reward",
        game=game.name,
    )


def regret(game: Game, history: Sequence[tuple[Code, Mark]], guess: Code) -> float:
    """The guesses by which a guess exceeds best play, on average over the codes that fit.

    TooLargeError: the position is not solved exactly.
    """
    value = position_value(game, history, guess)
    if value is None or value.played is None:
        raise _unsolved(game)
    return (value.played - value.total) / count(game, history)


def position_value(
    game: Game,
    history: Sequence[tuple[Code, Mark]],
    guess: Code | None = None,
    *,
    guesses: str = "all",
    seconds: float = math.inf,
    positions: float = math.inf,
) -> PositionValue | None:
    """The exact value of a position, which some code fits, and of a guess in it.

    At the start the symmetries of the board are used. After some turns the candidates are few, and
    a game of their own with all guesses of the board.

    Args:
        game: what is played.
        history: the turns so far.
        guess: the guess that is asked about, if any.
        guesses: `all`, or only `candidates`, from here to the end; these only at the start.
        seconds: how long it may take; kernels that are compiled first do not count.
        positions: how many sets each of its two searches may enter.

    Returns:
        None where the position is too large, or takes more, and for hard rules that are not
        searched.

    Raises:
        CodeError, MarkError, InputError: a guess, a mark or a set of guesses that is not allowed.
    """
    if seconds < math.inf:
        load_kernels()
    end = time.monotonic() + seconds
    if not is_searched(game):
        return None
    rest = _game_after(game, history)
    if rest is None or (history and guesses == "candidates" and game.free):
        return None
    guesses = "candidates" if only_candidates(game, guesses) else guesses
    game = rest
    best = _best_play(game, None, guesses, end, positions)
    if best is None:
        return None
    total, root = best
    if guess is None:
        return PositionValue(root, total, None)
    if isinstance(game, _RestOfGame) and not game.has(guess):
        return PositionValue(root, total, None)
    number = game.guess_number(guess)
    if guesses == "candidates" and game.secret_of_guess[number] < 0:
        return PositionValue(root, total, None)
    if number == game.guess_number(root):
        return PositionValue(root, total, total)
    if game.requirements is None and len(np.unique(game.marks(number))) == 1:
        return PositionValue(root, total, total + game.n_secrets)  # the guess tells nothing
    played = _best_play(game, number, guesses, end, positions)
    return None if played is None else PositionValue(root, total, played[0])


@cache
def load_kernels() -> None:
    """Search small positions, so that to compile or load kernels is no time of a search."""
    game, guess = game_of("3x4"), Code([0, 0, 1])
    position_value(game, (), guess)
    position_value(game, (Turn(guess, Mark(1)),), Code([0, 2, 2]))


def _game_after(game: Game, history: Sequence[tuple[Code, Mark]]) -> Game | None:
    """The game that remains to be played; None if it is too large."""
    if not history:
        return game if game.n_secrets <= MAX_SECRETS_AT_START else None
    if len(_allowed(game, history)) * count(game, history) > MAX_PAIRS_OF_KERNELS:
        return None
    return game_after(game, history)


def _allowed(game: Game, history: Sequence[tuple[Any, Any]]) -> I64:
    """The numbers of the guesses that turns allow where every place is marked, else of all."""
    turns = [(game.guess_number(guess), game.mark_number(mark)) for guess, mark in history]
    allowed = None if game.requirements is None else game.allowed(turns)
    return np.arange(game.n_guesses) if allowed is None else np.flatnonzero(allowed)


class _RestOfGame(FiniteGame):
    """What remains of a game after turns that limit the guesses: those allowed, and their limits.

    Its marks are the numbers of those of the game.
    """

    def __init__(
        self,
        required: Requirements,
        numbers: I64,
        secrets: list[Any],
        rows: Any,
        guesses: list[Any],
    ) -> None:
        super().__init__(secrets, rows, guesses)
        marks = [self.mark(number) for number in range(self.n_marks)]
        places = required.places[marks]
        self._requirements = Requirements(
            required.signs[numbers], places, required.colors, required.met[numbers]
        )

    @property
    def requirements(self) -> Requirements:
        return self._requirements

    def has(self, guess: Any) -> bool:
        """Whether a guess is allowed."""
        return guess in self._guess_numbers


def game_after(game: Game, history: Sequence[tuple[Any, Any]]) -> FiniteGame:
    """The game of the secrets that fit some turns, with all guesses; those that can win first."""
    secrets = candidates(game, history)
    name = f"{game.name} after {len(history)} turns"
    if game.n_open_guesses < game.n_guesses:
        fitting = listed_candidates(game, history)
        asked = [game.guess(number) for number in range(game.n_open_guesses)]
        questions: Any = [game.marks(number, fitting) for number in range(game.n_open_guesses)]
        return FiniteGame(secrets, questions, asked, name=name, ends="known")
    numbers: I32 = game.secret_of_guess[[game.guess_number(code) for code in secrets]]
    listed = set(secrets)
    every = map(game.guess, _allowed(game, history).tolist())
    guesses: list[Any] = [*secrets, *(code for code in every if code not in listed)]
    played = np.array([game.guess_number(code) for code in guesses])
    rows: Any = [game.marks(number, numbers) for number in played.tolist()]
    if game.requirements is not None:
        return _RestOfGame(game.requirements, played, secrets, rows, guesses)
    return FiniteGame(secrets, rows, guesses, name=name)


def _best_play(
    game: Game, first: int | None, guesses: str, end: float, positions: float
) -> tuple[int, Code] | None:
    """Total and first guess of a best tree, after any first guess; None out of time or sets."""
    search = OptimalSearch(game, first=first, guesses=guesses)
    if run_until(search.run, lambda step: time.monotonic() > end or step.positions > positions):
        return None
    tree = search.result().best
    return None if tree is None else (tree.total, game.guess(int(tree.nodes.guess[0])))
