"""Races as the API shows them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, computed_field

from pegwise.web.inputs import PlayedTurn


class RaceGame(BaseModel):
    """A game as far as it is played."""

    secret: str
    turns: list[PlayedTurn]


class EntrantView(BaseModel):
    """A strategy of a race: what is shown of it, and how much is computed.

    `lost` counts the games in which an entrant does not find the secret: `problem` tells why, and
    guesses and mean are those of the others. In a timed race, `seconds` are the processor time of
    the games that are shown.
    """

    place: int
    strategy: str
    state: Literal["waiting", "running", "stopped", "done", "failed"]
    games: int
    computed: int
    guesses: int
    lost: int
    mean: float | None
    worst: int | None
    histogram: list[int]
    seconds: float
    problem: str | None
    game: RaceGame | None

    @computed_field  # type: ignore[prop-decorator]
    @property
    def histogram_by_guesses(self) -> dict[str, int]:
        return {str(k): games for k, games in enumerate(self.histogram, 1)}


class RaceView(BaseModel):
    """A race as its clock shows it.

    `clock` counts guesses of each strategy, or seconds in a timed race, as far as they are
    computed; `speed` is how many it counts in a second unless a page has its own pace.
    """

    id: str
    rules: str
    games: int | None
    seed: int
    length: int
    timed: bool
    state: Literal["running", "stopped", "over"]
    speed: float
    clock: float
    entrants: Annotated[list[EntrantView], Field(serialization_alias="lanes")]


class SecretsView(BaseModel):
    """The secrets that a strategy found with `guesses` guesses; the first ones as codes."""

    rules: str
    strategy: str
    guesses: int
    games: int
    count: int
    codes: list[str]


class StrategyGame(BaseModel):
    """A strategy's game for a secret; null where it is not played yet, or the secret not found."""

    strategy: str
    turns: list[PlayedTurn] | None


class GamesView(BaseModel):
    """The games of a secret, side by side."""

    rules: str
    secret: str
    games: list[StrategyGame]


class LossesView(BaseModel):
    """Where a strategy loses.

    `played` are the guesses of all games, `best` those of best play where every secret is played;
    `losses` is as in the JSON of `pegwise race --losses`.
    """

    rules: str
    games: int | None
    strategy: str
    played: int
    best: int | None
    losses: dict[str, Any]
