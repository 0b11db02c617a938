"""An environment for learning agents: a game of Mastermind, or many games at once.

    import gymnasium
    import pegwise.environment

    env = gymnasium.make("pegwise/Codebreaker-v0", game="4x6")
    envs = gymnasium.make_vec("pegwise/Codebreaker-v0", num_envs=4096, game="4x6")

The import registers the environment; `pegwise.environment:pegwise/Codebreaker-v0` makes Gymnasium
import it. An action is the number of a guess, as `Game.guess` counts
them. An episode is one game: it terminates with the winning guess, and is truncated after
`max_guesses` guesses. docs/tutorials/agents.md trains an agent.
"""

from __future__ import annotations

from functools import cached_property
from operator import index
from typing import Any, Final, Literal, cast

import numpy as np

from pegwise.arrays import F64, I16, I64, U8, Bools, MarkNumbers
from pegwise.errors import (
    InputError,
    MissingExtraError,
    Phrase,
    UnknownNameError,
    check_whole,
    quoted,
)
from pegwise.game import HOLE, Game, GameLike, Turn, game_of
from pegwise.search.exact.position import check_solved, regret

try:
    import gymnasium
    from gymnasium.spaces import Box, Discrete, MultiDiscrete
    from gymnasium.vector import AutoresetMode, VectorEnv
except ImportError:
    raise MissingExtraError.of("an environment for agents", "gym") from None

ID: Final = "pegwise/Codebreaker-v0"
MAX_GUESSES: Final = 10
REWARDS: Final = ("guesses", "regret")
Reward = Literal["guesses", "regret"]

_UNPLAYED: Final = -1
_MAX_BITS: Final = 1 << 26  # bytes of a table of the secrets that agree with a turn


