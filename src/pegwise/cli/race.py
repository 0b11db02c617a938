"""`pegwise race`: the race, its files and its tables."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.core import ParameterSource

from pegwise.arena import Race
from pegwise.arena.draw import MAX_GAMES
from pegwise.arena.race import command_line, turns_csv
from pegwise.arena.race import protocol as find_protocol
from pegwise.arena.results import standings_csv
from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.plan import show_plan
from pegwise.cli.progress import progress_bar
from pegwise.cli.signals import exit_status
from pegwise.cli.terminal import tell_interrupted
from pegwise.compute.machine import cores, jobs_for, memory_allowed
from pegwise.errors import InputError, PegwiseError, Phrase, StrategyError
from pegwise.game import Game, game_of, parse_code
from pegwise.game.names import parallel
from pegwise.game.notation import LETTERS
from pegwise.game.rules import MAX_LISTED
from pegwise.i18n import tr
from pegwise.kept import PIECES
from pegwise.knowledge.candidates import first_guesses
from pegwise.reading import check_turns
from pegwise.strategies import Entrant, registry
from pegwise.strategies.options import declared_options
from pegwise.telling.race import protocol_report, results_report
from pegwise.trees.losses import SOLVED

if TYPE_CHECKING:
    from pegwise.arena import Race, RaceResults
    from pegwise.arena.race import Protocol
    from pegwise.strategies import Strategy


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
        # what an extra lacks is refused here, before anything is played
        if self.report:
            from pegwise.pictures.report import report_template

            report_template()
        if self.chart:
            from pegwise.pictures.charts import FORMATS, png_renderer

            if self.chart.suffix.lower() == ".png":
                png_renderer()
            if self.chart.suffix.lower().removeprefix(".") not in FORMATS:
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


@click.command(
    cls=options.SecretsCommand,
    epilog="Example: pegwise race 4x6 -s knuth -s entropy --report race.html",
)
@options.rules_argument
@options.jar_option
@options.secrets_option
@options.strategy_option(
    "names",
    multiple=True,
    help="A strategy; may be repeated. If not given, all strategies that are not slow.",
)
@click.option(
    "--openings",
    is_flag=True,
    help="Each strategy once after every kind of first guess of a board: AABB, AABC, ...",
)
@click.option("--games", type=options.WholeNumber(1, MAX_GAMES), help="Draw this number of games.")
@click.option(
    "--max-guesses",
    hidden=True,
    type=options.WholeNumber(1, 10**6),
    help="With --secrets: count the games that take more guesses.",
)
@click.option(
    "--played",
    hidden=True,
    type=options.WholeNumber(0, MAX_GAMES),
    help="Games to play guess by guess besides, for the processor time of a game; with "
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
    hidden=True,
    help="Play nothing: show how much memory whole trees would take, and in which pieces.",
)
@options.limit_options
@click.option(
    "--losses",
    "with_losses",
    is_flag=True,
    help=(
        "Show, turn by turn, the guesses lost against best play; boards of at most 25,000 secrets."
    ),
)
@click.option(
    "--losses-seconds",
    hidden=True,
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
    options.output_option(
        "--turns", hidden=True, metavar="FILE.csv", help="Write the guesses per secret."
    ),
    options.output_option("--report", metavar="FILE.html", help="Write a page with charts."),
    options.output_option("--chart", metavar="FILE.svg|png|html", help="Write the chart."),
    options.output_option(
        "--transcript",
        hidden=True,
        metavar="FILE",
        help=("Write what files and programs were asked and what they answered."),
    ),
)
@click.pass_context
def race(
    ctx: click.Context,
    rules: Game,
    n_secrets: int,
    names: tuple[str, ...],
    openings: bool,
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

    With --secrets 4 four codes are hidden at once; guesses count until the last is found.
    """
    if max_guesses is not None and n_secrets == 1:
        raise InputError(
            "--max-guesses {n}: it is for several secrets; give --secrets too", n=max_guesses
        )
    if n_secrets > 1:
        _refuse_with_secrets(ctx)
    if openings:
        weighed = rules.weights is not None or weights is not None
        names = _after_openings(rules, names, seed, weighed=weighed)
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
        typed, also = options.typed_words(rules)
        also += [] if weights is None else ["--weights", str(weights)]
        numbers = (games, seed, played or 0)
        command = command_line(
            *(typed, names, *numbers), boards=n_secrets, max_guesses=max_guesses, also=also
        )
        jobs = jobs_for(resources.jobs, rules.n_secrets) if n_secrets == 1 else resources.jobs or 1
        only = Race(
            game,
            racing or None,
            games=games,
            played=played or 0,
            seed=seed,
            threads=jobs,
            where=options.cluster_at(resources.cluster),
            command=command,
            folder=PIECES.store().path,
            max_guesses=max_guesses,
        )
        races = [only]
    elif weights is not None:
        raise InputError("a protocol hides each code as often: leave out --weights")
    else:
        if any(
            ctx.get_parameter_source(name) is not ParameterSource.DEFAULT
            for name in ("rules", "jar")
        ):
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
            folder=PIECES.store().path,
        )
    if with_losses:
        from pegwise.search.losses import check_losses

        check_losses(races[0].game)
    screen = Screen(notation=notation)
    if notation is not None:
        for each in races:
            screen.use(LETTERS, game_of(each.game.name))
    said = _transcribed(racing) if files.transcript else []
    for each in races:
        racers = list(each.strategies.values())
        listed = each.game.n_secrets <= MAX_LISTED
        resources.check(game_of(each.game.name), each.where, racers, listed=listed)
    with memory_allowed(resources.memory):
        failure = _run_races(races)
    results = [each.results for each in races]
    if files.report and not with_losses:
        with_losses = _is_contest(races[0])
    if with_losses and failure is None:
        failure = _work_out(results[0], losses_seconds)
    finished = any(each.standings for each in results)
    several = any(len(each.skipped) > 1 for each in results)
    if finished or several or isinstance(failure, KeyboardInterrupt):
        if as_json:
            options.print_json(protocol.document(results) if protocol else results[0])
        if notation is not None:
            _write_losses(results[0], screen)
        if not as_json:
            report = protocol_report(protocol, results) if protocol else results_report(results[0])
            show(report.blocks, screen)
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
    *("rules", "n_secrets", "names", "openings", "games", "max_guesses", "seed", "jobs"),
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


