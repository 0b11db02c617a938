"""`pegwise race`: the race, its files and its tables."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.core import ParameterSource

from pegwise.arena import Race
from pegwise.arena.draw import MAX_GAMES
from pegwise.arena.race import command_line, turns_csv
from pegwise.arena.race import protocol as find_protocol
from pegwise.arena.results import by_mean, duels_by_rank, fewest, safest, standings_csv, to_document
from pegwise.cli import options
from pegwise.cli.board import Screen
from pegwise.cli.plan import show_plan
from pegwise.cli.progress import progress_bar
from pegwise.cli.signals import exit_status, interruptible
from pegwise.cli.terminal import encodable, page, tell_interrupted
from pegwise.compute.machine import cores, jobs_for
from pegwise.errors import InputError, PegwiseError, Phrase, StrategyError
from pegwise.game import Rules, check_turns, parse_code
from pegwise.game.game import MAX_LISTED
from pegwise.game.mastermind import parallel
from pegwise.game.notation import LETTERS
from pegwise.i18n import duration, figure, tr, translated
from pegwise.paths import home
from pegwise.strategies import Entrant
from pegwise.telling import words as in_words
from pegwise.telling.race import (
    compared,
    game_duration,
    loss_rows,
    loss_title,
    loss_words,
    played,
    unsolved_words,
)
from pegwise.trees.losses import SOLVED

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from pegwise.arena import Race, RaceResults
    from pegwise.arena.race import Protocol
    from pegwise.arena.results import Standing
    from pegwise.strategies import Strategy


_WORST: Final = 3  # positions of a strategy that are shown
_PLAYED: Final = 400  # games of a protocol that are played one by one


@dataclass(frozen=True)
class RaceFiles:
    """Where to write the standings, the guesses per secret, a page with charts, and the chart."""

    csv: Path | None
    turns: Path | None
    report: Path | None
    chart: Path | None
    transcript: Path | None = None

    @property
    def paths(self) -> dict[str, Path]:
        """The path of each option that was used."""
        return {f"--{name}": path for name, path in vars(self).items() if path is not None}

    def check(self) -> None:
        """Refuse a suffix of another format, and one file for two things."""
        options.check_distinct(*self.paths.values())
        if self.report and self.report.suffix.lower() not in (".html", ".htm"):
            raise InputError(
                "a report is an HTML page: end {report} in .html", report=repr(str(self.report))
            )
        if self.report or self.chart:
            # refuses here, before anything is played, where the extra is missing
            from pegwise.pictures.charts import FORMATS

            if self.chart and self.chart.suffix.lower().removeprefix(".") not in FORMATS:
                raise InputError(
                    "cannot tell the format of the chart from {chart}: end it in one of {formats}",
                    chart=repr(str(self.chart)),
                    formats=", ".join(f".{form}" for form in FORMATS),
                )

    def write(
        self,
        races: Sequence[Race],
        results: Sequence[RaceResults],
        protocol: Protocol | None,
        said: Sequence[str],
    ) -> Iterator[str]:
        """Write each file; a line about each."""
        content: str | bytes
        for option, path in self.paths.items():
            if option == "--csv":
                title, content = tr("Standings"), standings_csv(results)
            elif option == "--turns":
                title, content = tr("Turns"), turns_csv(races)
            elif option == "--report":
                from pegwise.pictures.report import protocol_report, race_report

                title = tr("Report")
                if protocol is None:
                    content = race_report(results[0])
                else:
                    content = protocol_report(protocol.name, protocol.source, results)
            elif option == "--transcript":
                title, content = tr("Transcript"), "".join(said)
            else:
                from pegwise.pictures.charts import chart_bytes, protocol_chart, race_chart

                chart = (
                    race_chart(results[0])
                    if protocol is None
                    else protocol_chart(results, tr(protocol.name))
                )
                title, content = tr("Chart"), chart_bytes(chart, path.suffix)
            options.write_file(path, content.encode() if isinstance(content, str) else content)
            yield tr("{title}: {path}", title=title, path=path)


@click.command(epilog="Example: pegwise race 4x6 -s knuth -s entropy --report race.html")
@options.rules_argument
@options.secrets_option
@options.strategy_option(
    "names",
    multiple=True,
    help="A strategy; may be repeated. If not given, all strategies that are not slow.",
)
@click.option("--games", type=options.WholeNumber(1, MAX_GAMES), help="Draw this number of games.")
@click.option(
    "--max",
    "max_guesses",
    type=options.WholeNumber(1, 10**6),
    help="With --secrets: count the games that take more guesses.",
)
@click.option(
    "--played",
    type=options.WholeNumber(0, MAX_GAMES),
    help="Also play so many games guess by guess, for the processor time of a game; with "
    "--protocol 400 when not given.",
)
@options.weights_option
@options.seed_option
@options.resource_options
@click.option(
    "--protocol",
    "protocol_name",
    metavar="NAME",
    help="Run a published set of races: marechal-rastoix.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Play nothing: tell the memory that whole trees would take, and in which pieces.",
)
@options.limit_options
@click.option(
    "--losses",
    "with_losses",
    is_flag=True,
    help="Take the guesses above best play apart, turn by turn; boards of at most 25000 secrets.",
)
@click.option(
    "--losses-seconds",
    type=options.Seconds(),
    metavar="SECONDS",
    help="The time for the losses of each strategy, from the last turn to the first; 60 on boards "
    "of more than 1296 secrets when not given.",
)
@options.notation_option
@options.json_option
@options.gathered(
    RaceFiles,
    "files",
    options.output_option("--csv", metavar="FILE.csv", help="Write the standings."),
    options.output_option("--turns", metavar="FILE.csv", help="Write the guesses per secret."),
    options.output_option("--report", metavar="FILE.html", help="Write a page with charts."),
    options.output_option("--chart", metavar="FILE.svg|png|html", help="Write the chart."),
    options.output_option(
        "--transcript", metavar="FILE", help="Write what files and programs were asked, and said."
    ),
)
@click.pass_context
def race(
    ctx: click.Context,
    rules: Rules,
    n_secrets: int,
    names: tuple[str, ...],
    games: int | None,
    max_guesses: int | None,
    played: int | None,
    weights: Path | None,
    seed: int,
    resources: options.Resources,
    protocol_name: str | None,
    dry_run: bool,
    limits: options.EntrantLimits,
    with_losses: bool,
    losses_seconds: float | None,
    notation: str | None,
    as_json: bool,
    files: RaceFiles,
) -> None:
    """Every chosen strategy against every secret, or against --games N drawn ones.

    Shows mean, total, worst, histogram and time of each, and for pairs on how many secrets one is
    faster. Ctrl-C shows what is finished; the same command continues the race.

    With --secrets 4 four codes are sought at once: guesses count until the last is found.
    """
    if max_guesses is not None and n_secrets == 1:
        raise InputError("--max {n}: it is for several secrets; give --secrets too", n=max_guesses)
    if n_secrets > 1:
        _refuse_with_secrets(ctx)
    with_losses = with_losses or losses_seconds is not None
    if with_losses and (protocol_name is not None or weights is not None):
        raise InputError("--losses count every code once: leave out --weights and --protocol")
    if dry_run:
        if games is not None or protocol_name is not None:
            raise InputError("--dry-run plans whole trees: leave out --games and --protocol")
        unused = {"--cluster": resources.cluster, "--weights": weights, "--played": played}
        if useless := [option for option, value in {**unused, **files.paths}.items() if value]:
            raise InputError(
                "--dry-run plays nothing: leave out {options}", options=", ".join(useless)
            )
        strategies = [options.parse_strategy(name, seed) for name in names]
        show_plan(rules, strategies, resources, as_json=as_json)
        return
    files.check()
    protocol = None
    racing = options.parse_strategies(names, seed, limits)
    if protocol_name is None:
        game = (
            parallel(rules, n_secrets) if n_secrets > 1 else options.weighted_game(rules, weights)
        )
        file = "" if weights is None else f" --weights {shlex.quote(str(weights))}"
        command = command_line(str(rules), names, games, seed, played or 0) + file
        jobs = jobs_for(resources.jobs, rules.n_secrets) if n_secrets == 1 else resources.jobs or 1
        only = Race(
            game,
            racing or None,
            games=games,
            played=played or 0,
            seed=seed,
            threads=jobs,
            where=options.cluster_at(resources.cluster),
            command=command if n_secrets == 1 else None,
            folder=home() / "pieces",
            max_guesses=max_guesses,
        )
        races = [only]
    elif weights is not None:
        raise InputError("a protocol hides each code as often: leave out --weights")
    else:
        if ctx.get_parameter_source("rules") is not ParameterSource.DEFAULT:
            raise InputError(
                "a protocol has its own rules: leave out {rules}", rules=repr(str(rules))
            )
        protocol = find_protocol(protocol_name)
        races = protocol.races(
            racing or [options.parse_strategy(name, seed) for name in protocol.strategies],
            games=games,
            played=_PLAYED if played is None else played,
            seed=seed,
            threads=resources.jobs or cores(),
            where=options.cluster_at(resources.cluster),
            folder=home() / "pieces",
        )
    if with_losses:
        from pegwise.search.losses import check_losses

        check_losses(races[0].game)
    screen = Screen(notation=notation)
    if notation is not None:
        for each in races:
            screen.use(LETTERS, Rules.parse(each.game.name))
    said = _transcribed(racing) if files.transcript else []
    for each in races:
        racers = list(each.strategies.values())
        listed = each.game.n_secrets <= MAX_LISTED
        resources.check(Rules.parse(each.game.name), each.where, racers, listed=listed)
    with options.limited_memory(resources.memory):
        failure = _run(races)
    results = [each.results for each in races]
    if files.report and not with_losses:
        with_losses = _is_contest(races[0])
    if with_losses and failure is None:
        failure = _work_out(results[0], losses_seconds)
    finished = any(each.standings for each in results)
    several = any(len(each.skipped) > 1 for each in results)
    if finished or several or isinstance(failure, KeyboardInterrupt):
        if as_json:
            document = protocol.document(results) if protocol else to_document(results[0])
            options.print_json(document)
        if notation is not None:
            _write_losses(results[0], screen)
        if not as_json and protocol:
            _print_protocol(protocol, results)
        elif not as_json:
            _print_race(results[0])
            _print_losses(results[0])
    if finished:
        for line in files.write(races, results, protocol, said):
            click.echo(line, err=as_json)
    if failure is not None:
        if isinstance(failure, KeyboardInterrupt):
            tell_interrupted(_RACE)
            sys.exit(exit_status())
        raise failure
    for each in races:
        each.forget()


_RACE: Final = Phrase("the race")

_WITH_SECRETS: Final = (
    *("rules", "n_secrets", "names", "games", "max_guesses", "seed", "jobs"),
    *("as_json", "csv", "report", "chart"),
)
"""The parameters of a race for several secrets."""


def _refuse_with_secrets(ctx: click.Context) -> None:
    """Refuse options that a race for several secrets has not."""
    for parameter in ctx.command.params:
        name = parameter.name or ""
        given = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and name not in _WITH_SECRETS and parameter.expose_value:
            raise InputError(
                "{option} is not for several secrets: leave it out", option=parameter.opts[0]
            )


def _is_contest(race: Race) -> bool:
    """Whether a report has losses though they were not asked for: with files and programs."""
    game = race.game
    theirs = any(isinstance(strategy, Entrant) for strategy in race.strategies.values())
    return theirs and game.n_secrets <= SOLVED and game.weights is None


def _work_out(results: RaceResults, seconds: float | None) -> KeyboardInterrupt | None:
    """Work out the losses of each strategy; what stopped that, if anything did."""
    try:
        with interruptible(), progress_bar(tr("{rules}: losses", rules=results.rules)) as report:
            results.work_out_losses(seconds=seconds, report=report)
    except KeyboardInterrupt as stop:
        return stop
    return None


def _write_losses(results: RaceResults, screen: Screen) -> None:
    """Write the codes and marks of losses in the notation of a screen, also for the report."""
    rules = Rules.parse(results.rules)
    for name, losses in results.lost.items():
        positions = (
            replace(
                loss,
                turns=tuple(map(screen.write_sign, check_turns(loss.turns, rules))),
                guess=screen.write(parse_code(loss.guess, rules)),
                best=screen.write(parse_code(loss.best, rules)),
            )
            for loss in losses.positions
        )
        results.lost[name] = replace(losses, positions=tuple(positions))


def _print_losses(results: RaceResults) -> None:
    """Guesses lost by turn, and for each strategy the positions that cost most."""
    if not results.lost:
        return
    heads, rows = loss_rows(results)
    with page() as console:
        console.print("\n" + loss_title(results))
        columns = list(zip(heads, *rows, strict=True))
        wide = sum(2 + max(len(line) for cell in c for line in cell.split("\n")) for c in columns)
        turns = [k for k, head in enumerate(heads) if head.isdecimal()]
        parts = [list(range(len(heads)))]
        if wide > console.width:  # what is lost by turn in a table of its own
            parts = [[k for k in parts[0] if k not in turns], [0, *turns]]
        for part in parts:
            table = _table(*(heads[k] for k in part))
            for row in rows:
                table.add_row(*(row[k] or _NONE for k in part))
            console.print(table)
        for words in unsolved_words(results):
            console.print(words)
        for name, losses in results.lost.items():
            for loss in losses.positions[:_WORST]:
                console.print(tr("{name}: {what}", name=name, what=loss_words(loss)))


def _transcribed(strategies: Iterable[Strategy]) -> list[str]:
    """The lines that entrants will be told and will say, as they come."""
    said: list[str] = []
    for strategy in strategies:
        if isinstance(strategy, Entrant):
            strategy.heard = lambda name, way, line: said.append(f"{name} {way} {line}\n")
    return said


def _run(races: Sequence[Race]) -> BaseException | None:
    """Run them; what stopped them, if anything did."""
    try:
        for race in races:
            with interruptible(), progress_bar(race.name) as report:
                race.run(report=report)
    except (KeyboardInterrupt, PegwiseError) as failure:
        return failure
    if not any(race.depths for race in races):
        name, why = next(pair for race in races for pair in race.results.skipped)
        return StrategyError("{name}: {what}", name=name, what=why)
    return None


# tables of results

_ALL_PAIRS: Final = 4  # of more strategies, only the pairs with the best one are shown
_SPARK: Final = 24
_LEAST_SPARK: Final = 5
_NARROW: Final = 72  # below this width, exact figures beside drawn ones are left out
_TIGHT: Final = 50  # below this one, times and how many guesses are saved at most too
_BARS: Final = "▁▂▃▄▅▆▇█"
_PLAIN_BARS: Final = "_.-:=+*#"
_NONE: Final = "·"


def _print_race(results: RaceResults) -> None:
    """Standings, best mean first; games by number of guesses; pairs; who did not race."""
    standings = by_mean(results.standings)
    with page() as console:
        console.print(_heading(results, console.width))
        if standings:
            console.print()
            weighted = results.weighted and results.games is None
            console.print(_summary(standings, console.width, weighted=weighted))
            console.print(_verdict(standings))
            for standing in standings:
                for note in (*standing.notes, *filter(None, [standing.failure])):
                    what = translated(note)
                    console.print(tr("{name}: {what}", name=standing.strategy, what=what))
            for alike in results.identical:
                console.print(tr("The same tree: {names}", names=in_words.listed(alike)))
            if weighted:
                words = tr(
                    "Mean and total count each code as often as its weight says, the plain mean "
                    "counts it once."
                )
                console.print(words)
            console.print("\n" + tr("Games won with 1, 2, ... guesses"))
            for table in _counts(standings, console.width):
                console.print(table)
        if results.duels:
            _print_pairs(results, standings, console)
        _print_skipped(results, console)


def _print_protocol(protocol: Protocol, races: Sequence[RaceResults]) -> None:
    """Standings under each of the rules, then means, maxima and times across them."""
    with page() as console:
        console.print(f"{tr(protocol.name)} ({tr(protocol.source)})")
        for results in races:
            console.print()
            console.print(_heading(results, console.width))
            if standings := by_mean(results.standings):
                console.print(_summary(standings, console.width))
            _print_skipped(results, console)
        finished = [results for results in races if results.standings]
        if len(finished) > 1:
            heads = [results.rules.replace(",", ",\n").replace("-", "-\n") for results in finished]
            for title, rows in compared(finished):
                table = _table(tr("strategy"), *heads)
                for row in rows:
                    table.add_row(*row)
                console.print(f"\n{title}")
                console.print(table)


def spark(histogram: Sequence[int], worst: int, room: int, bars: str = _BARS) -> str:
    """A histogram as one line of bars, from 1 to `worst` guesses; a dot where no game was won.

    Neighbours share a bar where there is no room for all.
    """
    wide = -(-worst // room)  # numbers of guesses that share a bar
    counts = [*histogram, *[0] * (worst - len(histogram))]
    bins = [sum(counts[k : k + wide]) for k in range(0, worst, wide)]
    top = max(bins)
    return "".join(bars[(len(bars) * won - 1) // top] if won else _NONE for won in bins)


def _heading(results: RaceResults, width: int) -> Text:
    from rich.text import Text

    rules = in_words.rules_named(results.rules)
    words = in_words.rules_words_of(results.rules)
    name = f" ({words})" if words != results.rules else ""
    about = tr("{name}: {played}", name=name, played=played(results))
    # broken into lines here, for Rich breaks them between the digits of French numbers too
    heading = Text(click.wrap_text(f"{rules}{about}", width))
    heading.stylize("bold", 0, len(rules))
    return heading


def _table(name: str | None = None, *heads: str, gap: int = 2, least: int = 10) -> Table:
    """A table without lines: strategies on the left, unless None, and numbers to the right."""
    from rich.table import Table

    table = Table(box=None, padding=(0, gap, 0, 0), pad_edge=False, header_style="dim")
    if name is not None:
        table.add_column(name, overflow="fold", min_width=least)
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True, vertical="bottom")
    return table


def _summary(standings: Sequence[Standing], width: int, *, weighted: bool = False) -> Table:
    """Figures and bars; fewer bars where the terminal is narrow."""
    total: tuple[str, Callable[[Standing], str]] = (tr("total"), lambda s: figure(s.total, ","))
    columns: list[tuple[str, Callable[[Standing], str]]] = [
        (tr("strategy"), lambda s: s.strategy),
        (tr("mean"), lambda s: figure(s.mean, ".3f")),
        total,
        (tr("worst"), lambda s: figure(s.worst, ",")),
    ]
    if any(standing.failure for standing in standings):
        columns.insert(1, (tr("codes\nfound"), lambda s: figure(s.secrets, ",")))
    if any(standing.interval for standing in standings):
        columns[columns.index(total)] = ("95 %", _half_interval)
    if width >= _NARROW and any(standing.exact for standing in standings):
        columns += [
            (tr("exact\nmean"), lambda s: figure(s.exact.mean, ".3f") if s.exact else ""),
            (tr("exact\nworst"), lambda s: figure(s.exact.worst, ",") if s.exact else ""),
        ]
    if weighted:
        columns.append((tr("plain\nmean"), lambda s: figure(s.plain_mean, ".3f")))
    if width >= _TIGHT:
        if any(standing.played for standing in standings):
            columns.append((tr("each\ngame"), game_duration))
        columns.append((tr("time"), lambda s: duration(s.seconds)))
    heads = [head for head, _ in columns]
    rows = [[show(standing) for _, show in columns] for standing in standings]
    table = _table(*heads, gap=1 if width < _TIGHT else 2)
    room = width - 2 * len(heads)
    for head, cells in zip(heads, zip(*rows, strict=True), strict=True):
        room -= max(len(head.split()[-1]), *map(len, cells))
    room = min(room, _SPARK) if room >= _LEAST_SPARK else 0
    worst = max(standing.worst for standing in standings)
    bars = _BARS if encodable(f"{_BARS}{_NONE}±") else _PLAIN_BARS
    if room:
        wide = -(-worst // room)
        note = "\n" + tr("by {n}", n=wide) if wide > 1 else ""
        table.add_column(f"1-{worst}{note}", no_wrap=True, vertical="bottom")
    for rank, (row, standing) in enumerate(zip(rows, standings, strict=True)):
        shape = [spark(standing.histogram, worst, room, bars)] if room else []
        table.add_row(*row, *shape, style="" if rank else "bold green")
    return table


def _half_interval(standing: Standing) -> str:
    if standing.interval is None:
        return ""
    low, high = standing.interval
    return f"±{figure((high - low) / 2, '.3f')}"


def _verdict(standings: Sequence[Standing]) -> str:
    """Who needs fewest guesses on average, and who at worst: all of them."""
    best, safe = fewest(standings), safest(standings)
    names = [standing.strategy for standing in best]
    mean = figure(best[0].mean, ".3f")
    if best[0].interval is not None and len(best) > 1:
        first = tr(
            "Fewest on average: {best}, {mean}, but these games do not tell it apart from "
            "{others}.",
            best=names[0],
            mean=mean,
            others=in_words.listed(names[1:]),
        )
    else:
        first = tr("Fewest on average: {best}, {mean}.", best=in_words.listed(names), mean=mean)
    second = tr(
        "Fewest at worst: {safest}, {worst:,}.",
        safest=in_words.listed(standing.strategy for standing in safe),
        worst=safe[0].worst,
    )
    return f"{first} {second}"


def _counts(standings: Sequence[Standing], width: int) -> Iterator[Table]:
    """Games by number of guesses, in as many tables as the width needs."""
    worst = max(standing.worst for standing in standings)
    cells = [[figure(won, ",") if won else _NONE for won in s.histogram] for s in standings]
    for row in cells:
        row += [_NONE] * (worst - len(row))
    columns = [max(len(str(k + 1)), *(len(row[k]) for row in cells)) for k in range(worst)]
    room = width - max(10, *(len(standing.strategy) for standing in standings))
    gap = 2 if sum(columns) + 2 * worst <= room else 1
    start = min(next(k for k, cell in enumerate(row) if cell != _NONE) for row in cells)
    while start < worst:
        stop = start + 1
        while stop < worst and sum(columns[start : stop + 1]) + gap * (stop + 1 - start) <= room:
            stop += 1
        table = _table(tr("strategy"), *(str(k + 1) for k in range(start, stop)), gap=gap)
        for standing, row in zip(standings, cells, strict=True):
            if set(row[start:stop]) != {_NONE}:
                table.add_row(standing.strategy, *row[start:stop])
        yield table
        start = stop


def _print_pairs(results: RaceResults, standings: Sequence[Standing], console: Console) -> None:
    best = standings[0].strategy
    pairs = duels_by_rank(results.duels, standings)
    few = len(standings) <= _ALL_PAIRS
    title = tr("Pair by pair")
    if not few:
        pairs = [duel for duel in pairs if duel.first == best]
        title = tr("{strategy} against each (all pairs: --report, --json)", strategy=best)
    faster, by, equal = tr("faster"), tr("by"), tr("equal")
    needed = sum(len(head) + 2 for head in (faster, by, equal, faster, by)) + 10 + 2 + 8
    tight = console.width < max(_TIGHT, needed)
    if tight:
        title = tr("{pairs}: games in which one needs fewer guesses", pairs=title)
        heads = [faster, equal, faster]
    else:
        title = tr(
            "{pairs}: games in which one needs fewer guesses, and how many fewer at most",
            pairs=title,
        )
        heads = [faster, by, equal, faster, by]
    console.print(f"\n{title}")
    named = few or not tight  # else the title has the name
    gap, least = (1, 8) if tight else (2, 10)
    table = _table(tr("first") if named else None, *heads, gap=gap, least=least)
    table.add_column(tr("second"), overflow="fold", min_width=8)
    for duel in pairs:
        cells = [figure(n, ",") for n in (duel.first_faster, duel.ties, duel.second_faster)]
        if not tight:
            cells.insert(1, str(duel.first_by_at_most or _NONE))
            cells.append(str(duel.second_by_at_most or _NONE))
        table.add_row(*([duel.first] if named else []), *cells, duel.second)
    console.print(table)


def _print_skipped(results: RaceResults, console: Console) -> None:
    """Who did not race, those with the same reason together."""
    if not results.skipped:
        return
    console.print("\n" + tr("Not raced"))
    table = _table()
    table.show_header = False
    reasons = sorted(results.skipped, key=lambda pair: pair[1])
    for why, group in groupby(reasons, key=lambda pair: pair[1]):
        table.add_row(", ".join(name for name, _ in group), translated(why))
    console.print(table)
