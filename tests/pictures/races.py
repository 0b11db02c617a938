"""Results of races for the tests of charts and reports: real ones, and hostile ones."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from pegwise import arena
from pegwise.arena.results import ExactFigures, RaceResults
from pegwise.strategies import Card

HOSTILE = "</script><img src=http://x.invalid/ onerror=alert(1)>&\"'"


@cache
def race(rules: str, *names: str) -> RaceResults:
    """Strategies against every secret."""
    raced = arena.race(rules, names)
    return replace(
        raced,
        version="1.2.3",
        seed=42,
        standings=tuple(replace(standing, seconds=0.0123) for standing in raced.standings),
        skipped=(("slowpoke", "takes seconds a game"),),
        command=f"pegwise race {rules} --seed 42",
    )


def classic() -> RaceResults:
    """The one-step strategies on 4x6, worst first."""
    return race("4x6", "first", "knuth", "entropy", "irving", "parts")


def drawn() -> RaceResults:
    """The same as if games had been drawn: with intervals and exact figures."""
    standings = tuple(
        replace(
            standing,
            interval=(standing.mean - 0.05, standing.mean + 0.07),
            exact=ExactFigures(mean=1.234, total=9876, worst=77),
        )
        for standing in classic().standings
    )
    return replace(classic(), games=1000, standings=standings)


def hostile() -> RaceResults:
    """A race in which every text tries to break out of the page."""
    whole = race("2x3", "knuth", "first")
    bad = [f"{HOSTILE}{k}" for k in range(2)]
    card = Card(HOSTILE, HOSTILE, HOSTILE, 1999, HOSTILE, HOSTILE)
    standings = tuple(
        replace(standing, strategy=name, card=card)
        for standing, name in zip(whole.standings, bad, strict=True)
    )
    return replace(
        whole,
        version=HOSTILE,
        rules=HOSTILE,
        standings=standings,
        duels=(replace(whole.duels[0], first=bad[0], second=bad[1]),),
        identical=((*bad, "knuth"),),  # one of them is not shown
        skipped=((HOSTILE, HOSTILE),),
        command=HOSTILE,
    )


def empty() -> RaceResults:
    """A race that was stopped at once."""
    return replace(classic(), standings=(), duels=())


def many(count: int) -> RaceResults:
    """A race of many strategies."""
    return race("2x3", *(f"random:seed={seed}" for seed in range(1, count + 1)))
