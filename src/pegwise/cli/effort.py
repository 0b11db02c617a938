"""`pegwise optimal --effort`: good trees of large boards, better the longer it runs."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from pegwise.cli.common import workplace
from pegwise.cli.progress import Timing, duration, status_line, timing
from pegwise.cli.searching import Ended, go_through
from pegwise.cli.speech import sentence
from pegwise.errors import InputError
from pegwise.language import tr

if TYPE_CHECKING:
    from pegwise.game import Mastermind
    from pegwise.search.effort import EffortProgress, EffortSearch
    from pegwise.search.optimal import Optimum

__all__ = ["Budget", "good_tree", "parse_effort"]

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
) -> tuple[EffortSearch, Optimum, Timing, Ended]:
    """Search, with a line on standard error for every stage; what a user stops is not lost.

    Args:
        game: what is played.
        effort: see `parse_effort`.
        objective: only `total` is searched for.
        max_guesses: as for `EffortSearch`; likewise the next three.
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
    from pegwise.home import home
    from pegwise.search.effort import EffortSearch
    from pegwise.search.effort_checkpoint import EffortCheckpoint

    budget = parse_effort(effort)
    if objective != "total":
        raise InputError(
            "--effort finds small totals only: leave out --objective {objective}, or give "
            "--max-guesses",
            objective=objective,
        )
    search = EffortSearch(
        game,
        stages=budget.stages,
        max_guesses=max_guesses,
        guesses=guesses,
        first=first,
        threads=threads,
        where=None if cluster is None else workplace(cluster),
        kept=None if fresh else home() / "pieces",
    )
    checkpoint = EffortCheckpoint(path or EffortCheckpoint.default_path(search))
    if not fresh and (said := checkpoint.resume(search)):
        click.echo(sentence(said), err=True)
    steps = iter(search) if fresh else checkpoint.run(search)
    begun = time.monotonic()

    def enough() -> bool:
        return budget.seconds is not None and time.monotonic() - begun >= budget.seconds

    with timing() as time_taken:
        watched = _watched(search, begun)
        ended = go_through(search, steps, watched, memory=memory, enough=enough)
        answer = search.result()
    if search.finished and ended.failure is None:
        search.forget()
    return search, answer, time_taken, ended


@contextmanager
def _watched(search: EffortSearch, begun: float) -> Iterator[Callable[[EffortProgress], None]]:
    """Say what every stage has found, and, while a terminal watches, how far the present one is."""
    stage = search.stage
    entered = begun

    def tell(step: EffortProgress) -> None:
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

        def show(step: EffortProgress) -> None:
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
