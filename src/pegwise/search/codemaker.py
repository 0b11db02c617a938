"""The optimal codemaker: it draws some secrets more often than others."""

from __future__ import annotations

import hashlib
from typing import Final

import numpy as np

from pegwise.arrays import I64
from pegwise.errors import Phrase, StrategyError
from pegwise.game import Code, Game, Mastermind, Rules, board_game
from pegwise.knowledge.codemaker import draw_secret
from pegwise.search.certificates import files
from pegwise.search.certificates.claims import Certificate
from pegwise.search.certificates.values import GameValue, classes_of

_QUICK_VALUE: Final = 700  # secrets: a board up to this size is solved in seconds


def draw_optimal_secret(game: Game, seed: int) -> Code:
    """A secret drawn by the codemaker's optimal mixture; errors are those of `optimal_weights`."""
    rules = game.rules or Rules.parse(game.name)
    if rules.secrets_are_distinct or rules.black:
        return draw_secret(game, seed)  # all secrets are alike: any chance is the same chance
    board = board_game(rules)
    weights = np.cumsum(optimal_weights(board))
    text = f"{rules} optimal {seed}".encode()
    drawn = int.from_bytes(hashlib.blake2b(text, digest_size=32).digest()) % int(weights[-1])
    return board.secret(int(np.searchsorted(weights, drawn, side="right")))


def optimal_weights(game: Mastermind) -> I64:
    """int64 (n_secrets): how often an optimal codemaker hides each secret, in whole numbers.

    Raises:
        StrategyError: no mixture of the board is stored, and finding it takes long.
        TooLargeError: a board that is too large for it.
    """
    certificate = files.stored(GameValue, game)
    if certificate is None:
        from pegwise.search.value import find_value, value_memory

        value_memory(game)  # refuses what no search can find
        if game.n_secrets > _QUICK_VALUE:
            raise StrategyError(
                "the optimal mixture of the codemaker on {game} is not known yet, and it takes "
                "longer than some seconds{advice}",
                game=game.name,
                advice=Phrase(": run 'pegwise value {game}' first", game=game.name),
            )
        certificate = Certificate(find_value(game))
        files.keep(certificate)
    return classes_of(game).spread(certificate.claim.weights)
