"""Viaud's functions tau_k, as he defines them.

D. Viaud, Une formalisation du jeu de Mastermind, RAIRO Recherche opérationnelle 13(3), 1979,
p. 307-321, section 2.1. For a set E of secrets,

    tau_1(E) = |E|,   tau_k(E) = min over guesses s of max over marks p of tau_{k-1}(E_s,p),

where E_s,p are the secrets of E that give mark p to guess s: how many secrets may still be
possible after k - 1 guesses, played as well as can be. The least q with tau_q(S) = 1 is q_0, the
worst case of a best strategy. Viaud guesses secrets only; here every guess of the game counts.

This is the definition, for small sets; `search.solvable` answers tau_k(E) = 1 for larger ones.
"""

from __future__ import annotations

import numpy as np

from pegwise.errors import InputError, TooLargeError
from pegwise.game import FiniteGame, Mastermind
from pegwise.game.game import I32, I64
from pegwise.kernels.table import score_guesses

__all__ = ["MAX_EFFORT", "largest_parts", "tau"]

MAX_EFFORT = 10**11
"""Sets and k for which the definition looks at more marks than this are refused."""


def tau(game: Mastermind | FiniteGame, candidates: I32, k: int) -> int:
    """tau_k of a set.

    Args:
        game: what is played; its weights do not matter.
        candidates: int32 (n), secrets by number, each once; n from 0.
        k: from 1.

    Raises:
        InputError: k below 1.
        TooLargeError: the definition would look at more than `MAX_EFFORT` marks.
    """
    if k < 1:
        raise InputError("tau_{k} is not defined: k is a whole number from 1", k=k)
    # every guess has all its parts looked at by every guess, and so on
    effort = len(candidates) * game.n_guesses ** (k - 1)
    if effort > MAX_EFFORT:
        raise TooLargeError(
            "tau_{k} of {secrets} secrets of {game} is a minimum over {guesses} guesses, "
            "{times} times over: too much by its definition",
            k=k,
            secrets=len(candidates),
            game=game.name,
            guesses=game.n_guesses,
            times=k - 1,
        )
    return _tau(game, np.sort(candidates).astype(np.int32), k, {})


def _tau(
    game: Mastermind | FiniteGame, candidates: I32, k: int, known: dict[tuple[int, bytes], int]
) -> int:
    if k == 1 or len(candidates) <= 1:
        return len(candidates)
    key = (k, candidates.tobytes())
    if key not in known:
        known[key] = _least(game, candidates, k, known)
    return known[key]


def _least(
    game: Mastermind | FiniteGame, candidates: I32, k: int, known: dict[tuple[int, bytes], int]
) -> int:
    """The minimum over guesses, left off as soon as no guess can be better."""
    sizes = largest_parts(game, candidates)
    if k == 2:
        return int(sizes.min())
    floor = -(-len(candidates) // game.n_marks ** (k - 1))
    best = len(candidates)
    for guess in np.argsort(sizes, kind="stable").tolist():
        marks = game.marks(guess, candidates)
        worst = 0
        for mark in np.unique(marks).tolist():
            worst = max(worst, _tau(game, candidates[marks == mark], k - 1, known))
            if worst >= best:
                break
        best = min(best, worst)
        if best <= floor:
            break
    return best


def largest_parts(game: Mastermind | FiniteGame, candidates: I32) -> I64:
    """int64 (n_guesses): how many of some candidates each guess leaves together at most.

    Args:
        game: what is played.
        candidates: int32 (n), secrets by number.
    """
    out = np.empty(game.n_guesses, np.int64)
    sizes = np.arange(len(candidates) + 1)
    score_guesses(game.table, candidates, game.n_marks, sizes, False, out)
    return out
