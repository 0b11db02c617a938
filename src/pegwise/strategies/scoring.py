"""Marks and scores of guesses on a board, by NumPy where it is small and by kernels elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from pegwise.arrays import I64, U8, Bools
from pegwise.errors import StrategyError
from pegwise.game import Game, Mastermind, Rules, board_game
from pegwise.game.marks import mark_pairs
from pegwise.kernels import compiled, numpy_backend
from pegwise.kernels.cache import MOST, has_numba, use_numpy


def as_board(game: Game, name: str, *, hard: bool = True) -> Mastermind:
    """The game, if it is a board; StrategyError where the strategy of this name needs one.

    StrategyError too if the rules are hard and it does not keep them.
    """
    if not isinstance(game, Mastermind):
        raise StrategyError(
            "{name} plays Mastermind boards only, not {game}", name=name, game=game.name
        )
    if not hard:
        check_free(name, game)
    return game


def check_free(name: str, game: Game) -> None:
    """Refuse hard rules by the StrategyError of one whose guesses need not use the marks."""
    if not game.free:
        raise StrategyError(
            "{name} cannot play {game}: it plays guesses that 'hard' forbids; 'entropy' keeps to "
            "it",
            name=name,
            game=game.name,
        )


@lru_cache(maxsize=16)
def equal_guesses(rules: Rules, played: tuple[int, ...]) -> Bools:
    """Of guesses that no symmetry tells apart after these ones, the first: bool (guesses).

    Worth its time for the first two guesses of a game; later hardly any symmetry is left.
    """
    codes = board_game(rules).guess_codes
    if use_numpy(len(codes), rules.n_secrets, "symmetry"):
        return numpy_backend.first_of_classes(codes, rules.colors, codes[list(played)])
    return compiled.symmetry.representatives(codes, rules.colors, codes[list(played)])


def mark_codes(game: Mastermind, guess: Sequence[int] | U8, codes: U8) -> U8:
    """uint8 (n): the marks of a guess against codes, uint8 (n, pegs), by number."""
    return game.mark_all(np.array([guess], np.uint8), codes).ravel()


def mark_each(game: Mastermind, guesses: U8, codes: U8) -> U8:
    """uint8 (n): the mark of each guess against the code of its row, both uint8 (n, pegs)."""
    if use_numpy(1, len(codes)):
        black, white = mark_pairs(guesses, codes, black_only=game.rules.black)
        marks: U8 = game.mark_ids[black, black + white]
        return marks
    marks = np.empty(len(codes), np.uint8)
    compiled.marking.mark_rows(guesses, codes, game.mark_ids, marks)
    return marks


def score_guesses(
    game: Mastermind, guesses: U8, codes: U8, worth: I64, additive: bool, weights: I64 | None = None
) -> I64:
    """int64 (m), scores of guesses: the worth of the parts of some codes, added up or largest.

    `worth` is int64 (n + 1 or more), of a part by its size; less is better. `weights`, int64 (n),
    tell how often each code counts.
    """
    colors, n_marks = game.rules.colors, game.n_marks
    if weights is not None or use_numpy(len(guesses), len(codes)) or not has_numba():
        every = np.arange(len(codes), dtype=np.int32)
        scores = np.empty(len(guesses), np.int64)
        step = max(1, MOST // len(codes))
        for start in range(0, len(guesses), step):
            block = slice(start, start + step)
            table = game.mark_all(guesses[block], codes)
            scores[block] = numpy_backend.scores(table, every, n_marks, worth, additive, weights)
        return scores
    scores = np.empty(len(guesses), np.int64)
    signatures = compiled.marking.signatures
    signed = signatures(guesses, colors), signatures(codes, colors)
    compiled.marking.score_codes(*signed, game.mark_ids, n_marks, worth, additive, scores)
    return scores
