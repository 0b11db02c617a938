"""Forget's decoder: an opening that sweeps the colors, then the most discriminating code."""

from pegwise.strategies.forget.strategy import ForgetEntropy as ForgetEntropy
from pegwise.strategies.forget.strategy import ForgetMinimax as ForgetMinimax
