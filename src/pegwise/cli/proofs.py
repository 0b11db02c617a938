"""`pegwise static` and `pegwise value`: sets of guesses and mixtures of trees, with proof."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pegwise.cli import options
from pegwise.cli.search import Ended, View, run_search, status_view
from pegwise.cli.terminal import (
    NO,
    Pace,
    Timing,
    announce_compilation,
    paragraph,
    progress_bar,
    say,
    sentence,
)
from pegwise.errors import InputError
from pegwise.game import Rules
from pegwise.i18n import tr, trn

if TYPE_CHECKING:
    from pegwise.game import Mastermind
    from pegwise.search.certificates.claims import Certificate, FixedSet, GameValue
    from pegwise.search.static import StaticProgress, StaticSearch
    from pegwise.search.value import ValueProgress


# `pegwise static`


@click.command(epilog="Example: pegwise static 4x6 --guesses 5")
@options.rules_argument
@click.option(
    "--guesses",
    type=options.WholeNumber(0, 1000),
    help="Ask only whether N guesses are enough.",
)
@click.option(
    "--check",
    type=options.A_FILE,
    metavar="FILE",
    help="Check the guesses in FILE, one a line, or a stored set.",
)
@options.seed_option
@options.search_options
def static(
    rules: Rules,
    guesses: int | None,
    check: Path | None,
    seed: int,
    settings: options.SearchOptions,
) -> None:
    """The smallest fixed set of guesses that tells all codes apart, with proof.

    The guesses are played whatever the marks; then the code is known, and announced. Interrupted,
    it says what it has found and keeps a checkpoint: the same command goes on from there.
    """
    from pegwise.game import mastermind
    from pegwise.search.certificates import SET_METHOD, certify, content, keep
    from pegwise.search.static import StaticSearch, static_memory

    game = mastermind(rules)
    if check is not None:
        if guesses is not None or settings.output is not None:
            raise click.UsageError(tr("--check goes without --guesses and --output"))
        with options.limited_memory(settings.memory):
            _check_set(game, check, as_json=settings.as_json)
        return
    settings.begin(rules, static_memory(game))
    search = StaticSearch(game, guesses=guesses, threads=settings.n_threads, seed=seed)
    answer, ended = run_search(search, settings, _static_view(game))
    codes = None
    if answer.guesses is not None:
        certificate = certify(answer, ended.seconds, SET_METHOD)
        keep(certificate)
        ended.store(settings.output, lambda: content(certificate))
        codes = [str(game.guess(number)) for number in answer.guesses]
    ended.finish(
        settings,
        game.name,
        lambda: {
            "rules": game.name,
            "size": answer.size,
            "guesses": codes,
            "proven": answer.proven,
            "lower_bound": answer.lower_bound,
        },
        lambda: _say_set(game, search, answer, ended.time),
    )
    if guesses is not None and not _is_enough(answer, guesses):
        sys.exit(NO)


@contextmanager
def _static_view(game: Mastermind) -> Iterator[Callable[[StaticProgress], None]]:
    """A bar on standard error, at a terminal, drawn ten times a second."""
    shown = 0.0
    with progress_bar(game.name) as report:

        def show(step: StaticProgress) -> None:
            nonlocal shown
            if (now := time.monotonic()) > shown + 0.1:
                report(step)
                shown = now

        yield show


def _is_enough(answer: FixedSet, guesses: int) -> bool:
    return answer.size is not None and answer.size <= guesses


def _say_set(game: Mastermind, search: StaticSearch, answer: FixedSet, taken: Timing) -> None:
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
        say("{name}: {what}", name=game.name, what=what, bold=True)
        if answer.guesses:
            click.echo("  " + " ".join(str(game.guess(number)) for number in answer.guesses))
    tried = trn("{n} set tried in {time}", "{n} sets tried in {time}", answer.positions, time=taken)
    click.echo(f"  {tried}")


def _counted(guesses: int) -> str:
    return trn("{n} fixed guess", "{n} fixed guesses", guesses)


def _check_set(game: Mastermind, path: Path, *, as_json: bool) -> None:
    """Say whether the guesses in a file tell all codes apart; exit with `NO` if not."""
    from pegwise.search.certificates import read_guesses
    from pegwise.search.certificates.claims import confused

    codes = read_guesses(path, game.rules)
    problem = confused(game, [game.guess_number(code) for code in codes])
    pair = [] if problem is None else [game.secret(problem.first), game.secret(problem.second)]
    if as_json:
        options.print_json(
            {
                "rules": game.name,
                "size": len(codes),
                "guesses": [str(code) for code in codes],
                "valid": problem is None,
                "confused": [str(code) for code in pair] or None,
                "answers": game.n_secrets if problem is None else problem.answers,
            }
        )
    elif problem is None:
        say(
            "{guesses}: all {n} codes of {name} apart.",
            guesses=_counted(len(codes)),
            n=game.n_secrets,
            name=game.name,
        )
    else:
        marks = " ".join(str(game.mark_of(code, pair[0])) for code in codes)
        say(
            "{guesses}: not enough for {name}. {one} and {other} get the same marks ({marks}); "
            "{apart} of {n} answers differ.",
            guesses=_counted(len(codes)),
            name=game.name,
            one=pair[0],
            other=pair[1],
            marks=marks or tr("none"),
            apart=problem.answers,
            n=game.n_secrets,
        )
    if problem is not None:
        sys.exit(NO)


# `pegwise value`


@click.command(epilog="Example: pegwise value 4x6 -o classic.value")
@options.rules_argument
@click.option("--stored", is_flag=True, help="Show the stored value, without search.")
@click.option(
    "--check",
    type=options.A_FILE,
    metavar="FILE",
    help="Check a stored certificate: play its trees, search its lower bound again.",
)
@options.search_options
def value(rules: Rules, stored: bool, check: Path | None, settings: options.SearchOptions) -> None:
    """The value of the game, with proof.

    The codemaker draws the secret, the codebreaker wants few guesses on average, and both mix.
    Interrupted, it says between which bounds the value is and keeps a checkpoint: the same
    command goes on from there.
    """
    from pegwise.search.certificates import content

    if check is not None:
        if stored or settings.output is not None or settings.checkpoint is not None:
            raise InputError("--check reads a certificate: give it no other file, nor --stored")
        _check_value(check, settings)
        return
    n_trees, ended = 0, Ended()
    proof: Certificate[GameValue] | None
    if stored:
        proof = _stored(rules)
    else:
        proof, n_trees, ended = _search_value(rules, settings)
    if proof is not None:
        ended.store(settings.output, lambda: content(proof))
    ended.finish(
        settings,
        rules,
        lambda: _document(rules, proof, n_trees),
        lambda: _say_value(rules, proof),
    )


def _stored(rules: Rules) -> Certificate[GameValue]:
    from pegwise.search.certificates import stored
    from pegwise.search.certificates.claims import GameValue

    proof = stored(GameValue, rules)
    if proof is None:
        raise InputError(
            "no value of {rules} is stored; 'pegwise value {rules}' finds it", rules=rules
        )
    return proof


def _search_value(
    rules: Rules, settings: options.SearchOptions
) -> tuple[Certificate[GameValue] | None, int, Ended]:
    """What a search has proven, how many trees it made, and how it ended."""
    from pegwise.game import mastermind
    from pegwise.search.certificates import certify, keep
    from pegwise.search.value import ValueSearch, value_memory

    game = mastermind(rules)
    settings.begin(rules, value_memory(game))
    search = ValueSearch(game, threads=settings.n_threads)
    answer, ended = run_search(search, settings, _value_view(rules))
    if answer is None:
        return None, 0, ended
    proof = certify(answer, ended.seconds)
    if answer.proven:
        keep(proof)
    return proof, len(search.answers), ended


def _value_view(rules: Rules) -> View[ValueProgress]:
    before: int | None = None

    def words(step: ValueProgress, pace: Pace) -> str:
        nonlocal before
        before = step.done if before is None else before
        done = step.done - before + step.fraction
        rest = step.expected - step.done - step.fraction
        bounds = tr("value {value}", value=step.best) + "  " if step.upper is not None else ""
        return tr(
            "{rules}  {bounds}{done} of some {expected} trees, the next {fraction:.0%}, {time}",
            rules=rules,
            bounds=bounds,
            done=step.done,
            expected=step.expected,
            fraction=step.fraction,
            time=pace.words(pace.elapsed * rest / done if done else None),
        )

    return status_view(words)


def _check_value(path: Path, settings: options.SearchOptions) -> None:
    """Say whether a stored certificate is right; exit with `NO` if not."""
    from pegwise.search.certificates import load
    from pegwise.search.certificates.claims import GameValue
    from pegwise.search.value import check_value, value_memory

    announce_compilation()
    claim = load(GameValue, path).claim
    name = claim.game.name
    options.check_memory(settings.memory, value_memory(claim.game), name)
    with (
        options.limited_memory(settings.memory),
        progress_bar(tr("check {name}", name=name)) as report,
    ):
        problems = check_value(claim, report=report)
    text = claim.write(claim.lower)
    if settings.as_json:
        options.print_json(
            {
                "valid": not problems,
                "rules": name,
                "value": text,
                "trees": len(claim.mixture),
                "problems": problems,
            }
        )
    elif problems:
        for problem in problems:
            click.echo(sentence(problem))
    else:
        say(
            "{name}: the value is {value}, proven: {n} trees were played, and no tree costs "
            "less against the codemaker's weights.",
            name=name,
            value=text,
            n=len(claim.mixture),
        )
    if problems:
        sys.exit(NO)


def _document(rules: Rules, proof: Certificate[GameValue] | None, n_trees: int) -> dict[str, Any]:
    bounds = {"rules": str(rules), "value": None, "lower": "0", "upper": None}
    if proof is None:
        return {**bounds, "codemaker": None, "codebreaker": None}
    claim = proof.claim
    classes = claim.classes
    names = [name for name, _, _ in _classes(claim)]
    return {
        "rules": str(rules),
        "value": claim.write(claim.lower) if claim.proven else None,
        "mean": float(claim.lower) if claim.proven else None,
        "lower": claim.write(claim.lower),
        "upper": claim.write(claim.upper),
        "codemaker": [
            {
                "class": name,
                "secrets": size,
                "weight": weight,
                "probability": str(Fraction(weight * size, classes.weight(claim.weights))),
            }
            for name, size, weight in _classes(claim)
        ],
        "codebreaker": [
            {
                "probability": str(probability),
                "first": str(claim.game.guess(int(tree.nodes.guess[0]))),
                "total": tree.total,
                "worst": tree.worst,
                "means": dict(
                    zip(names, map(str, classes.means(classes.totals(tree))), strict=True)
                ),
            }
            for probability, tree in claim.mixture
        ],
        "searches": n_trees,
        "positions": claim.positions,
        "seconds": round(proof.seconds, 3),
    }


def _classes(claim: GameValue) -> list[tuple[str, int, int]]:
    """First code, number of secrets and weight of each class."""
    names = [str(claim.game.secret(first)) for first in claim.classes.first]
    return list(zip(names, claim.classes.sizes, claim.weights, strict=True))


def _say_value(rules: Rules, proof: Certificate[GameValue] | None) -> None:
    if proof is None:
        say("No tree of {rules} found yet.", rules=rules)
        return
    claim = proof.claim
    lower, upper = claim.write(claim.lower), claim.write(claim.upper)
    if claim.proven:
        title = tr("{rules}: the value of the game is {value}", rules=rules, value=lower)
        mean = tr("{mean:.6f} guesses (proven, verified)", mean=float(claim.lower))
        click.secho(title, bold=True, nl=False)
        click.echo(f" = {mean}")
    else:
        title = tr("{rules}: the value of the game is not known yet", rules=rules)
        low, high = float(claim.lower), float(claim.upper)
        click.secho(title, bold=True)
        say("between {mean:.6f} = {value}", mean=low, value=lower, indent="  ")
        say("and {mean:.6f} = {value}", mean=high, value=upper, indent="  ")
    say("the codemaker draws a secret by these weights:", indent="  ")
    whole = claim.classes.weight(claim.weights)
    for name, size, weight in _classes(claim):
        line = tr(
            "{code}  weight {weight}  ({alike}, in all {chance:.2%})",
            code=name,
            weight=weight,
            alike=tr("{n} such codes", n=size) if size > 1 else tr("one such code"),
            chance=weight * size / whole,
        )
        click.echo(f"    {line}")
    colors = tr("renames colors at random")
    if rules.black and not rules.secrets_are_distinct:
        colors = tr("renames colors at random on each peg")
    line = tr(
        "the codebreaker exchanges pegs and {colors}, then plays {trees}:",
        colors=colors,
        trees=tr("one of these trees") if len(claim.mixture) > 1 else tr("this tree"),
    )
    click.echo(paragraph(line, "  "))
    for probability, tree in claim.mixture:
        line = tr(
            "{chance:.4%}  from {first}: total {total}, worst {worst}",
            chance=float(probability),
            first=claim.game.guess(int(tree.nodes.guess[0])),
            total=tree.total,
            worst=tree.worst,
        )
        click.echo(f"    {line}")
    line = tr(
        "{n} positions, {seconds:.2f} s of processor time",
        n=claim.positions,
        seconds=proof.seconds,
    )
    click.echo(f"  {line}")
