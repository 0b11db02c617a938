"""Results of races as JSON documents, and as tables for CSV files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from pegwise._version import __version__
from pegwise.arena.race import Race
from pegwise.arena.results import Duel, Exact, RaceResults, Standing
from pegwise.compute import Place
from pegwise.errors import DataFileError, UnknownNameError, quoted
from pegwise.game import Rules, mastermind
from pegwise.strategies import Card, Strategy


def to_document(results: RaceResults) -> dict[str, Any]:
    """The results as a document for JSON; `docs/race.md` describes it."""
    return {
        "version": results.version,
        "rules": results.rules,
        "secrets": results.secrets,
        "seed": results.seed,
        "games": results.games,
        "results": [_standing_document(standing) for standing in results.standings],
        "duels": [asdict(duel) for duel in results.duels],
        "skipped": [{"strategy": name, "why": why} for name, why in results.skipped],
        "command": results.command,
    }


def from_document(document: Any) -> RaceResults:
    """The results that `to_document` made a document of.

    Raises:
        DataFileError: it is no such document.
    """
    try:
        return RaceResults(
            version=document["version"],
            rules=document["rules"],
            secrets=document["secrets"],
            seed=document["seed"],
            games=document["games"],
            standings=tuple(_read_standing(found) for found in document["results"]),
            duels=tuple(Duel(**found) for found in document["duels"]),
            skipped=tuple((found["strategy"], found["why"]) for found in document["skipped"]),
            command=document["command"],
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise DataFileError(
            "{document} is no document of a race: {error}",
            document=quoted(document),
            error=repr(error),
        ) from error


def _standing_document(standing: Standing) -> dict[str, Any]:
    card = asdict(standing.card)
    return {
        "strategy": standing.card.id,
        "label": standing.strategy,
        "options": dict(standing.options),
        "games": standing.secrets,
        "total": standing.total,
        "mean": standing.mean,
        "worst": standing.worst,
        "histogram": {str(guesses): won for guesses, won in enumerate(standing.histogram, 1)},
        "seconds": standing.seconds,
        "nodes": standing.nodes,
        "interval": None if standing.interval is None else list(standing.interval),
        "exact": None if standing.exact is None else asdict(standing.exact),
        "card": {**card, "traits": sorted(card["traits"])},
    }


def _read_standing(found: Any) -> Standing:
    low_high, exact, card = found["interval"], found["exact"], found["card"]
    return Standing(
        strategy=found["label"],
        card=Card(**{**card, "traits": frozenset(card["traits"])}),
        options=dict(found["options"]),
        secrets=found["games"],
        total=found["total"],
        mean=found["mean"],
        worst=found["worst"],
        histogram=tuple(found["histogram"][str(k)] for k in range(1, found["worst"] + 1)),
        seconds=found["seconds"],
        nodes=found["nodes"],
        interval=None if low_high is None else (low_high[0], low_high[1]),
        exact=None if exact is None else Exact(**exact),
    )


def standings_csv(races: Sequence[RaceResults]) -> str:
    """One row a strategy and race: figures, then games won with 1, 2, ... guesses."""
    longest = max((len(s.histogram) for race in races for s in race.standings), default=0)
    rows = [
        [
            race.rules,
            race.seed,
            s.secrets,
            s.strategy,
            s.total,
            s.mean,
            *(s.interval or ("", "")),
            s.worst,
            *((s.exact.total, s.exact.mean, s.exact.worst) if s.exact else ("", "", "")),
            s.seconds,
            s.nodes,
            *s.histogram,
            *[0] * (longest - len(s.histogram)),
        ]
        for race in races
        for s in race.standings
    ]
    head = ["rules", "seed", "games", "strategy", "total", "mean", "mean_from", "mean_to", "worst"]
    head += ["exact_total", "exact_mean", "exact_worst", "seconds", "nodes"]
    return _csv([*head, *(f"won_{guesses}" for guesses in range(1, longest + 1))], rows)


def turns_csv(races: Sequence[Race]) -> str:
    """One row a secret and race: how often it was played, and the guesses each strategy needed."""
    labels = list(dict.fromkeys(name for race in races for name in race.depths))
    rows = (
        [
            race.game.name,
            race.draw.secret(k),
            int(race.draw.times[k]),
            *(int(race.depths[name][k]) if name in race.depths else "" for name in labels),
        ]
        for race in races
        for k in range(len(race.draw))
    )
    return _csv(["rules", "secret", "games", *labels], rows)


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(head)
    writer.writerows(rows)
    return out.getvalue()


# Protocols: fixed sets of races, so that results can be set beside published ones.


@dataclass(frozen=True, slots=True)
class Protocol:
    """Which games are played under which rules.

    Attributes:
        id: its name on the command line.
        name: its name in prose.
        source: where it is described.
        rules: one race each.
        games: number of games drawn in each race.
        strategies: ids of those that its authors compare.
    """

    id: str
    name: str
    source: str
    rules: tuple[Rules, ...]
    games: int
    strategies: tuple[str, ...]

    def races(
        self,
        strategies: Sequence[Strategy],
        *,
        games: int | None = None,
        seed: int = 0,
        threads: int = 1,
        where: Place | None = None,
        folder: Path | None = None,
    ) -> list[Race]:
        """The races, not yet run; they skip strategies that cannot play, and say why.

        Arguments are those of `Race`.

        Raises:
            InputError: as `Race`.
        """
        return [
            Race(
                mastermind(rules),
                strategies,
                games=games or self.games,
                seed=seed,
                threads=threads,
                where=where,
                folder=folder,
                lenient=True,
            )
            for rules in self.rules
        ]

    def document(self, races: Sequence[RaceResults]) -> dict[str, Any]:
        """The results as a document for JSON."""
        return {
            "version": __version__,
            "protocol": self.id,
            "races": [to_document(results) for results in races],
        }


PROTOCOLS: Final = {
    "marechal-rastoix": Protocol(
        id="marechal-rastoix",
        name="Maréchal and Rastoix's five rules",
        source=(
            "Benoît Maréchal and Marc Rastoix, Rapport Intelligence Artificielle pour le "
            "Mastermind, undated, section 5"
        ),
        rules=tuple(
            Rules.parse(text) for text in ("4x6", "4x8", "4x8,distinct-secrets", "4x20", "6x4")
        ),
        games=1_000_000,
        strategies=("marechal-rastoix-1", "marechal-rastoix-2", "marechal-rastoix-3"),
    )
}


def protocol(name: str) -> Protocol:
    """The protocol of this id.

    Raises:
        UnknownNameError: there is none.
    """
    if name not in PROTOCOLS:
        raise UnknownNameError.of("protocol", name, PROTOCOLS)
    return PROTOCOLS[name]
