"""Trees under permutations of pegs and colors, as in the last remark of Viaud's paper."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegwise.errors import InputError
from pegwise.game import FiniteGame, Mastermind
from pegwise.search.theory import relabel
from pegwise.strategies import load
from pegwise.trees import Tree, build, verify
from pegwise.trees.notations.viaud import read_viaud
from tests.trees.wandering import trees

PRINTED = Path(__file__).parent.parent / "data" / "viaud-1979-4x4.txt"


@pytest.fixture(scope="module")
def printed() -> Tree:
    """The strategy printed on p. 320-321."""
    return read_viaud(PRINTED.read_text()).tree


def test_the_permutations_of_the_last_remark(printed: Tree) -> None:
    # p. 319: exchanging 1 and 2 in 3411 gives 3422 among the colors, 4311 among the places
    game = printed.game
    node = next(n for n, g in enumerate(printed.nodes.guess) if str(game.guess(g)) == "CDAA")
    swap = (1, 0, 2, 3)
    for changed, expected in [
        (relabel(printed, colors=swap), "3422"),
        (relabel(printed, pegs=swap), "4311"),
    ]:
        assert game.guess(int(changed.nodes.guess[node])).write("digits") == expected
        checked = verify(changed)
        assert (checked.valid, checked.total, checked.worst) == (True, 918, 4)


@settings(max_examples=40)
@given(st.permutations(range(4)), st.permutations(range(4)))
def test_permutations_carry_an_optimal_strategy_into_another(
    pegs: list[int], colors: list[int]
) -> None:
    tree = read_viaud(PRINTED.read_text()).tree
    checked = verify(relabel(tree, pegs, colors))
    assert (checked.valid, checked.total, checked.worst) == (True, 918, 4)


@st.composite
def relabelled(draw: st.DrawFn) -> tuple[Tree, list[list[int]]]:
    tree = draw(trees(codes=120))
    assert isinstance(tree.game, Mastermind)
    rules = tree.game.rules
    sizes = [rules.pegs, rules.colors] * 2
    return tree, [draw(st.permutations(range(size))) for size in sizes]


@settings(max_examples=80)
@given(relabelled())
def test_permutations_act_as_a_group(drawn: tuple[Tree, list[list[int]]]) -> None:
    tree, (pegs, colors, more_pegs, more_colors) = drawn
    once = relabel(tree, pegs, colors)
    assert verify(once).valid
    assert once.histogram() == tree.histogram()
    # each secret takes as long as the one that it is the image of
    moved = partial(image, pegs=pegs, colors=colors)
    game = tree.game
    secrets = [tuple(game.secret(number)) for number in range(game.n_secrets)]
    before = dict(zip(secrets, tree.depths().tolist(), strict=True))
    after = dict(zip(secrets, once.depths().tolist(), strict=True))
    assert all(after[moved(secret)] == before[secret] for secret in secrets)
    # one after the other is the product
    twice = relabel(once, more_pegs, more_colors)
    product = relabel(
        tree,
        [pegs[peg] for peg in more_pegs],
        [more_colors[color] for color in colors],
    )
    assert np.array_equal(twice.nodes.guess, product.nodes.guess)
    assert np.array_equal(relabel(tree).nodes.guess, tree.nodes.guess)


def image(code: tuple[int, ...], pegs: list[int], colors: list[int]) -> tuple[int, ...]:
    return tuple(colors[code[peg]] for peg in pegs)


def test_what_is_no_permutation_is_refused(printed: Tree) -> None:
    with pytest.raises(InputError, match=r"pegs \[0, 1, 1, 2\]: give each number from 0 to 3"):
        relabel(printed, pegs=[0, 1, 1, 2])
    with pytest.raises(InputError, match=r"colors \[0, 1\]"):
        relabel(printed, colors=[0, 1])
    tree = build(load("first"), FiniteGame("ab", [["=", "<"], [">", "="]], name="weighing"))
    with pytest.raises(InputError, match="weighing cannot be exchanged"):
        relabel(tree)
