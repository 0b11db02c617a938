"""An agent that learns to play 3x4 from rewards alone, with NumPy.

    python agent.py                                            # train it: writes agent.json
    pegwise race 3x4 -s agent.py -s random -s first -s optimal

It rates each guess by how it splits the codes that are still possible, and plays the best one. What
the parts of a split are worth is learned: the cross-entropy method draws weights, lets each play
some hundred games, and goes on from those with the highest reward.
"""

import json
from pathlib import Path

import numpy as np

import pegwise

FILE = Path(__file__).with_name("agent.json")


class Policy:
    """Rates the guesses of a game in many positions at once."""

    def __init__(self, game):
        marks = game.table[:, :, None] == np.arange(game.n_marks)
        self.marks = marks.transpose(1, 0, 2).reshape(game.n_secrets, -1).astype(np.float32)
        self.shape = game.n_guesses, game.n_marks

    def best(self, possible, weights):
        """The number of the best guess for each row of `possible`, bool (positions, secrets)."""
        sizes = (possible @ self.marks).reshape(len(possible), *self.shape)
        share = sizes / possible.sum(axis=1)[:, None, None]
        features = np.stack(
            [
                (sizes > 0).sum(axis=2) / self.shape[1],  # how many parts
                share.max(axis=2),  # the largest part
                (share**2).sum(axis=2),  # the expected part
                possible.astype(float),  # whether the guess may be the code
            ],
            axis=2,
        )
        return (features @ weights).argmax(axis=1)


def train(rules="3x4", generations=15, population=24, games=256, seed=1):
    """Learn the weights, and write them."""
    import gymnasium

    import pegwise.environment  # registers the environment

    rng = np.random.default_rng(seed)
    envs = gymnasium.make_vec("pegwise/Codebreaker-v0", num_envs=games, game=rules)
    policy = Policy(pegwise.game_of(rules))
    mean, spread = np.zeros(4), np.ones(4)
    for generation in range(generations):
        drawn = rng.normal(mean, spread, (population, 4))
        rewards = []
        for weights in drawn:
            _, info = envs.reset(seed=generation)  # the same codes for all
            total, over = 0.0, np.zeros(games, bool)
            while not over.all():
                actions = policy.best(info["action_mask"], weights)
                _, reward, won, unsolved, info = envs.step(actions)
                total += reward[~over].sum()
                over |= won | unsolved
            rewards.append(total / games)
        best = drawn[np.argsort(rewards)[-6:]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.05
        print(f"generation {generation + 1}: best {-max(rewards):.3f} guesses")
    FILE.write_text(json.dumps(mean.round(4).tolist()))


def agent(game, turns):
    """Play the guess that the trained policy rates best."""
    if not FILE.exists():
        raise FileNotFoundError("the agent is not trained: run 'python agent.py' once")
    possible = np.zeros((1, game.n_secrets), bool)
    numbers = [game.guess_number(code) for code in pegwise.candidates(game, turns)]
    possible[0, game.secret_of_guess[numbers]] = True
    return game.guess(Policy(game).best(possible, np.array(json.loads(FILE.read_text())))[0])


if __name__ == "__main__":
    train()
