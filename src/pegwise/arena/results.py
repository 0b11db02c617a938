"""Results of a race: a standing for each strategy, a duel for each pair; documents and tables."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import combinations
from typing import Any, Final

import numpy as np

from pegwise import hooks
from pegwise.arena.draw import Draw
from pegwise.arrays import I32, I64
from pegwise.encoder import encoded
from pegwise.errors import Phrase
from pegwise.hooks import Drawable
from pegwise.progress import Report, silent
from pegwise.statistics import mean_interval
from pegwise.strategies import Card, Option, Strategy, label
from pegwise.trees import Tree
from pegwise.trees.losses import Losses

UNFINISHED: Final = Phrase("not finished")
"""Why a strategy has no result in a race that was stopped."""

KEPT: Final = 25_000
"""Secrets of the largest game whose trees are kept with the results of a race."""


@dataclass(frozen=True, slots=True)
class ExactFigures:
    """Figures over every secret, each once or as often as its weight says."""

    mean: float  # guesses a secret
    total: int  # guesses over all secrets
    worst: int  # guesses for the deepest secret


@dataclass(frozen=True, slots=True)
class PlayedGames:
    """Games that a strategy really played, guess by guess, not looked up in its tree."""

    games: int  # how many
    seconds: float  # processor time of one, its marks included


@dataclass(frozen=True, slots=True)
class Standing(Drawable):
    """The guesses and the time of one strategy.

    Attributes:
        strategy: its label: `knuth`, `knuth:then=entropy`.
        card: its card.
        options: its options that differ from their defaults.
        secrets: games counted: every secret once, or the games drawn.
        total: guesses over these games; weighted where every secret is played and the game has
            weights.
        mean: guesses per game, weighted as the total is.
        worst: guesses of the longest game.
        histogram: games won with 1, 2, ... guesses.
        seconds: time taken to work out its tree, without compiling kernels.
        nodes: guesses worked out: nodes of the tree that was played.
        interval: where games are drawn, what holds the mean over all secrets with a confidence
            of 95 %; None for a single game.
        exact: the figures over all secrets beside those of drawn games, where they are known.
        played: the games that it really played, where any were asked for.
        notes: remarks on the strategy, such as that guesses are not repeated.
        failure: where it does not find every code, a sentence that says so, with the first turns
            that led there; figures are then over the codes that it finds, `secrets` tells how many.
    """

    strategy: str
    card: Card = field(repr=False)
    options: Mapping[str, Option]
    secrets: int
    total: int
    mean: float
    worst: int
    histogram: tuple[int, ...]
    seconds: float
    nodes: int
    interval: tuple[float, float] | None = None
    exact: ExactFigures | None = None
    played: PlayedGames | None = None
    notes: tuple[str, ...] = ()
    failure: str = ""

    @property
    def plain_mean(self) -> float:
        """Guesses a game, each game counted once, whatever the weights."""
        return sum(k * won for k, won in enumerate(self.histogram, 1)) / sum(self.histogram)

    def document(self) -> dict[str, Any]:
        """The standing as JSON: its fields, with the name of the strategy beside its label."""
        own = {each.name: getattr(self, each.name) for each in fields(self)}
        return {
            "strategy": self.strategy.partition(":")[0],
            "label": own.pop("strategy"),
            "options": own.pop("options"),
            "games": own.pop("secrets"),
            **{name: value for name, value in own.items() if name != "card"},
            "histogram": dict(enumerate(self.histogram, 1)),
            "histogram_list": self.histogram,
            "card": self.card,
        }


@dataclass(frozen=True, slots=True)
class Duel:
    """Two strategies on the same games.

    Attributes:
        first: label of one.
        second: label of the other.
        first_faster: games in which the first needs fewer guesses.
        second_faster: games in which the second does.
        ties: games in which both need the same number.
        first_by_at_most: most guesses that the first saves in a game; 0 where it never does.
        second_by_at_most: most guesses that the second saves in a game; 0 where it never does.
    """

    first: str
    second: str
    first_faster: int
    second_faster: int
    ties: int
    first_by_at_most: int
    second_by_at_most: int

    def exchanged(self) -> Duel:
        """This pair with its two strategies exchanged."""
        return Duel(
            *(self.second, self.first, self.second_faster, self.first_faster, self.ties),
            *(self.second_by_at_most, self.first_by_at_most),
        )


@dataclass(frozen=True, slots=True)
class RaceResults(Drawable):
    """A race, or its finished part.

    Attributes:
        version: of the program.
        rules: name of the game.
        secrets: number of codes that may be hidden.
        seed: of the draw.
        games: number of games drawn; None where every secret was played.
        standings: in the order of the race.
        duels: one for each pair of strategies.
        skipped: strategies without a standing, with the reason.
        command: what to type to run the race again; None where no text names the game.
        weighted: whether secrets have weights, which count in totals and means.
        depths: int32 (n) by label, guesses that the strategy needs for each secret: in the order
            of the game where every secret is played, else for the different ones that were drawn;
            0 where it does not find the secret.
        identical: labels of strategies that play the same guess in every position that occurred.
        trees: the tree of each strategy by its label, where the game has at most `KEPT` secrets;
            in drawn games the part of it that was played, where no more is known.
        draw: the secrets that were played.
        lost: losses that were worked out, by label (see `losses`).

    Examples:
        >>> results = pegwise.race("3x3", ["first", "knuth"])
        >>> [(standing.strategy, standing.total) for standing in results.standings]
        [('first', 89), ('knuth', 74)]
    """

    version: str
    rules: str
    secrets: int
    seed: int
    games: int | None
    standings: tuple[Standing, ...]
    duels: tuple[Duel, ...]
    skipped: tuple[tuple[str, str], ...]
    command: str | None
    weighted: bool = False
    depths: Mapping[str, I32] = field(default_factory=dict, compare=False, repr=False)
    identical: tuple[tuple[str, ...], ...] = ()
    trees: Mapping[str, Tree] = field(default_factory=dict, compare=False, repr=False)
    draw: Draw | None = field(default=None, compare=False, repr=False)
    lost: dict[str, Losses] = field(default_factory=dict, compare=False, repr=False)

    @property
    def losses(self) -> Mapping[str, Losses]:
        """The guesses above best play of each strategy, by its label.

        They are worked out when they are first asked for; errors are those of `work_out_losses`.
        """
        return self.work_out_losses()

    def work_out_losses(
        self, *, seconds: float | None = None, report: Report = silent
    ) -> Mapping[str, Losses]:
        """Take the guesses above best play apart, of every strategy whose tree is known.

        A strategy that does not find every code has losses in drawn games only: those of the games
        that it wins.

        Args:
            seconds: the time for each strategy, as for `pegwise.losses`.
            report: receives the positions done so far.

        Raises:
            InputError: the secrets have weights.
            TooLargeError: the game has too many secrets.
        """
        same = {name: names[0] for names in self.identical for name in names}
        for standing in self.standings:
            name = standing.strategy
            tree, draw = self.trees.get(name), self.draw
            if name in self.lost or tree is None or draw is None:
                continue
            if (losses := self.lost.get(same.get(name, name))) is not None:
                self.lost[name] = losses
                continue
            drawn: dict[str, Any] = {}
            if self.games is not None:
                won = self.depths[name] > 0
                drawn = {"secrets": draw.secrets[won], "times": draw.times[won]}
            elif standing.failure:
                continue
            assert hooks.losses is not None  # noqa: S101 (the package root fills it in)
            self.lost[name] = hooks.losses()(tree, seconds=seconds, report=report, **drawn)
        return self.lost

    def document(self) -> dict[str, Any]:
        """The results as JSON; `docs/race.md` describes it."""
        lost = {name: {"losses": losses} for name, losses in self.lost.items()}
        document: dict[str, Any] = encoded(
            {
                "version": self.version,
                "rules": self.rules,
                "secrets": self.secrets,
                "seed": self.seed,
                "games": self.games,
                "results": [
                    each.document() | lost.get(each.strategy, {}) for each in self.standings
                ],
                "duels": self.duels,
                "skipped": [{"strategy": name, "why": why} for name, why in self.skipped],
                "command": self.command,
                "weighted": self.weighted,
                "identical": self.identical,
            }
        )
        return document

    def __repr__(self) -> str:
        return f"RaceResults({self.rules!r}, {[each.strategy for each in self.standings]})"

    def __str__(self) -> str:
        assert hooks.tell is not None  # noqa: S101 (the package root fills it in)
        return hooks.tell()(self)

    def rows(self) -> list[dict[str, Any]]:
        """A row for each strategy, as `pandas.DataFrame(results.rows())` takes them.

        The keys are the columns of the CSV file; None where a figure is not known.
        """
        longest = max((len(s.histogram) for s in self.standings), default=0)
        return [
            {"rules": self.rules, "seed": self.seed}
            | {column: figure(s) for column, figure in _COLUMNS.items()}
            | {f"won_{k}": sum(s.histogram[k - 1 : k]) for k in range(1, longest + 1)}
            for s in self.standings
        ]


_COLUMNS: Final[dict[str, Callable[[Standing], Any]]] = {
    "games": lambda s: s.secrets,
    "strategy": lambda s: s.strategy,
    "total": lambda s: s.total,
    "mean": lambda s: s.mean,
    "mean_from": lambda s: s.interval and s.interval[0],
    "mean_to": lambda s: s.interval and s.interval[1],
    "worst": lambda s: s.worst,
    "exact_total": lambda s: s.exact and s.exact.total,
    "exact_mean": lambda s: s.exact and s.exact.mean,
    "exact_worst": lambda s: s.exact and s.exact.worst,
    "seconds": lambda s: s.seconds,
    "nodes": lambda s: s.nodes,
    "played_games": lambda s: s.played and s.played.games,
    "played_seconds": lambda s: s.played and s.played.seconds,
}


_NEVER: Final = 1 << 20  # stands for the guesses of a strategy that does not find a secret


def by_mean(standings: Iterable[Standing]) -> list[Standing]:
    """Strategies that have won a game, smallest mean first; ties by worst, then by name.

    Those that do not find every code come after all others, those that find most first.
    """
    return sorted(
        (standing for standing in standings if any(standing.histogram)),
        key=lambda standing: (
            -standing.secrets if standing.failure else -math.inf,
            standing.mean,
            standing.worst,
            standing.strategy,
        ),
    )


def fewest(standings: Sequence[Standing]) -> list[Standing]:
    """Those that need fewest guesses on average: all with the same figure, smallest worst first.

    Where games are drawn, all whose interval meets that of the smallest mean: the games cannot
    tell them apart.
    """
    best, *others = _whole(standings)
    if best.interval is None:
        return [best, *(s for s in others if s.mean == best.mean)]
    most = best.interval[1]
    return [best, *(s for s in others if s.interval is None or s.interval[0] <= most)]


def safest(standings: Sequence[Standing]) -> list[Standing]:
    """All that need fewest guesses in the worst case, smallest mean first."""
    ranked = _whole(standings)
    worst = min(standing.worst for standing in ranked)
    return [standing for standing in ranked if standing.worst == worst]


def _whole(standings: Sequence[Standing]) -> list[Standing]:
    """Those that find every code, if there are any."""
    ranked = by_mean(standings)
    return [standing for standing in ranked if not standing.failure] or ranked


def standing(
    strategy: Strategy,
    depths: I32,
    times: I64,
    exact: ExactFigures | None,
    seconds: float,
    nodes: int,
    played: PlayedGames | None = None,
    *,
    drawn: bool,
) -> Standing:
    """The standing that follows from `depths`, int32 (n), guesses of each secret.

    `times`, int64 (n), tell how often each was played, `drawn` whether they were drawn.
    """
    histogram = tuple(np.bincount(depths, times).astype(np.int64)[1:].tolist())
    times = np.where(depths > 0, times, 0)
    games, total = int(times.sum()), int((depths * times).sum())
    mean = total / games
    if exact is not None and not drawn:
        total, mean = exact.total, exact.mean
    return Standing(
        strategy=label(strategy),
        card=strategy.card,
        options=dict(strategy.options),
        secrets=games,
        total=total,
        mean=mean,
        worst=int(depths.max()),
        histogram=histogram,
        seconds=seconds,
        nodes=nodes,
        interval=mean_interval(histogram) if drawn else None,
        exact=exact if drawn else None,
        played=played,
    )


def duels(depths: Mapping[str, I32], times: Mapping[str, I64]) -> tuple[Duel, ...]:
    """Every pair of strategies compared.

    Args:
        depths: int32 (secrets) by label, guesses that the strategy needs for each secret, 0 where
            it does not find it.
        times: int64 (secrets) by label, how many games each secret counts for; a pair is compared
            by the games that both have played.
    """
    pairs = []
    for first, second in combinations(depths, 2):
        shared = np.minimum(times[first], times[second])
        one, other = (np.where(depths[each] > 0, depths[each], _NEVER) for each in (first, second))
        savings = other - one
        played = savings[(shared > 0) & (one < _NEVER) & (other < _NEVER)]
        duel = Duel(
            first,
            second,
            first_faster=int(shared[savings > 0].sum()),
            second_faster=int(shared[savings < 0].sum()),
            ties=int(shared[savings == 0].sum()),
            first_by_at_most=int(played.max(initial=0)),
            second_by_at_most=-int(played.min(initial=0)),
        )
        pairs.append(duel)
    return tuple(pairs)


def duels_by_rank(duels: Iterable[Duel], standings: Sequence[Standing]) -> list[Duel]:
    """The better strategy of each pair first, and pairs in the order of their strategies."""
    rank = {standing.strategy: k for k, standing in enumerate(standings)}

    def ranks(duel: Duel) -> tuple[int, int]:
        return rank.get(duel.first, 0), rank.get(duel.second, 0)

    ordered = (duel.exchanged() if ranks(duel)[0] > ranks(duel)[1] else duel for duel in duels)
    return sorted(ordered, key=ranks)


# Results as tables for CSV files.


def standings_table(races: Sequence[RaceResults]) -> tuple[list[str], list[list[object]]]:
    """A head; a row for each strategy and race: figures, then games won with 1, 2, ... guesses."""
    rows = [row for race in races for row in race.rows()]
    head = max(map(list, rows), key=len, default=["rules", "seed", *_COLUMNS])
    return head, [[row.get(name, 0) for name in head] for row in rows]


def standings_csv(races: Sequence[RaceResults]) -> str:
    """`standings_table` as a CSV file."""
    return csv_text(*standings_table(races))


def csv_text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table as a CSV file; its lines end with a line feed."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()
