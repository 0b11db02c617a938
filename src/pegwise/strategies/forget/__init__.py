"""Forget's decoder: an opening that sweeps the colors, then the most discriminating code.

Source: Jean Forget, perl5-decodeur-Mastermind, description of the decoder (2011-2026). The opening
plays ABCD, EFGH, ... and wraps round the colors. The interlude builds every code that fits, peg by
peg. The endgame weighs these candidates and the opening guesses that were not played, which can no
longer win but may discriminate better. One criterion leads, entropy or the size of the largest
part, and the other decides between equals; then the first weighed is played: candidates in numeric
order, then the unplayed guesses in theirs.
"""

from pegwise.strategies.forget.decoder import (
    Endgame,
    Forget,
    ForgetEntropy,
    ForgetMinimax,
    OpeningMove,
    Pool,
    PoolRanking,
)
from pegwise.strategies.forget.opening import Clues, Opening, generations, interlude

__all__ = [
    "Clues",
    "Endgame",
    "Forget",
    "ForgetEntropy",
    "ForgetMinimax",
    "Opening",
    "OpeningMove",
    "Pool",
    "PoolRanking",
    "generations",
    "interlude",
]
