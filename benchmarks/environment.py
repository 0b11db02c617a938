"""Environments for learning agents: steps a second, one core.

    python -m benchmarks.environment [--textarena PYTHON] [--steps N]

With `--textarena`, an interpreter that has the package textarena, its Mastermind of the same board
is stepped in the same minute, one game at a time, with guesses drawn alike, before the clock
runs. Processor times.
"""

from __future__ import annotations

import argparse
import subprocess
import time

import gymnasium
import numpy as np

import pegwise.environment  # noqa: F401 (registers the environment)

__all__ = ["PEER", "many", "one"]

PEER = """
import random, sys, time
from textarena.envs.Mastermind.env import MastermindEnv

steps = int(sys.argv[1])
env = MastermindEnv(duplicate_numbers=True, max_turns=10)
code = lambda: " ".join(str(random.randint(1, 6)) for _ in range(4))
guesses = [f"[{code()}]" for _ in range(steps)]
begun, over = time.process_time(), True
for guess in guesses:
    if over:
        env.reset(num_players=1)
    over, _ = env.step(guess)
print(steps / (time.process_time() - begun))
"""


def many(rules: str, count: int, steps: int) -> float:
    """Steps a second of so many games side by side, all games counted."""
    envs = gymnasium.make_vec("pegwise/Codebreaker-v0", num_envs=count, game=rules)
    rng = np.random.default_rng(0)
    guesses = rng.integers(0, envs.single_action_space.n, (16, count))  # type: ignore[attr-defined]
    envs.reset(seed=0)
    rounds = max(1, steps // count)
    begun = time.process_time()
    for k in range(rounds):
        envs.step(guesses[k % 16])
    return rounds * count / (time.process_time() - begun)


def one(rules: str, steps: int) -> float:
    """Steps a second of one game, as `gymnasium.make` makes it."""
    env = gymnasium.make("pegwise/Codebreaker-v0", game=rules)
    guesses = np.random.default_rng(0).integers(0, env.action_space.n, steps).tolist()  # type: ignore[attr-defined]
    begun, over = time.process_time(), True
    for guess in guesses:
        if over:
            env.reset()
        *_, won, unsolved, _ = env.step(guess)
        over = won or unsolved
    return steps / (time.process_time() - begun)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.environment", description=__doc__)
    parser.add_argument("--textarena", help="an interpreter that has the package")
    parser.add_argument("--steps", type=int, default=1_000_000)
    arguments = parser.parse_args()
    single = one("4x6", 100_000)
    print(f"4x6, 4,096 games at once: {many('4x6', 4096, arguments.steps):,.0f} steps a second")
    print(f"4x6, one game: {single:,.0f} steps a second")
    if arguments.textarena:
        command = [arguments.textarena, "-c", PEER, "20000"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        print(f"textarena beside it, one game: {float(done.stdout):,.0f} steps a second")


if __name__ == "__main__":
    main()
