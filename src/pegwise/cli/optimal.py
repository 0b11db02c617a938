"""`pegwise optimal --effort`: good trees of large boards, better the longer it runs."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from pegwise.cli.i18n import sentence
from pegwise.cli.options import (
    WholeNumber,
    check_fits,
    check_writable,
    cluster_option,
    json_option,
    memory_option,
    print_json,
    rules_argument,
    threads_option,
    workplace,
    write_file,
)
from pegwise.cli.search import Ended, checkpoint_option, fresh_option, go_through
from pegwise.cli.terminal import Timing, announce_compilation, duration, status_line, timing
from pegwise.compute.pool import cores
from pegwise.errors import InputError
from pegwise.game import Rules
from pegwise.i18n import tr, trn

if TYPE_CHECKING:
    from pegwise.game import Mastermind
    from pegwise.search.beam.search import BeamProgress, BeamSearch
    from pegwise.search.exact.optimal import OptimalSearch, Optimum, SearchProgress
_UNITS: Final = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_TIME: Final = re.compile(r"(\d+(?:\.\d+)?)([smhd])")


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to search.

    Attributes:
        stages: stages to go through, None for any number.
        seconds: time to take, None for any.
    """

    stages: int | None = None
    seconds: float | None = None


def parse_effort(text: str) -> Budget:
    """A budget: `3` stages, `90s`, `10m`, `2h`, `1d`, or `forever`.

    Raises:
        InputError: anything else.
    """
    if text == "forever":
        return Budget()
    if text.isascii() and text.isdigit() and 1 <= int(text) <= 99:
        return Budget(stages=int(text))
    if (found := _TIME.fullmatch(text)) and float(found[1]) > 0:
        return Budget(seconds=float(found[1]) * _UNITS[found[2]])
    raise InputError(
        "effort {effort}: write a number of stages from 1 to 99, a time such as 90s, 10m, 2h or "
        "1d, or forever",
        effort=repr(text),
    )


def good_tree(
    game: Mastermind,
    effort: str,
    *,
    objective: str,
    max_guesses: int | None,
    guesses: str,
    first: int | None,
    threads: int,
    cluster: str | None,
    path: Path | None,
    fresh: bool,
    memory: int | None,
) -> tuple[BeamSearch, Optimum, Timing, Ended]:
    """Search, with a line on standard error for every stage; what a user stops is not lost.

    Args:
        game: what is played.
        effort: see `parse_effort`.
        objective: only `total` is searched for.
        max_guesses: as for `BeamSearch`; likewise the next three.
        guesses: likewise.
        first: likewise.
        threads: likewise.
        cluster: the address of machines that search instead.
        path: the file of the checkpoint, None for one among the user's data.
        fresh: do not go on from a checkpoint, and keep none.
        memory: bytes that may be taken, None for any number.

    Returns:
        The search, the best tree, the time taken, and how the search was left.

    Raises:
        InputError: another objective, or no effort that there is.
    """
    from pegwise.paths import home
    from pegwise.search.beam.search import BeamSearch
    from pegwise.search.checkpoint import BeamCheckpoint

    budget = parse_effort(effort)
    if objective != "total":
        raise InputError(
            "--effort finds small totals only: leave out --objective {objective}, or give "
            "--max-guesses",
            objective=objective,
        )
    search = BeamSearch(
        game,
        stages=budget.stages,
        max_guesses=max_guesses,
        guesses=guesses,
        first=first,
        threads=threads,
        where=None if cluster is None else workplace(cluster),
        task_folder=None if fresh else home() / "pieces",
    )
    checkpoint = BeamCheckpoint(path or BeamCheckpoint.default_path(search))
    if not fresh and (said := checkpoint.resume(search)):
        click.echo(sentence(said), err=True)
    steps = iter(search) if fresh else checkpoint.run(search)
    begun = time.monotonic()

    def enough() -> bool:
        return budget.seconds is not None and time.monotonic() - begun >= budget.seconds

    with timing() as time_taken:
        watched = _watched_effort(search, begun)
        ended = go_through(search, steps, watched, memory=memory, enough=enough)
        answer = search.result()
    if search.finished and ended.failure is None:
        search.forget()
    return search, answer, time_taken, ended


@contextmanager
def _watched_effort(search: BeamSearch, begun: float) -> Iterator[Callable[[BeamProgress], None]]:
    """Say what every stage has found, and, while a terminal watches, how far the present one is."""
    stage = search.stage
    entered = begun

    def tell(step: BeamProgress) -> None:
        nonlocal stage
        if step.stage > stage and step.value is not None:
            click.echo(
                tr(
                    "stage {stage}: best {best}, after {gone}",
                    stage=step.stage - 1,
                    best=step.value,
                    gone=duration(time.monotonic() - begun),
                ),
                err=True,
            )
        stage = step.stage

    with status_line() as say:

        def show(step: BeamProgress) -> None:
            nonlocal entered
            if step.stage != stage:
                entered = time.monotonic()
            tell(step)
            if say is None:
                return
            here = time.monotonic() - entered
            left = here * (1 - step.fraction) / step.fraction if step.fraction > 0.01 else None
            say(
                tr(
                    "{rules}  stage {stage}  best {best}  at least {least}  positions {done} "
                    "of {total}  {fraction:.0%} of the stage, {gone} gone, some {left} to go",
                    rules=search.game.name,
                    stage=step.stage,
                    best=step.value or "-",
                    least=step.lower_bound,
                    done=step.done,
                    total=step.total or "?",
                    fraction=step.fraction,
                    gone=duration(time.monotonic() - begun),
                    left=duration(left) if left is not None else "?",
                )
            )

        yield show


# `pegwise optimal`: the best tree of a board, proven.

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
    from pegwise.game.mastermind import read_weights
    from pegwise.paths import home
    from pegwise.search.checkpoint import ExactCheckpoint
    from pegwise.search.exact.model import search_memory
    from pegwise.search.exact.optimal import OptimalSearch
    from pegwise.search.players import keep

    if output is not None:
        check_writable(output)
    weighted = None if weights is None else read_weights(weights, rules)
    game = mastermind(rules) if weighted is None else Mastermind(rules, weighted)
    first_number = None if first is None else game.guess_number(parse_code(first, rules))
    check_fits(memory, search_memory(game, effort=effort is not None), rules)
    announce_compilation()
    if effort is not None:
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
        task_folder=None if fresh else home() / "pieces",
    )
    checkpoint = ExactCheckpoint(checkpoint_path or ExactCheckpoint.default_path(search))
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
    search: OptimalSearch | BeamSearch,
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
    search: OptimalSearch | BeamSearch, answer: Optimum, time_taken: Timing
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


def _say(search: OptimalSearch | BeamSearch, answer: Optimum, time_taken: Timing) -> None:
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


def _what(search: OptimalSearch | BeamSearch, answer: Optimum) -> str:
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
