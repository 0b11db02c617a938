"""The results of a round as a page tells them: places, first guesses, two games side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from pegwise.web.dates import day_and_month
from pegwise.web.inputs import history_text, query_of
from pegwise.web.pages import strategy_words
from pegwise.web.rooms.live import STRATEGIES, RoomReport
from pegwise.web.rooms.room import PUZZLES
from pegwise.web.rooms.turns import (
    RoomGame,
    RoomLesson,
    RoomResults,
    RoomTotal,
    RoomView,
)

_ON_PODIUM: Final = 3
_LESSONS: Final = 8  # the last ones, which are shown
FirstGuesses = tuple[float | None, list[tuple[str, list[RoomGame]]]]
"""What first guesses could tell in bits, None where it is not known; these, and who played them."""


def told(
    room: RoomView,
    over: RoomResults,
    report: RoomReport,
    totals: Sequence[RoomTotal],
    lessons: Sequence[RoomLesson],
    lang: str,
) -> dict[str, Any]:
    """Return the context of the template of the results."""
    games, puzzles = [game for game in over.games if game.turns], bool(over.puzzles)
    strategies = {name: strategy_words(name, lang)["name"] for name in STRATEGIES}
    needed = next(iter(report.needed.values()), {})
    return {
        "room": room,
        "over": over,
        "report": report,
        "totals": totals if room.round > 1 else [],
        "lessons": [
            (day_and_month(lesson.begun, lang), lesson.totals)
            for lesson in (lessons[-_LESSONS:] if len(lessons) > 1 else ())
        ],
        "played": games,
        "own": (own := next((g for g in games if room.you and g.name == room.you.name), None)),
        "turns": _turns,
        "review": lambda game: _review(room, game),
        "place": lambda game: place(_score(game), games),
        "podium": podium(games),
        "bars": solved_histogram(games) if puzzles else histogram(games),
        "firsts": _told_firsts(room, own, first_guesses(games, report)) if report.complete else [],
        "needed": [(n, strategies[name]) for name, n in needed.items()] if report.complete else [],
    }


def _turns(game: RoomGame) -> str:
    """The turns of a game as a text, of which the page draws them: a class has hundreds."""
    return history_text((turn.guess, turn.mark) for turn in game.turns)


def _review(room: RoomView, game: RoomGame) -> str:
    """The query of the review of a game, to which the page adds its turns."""
    return query_of({"rules": room.rules, "secret": game.secret})


def _score(game: RoomGame) -> int:
    """What a place goes by, less is better: guesses; in puzzles, which have no code, -solved."""
    return len(game.turns) if game.secret else -game.solved


def place(score: int, games: Sequence[RoomGame]) -> int:
    """The place of a score: behind all who have found what they sought by a better one."""
    return 1 + sum(game.solved > 0 and _score(game) < score for game in games)


def podium(games: Sequence[RoomGame]) -> list[tuple[int, int, list[RoomGame]]]:
    """The first three places: the place, the number of guesses or of puzzles, and whose it is."""
    solvers = [game for game in games if game.solved]
    return [
        (rank, abs(score), [game for game in solvers if _score(game) == score])
        for score in sorted({_score(game) for game in solvers})
        if (rank := place(score, games)) <= _ON_PODIUM
    ]


def histogram(games: Sequence[RoomGame]) -> list[tuple[int | None, int, int]]:
    """A number of guesses, None for those who did not find it; how many games; percent of most."""
    lengths = [len(game.turns) if game.over else None for game in games]
    numbers: list[int | None] = [*range(1, max((len(game.turns) for game in games), default=0) + 1)]
    return _bars(lengths, [*numbers, *([None] if None in lengths else [])])


def solved_histogram(games: Sequence[RoomGame]) -> list[tuple[int | None, int, int]]:
    """A number of puzzles, how many pupils solved that number, and its bar in percent."""
    return _bars([game.solved for game in games], range(PUZZLES, -1, -1))


def _bars(
    values: Sequence[int | None], kinds: Sequence[int | None]
) -> list[tuple[int | None, int, int]]:
    counts = [values.count(kind) for kind in kinds]
    most = max(counts, default=0) or 1
    return [
        (kind, count, round(100 * count / most)) for kind, count in zip(kinds, counts, strict=True)
    ]


def first_guesses(games: Sequence[RoomGame], report: RoomReport) -> list[FirstGuesses]:
    """First guesses by what they could tell in bits, the most first, and who played each."""
    kinds: dict[float | None, dict[str, list[RoomGame]]] = {}
    for game in games:
        cost = report.costs.get(game.number)
        bits = round(cost.first, 6) if cost and cost.first is not None else None
        kinds.setdefault(bits, {}).setdefault(game.turns[0].guess, []).append(game)
    order = sorted(kinds, key=lambda bits: -1 if bits is None else bits, reverse=True)
    return [(bits, list(kinds[bits].items())) for bits in order]


def _told_firsts(
    room: RoomView, own: RoomGame | None, firsts: Sequence[FirstGuesses]
) -> Sequence[FirstGuesses]:
    """All for the teacher; for a pupil the best ones, and those of the kind of the own one."""
    if room.you is None:
        return firsts
    best, others = firsts[:1], firsts[1:]
    return [*best, *(kind for kind in others if any(own in games for _, games in kind[1]))]
