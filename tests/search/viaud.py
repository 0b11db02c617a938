"""What the tests of Viaud's formal game share: games and sets to draw, parts, printed strategy."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from pegwise.arrays import I32
from pegwise.game import FiniteGame, Game
from pegwise.trees import Tree
from pegwise.trees.formats import read_viaud

PRINTED = Path(__file__).parent.parent / "data" / "viaud-1979-4x4.txt"


def printed_tree() -> Tree:
    """The strategy printed on p. 320-321."""
    return read_viaud(PRINTED.read_text()).tree


@st.composite
def finite_games(draw: st.DrawFn, secrets: int = 7) -> FiniteGame:
    """Any game: few marks, so that it takes several turns; some guesses that cannot win."""
    n = draw(st.integers(1, secrets))
    n_guesses = n + draw(st.integers(0, 2))
    points = st.integers(1, draw(st.integers(1, 3)))
    rows = draw(
        st.lists(st.lists(points, min_size=n, max_size=n), min_size=n_guesses, max_size=n_guesses)
    )
    for number in range(n):
        rows[number][number] = 0
    return FiniteGame(range(n), rows, range(n_guesses))


@st.composite
def sets(draw: st.DrawFn) -> tuple[FiniteGame, I32]:
    """A game and a set of its secrets, which may be empty."""
    game = draw(finite_games())
    chosen = draw(st.sets(st.integers(0, game.n_secrets - 1)))
    return game, np.array(sorted(chosen), np.int32)


def everything(game: Game) -> I32:
    return np.arange(game.n_secrets, dtype=np.int32)


def parts(game: Game, candidates: I32, guess: int) -> dict[int, I32]:
    marks = game.marks(guess, candidates)
    return {mark: candidates[marks == mark] for mark in np.unique(marks).tolist()}


def situations(tree: Tree) -> Iterator[tuple[int, I32, int]]:
    """Every node with its candidates and the number of guesses before."""
    for node, depth in enumerate(tree.node_depths.tolist()):
        candidates = everything(tree.game)
        for guess, mark in tree.path(node):
            candidates = candidates[tree.game.marks(guess, candidates) == mark]
        yield node, candidates, depth - 1
