"""`pegwise tree`, `verify` and `show`: whole trees built, checked, drawn and converted."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import chain
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, Final

import click

from pegwise.cli import options
from pegwise.cli.blocks import show as show_blocks
from pegwise.cli.board import Screen
from pegwise.cli.progress import progress_bar
from pegwise.cli.signals import exit_status
from pegwise.cli.terminal import (
    NO,
    say,
    standard_input,
    tell,
    tell_interrupted,
)
from pegwise.compute.backends import backend
from pegwise.compute.machine import cores, jobs_for, memory_allowed
from pegwise.compute.pieces import run
from pegwise.errors import CodeError, InputError, Phrase, StrategyError, quoted
from pegwise.game import Game, Notation, parse_code
from pegwise.game.codes import DIGITS, NOTATIONS
from pegwise.game.rules import Rules
from pegwise.i18n import tr, trn
from pegwise.paths import read_whole
from pegwise.reading.codes import typed_notation
from pegwise.search.certificates.files import check_sets, load_certificate
from pegwise.search.certificates.optima import BestTree, ProvenGoal, ProvenOptimum, ProvenTrees
from pegwise.search.certificates.sets import FixedSet, ProvenSet
from pegwise.strategies import label
from pegwise.telling.blocks import Report
from pegwise.telling.proofs import claim_verification, tree_verification, unchecked_words
from pegwise.telling.trees import game_report, tree_line, tree_report, tree_turns, wins
from pegwise.trees import Reading, Tree, build
from pegwise.trees.build import stored_pieces
from pegwise.trees.formats import in_format, read, read_tree
from pegwise.trees.verify import MAX_PROBLEMS

if TYPE_CHECKING:
    from pegwise.search.certificates.claims import Claim
    from pegwise.search.certificates.optima import ProvenOptimum
    from pegwise.search.certificates.sets import ProvenSet
    from pegwise.trees import Verification

_MOST_SLIPS: Final = 10  # corrections of a printed tree that are told one by one
_ARCHIVE: Final = b"PK\3\4"
_SHARES: Final = 64  # of the sets of a proof
_MANY_SETS: Final = 5000  # processes are worth their start
_MANY_BRANCHINGS: Final = 50  # of a proof, from which on processes are worth their start


_VIAUD: Final = "viaud"  # the notation of Viaud's article: 3211 and (1, 2)


@dataclass(frozen=True)
class TreeOutput:
    """How a tree is written, or shown down to `depth` turns where no file is named."""

    output: Path | None
    form: str | None
    depth: int
    notation: str | None
    as_json: bool

    def check(self) -> str | None:
        """The format to write, None where the terminal shows the tree; refuses what cannot be."""
        if self.output is None:
            if self.form == "tree":
                raise InputError("a tree file is not text: give -o FILE")
            if self.form is not None and self.as_json:
                raise InputError("--json prints one document: give -o FILE for the tree itself")
            return self.form
        return options.tree_format(self.output, self.form)

    def deliver(self, tree: Tree) -> None:
        """Write a tree, print it, or show it."""
        form = self.check()
        if form is not None:
            if form == "svg" and self.notation in ("digits", _VIAUD):
                from pegwise.pictures import label_pegs

                label_pegs("digits")
            content = tree_content(tree, form)
            if self.output is None:
                click.echo(b"".join(content), nl=False)
                return
            options.write_file(self.output, content)
        if self.as_json:
            written = {} if self.output is None else {"file": str(self.output), "format": form}
            options.print_json({**tree.document(), **written})
        elif self.output is not None:
            say("{name}: {what}", name=self.output, what=tree_line(tree))
        else:
            screen = _screen(tree.game, self.notation)
            show_blocks(tree_report(tree, self.depth, screen.notation).blocks, screen)


def _screen(game: Game, notation: str | None, typed: Sequence[str] = ()) -> Screen:
    """Where a tree is shown, in the notation that was asked for or typed."""
    viaud = notation == _VIAUD
    screen = Screen(notation=None if viaud else notation)
    if viaud and game.board is not None:
        screen.use(Notation("digits", "pair", colors=game.colors), game)
    elif game.text:
        screen.use(typed_notation(typed, game), game)
    return screen


_output_options = options.gathered(
    TreeOutput,
    "output",
    options.tree_output_option,
    options.tree_format_option,
    click.option(
        "--depth",
        type=options.WholeNumber(1, 1000),
        default=2,
        show_default=True,
        help="Turns to show in the terminal.",
    ),
    click.option(
        "--notation",
        type=click.Choice((*NOTATIONS, _VIAUD)),
        help="How codes are written; as they are typed or printed in FILE when not given. viaud "
        "writes 3211 and (1, 2).",
    ),
    options.json_option,
)
_board_option = click.option(
    "--rules",
    metavar="RULES",
    callback=options.parse_rules,
    shell_complete=options.complete_rules,
    help="The board of a printed tree; guessed from the file when not given.",
)
_file_argument = click.argument("file", type=options.ANY_PATH, metavar="FILE")


@click.command(epilog="Example: pegwise tree 4x6 -s knuth -o knuth.tree")
@options.rules_argument
@options.strategy_option("name", required=True, help="The strategy; pegwise strategies lists them.")
@_output_options
@options.weights_option
@options.seed_option
@options.resource_options
def tree(
    rules: Game,
    name: str,
    output: TreeOutput,
    weights: Path | None,
    seed: int,
    resources: options.Resources,
) -> None:
    """Play a strategy out against every secret, check the tree, and write it.

    Formats: tree (everything, checksummed), viaud (a line for each secret), irving (nested), csv,
    json, dot (Graphviz), svg (trees of some hundred nodes whole, larger ones as a summary).
    """
    output.check()
    where = options.cluster_at(resources.cluster) or backend(
        jobs_for(resources.jobs, rules.n_secrets)
    )
    strategy = options.parse_strategy(name, seed)
    resources.check(rules, where, [strategy])
    title = tr("{name} on {rules}", name=label(strategy), rules=rules)
    game = options.weighted_game(rules, weights)
    try:
        with memory_allowed(resources.memory), progress_bar(title) as report:
            built = build(game, strategy, where=where, report=report)
    except KeyboardInterrupt:
        if (store := stored_pieces(strategy, game)) is None or not store.used:
            raise
        tell_interrupted(Phrase("the tree"))
        sys.exit(exit_status())
    checked = _verified(built)
    if not checked.valid:
        raise StrategyError(
            "{strategy} broke its contract: {problem}",
            strategy=label(strategy),
            problem=checked.problems[0],
        )
    output.deliver(built)


@click.command(epilog="Example: pegwise verify knuth.tree")
@_file_argument
@_board_option
@options.jobs_option
@options.notation_option
@options.json_option
def verify(
    file: Path, rules: Game | None, jobs: int | None, notation: str | None, as_json: bool
) -> None:
    """Check a tree against every secret, by the plain definition of marking alone.

    FILE is a tree file, Viaud's lines, or Irving's or Knuth's nested notation; - is standard input.
    For a certificate, its trees or its fixed set are played. If it was stored by --certificate of
    pegwise optimal, value or static, its proof that nothing is better is checked too.
    Exit status 1 when the tree does not verify, 2 when the file is damaged.
    """
    proof: ProvenOptimum | None = None
    if (claim := _read_claim(file, rules)) is not None:
        screen = _screen(claim.game, notation)  # its problems name codes
        if not isinstance(claim, ProvenOptimum):
            _verify_claim(claim, file, jobs, screen, as_json=as_json)
            return
        proof = claim
    reading = _read(file, rules) if proof is None else Reading(proof.tree, "proof")
    screen = _screen(reading.tree.game, notation)
    checked = _verified(reading.tree, jobs)
    problems = [*reading.problems, *checked.problems]
    count = len(reading.problems) + checked.count
    if proof is not None and not count:
        problems = _check_bound(proof, file, jobs, _MANY_SETS)
        count = len(problems)
    problems = problems[:MAX_PROBLEMS]
    unchecked: list[str] = []
    if reading.notation in (
        "pegwise",
        "json",
        "proof",
    ):  # with a label, and what comes with the tree
        game = reading.tree.game
        unchecked.append("strategy")
        unchecked += [] if game.text else ["table"]
        unchecked += [] if game.weights is None or game.jar else ["weights"]
    document: dict[str, Any] = {
        "valid": not count,
        "secrets": checked.secrets,
        "total": checked.total,
        "worst": checked.worst,
        "problems": problems,
        "unchecked": unchecked,
    }
    if proof is not None:
        document |= {"objective": proof.objective, "max_guesses": proof.max_guesses}
        document["sets"] = proof.sets
        if proof.first is not None:
            document["begins_with"] = str(proof.game.guess(proof.first))

    report = tree_verification(file, reading, checked, problems, count, proof)
    finish_check(document, report, screen, as_json=as_json)


def _verify_claim(
    claim: Claim, file: Path, jobs: int | None, screen: Screen, *, as_json: bool
) -> None:
    """Check a certificate other than a tree with its proof: a set, optima, or a value."""
    document: dict[str, Any] = {"valid": False, "rules": claim.game.name}
    unchecked = ["seconds", "memory", "date", "program", "method", "positions"]
    fixed = claim.fixed if isinstance(claim, ProvenSet) else claim
    if isinstance(fixed, FixedSet):
        document |= {"size": fixed.size, "guesses": fixed.guesses}
    if isinstance(claim, ProvenSet):
        document["branchings"] = claim.sets
        problems = claim.fixed.problems() or _check_bound(claim, file, jobs, _MANY_BRANCHINGS)
    else:
        problems, unchecked = claim.problems(), [*unchecked, "lower_bound"]
    document |= {"valid": not problems, "problems": problems, "unchecked": unchecked}
    finish_check(document, claim_verification(file, claim, problems), screen, as_json=as_json)


def finish_check(
    document: Mapping[str, Any], report: Report, screen: Screen, *, as_json: bool
) -> None:
    """Print what a check says of a file, and what it cannot judge; exit with `NO` if wrong."""
    if as_json:
        options.print_json(document)
    else:
        show_blocks(report.blocks, screen)
        if words := unchecked_words(document["unchecked"]):
            screen.tell(words)
    if not document["valid"]:
        click.get_current_context().exit(NO)


@click.command(epilog="Example: pegwise show knuth.tree --secret BEEF")
@_file_argument
@_output_options
@_board_option
@click.option("--secret", "code", metavar="CODE", help="Show the game against one secret.")
@click.option(
    "--permute",
    metavar="[colors=CODE][,pegs=ORDER]",
    help="Rename colors and reorder pegs: colors=BACDEF exchanges A and B, pegs=4231 the ends.",
)
def show(
    file: Path, output: TreeOutput, rules: Game | None, code: str | None, permute: str | None
) -> None:
    """Show a tree in the terminal, or write it in another format.

    FILE is a tree file, Viaud's lines, or Irving's or Knuth's nested notation; - is standard input.
    """
    form = output.check()
    if code is not None and form is not None:
        raise InputError("--secret shows one game in the terminal: leave out -o and --format")
    reading = _read(file, rules)
    if problems := [*reading.problems, *_verified(reading.tree).problems]:
        tell("this tree does not verify: {problem} (see pegwise verify)", problem=problems[0])
    if output.notation is None and reading.notation == _VIAUD:
        output = replace(output, notation=_VIAUD)
    tree = reading.tree if permute is None else _permuted(reading.tree, permute)
    if code is None:
        output.deliver(tree)
    elif output.as_json:
        options.print_json(tree.document() | _game_document(tree, _secret(tree, code)))
    else:
        screen = _screen(tree.game, output.notation, [code])
        show_blocks(game_report(tree, _secret(tree, code)).blocks, screen)


def _game_document(tree: Tree, secret: Any) -> dict[str, Any]:
    """The game against a secret, as JSON: each turn's guess, mark, and codes before it."""
    turns = tree_turns(tree, secret)
    return {
        "secret": secret,
        "turns": [
            {"guess": guess, "mark": mark, "candidates": before} for guess, mark, before in turns
        ],
        "solved": wins(tree, turns),
    }


