"""Rules and codes for hypothesis to draw from."""

from hypothesis import strategies as st

from pegwise.errors import RulesError
from pegwise.game import HOLE, Rules


def all_flags(pegs: int, colors: int) -> list[Rules]:
    """The rules of a board size with every combination of flags that is allowed."""
    found = []
    for bits in range(16):
        flags = [bool(bits >> k & 1) for k in range(4)]
        try:
            found.append(Rules(pegs, colors, *flags))
        except RulesError:
            continue
    return found


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
