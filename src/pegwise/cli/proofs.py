"""`pegwise static` and `pegwise value`: sets of guesses and mixtures of trees, with proof."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource

from pegwise.cli import options
from pegwise.cli.board import Screen
from pegwise.cli.progress import progress_bar
from pegwise.cli.reading import tell_codes
from pegwise.cli.search import (
    SearchOptions,
    SearchOutcome,
    View,
    go_through,
    prover,
    run_search,
    search_options,
    with_bound,
)
from pegwise.cli.terminal import NO, tell
from pegwise.cli.tree import finish_check
from pegwise.compute.machine import memory_allowed
from pegwise.errors import InputError, Phrase, TooLargeError, quoted
from pegwise.game import Game, Notation, game_of
from pegwise.game.notation import LETTERS
from pegwise.i18n import tr, trn
from pegwise.reading.codes import read_codes
from pegwise.search.certificates import files
from pegwise.search.certificates.files import certify, content, keep, load
from pegwise.search.certificates.guess_lists import listed_words, read_guesses, set_claims
from pegwise.search.certificates.sets import FixedSet, confused
from pegwise.search.certificates.values import GameValue
from pegwise.telling.blocks import Block, Sentence
from pegwise.telling.proofs import (
    effort_words,
    looked_up_words,
    set_check,
    set_report,
    value_check,
    value_report,
)
from pegwise.trees import Tree

if TYPE_CHECKING:
    from pegwise.game import Game
    from pegwise.progress import Report
    from pegwise.search.certificates.claims import Certificate
    from pegwise.search.value import ValueProgress


# `pegwise static`

_with_size: Final = partial(with_bound, key="size")


@click.command(epilog="Example: pegwise static 4x6 --size 5")
@options.rules_argument
@click.option(
    "--size", type=options.WholeNumber(0, 1000), help="Ask only whether N guesses are enough."
)
@options.file_option(
    "--check",
    help="Check the guesses in FILE, one a line, or a stored set: its bound is searched again.",
)
@search_options(
    options.output_option(
        "--certificate",
        checked=False,
        help="Store the set with a proof that none is smaller; pegwise verify checks both.",
    ),
    options.seed_option,
    options.notation_option,
)
def static(
    rules: Game,
    size: int | None,
    check: Path | None,
    seed: int,
    notation: str | None,
    settings: SearchOptions,
) -> None:
    """The smallest fixed set of guesses that tells all codes apart, with proof.

    The guesses are the same for every secret; then the code is known, and announced. Interrupted,
    it says what it has found and keeps a checkpoint: the same command continues the search.
    """
    game, screen = game_of(rules), Screen(notation=notation)
    screen.use(LETTERS, rules)
    if check is not None:
        if size is not None or settings.output or settings.certificate:
            raise click.UsageError(tr("--check goes without --size, --output and --certificate"))
        _check_set(game, rules, check, screen, settings)
        return
    if settings.certificate is not None:
        from pegwise.search.static.tree import check_proof

        check_proof(game)
    made = settings.look_up(FixedSet, rules)
    if stored := made is not None:
        settings.check_output()
        answer, ended = made.claim, SearchOutcome()
    else:
        from pegwise.search.static.search import StaticSearch, static_memory

        options.check_memory(settings.memory, static_memory(game), rules)
        search = StaticSearch(game, guesses=size, threads=settings.jobs, seed=seed)
        answer, ended = run_search(search, settings, progress_bar(str(rules), _with_size))
        made = certify(answer, ended.seconds, search.method)
        if answer.size is not None:
            keep(made)
    document: dict[str, Any] = {
        "rules": game.name,
        "size": answer.size,
        "guesses": None if answer.size is None else [str(code) for code in answer.guesses],
        "proven": answer.proven,
        "lower_bound": answer.lower_bound,
        "looked_up": stored,
    }

    def prove(report: Report) -> Certificate[Any]:
        from pegwise.search.static.tree import prove_set

        proven: Certificate[Any] = made
        return replace(proven, claim=prove_set(answer, report=report))

    known = None if answer.size is None else lambda: content(made)
    ended.store(settings, known, prove if answer.proven else None, document)
    if settings.certificate is not None and not answer.proven:
        tell("No certificate is written yet: no set is proven smallest.")

    n = answer.positions
    taken = trn("{n} set tried in {time}", "{n} sets tried in {time}", n, time=ended.time)
    if stored:
        taken = looked_up_words(made.seconds, proven=answer.proven)
    blocks = [*set_report(answer, size).blocks, Sentence(taken, item=True)]
    ended.finish(settings, document, screen, blocks)
    if size is not None and (answer.size is None or answer.size > size):
        sys.exit(NO)


def _check_set(
    game: Game,
    rules: Game,
    path: Path,
    screen: Screen,
    settings: SearchOptions,
) -> None:
    """Say whether a file of guesses does what it claims; exit with `NO` if not."""
    codes, claims = read_guesses(path, rules), set_claims(path)
    if not claims:
        read = read_codes(listed_words(path, rules), rules)
        screen.use(read.notation, rules)
        if not settings.as_json:
            tell_codes(read, screen)
    with memory_allowed(settings.memory):
        problem = confused(game, [game.guess_number(code) for code in codes])
    pair = [] if problem is None else [game.secret(problem.first), game.secret(problem.second)]
    answers = game.n_secrets if problem is None else problem.answers
    problems: list[str] = [
        Phrase(
            "it states {key} {stated}, but {value} is right",
            key=key,
            stated=quoted(stated),
            value=right,
        )
        for key, right in (
            ("size", len(codes)),
            ("proven", claims.get("lower_bound") == len(codes)),
        )
        if (stated := claims.get(key, right)) != right
    ]
    checked = {"rules", "guesses", "size", "proven"}
    least: Any = claims.get("lower_bound")
    smaller = _search_below(game, least, settings) if isinstance(least, int) else None
    if smaller and smaller.size is not None and smaller.size < least:
        problems.append(
            Phrase(
                "it states lower_bound {stated}, but {n} guesses are enough: {codes}",
                stated=least,
                n=smaller.size,
                codes=" ".join(map(screen.write_sign, smaller.guesses)),
            )
        )
    if smaller and (smaller.lower_bound >= least or smaller.size is not None):
        checked.add("lower_bound")
    document = {
        "rules": game.name,
        "size": len(codes),
        "guesses": [str(code) for code in codes],
        "valid": not pair and not problems,
        "confused": [str(code) for code in pair] or None,
        "answers": answers,
        "problems": problems,
        "unchecked": [key for key in claims if key not in checked],
    }

    report = set_check(game, codes, problem, problems, screen.notation)
    finish_check(document, report, screen, as_json=settings.as_json)


def _search_below(game: Game, least: int, settings: SearchOptions) -> FixedSet | None:
    """Search for a set of fewer guesses than this; None on a board too large for it."""
    from pegwise.search.static.search import StaticSearch

    try:
        search = StaticSearch(game, guesses=max(least - 1, 0), threads=settings.jobs)
    except TooLargeError:
        return None
    view = progress_bar(game.name, _with_size)
    if go_through(search, view, memory=settings.memory).interrupted:
        raise KeyboardInterrupt
    return search.result()


# `pegwise value`


@click.command(epilog="Example: pegwise value 4x6 -o classic.value")
@options.rules_argument
@click.option("--stored", is_flag=True, help="Show the stored value, without search.")
@options.file_option(
    "--check", help="Check a stored certificate: play its trees, search its lower bound again."
)
@options.notation_option
@search_options(
    options.output_option(
        "--certificate",
        checked=False,
        help="Store a proof of the lower bound: no tree costs less against the codemaker's "
        "weights.",
    )
)
def value(
    rules: Game, stored: bool, check: Path | None, notation: str | None, settings: SearchOptions
) -> None:
    """The value of the game, with proof.

    The codemaker draws the secret, the codebreaker wants few guesses on average, and both mix.
    Interrupted, it says between which bounds the value is and keeps a checkpoint: the same
    command continues the search.
    """
    if check is not None:
        if stored or settings.certificate or settings.output or settings.checkpoint:
            raise InputError("--check reads a certificate: give it no other file, nor --stored")
        typed = click.get_current_context().get_parameter_source("rules")
        _check_value(check, rules if typed is ParameterSource.COMMANDLINE else None, settings)
        return
    ended = SearchOutcome()
    screen = Screen(notation=notation)
    screen.use(Notation.of(rules), rules)
    proof = (files.stored if stored else settings.look_up)(GameValue, rules)
    if stored and proof is None:
        raise InputError(
            "no value of {rules} is stored; 'pegwise value {rules}' finds it", rules=rules
        )
    document: dict[str, Any] = {}
    if stored := proof is not None:
        settings.check_output()
        document = {**_document(proof), "searches": 0}
    else:
        from pegwise.search.value import ValueSearch, value_memory

        game = game_of(rules)
        options.check_memory(settings.memory, value_memory(game), rules)
        search = ValueSearch(game, threads=settings.jobs)
        claim, ended = run_search(search, settings, _value_view(rules))
        if claim is None:
            document = {"rules": str(rules), "value": None, "lower": "0", "upper": None}
            document |= {"codemaker": None, "codebreaker": None}
        else:
            proof = files.certify(claim, ended.seconds)
            document = {**_document(proof), "searches": len(search.answers)}
            if claim.proven:
                files.keep(proof)
    document["looked_up"] = stored
    if proof is not None:
        prove = None
        if settings.certificate is not None and proof.claim.proven:
            prove = prover(_best_answer(proof.claim), "total", ended, document)
        ended.store(settings, lambda: files.content(proof), prove, document)

    blocks: list[Block] = [Sentence(tr("No tree of {rules} found yet.", rules=rules))]
    if proof is not None:
        taken = effort_words(proof.claim.positions, ended.time)
        if stored:
            taken = looked_up_words(proof.seconds, proven=proof.claim.proven)
        blocks = [*value_report(proof.claim).blocks, Sentence(taken, item=True)]
    ended.finish(settings, document, screen, blocks)


def _best_answer(claim: GameValue) -> Tree:
    """A tree that costs the value against the codemaker's weights."""
    game = game_of(claim.game.name, claim.classes.spread(claim.weights))
    trees = [Tree(game, tree.nodes, tree.strategy) for _, tree in claim.mixture]
    return min(trees, key=lambda tree: tree.total)


