"""The search of best play where turns limit the guesses after them: the hard mode of Wordle."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Final

import numpy as np
import pytest

import pegwise
from pegwise.errors import InputError
from pegwise.game import Game, Turn, WordList, game_of
from pegwise.game.listed import WordGame
from pegwise.game.words import sgb
from pegwise.knowledge import candidates
from pegwise.search.beam.passes import Passes
from pegwise.search.exact.goals import within
from pegwise.search.exact.optimal import OptimalSearch, find_optimum
from pegwise.search.exact.position import position_value
from pegwise.search.strategies.optimal import Optimal
from pegwise.trees import build, verify
from pegwise.trees.losses import Losses
from tests import naive

HARDER: Final = (28, 38, 52, 80, 103, 158, 181, 332, 335, 415)
"""Seeds of games that take more guesses by hard rules; most take as many."""

SEEDS: Final = (*range(9), *HARDER)


def small_game(seed: int, *, weighted: bool = False, hard: bool = True) -> WordGame:
    """A game of short words; many that may be hidden differ in one letter, as LIGHT and NIGHT do.

    Of some games the words have few letters, so that these often come twice.
    """
    draw = Random(seed)
    if seed % 3:
        signs = "abcdefgh"
        secrets = [sign + end for sign in signs for end in ("yzz", "zzy")]
        secrets = draw.sample(secrets, 9)
        others = ["".join(draw.sample(signs + "yz", 4)) for _ in range(9)]
    else:
        letters, length = draw.choice([("abc", 3), ("abcd", 3), ("abc", 4)])
        words = draw.sample(["".join(word) for word in product(letters, repeat=length)], 20)
        n_secrets = draw.randrange(4, 12)
        secrets, others = words[:n_secrets], words[n_secrets:]
    more = [word for word in dict.fromkeys(others) if word not in secrets]
    game = WordGame(WordList.of(f"small{seed}", secrets, more), "placed", hard=hard)
    weights = [draw.randrange(1, 9) for _ in secrets]
    return game.weighted(weights) if weighted else game


def brute_force(game: Game, turns: list[Turn] | None = None, most: int | None = None) -> int | None:
    """The smallest total by trying every guess that is allowed."""
    guesses = [tuple(game.guess(number)) for number in range(game.n_guesses)]
    secrets = [tuple(game.secret(number)) for number in range(game.n_secrets)]
    weights = None
    if game.weights is not None:
        weights = dict(zip(secrets, game.weights.tolist(), strict=True))
    if turns:
        secrets = [tuple(code) for code in candidates(game, turns)]
    return naive.best_hard_total(
        guesses,
        secrets,
        naive.placed_mark,
        naive.hard_allows,
        most=most,
        weights=weights,
        turns=tuple((tuple(guess), tuple(mark)) for guess, mark in turns or ()),
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_the_smallest_total_is_that_of_brute_force(seed: int) -> None:
    game = small_game(seed, weighted=seed % 5 == 2)
    optimum = find_optimum(game)
    assert optimum.proven
    assert optimum.total == brute_force(game)
    assert verify(optimum.tree).valid


@pytest.mark.parametrize("seed", HARDER)
def test_hard_rules_cost_guesses(seed: int) -> None:
    """Otherwise these games would test nothing."""
    assert find_optimum(small_game(seed)).total > find_optimum(small_game(seed, hard=False)).total


@pytest.mark.slow
@pytest.mark.parametrize("name", ["2x3,placed,hard", "3x3,placed,hard", "2x4,blank,placed,hard"])
def test_boards_with_a_mark_for_each_place(name: str) -> None:
    game = game_of(name)
    optimum = find_optimum(game)
    assert optimum.total == brute_force(game)
    assert verify(optimum.tree).valid


@pytest.mark.parametrize("seed", SEEDS[::3])
def test_limits_of_guesses(seed: int) -> None:
    game = small_game(seed)
    for most in range(1, 5):
        optimum = find_optimum(game, max_guesses=most)
        expected = brute_force(game, most=most)
        assert optimum.impossible == (expected is None)
        assert optimum.best is None or optimum.total == expected
    least = next(most for most in range(1, 20) if brute_force(game, most=most) is not None)
    assert find_optimum(game, objective="worst").worst == least
    assert find_optimum(game, objective="worst-total").total == brute_force(game, most=least)


@pytest.mark.parametrize("seed", SEEDS[::5])
def test_candidates_only(seed: int) -> None:
    """A candidate uses all that the marks told: hard rules change nothing."""
    hard, free = small_game(seed), small_game(seed, hard=False)
    totals = [find_optimum(game, guesses="candidates").total for game in (hard, free)]
    assert totals[0] == totals[1]


def test_goals_keep_to_what_is_allowed() -> None:
    for seed in range(5):
        game = small_game(seed)
        tree = find_optimum(game, objective=within(game, 3)).tree
        assert verify(tree).valid
        # trees of the smallest total are not better at it
        other = find_optimum(game).tree
        assert (tree.depths <= 3).sum() >= (other.depths <= 3).sum()


@pytest.mark.parametrize("seed", SEEDS)
def test_positions_after_turns(seed: int) -> None:
    game, draw = small_game(seed), Random(seed)
    for n_turns in (1, 2):
        secret = game.secret(draw.randrange(game.n_secrets))
        turns: list[Turn] = []
        for _ in range(n_turns):
            numbered = [(game.guess_number(g), game.mark_number(m)) for g, m in turns]
            allowed = game.allowed(numbered)
            every = np.ones(game.n_guesses, np.bool_)
            numbers = np.flatnonzero(every if allowed is None else allowed).tolist()
            guess = game.guess(draw.choice(numbers))
            turns.append(Turn(guess, game.mark_of(guess, secret)))
        if any(guess == secret for guess, _ in turns):
            continue
        guess = game.guess(draw.randrange(game.n_guesses))
        value = position_value(game, turns, guess)
        assert value is not None
        assert value.total == brute_force(game, turns)
        parts = naive.partition(guess, candidates(game, turns), naive.placed_mark)
        if not naive.hard_allows(turns, guess):
            assert value.played is None
            continue
        after = [
            brute_force(game, [*turns, Turn(guess, game.mark_of(guess, part[0]))])
            for part in parts.values()
            if part != [guess]
        ]
        assert value.played == sum(map(len, parts.values())) + sum(n or 0 for n in after)


@pytest.mark.parametrize("seed", SEEDS[::2])
def test_losses_add_up(seed: int) -> None:
    game = small_game(seed)
    tree = build(game, "knuth")
    losses: Losses = pegwise.losses(tree)
    assert losses.total == tree.total - (brute_force(game) or 0)


@pytest.mark.slow
def test_threads_and_passes() -> None:
    words = sgb().secrets[:1500:3]
    game = WordGame(WordList.of("some", words[:90], words[90:]), "placed", hard=True)
    best = find_optimum(game)
    assert find_optimum(game, threads=2).tree.nodes.guess.tolist() == best.tree.nodes.guess.tolist()
    totals = []
    for passes in (1, 3, 6):
        search = Passes(game, passes=passes)
        search.run()
        found = search.result()
        assert not found.proven
        assert verify(found.tree).valid
        totals.append(found.total)
    assert totals == sorted(totals, reverse=True)
    assert totals[-1] >= best.total > find_optimum(small_free(game)).total - 1


def small_free(game: WordGame) -> WordGame:
    return WordGame(game.words, "placed")


def test_the_strategy_optimal_plays_it() -> None:
    game = small_game(1)
    assert Optimal().plays(game)
    assert build(game, "optimal").total == find_optimum(game).total


def test_refused() -> None:
    words = WordList.of("fits", ["abc", "abd", "acd"], ["bcd"])
    with pytest.raises(InputError, match="hard"):
        find_optimum(WordGame(words, hard=True))
    with pytest.raises(InputError, match="hard"):
        pegwise.find_value(small_game(0))
    with pytest.raises(InputError, match="cluster"):
        OptimalSearch(small_game(0), where=pegwise.compute.Processes(2))


def test_words_that_must_fit_all_turns() -> None:
    """Where each may be hidden, they are the candidates."""
    words = WordList.of("own", [*map("".join, product("abc", repeat=3))])
    hard, free = WordGame(words, hard=True), WordGame(words)
    assert find_optimum(hard).total == find_optimum(free, guesses="candidates").total
