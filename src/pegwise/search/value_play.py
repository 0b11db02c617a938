"""A codemaker who hides secrets as the value of the game demands."""

from __future__ import annotations

import hashlib
from typing import Final

import numpy as np

from pegwise.errors import StrategyError
from pegwise.game import Code, Mastermind, Rules, mastermind
from pegwise.game.game import I64
from pegwise.knowledge.codemaker import draw_secret
from pegwise.search.value import find_value
from pegwise.search.value_classes import classes_of
from pegwise.search.value_store import StoredValue, keep_value, stored_value

__all__ = ["draw_optimal_secret", "optimal_weights"]

_QUICK: Final = 700
"""Boards with at most so many secrets are solved in some seconds when they are asked for."""


def draw_optimal_secret(rules: Rules, seed: int) -> Code:
    """A secret drawn by the codemaker's optimal mixture; the same for the same rules and seed.

    Raises:
        StrategyError: no mixture of the board is stored, and finding it takes long.
    """
    if rules.secrets_are_distinct or rules.black:
        return draw_secret(rules, seed)  # all secrets are alike: any chance is the same chance
    game = mastermind(rules)
    weights = np.cumsum(optimal_weights(game))
    text = f"{rules} optimal {seed}".encode()
    drawn = int.from_bytes(hashlib.blake2b(text, digest_size=32).digest()) % int(weights[-1])
    return game.secret(int(np.searchsorted(weights, drawn, side="right")))


def optimal_weights(game: Mastermind) -> I64:
    """int64 (n_secrets): how often an optimal codemaker hides each secret, in whole numbers.

    Raises:
        StrategyError: as `draw_optimal_secret`.
    """
    stored = stored_value(game.rules)
    if stored is None:
        if game.n_secrets > _QUICK:
            raise StrategyError(
                "the optimal mixture of the codemaker on {game} is not known yet, and it takes "
                "longer than some seconds: run 'pegwise value {game}' first",
                game=game.name,
            )
        stored = StoredValue(find_value(game))
        keep_value(stored)
    return classes_of(game).spread(stored.value.weights)
