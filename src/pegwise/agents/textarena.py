"""Games in words for TextArena: `textarena.make("pegwise/Codebreaker-v0", game="4x6")`.

The import of this module registers the environment. An answer that is no guess never earns
anything; the reward of a game is the sum of the rewards of its guesses.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

from pegwise.agents.text import MAX_FAULTS, MAX_GUESSES, Reward, TextEnvironment, text_environment
from pegwise.errors import MissingExtraError

try:
    import textarena
except ImportError:
    raise MissingExtraError.of("games in words for TextArena", "agents") from None

ID: Final = "pegwise/Codebreaker-v0"
_MOST: Final = 2**32  # seeds that are drawn where none is given


class TextArenaGame(textarena.Env):  # type: ignore[misc] # TextArena has no types
    """One game; arguments as `pegwise.text_environment`.

    The attribute `game` is the game in words, after `reset`.
    """

    def __init__(
        self,
        game: str = "4x6",
        *,
        reward: Reward = "solved",
        max_guesses: int = MAX_GUESSES,
        max_faults: int = MAX_FAULTS,
    ) -> None:
        super().__init__()
        self._options: dict[str, Any] = {
            "game": game,
            "reward": reward,
            "max_guesses": max_guesses,
            "max_faults": max_faults,
        }
        self.game: TextEnvironment = text_environment(seed=0, **self._options)

    def reset(self, num_players: int = 1, seed: int | None = None) -> None:
        """Begin a game; the same seed hides the same secret, whatever was played before."""
        number = secrets.randbelow(_MOST) if seed is None else seed
        self.game = text_environment(seed=number, **self._options)
        # not the seed, with which TextArena would set the random numbers of the whole process
        self.state = textarena.SinglePlayerState(num_players=num_players)
        self.state.reset(
            game_state={"seed": number},
            player_prompt_function=lambda player_id, game_state: self.game.task,  # noqa: ARG005
        )

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Take an answer."""
        kinds = textarena.ObservationType
        self.state.add_observation(
            from_id=self.state.current_player_id,
            message=action,
            observation_type=kinds.PLAYER_ACTION,
        )
        answered = self.game.answer(action)
        self.state.step_info["kind"] = answered.kind
        self.state.step_info["reward"] = answered.reward
        if answered.over:
            self.state.set_outcome(reward=self.game.total, reason=answered.text)
            self.state.game_info[0]["invalid_move"] = answered.kind != "guess"
            self.state.game_info[0] |= self.game.document()
        else:
            kind = kinds.GAME_ACTION_DESCRIPTION if answered.kind == "guess" else kinds.GAME_ADMIN
            self.state.add_observation(message=answered.text, observation_type=kind)
        done: tuple[bool, dict[str, Any]] = self.state.step()
        return done


class Observed(textarena.wrappers.LLMObservationWrapper):  # type: ignore[misc]
    """The whole conversation at each turn, which begins anew with each game."""

    def reset(self, num_players: int = 1, seed: int | None = None) -> None:
        """Begin a game, without what was said in the one before."""
        self.full_observations.clear()
        super().reset(num_players=num_players, seed=seed)


textarena.register(id=ID, entry_point=TextArenaGame, default_wrappers=[Observed])