class Episodes:
    """Games that are played side by side, each with its own secret.

    Args:
        game: what is played: a game, or its rules as text.
        count: number of games.
        max_guesses: guesses allowed in each, the winning one included.
        reward: `guesses` for -1 a guess; `regret` for minus the guesses by which the guess
            exceeds best play, on average over the secrets that are still possible. Regret needs
            positions that are solved exactly: boards and words with at most some 2500 secrets.

    Attributes:
        game: what is played.
        turns: int64 (count), guesses played so far.
        won: bool (count), whether the secret has been found.
        secrets: int64 (count), numbers of the secrets.
        observations: int16 (count, max_guesses, width), a row for each turn: the guess, then its
            mark; -1 where nothing is played. Of a board the guess is one number for each peg, its
            color from 0, or the number of colors for a hole, and the mark is black and white, or
            with marks by place one number for each peg: 0 absent, 1 elsewhere, 2 right. Of words
            the guess is one number for each letter, its place in the list's alphabet. Of any other
            game the guess is its number, and so is the mark.
        candidates: uint8 (count, ceil(n_secrets / 8)), a bit for each secret that agrees with the
            marks so far, the first secret in the highest bit.

    Raises:
        InputError: numbers out of range, an unknown reward, or no game.
        TooLargeError: the marks of the game do not fit in memory.
    """

    def __init__(
        self, game: Game, count: int, *, max_guesses: int, reward: Reward = "guesses"
    ) -> None:
        for name, number in (("num_envs", count), ("max_guesses", max_guesses)):
            check_whole(name, number, 1)
        if reward not in REWARDS:
            raise UnknownNameError.of("reward", str(reward), REWARDS)
        self.game = game
        self.game.refuse_hard(Phrase("agents cannot play"))
        if reward == "regret":
            check_solved(self.game)
        self.reward, self.max_guesses = reward, max_guesses
        self._guesses, self._marks, self.high = _observations(self.game)
        shape = (count, max_guesses, self._guesses.shape[1] + self._marks.shape[1])
        self.turns = np.zeros(count, np.int64)
        self.won: Bools = np.zeros(count, np.bool_)
        self.secrets = np.zeros(count, np.int64)
        self.observations: I16 = np.full(shape, _UNPLAYED, np.int16)
        self._everything: U8 = np.packbits(np.ones(self.game.n_secrets, np.bool_))
        self.candidates: U8 = np.tile(self._everything, (count, 1))
        self._table = self.game.table
        self._regrets: dict[tuple[bytes, int], float] = {}

    def begin(self, which: I64, rng: np.random.Generator) -> None:
        """Begin these games anew, each with a secret drawn as its weight says."""
        game = self.game
        if game.weights is None:
            self.secrets[which] = rng.integers(0, game.n_secrets, len(which))
        else:
            ends = np.cumsum(game.weights)
            drawn = rng.integers(0, ends[-1], len(which))
            self.secrets[which] = np.searchsorted(ends, drawn, side="right")
        self.turns[which] = 0
        self.won[which] = False
        self.observations[which] = _UNPLAYED
        self.candidates[which] = self._everything

    def play(self, guesses: I64) -> tuple[F64, Bools, Bools]:
        """Play one guess in each game; rewards, which games are won, which are over unsolved.

        Games that are over do not change, and their reward is 0.

        Args:
            guesses: int64 (count), numbers of the guesses.
        """
        if not np.issubdtype(guesses.dtype, np.integer) or guesses.shape != self.turns.shape:
            raise InputError(
                "actions {actions}: give {count} numbers of guesses",
                actions=quoted(guesses.tolist()),
                count=len(self.turns),
            )
        if guesses.min() < 0 or guesses.max() >= self.game.n_guesses:
            wrong = guesses[(guesses < 0) | (guesses >= self.game.n_guesses)][0]
            raise self._no_guess(int(wrong))
        active = self.active()
        marks = self._table[guesses, self.secrets]
        rewards = np.where(active, -1.0, 0.0)
        if self.reward == "regret":
            rewards[active] = self._regret(np.flatnonzero(active), guesses[active])
        rows, turns = np.flatnonzero(active), self.turns[active]
        width = self._guesses.shape[1]
        self.observations[rows, turns, :width] = self._guesses[guesses[active]]
        self.observations[rows, turns, width:] = self._marks[marks[active]]
        self.candidates &= np.where(active[:, None], self._agreeing(guesses, marks), 255)
        self.turns += active
        won = active & (marks == self.game.winning)
        self.won |= won
        return rewards, won, active & ~won & (self.turns == self.max_guesses)

    def play_first(self, action: Any) -> tuple[float, bool, bool]:
        """Play one guess in the first game, which goes on: as `play`, without its arrays."""
        try:
            guess = index(action)
        except TypeError:
            raise self._no_guess(action) from None
        if not 0 <= guess < self.game.n_guesses:
            raise self._no_guess(guess)
        reward = -1.0
        if self.reward == "regret":
            (reward,) = self._regret(np.zeros(1, np.int64), np.array([guess]))
        mark, turn = self._table.item(guess, self.secrets.item(0)), self.turns.item(0)
        row, width = self.observations[0, turn], self._guesses.shape[1]
        row[:width] = self._guesses[guess]
        row[width:] = self._marks[mark]
        possible, bits = self.candidates[0], self._bits
        possible &= np.packbits(self._table[guess] == mark) if bits is None else bits[guess, mark]
        self.turns[0] = turn + 1
        self.won[0] = won = mark == self.game.winning
        return reward, won, not won and turn + 1 == self.max_guesses

    def _no_guess(self, action: object) -> InputError:
        return InputError(
            "action {action}: a guess has a number from 0 to {last}",
            action=quoted(action),
            last=self.game.n_guesses - 1,
        )

    def active(self) -> Bools:
        """Which games go on: neither won nor at the end of their guesses."""
        active: Bools = ~self.won & (self.turns < self.max_guesses)
        return active

    @cached_property
    def _bits(self) -> U8 | None:
        """The secrets that agree with each mark of each guess, as bits; None if they are many."""
        game = self.game
        if game.n_guesses * game.n_marks * len(self._everything) > _MAX_BITS:
            return None
        marks = range(game.n_marks)
        return np.stack([np.packbits(self._table == mark, axis=1) for mark in marks], axis=1)

    def _agreeing(self, guesses: I64, marks: MarkNumbers) -> U8:
        """The secrets that agree with each of these turns, as `candidates`."""
        if self._bits is None:
            return np.packbits(self._table[guesses] == marks[:, None], axis=1)
        return self._bits[guesses, marks]

    def masks(self, which: int | slice = slice(None)) -> Bools:
        """Bool (count, n_guesses): the guesses that are candidates; (n_guesses) of one game."""
        game, candidates = self.game, self.candidates[which]
        axis = candidates.ndim - 1 or None  # None, of one game, takes half the time of 0
        possible = np.unpackbits(candidates, axis=axis, count=game.n_secrets).view(np.bool_)
        if game.n_guesses == game.n_secrets:
            return possible
        masks = np.zeros((*possible.shape[:-1], game.n_guesses), np.bool_)
        masks[..., game.guess_of_secret] = possible
        return masks

    def history(self, number: int) -> list[Turn]:
        """The turns of a game."""
        game, turns = self.game, []
        width = self._guesses.shape[1]
        for row in self.observations[number, : self.turns[number]]:
            guess = int((self._guesses == row[:width]).all(axis=1).argmax())
            mark = int((self._marks == row[width:]).all(axis=1).argmax())
            turns.append(Turn(game.guess(guess), game.mark(mark)))
        return turns

    def _regret(self, active: I64, guesses: I64) -> list[float]:
        """Minus the guesses by which each guess exceeds best play."""
        regrets = []
        for number, guess in zip(active.tolist(), guesses.tolist(), strict=True):
            key = self.candidates[number].tobytes(), guess
            if key not in self._regrets:
                self._regrets[key] = self._solve(number, guess)
            regrets.append(self._regrets[key])
        return regrets

    def _solve(self, number: int, guess: int) -> float:
        return -regret(self.game, self.history(number), self.game.guess(guess))


