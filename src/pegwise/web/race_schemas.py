"""What the API of races takes and gives, each value with its bounds."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from pegwise.game import Rules
from pegwise.web.entries import MAX_GAMES, MAX_STRATEGIES
from pegwise.web.inputs import RequestBody, RulesText, StrategyText

__all__ = [
    "GamesView",
    "LaneView",
    "PaceRequest",
    "PlayedTurn",
    "RaceRequest",
    "RaceView",
    "SecretsView",
]

Speed = Annotated[
    float,
    Field(ge=0, le=100_000, description="Guesses a second of each strategy; 0: all at once."),
]


class RaceRequest(RequestBody):
    """A new race."""

    rules: RulesText = Rules()
    strategies: Annotated[list[StrategyText], Field(min_length=1, max_length=MAX_STRATEGIES)]
    games: Annotated[int, Field(ge=1, le=MAX_GAMES)] | None = Field(
        None, description="Games to draw, the same for all; null for every secret once."
    )
    seed: Annotated[int, Field(ge=0, lt=2**53)] = 0
    speed: Speed = 50.0


class PaceRequest(RequestBody):
    """How fast a race is shown."""

    speed: Speed


class PlayedTurn(BaseModel):
    """A turn of a game of a race."""

    guess: str
    mark: str


class PlayedGame(BaseModel):
    """A game as far as it is played."""

    secret: str
    turns: list[PlayedTurn]


class LaneView(BaseModel):
    """A strategy of a race: what is shown of it, and how much is computed."""

    place: int
    strategy: str
    state: Literal["waiting", "running", "paused", "stopped", "done", "failed"]
    games: int
    computed: int
    guesses: int
    mean: float | None
    worst: int | None
    histogram: list[int]
    seconds: float
    problem: str | None
    game: PlayedGame | None


class RaceView(BaseModel):
    """A race as it is shown."""

    id: str
    rules: str
    games: int | None
    seed: int
    length: int
    state: Literal["running", "paused", "stopped", "over"]
    speed: float
    lanes: list[LaneView]


class SecretsView(BaseModel):
    """The secrets that a strategy found with so many guesses; the first of them as codes."""

    strategy: str
    guesses: int
    games: int
    count: int
    codes: list[str]


class StrategyGame(BaseModel):
    """A strategy's game for a secret; null where it is not played yet."""

    strategy: str
    turns: list[PlayedTurn] | None


class GamesView(BaseModel):
    """The games of a secret, side by side."""

    secret: str
    games: list[StrategyGame]
