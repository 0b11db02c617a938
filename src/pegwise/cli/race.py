"""The files that `pegwise race` writes: checked before the race, written whole after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from pegwise.arena.draw import MAX_GAMES
from pegwise.cli.completion import strategy_names
from pegwise.cli.options import (
    WholeNumber,
    check_fits,
    check_writable,
    cluster_option,
    jobs_option,
    json_option,
    kept_within,
    memory_option,
    parse_strategy,
    print_json,
    rules_argument,
    seed_option,
    workplace,
    write_file,
)
from pegwise.cli.terminal import announce_compilation, interruptible, progress_bar
from pegwise.compute.pool import cores, jobs_for
from pegwise.errors import InputError, PegwiseError, StrategyError
from pegwise.game import Rules
from pegwise.i18n import tr

if TYPE_CHECKING:
    from pegwise.arena import Race, RaceResults
    from pegwise.arena.race import Protocol
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
        if self.report or self.chart:
            # refuses here, before anything is played, where the extra is missing
            from pegwise.pictures.charts import FORMATS

            if self.chart and self.chart.suffix.lower().removeprefix(".") not in FORMATS:
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
    from pegwise.arena.results import standings_csv

    return standings_csv(results).encode()


def _turns(races: Sequence[Race]) -> bytes:
    from pegwise.arena.race import turns_csv

    return turns_csv(races).encode()


def _report(results: Sequence[RaceResults], protocol: Protocol | None) -> bytes:
    from pegwise.pictures.report import protocol_report, race_report

    if protocol is None:
        return race_report(results[0]).encode()
    return protocol_report(protocol.name, protocol.source, results).encode()


def _chart(results: RaceResults, form: str) -> bytes:
    from pegwise.pictures.charts import chart_bytes, race_chart

    return chart_bytes(race_chart(results), form)


def _write(title: str, path: Path, data: bytes) -> str:
    def fill(beside: Path) -> None:
        beside.write_bytes(data)

    write_file(path, fill)
    return tr("{title}: {path}", title=title, path=path)


# `pegwise race`: strategies against every secret, or against drawn games.


@click.command(epilog="Example: pegwise race 4x6 -s knuth -s entropy --report race.html")
@rules_argument
@click.option(
    "-s",
    "--strategy",
    "names",
    multiple=True,
    metavar="ID[:OPTION=VALUE,...]",
    shell_complete=strategy_names,
    help="Who races; may be repeated. When not given, every strategy that is not slow.",
)
@click.option("--games", type=WholeNumber(1, MAX_GAMES), help="Draw so many games.")
@seed_option
@jobs_option
@cluster_option
@memory_option
@click.option(
    "--protocol",
    "protocol_name",
    metavar="NAME",
    help="Run a published set of races: marechal-rastoix.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Play nothing: tell the time and the memory that whole trees would take.",
)
@json_option
@race_file_options
@click.pass_context
def race(
    ctx: click.Context,
    rules: Rules,
    names: tuple[str, ...],
    games: int | None,
    seed: int,
    jobs: int | None,
    cluster: str | None,
    memory: int | None,
    protocol_name: str | None,
    dry_run: bool,
    as_json: bool,
    files: RaceFiles,
) -> None:
    """Every chosen strategy against every secret, or against --games N drawn ones.

    Shows mean, total, worst, histogram and time of each, and for pairs on how many secrets one is
    faster. Ctrl-C keeps and shows what is finished: the same command goes on from there.
    """
    if dry_run:
        if games is not None or protocol_name is not None:
            raise InputError("--dry-run plans whole trees: leave out --games and --protocol")
        useless = [*(["--cluster"] if cluster is not None else []), *files.options]
        if useless:
            raise InputError(
                "--dry-run plays nothing: leave out {options}", options=", ".join(useless)
            )
        from pegwise.cli.forecast import show_plan

        strategies = [parse_strategy(name, seed) for name in names]
        show_plan(rules, strategies, jobs=jobs, memory=memory, as_json=as_json)
        return
    files.check()
    protocol = None
    if protocol_name is None:
        races = [_race(rules, names, games, seed, jobs, cluster)]
    else:
        if ctx.get_parameter_source("rules") is not ParameterSource.DEFAULT:
            raise InputError(
                "a protocol has its own rules: leave out {rules}", rules=repr(str(rules))
            )
        if files.chart is not None:
            raise InputError("--chart draws one race: use --report with --protocol")
        from pegwise.arena.race import protocol as find
        from pegwise.paths import home

        protocol = find(protocol_name)
        strategies = [parse_strategy(name, seed) for name in names or protocol.strategies]
        where = None if cluster is None else workplace(cluster)
        races = protocol.races(
            strategies,
            games=games,
            seed=seed,
            threads=jobs or cores(),
            where=where,
            folder=home() / "pieces",
        )
    for one in races:
        check_fits(memory, _memory(one), one.game.name, by_jobs=_workers(one) > 0)
    announce_compilation()
    with kept_within(memory):
        failure = _run(races)
    results = [race.results for race in races]
    finished = any(found.standings for found in results)
    if finished or isinstance(failure, KeyboardInterrupt):
        _show(results, protocol, as_json=as_json)
    if finished:
        for line in files.write(races, results, protocol):
            click.echo(line, err=as_json)
    if failure is not None:
        raise failure
    for one in races:
        one.forget()


def _race(
    rules: Rules,
    names: Sequence[str],
    games: int | None,
    seed: int,
    jobs: int | None,
    cluster: str | None,
) -> Race:
    """The race on one board, not yet run."""
    from pegwise.arena import Race
    from pegwise.arena.race import command_line
    from pegwise.game import mastermind
    from pegwise.paths import home

    game = mastermind(rules)
    return Race(
        game,
        [parse_strategy(name, seed) for name in names] or None,
        games=games,
        seed=seed,
        threads=jobs_for(jobs, rules.n_secrets),
        where=None if cluster is None else workplace(cluster),
        command=command_line(str(rules), names, games, seed),
        folder=home() / "pieces",
    )


def _memory(race: Race) -> int:
    """Bytes that a race takes on this machine, its workers included."""
    from pegwise.arena.forecast import memory_of
    from pegwise.game.game import MAX_LISTED

    listed = race.game.n_secrets <= MAX_LISTED
    return memory_of(Rules.parse(race.game.name), listed=listed) * (1 + _workers(race))


def _workers(race: Race) -> int:
    """Processes of this machine that a race keeps busy, each with memory of its own."""
    from pegwise.compute import Processes
    from pegwise.strategies import compiles

    threads = all(compiles(one) for one in race.strategies.values())
    return race.where.workers if isinstance(race.where, Processes) and not threads else 0


def _run(races: Sequence[Race]) -> BaseException | None:
    """Run them; what stopped them, if anything did."""
    try:
        for race in races:
            with interruptible(), progress_bar(race.game.name) as report:
                race.run(report=report)
    except (KeyboardInterrupt, PegwiseError) as failure:
        return failure
    if not any(race.depths for race in races):
        return StrategyError(next(why for race in races for _, why in race.results.skipped))
    return None


def _show(results: Sequence[RaceResults], protocol: Protocol | None, *, as_json: bool) -> None:
    if as_json:
        from pegwise.arena.results import to_document

        print_json(protocol.document(results) if protocol else to_document(results[0]))
        return
    from pegwise.cli.results import print_protocol, print_race

    if protocol:
        print_protocol(protocol, results)
    else:
        print_race(results[0])