def _observations(game: Game) -> tuple[I16, I16, int]:
    """The guesses and the marks of a game as rows of observations, and the largest number."""
    if game.marking.listed:  # any values, which only the game knows
        numbers = np.arange(max(game.n_guesses, game.n_marks), dtype=np.int16)[:, None]
        rows = numbers[: game.n_guesses], numbers[: game.n_marks]
    else:
        of_sign = {sign: number for number, sign in enumerate(game.alphabet.signs)}
        of_sign[HOLE] = len(of_sign)
        signs = [[of_sign[sign] for sign in game.guess(k)] for k in range(game.n_guesses)]
        marks = game.marking.to_rows(map(game.mark, range(game.n_marks)))
        rows = np.array(signs, np.int16), marks.astype(np.int16)
    return *rows, max(int(array.max()) for array in rows)


class Codebreaker(gymnasium.Env[I16, np.int64]):
    """One game an episode; arguments as `Episodes`.

    Observations are int16 (max_guesses, width) and `info["action_mask"]` is bool (n_guesses), the
    guesses that are candidates. At the end `info["secret"]` is the number of the secret. The
    attribute `episodes` holds the game and its turns.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 (as the base class has it)

    def __init__(
        self,
        game: GameLike = "4x6",
        *,
        max_guesses: int = MAX_GUESSES,
        reward: Reward = "guesses",
        render_mode: str | None = None,
    ) -> None:
        self.episodes = episodes = Episodes(
            game_of(game), 1, max_guesses=max_guesses, reward=reward
        )
        self.render_mode = render_mode
        self.action_space = cast(Any, Discrete(episodes.game.n_guesses))
        shape = episodes.observations.shape[1:]
        self.observation_space = cast(Any, Box(_UNPLAYED, episodes.high, shape, np.int16))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[I16, dict[str, Any]]:
        """Hide a new code; `options={"secret": code}` hides this one."""
        super().reset(seed=seed)
        self.episodes.begin(np.zeros(1, np.int64), self.np_random)
        if options and "secret" in options:
            game = self.episodes.game
            number = int(game.secret_of_guess[game.guess_number(options["secret"])])
            if number < 0:
                raise InputError(
                    "{secret} can be guessed, but is never hidden", secret=quoted(options["secret"])
                )
            self.episodes.secrets[0] = number
        return self.episodes.observations[0].copy(), self._info(over=False)

    def step(self, action: np.int64 | int) -> tuple[I16, float, bool, bool, dict[str, Any]]:
        """Play a guess; InputError where it has no such number, or the game is over."""
        episodes = self.episodes
        if episodes.won.item(0) or episodes.turns.item(0) == episodes.max_guesses:
            raise InputError("the game is over: begin another one with reset()")
        reward, won, unsolved = episodes.play_first(action)
        observation = episodes.observations[0].copy()
        return observation, reward, won, unsolved, self._info(won or unsolved)

    def action_masks(self) -> Bools:
        """Bool (n_guesses): the guesses that are candidates."""
        return self.episodes.masks(0)

    def render(self) -> Any:
        """The turns so far, one a line."""
        if self.render_mode != "ansi":
            return None
        return "\n".join(map(str, self.episodes.history(0)))

    def _info(self, over: bool) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.action_masks()}
        if over:
            info["secret"] = int(self.episodes.secrets[0])
        return info


class Codebreakers(VectorEnv[I16, I64, Any]):
    """Many games at once; arguments as `Episodes`.

    A game that is over begins anew at the next step, whose action does not count for it and whose
    reward is 0. Observations are int16 (num_envs, max_guesses, width), rewards float64, and
    `info["action_mask"]` is bool (num_envs, n_guesses). The attribute `episodes` holds the games.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int = 1,
        game: GameLike = "4x6",
        *,
        max_guesses: int = MAX_GUESSES,
        reward: Reward = "guesses",
    ) -> None:
        self.num_envs = num_envs
        episodes = Episodes(game_of(game), num_envs, max_guesses=max_guesses, reward=reward)
        self.episodes, n = episodes, episodes.game.n_guesses
        self._over = np.zeros(num_envs, np.bool_)
        shape = episodes.observations.shape
        self.single_action_space = Discrete(n)
        self.action_space = MultiDiscrete(np.full(num_envs, n))
        self.single_observation_space = Box(_UNPLAYED, episodes.high, shape[1:], np.int16)
        self.observation_space = Box(_UNPLAYED, episodes.high, shape, np.int16)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[I16, dict[str, Any]]:
        """Begin all games anew."""
        super().reset(seed=seed, options=options)
        self._over[:] = False
        self.episodes.begin(np.arange(self.num_envs), self.np_random)
        return self.episodes.observations.copy(), self._info()

    def step(self, actions: I64) -> tuple[I16, F64, Bools, Bools, dict[str, Any]]:
        """Play a guess in each game."""
        over, episodes = self._over, self.episodes
        rewards, won, unsolved = episodes.play(np.asarray(actions))
        if over.any():
            episodes.begin(np.flatnonzero(over), self.np_random)
            unsolved &= ~over
        self._over = won | unsolved
        return episodes.observations.copy(), rewards, won, unsolved, self._info()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.episodes.masks()}


gymnasium.register(
    ID, entry_point=f"{__name__}:Codebreaker", vector_entry_point=f"{__name__}:Codebreakers"
)
