"""One look ahead where several secrets are sought at once.

The secrets together are one secret of a game whose mark is all marks together. Given the candidates
of each board, boards tell nothing of each other, so that the parts of that game are all products of
a part of each board. So its scores follow from those of the boards, exactly, and its candidates
need not be listed: the bits that a guess is expected to tell add up; the largest part, the expected
size and the number of parts are products. (Distinct secrets do tell something of each other, very
little: a board loses a candidate when that is found on another, not before.)

A board with one candidate is solved at once. Else the guess with the best score is played; ties go
to a guess that may be the secret of some board, then to the first, or as `ties` says.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, NamedTuple, Self, cast

import numpy as np
import numpy.typing as npt

from pegwise.arrays import I32, I64
from pegwise.errors import ContradictionError, Phrase, TooLargeError
from pegwise.game import Mastermind, Parallel, all_secrets
from pegwise.game.game import Game
from pegwise.kernels import numpy_backend
from pegwise.strategies.base import Decision
from pegwise.strategies.candidates import ASKED_FOR, IT_CANNOT, IT_COULD, agreeing_words
from pegwise.strategies.criteria import Criterion, GuessOrder, largest_part
from pegwise.strategies.explanation import Explanation, Write
from pegwise.strategies.scoring import equal_guesses, score_guesses

MAX_GUESSES: Final = 100_000
"""Most guesses of a game of which several secrets are sought: every guess is compared."""

ONLY_ONE: Final = Phrase("No other code is possible on one of the boards.")

_REASONS: Final = {
    "minimax": Phrase("No guess leaves fewer combinations of codes in the worst case:"),
    "size": Phrase("No guess leaves fewer combinations of codes on average:"),
    "entropy": Phrase("Best for all boards together:"),
    "parts": Phrase("No guess has more different marks, all boards together:"),
}


class ParallelOrder(NamedTuple):
    """By what a one-step strategy chooses."""

    criteria: GuessOrder
    weights: I64 | None = None  # (n_secrets), how often each is hidden; None when all are alike
    rank: I64 | None = None  # (guesses), the least is played where scores tie; None: a candidate
    opening: int | None = None  # number of the first guess; None for the best


def joint_scores(
    game: Game,
    boards: Sequence[I32],
    criterion: Criterion,
    guesses: I64,
    weights: I64 | None = None,
) -> npt.NDArray[np.object_]:
    """Scores of guesses on several boards at once: exact integers (guesses), less is better.

    Args:
        game: what each board is of.
        boards: int32 (n) each, the candidates of each hidden board, at least one.
        criterion: what is minimised.
        guesses: int64 (guesses), by number.
        weights: int64 (n_secrets), how often each secret counts; None for once.
    """
    n = game.n_secrets if weights is None else largest_part(game)
    worth = criterion.table(n)
    known: dict[bytes, I64] = {}
    sizes, scores = [], []
    for board in boards:
        key = board.tobytes()
        own = None if weights is None else weights[board]
        if key not in known:
            known[key] = _scores(game, board, guesses, worth, criterion.additive, own)
        sizes.append(len(board) if own is None else int(own.sum()))
        scores.append(known[key].astype(object))
    if criterion.joint == "product":
        product = scores[0]
        for score in scores[1:]:
            product = product * abs(score)  # a score below 0 stays one
        return cast(npt.NDArray[np.object_], product)
    common = math.lcm(*sizes)
    shares = (score * (common // size) for score, size in zip(scores, sizes, strict=True))
    return cast(npt.NDArray[np.object_], sum(shares))


def _scores(
    game: Game, board: I32, guesses: I64, worth: I64, additive: bool, weights: I64 | None
) -> I64:
    """The scores on one board, by kernels where it is one of Mastermind."""
    if game.board is not None:
        played = cast(Mastermind, game)
        codes = played.guess_codes[guesses], played.secret_codes[board]
        return score_guesses(played, *codes, worth, additive, weights)
    table = game.table if len(guesses) == game.n_guesses else game.table[guesses]
    return numpy_backend.scores(table, board, game.n_marks, worth, additive, weights)


@dataclass(frozen=True, eq=False)
class ParallelDecision(Decision):
    """The candidates of each board after some turns, and the guess that is chosen by them.

    Attributes:
        game: what is played.
        order: by what guesses are compared.
        boards: int32 (n) each, the candidates of each board; of a solved one the secret.
        solved: whether each board is solved.
        played: the guesses so far, by number.
    """

    game: Parallel
    order: ParallelOrder
    boards: tuple[I32, ...]
    solved: tuple[bool, ...]
    played: tuple[int, ...] = ()

    @classmethod
    def begin(cls, game: Parallel, order: ParallelOrder) -> Self:
        """All secrets are candidates; TooLargeError where there are too many guesses."""
        if game.game.n_guesses > MAX_GUESSES:
            raise TooLargeError(
                "{game}: {guesses:,} guesses are too many to compare for several secrets at once "
                "(at most {most:,})",
                game=game.name,
                guesses=game.game.n_guesses,
                most=MAX_GUESSES,
            )
        secrets = all_secrets(game.game)
        return cls(game, order, (secrets,) * game.n, (False,) * game.n)

    @property
    def hidden(self) -> list[I32]:
        """The candidates of the boards that are not solved."""
        pairs = zip(self.boards, self.solved, strict=True)
        return [board for board, solved in pairs if not solved]

    @property
    def known(self) -> int | None:
        """The guess, by number, that is the only candidate of the first such board, if any."""
        for board in self.hidden:
            if len(board) == 1:
                return int(self.game.game.guess_of_secret[board[0]])
        return None

    @cached_property
    def number(self) -> int:
        """Number of the guess; ContradictionError where a board has no candidate."""
        self.check()
        if self.known is not None:
            return self.known
        if self.order.opening is not None and not self.played:
            return self.order.opening
        return int(self.best_first(1)[0])

    @property
    def guess(self) -> Any:
        return self.game.game.guess(self.number)

    def best_first(self, count: int) -> I64:
        """The best guesses by number, int64, the best first; a board may have one candidate."""
        self.check()
        game, hidden, (criteria, weights, rank, _) = self.game.game, self.hidden, self.order
        possible = np.zeros(game.n_guesses, np.bool_)
        for board in hidden:
            possible[game.guess_of_secret[board]] = True
        eligible = possible if criteria.only_candidates else np.ones(game.n_guesses, np.bool_)
        alike = game.board is not None and weights is None and rank is None and count == 1
        if game.board is not None and alike and len(self.played) < 2:
            eligible = eligible & equal_guesses(game.board, self.played)
        guesses = np.flatnonzero(eligible)
        keys: list[npt.NDArray[Any]] = [~possible[guesses] if rank is None else rank[guesses]]
        for criterion in (criteria.second, criteria.first):
            if criterion is not None:
                keys.append(_ranks(joint_scores(game, hidden, criterion, guesses, weights)))
        return guesses[np.lexsort((guesses, *keys))[:count]]

    def after(self, mark: Any) -> Self:
        return self._following(self.number, mark)

    def instead(self, guess: Any, mark: Any) -> Self:
        return self._following(self.game.game.guess_number(guess), mark)

    def after_turns(self, turns: Iterable[tuple[Any, Any]]) -> Self:
        """The state after these guesses, whosever they are, and their marks."""
        decision = self
        for guess, marks in turns:
            decision = decision.instead(guess, marks)
        return decision

    def _following(self, guess: int, marks: Any) -> Self:
        game, boards, solved = self.game.game, [], list(self.solved)
        own = int(game.secret_of_guess[guess])
        for k, (board, mark) in enumerate(zip(self.boards, marks, strict=True)):
            if mark is not None:
                number = game.mark_number(mark)
                solved[k] = number == game.winning
                board = board[game.marks(guess, board) == number]
            boards.append(board)
        if sum(solved) > sum(self.solved):  # no other board has this secret
            pairs = zip(boards, solved, strict=True)
            boards = [board if done else board[board != own] for board, done in pairs]
        return replace(
            self, boards=tuple(boards), solved=tuple(solved), played=(*self.played, guess)
        )

    def check(self) -> None:
        """Refuse a board without candidates by a ContradictionError."""
        for number, board in enumerate(self.boards, 1):
            if not len(board):
                raise ContradictionError(
                    "no secret of {game} gives these marks on board {number}",
                    game=self.game.name,
                    number=number,
                )

    def figures(self) -> dict[str, Any]:
        """Figures about what the guess can be expected to tell.

        Returns:
            `candidates` of each hidden board, the `bits` of information of all of them together,
            and whether the guess `could_win` a board.
        """
        game, weights, hidden = self.game.game, self.order.weights, self.hidden
        bits = 0.0
        for board in hidden:
            counted = np.ones(len(board)) if weights is None else weights[board]
            sizes = np.bincount(game.marks(self.number, board), counted)
            shares = sizes[sizes > 0] / sizes.sum()
            bits -= float(shares @ np.log2(shares))
        own = game.secret_of_guess[self.number]
        return {
            "candidates": [len(board) for board in hidden],
            "bits": bits + 0.0,
            "could_win": any(own in board for board in hidden),
        }

    def explain(self, mark: Any = None, *, write: Write = str) -> Explanation:
        criterion, figures = self.order.criteria.first.id, self.figures()
        reason: tuple[Phrase, ...] = (ONLY_ONE,)
        if self.known is None:
            told = Phrase("{bits:.2f} bits expected.", bits=figures["bits"])
            could = IT_COULD if figures["could_win"] else IT_CANNOT
            opened = self.order.opening is not None and not self.played
            reason = (ASKED_FOR if opened else _REASONS[criterion], told, could)
        guess = self.guess
        ranked: dict[str, Any] = {
            "ranked_by": criterion,
            "guesses": "candidates" if self.order.criteria.only_candidates else "all",
        }
        if mark is None:
            return Explanation(
                attempt=guess, reason=reason, criterion=criterion, figures=figures, **ranked
            )
        after = self.after(mark)
        after.check()
        deduction = []
        for k, (before, now) in enumerate(zip(self.boards, after.boards, strict=True)):
            if not after.solved[k]:
                code = write(self.game.game.secret(int(now[0])))
                what = agreeing_words(len(now), len(before), code)
                deduction.append(Phrase("Board {n}: {what}", n=k + 1, what=what))
        return Explanation(
            attempt=guess,
            reason=reason,
            criterion=criterion,
            result=mark,
            deduction=tuple(deduction),
            figures=figures,
            **ranked,
        )


def _ranks(scores: npt.NDArray[np.object_]) -> I64:
    """Whole numbers of any size as their ranks, int64, equal where they are."""
    order = sorted(set(scores.tolist()))
    rank = {score: k for k, score in enumerate(order)}
    return np.fromiter(map(rank.__getitem__, scores.tolist()), np.int64, len(scores))
