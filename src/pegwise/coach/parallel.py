"""Positions of games with several secrets: what guesses tell of all of them, and reviews."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from pegwise.errors import ContradictionError, InputError, Phrase, quoted
from pegwise.game import Code, Mark, Parallel, Turn, check_code
from pegwise.game.turns import Turns
from pegwise.knowledge.candidates import board_candidates
from pegwise.playing import Play, Record
from pegwise.progress import Progress, Report, silent
from pegwise.strategies import Strategy
from pegwise.strategies.base import Decision
from pegwise.strategies.criteria import CRITERIA, GuessOrder, check_criterion
from pegwise.strategies.parallel import ParallelDecision, ParallelOrder

_NEGLIGIBLE = 1e-9


@dataclass(frozen=True, slots=True)
class ParallelSplit:
    """How a guess splits the candidates of each board.

    Attributes:
        guess: the guess.
        boards: for each board that is hidden, how many candidates would give each mark.
        possible: the boards, from 1, whose secret it may be.
    """

    guess: Code
    boards: tuple[tuple[tuple[Mark, int], ...], ...]
    possible: tuple[int, ...]

    @property
    def bits(self) -> float:
        """Expected information in bits, of all boards together."""
        return math.fsum(
            size / n * math.log2(n / size) for parts, n in self._sized() for _, size in parts
        )

    @property
    def expected(self) -> Fraction:
        """Expected number of ways to choose a candidate for each board, after the marks."""
        squares = (Fraction(sum(size * size for _, size in parts), n) for parts, n in self._sized())
        return math.prod(squares, start=Fraction(1))

    @property
    def largest(self) -> int:
        """The largest number of such ways after the marks."""
        return math.prod(max(size for _, size in parts) for parts in self.boards)

    @property
    def n_parts(self) -> int:
        """Number of different marks of all boards together."""
        return math.prod(map(len, self.boards))

    def score(self, criterion: str) -> float:
        """The score by a criterion of the one-step strategies; less is better."""
        scores: dict[str, float] = {
            "minimax": self.largest,
            "size": float(self.expected),
            "entropy": -self.bits,
            "parts": -self.n_parts,
        }
        return scores[criterion]

    def _sized(self) -> list[tuple[tuple[tuple[Mark, int], ...], int]]:
        return [(parts, sum(size for _, size in parts)) for parts in self.boards]


class ParallelPosition:
    """A position of a game with several secrets.

    The game also as it is written (`wordle*4`), likewise the turns so far. InputError: no game with
    several secrets, or no turns that it allows.
    """

    def __init__(self, game: Play | Parallel | str, history: Turns = ()) -> None:
        self.play = game if isinstance(game, Play) else Play.of(game, history)
        several = self.play.several
        if several is None:
            raise InputError(
                "{game} has one secret: give a game such as wordle*4", game=quoted(game)
            )
        self.game, self.history = several, self.play.turns

    def __repr__(self) -> str:
        return f"ParallelPosition({str(self.game)!r}, {[str(turn) for turn in self.history]})"

    @cached_property
    def candidates(self) -> list[list[Any]]:
        """The secrets that each board may have."""
        secret = self.game.game.secret
        boards = board_candidates(self.play)
        return [list(map(secret, board.tolist())) for board in boards]

    @cached_property
    def counts(self) -> list[int]:
        """How many candidates each board has; 1 for a solved one."""
        return list(map(len, board_candidates(self.play)))

    def split(self, guess: Any) -> ParallelSplit:
        """How a guess splits the candidates of the hidden boards; CodeError if it is none."""
        own = self.game.game
        code = check_code(guess, self.game.rules)
        number = own.guess_number(code)
        boards, possible = [], []
        listed = board_candidates(self.play)
        for board in self.play.hidden:
            marks, sizes = np.unique(own.marks(number, listed[board]), return_counts=True)
            pairs = zip(map(own.mark, marks.tolist()), sizes.tolist(), strict=True)
            boards.append(tuple(pairs))
            if own.winning in marks:
                possible.append(board + 1)
        return ParallelSplit(code, tuple(boards), tuple(possible))

    def best(
        self, criterion: str = "entropy", guesses: str = "all", count: int = 10
    ) -> list[ParallelSplit]:
        """The `count` best guesses; arguments and errors as `rank`."""
        if not self.play.hidden:
            raise ContradictionError("all secrets of {game} are found", game=self.game.name)
        check_criterion(criterion, guesses)
        order = GuessOrder(CRITERIA[criterion], None, guesses == "candidates")
        decision = ParallelDecision.begin(
            self.game, ParallelOrder(order, self.game.game.weights)
        ).after_turns(self.history)
        numbers = decision.best_first(count).tolist()
        if count and decision.known is not None:  # which is played at once
            numbers = [decision.known, *(n for n in numbers if n != decision.known)][:count]
        return [self.split(self.game.game.guess(number)) for number in numbers]


def decision_after(strategy: Strategy, game: Parallel, turns: Sequence[Turn]) -> Decision:
    """The state of a strategy after turns, its own or not; errors as `begin_parallel`."""
    decision = strategy.begin_parallel(game)
    for guess, marks in turns:
        decision = decision.instead(guess, marks) or decision.after(marks)
    return decision


@dataclass(frozen=True, slots=True, kw_only=True)
class ParallelTurnReview:
    """A turn of a game with several secrets.

    Attributes:
        number: number of the turn, from 1.
        turn: the guess with its marks.
        before: candidates of each board before it; 1 for a solved one.
        after: the same after its marks.
        played: how the guess splits them.
        best: how the best guess by one look ahead does; `played` where none is better.
        criterion: what one look ahead compares.
    """

    number: int
    turn: Turn
    before: tuple[int, ...]
    after: tuple[int, ...]
    played: ParallelSplit
    best: ParallelSplit
    criterion: str

    @property
    def bits(self) -> float:
        """Bits of information that the marks gave, of the boards that were hidden."""
        pairs = zip(self.before, self.after, self.turn.marks, strict=True)
        told = (math.log2(before / after) for before, after, mark in pairs if mark is not None)
        return math.fsum(told)

    @property
    def luck(self) -> float:
        """Bits that the marks told beyond what this guess could be expected to."""
        return self.bits - self.played.bits

    @property
    def cost(self) -> float:
        """Bits that the best guess could be expected to tell beyond this one."""
        return self.best.bits - self.played.bits


@dataclass(frozen=True, slots=True)
class ParallelReview:
    """A game with several secrets, turn by turn.

    Attributes:
        record: the game.
        criterion: what makes a guess best: `entropy`, `size`, `minimax` or `parts`.
        guesses: what the best guess was chosen from: `all` guesses or `candidates`.
        turns: the turns as far as the marks agree.
    """

    record: Record
    criterion: str
    guesses: str
    turns: tuple[ParallelTurnReview, ...]

    @property
    def luck(self) -> float:
        """Bits of luck of all turns."""
        return math.fsum(turn.luck for turn in self.turns)

    @property
    def cost(self) -> float:
        """Bits that the choices cost against the best guesses."""
        return math.fsum(turn.cost for turn in self.turns)

    @property
    def consistent(self) -> bool:
        """Whether some secrets would have given all marks."""
        return len(self.turns) == len(self.record.turns)

    def document(self) -> dict[str, Any]:
        """The review as JSON; turns and boards are counted from 1."""
        record = self.record
        return {
            "rules": record.game_name,
            "codebreaker": record.codebreaker,
            "codemaker": record.codemaker,
            "result": record.result,
            "secrets": [None if each is None else str(each) for each in record.secrets],
            "criterion": self.criterion,
            "guesses": self.guesses,
            "turns": [_document(turn) for turn in self.turns],
            "luck": self.luck,
            "cost": self.cost,
            "consistent": self.consistent,
        }


def _document(turn: ParallelTurnReview) -> dict[str, Any]:
    return {
        "turn": turn.number,
        "guess": str(turn.turn.guess),
        "marks": [None if mark is None else str(mark) for mark in turn.turn.marks],
        "before": list(turn.before),
        "after": list(turn.after),
        "bits": turn.bits,
        "expected_bits": turn.played.bits,
        "luck": turn.luck,
        "could_win": list(turn.played.possible),
        "best": str(turn.best.guess),
        "best_bits": turn.best.bits,
        "cost": turn.cost,
    }


def review_parallel(
    record: Record,
    *,
    criterion: str = "entropy",
    guesses: str = "all",
    report: Report = silent,
) -> ParallelReview:
    """Review a game with several secrets; where marks contradict each other, the turns before.

    Arguments and errors as `review`.
    """
    reviewed: list[ParallelTurnReview] = []
    turns, game = record.turns, record.play.several
    assert game is not None  # noqa: S101 (of several boards)
    for number, turn in enumerate(turns, 1):
        position = ParallelPosition(game, turns[: number - 1])
        after = ParallelPosition(game, turns[:number]).counts
        if not all(after):
            break
        played = position.split(turn.guess)
        (best,) = position.best(criterion, guesses, 1)
        if best.score(criterion) > played.score(criterion) - _NEGLIGIBLE:
            best = played
        reviewed.append(
            ParallelTurnReview(
                number=number,
                turn=turn,
                before=tuple(position.counts),
                after=tuple(after),
                played=played,
                best=best,
                criterion=criterion,
            )
        )
        report(Progress(number, len(turns), "turns"))
    return ParallelReview(record, criterion, guesses, tuple(reviewed))


def contradiction(position: ParallelPosition) -> Phrase | None:
    """Which board has no candidate any more, as a sentence; None where each has some."""
    for number, count in enumerate(position.counts, 1):
        if not count:
            return Phrase(
                "No code of {game} fits the marks of board {number}.",
                game=position.game.game.name,
                number=number,
            )
    return None
