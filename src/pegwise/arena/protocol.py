"""Protocols: fixed sets of races, so that results can be set beside published ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pegwise import __version__
from pegwise.arena.documents import to_document
from pegwise.arena.race import Race
from pegwise.arena.results import RaceResults
from pegwise.cluster import Place
from pegwise.errors import UnknownNameError
from pegwise.game import Rules, mastermind
from pegwise.strategies import Strategy

__all__ = ["PROTOCOLS", "Protocol", "protocol"]


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
