"""`pegwise race`: strategies against every secret, or against drawn games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from pegwise.arena.draw import MAX_GAMES
from pegwise.cli.common import (
    WholeNumber,
    announce_compilation,
    cluster_option,
    jobs_option,
    json_option,
    parse_strategy,
    print_json,
    progress_bar,
    rules_argument,
    seed_option,
    workplace,
)
from pegwise.cli.completion import strategy_names
from pegwise.cli.interrupts import interruptible
from pegwise.cli.memory import check_fits, kept_within, memory_option
from pegwise.cli.race_files import RaceFiles, race_file_options
from pegwise.cores import cores, jobs_for
from pegwise.errors import InputError, PegwiseError, StrategyError
from pegwise.game import Rules

if TYPE_CHECKING:
    from pegwise.arena import Race, RaceResults
    from pegwise.arena.protocol import Protocol

__all__ = ["race"]


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
        from pegwise.cli.race_plan import show_plan

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
        from pegwise.arena.protocol import protocol as find
        from pegwise.home import home

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
    from pegwise.arena import Race, entrants
    from pegwise.arena.race import command_line
    from pegwise.game import mastermind
    from pegwise.home import home

    game = mastermind(rules)
    strategies = [parse_strategy(name, seed) for name in names]
    left_out: list[tuple[str, str]] = []
    if not names:
        strategies, left_out = entrants(game, seed)
    return Race(
        game,
        strategies,
        games=games,
        seed=seed,
        threads=jobs_for(jobs, rules.n_secrets),
        where=None if cluster is None else workplace(cluster),
        lenient=not names,
        skipped=left_out,
        command=command_line(str(rules), names, games, seed),
        folder=home() / "pieces",
    )


def _memory(race: Race) -> int:
    """Bytes that a race takes on this machine, its workers included."""
    from pegwise.arena.plan import memory_of
    from pegwise.game.game import MAX_LISTED

    listed = race.game.n_secrets <= MAX_LISTED
    return memory_of(Rules.parse(race.game.name), listed=listed) * (1 + _workers(race))


def _workers(race: Race) -> int:
    """Processes of this machine that a race keeps busy, each with memory of its own."""
    from pegwise.cluster import Processes
    from pegwise.strategies import Compiles

    threads = all(isinstance(one, Compiles) for one in race.strategies.values())
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
        from pegwise.arena.documents import to_document

        print_json(protocol.document(results) if protocol else to_document(results[0]))
        return
    from pegwise.cli.race_table import print_protocol, print_race

    if protocol:
        print_protocol(protocol, results)
    else:
        print_race(results[0])
