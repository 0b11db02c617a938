"""`pegwise value`: the value of the game, with optimal mixtures of both sides."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pegwise.cli.i18n import sentence
from pegwise.cli.options import (
    check_fits,
    check_writable,
    json_option,
    kept_within,
    memory_option,
    print_json,
    rules_argument,
    threads_option,
    write_file,
)
from pegwise.cli.search import Ended, checkpoint_option, fresh_option, go_through
from pegwise.cli.terminal import (
    announce_compilation,
    duration,
    paragraph,
    progress_bar,
    status_line,
)
from pegwise.compute.pool import cores
from pegwise.errors import InputError
from pegwise.game import Rules
from pegwise.i18n import tr

if TYPE_CHECKING:
    from pegwise.search.certificates.claims import Certificate, GameValue
    from pegwise.search.value import ValueProgress
_WRONG = 1


@click.command(epilog="Example: pegwise value 4x6 -o classic.value")
@rules_argument
@threads_option
@memory_option
@checkpoint_option
@fresh_option
@click.option("--stored", is_flag=True, help="Show the stored value, without search.")
@click.option(
    "--check",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Check a stored certificate: play its trees, search its lower bound again.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Store the certificate: weights, and trees with their probabilities.",
)
@json_option
@click.pass_context
def value(
    ctx: click.Context,
    rules: Rules,
    threads: int | None,
    memory: int | None,
    checkpoint_path: Path | None,
    fresh: bool,
    stored: bool,
    check: Path | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """The value of the game, with proof.

    The codemaker draws the secret, the codebreaker wants few guesses on average, and both mix.
    Interrupted, it says between which bounds the value is and keeps a checkpoint: the same
    command goes on from there.
    """
    if check is not None:
        if stored or output is not None or checkpoint_path is not None:
            raise InputError("--check reads a certificate: give it no other file, nor --stored")
        ctx.exit(_check(check, memory, as_json))
    if output is not None:
        check_writable(output)
    if stored:
        found: Certificate[GameValue] | None = _stored(rules)
        searches, ended = 0, Ended()
    else:
        found, searches, ended = _search(rules, threads, memory, checkpoint_path, fresh)
    if output is not None and found is not None:
        from pegwise.search.certificates import content

        data = content(found)
        with ended.noting():
            write_file(output, lambda path: _write(path, data))
    if as_json:
        print_json(_document(rules, found, searches))
    else:
        ended.say(rules, kept=not fresh)
        _say(rules, found)
    ended.leave()


def _write(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def _stored(rules: Rules) -> Certificate[GameValue]:
    from pegwise.search.certificates import stored as stored_certificate
    from pegwise.search.certificates.claims import GameValue

    found = stored_certificate(GameValue, rules)
    if found is None:
        raise InputError(
            "no value of {rules} is stored; 'pegwise value {rules}' finds it", rules=rules
        )
    return found


def _search(
    rules: Rules, threads: int | None, memory: int | None, path: Path | None, fresh: bool
) -> tuple[Certificate[GameValue] | None, int, Ended]:
    """What a search has found, how many trees it made, and how it was left."""
    from pegwise.game import mastermind
    from pegwise.search.certificates import certify, keep
    from pegwise.search.checkpoint import ValueCheckpoint
    from pegwise.search.value import ValueSearch, value_memory

    announce_compilation()
    game = mastermind(rules)
    check_fits(memory, value_memory(game), rules)
    search = ValueSearch(game, threads=threads or cores())
    checkpoint = ValueCheckpoint(path or ValueCheckpoint.default_path(search))
    if not fresh and (said := checkpoint.resume(search)):
        click.echo(sentence(said), err=True)
    steps = iter(search) if fresh else checkpoint.run(search)
    ended = go_through(search, steps, _watched(rules), memory=memory)
    answer = search.result()
    if answer is None:
        return None, 0, ended
    found = certify(answer, checkpoint.seconds)
    if answer.proven:
        keep(found)
    return found, len(search.answers), ended


def _check(path: Path, memory: int | None, as_json: bool) -> int:
    from pegwise.search.certificates import load
    from pegwise.search.certificates.claims import GameValue
    from pegwise.search.value import check_value, value_memory

    announce_compilation()
    found = load(GameValue, path).claim
    check_fits(memory, value_memory(found.game), found.game.name)
    with kept_within(memory), progress_bar(tr("check {name}", name=found.game.name)) as report:
        problems = check_value(found, report=report)
    text = found.write(found.lower)
    if as_json:
        print_json(
            {
                "valid": not problems,
                "rules": found.game.name,
                "value": text,
                "trees": len(found.mixture),
                "problems": problems,
            }
        )
    elif problems:
        for problem in problems:
            click.echo(sentence(problem))
    else:
        click.echo(
            tr(
                "{name}: the value is {value}, proven: {n} trees were played, and no tree costs "
                "less against the codemaker's weights.",
                name=found.game.name,
                value=text,
                n=len(found.mixture),
            )
        )
    return _WRONG if problems else 0


@contextmanager
def _watched(rules: Rules) -> Iterator[Callable[[ValueProgress], None]]:
    """A line on standard error that says how far the search is, while a terminal watches."""
    begun = time.monotonic()
    first: list[int] = []
    with status_line() as say:

        def show(step: ValueProgress) -> None:
            if say is None:
                return
            first.append(step.done)
            del first[1:]
            seconds = time.monotonic() - begun
            done = step.done - first[0] + step.fraction
            left = seconds * (step.expected - step.done - step.fraction) / done if done else None
            bounds = tr("value {value}", value=step.best) + "  " if step.upper is not None else ""
            say(
                tr(
                    "{rules}  {bounds}{done} of some {expected} trees, the next "
                    "{fraction:.0%}, {gone} gone, some {left} to go",
                    rules=rules,
                    bounds=bounds,
                    done=step.done,
                    expected=step.expected,
                    fraction=step.fraction,
                    gone=duration(seconds),
                    left="?" if left is None else duration(max(left, 0)),
                )
            )

        yield show


def _document(rules: Rules, stored: Certificate[GameValue] | None, searches: int) -> dict[str, Any]:
    if stored is None:
        return {
            "rules": str(rules),
            "value": None,
            "lower": "0",
            "upper": None,
            "codemaker": None,
            "codebreaker": None,
        }
    found = stored.claim
    return {
        "rules": str(rules),
        "value": found.write(found.lower) if found.proven else None,
        "mean": float(found.lower) if found.proven else None,
        "lower": found.write(found.lower),
        "upper": found.write(found.upper),
        "codemaker": [
            {
                "class": name,
                "secrets": size,
                "weight": weight,
                "probability": str(Fraction(weight * size, found.classes.weight(found.weights))),
            }
            for name, size, weight in _classes(found)
        ],
        "codebreaker": [
            {
                "probability": str(probability),
                "first": str(found.game.guess(int(tree.nodes.guess[0]))),
                "total": tree.total,
                "worst": tree.worst,
                "means": {
                    name: str(mean)
                    for (name, _, _), mean in zip(
                        _classes(found),
                        found.classes.means(found.classes.totals(tree)),
                        strict=True,
                    )
                },
            }
            for probability, tree in found.mixture
        ],
        "searches": searches,
        "positions": found.positions,
        "seconds": round(stored.seconds, 3),
    }


def _classes(found: GameValue) -> list[tuple[str, int, int]]:
    """First code, number of secrets and weight of each class."""
    names = [str(found.game.secret(first)) for first in found.classes.first]
    return list(zip(names, found.classes.sizes, found.weights, strict=True))


def _say(rules: Rules, stored: Certificate[GameValue] | None) -> None:
    if stored is None:
        click.echo(tr("No tree of {rules} found yet.", rules=rules))
        return
    found = stored.claim
    lower, upper = found.write(found.lower), found.write(found.upper)
    if found.proven:
        said = tr("{rules}: the value of the game is {value}", rules=rules, value=lower)
        click.secho(said, bold=True, nl=False)
        mean = float(found.lower)
        click.echo(" = " + tr("{mean:.6f} guesses (proven, verified)", mean=mean))
    else:
        said = tr("{rules}: the value of the game is not known yet", rules=rules)
        click.secho(said, bold=True)
        low, high = float(found.lower), float(found.upper)
        click.echo("  " + tr("between {mean:.6f} = {value}", mean=low, value=lower))
        click.echo("  " + tr("and {mean:.6f} = {value}", mean=high, value=upper))
    click.echo("  " + tr("the codemaker draws a secret by these weights:"))
    whole = found.classes.weight(found.weights)
    for name, size, weight in _classes(found):
        alike = tr("{n} such codes", n=size) if size > 1 else tr("one such code")
        said = tr(
            "{code}  weight {weight}  ({alike}, in all {chance:.2%})",
            code=name,
            weight=weight,
            alike=alike,
            chance=weight * size / whole,
        )
        click.echo(f"    {said}")
    free = rules.black and not rules.secrets_are_distinct
    colors = tr("renames colors at random")
    if free:
        colors = tr("renames colors at random on each peg")
    trees = tr("one of these trees") if len(found.mixture) > 1 else tr("this tree")
    said = tr(
        "the codebreaker exchanges pegs and {colors}, then plays {trees}:",
        colors=colors,
        trees=trees,
    )
    click.echo(paragraph(said, "  "))
    for probability, tree in found.mixture:
        first = found.game.guess(int(tree.nodes.guess[0]))
        said = tr(
            "{chance:.4%}  from {first}: total {total}, worst {worst}",
            chance=float(probability),
            first=first,
            total=tree.total,
            worst=tree.worst,
        )
        click.echo(f"    {said}")
    said = tr(
        "{n} positions, {seconds:.2f} s of processor time",
        n=found.positions,
        seconds=stored.seconds,
    )
    click.echo(f"  {said}")