def _permuted(tree: Tree, text: str) -> Tree:
    """The tree with pegs and colors exchanged as was typed."""
    rules = tree.game.board or Rules()
    counts = {"colors": rules.colors, "pegs": rules.pegs}
    orders: dict[str, list[int]] = {}
    for part in text.lower().split(","):
        name, _, signs = part.strip().partition("=")
        symbols = ascii_lowercase if signs.isalpha() else DIGITS
        complete = signs and sorted(signs) == sorted(symbols[: counts.pop(name, 0)])
        if not complete:
            raise InputError(
                "--permute {text}: write colors= and all {colors} colors in their new order, "
                "pegs= and the numbers 1 to {pegs}, or both with a comma",
                text=quoted(text),
                colors=rules.colors,
                pegs=rules.pegs,
            )
        orders[name] = [symbols.index(sign) for sign in signs]
    from pegwise.search.theory import relabel

    return relabel(tree, **orders)


def _read(file: Path, rules: Game | None) -> Reading:
    """A tree from a file; tells on standard error which slips of the printer were corrected."""
    if str(file) == "-":
        reading = read(BytesIO(standard_input().buffer.read()), tr("standard input"), rules)
    elif (claim := _read_claim(file, rules)) is not None:
        reading = Reading(_tree_of(claim, file), "proof")
    else:
        reading = read_tree(file, rules)
    for slip in reading.mended[:_MOST_SLIPS]:
        tell("corrected: {slip}", slip=slip)
    if len(reading.mended) > _MOST_SLIPS:
        more = len(reading.mended) - _MOST_SLIPS
        tell(trn("corrected: {n} slip more", "corrected: {n} slips more", more))
    return reading


