"""`pegwise tree`, `verify` and `show`: whole trees built, checked, drawn and converted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, Final

import click

from pegwise.cli import options
from pegwise.cli.board import Screen
from pegwise.cli.options import finish_check
from pegwise.cli.progress import progress_bar
from pegwise.cli.signals import exit_status, interruptible
from pegwise.cli.terminal import (
    align,
    paragraph,
    say,
    sentence,
    standard_input,
    tell,
    tell_interrupted,
)
from pegwise.compute.backends import backend
from pegwise.compute.machine import cores, jobs_for
from pegwise.compute.pieces import run
from pegwise.errors import CodeError, InputError, Phrase, StrategyError, quoted
from pegwise.game import Game, Rules, parse_code
from pegwise.game.codes import DIGITS
from pegwise.game.reading.codes import typed_notation
from pegwise.i18n import tr, trn
from pegwise.paths import read_whole
from pegwise.pictures import tree_summary_svg, tree_svg
from pegwise.pictures.tree import MAX_NODES
from pegwise.search.certificates.files import check_sets, load_any
from pegwise.search.certificates.optima import BestTree, ProvenGoal, ProvenOptimum, ProvenTrees
from pegwise.search.certificates.sets import FixedSet, ProvenSet
from pegwise.search.certificates.values import GameValue
from pegwise.search.theory import relabel
from pegwise.strategies import label
from pegwise.trees import Reading, Tree, build_at
from pegwise.trees.build import stored_pieces
from pegwise.trees.formats import facts, read, read_tree, to_csv, to_dot, to_json, write_viaud
from pegwise.trees.irving import write_irving
from pegwise.trees.store import in_pieces
from pegwise.trees.verify import MAX_PROBLEMS

if TYPE_CHECKING:
    from pegwise.search.certificates.claims import Claim
    from pegwise.search.certificates.optima import ProvenOptimum
    from pegwise.search.certificates.sets import ProvenSet
    from pegwise.trees import Verification
_NOTATIONS: Final = {
    "pegwise": Phrase("tree file"),
    "json": Phrase("a JSON document"),
    "viaud": Phrase("Viaud's lines"),
    "irving": Phrase("Irving's notation"),
    "knuth": Phrase("Knuth's notation of 1976"),
    "table": Phrase("a table of turns"),
    "proof": Phrase("a tree with the proof that none is better"),
}
_MOST_SLIPS: Final = 10
_ARCHIVE: Final = b"PK\3\4"
_SHARES: Final = 64  # of the sets of a proof
_MANY_SETS: Final = 5000  # processes are worth their start
_MANY_BRANCHINGS: Final = 50


@dataclass(frozen=True)
class TreeOutput:
    """How a tree is written, or shown with so many turns where no file is named."""

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
            content = in_format(tree, form)
            if self.output is None:
                click.echo(b"".join(content), nl=False)
                return
            options.write_file(self.output, content)
        if self.as_json:
            written = {} if self.output is None else {"file": str(self.output), "format": form}
            options.print_json({**facts(tree), **written})
        elif self.output is not None:
            say("{name}: {what}", name=self.output, what=_summary(tree))
        else:
            say("{what}", what=_summary(tree))
            write = _screen(tree.game, self.notation).write_sign
            click.echo("\n".join(_outline(tree, self.depth, write)))


def _screen(game: Game, notation: str | None, typed: Sequence[str] = ()) -> Screen:
    """Where a tree is shown, in the notation that was asked for or typed."""
    screen = Screen(notation=notation)
    if game.rules is not None:
        screen.use(typed_notation(typed, game.rules), game.rules)
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
    options.notation_option,
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
    rules: Rules,
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
        with (
            interruptible(),
            options.limited_memory(resources.memory),
            progress_bar(title) as report,
        ):
            built = build_at(strategy, game, where, report=report)
    except KeyboardInterrupt:
        if (store := stored_pieces(strategy, game)) is None or not store.used:
            raise
        tell_interrupted(Phrase("the tree"))
        sys.exit(exit_status())
    checked = _check(built)
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
    file: Path, rules: Rules | None, jobs: int | None, notation: str | None, as_json: bool
) -> None:
    """Check a tree against every secret, by the plain definition of marking alone.

    FILE is a tree file, Viaud's lines, or Irving's or Knuth's nested notation; - is standard input.
    Of a certificate its trees are played, or its fixed set. One that --certificate of pegwise
    optimal, value or static has stored proves too that nothing is better, and that is checked.
    Exit status 1 when the tree does not verify, 2 when the file is damaged.
    """
    proof: ProvenOptimum | None = None
    if (claim := _read_claim(file, rules)) is not None:
        _screen(claim.game, notation)  # its problems name codes
        if not isinstance(claim, ProvenOptimum):
            _verify_claim(claim, file, jobs, as_json=as_json)
            return
        proof = claim
    reading = _read(file, rules) if proof is None else Reading(proof.tree, "proof")
    _screen(reading.tree.game, notation)
    checked = _check(reading.tree, jobs)
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
        unchecked += [] if game.rules is not None else ["table"]
        unchecked += [] if game.weights is None else ["weights"]
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

    def say_result() -> None:
        what = f"{reading.tree.game.name}, {tr(_NOTATIONS[reading.notation])}"
        say("{name}: {what}", name=file, what=what)
        say("{secrets} secrets, {total} guesses, worst {worst}", **document)
        if checked.histogram:
            counts = [tr("{n} in {k}", n=n, k=k) for k, n in enumerate(checked.histogram, 1)]
            say("found: {counts}", counts=", ".join(counts))
        if count:
            part = "" if count == len(problems) else tr(", of which {n} are", n=len(problems))
            title = trn(
                "Not verified: {n} problem{shown}",
                "Not verified: {n} problems{shown}",
                count,
                shown=part,
            )
            click.echo(title)
            for problem in problems:
                say("{text}", text=problem, indent="  ")
            return
        say("Verified: the tree finds every secret as it says.")
        if proof is not None:
            line = trn(
                "Verified: {n} set proves that no tree is better.",
                "Verified: {n} sets prove that no tree is better.",
                proof.sets,
            )
            click.echo(line)

    finish_check(document, say_result, as_json=as_json)


def _verify_claim(claim: Claim, file: Path, jobs: int | None, *, as_json: bool) -> None:
    """Check a certificate other than a tree with its proof: a set, optima, or a value."""
    document: dict[str, Any] = {"valid": False, "rules": claim.game.name}
    unchecked = ["seconds", "memory", "date", "program", "method", "positions"]
    fixed = claim.fixed if isinstance(claim, ProvenSet) else claim
    if isinstance(fixed, FixedSet):
        codes = [str(code) for code in fixed.codes]
        document |= {"size": fixed.size, "guesses": codes}
        lines = [tr("Verified: {n} fixed guesses tell all codes apart.", n=fixed.size)]
    else:
        lines = [tr("Verified: its trees find every secret as it says.")]
    if isinstance(claim, ProvenSet):
        document["branchings"] = claim.sets
        problems = claim.fixed.problems() or _check_bound(claim, file, jobs, _MANY_BRANCHINGS)
        count = trn("{n} branching", "{n} branchings", claim.sets)
        lines.append(tr("The proof that no fewer do has {count}.", count=count))
    else:
        problems, unchecked = claim.problems(), [*unchecked, "lower_bound"]
        command = {FixedSet: "static", GameValue: "value"}.get(type(claim), "optimal")
        if getattr(claim, "proven", True):
            line = tr(
                "That nothing is better rests on a search: 'pegwise {command} {rules} "
                "--certificate FILE' writes a proof.",
                command=command,
                rules=claim.game.name,
            )
            lines.append(line)
    document |= {"valid": not problems, "problems": problems, "unchecked": unchecked}
    kind = tr("certificate of {what}", what=claim.title)

    def say_result() -> None:
        say("{name}: {what}", name=file, what=f"{claim.game.name}, {kind}")
        for text in [sentence(problem) for problem in problems] or lines:
            click.echo(paragraph(text, ""))

    finish_check(document, say_result, as_json=as_json)


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
    file: Path, output: TreeOutput, rules: Rules | None, code: str | None, permute: str | None
) -> None:
    """Show a tree in the terminal, or write it in another format.

    FILE is a tree file, Viaud's lines, or Irving's or Knuth's nested notation; - is standard input.
    """
    form = output.check()
    if code is not None and form is not None:
        raise InputError("--secret shows one game in the terminal: leave out -o and --format")
    reading = _read(file, rules)
    if problems := [*reading.problems, *_check(reading.tree).problems]:
        tell("this tree does not verify: {problem} (see pegwise verify)", problem=problems[0])
    tree = reading.tree if permute is None else _permuted(reading.tree, permute)
    if code is None:
        output.deliver(tree)
    elif output.as_json:
        options.print_json({**facts(tree), **_game(tree, code)})
    else:
        game = _game(tree, code, _screen(tree.game, output.notation, [code]).write_sign)
        rows = [[tr("turn"), tr("guess"), tr("mark"), tr("codes before")]]
        rows += [[str(n), *map(str, turn.values())] for n, turn in enumerate(game["turns"], 1)]
        say("{what}", what=_summary(tree))
        lines = ["", tr("secret {code}", code=game["secret"])]
        lines += ["  ".join(cells) for cells in align(rows, (1, 2))]
        if not game["solved"]:
            lines.append(tr("the tree has no further guess: this secret is not found"))
        click.echo("\n".join(lines))


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
    return relabel(tree, **orders)


def _read(file: Path, rules: Rules | None) -> Reading:
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


def _read_claim(file: Path, rules: Rules | None) -> Claim | None:
    """The claim of a certificate in a file; None where it is none."""
    start = read_whole(file, len(_ARCHIVE)) if file.is_file() else b""
    document = read_whole(file) if start.startswith(b"{") else b""
    if start != _ARCHIVE and (b'"guesses": [' not in document or b'"tree": [' in document):
        return None  # a tree, maybe as a JSON document
    claim: Claim = load_any(file).claim
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


def _check(tree: Tree, jobs: int | None = None) -> Verification:
    from pegwise.trees import verify

    with progress_bar(tr("Checking")) as report:
        return verify(tree, jobs=jobs_for(jobs, tree.game.n_secrets), report=report)


def in_format(tree: Tree, form: str) -> list[bytes]:
    """A tree in a format of `options.TREE_FORMATS`, in pieces."""
    if form == "tree":
        return in_pieces(tree)
    if form == "svg":
        if len(tree) <= MAX_NODES:
            return [tree_svg(tree).encode()]
        tell("{n} nodes are too many to draw whole: a summary", n=len(tree))
        return [tree_summary_svg(tree).encode()]
    writers = {"viaud": write_viaud, "irving": write_irving, "csv": to_csv, "dot": to_dot}
    return [{**writers, "json": to_json}[form](tree).encode()]


def _summary(tree: Tree) -> str:
    """A tree in one line: `4x6, knuth: 1296 secrets, 5801 guesses, mean 4.476, worst 5`."""
    return tr(
        "{rules}, {name}: {secrets} secrets, {total} guesses, mean {mean:.3f}, worst {worst}",
        name=label(tree),
        **facts(tree),
    )


def _outline(tree: Tree, depth: int, write: Callable[[Any], str]) -> list[str]:
    """The first turns: for each mark, how many codes are possible and what is played next."""
    game, nodes = tree.game, tree.nodes
    rows = [(tr("mark"), tr("codes"), tr("guess"))]
    stack = [0]  # nodes of the first turns, depth first
    while stack:
        node = stack.pop()
        turn = int(tree.node_depths[node])
        mark = "  " * (turn - 2) + write(game.mark(int(nodes.mark[node]))) if node else ""
        guess = write(game.guess(int(nodes.guess[node])))
        if not nodes.wins[node]:
            guess += " *"
        if turn == depth and tree.children(node):
            guess += " ..."
        rows.append((mark, str(tree.node_sizes[node]), guess))
        if turn < depth:
            stack.extend(reversed(tree.children(node)))
    width = max(len(mark) for mark, _, _ in rows)
    lines = [""]
    lines += [f"{mark:{width}} {size:>8}  {guess}" for mark, size, guess in rows]
    notes = []
    if any(" *" in guess for _, _, guess in rows):
        notes.append(tr("* cannot be the secret"))
    if any(guess.endswith(" ...") for _, _, guess in rows):
        notes.append(tr("... continues: --depth {depth}, or --secret CODE", depth=depth + 1))
    return [*lines, *([""] if notes else []), *notes]


def _game(tree: Tree, text: str, write: Callable[[Any], str] = str) -> dict[str, Any]:
    """The game against a secret, as JSON: each turn's guess, mark, and codes before it."""
    secret = _secret(tree, text)
    turns: list[dict[str, Any]] = []
    node: int | None = 0
    solved = False
    while node is not None and not solved:
        guess = tree.game.guess(int(tree.nodes.guess[node]))
        mark = tree.game.mark_of(guess, secret)
        before = int(tree.node_sizes[node])
        turns.append({"guess": write(guess), "mark": write(mark), "candidates": before})
        number = tree.game.mark_number(mark)
        solved = number == tree.game.winning
        node = tree.child(node, number)
    return {"secret": write(secret), "turns": turns, "solved": solved}


def _secret(tree: Tree, text: str) -> Any:
    """The secret that was typed: a code, or what another game prints."""
    game = tree.game
    if game.rules is not None:
        return parse_code(text, game.rules, secret=True)
    for number in range(game.n_secrets):
        if str(game.secret(number)) == text:
            return game.secret(number)
    raise CodeError("{text} is not a secret of {game}", text=quoted(text), game=game.name)
