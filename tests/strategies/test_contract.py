"""What every strategy promises, checked for every strategy of the registry.

A strategy is a pure function of game and history: replaying gives the same guess, a decision never
changes, a copy from another process plays the same. Every guess is legal, every secret is found,
and marks that no secret gives are refused at once.
"""

import inspect
import pickle
from collections.abc import Callable, Iterator
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from pegwise.errors import (
    ContradictionError,
    MarkError,
    MissingExtraError,
    StrategyError,
    TooLargeError,
)
from pegwise.game import FiniteGame, Game, Mark, Mastermind, Rules, check_code, mastermind
from pegwise.strategies import (
    Decision,
    Strategy,
    compile_tree,
    label,
    load,
    names,
    options_of,
    parse,
)
from pegwise.trees import build
from pegwise.trees.build import play_out
from tests import naive

TRAITS = {"any-game", "consistent", "fixed", "random", "unlisted", "slow"}

SMALL = ["1x1", "1x3", "2x1", "2x3", "2x3,blank", "2x3,black", "3x3,distinct"]
BOARDS = [
    *SMALL,
    *("1x6", "6x1", "3x3", "4x2", "2x6", "3x4,distinct-secrets", "3x4,distinct", "3x3,black"),
    *("3x3,blank", "3x4,distinct,blank", "3x3,distinct-secrets,blank,black", "4x3", "3x5"),
]


@cache
def words() -> FiniteGame:
    """Words of three letters with a mark for each letter, as in Wordle."""
    secrets = ["abc", "abd", "bca", "cab", "dad", "add", "bad", "dab"]
    return FiniteGame(secrets, by_place, [*secrets, "ccc", "bbd"], name="words")


def by_place(guess: str, secret: str) -> str:
    """`g` in place, `y` elsewhere in the word, `.` not at all."""
    signs = zip(guess, secret, strict=True)
    return "".join("g" if g == s else "y" if g in secret else "." for g, s in signs)


def spellings() -> Iterator[str]:
    """Every registered strategy, and each of its options once with another value.

    But for a time: what is found within it depends on the machine.
    """
    others = {"True": "false", "False": "true", "all": "candidates", "none": "minimax", "0": "7"}
    for name in names():
        yield name
        factory = type(load(name))
        for option in inspect.signature(factory).parameters.values():
            if option.kind is not option.KEYWORD_ONLY or option.name == "seconds":
                continue
            if name == "sampling" and option.name == "seed":
                continue  # `test_a_seed_decides` is enough of so slow a strategy
            if str(option.default) in others:
                yield f"{name}:{option.name}={others[str(option.default)]}"


@pytest.fixture(scope="module", params=list(spellings()))
def strategy(request: pytest.FixtureRequest) -> Strategy:
    return parse(request.param)


def _played(strategy: Strategy) -> list[Game]:
    """The games of this test that the strategy plays."""
    # its usual options are enough of the larger boards
    slow = "slow" in strategy.card.traits or strategy.card.id == "sampling"
    slow |= ":" in label(strategy) and "fixed" not in strategy.card.traits
    games: list[Game] = []
    some: list[Game] = [words(), *map(mastermind, SMALL if slow else BOARDS)]
    if "fixed" in strategy.card.traits:  # of which one plays no other board
        some.append(mastermind("4x6"))
    for game in some:
        try:
            _ = strategy.begin(game).guess
        except MissingExtraError as error:
            pytest.skip(str(error))
        except StrategyError as error:
            assert game.name in str(error)
        else:
            games.append(game)
    assert games, f"{strategy.card.id} plays none of the games"
    return games


def some_secrets(game: Game, count: int = 30) -> list[int]:
    """All secrets of a small game, else a sample."""
    random = np.random.default_rng(game.n_secrets)
    return sorted(random.permutation(game.n_secrets)[:count].tolist())


def mark_of(game: Game, guess: Any, secret: Any) -> Any:
    """The mark, by the slow twin where the game is a board."""
    if isinstance(game, Mastermind):
        return Mark(*naive.mark(guess, secret, black_only=game.rules.black))
    return game.mark_of(guess, secret)


def winning(game: Game) -> Any:
    return game.mark(game.winning)


def _play(strategy: Strategy, game: Game, secret: Any) -> list[tuple[Any, Any]]:
    """The turns of one game."""
    turns: list[tuple[Any, Any]] = []
    decision = strategy.begin(game)
    while len(turns) < 60:
        mark = mark_of(game, decision.guess, secret)
        turns.append((decision.guess, mark))
        if mark == winning(game):
            return turns
        decision = decision.after(mark)
    raise AssertionError(f"{label(strategy)} does not find {secret} in {turns}")


# worked out once for all tests of a strategy
played: Callable[..., list[Game]] = cache(_played)
play: Callable[..., list[tuple[Any, Any]]] = cache(_play)


def test_the_card_introduces_it(strategy: Strategy) -> None:
    card = strategy.card
    assert card.id in names()
    assert card.traits <= TRAITS
    assert card.name and card.authors and card.source
    assert card.year is None or 1900 < card.year < 2100
    assert len(card.about) > 80 and card.about.endswith(".") and "\n" not in card.about
    assert label(parse(label(strategy))) == label(strategy)


