"""Long searches at the command line, and `pegwise optimal`: good and best trees of a board."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, cast

import click

from pegwise.cli import options
from pegwise.cli.terminal import (
    INTERRUPTED,
    NO,
    Pace,
    Timing,
    deferred,
    duration,
    interruptible,
    say,
    sentence,
    status_line,
    tell,
    timing,
)
from pegwise.compute import WorkersLost
from pegwise.errors import InputError, OutputError
from pegwise.game import Rules
from pegwise.i18n import tr, trn

if TYPE_CHECKING:
    from pegwise.search.beam import BeamProgress, BeamSearch
    from pegwise.search.exact.optimal import OptimalSearch, Optimum, SearchProgress
    from pegwise.search.storage import Resumable

Step = TypeVar("Step")
Answer = TypeVar("Answer")
View = AbstractContextManager[Callable[[Step], None]]
"""What shows the steps of a search."""


class _Search(Protocol):
    @property
    def finished(self) -> bool:
        """Whether it has come to its end."""


@dataclass(slots=True)
class Ended:
    """How a search ended.

    Attributes:
        interrupted: the user has stopped it.
        failure: why it could not go on, or its answer could not be stored.
        time: how long it took.
        seconds: processor time, that of earlier runs included where the checkpoint tells it.
    """

    interrupted: bool = False
    failure: OutputError | WorkersLost | None = None
    time: Timing = field(default_factory=Timing)
    seconds: float = 0.0

    @contextmanager
    def noting(self) -> Iterator[None]:
        """Note what stops the block, so that the answer can be shown all the same."""
        try:
            with interruptible():
                yield
        except KeyboardInterrupt:
            self.interrupted = True
        except (OutputError, WorkersLost) as error:
            self.failure = error

    def store(self, path: Path | None, content: Callable[[], bytes | Iterable[bytes]]) -> None:
        """Write the answer, if a file is named; a failure is noted."""
        if path is not None:
            with self.noting():
                options.write_file(path, content())

    def finish(
        self,
        settings: options.SearchOptions,
        name: object,
        document: Callable[[], dict[str, Any]],
        lines: Callable[[], None],
    ) -> None:
        """Print the answer, then end the command if something has stopped the search.

        Args:
            settings: of the command.
            name: of the game.
            document: the answer as JSON.
            lines: prints it in prose.
        """
        if settings.as_json:
            options.print_json(document())
        else:
            if self.interrupted and (settings.fresh or self.failure):
                tell("Interrupted.")
            elif self.interrupted:
                tell("Interrupted; the same command goes on with {name}.", name=name)
            lines()
        if self.failure is not None:
            raise self.failure
        if self.interrupted:
            sys.exit(INTERRUPTED)


def run_search(
    search: Resumable[Answer],
    settings: options.SearchOptions,
    view: View[Any],
    *,
    enough: Callable[[], bool] = lambda: False,
) -> tuple[Answer, Ended]:
    """Search with a checkpoint; the answer, and how the search ended.

    Raises:
        InputError: the checkpoint belongs to another search.
    """
    from pegwise.search.storage import Checkpoint

    checkpoint = Checkpoint(settings.checkpoint or Checkpoint.default_path(search))
    if not settings.fresh and (message := checkpoint.resume(search)):
        tell(sentence(message))
    steps = iter(search) if settings.fresh else checkpoint.run(search)
    with timing() as taken:
        ended = go_through(search, steps, view, memory=settings.memory, enough=enough)
        answer = search.result()
    ended.time, ended.seconds = taken, checkpoint.seconds
    return answer, ended


def go_through(
    search: _Search,
    steps: Iterator[Step],
    view: View[Step],
    *,
    memory: int | None = None,
    enough: Callable[[], bool] = lambda: False,
) -> Ended:
    """Go through steps until the end, or until the user, the disk or the memory stops them.

    Args:
        search: what is searched.
        steps: of it; closed in any case, which keeps its checkpoint.
        view: shows each step.
        memory: bytes allowed, None for any number.
        enough: asked after every step whether to leave.
    """
    ended = Ended()
    try:
        with ended.noting(), options.limited_memory(memory), view as show, deferred() as check:
            for step in steps:
                show(step)
                check()
                if enough():
                    break
    finally:
        with ended.noting():
            cast("Generator[Step]", steps).close()
    if search.finished:
        ended.interrupted = False
    return ended


@contextmanager
def status_view(words: Callable[[Step, Pace], str]) -> Iterator[Callable[[Step], None]]:
    """Show each step of a search as a line on standard error, at a terminal."""
    pace = Pace()
    with status_line() as write:
        yield lambda step: None if write is None else write(words(step, pace))


# `pegwise optimal`


@click.command(epilog="Example: pegwise optimal 4x6 --objective worst-total -o best.json")
@options.rules_argument
@click.option(
    "--objective",
    type=click.Choice(["total", "worst", "worst-total"]),
    default="total",
    show_default=True,
    help="Smallest total; smallest worst case; or among those the smallest total.",
)
@click.option("--max-guesses", type=options.WholeNumber(1, 1000), help="Never need more.")
@click.option(
    "--weights",
    type=options.A_FILE,
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
@options.cluster_option
@options.search_options
def optimal(
    rules: Rules,
    objective: str,
    max_guesses: int | None,
    weights: Path | None,
    guesses: str,
    first: str | None,
    effort: str | None,
    cluster: str | None,
    settings: options.SearchOptions,
) -> None:
    """The best tree of a board, with proof.

    Interrupted, it says what it has found so far and keeps a checkpoint: the same command goes
    on from there.
    """
    from pegwise.game import Mastermind, mastermind, parse_code
    from pegwise.game.mastermind import read_weights
    from pegwise.paths import home
    from pegwise.search.beam import BeamSearch
    from pegwise.search.exact.model import search_memory
    from pegwise.search.exact.optimal import OptimalSearch
    from pegwise.search.players import keep
    from pegwise.trees.store import in_pieces

    weighted = None if weights is None else read_weights(weights, rules)
    game = mastermind(rules) if weighted is None else Mastermind(rules, weighted)
    limits: dict[str, Any] = {
        "max_guesses": max_guesses,
        "guesses": guesses,
        "first": None if first is None else game.guess_number(parse_code(first, rules)),
        "threads": settings.n_threads,
        "task_folder": None if settings.fresh else home() / "pieces",
    }
    settings.begin(rules, search_memory(game, effort=effort is not None))
    search: OptimalSearch | BeamSearch
    if effort is None:
        search = OptimalSearch(
            game, objective=objective, where=options.cluster_at(cluster), **limits
        )
        answer, ended = run_search(search, settings, _optimal_view(rules))
        if guesses == "all" and max_guesses is None and first is None:
            keep(game, answer)
    else:
        stages, seconds = parse_effort(effort)
        if objective != "total":
            raise InputError(
                "--effort finds small totals only: leave out --objective {objective}, or give "
                "--max-guesses",
                objective=objective,
            )
        search = BeamSearch(game, stages=stages, where=options.cluster_at(cluster), **limits)
        pace = Pace()
        answer, ended = run_search(
            search,
            settings,
            _effort_view(search, pace),
            enough=lambda: seconds is not None and pace.elapsed >= seconds,
        )
        if search.finished and ended.failure is None:
            search.forget()
    if (tree := answer.tree) is not None:
        ended.store(settings.output, lambda: in_pieces(tree))
    ended.finish(
        settings,
        search.game.name,
        lambda: _document(search, answer, ended.time),
        lambda: _say(search, answer, ended.time),
    )
    if answer.impossible:
        sys.exit(NO)


def parse_effort(text: str) -> tuple[int | None, float | None]:
    """Stages and seconds of `3`, `90s`, `10m`, `2h`, `1d` or `forever`; None for any number."""
    units = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
    if text == "forever":
        return None, None
    if text.isascii() and text.isdigit() and 1 <= int(text) <= 99:
        return int(text), None
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([smhd])", text)
    if match and float(match[1]) > 0:
        return None, float(match[1]) * units[match[2]]
    raise InputError(
        "effort {effort}: write a number of stages from 1 to 99, a time such as 90s, 10m, 2h or "
        "1d, or forever",
        effort=repr(text),
    )


def _optimal_view(rules: Rules) -> View[SearchProgress]:
    before: int | None = None

    def words(step: SearchProgress, pace: Pace) -> str:
        nonlocal before
        before = step.positions if before is None else before
        return tr(
            "{rules}  best {best}  at least {least}  first guesses {done} of {total}  "
            "{rate:,.0f} positions/s  {fraction:.0%}, {time}",
            rules=rules,
            best=step.value or "-",
            least=step.lower_bound,
            done=step.done,
            total=step.total or "?",
            rate=(step.positions - before) / max(pace.elapsed, 0.01),
            fraction=step.fraction,
            time=pace.words(pace.remaining(step.fraction)),
        )

    return status_view(words)


@contextmanager
def _effort_view(search: BeamSearch, pace: Pace) -> Iterator[Callable[[BeamProgress], None]]:
    """Tell what every stage has found; at a terminal, how far the present one is too."""
    stage = search.stage

    def words(step: BeamProgress, pace: Pace) -> str:
        return tr(
            "{rules}  stage {stage}  best {best}  at least {least}  positions {done} "
            "of {total}  {fraction:.0%} of the stage, {time}",
            rules=search.game.name,
            stage=step.stage,
            best=step.value or "-",
            least=step.lower_bound,
            done=step.done,
            total=step.total or "?",
            fraction=step.fraction,
            time=pace.words(pace.remaining(step.fraction)),
        )

    with status_view(words) as show:

        def show_and_tell(step: BeamProgress) -> None:
            nonlocal stage
            if step.stage > stage and step.value is not None:
                tell(
                    "stage {stage}: best {best}, after {time}",
                    stage=step.stage - 1,
                    best=step.value,
                    time=duration(pace.elapsed),
                )
            stage = step.stage
            show(step)

        yield show_and_tell


def _document(search: OptimalSearch | BeamSearch, answer: Optimum, taken: Timing) -> dict[str, Any]:
    tree = answer.tree
    histogram = [] if tree is None else tree.histogram()
    return {
        "rules": search.game.name,
        "objective": answer.objective,
        "max_guesses": search.max_guesses,
        "guesses": search.guesses,
        "first": None if tree is None else str(search.game.guess(int(tree.nodes.guess[0]))),
        "total": None if tree is None else tree.total,
        "mean": None if tree is None else tree.mean,
        "worst": None if tree is None else tree.worst,
        "histogram": {str(k): n for k, n in enumerate(histogram, 1)} or None,
        "proven": answer.proven,
        "impossible": answer.impossible,
        "lower_bound": answer.lower_bound,
        "seconds": round(taken.seconds, 3),
        "positions": answer.positions,
    }


def _say(search: OptimalSearch | BeamSearch, answer: Optimum, taken: Timing) -> None:
    tree = answer.tree
    name = search.game.name
    if answer.impossible:
        say(
            "Impossible, proven: no strategy finds every secret of {name} with at most {most} "
            "guesses.",
            name=name,
            most=search.max_guesses,
        )
    elif tree is None:
        least = answer.lower_bound
        say("No tree of {name} found yet; at least {least}.", name=name, least=least)
    else:
        say("{name}: {what}", name=name, what=_title(search, answer), bold=True)
        figures = tr(
            "total {total}, mean {mean:.4f}, worst {worst}",
            total=tree.total,
            mean=tree.mean,
            worst=tree.worst,
        )
        first = search.game.guess(int(tree.nodes.guess[0]))
        counts = [tr("{n} with {k}", n=n, k=k) for k, n in enumerate(tree.histogram(), 1)]
        click.echo(f"  {figures}")
        say("first guess {guess}", guess=first, indent="  ")
        say("secrets found: {counts}", counts=", ".join(counts), indent="  ")
        if not answer.proven:
            least = answer.lower_bound
            say("not proven to be best; no tree is below {least}", least=least, indent="  ")
    searched = trn(
        "{n} position in {time}", "{n} positions in {time}", answer.positions, time=taken
    )
    click.echo(f"  {searched}")


def _title(search: OptimalSearch | BeamSearch, answer: Optimum) -> str:
    kind = {
        "total": tr("smallest total"),
        "worst": tr("smallest worst case"),
        "worst-total": tr("smallest worst case, then total"),
    }[answer.objective]
    most = search.max_guesses
    limit = "" if most is None else tr(", at most {n} guesses", n=most)
    allowed = tr(", candidates only") if search.guesses == "candidates" else ""
    proof = tr("proven, verified") if answer.proven else tr("best found, verified")
    return f"{kind}{limit}{allowed} ({proof})"
