"""`pegwise records`: what is proven, with the certificate of each claim."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from pegwise.cli.options import (
    WholeNumber,
    check_fits,
    check_writable,
    cluster_option,
    json_option,
    kept_within,
    memory_option,
    print_json,
    workplace,
)
from pegwise.cli.terminal import announce_compilation, interruptible, progress_bar
from pegwise.compute.pool import cores
from pegwise.errors import InputError, Phrase
from pegwise.game import Rules
from pegwise.i18n import tr, translated
from pegwise.progress import Progress

_WRONG = 1
_INTERRUPTED = 130


@click.command(epilog="Example: pegwise records --check")
@click.option("--check", is_flag=True, help="Play every stored tree and set by the plain marking.")
@click.option("--prove", "board", metavar="RULES", help="Search both optima of a board again.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="With --prove: store the certificate.",
)
@click.option(
    "--jobs",
    type=WholeNumber(1, 1024),
    help="With --prove: threads; all processors if not given.",
)
@cluster_option
@memory_option
@json_option
@click.pass_context
def records(
    ctx: click.Context,
    check: bool,
    board: str | None,
    output: Path | None,
    jobs: int | None,
    cluster: str | None,
    memory: int | None,
    as_json: bool,
) -> None:
    """The table of records: proven optima, values of games, fixed sets of guesses.

    Printed from the certificates that come with pegwise, as Markdown. A proof that is interrupted
    keeps a checkpoint: the same command goes on from there.
    """
    if cluster is not None and board is None:
        raise InputError("--cluster helps to prove: give --prove RULES too")
    if output is not None and board is None:
        raise InputError("-o stores what --prove finds: give --prove RULES too")
    if check and board is not None:
        raise InputError("--check reads what is stored, --prove searches: give one of them")
    if board is not None:
        _prove(Rules.parse(board), output, jobs, cluster, memory, as_json)
    elif check:
        ctx.exit(_check(as_json))
    elif as_json:
        from pegwise.pictures.records import documents

        print_json(documents())
    else:
        from pegwise.pictures.records import page

        click.echo(page(), nl=False)


def _prove(
    rules: Rules,
    output: Path | None,
    jobs: int | None,
    cluster: str | None,
    memory: int | None,
    as_json: bool,
) -> None:
    import time

    from pegwise.game import mastermind
    from pegwise.pictures.records import optimum_document
    from pegwise.search.certificates import certify, save
    from pegwise.search.exact.model import search_memory
    from pegwise.search.players import prove

    if output is not None:
        check_writable(output)
    check_fits(memory, search_memory(mastermind(rules)), rules)
    where = None if cluster is None else workplace(cluster)
    announce_compilation()
    begun = time.process_time()
    try:
        with interruptible(), kept_within(memory), progress_bar(str(rules)) as report:
            proof = prove(rules, threads=jobs or cores(), where=where, report=report)
    except KeyboardInterrupt:
        said = tr("Interrupted; the same command goes on with {name}.", name=rules)
        click.echo(said, err=True)
        sys.exit(_INTERRUPTED)
    certificate = certify(proof, time.process_time() - begun)
    if output is not None:
        save(certificate, output)
    if as_json:
        print_json(optimum_document(certificate))
    else:
        click.echo(
            tr(
                "{rules}: smallest total {total} (worst {worst}); smallest worst case {least} "
                "(total {limited}); proven, verified",
                rules=rules,
                total=proof.tree.total,
                worst=proof.tree.worst,
                least=proof.limited.worst,
                limited=proof.limited.total,
            )
        )


def _check(as_json: bool) -> int:
    from pegwise.search.certificates import shipped_certificates
    from pegwise.search.certificates.claims import BestTree, FixedSet, GameValue, ProvenTrees

    kinds: dict[str, tuple[type[Any], Phrase]] = {
        "optima": (ProvenTrees, Phrase("optimum of {rules}: {text}")),
        "best": (BestTree, Phrase("best tree of {rules}: {text}")),
        "values": (GameValue, Phrase("value of {rules}: {text}")),
        "sets": (FixedSet, Phrase("set of {rules}: {text}")),
    }
    wrong: list[str] = []
    counts = dict.fromkeys(kinds, 0)
    with progress_bar(tr("certificates")) as report:
        for name, (kind, problem) in kinds.items():
            for certificate in shipped_certificates(kind):
                problems = certificate.claim.problems()
                counts[name] += 1
                report(Progress(sum(counts.values())))
                rules = certificate.rules
                wrong += [Phrase(str(problem), rules=rules, text=text) for text in problems]
    if as_json:
        print_json({"valid": not wrong, **counts, "problems": wrong})
    else:
        for text in wrong:
            click.echo(translated(text))
        click.echo(
            tr(
                "{optima} optima, {best} trees without proof, {values} values and {sets} fixed "
                "sets played by the plain marking: {verdict}.",
                **counts,
                verdict=tr("see above") if wrong else tr("all right"),
            )
        )
    return _WRONG if wrong else 0
