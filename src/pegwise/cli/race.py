"""`pegwise race` and `pegwise strategies`: who races, against which secrets, into which files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from pegwise.arena.draw import MAX_GAMES
from pegwise.cli import options
from pegwise.cli.terminal import announce_compilation, interruptible, paragraph, progress_bar
from pegwise.compute.pool import cores, jobs_for
from pegwise.errors import InputError, PegwiseError, StrategyError, UnknownNameError
from pegwise.game import Rules
from pegwise.i18n import tr

if TYPE_CHECKING:
    from pegwise.arena import Race, RaceResults
    from pegwise.arena.race import Protocol


@dataclass(frozen=True)
class RaceFiles:
    """Where to write the standings, the guesses per secret, a page with charts, and the chart."""

    csv: Path | None
    turns: Path | None
    report: Path | None
    chart: Path | None

    @property
    def paths(self) -> dict[str, Path]:
        """The path of each option that was used."""
        values = {f"--{field.name}": getattr(self, field.name) for field in fields(self)}
        return {option: path for option, path in values.items() if path is not None}

    def check(self) -> None:
        """Refuse a suffix of another format, one file for two things, and what is not writable."""
        used: set[Path] = set()
        for path in self.paths.values():
            if path.absolute() in used:
                raise InputError(
                    "{path} is given for two outputs: give each its own file", path=repr(str(path))
                )
            used.add(path.absolute())
            options.check_writable(path)
        if self.report and self.report.suffix.lower() not in (".html", ".htm"):
            raise InputError(
                "a report is an HTML page: end {report} in .html", report=repr(str(self.report))
            )
        if self.report or self.chart:
            # refuses here, before anything is played, where the extra is missing
            from pegwise.pictures.charts import FORMATS

            if self.chart and self.chart.suffix.lower().removeprefix(".") not in FORMATS:
                raise InputError(
                    "cannot tell the format of the chart from {chart}: end it in one of {known}",
                    chart=repr(str(self.chart)),
                    known=", ".join(f".{form}" for form in FORMATS),
                )

    def write(
        self, races: Sequence[Race], results: Sequence[RaceResults], protocol: Protocol | None
    ) -> Iterator[str]:
        """Write each file; a line about each."""
        from pegwise.arena.race import turns_csv
        from pegwise.arena.results import standings_csv

        def report() -> bytes:
            from pegwise.pictures.report import protocol_report, race_report

            if protocol is None:
                return race_report(results[0]).encode()
            return protocol_report(protocol.name, protocol.source, results).encode()

        def chart() -> bytes:
            from pegwise.pictures.charts import chart_bytes, race_chart

            return chart_bytes(race_chart(results[0]), self.paths["--chart"].suffix)

        contents: dict[str, tuple[str, Callable[[], bytes]]] = {
            "--csv": (tr("Standings"), lambda: standings_csv(results).encode()),
            "--turns": (tr("Turns"), lambda: turns_csv(races).encode()),
            "--report": (tr("Report"), report),
            "--chart": (tr("Chart"), chart),
        }
        for option, path in self.paths.items():
            title, content = contents[option]
            options.write_file(path, content())
            yield tr("{title}: {path}", title=title, path=path)


@click.command(epilog="Example: pegwise race 4x6 -s knuth -s entropy --report race.html")
@options.rules_argument
@click.option(
    "-s",
    "--strategy",
    "names",
    multiple=True,
    metavar="ID[:OPTION=VALUE,...]",
    shell_complete=options.strategy_names,
    help="Who races; may be repeated. When not given, every strategy that is not slow.",
)
@click.option("--games", type=options.WholeNumber(1, MAX_GAMES), help="Draw so many games.")
@options.seed_option
@options.jobs_option
@options.cluster_option
@options.memory_option
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
@options.json_option
@options.gathered(
    RaceFiles,
    "files",
    click.option("--csv", type=options.ANY_PATH, metavar="FILE.csv", help="Write the standings."),
    click.option(
        "--turns", type=options.ANY_PATH, metavar="FILE.csv", help="Write the guesses per secret."
    ),
    click.option(
        "--report", type=options.ANY_PATH, metavar="FILE.html", help="Write a page with charts."
    ),
    click.option(
        "--chart", type=options.ANY_PATH, metavar="FILE.svg|png|html", help="Write the chart."
    ),
)
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
        if useless := [*(["--cluster"] if cluster is not None else []), *files.paths]:
            raise InputError(
                "--dry-run plays nothing: leave out {options}", options=", ".join(useless)
            )
        from pegwise.cli.results import show_forecast

        strategies = [options.parse_strategy(name, seed) for name in names]
        show_forecast(rules, strategies, jobs=jobs, memory=memory, as_json=as_json)
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
        from pegwise.arena.race import protocol as find_protocol
        from pegwise.paths import home

        protocol = find_protocol(protocol_name)
        races = protocol.races(
            [options.parse_strategy(name, seed) for name in names or protocol.strategies],
            games=games,
            seed=seed,
            threads=jobs or cores(),
            where=options.cluster_at(cluster),
            folder=home() / "pieces",
        )
    for each in races:
        _check_memory(each, memory)
    announce_compilation()
    with options.limited_memory(memory):
        failure = _run(races)
    results = [each.results for each in races]
    finished = any(each.standings for each in results)
    if finished or isinstance(failure, KeyboardInterrupt):
        _show(results, protocol, as_json=as_json)
    if finished:
        for line in files.write(races, results, protocol):
            click.echo(line, err=as_json)
    if failure is not None:
        raise failure
    for each in races:
        each.forget()


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

    return Race(
        mastermind(rules),
        [options.parse_strategy(name, seed) for name in names] or None,
        games=games,
        seed=seed,
        threads=jobs_for(jobs, rules.n_secrets),
        where=options.cluster_at(cluster),
        command=command_line(str(rules), names, games, seed),
        folder=home() / "pieces",
    )


def _check_memory(race: Race, limit: int | None) -> None:
    """Refuse a race that takes more memory than allowed on this machine."""
    from pegwise.arena.forecast import memory_of
    from pegwise.compute import Processes
    from pegwise.game.game import MAX_LISTED
    from pegwise.strategies import compiles

    threads = all(compiles(strategy) for strategy in race.strategies.values())
    workers = race.where.workers if isinstance(race.where, Processes) and not threads else 0
    listed = race.game.n_secrets <= MAX_LISTED
    needed = memory_of(Rules.parse(race.game.name), listed=listed) * (1 + workers)
    options.check_memory(limit, needed, race.game.name, by_jobs=workers > 0)


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

        options.print_json(protocol.document(results) if protocol else to_document(results[0]))
        return
    from pegwise.cli.results import print_protocol, print_race

    if protocol:
        print_protocol(protocol, results)
    else:
        print_race(results[0])


@click.command(epilog="Example: pegwise strategies knuth")
@click.argument("names", nargs=-1, metavar="[ID]...", shell_complete=options.strategy_names)
@options.json_option
def strategies(names: tuple[str, ...], as_json: bool) -> None:
    """The strategies, with authors, year, source and a paragraph each."""
    from pegwise.strategies import cards

    by_id = {card.id: card for card in cards()}
    for name in names:
        if name not in by_id:
            raise UnknownNameError.of("strategy", name, by_id)
    chosen = [by_id[name] for name in names] or list(by_id.values())
    if as_json:
        keys = ("id", "name", "authors", "year", "source", "about")
        options.print_json(
            [
                {**{key: getattr(card, key) for key in keys}, "traits": sorted(card.traits)}
                for card in chosen
            ]
        )
        return
    for card in chosen:
        head = paragraph(f"{card.id}  {tr(card.name)}", following="    ")
        click.echo(click.style(card.id, bold=True) + head.removeprefix(card.id))
        year = f", {card.year}" if card.year else ""
        source = f"{tr(card.authors)}{year}. {tr(card.source)}."
        click.echo(paragraph(source, "  "))
        click.echo(paragraph(tr(card.about), "  ") + "\n")
