"""What the tests of Forget's decoder share: turns as text, and states after them."""

import math

import numpy as np

from pegwise.game import Code, Mark, Rules, Turn, mastermind, parse_code, parse_mark
from pegwise.strategies.forget import (
    Endgame,
    Forget,
    ForgetEntropy,
    ForgetMinimax,
    Opening,
    OpeningMove,
    interlude,
)
from tests import naive

BOTH = [ForgetEntropy, ForgetMinimax]
WIDE = Rules(4, 26)


def turns(rules: Rules, text: str) -> tuple[Turn, ...]:
    """Turns written as `ABCD XO, EFGH -`."""
    pairs = (turn.split() for turn in text.split(","))
    return tuple(Turn(parse_code(g, rules), parse_mark(m, rules)) for g, m in pairs)


def after(strategy: Forget, rules: Rules, text: str) -> OpeningMove | Endgame:
    """The state after turns, which have to be what the strategy plays."""
    state: OpeningMove | Endgame = strategy.begin(mastermind(rules))
    for guess, given_mark in turns(rules, text):
        assert state.guess == guess
        state = state.after(given_mark)
    return state


def candidates(rules: Rules, text: str) -> list[str]:
    """The candidates after turns of which the first are an opening."""
    history = turns(rules, text)
    return written(interlude(opened(rules, history), history).codes)


def opened(rules: Rules, history: tuple[Turn, ...]) -> Opening:
    """The opening that begins a history."""
    opening = Opening.of(rules)
    for turn in history:
        if opening.over:
            break
        assert opening.guess == turn.guess
        opening = opening.after(turn.mark)
    return opening


def written(codes: np.ndarray) -> list[str]:
    return [str(Code(code)) for code in codes.tolist()]


def sizes(guess: str, among: list[str]) -> dict[str, int]:
    """The parts of a guess by the plain definition, by mark."""
    rules = WIDE
    parts = naive.partition(
        parse_code(guess, rules), [parse_code(code, rules) for code in among], naive.mark
    )
    return {str(Mark(*given_mark)): len(part) for given_mark, part in parts.items()}


def bits(parts: dict[str, int]) -> float:
    """The entropy of a partition."""
    n = sum(parts.values())
    return -sum(k / n * math.log2(k / n) for k in parts.values())


def naive_candidates(rules: Rules, history: tuple[Turn, ...]) -> list[str]:
    codes = naive.secrets(rules.pegs, rules.colors, distinct=rules.secrets_are_distinct)
    left = naive.consistent(codes, history, black_only=rules.black)
    return [str(Code(code)) for code in left]
