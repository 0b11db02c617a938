"""Histories for the tests of what is still possible."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st

from pegwise.game import Code, Rules, Turn, legal_marks, mark, parse_turn
from tests import naive
from tests.boards import codes_of, small_rules


@st.composite
def histories(
    draw: st.DrawFn, codes: int = 800, most: int = 4, *, honest: bool | None = None
) -> tuple[Rules, list[Turn]]:
    """Rules of a small board, and turns: marked by a secret if honest, else as it comes."""
    rules = draw(small_rules(codes=codes))
    guesses = draw(st.lists(codes_of(rules), max_size=most))
    if draw(st.booleans()) if honest is None else honest:
        secret = draw(codes_of(rules, secret=True))
        marks = [mark(guess, secret, black_only=rules.black) for guess in guesses]
    else:
        marks = [draw(st.sampled_from(legal_marks(rules))) for _ in guesses]
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


def read(rules: Rules, *turns: str) -> list[Turn]:
    """Turns as typed: `ABCD=XXO`."""
    return [parse_turn(turn, rules) for turn in turns]
