"""The files that `pegwise race` writes: checked before the race, written whole after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from pegwise.cli.common import check_writable, write_file
from pegwise.errors import InputError
from pegwise.language import tr

if TYPE_CHECKING:
    from pegwise.arena import Race, RaceResults
    from pegwise.arena.protocol import Protocol

__all__ = ["RaceFiles", "race_file_options"]

_PAGES: Final = (".html", ".htm")
_PATH: Final = click.Path(path_type=Path)


@dataclass(frozen=True)
class RaceFiles:
    """Where to write what; None for what is not wanted.

    Attributes:
        csv: the standings, one row a strategy.
        turns: the guesses that each strategy needs, one row a secret.
        report: an HTML page with charts.
        chart: the chart alone.
    """

    csv: Path | None
    turns: Path | None
    report: Path | None
    chart: Path | None

    @property
    def options(self) -> list[str]:
        """The options given."""
        return [f"--{field.name}" for field in fields(self) if getattr(self, field.name)]

    def check(self) -> None:
        """Refuse what cannot be written.

        Raises:
            InputError: a suffix that says another format, or one file for two things.
            OutputError: a path that cannot be written.
        """
        paths = [path for path in (getattr(self, f.name) for f in fields(self)) if path]
        for k, path in enumerate(paths):
            if path.absolute() in (other.absolute() for other in paths[:k]):
                raise InputError(
                    "{path} is given for two outputs: give each its own file", path=repr(str(path))
                )
            check_writable(path)
        if self.report and self.report.suffix.lower() not in _PAGES:
            raise InputError(
                "a report is an HTML page: end {report} in .html", report=repr(str(self.report))
            )
        if self.chart:
            from pegwise.pictures.chart_files import FORMATS

            if self.chart.suffix.lower().removeprefix(".") not in FORMATS:
                known = ", ".join(f".{form}" for form in FORMATS)
                raise InputError(
                    "cannot tell the format of the chart from {chart}: end it in one of {known}",
                    chart=repr(str(self.chart)),
                    known=known,
                )

    def write(
        self,
        races: Sequence[Race],
        results: Sequence[RaceResults],
        protocol: Protocol | None,
    ) -> Iterator[str]:
        """Write each; a line for each file written.

        Args:
            races: one, or those of the protocol.
            results: theirs.
            protocol: whose races these are, if any.

        Raises:
            OutputError: a path that cannot be written.
        """
        if self.csv:
            yield _write(tr("Standings"), self.csv, _standings(results))
        if self.turns:
            yield _write(tr("Turns"), self.turns, _turns(races))
        if self.report:
            yield _write(tr("Report"), self.report, _report(results, protocol))
        if self.chart:
            yield _write(tr("Chart"), self.chart, _chart(results[0], self.chart.suffix))


def race_file_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options for the files, passed to the command as `files`."""

    @click.option("--csv", type=_PATH, metavar="FILE.csv", help="Write the standings.")
    @click.option("--turns", type=_PATH, metavar="FILE.csv", help="Write the guesses per secret.")
    @click.option("--report", type=_PATH, metavar="FILE.html", help="Write a page with charts.")
    @click.option("--chart", type=_PATH, metavar="FILE.svg|png|html", help="Write the chart.")
    @wraps(command)
    def with_files(
        *args: Any,
        csv: Path | None,
        turns: Path | None,
        report: Path | None,
        chart: Path | None,
        **rest: Any,
    ) -> Any:
        return command(*args, files=RaceFiles(csv, turns, report, chart), **rest)

    return with_files


def _standings(results: Sequence[RaceResults]) -> bytes:
    from pegwise.arena.documents import standings_csv

    return standings_csv(results).encode()


def _turns(races: Sequence[Race]) -> bytes:
    from pegwise.arena.documents import turns_csv

    return turns_csv(races).encode()


def _report(results: Sequence[RaceResults], protocol: Protocol | None) -> bytes:
    from pegwise.pictures.report import protocol_report, race_report

    if protocol is None:
        return race_report(results[0]).encode()
    return protocol_report(protocol.name, protocol.source, results).encode()


def _chart(results: RaceResults, form: str) -> bytes:
    from pegwise.pictures.chart_files import chart_bytes
    from pegwise.pictures.charts import race_chart

    return chart_bytes(race_chart(results), form)


def _write(title: str, path: Path, data: bytes) -> str:
    def fill(beside: Path) -> None:
        beside.write_bytes(data)

    write_file(path, fill)
    return tr("{title}: {path}", title=title, path=path)
