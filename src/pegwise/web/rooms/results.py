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
    """The first three places: the place, the number of guesses, and who needed so many."""
    numbers = sorted({len(game.turns) for game in games if game.over})
    return [
        (rank, n, [game for game in games if game.over and len(game.turns) == n])
        for n in numbers
        if (rank := place(n, games)) <= _ON_PODIUM
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
) -> list[tuple[float | None, list[tuple[str, list[RoomGame]]]]]:
    """First guesses by what they could tell in bits, the most first, and who played each."""
    kinds: dict[float | None, dict[str, list[RoomGame]]] = {}
    for game in games:
        cost = report.costs.get(game.number)
        bits = round(cost.first, 6) if cost and cost.first is not None else None
        kinds.setdefault(bits, {}).setdefault(game.turns[0].guess, []).append(game)
    order = sorted(kinds, key=lambda bits: -1 if bits is None else bits, reverse=True)
    return [(bits, list(kinds[bits].items())) for bits in order]
