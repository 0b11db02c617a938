"""`pegwise records`: what is proven of boards, with its certificates."""

from __future__ import annotations

import sys
from itertools import groupby, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from pegwise.cli import options
from pegwise.cli.progress import progress_bar
from pegwise.cli.search import TITLES, with_bound
from pegwise.cli.signals import deferred, exit_status, interruptible
from pegwise.cli.terminal import NO, align, paragraph, say, tell_interrupted
from pegwise.compute.machine import cores
from pegwise.errors import InputError, Phrase
from pegwise.game import Rules, mastermind
from pegwise.i18n import tr, translated
from pegwise.pictures.records import TABLES, documents, page
from pegwise.pictures.records import document as certificate_document
from pegwise.progress import Progress
from pegwise.search.certificates.files import save, shipped_certificates
from pegwise.search.strategies.optimal import prove

if TYPE_CHECKING:
    from pegwise.search.exact.driver import Optimum
    from pegwise.search.exact.optimal import OptimalSearch

_NARROW: Final = 20  # characters; columns of such tables stand side by side


@click.command(epilog="Example: pegwise records --check")
@click.argument(
    "rules",
    required=False,
    metavar="[RULES]",
    callback=options.parse_rules,
    shell_complete=options.complete_rules,
)
@click.option("--check", is_flag=True, help="Play every stored tree and set by the plain marking.")
@click.option("--prove", "board", metavar="RULES", help="Search both optima of a board again.")
@options.output_option("-o", "--output", help="With --prove: store the certificate.")
@options.resource_options
@options.json_option
def records(
    rules: Rules | None,
    check: bool,
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
    if rules is not None and (check or board is not None):
        raise InputError("RULES shows the records of a board: leave out --check and --prove")
    if resources.cluster is not None and board is None:
        raise InputError("--cluster helps to prove: give --prove RULES too")
    if output is not None and board is None:
        raise InputError("-o stores what --prove finds: give --prove RULES too")
    if check and board is not None:
        raise InputError("--check reads what is stored, --prove searches: give one of them")
    if board is not None:
        _prove(Rules.parse(board), output, resources, as_json=as_json)
    elif check:
        _check(as_json=as_json)
    elif as_json:
        options.print_json(documents(rules))
    elif rules is not None and not any(documents(rules).values()):
        raise InputError("no record of {rules} comes with pegwise", rules=rules)
    else:
        text = page(rules)
        click.echo(_fitted(text) if sys.stdout.isatty() else text, nl=False)


def _fitted(markdown: str) -> str:
    """A page of Markdown that fits the terminal: in its tables wide columns come last, and wrap."""
    blocks: list[str] = []
    for kind, lines in groupby(markdown.splitlines(), _kind):
        if kind == "table":
            blocks += _table([[c.strip() for c in line.strip("| ").split(" |")] for line in lines])
        else:
            blocks.append(paragraph(" ".join(lines)) + "\n")
    return "".join(blocks)


def _kind(line: str) -> str:
    """Whether a line is of a table, of prose, or empty."""
    return "table" if line.startswith("|") else "prose" if line else "empty"


def _table(rows: list[list[str]]) -> list[str]:
    rows = [row for row in rows if not row[0].startswith("--")]
    if not rows:
        return []
    columns = list(zip_longest(*rows, fillvalue=""))
    widths = [max(map(len, column)) for column in columns]
    narrow = [column for column, width in zip(columns, widths, strict=True) if width <= _NARROW]
    wide = [column for column, width in zip(columns, widths, strict=True) if width > _NARROW]
    aligned = align(list(zip(*narrow, strict=True)), range(len(narrow)))
    ends = zip(*wide, strict=True) if wide else [()] * len(rows)
    return [
        paragraph("  ".join([*cells, *end]).rstrip(), "", "    ") + "\n"
        for cells, end in zip(aligned, ends, strict=True)
    ]


def _prove(
    rules: Rules, output: Path | None, resources: options.Resources, *, as_json: bool
) -> None:
    from pegwise.search.exact.table import search_memory

    options.check_memory(resources.memory, search_memory(mastermind(rules)), rules)
    where, threads = options.cluster_at(resources.cluster), resources.jobs or cores()
    searches: list[OptimalSearch] = []
    try:
        with (
            interruptible(),
            options.limited_memory(resources.memory),
            progress_bar(str(rules), with_bound) as show,
            deferred() as check,
        ):

            def report(step: Progress) -> None:
                show(step)
                check()

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
                _say_so_far(rules, answer)
        sys.exit(exit_status())
    if output is not None:
        save(certificate, output)
    document = certificate_document(certificate)
    if as_json:
        options.print_json(document)
    else:
        say(
            "{rules}: smallest total {total} (worst {worst}); smallest worst case {least_worst} "
            "(total {limited_total}); proven, verified",
            **document,
        )


def _so_far(answer: Optimum) -> dict[str, Any]:
    """The JSON document of a search that may have been stopped."""
    return {
        "objective": answer.objective,
        "total": answer.tree and answer.tree.total,
        "worst": answer.tree and answer.tree.worst,
        "lower_bound": answer.lower_bound,
        "proven": answer.proven,
    }


def _say_so_far(rules: Rules, answer: Optimum) -> None:
    """The best answer of a search that may have been stopped, in a line."""
    if answer.tree is None:
        say("No tree of {name} found yet; at least {least}.", name=rules, least=answer.lower_bound)
        return
    proof = tr("proven, verified") if answer.proven else tr("not proven, verified")
    say(
        "{name}: {what}, total {total}, worst {worst}; no tree has less than {least}",
        name=rules,
        what=f"{tr(TITLES[answer.objective, answer.proven])} ({proof})",
        total=answer.tree.total,
        worst=answer.tree.worst,
        least=answer.lower_bound,
    )


def _check(*, as_json: bool) -> None:
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
            for certificate in shipped_certificates(TABLES[name][0]):
                counts[name] += 1
                report(Progress(sum(counts.values())))
                wrong += [
                    Phrase(problem, rules=certificate.rules, text=text)
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