def _tree_of(claim: Claim, file: Path) -> Tree:
    """The tree of a certificate; InputError where it has none, or several."""
    if isinstance(claim, ProvenTrees | ProvenOptimum | ProvenGoal | BestTree):
        return claim.tree
    raise InputError(
        "{path} is a certificate without a tree of its own; pegwise verify checks it",
        path=repr(str(file)),
    )


def _read_claim(file: Path, rules: Game | None) -> Claim | None:
    """The claim of a certificate in a file; None where it is none."""
    start = read_whole(file, len(_ARCHIVE)) if file.is_file() else b""
    document = read_whole(file) if start.startswith(b"{") else b""
    if start != _ARCHIVE and (b'"guesses": [' not in document or b'"tree": [' in document):
        return None  # a tree, maybe as a JSON document
    claim: Claim = load_certificate(file).claim
    if rules is not None and claim.game.name != str(rules):
        raise InputError(
            "{path} is a certificate for {game}, not for {rules}",
            path=repr(str(file)),
            game=claim.game.name,
            rules=rules,
        )
    return claim


def _check_bound(
    proof: ProvenOptimum | ProvenSet, file: Path, jobs: int | None, many: int
) -> list[str]:
    """Problems of the proof that no tree is better, or no set smaller."""
    if problems := proof.bound_problems():
        return problems
    where = backend(jobs or (cores() if proof.sets >= many else 1))
    pieces = [(str(file), first, _SHARES) for first in range(_SHARES)]
    with progress_bar(tr("Checking the bound")) as report:
        return [*chain.from_iterable(run(check_sets, pieces, where, report=report))]


def _verified(tree: Tree, jobs: int | None = None) -> Verification:
    from pegwise.trees import verify

    with progress_bar(tr("Checking")) as report:
        return verify(tree, threads=jobs_for(jobs, tree.game.n_secrets), report=report)


def tree_content(tree: Tree, form: str) -> list[bytes]:
    """A tree in a format of `options.TREE_FORMATS`, in pieces."""
    if form == "svg":
        from pegwise.pictures import tree_summary_svg, tree_svg
        from pegwise.pictures.tree import MAX_NODES

        if len(tree) <= MAX_NODES:
            return [tree_svg(tree).encode()]
        tell("{n} nodes are too many to draw whole: a summary", n=len(tree))
        return [tree_summary_svg(tree).encode()]
    return in_format(tree, form)


def _secret(tree: Tree, text: str) -> Any:
    """The secret that was typed: a code, or what another game prints."""
    game = tree.game
    if game.text:
        return parse_code(text, game, secret=True)
    for number in range(game.n_secrets):
        if str(game.secret(number)) == text:
            return game.secret(number)
    raise CodeError("{text} is not a secret of {game}", text=quoted(text), game=game.name)