def _has_opening(text: str) -> bool:
    """Whether a strategy has the option `opening`."""
    return "opening" in declared_options(type(options.parse_strategy(text, 0)))


def _after_openings(
    rules: Game, names: Sequence[str], seed: int, *, weighed: bool
) -> tuple[str, ...]:
    """Each strategy as typed, with every kind of first guess that it can play."""
    if weighed:
        raise InputError(
            "--openings: where codes have weights, first guesses are not of few kinds; name some, "
            "as in -s entropy:opening=GUESS"
        )
    if rules.board is None:
        raise InputError(
            "--openings: the first guesses of {rules} have no kinds, since it is no board; name "
            "some, as in -s entropy:opening=GUESS",
            rules=rules.name,
        )
    texts = []
    for name in names:
        if not _has_opening(name):
            able = [each for each in registry.names() if _has_opening(each)]
            raise InputError(
                "--openings: {strategy} has no option 'opening'; these have it: {names}",
                strategy=name,
                names=", ".join(able),
            )
        for kind in first_guesses(rules.board):
            text = f"{name}{',' if ':' in name else ':'}opening={kind.guess}"
            if options.parse_strategy(text, seed).plays(rules):
                texts.append(text)
    if not texts:
        raise InputError("--openings: name strategies, as in -s entropy")
    return tuple(texts)


def _is_contest(race: Race) -> bool:
    """Whether a report has losses though they were not asked for: with files and programs."""
    game = race.game
    theirs = any(isinstance(strategy, Entrant) for strategy in race.strategies.values())
    return theirs and game.n_secrets <= SOLVED and game.weights is None


def _work_out(results: RaceResults, seconds: float | None) -> KeyboardInterrupt | None:
    """Work out the losses of each strategy; what stopped that, if anything did."""
    try:
        with progress_bar(tr("{rules}: losses", rules=results.rules)) as report:
            results.work_out_losses(seconds=seconds, report=report)
    except KeyboardInterrupt as stop:
        return stop
    return None


def _write_losses(results: RaceResults, screen: Screen) -> None:
    """Write the codes and marks of losses in the notation of a screen, also for the report."""
    rules = game_of(results.rules)
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


def _transcribed(strategies: Iterable[Strategy]) -> list[str]:
    """The lines that entrants will be told and will say, as they come."""
    said: list[str] = []
    for strategy in strategies:
        if isinstance(strategy, Entrant):
            strategy.transcript = lambda name, way, line: said.append(f"{name} {way} {line}\n")
    return said


def _run_races(races: Sequence[Race]) -> BaseException | None:
    """Run them; what stopped them, if anything did."""
    try:
        for race in races:
            with progress_bar(race.name) as report:
                race.run(report=report)
    except (KeyboardInterrupt, PegwiseError) as failure:
        return failure
    if not any(race.depths for race in races):
        name, why = next(pair for race in races for pair in race.results.skipped)
        return StrategyError("{name}: {what}", name=name, what=why)
    return None
