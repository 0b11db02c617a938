"""Rules, codes and histories for hypothesis to draw; codes and marks of a board by slow twins."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import product

from hypothesis import strategies as st

from pegwise.errors import RulesError
from pegwise.game import HOLE, Code, Mark, Rules, Turn
from tests import naive


def secrets_of(rules: Rules) -> list[naive.Code]:
    """All codes that may be hidden."""
    return naive.secrets(rules.pegs, rules.colors, distinct=rules.secrets_are_distinct)


def guesses_of(rules: Rules) -> list[naive.Code]:
    """All codes that may be guessed."""
    return naive.guesses(rules.pegs, rules.colors, distinct=rules.distinct, blank=rules.blank)


def marking_of(rules: Rules) -> naive.Marking:
    """The mark of a guess against a secret."""
    return partial(naive.mark, black_only=rules.black)


@cache
def all_flags(pegs: int, colors: int) -> tuple[Rules, ...]:
    """The rules of a board size with every combination of flags that is allowed."""
    boards = []
    for distinct, distinct_secrets, blank, black in product([False, True], repeat=4):
        with suppress(RulesError):
            boards.append(Rules(pegs, colors, distinct, distinct_secrets, blank, "black" * black))
    return tuple(boards)


@st.composite
def small_rules(draw: st.DrawFn, codes: int = 3000, largest: int = 8) -> Rules:
    """Rules from 1x1 to 8x8 with any flags, of at most so many guesses."""
    boards = [
        rules
        for pegs in range(1, largest + 1)
        for colors in range(1, largest + 1)
        for rules in all_flags(pegs, colors)
        if (colors + rules.blank) ** pegs <= codes
    ]
    return draw(st.sampled_from(boards))


@st.composite
def any_rules(draw: st.DrawFn) -> Rules:
    """Rules up to the largest board, with any flags."""
    pegs, colors = draw(st.integers(1, 16)), draw(st.integers(1, 26))
    return draw(st.sampled_from(all_flags(pegs, colors)))


@st.composite
def codes_of(draw: st.DrawFn, rules: Rules, *, secret: bool = False) -> tuple[int, ...]:
    """A code that the rules allow as a guess, or as a secret."""
    if rules.secrets_are_distinct if secret else rules.distinct:
        pegs = draw(st.permutations(range(rules.colors)))[: rules.pegs]
    else:
        color = st.integers(0, rules.colors - 1)
        pegs = draw(st.lists(color, min_size=rules.pegs, max_size=rules.pegs))
    if rules.blank and not secret:
        empty = draw(st.lists(st.booleans(), min_size=rules.pegs, max_size=rules.pegs))
        pegs = [HOLE if hole else peg for peg, hole in zip(pegs, empty, strict=True)]
    return tuple(pegs)


@st.composite
def histories(
    draw: st.DrawFn, codes: int = 800, most: int = 4, *, honest: bool | None = None
) -> tuple[Rules, list[Turn]]:
    """Rules of a small board, and turns: marked by a secret if honest, else as it comes."""
    rules = draw(small_rules(codes=codes))
    guesses = draw(st.lists(codes_of(rules), max_size=most))
    if draw(st.booleans()) if honest is None else honest:
        secret = draw(codes_of(rules, secret=True))
        marks = [Mark(*marking_of(rules)(guess, secret)) for guess in guesses]
    else:
        marks = [draw(st.sampled_from(rules.marking.legal)) for _ in guesses]
    return rules, [Turn(Code(g), m) for g, m in zip(guesses, marks, strict=True)]


def joint_marks(rules: Rules, guesses: Sequence[Code]) -> dict[tuple[naive.Mark, ...], int]:
    """How many secrets give each combination of marks, by a plain count."""
    return naive.joint_marks(
        rules.pegs,
        rules.colors,
        guesses,
        distinct=rules.secrets_are_distinct,
        black_only=rules.black,
    )
