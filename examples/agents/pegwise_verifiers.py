"""Mastermind and games like it for the package `verifiers`: tasks, and the game that answers.

    vf-eval pegwise_verifiers --env.taskset.game 4x6 --env.taskset.games 100

It is run from the folder of this file. Every task has a seed, and so its secret. An answer that is
no guess is counted, and never rewarded.
"""

import verifiers.v1 as vf

import pegwise

__all__ = ["CodebreakerEnv", "CodebreakerTaskset"]


class CodebreakerConfig(vf.TasksetConfig):
    """Which games are played; the other fields as `pegwise.text_environment` has them."""

    game: str = "4x6"
    games: int = 100
    first_seed: int = 0
    reward: str = "solved"
    max_guesses: int = 10
    max_faults: int = 5


class CodebreakerData(vf.TaskData):
    """What makes the same game again."""

    options: dict


class CodebreakerTask(vf.Task[CodebreakerData, vf.State, vf.TaskConfig]):
    """One game."""

    def begin(self):
        return pegwise.text_environment(**self.data.options)


class CodebreakerTaskset(vf.Taskset[CodebreakerTask, CodebreakerConfig]):
    """One game for each seed."""

    def load(self):
        names = ("game", "reward", "max_guesses", "max_faults")
        options = {name: getattr(self.config, name) for name in names}
        first = self.config.first_seed
        for seed in range(first, first + self.config.games):
            game = pegwise.text_environment(seed=seed, **options)
            data = CodebreakerData(
                name=f"{game.game}#{seed}", prompt=game.task, options={**options, "seed": seed}
            )
            yield CodebreakerTask(data, self.config.task)


class CodebreakerEnvConfig(vf.EnvConfig):
    """The one player."""

    player: vf.AgentConfig = vf.AgentConfig()


class CodebreakerEnv(vf.Env[CodebreakerEnvConfig]):
    """The game answers as the user of the conversation would."""

    async def run(self, task, agents):
        game = task.begin()
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                told = game.answer(segment.last_reply or "")
                if told.over:
                    break
                segment = await interaction.turn(told.text)
        trace = interaction.trace
        trace.record_reward(game.reward, game.total, 1.0)
        trace.record_metrics(
            {
                "solved": float(game.solved),
                "guesses": float(len(game.turns)),
                "illegal": float(game.illegal),
                "unread": float(game.unread),
            }
        )
