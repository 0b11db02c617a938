"""A strategy that wastes guesses, so that its trees have every shape."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from pegwise.arrays import I32
from pegwise.game import FiniteGame, Game, all_secrets, board_game
from pegwise.strategies import Card, Decision, Option, Strategy
from pegwise.trees import Tree, build
from tests.boards import small_rules

EVERY_KIND = [
    *("1x4", "3x3", "2x12", "4x5,distinct", "3x4,distinct-secrets", "3x3,blank", "3x4,black"),
    *("3x4,distinct,blank", "3x4,distinct-secrets,black", "2x3,blank,black"),
]
"""Small boards of all kinds of rules."""


class Wandering(Strategy):
    """Plays any code in two turns of the first four, else a candidate; by chance, repeatably."""

    card: ClassVar = Card("wandering", "Wandering", "", None, "", "For tests.")

    def __init__(self, seed: int) -> None:
        self.options: Mapping[str, Option] = {"seed": seed}
        self.seed = seed

    def begin(self, game: Game) -> "_Walk":
        return _Walk(game, np.arange(game.n_secrets), (), self.seed)


class _Walk(Decision):
    def __init__(
        self,
        game: Game,
        candidates: npt.NDArray[Any],
        history: tuple[tuple[int, int], ...],
        seed: int,
    ) -> None:
        self.game, self.candidates, self.history, self.seed = game, candidates, history, seed
        draw = random.Random(repr((seed, history)))
        self.number = int(game.guess_of_secret[draw.choice(candidates.tolist())])
        if len(history) < 4 and draw.random() < 0.5:
            self.number = draw.randrange(game.n_guesses)

    @property
    def guess(self) -> Any:
        return self.game.guess(self.number)

    def after(self, mark: Any) -> "_Walk":
        number = self.game.mark_number(mark)
        candidates = self.candidates.astype(np.int32)
        guesses = np.full(len(candidates), self.number, np.int32)
        remaining = candidates[self.game.mark_pairs(guesses, candidates) == number]
        return _Walk(self.game, remaining, (*self.history, (self.number, number)), self.seed)


@st.composite
def trees(draw: st.DrawFn, codes: int = 200, largest: int = 5) -> Tree:
    """Wandering trees of small boards with any flags."""
    rules = draw(small_rules(codes=codes, largest=largest))
    return build(board_game(rules), Wandering(draw(st.integers(0, 99))))


NAMES = st.one_of(
    st.text(max_size=3), st.integers(-3, 300), st.tuples(st.integers(0, 9), st.text(max_size=1))
)


@st.composite
def finite_games(
    draw: st.DrawFn,
    secrets: int = 7,
    marks: Sequence[int] = (1, 2, 3, 5, 40, 70),
    *,
    weighted: bool = True,
) -> FiniteGame:
    """Random games of up to so many secrets, with guesses that cannot win, few or many marks."""
    guesses = draw(st.lists(NAMES, min_size=1, max_size=secrets + 2, unique=True))
    hidden = draw(st.lists(st.sampled_from(guesses), min_size=1, max_size=secrets, unique=True))
    generator = np.random.default_rng(draw(st.integers(0, 2**32)))
    rows = generator.integers(0, draw(st.sampled_from(marks)), (len(guesses), len(hidden))).tolist()
    for secret, name in enumerate(hidden):
        rows[guesses.index(name)][secret] = "won"
    weights = None
    if weighted and (most := draw(st.sampled_from([None, 2, 4, 1000]))):
        weights = generator.integers(0, most, len(hidden))
        weights[0] += 1
    return FiniteGame(hidden, rows, guesses, name="a game", weights=weights)


@st.composite
def finite_trees(draw: st.DrawFn) -> Tree:
    """Wandering trees of random finite games."""
    return build(draw(finite_games()), Wandering(draw(st.integers(0, 99))))


def same_nodes(tree: Tree, expected: Tree) -> bool:
    """Whether two trees play the same everywhere, and have arrays of the same types."""
    pairs = zip(tree.nodes, expected.nodes, strict=True)
    return all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in pairs)


def candidates_at(tree: Tree, node: int) -> I32:
    """The secrets that lead to a node."""
    game, candidates = tree.game, all_secrets(tree.game)
    for guess, mark in tree.path(node):
        candidates = candidates[game.marks(guess, candidates) == mark]
    return candidates