def test_every_secret_is_found_with_legal_guesses(strategy: Strategy) -> None:
    for game in played(strategy):
        tree = build(strategy, game)
        depths = tree.depths()
        assert depths.min() >= 1
        for number in some_secrets(game):
            secret = game.secret(number)
            turns = play(strategy, game, secret)
            assert turns[-1][0] == secret
            assert len(turns) == depths[number]
            for guess, _ in turns:
                assert game.guess(game.guess_number(guess)) == guess


def test_a_tree_is_the_same_compiled_or_played(strategy: Strategy) -> None:
    for game in played(strategy):
        by_hand = play_out(strategy, game)
        copy = pickle.loads(pickle.dumps(strategy))
        trees = [build(copy, game).nodes, compile_tree(strategy, game, threads=2)]
        for nodes in filter(None, trees):
            for array, expected in zip(nodes, by_hand, strict=True):
                assert array.dtype == expected.dtype
                assert (array == expected).all()


def test_replaying_gives_the_same_guesses_and_decisions_never_change(strategy: Strategy) -> None:
    for game in played(strategy):
        for number in some_secrets(game, 5):
            secret = game.secret(number)
            turns = play(strategy, game, secret)
            decision: Decision = strategy.begin(game)
            decisions = [decision]
            for _, mark in turns[:-1]:
                decision = decision.after(mark)
                decisions.append(decision)
            # asked last first, and again after each went on to another mark
            expected = [guess for guess, _ in turns]
            assert [earlier.guess for earlier in reversed(decisions)] == expected[::-1]
            for earlier in decisions:
                for number in range(game.n_marks):
                    go_on(earlier, game.mark(number))
            assert [earlier.guess for earlier in decisions] == expected
            for earlier, (_, mark), guess in zip(decisions, turns, expected[1:], strict=False):
                assert earlier.after(mark).guess == guess


def go_on(decision: Decision, mark: Any) -> Any:
    """The next guess, None where the mark is contradictory."""
    try:
        return decision.after(mark).guess
    except ContradictionError:
        return None


def test_marks_that_no_secret_gives_are_refused(strategy: Strategy) -> None:
    for game in played(strategy):
        for number in some_secrets(game, 5):
            candidates = [game.secret(k) for k in range(game.n_secrets)]
            secret = game.secret(number)
            decision = strategy.begin(game)
            while True:
                guess = decision.guess
                parts = naive.partition(guess, candidates, partial(mark_of, game))
                for mark in map(game.mark, range(game.n_marks)):
                    if mark not in parts:
                        assert refuses(strategy, decision, game, mark), (game.name, guess, mark)
                mark = mark_of(game, guess, secret)
                if mark == winning(game):
                    break
                candidates = parts[mark]
                decision = decision.after(mark)


def refuses(strategy: Strategy, decision: Decision, game: Game, mark: Any) -> bool:
    """Whether a contradictory mark is refused.

    At once; but a strategy that needs no list of candidates to choose among may notice it later,
    and takes the winning mark as said.
    """
    patience = 0
    if "unlisted" in strategy.card.traits and "consistent" not in strategy.card.traits:
        if mark == winning(game):
            return True
        patience = 100
    try:
        for _ in range(patience + 1):
            decision = decision.after(mark)
            _ = decision.guess
            mark = game.mark(0)
    except ContradictionError:
        return True
    return False


def test_what_is_no_mark_is_refused(strategy: Strategy) -> None:
    for game in played(strategy):
        for nonsense in ((9, 9), "XYZ", None):
            with pytest.raises(MarkError):
                _ = strategy.begin(game).after(nonsense).guess


def test_traits_are_true(strategy: Strategy) -> None:
    traits = strategy.card.traits
    games = played(strategy)
    assert ("words" in [game.name for game in games]) == ("any-game" in traits)
    for game in games:
        for number in some_secrets(game, 8):
            secret = game.secret(number)
            turns = play(strategy, game, secret)
            if "consistent" in traits or options_of(strategy).get("guesses") == "candidates":
                for k, (guess, _) in enumerate(turns):
                    for earlier, mark in turns[:k]:
                        assert mark_of(game, earlier, guess) == mark
            if "fixed" in traits:
                # until the code is announced, which ends the game
                first = play(strategy, game, game.secret(0))
                for (guess, _), (same, _) in zip(turns[:-1], first[:-1], strict=False):
                    assert guess == same


def test_unlisted_boards(strategy: Strategy) -> None:
    if "unlisted" not in strategy.card.traits:
        with pytest.raises((StrategyError, TooLargeError)):
            _ = strategy.begin(mastermind("16x26")).guess
        return
    rules = Rules(10, 12)
    turns = []
    decision = strategy.begin(mastermind(rules))
    secret = tuple(range(10))
    for _ in range(3):
        guess = check_code(decision.guess, rules)
        turns.append((guess, mark := Mark(*naive.mark(guess, secret))))
        decision = decision.after(mark)
    again = strategy.begin(mastermind(rules))
    for guess, mark in turns:
        assert again.guess == guess
        again = again.after(mark)


@pytest.mark.parametrize("name", [name for name in names() if "random" in load(name).card.traits])
def test_a_seed_decides(name: str) -> None:
    # a board on which a strategy that draws candidates does not meet them all
    game = mastermind("6x12" if "unlisted" in load(name).card.traits else "3x4")
    games = []
    for seed in (0, 0, 1):
        decision = load(name, seed=seed).begin(game)
        for mark in (Mark(0, 1), Mark(1, 0)):
            decision = decision.after(mark)
        games.append(decision.guess)
    assert games[0] == games[1] != games[2]
