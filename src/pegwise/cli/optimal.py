"""`pegwise optimal`: the best tree of a board, proven."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pegwise.cli.common import (
    WholeNumber,
    announce_compilation,
    check_writable,
    cluster_option,
    json_option,
    print_json,
    rules_argument,
    threads_option,
    workplace,
    write_file,
)
from pegwise.cli.memory import check_fits, memory_option
from pegwise.cli.progress import Timing, duration, status_line, timing
from pegwise.cli.searching import Ended, checkpoint_option, fresh_option, go_through
from pegwise.cli.speech import sentence
from pegwise.cores import cores
from pegwise.game import Rules
from pegwise.language import tr, trn

if TYPE_CHECKING:
    from pegwise.search.effort import EffortSearch
    from pegwise.search.optimal import OptimalSearch, Optimum, SearchProgress

__all__ = ["optimal"]

_IMPOSSIBLE = 1


@click.command(epilog="Example: pegwise optimal 4x6 --objective worst-total -o best.json")
@rules_argument
@click.option(
    "--objective",
    type=click.Choice(["total", "worst", "worst-total"]),
    default="total",
    show_default=True,
    help="Smallest total; smallest worst case; or among those the smallest total.",
)
@click.option("--max-guesses", type=WholeNumber(1, 1000), help="Never need more.")
@click.option(
    "--weights",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="How often each code is hidden: lines of a code and a whole number.",
)
@click.option(
    "--guesses",
    type=click.Choice(["all", "candidates"]),
    default="all",
    show_default=True,
    help="What may be played.",
)
@click.option("--first", metavar="GUESS", help="Begin with this guess.")
@click.option(
    "--effort",
    metavar="N|TIME|forever",
    help="A good tree without proof, for large boards: so many stages, or as long as 10m or 2h.",
)
@threads_option
@cluster_option
@memory_option
@checkpoint_option
@fresh_option
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Store the tree.",
)
@json_option
def optimal(
    rules: Rules,
    objective: str,
    max_guesses: int | None,
    weights: Path | None,
    guesses: str,
    first: str | None,
    effort: str | None,
    threads: int | None,
    cluster: str | None,
    memory: int | None,
    checkpoint_path: Path | None,
    fresh: bool,
    output: Path | None,
    as_json: bool,
) -> None:
    """The best tree of a board, with proof.

    Interrupted, it says what it has found so far and keeps a checkpoint: the same command goes
    on from there.
    """
    from pegwise.game import Mastermind, mastermind, parse_code
    from pegwise.home import home
    from pegwise.search.checkpoint import Checkpoint
    from pegwise.search.memory import search_memory
    from pegwise.search.optimal import OptimalSearch
    from pegwise.search.play import keep
    from pegwise.search.weights import read_weights

    if output is not None:
        check_writable(output)
    weighted = None if weights is None else read_weights(weights, rules)
    game = mastermind(rules) if weighted is None else Mastermind(rules, weighted)
    first_number = None if first is None else game.guess_number(parse_code(first, rules))
    check_fits(memory, search_memory(game, effort=effort is not None), rules)
    announce_compilation()
    if effort is not None:
        from pegwise.cli.effort import good_tree

        found = good_tree(
            game,
            effort,
            objective=objective,
            max_guesses=max_guesses,
            guesses=guesses,
            first=first_number,
            threads=threads or cores(),
            cluster=cluster,
            path=checkpoint_path,
            fresh=fresh,
            memory=memory,
        )
        _finish(*found, output, kept=not fresh, as_json=as_json)
        return
    search = OptimalSearch(
        game,
        objective=objective,
        max_guesses=max_guesses,
        guesses=guesses,
        first=first_number,
        threads=threads or cores(),
        where=None if cluster is None else workplace(cluster),
        kept=None if fresh else home() / "pieces",
    )
    checkpoint = Checkpoint(checkpoint_path or Checkpoint.default_path(search))
    if not fresh and (said := checkpoint.resume(search)):
        click.echo(sentence(said), err=True)
    steps = iter(search) if fresh else checkpoint.run(search)
    with timing() as time_taken:
        ended = go_through(search, steps, _watched(rules), memory=memory)
        answer = search.result()
    if guesses == "all" and max_guesses is None and first is None:
        keep(game, answer)
    _finish(search, answer, time_taken, ended, output, kept=not fresh, as_json=as_json)


def _finish(
    search: OptimalSearch | EffortSearch,
    answer: Optimum,
    time_taken: Timing,
    ended: Ended,
    output: Path | None,
    *,
    kept: bool,
    as_json: bool,
) -> None:
    """Store the tree, say what has been found, and end with the status that tells it."""
    if output is not None and answer.tree is not None:
        from pegwise.trees.store import save

        tree = answer.tree
        with ended.noting():
            write_file(output, lambda path: save(tree, path))
    if as_json:
        print_json(_document(search, answer, time_taken))
    else:
        ended.say(search.game.name, kept=kept)
        _say(search, answer, time_taken)
    ended.leave()
    if answer.impossible:
        sys.exit(_IMPOSSIBLE)


@contextmanager
def _watched(rules: Rules) -> Iterator[Callable[[SearchProgress], None]]:
    """A line on standard error that says how far the search is, while a terminal watches."""
    begun = time.monotonic()
    first_positions: list[int] = []
    with status_line() as say:

        def show(step: SearchProgress) -> None:
            if say is None:
                return
            first_positions.append(step.positions)
            del first_positions[1:]
            seconds = time.monotonic() - begun
            rate = (step.positions - first_positions[0]) / max(seconds, 0.01)
            left = seconds * (1 - step.fraction) / step.fraction if step.fraction > 0.001 else None
            say(
                tr(
                    "{rules}  best {best}  at least {least}  first guesses {done} of {total}  "
                    "{rate:,.0f} positions/s  {fraction:.0%}, {gone} gone, some {left} to go",
                    rules=rules,
                    best=step.value or "-",
                    least=step.lower_bound,
                    done=step.done,
                    total=step.total or "?",
                    rate=rate,
                    fraction=step.fraction,
                    gone=duration(seconds),
                    left=duration(left) if left is not None else "?",
                )
            )

        yield show


def _document(
    search: OptimalSearch | EffortSearch, answer: Optimum, time_taken: Timing
) -> dict[str, Any]:
    tree = answer.tree
    return {
        "rules": search.game.name,
        "objective": answer.objective,
        "max_guesses": search.max_guesses,
        "guesses": search.guesses,
        "first": None if tree is None else str(search.game.guess(int(tree.nodes.guess[0]))),
        "total": None if tree is None else tree.total,
        "mean": None if tree is None else tree.mean,
        "worst": None if tree is None else tree.worst,
        "histogram": None
        if tree is None
        else {str(k): n for k, n in enumerate(tree.histogram(), 1)},
        "proven": answer.proven,
        "impossible": answer.impossible,
        "lower_bound": answer.lower_bound,
        "seconds": round(time_taken.seconds, 3),
        "positions": answer.positions,
    }


def _say(search: OptimalSearch | EffortSearch, answer: Optimum, time_taken: Timing) -> None:
    tree = answer.tree
    name = search.game.name
    if answer.impossible:
        click.echo(
            tr(
                "Impossible, proven: no strategy finds every secret of {name} with at most {most} "
                "guesses.",
                name=name,
                most=search.max_guesses,
            )
        )
    elif tree is None:
        least = answer.lower_bound
        click.echo(tr("No tree of {name} found yet; at least {least}.", name=name, least=least))
    else:
        click.secho(tr("{name}: {what}", name=name, what=_what(search, answer)), bold=True)
        first = search.game.guess(int(tree.nodes.guess[0]))
        shown = [tr("{n} with {k}", n=n, k=k) for k, n in enumerate(tree.histogram(), 1)]
        figures = tr(
            "total {total}, mean {mean:.4f}, worst {worst}",
            total=tree.total,
            mean=tree.mean,
            worst=tree.worst,
        )
        click.echo(f"  {figures}")
        click.echo("  " + tr("first guess {guess}", guess=first))
        click.echo("  " + tr("secrets found: {counts}", counts=", ".join(shown)))
        if not answer.proven:
            least = answer.lower_bound
            click.echo("  " + tr("not proven to be best; no tree is below {least}", least=least))
    searched = trn(
        "{n} position in {time}", "{n} positions in {time}", answer.positions, time=time_taken
    )
    click.echo(f"  {searched}")


def _what(search: OptimalSearch | EffortSearch, answer: Optimum) -> str:
    kind = {
        "total": tr("smallest total"),
        "worst": tr("smallest worst case"),
        "worst-total": tr("smallest worst case, then total"),
    }[answer.objective]
    most = search.max_guesses
    limit = "" if most is None else tr(", at most {n} guesses", n=most)
    played = tr(", candidates only") if search.guesses == "candidates" else ""
    proof = tr("proven, verified") if answer.proven else tr("best found, verified")
    return f"{kind}{limit}{played} ({proof})"
