"""Environments for learning agents: one game and many, against plain marking and best play."""

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import pegwise
import pegwise.environment
from pegwise.errors import InputError, TooLargeError, UnknownNameError
from pegwise.game import FiniteGame, GameLike, Rules, WordList, game_of, parse_code
from pegwise.game.names import word_game
from tests import naive

ID = "pegwise/Codebreaker-v0"


def between() -> FiniteGame:
    """A number from 0 to 8, higher or lower; 7 is hidden twice as often as 3, others never."""
    numbers = range(9)
    table = [[(secret > guess) - (secret < guess) for secret in numbers] for guess in numbers]
    return FiniteGame(numbers, table, weights=[0, 0, 0, 1, 0, 0, 0, 2, 0])


@pytest.mark.filterwarnings("error::UserWarning")
@pytest.mark.parametrize(
    "rules", ["3x4", "2x3,blank", "3x3,black", "3x4,placed", "2x3,distinct-secrets", between()]
)
def test_gymnasium_finds_nothing_wrong(rules: GameLike) -> None:
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make(ID, game=rules, render_mode="ansi").unwrapped
    check_env(env, skip_render_check=True)


def played(envs: Any, steps: int, seed: int) -> list[tuple[Any, ...]]:
    """What some random guesses of many games give; the guesses come first."""
    rng = np.random.default_rng(seed)
    observations, info = envs.reset(seed=seed)
    history = [(None, observations, None, None, None, info)]
    for _ in range(steps):
        actions = rng.integers(0, envs.single_action_space.n, envs.num_envs)
        history.append((actions, *envs.step(actions)))
    return history


@pytest.mark.parametrize("text", ["3x3", "2x4,blank", "3x3,placed", "3x4,distinct-secrets,black"])
def test_marks_and_masks_are_the_plain_ones(text: str) -> None:
    rules = Rules.parse(text)
    game = game_of(rules)
    envs = gymnasium.make_vec(ID, num_envs=6, game=text, max_guesses=4)
    over = np.ones(6, np.bool_)
    turns: list[list[Any]] = [[] for _ in range(6)]
    for actions, observations, rewards, won, unsolved, info in played(envs, 25, 5):
        for k in range(6):
            if over[k]:
                turns[k] = []
                assert (observations[k] == -1).all()
                assert rewards is None or rewards[k] == 0
            else:
                turns[k].append(game.guess(int(actions[k])))
                assert rewards[k] == -1
            guesses, marks = observations[k, :, : rules.pegs], observations[k, :, rules.pegs :]
            n = len(turns[k])
            assert (observations[k, n:] == -1).all()
            shown = [[min(peg, rules.colors) for peg in guess] for guess in turns[k]]
            assert guesses[:n].tolist() == shown
            # the candidates are the secrets that give every mark of the game so far
            fit = [
                all(
                    tuple(mark) == tuple(game.mark_of(guess, game.secret(secret)))
                    for guess, mark in zip(turns[k], marks[:n].tolist(), strict=True)
                )
                for secret in range(game.n_secrets)
            ]
            mask = info["action_mask"][k]
            assert mask[game.guess_of_secret].tolist() == fit
            assert mask.sum() == sum(fit) >= 1
            if won is not None:
                solved = n > 0 and marks[n - 1].tolist() == list(game.mark(game.winning))
                assert (won[k], unsolved[k]) == (solved, n == 4 and not solved)
        over = np.zeros(6, np.bool_) if won is None else won | unsolved


@pytest.mark.parametrize(
    ("rules", "reward"),
    [
        ("3x3", "regret"),
        ("2x4,blank", "guesses"),
        ("3x3,placed", "guesses"),
        (between(), "guesses"),
    ],
)
def test_one_game_is_one_of_many(rules: GameLike, reward: Any) -> None:
    given: dict[str, Any] = {"game": rules, "reward": reward, "max_guesses": 3}
    env: Any = gymnasium.make(ID, **given)
    envs: Any = gymnasium.make_vec(ID, num_envs=1, **given)
    rng = np.random.default_rng(1)
    observation, info = env.reset(seed=4)
    several, infos = envs.reset(seed=4)
    over, ends = False, set()
    for _ in range(60):
        assert np.array_equal(observation, several[0])
        assert np.array_equal(info["action_mask"], infos["action_mask"][0])
        action = int(rng.integers(env.action_space.n))
        several, rewards, won, unsolved, infos = envs.step(np.array([action]))
        if over:  # the vectorized form begins anew in a step of its own
            number = int(envs.unwrapped.episodes.secrets[0])
            secret = env.unwrapped.episodes.game.secret(number)
            observation, info = env.reset(options={"secret": secret})
            over = False
            continue
        observation, *done, info = env.step(action)
        assert done == [rewards[0], won[0], unsolved[0]]
        over = bool(won[0] or unsolved[0])
        ends.add((bool(won[0]), bool(unsolved[0])))
    assert ends == {(False, False), (True, False), (False, True)}


@pytest.mark.parametrize("action", [-1, 27, 0.5, None, "0"])
def test_an_action_that_is_no_guess_is_refused(action: Any) -> None:
    env = gymnasium.make(ID, game="3x3").unwrapped
    before, _ = env.reset(seed=0)
    with pytest.raises(InputError):
        env.step(action)
    assert (before == -1).all()


