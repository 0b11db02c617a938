"""`pegwise static`: fixed sets of guesses that tell all codes apart."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from pegwise.cli.i18n import sentence
from pegwise.cli.options import (
    WholeNumber,
    check_fits,
    check_writable,
    json_option,
    kept_within,
    memory_option,
    print_json,
    rules_argument,
    seed_option,
    threads_option,
    write_file,
)
from pegwise.cli.search import checkpoint_option, fresh_option, go_through
from pegwise.cli.terminal import Timing, announce_compilation, progress_bar, timing
from pegwise.compute.pool import cores
from pegwise.game import Rules
from pegwise.i18n import tr, trn

if TYPE_CHECKING:
    from pegwise.game import Mastermind
    from pegwise.search.certificates.claims import FixedSet
    from pegwise.search.static.search import StaticProgress, StaticSearch
_NO: Final = 1
_LOOK: Final = 0.1
"""Seconds between two steps that are shown."""


@click.command(epilog="Example: pegwise static 4x6 --guesses 5")
@rules_argument
@click.option(
    "--guesses",
    type=WholeNumber(0, 1000),
    help="Ask only whether N guesses are enough.",
)
@click.option(
    "--check",
    "given",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Check the guesses in FILE, one a line, or a stored set.",
)
@threads_option
@seed_option
@memory_option
@checkpoint_option
@fresh_option
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Store the set with what is proven of it.",
)
@json_option
def static(
    rules: Rules,
    guesses: int | None,
    given: Path | None,
    threads: int | None,
    seed: int,
    memory: int | None,
    checkpoint_path: Path | None,
    fresh: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """The smallest fixed set of guesses that tells all codes apart, with proof.

    The guesses are played whatever the marks; then the code is known, and announced. Interrupted,
    it says what it has found and keeps a checkpoint: the same command goes on from there.
    """
    from pegwise.game import mastermind

    if given is not None:
        if guesses is not None or output is not None:
            raise click.UsageError(tr("--check goes without --guesses and --output"))
        with kept_within(memory):
            _check(mastermind(rules), given, as_json=as_json)
        return
    from pegwise.search.certificates import SET_METHOD, certify, content, keep
    from pegwise.search.checkpoint import StaticCheckpoint
    from pegwise.search.static.search import StaticSearch, static_memory

    if output is not None:
        check_writable(output)
    announce_compilation()
    game = mastermind(rules)
    check_fits(memory, static_memory(game), rules)
    search = StaticSearch(game, guesses=guesses, threads=threads or cores(), seed=seed)
    checkpoint = StaticCheckpoint(checkpoint_path or StaticCheckpoint.default_path(search))
    if not fresh and (said := checkpoint.resume(search)):
        click.echo(sentence(said), err=True)
    steps = iter(search) if fresh else checkpoint.run(search)
    with timing() as time_taken:
        ended = go_through(search, steps, _watched(game), memory=memory)
        answer = search.result()
    if answer.guesses is not None:
        certificate = certify(answer, checkpoint.seconds, SET_METHOD)
        keep(certificate)
        if output is not None:
            data = content(certificate)
            with ended.noting():
                write_file(output, lambda path: _write(path, data))
    if as_json:
        print_json(_document(game, answer))
    else:
        ended.say(game.name, kept=not fresh)
        _say(game, search, answer, time_taken)
    ended.leave()
    if guesses is not None and not _is_enough(answer, guesses):
        sys.exit(_NO)


def _write(path: Path, data: bytes) -> None:
    path.write_bytes(data)


@contextmanager
def _watched(game: Mastermind) -> Iterator[Callable[[StaticProgress], None]]:
    """A bar on standard error while a terminal watches."""
    shown = 0.0
    with progress_bar(game.name) as report:

        def show(step: StaticProgress) -> None:
            nonlocal shown
            if (now := time.monotonic()) > shown + _LOOK:
                report(step)
                shown = now

        yield show


def _is_enough(answer: FixedSet, guesses: int) -> bool:
    return answer.size is not None and answer.size <= guesses


def _document(game: Mastermind, answer: FixedSet) -> dict[str, Any]:
    return {
        "rules": game.name,
        "size": answer.size,
        "guesses": None
        if answer.guesses is None
        else [str(game.guess(number)) for number in answer.guesses],
        "proven": answer.proven,
        "lower_bound": answer.lower_bound,
    }


def _say(game: Mastermind, search: StaticSearch, answer: FixedSet, time_taken: Timing) -> None:
    asked = search.guesses
    if asked is not None and answer.lower_bound > asked:
        click.echo(
            trn(
                "Impossible, proven: no {n} fixed guess tells all {codes} codes of {name} apart.",
                "Impossible, proven: no {n} fixed guesses tell all {codes} codes of {name} apart.",
                asked,
                codes=game.n_secrets,
                name=game.name,
            )
        )
    elif asked is not None and not _is_enough(answer, asked):
        click.echo(
            trn(
                "No {n} fixed guess found for {name}, and it is not proven impossible.",
                "No {n} fixed guesses found for {name}, and it is not proven impossible.",
                asked,
                name=game.name,
            )
        )
    if answer.guesses is not None:
        least = tr("at least {n} are needed", n=answer.lower_bound)
        proof = tr("proven smallest") if answer.proven else least
        what = f"{_counted(len(answer.guesses))} ({proof})"
        click.secho(tr("{name}: {what}", name=game.name, what=what), bold=True)
        if answer.guesses:
            click.echo("  " + " ".join(str(game.guess(number)) for number in answer.guesses))
    tried = trn(
        "{n} set tried in {time}", "{n} sets tried in {time}", answer.positions, time=time_taken
    )
    click.echo(f"  {tried}")


def _counted(guesses: int) -> str:
    return trn("{n} fixed guess", "{n} fixed guesses", guesses)


def _check(game: Mastermind, given: Path, *, as_json: bool) -> None:
    """Say whether the guesses in a file tell all codes apart."""
    from pegwise.search.certificates import read_guesses
    from pegwise.search.certificates.claims import confused

    codes = read_guesses(given, game.rules)
    found = confused(game, [game.guess_number(code) for code in codes])
    pair = [] if found is None else [game.secret(found.first), game.secret(found.second)]
    if as_json:
        print_json(
            {
                "rules": game.name,
                "size": len(codes),
                "guesses": [str(code) for code in codes],
                "valid": found is None,
                "confused": [str(code) for code in pair] or None,
                "answers": game.n_secrets if found is None else found.answers,
            }
        )
    elif found is None:
        click.echo(
            tr(
                "{guesses}: all {n} codes of {name} apart.",
                guesses=_counted(len(codes)),
                n=game.n_secrets,
                name=game.name,
            )
        )
    else:
        marks = " ".join(str(game.mark_of(code, pair[0])) for code in codes)
        click.echo(
            tr(
                "{guesses}: not enough for {name}. {one} and {other} get the same marks ({marks}); "
                "{apart} of {n} answers differ.",
                guesses=_counted(len(codes)),
                name=game.name,
                one=pair[0],
                other=pair[1],
                marks=marks or tr("none"),
                apart=found.answers,
                n=game.n_secrets,
            )
        )
    if found is not None:
        sys.exit(_NO)
