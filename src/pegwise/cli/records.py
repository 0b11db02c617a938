"""`pegwise records`: what is proven of boards, with its certificates."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.progress import progress_bar
from pegwise.cli.search import with_bound
from pegwise.cli.signals import exit_status
from pegwise.cli.terminal import NO, say, tell_interrupted
from pegwise.compute.machine import cores, memory_allowed
from pegwise.errors import InputError, Phrase
from pegwise.game import Game, game_of
from pegwise.i18n import tr, translated
from pegwise.progress import Progress
from pegwise.search.certificates.files import save_certificate, shipped_certificates
from pegwise.search.strategies.optimal import prove
from pegwise.telling.proofs import optimum_report
from pegwise.telling.records import (
    CERTIFICATES,
    certificate_document,
    documents,
    markdown,
    records_report,
)

if TYPE_CHECKING:
    from pegwise.search.exact.optimal import OptimalSearch
    from pegwise.search.exact.optimum import Optimum


@click.command(epilog="Example: pegwise records --verify")
@click.argument(
    "rules",
    required=False,
    metavar="[RULES]",
    callback=options.parse_rules,
    shell_complete=options.complete_rules,
)
@click.option("--verify", is_flag=True, help="Play every stored tree and set by the plain marking.")
@click.option("--prove", "board", metavar="RULES", help="Search both optima of a board again.")
@options.output_option("-o", "--output", help="With --prove: store the certificate.")
@options.resource_options
@options.json_option
def records(
    rules: Game | None,
    verify: bool,
    board: str | None,
    output: Path | None,
    resources: options.Resources,
    as_json: bool,
) -> None:
    """The table of records: proven optima, values of games, fixed sets of guesses.

    Printed from the certificates that come with pegwise, of one board or all, as Markdown; a
    terminal shows tables that fit. A proof that is interrupted keeps a checkpoint: the same command
    continues it.
    """
    if rules is not None and (verify or board is not None):
        raise InputError("RULES shows the records of a board: leave out --verify and --prove")
    if resources.cluster is not None and board is None:
        raise InputError("--cluster helps to prove: give --prove RULES too")
    if output is not None and board is None:
        raise InputError("-o stores what --prove finds: give --prove RULES too")
    if verify and board is not None:
        raise InputError("--verify reads what is stored, --prove searches: give one of them")
    if board is not None:
        _prove(game_of(board), output, resources, as_json=as_json)
    elif verify:
        _check_certificates(as_json=as_json)
    elif as_json:
        options.print_json(documents(rules))
    elif rules is not None and not any(documents(rules).values()):
        raise InputError("no record of {rules} comes with pegwise", rules=rules)
    else:
        report = records_report(rules)
        if sys.stdout.isatty():
            show(report.blocks, Screen())
        else:
            click.echo(markdown(report.blocks), nl=False)


def _prove(
    rules: Game, output: Path | None, resources: options.Resources, *, as_json: bool
) -> None:
    from pegwise.search.exact.table import search_memory

    options.check_memory(resources.memory, search_memory(game_of(rules)), rules)
    where, threads = options.cluster_at(resources.cluster), resources.jobs or cores()
    searches: list[OptimalSearch] = []
    try:
        with (
            memory_allowed(resources.memory),
            progress_bar(str(rules), with_bound) as report,
        ):
            certificate = prove(
                rules, threads=threads, where=where, report=report, begun=searches.append
            )
    except KeyboardInterrupt:
        tell_interrupted(rules)
        answers = [search.result() for search in searches]
        if as_json:
            options.print_json({"rules": str(rules), "searches": [_so_far(a) for a in answers]})
        else:
            for answer in answers:
                document = {"rules": str(rules)} | _so_far(answer)
                show(optimum_report(document, answer.best).blocks, Screen())
        sys.exit(exit_status())
    if output is not None:
        save_certificate(certificate, output)
    proven = certificate_document(certificate)
    if as_json:
        options.print_json(proven)
    else:
        say(
            "{rules}: smallest total {total} (worst {worst}); smallest worst case {least_worst} "
            "(total {limited_total}); proven, verified",
            **proven,
        )


def _so_far(answer: Optimum) -> dict[str, Any]:
    """The JSON document of a search that may have been stopped."""
    return {
        "objective": answer.objective,
        "total": answer.best and answer.best.total,
        "worst": answer.best and answer.best.worst,
        "lower_bound": answer.lower_bound,
        "proven": answer.proven,
    }


def _check_certificates(*, as_json: bool) -> None:
    """Play every certificate; exit with `NO` if one is wrong."""
    titles: dict[str, str] = {
        "optima": Phrase("optimum of {rules}: {text}"),
        "goals": Phrase("other goal of {rules}: {text}"),
        "best": Phrase("best tree of {rules}: {text}"),
        "values": Phrase("value of {rules}: {text}"),
        "sets": Phrase("set of {rules}: {text}"),
    }
    wrong: list[str] = []
    counts: dict[str, Any] = dict.fromkeys(titles, 0)
    with progress_bar(tr("certificates")) as report:
        for name, problem in titles.items():
            for certificate in shipped_certificates(CERTIFICATES[name]):
                counts[name] += 1
                report(Progress(sum(counts.values())))
                wrong += [
                    Phrase(problem, rules=certificate.claim.game, text=text)
                    for text in certificate.claim.problems()
                ]
    if as_json:
        options.print_json({"valid": not wrong, **counts, "problems": wrong})
    else:
        for text in wrong:
            click.echo(translated(text))
        say(
            "{optima} optima, {goals} of other goals, {best} trees without proof, {values} values "
            "and {sets} fixed sets "
            "played by the plain marking: {verdict}.",
            **counts,
            verdict=tr("see above") if wrong else tr("all right"),
        )
    if wrong:
        sys.exit(NO)
