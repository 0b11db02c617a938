"""Games in words: what counts as a guess, what is told, and what is rewarded."""

from __future__ import annotations

import json
from typing import Any

import pytest

import pegwise
from pegwise.agents import summary, tasks
from pegwise.knowledge.codemaker import draw_secret
from pegwise.statistics import share_interval


def secret_of(env: pegwise.TextEnvironment) -> str:
    return str(draw_secret(env.game, env.seed))


@pytest.mark.parametrize("game", ["4x6", "wordle", "bulls-and-cows", "4x6,hard", "4x6,slots"])
def test_the_same_seed_hides_the_same_secret(game: str) -> None:
    first, second = (pegwise.text_environment(game, seed=5) for _ in range(2))
    assert first.task == second.task
    told = [env.answer(f"I think [{secret_of(first)}].") for env in (first, second)]
    assert told[0] == told[1]
    assert told[0].over and told[0].reward == 1 and first.solved


def test_the_last_brackets_count() -> None:
    env = pegwise.text_environment("4x6", seed=7)
    told = env.answer("First [ABCD]? No: [1122]")
    assert (told.kind, str(told.guess), str(env.turns[-1])) == ("guess", "AABB", "AABB=XO")
    assert str(env.answer("Let me see.\n**ABAC**").guess) == "ABAC"  # a last line that is a code


@pytest.mark.parametrize(
    ("game", "text", "kind"),
    [
        ("4x6", "", "unread"),
        ("4x6", "I would play something red", "unread"),
        ("4x6", "[]", "unread"),
        ("4x6", "[AABG]", "illegal"),
        ("4x6", "[AAB]", "illegal"),
        ("4x6", "[AA BB CC]", "illegal"),
        ("4x6", "[the code]", "illegal"),
        ("4x6,distinct", "[AABC]", "illegal"),
        ("wordle", "[ZZZZZ]", "illegal"),
        ("wordle", "CRANE is [my guess", "unread"),
        ("4x6", "x" * 200_000, "unread"),
    ],
)
def test_what_is_no_guess_never_counts_as_one(game: str, text: str, kind: str) -> None:
    env = pegwise.text_environment(game, seed=1, max_faults=2)
    told = env.answer(text)
    assert (told.kind, told.reward, told.over, told.guess) == (kind, 0, False, None)
    assert (len(env.turns), env.illegal, env.unread) == (0, kind == "illegal", kind == "unread")
    assert env.answer(text).over
    assert not env.solved and env.total == 0
    assert secret_of(env) in env.document()["secret"].write()
    with pytest.raises(pegwise.InputError):
        env.answer("[AABB]")


def test_hard_rules_are_kept() -> None:
    env = pegwise.text_environment("4x6,hard", seed=0)
    assert env.answer("[AABB]").kind == "guess" and not env.solved
    assert env.answer("[AABB]").kind == "illegal"  # it cannot be the code


@pytest.mark.slow
def test_regrets_add_up_to_what_a_strategy_loses() -> None:
    """Over all secrets: the total of `first` on 3x3, minus the smallest total."""
    tree, best = pegwise.build("3x3", "first"), pegwise.find_optimum("3x3")
    lost, seen = 0.0, set()
    for seed in range(1000):
        env = pegwise.text_environment("3x3", seed=seed, reward="regret")
        secret = secret_of(env)
        if secret in seen:
            continue
        seen.add(secret)
        for turn in pegwise.play("3x3", "first", secret):
            lost -= env.answer(f"[{turn.guess}]").reward
        assert env.solved
    assert len(seen) == 27
    assert lost == pytest.approx(tree.total - best.total)


def test_bits_are_those_of_the_partition() -> None:
    env = pegwise.text_environment("4x6", seed=1, reward="bits")
    assert env.answer("[AABB]").reward == pegwise.Position("4x6").split("AABB").bits


def test_tasks_are_lines_of_json_that_make_the_game_again() -> None:
    for line in map(json.dumps, tasks("bulls-and-cows", [3, 4], reward="bits", max_guesses=7)):
        task: dict[str, Any] = json.loads(line)
        names = ("game", "seed", "reward", "max_guesses", "max_faults")
        env = pegwise.text_environment(**{name: task[name] for name in names})
        assert env.task == task["task"]
        assert "7 guesses" in env.task and secret_of(env) not in line


def test_a_summary_has_wilsons_interval() -> None:
    games = [pegwise.text_environment("2x2", seed=seed) for seed in range(8)]
    for env in games:
        for guess in ("AA", "nothing", "BB"):
            if not env.over:
                env.answer(f"[{guess}]")
    told = summary([games[0], *(env.document() for env in games[1:])])
    solved = sum(env.solved for env in games)
    assert (told["games"], told["solved"]) == (8, solved)
    assert told["illegal"] == sum(secret_of(env) != "AA" for env in games)
    assert told["interval"] == share_interval(solved, 8)


def test_wilsons_interval_as_published() -> None:
    """Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I."""
    for part, games, low, high in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ]:
        ends = share_interval(part, games)
        assert [round(end, 4) for end in ends] == [low, high]
    assert share_interval(5, 5) == pytest.approx((0.5655, 1), abs=1e-4)


@pytest.mark.parametrize(
    "options",
    [
        {"seed": -1},
        {"seed": 1, "max_guesses": 0},
        {"seed": 1, "max_faults": 0},
        {"seed": 1, "reward": "luck"},
        {"seed": 1, "game": "5x8", "reward": "regret"},
        {"seed": 1, "game": pegwise.game_of("2x2", [1, 2, 3, 4])},
    ],
)
def test_what_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(pegwise.PegwiseError):
        pegwise.text_environment(**options)
    with pytest.raises(pegwise.InputError):
        pegwise.text_environment("4x6", seed=1).answer(None)  # type: ignore[arg-type]
