"""Results of races for the tests of charts and reports: real ones, and hostile ones."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations

from pegwise.arena.results import Duel, Exact, RaceResults, Standing
from pegwise.game import mastermind
from pegwise.strategies import Card, label, options_of, parse
from pegwise.trees import build

HOSTILE = "</script><img src=http://x.invalid/ onerror=alert(1)>&\"'"


@cache
def race(rules: str, *names: str) -> RaceResults:
    """Strategies against every secret, from their trees."""
    game = mastermind(rules)
    standings, depths = [], {}
    for name in names:
        strategy = parse(name)
        tree = build(strategy, game)
        depths[label(strategy)] = tree.depths()
        standings.append(
            Standing(
                strategy=label(strategy),
                card=strategy.card,
                options=options_of(strategy),
                secrets=game.n_secrets,
                total=tree.total,
                mean=tree.mean,
                worst=tree.worst,
                histogram=tuple(tree.histogram()),
                seconds=0.0123,
                nodes=len(tree),
                interval=None,
                exact=None,
            )
        )
    duels = []
    for first, second in combinations(depths, 2):
        gain = depths[second] - depths[first]
        duels.append(
            Duel(
                first=first,
                second=second,
                first_faster=int((gain > 0).sum()),
                second_faster=int((gain < 0).sum()),
                ties=int((gain == 0).sum()),
                first_by_at_most=max(int(gain.max()), 0),
                second_by_at_most=max(int(-gain.min()), 0),
            )
        )
    return RaceResults(
        version="1.2.3",
        rules=rules,
        secrets=game.n_secrets,
        seed=42,
        games=None,
        standings=tuple(standings),
        duels=tuple(duels),
        skipped=(("slowpoke", "takes seconds a game"),),
        command=f"pegwise race {rules} --seed 42",
    )


def classic() -> RaceResults:
    """The one-step strategies on 4x6, worst first."""
    return race("4x6", "first", "knuth", "entropy", "irving", "parts")


def drawn() -> RaceResults:
    """The same as if games had been drawn: with intervals and exact figures."""
    whole = classic()
    standings = tuple(
        replace(
            standing,
            interval=(standing.mean - 0.05, standing.mean + 0.07),
            exact=Exact(mean=1.234, total=9876, worst=77),
        )
        for standing in whole.standings
    )
    return replace(whole, games=1000, standings=standings)


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
        skipped=((HOSTILE, HOSTILE),),
        command=HOSTILE,
    )


def empty() -> RaceResults:
    """A race that was stopped at once."""
    return replace(classic(), standings=(), duels=())


def many(count: int) -> RaceResults:
    """A race of many strategies."""
    return race("2x3", *(f"random:seed={seed}" for seed in range(1, count + 1)))
