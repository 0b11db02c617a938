"""The results of a round as a page tells them: places, first guesses, two games side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pegwise.web.inputs import history_text, query_of
from pegwise.web.pages import strategy_words
from pegwise.web.rooms.live import STRATEGIES, RoomReport
from pegwise.web.rooms.play import RoomGame, RoomResults, RoomTotal, RoomView

_ON_PODIUM: Final = 3


def told(
    room: RoomView, over: RoomResults, report: RoomReport, totals: Sequence[RoomTotal], lang: str
) -> dict[str, Any]:
    """Return the context of the template of the results."""
    games = [game for game in over.games if game.turns]
    strategies = {name: strategy_words(name, lang)["name"] for name in STRATEGIES}
    needed = next(iter(report.needed.values()), {})
    return {
        "room": room,
        "over": over,
        "report": report,
        "totals": totals if room.round > 1 else [],
        "played": games,
        "own": next((game for game in games if room.you and game.name == room.you.name), None),
        "turns": _turns,
        "review": lambda game: _review(room, game),
        "place": lambda game: place(len(game.turns), games),
        "podium": podium(games),
        "bars": histogram(games),
        "firsts": first_guesses(games, report) if report.complete else [],
        "needed": [(n, strategies[name]) for name, n in needed.items()] if report.complete else [],
    }


def _turns(game: RoomGame) -> str:
    """The turns of a game as a text, of which the page draws them: a class has hundreds."""
    return history_text((turn.guess, turn.mark) for turn in game.turns)


def _review(room: RoomView, game: RoomGame) -> str:
    """The query of the review of a game."""
    return query_of({"rules": room.rules, "history": _turns(game), "secret": game.secret})


def place(guesses: int, games: Sequence[RoomGame]) -> int:
    """The place of those who needed so many guesses: behind all who needed fewer."""
    return 1 + sum(game.over and len(game.turns) < guesses for game in games)


def podium(games: Sequence[RoomGame]) -> list[tuple[int, int, list[RoomGame]]]:
    """The least numbers of guesses: the place, the number, and who needed so many."""
    numbers = sorted({len(game.turns) for game in games if game.over})[:_ON_PODIUM]
    return [
        (place(n, games), n, [game for game in games if game.over and len(game.turns) == n])
        for n in numbers
    ]


def histogram(games: Sequence[RoomGame]) -> list[tuple[int | None, int, int]]:
    """A number of guesses, None for those who did not find it; how many games; percent of most."""
    lengths = [len(game.turns) if game.over else None for game in games]
    numbers: list[int | None] = [*range(1, max((len(game.turns) for game in games), default=0) + 1)]
    bars = [(n, lengths.count(n)) for n in [*numbers, *([None] if None in lengths else [])]]
    most = max((count for _, count in bars), default=1)
    return [(n, count, round(100 * count / most)) for n, count in bars]


def first_guesses(
    games: Sequence[RoomGame], report: RoomReport
) -> list[tuple[str, float | None, list[RoomGame]]]:
    """The different first guesses, what each could tell in bits, and who played them."""
    guesses: dict[str, list[RoomGame]] = {}
    for game in games:
        guesses.setdefault(game.turns[0].guess, []).append(game)
    bits = {
        guess: cost.first if (cost := report.costs.get(those[0].number)) else None
        for guess, those in guesses.items()
    }
    order = sorted(guesses, key=lambda guess: -(-1 if (n := bits[guess]) is None else n))
    return [(guess, bits[guess], guesses[guess]) for guess in order]
