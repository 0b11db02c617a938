"""Results of races as JSON documents, and as tables for CSV files."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from pegwise.arena.race import Race
from pegwise.arena.results import Duel, Exact, RaceResults, Standing
from pegwise.errors import DataFileError, quoted
from pegwise.strategies import Card

__all__ = ["from_document", "standings_csv", "to_document", "turns_csv"]


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