def _value_view(rules: Game) -> View[ValueProgress]:
    """A bar by the number of trees, of which only an estimate is known."""
    before: int | None = None

    def shown(step: ValueProgress) -> ValueProgress:
        nonlocal before
        before = step.done if before is None else before
        part = (step.done - before + step.fraction) / max(step.expected - before, 1)
        best = ""
        if step.upper is not None:
            lower, upper = float(step.lower), float(step.upper)
            best = tr("value {lower:.6f} to {upper:.6f}", lower=lower, upper=upper)
        return replace(step, total=step.expected, fraction=min(part, 1.0), best=best)

    return progress_bar(str(rules), shown)


def _check_value(path: Path, rules: Game | None, settings: SearchOptions) -> None:
    """Say whether a stored certificate, of this board, is right; exit with `NO` if not."""
    from pegwise.search.value import check_value, value_memory

    claim = load(GameValue, path).claim
    name = claim.game.name
    if rules is not None and name != str(rules):
        raise InputError(
            "{path} holds the value of {game}, not of {rules}",
            path=repr(str(path)),
            game=name,
            rules=rules,
        )
    options.check_memory(settings.memory, value_memory(claim.game), name)
    with (
        memory_allowed(settings.memory),
        progress_bar(tr("check {name}", name=name)) as report,
    ):
        problems = check_value(claim, report=report)
    document = {
        "valid": not problems,
        "rules": name,
        "value": claim.write(claim.lower),
        "trees": len(claim.mixture),
        "problems": problems,
        "unchecked": ["program", "positions", "seconds", "megabytes", "date"],
    }

    told = value_check(claim, problems)
    finish_check(document, told, Screen(), as_json=settings.as_json)


def _document(proof: Certificate[GameValue]) -> dict[str, Any]:
    """The JSON document of a value: what is proven, and how both sides play."""
    claim, classes = proof.claim, proof.claim.classes
    whole = classes.weight(claim.weights)
    names = [str(claim.game.secret(first)) for first in classes.first]
    return {
        "rules": claim.game.name,
        "value": claim.write(claim.lower) if claim.proven else None,
        "mean": float(claim.lower) if claim.proven else None,
        "lower": claim.write(claim.lower),
        "upper": claim.write(claim.upper),
        "codemaker": [
            {
                "class": name,
                "secrets": size,
                "weight": weight,
                "probability": str(Fraction(weight * size, whole)),
            }
            for name, size, weight in zip(names, classes.sizes, claim.weights, strict=True)
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
        "positions": claim.positions,
        "seconds": round(proof.seconds, 3),
    }