def test_marks_on_4x6_by_the_slow_twin() -> None:
    envs: Any = gymnasium.make_vec(ID, num_envs=40, game="4x6")
    *_, (_, observations, *_) = played(envs, 8, 1)
    episodes = envs.unwrapped.episodes
    secrets = [episodes.game.secret(number) for number in episodes.secrets]
    for secret, rows in zip(secrets, observations.tolist(), strict=True):
        for *guess, black, white in (row for row in rows if row[0] >= 0):
            assert naive.mark(guess, secret) == (black, white)


def test_the_same_seed_gives_the_same_episodes() -> None:
    first, second, other = (
        played(gymnasium.make_vec(ID, num_envs=50, game="2x3"), 12, seed) for seed in (3, 3, 4)
    )
    for a, b in zip(first, second, strict=True):
        assert all(np.array_equal(x, y) for x, y in zip(a[1:5], b[1:5], strict=True))
    assert any((a[1] != c[1]).any() for a, c in zip(first, other, strict=True))


@pytest.mark.parametrize("strategy", ["first", "knuth", "optimal", "marechal-rastoix-3"])
def test_regret_adds_up_to_what_a_strategy_loses(strategy: str) -> None:
    tree, best = pegwise.build("3x3", strategy), pegwise.find_optimum("3x3").tree
    env = gymnasium.make(ID, game="3x3", reward="regret", max_guesses=20)
    lost = 0.0
    for number in range(27):
        secret = tree.game.secret(number)
        env.reset(options={"secret": secret})
        for turn in pegwise.play("3x3", strategy, secret):
            *_, info = done = env.step(tree.game.guess_number(turn.guess))
            lost -= float(done[1])
        assert (done[2], info["secret"]) == (True, number)
    assert lost == pytest.approx(tree.total - best.total)


def test_secrets_follow_their_weights() -> None:
    envs: Any = gymnasium.make_vec(ID, num_envs=3000, game=between())
    envs.reset(seed=0)
    numbers, counts = np.unique(envs.unwrapped.episodes.secrets, return_counts=True)
    assert numbers.tolist() == [3, 7]
    assert 900 < counts[0] < 1100


def test_words() -> None:
    words = WordList.of("few", ["crane", "trace", "abbey"])
    env = gymnasium.make(ID, game=word_game(words, marks="placed"), max_guesses=6)
    env.reset(options={"secret": "crane"})
    observation, reward, *_, info = env.step(1)
    letters = "".join(words.letters[number] for number in observation[0, :5])
    assert (letters, observation[0, 5:].tolist(), reward) == ("TRACE", [0, 2, 2, 1, 2], -1)
    assert info["action_mask"].tolist() == [True, False, False]


@pytest.mark.slow
def test_codes_and_marks_of_a_game_in_a_file_are_numbers(tmp_path: Path) -> None:
    text = """
from pegwise import FiniteGame

game = FiniteGame(["ab", "abc", "b"], lambda g, s: "right" if g == s else len(s))
"""
    path = tmp_path / "own.py"
    path.write_text(text)
    env = gymnasium.make(ID, game=str(path), max_guesses=6)
    game = game_of(str(path))
    env.reset(options={"secret": "abc"})
    observation, *_ = env.step(2)
    assert observation[0].tolist() == [2, game.mark_number("3")]


def test_a_game_that_is_over_goes_no_further() -> None:
    env = gymnasium.make(ID, game="2x2", max_guesses=1)
    env.reset(options={"secret": parse_code("AB", "2x2")})
    *_, unsolved, info = env.step(0)
    assert (unsolved, info["secret"]) == (True, 1)
    with pytest.raises(InputError):
        env.step(1)


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"game": "4x"}, InputError),
        ({"max_guesses": 0}, InputError),
        ({"max_guesses": 2.5}, InputError),
        ({"reward": "wins"}, UnknownNameError),
        ({"game": "9x9"}, TooLargeError),
        ({"game": "5x8", "reward": "regret"}, TooLargeError),
        ({"game": between(), "reward": "regret"}, TooLargeError),
    ],
)
def test_what_is_refused(options: dict[str, Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        gymnasium.make(ID, **options)
    with pytest.raises(error):
        gymnasium.make_vec(ID, num_envs=2, **options)


@pytest.mark.slow
def test_gymnasium_imports_the_module_that_is_named_with_the_environment() -> None:
    program = f"import gymnasium; print(gymnasium.make('{pegwise.environment.__name__}:{ID}'))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "Codebreaker" in done.stdout, done.stderr


@pytest.mark.parametrize("actions", [[0, 81], [-1, 0], [0], [0.5, 1.0]])
def test_actions_that_are_no_guesses_are_refused(actions: list[Any]) -> None:
    envs = gymnasium.make_vec(ID, num_envs=2, game="4x3")
    before, _ = envs.reset(seed=random.Random(0).randrange(9))
    with pytest.raises(InputError):
        envs.step(np.array(actions))
    assert (before == -1).all()
