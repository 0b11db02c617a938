"""A tree in the terminal: its first turns as a table, or the game against one secret."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from pegwise.cli.completion import strategy_names
from pegwise.cli.options import (
    RulesType,
    WholeNumber,
    check_fits,
    check_writable,
    cluster_option,
    jobs_option,
    json_option,
    kept_within,
    memory_option,
    parse_strategy,
    print_json,
    rules_argument,
    seed_option,
    workplace,
    write_file,
)
from pegwise.cli.terminal import announce_compilation, progress_bar
from pegwise.compute.pool import jobs_for
from pegwise.errors import CodeError, InputError, Phrase, StrategyError, quoted
from pegwise.game import Mastermind, Rules, parse_code
from pegwise.i18n import tr, translated, trn
from pegwise.trees import Tree

if TYPE_CHECKING:
    from pegwise.trees import Reading, Tree, Verification


def summary(tree: Tree) -> str:
    """A tree in one line: `4x6, knuth: 1296 secrets, 5801 guesses, mean 4.476, worst 5`."""
    options = ",".join(f"{key}={value}" for key, value in tree.options.items())
    name = f"{tree.strategy}:{options}" if options else tree.strategy
    return tr(
        "{game}, {name}: {secrets} secrets, {total} guesses, mean {mean:.3f}, worst {worst}",
        game=tree.game.name,
        name=name,
        secrets=tree.game.n_secrets,
        total=tree.total,
        mean=tree.mean,
        worst=tree.worst,
    )


def outline(tree: Tree, depth: int) -> list[str]:
    """The first turns: for each mark, how many codes are left and what is played next."""
    game, nodes = tree.game, tree.nodes
    rows = []
    cut = dashed = False
    for node in _first_turns(tree, depth):
        turn = int(tree.node_depths[node])
        mark = "  " * (turn - 2) + str(game.mark(int(nodes.mark[node]))) if node else ""
        guess = str(game.guess(int(nodes.guess[node])))
        if not nodes.wins[node]:
            guess, dashed = f"{guess} *", True
        if turn == depth and tree.children(node):
            guess, cut = f"{guess} ...", True
        rows.append((mark, str(tree.node_sizes[node]), guess))
    heads = tr("mark"), tr("codes"), tr("guess")
    width = max(len(mark) for mark, _, _ in [*rows, heads])
    lines = [summary(tree), "", f"{heads[0]:{width}} {heads[1]:>8}  {heads[2]}"]
    lines += [f"{mark:{width}} {size:>8}  {guess}" for mark, size, guess in rows]
    if dashed or cut:
        lines.append("")
    if dashed:
        lines.append(tr("* cannot be the secret"))
    if cut:
        lines.append(tr("... goes on: --depth {depth}, or --secret CODE", depth=depth + 1))
    return lines


def _first_turns(tree: Tree, depth: int) -> Iterator[int]:
    """The nodes of the first turns, depth first."""
    stack = [0]
    while stack:
        node = stack.pop()
        yield node
        if tree.node_depths[node] < depth:
            stack.extend(reversed(tree.children(node)))


def game_turns(tree: Tree, text: str) -> dict[str, Any]:
    """The game against a secret, for JSON: each turn's guess, mark, and codes before it.

    Raises:
        CodeError: no such secret.
    """
    secret = _secret(tree, text)
    turns: list[dict[str, Any]] = []
    node: int | None = 0
    solved = False
    while node is not None and not solved:
        guess = tree.game.guess(int(tree.nodes.guess[node]))
        mark = tree.game.mark_of(guess, secret)
        turns.append(
            {"guess": str(guess), "mark": str(mark), "candidates": int(tree.node_sizes[node])}
        )
        number = tree.game.mark_number(mark)
        solved = number == tree.game.winning
        node = tree.child(node, number)
    return {"secret": str(secret), "turns": turns, "solved": solved}


def game_lines(tree: Tree, text: str) -> list[str]:
    """The game against a secret as a table."""
    game = game_turns(tree, text)
    rows = [(tr("turn"), tr("guess"), tr("mark"), tr("codes before"))]
    rows += [
        (str(turn), played["guess"], played["mark"], str(played["candidates"]))
        for turn, played in enumerate(game["turns"], 1)
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [summary(tree), "", tr("secret {code}", code=game["secret"])]
    for turn, guess, mark, before in rows:
        shown = f"{turn:>{widths[0]}}  {guess:{widths[1]}}  {mark:{widths[2]}}"
        lines.append(f"{shown}  {before:>{widths[3]}}")
    if not game["solved"]:
        lines.append(tr("the tree does not go on: this secret is not found"))
    return lines


def _secret(tree: Tree, text: str) -> Any:
    """The secret that was typed: a code, or what another game prints."""
    game = tree.game
    if isinstance(game, Mastermind):
        return parse_code(text, game.rules, secret=True)
    for number in range(game.n_secrets):
        if str(game.secret(number)) == text:
            return game.secret(number)
    raise CodeError("{text} is not a secret of {game}", text=quoted(text), game=game.name)


# `pegwise tree`, `verify` and `show`: build, check, draw and convert whole trees.

_SUFFIXES: Final = {
    ".tree": "tree",
    ".txt": "viaud",
    ".viaud": "viaud",
    ".irving": "irving",
    ".csv": "csv",
    ".dot": "dot",
    ".gv": "dot",
    ".svg": "svg",
}
_FORMATS: Final = tuple(dict.fromkeys(_SUFFIXES.values()))
_NAMES: Final = {
    "pegwise": Phrase("tree file"),
    "viaud": Phrase("Viaud's lines"),
    "irving": Phrase("Irving's notation"),
    "knuth": Phrase("Knuth's notation of 1976"),
}
_MOST_SLIPS: Final = 10

_output_option = click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the tree here; the suffix tells the format: .tree, .txt, .viaud, .irving, .csv, "
    ".dot, .gv, .svg.",
)
_format_option = click.option(
    "--format",
    "form",
    type=click.Choice(_FORMATS),
    help="Write in this format, whatever the suffix; to standard output without -o.",
)
_board_option = click.option(
    "--rules",
    type=RulesType(),
    metavar="RULES",
    help="The board of a printed tree; guessed from the file when not given.",
)
_depth_option = click.option(
    "--depth",
    type=WholeNumber(1, 1000),
    default=2,
    show_default=True,
    help="Turns to show in the terminal.",
)
_file_argument = click.argument("file", type=click.Path(path_type=Path), metavar="FILE")


@click.command(epilog="Example: pegwise tree 4x6 -s knuth -o knuth.tree")
@rules_argument
@click.option(
    "-s",
    "--strategy",
    "name",
    metavar="ID[:OPTION=VALUE,...]",
    required=True,
    shell_complete=strategy_names,
    help="Which one; pegwise strategies lists them.",
)
@_output_option
@_format_option
@_depth_option
@seed_option
@jobs_option
@cluster_option
@memory_option
@json_option
def tree(
    rules: Rules,
    name: str,
    output: Path | None,
    form: str | None,
    depth: int,
    seed: int,
    jobs: int | None,
    cluster: str | None,
    memory: int | None,
    as_json: bool,
) -> None:
    """Play a strategy out against every secret, check the tree, and write it.

    Formats: tree (everything, checksummed), viaud (a line for each secret), irving (nested), csv,
    dot (Graphviz), svg (trees of some hundred nodes whole, larger ones as a summary).
    """
    from pegwise.arena.forecast import memory_of
    from pegwise.compute import Processes, place
    from pegwise.game import mastermind
    from pegwise.strategies import compiles, label
    from pegwise.trees import build_at
    from pegwise.trees import verify as check

    form = _form(output, form, as_json)
    where = place(jobs_for(jobs, rules.n_secrets)) if cluster is None else workplace(cluster)
    strategy = parse_strategy(name, seed)
    apart = isinstance(where, Processes) and not compiles(strategy)
    needed = memory_of(rules) * (1 + where.workers if apart else 1)
    check_fits(memory, needed, rules, by_jobs=apart)
    announce_compilation()
    title = tr("{name} on {rules}", name=label(strategy), rules=rules)
    with kept_within(memory), progress_bar(title) as report:
        built = build_at(strategy, mastermind(rules), where, report=report)
    with progress_bar(tr("Checking")) as report:
        checked = check(built, jobs=jobs_for(None, built.game.n_secrets), report=report)
    if not checked.valid:
        raise StrategyError(
            "{strategy} broke its contract: {problem}",
            strategy=label(strategy),
            problem=checked.problems[0],
        )
    _deliver(built, output, form, as_json=as_json, depth=depth)


@click.command(epilog="Example: pegwise verify knuth.tree")
@_file_argument
@_board_option
@jobs_option
@json_option
def verify(file: Path, rules: Rules | None, jobs: int | None, as_json: bool) -> None:
    """Check a tree against every secret, by the plain definition of marking alone.

    FILE is a tree file, Viaud's lines, or Irving's or Knuth's nested notation. Exit status 1 when
    the tree does not verify, 2 when the file is damaged.
    """
    from pegwise.trees import verify as check
    from pegwise.trees.verify import MAX_PROBLEMS

    reading = _read(file, rules)
    with progress_bar(tr("Checking")) as report:
        checked = check(
            reading.tree, jobs=jobs_for(jobs, reading.tree.game.n_secrets), report=report
        )
    problems = [*reading.problems, *checked.problems][:MAX_PROBLEMS]
    count = len(reading.problems) + checked.count
    if as_json:
        print_json(
            {
                "valid": not count,
                "secrets": checked.secrets,
                "total": checked.total,
                "worst": checked.worst,
                "problems": problems,
            }
        )
    else:
        _print_verification(file, reading, checked, problems, count)
    if count:
        click.get_current_context().exit(1)


@click.command(epilog="Example: pegwise show knuth.tree --secret BEEF")
@_file_argument
@_output_option
@_format_option
@_board_option
@_depth_option
@click.option("--secret", "code", metavar="CODE", help="Show the game against one secret.")
@json_option
def show(
    file: Path,
    output: Path | None,
    form: str | None,
    rules: Rules | None,
    depth: int,
    code: str | None,
    as_json: bool,
) -> None:
    """Show a tree in the terminal, or write it in another format.

    FILE is a tree file, Viaud's lines, or Irving's or Knuth's nested notation.
    """
    from pegwise.trees import verify as check

    form = _form(output, form, as_json)
    if code is not None and form is not None:
        raise InputError("--secret shows one game in the terminal: leave out -o and --format")
    reading = _read(file, rules)
    with progress_bar(tr("Checking")) as report:
        checked = check(
            reading.tree, jobs=jobs_for(None, reading.tree.game.n_secrets), report=report
        )
    if problems := [*reading.problems, *checked.problems]:
        said = tr("this tree does not verify: {problem} (see pegwise verify)", problem=problems[0])
        click.echo(said, err=True)
    if code is None:
        _deliver(reading.tree, output, form, as_json=as_json, depth=depth)
    elif as_json:
        print_json({**_facts(reading.tree), **game_turns(reading.tree, code)})
    else:
        click.echo("\n".join(game_lines(reading.tree, code)))


def _read(file: Path, rules: Rules | None) -> Reading:
    """A tree from a file; slips that the reader mended are told on standard error."""
    from pegwise.trees import read_tree

    reading = read_tree(file, rules)
    for slip in reading.mended[:_MOST_SLIPS]:
        click.echo(tr("mended: {slip}", slip=slip), err=True)
    if len(reading.mended) > _MOST_SLIPS:
        more = len(reading.mended) - _MOST_SLIPS
        click.echo(trn("mended: {n} slip more", "mended: {n} slips more", more), err=True)
    return reading


def _form(output: Path | None, form: str | None, as_json: bool) -> str | None:
    """The format to write, before any work is done; None where the terminal shows the tree."""
    if output is None:
        if form == "tree":
            raise InputError("a tree file is not text: give -o FILE")
        if form is not None and as_json:
            raise InputError("--json prints one document: give -o FILE for the tree itself")
        return form
    check_writable(output)
    if form is None and output.suffix.lower() not in _SUFFIXES:
        raise InputError(
            "cannot tell the format from {output}: end it in {suffixes}, or give --format "
            "{formats}",
            output=repr(str(output)),
            suffixes=", ".join(_SUFFIXES),
            formats="|".join(_FORMATS),
        )
    return form or _SUFFIXES[output.suffix.lower()]


def _deliver(
    tree: Tree, output: Path | None, form: str | None, *, as_json: bool, depth: int
) -> None:
    """Write a tree, print it, or show it."""
    if form == "tree" and output is not None:
        from pegwise.trees.store import in_pieces

        pieces = in_pieces(tree)
        write_file(output, lambda path: _fill(path, pieces))
    elif form is not None:
        data = _written(tree, form)
        if output is None:
            click.echo(data, nl=False)
            return
        write_file(output, lambda path: _fill(path, [data]))
    if as_json:
        written = {} if output is None else {"file": str(output), "format": form}
        print_json({**_facts(tree), **written})
    elif output is not None:
        click.echo(tr("{name}: {what}", name=output, what=summary(tree)))
    else:
        click.echo("\n".join(outline(tree, depth)))


def _fill(path: Path, pieces: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(pieces)


def _written(tree: Tree, form: str) -> bytes:
    """A tree in a format for other programs."""
    if form == "svg":
        from pegwise.pictures.tree import MAX_NODES

        if len(tree) > MAX_NODES:
            from pegwise.pictures import tree_summary_svg

            said = tr("{n} nodes are too many to draw whole: a summary", n=len(tree))
            click.echo(said, err=True)
            return tree_summary_svg(tree).encode()
        from pegwise.pictures import tree_svg

        return tree_svg(tree).encode()
    from pegwise.trees.formats import to_csv, to_dot
    from pegwise.trees.notations.irving import write_irving
    from pegwise.trees.notations.viaud import write_viaud

    writers = {"viaud": write_viaud, "irving": write_irving, "csv": to_csv, "dot": to_dot}
    return writers[form](tree).encode()


def _facts(tree: Tree) -> dict[str, Any]:
    """What a JSON document says of a tree."""
    return {
        "rules": tree.game.name,
        "strategy": tree.strategy,
        "options": dict(tree.options),
        "secrets": tree.game.n_secrets,
        "total": tree.total,
        "mean": tree.mean,
        "worst": tree.worst,
        "histogram": tree.histogram(),
        "nodes": len(tree),
    }


def _print_verification(
    file: Path, reading: Reading, checked: Verification, problems: list[str], count: int
) -> None:
    what = f"{reading.tree.game.name}, {tr(_NAMES[reading.notation])}"
    click.echo(tr("{name}: {what}", name=file, what=what))
    click.echo(
        tr(
            "{secrets} secrets, {total} guesses, worst {worst}",
            secrets=checked.secrets,
            total=checked.total,
            worst=checked.worst,
        )
    )
    if checked.histogram:
        found = [tr("{n} in {k}", n=n, k=k) for k, n in enumerate(checked.histogram, 1)]
        click.echo(tr("found: {counts}", counts=", ".join(found)))
    if not count:
        click.echo(tr("Verified: the tree finds every secret as it says."))
        return
    shown = "" if count == len(problems) else tr(", of which {n} are", n=len(problems))
    click.echo(
        trn(
            "Not verified: {n} problem{shown}",
            "Not verified: {n} problems{shown}",
            count,
            shown=shown,
        )
    )
    for problem in problems:
        click.echo(f"  {translated(problem)}")
