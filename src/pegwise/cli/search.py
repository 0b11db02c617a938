"""Long searches at the command line, and `pegwise optimal`: good and best trees of a board."""

from __future__ import annotations

import math
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.cli.progress import Timing, progress_bar, timing
from pegwise.cli.signals import exit_status, interruptible
from pegwise.cli.terminal import NO, sentence, tell, tell_interrupted
from pegwise.cli.tree import tree_content
from pegwise.compute.backends import WorkersLost
from pegwise.compute.machine import cores, memory_allowed
from pegwise.errors import InputError, OutputError, Phrase, TooLargeError, quoted
from pegwise.game import Game, Notation, parse_code
from pegwise.i18n import duration, tr
from pegwise.kept import PIECES
from pegwise.paths import locked
from pegwise.progress import Report, run_until
from pegwise.search.certificates.files import certify
from pegwise.search.certificates.optima import ProvenTrees
from pegwise.search.certificates.sets import ProvenSet
from pegwise.search.exact.goals import Goal
from pegwise.search.storage import Checkpoint
from pegwise.search.strategies.optimal import keep
from pegwise.telling.blocks import Block, Sentence
from pegwise.telling.proofs import (
    FEWEST,
    PROVABLE,
    certificate_words,
    effort_words,
    looked_up_words,
    optimum_report,
)
from pegwise.trees.build import build
from pegwise.trees.formats import read_tree

if TYPE_CHECKING:
    from pegwise.search.beam.search import BeamProgress, BeamSearch
    from pegwise.search.certificates.claims import Certificate, ClaimT
    from pegwise.search.certificates.optima import ProvenOptimum
    from pegwise.search.exact.optimum import Optimum
    from pegwise.search.storage import Resumable
    from pegwise.trees import Tree

Step = TypeVar("Step")
Answer = TypeVar("Answer")
View = AbstractContextManager[Callable[[Step], None]]  # what shows the steps of a search


@dataclass(frozen=True)
class SearchOptions:
    """Options of every long search, as they were typed; `memory` in bytes."""

    certificate: Path | None
    jobs: int
    memory: int | None
    checkpoint: Path | None
    fresh: bool
    search: bool
    output: Path | None
    as_json: bool

    def __post_init__(self) -> None:
        options.check_distinct(self.output, self.certificate, self.checkpoint)

    def check_output(self, checkpoint: Checkpoint | None = None) -> None:
        """Refuse to replace an output, unless the unfinished search of the checkpoint wrote it."""
        for path in filter(None, (self.output, self.certificate)):
            if not (checkpoint and checkpoint.wrote(path)):
                options.check_output(path)

    def look_up(self, kind: type[ClaimT], rules: Game) -> Certificate[ClaimT] | None:
        """The certificate that comes with the program; None if a search was asked for."""
        from pegwise.search.certificates.files import shipped

        anew = self.search or self.fresh or self.checkpoint is not None
        return None if anew else shipped(kind, rules)


def search_options(*more: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every long search, after `more`, of which `--certificate` is one."""
    return options.gathered(
        SearchOptions,
        "settings",
        *more,
        click.option(
            "--jobs",
            type=options.WholeNumber(1, 1024),
            default=cores,
            help="All processors if not given.",
        ),
        options.memory_option,
        options.path_option(
            "--checkpoint",
            hidden=True,
            callback=options.writable,
            help="Where the search is kept while it runs; a file among your data if not given.",
        ),
        click.option(
            "--fresh", is_flag=True, hidden=True, help="Do not use a checkpoint, and keep none."
        ),
        click.option("--search", is_flag=True, help="Search, also where the answer is stored."),
        options.output_option(
            "-o",
            "--output",
            checked=False,
            help="Store the result: a set of guesses, a certificate, or a tree, in the format of "
            "the suffix.",
        ),
        options.json_option,
    )


@dataclass(slots=True)
class SearchOutcome:
    """How a search ended.

    Attributes:
        interrupted: the user has stopped it.
        checkpoint: from which it can go on, if it is kept.
        ended: the search has; its checkpoint is kept until a proof is written.
        failure: why it could not go on, or its answer could not be stored.
        time: how long it took.
        seconds: processor time, that of earlier runs included where the checkpoint tells it.
    """

    interrupted: bool = False
    checkpoint: Checkpoint | None = None
    ended: bool = False
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

    def store(
        self,
        settings: SearchOptions,
        answer: Callable[[], bytes | Iterable[bytes]] | None,
        prove: Callable[[Report], Certificate[Any]] | None,
        document: dict[str, Any],
    ) -> None:
        """Write the answer and the proof, where there are such and files are named.

        What was looked up is written last: if its proof is interrupted, no file is in the way of
        the same command.
        """
        if not document["looked_up"]:
            self._write(settings.output, answer)
        if prove is not None and settings.certificate is not None:
            if not self.interrupted:
                self._store_proof(settings, prove, document)
            if self.interrupted and "certificate" not in document:
                tell("The certificate is not written.")
        if document["looked_up"] and not self.interrupted:
            self._write(settings.output, answer)

    def _write(
        self, path: Path | None, content: Callable[[], bytes | Iterable[bytes]] | None
    ) -> None:
        """Write a file, if it is named; a failure is noted."""
        if path is not None and content is not None:
            with self.noting():
                options.write_file(path, content())
                if self.checkpoint is not None:
                    self.checkpoint.note_output(path)

    def _store_proof(
        self,
        settings: SearchOptions,
        prove: Callable[[Report], Certificate[Any]],
        document: dict[str, Any],
    ) -> None:
        """Write a proof that the answer is best; the document gets the file and its length."""
        from pegwise.search.certificates.files import content

        path = settings.certificate

        def proof() -> bytes:
            title = tr("proof for {name}", name=document["rules"])
            with memory_allowed(settings.memory), progress_bar(title) as report:
                certificate = prove(report)
            length = "branchings" if isinstance(certificate.claim, ProvenSet) else "sets"
            written.update({"certificate": str(path), length: certificate.claim.sets})
            return content(certificate)

        written: dict[str, Any] = {}
        failure, self.failure = self.failure, None
        self._write(path, proof)
        if self.failure is None:
            self.failure = failure
            document.update(written)

    def finish(
        self,
        settings: SearchOptions,
        document: dict[str, Any],
        screen: Screen,
        blocks: Iterable[Block],
    ) -> None:
        """Print the answer, then end the command if something has stopped the search."""
        if self.ended and self.checkpoint and not (self.interrupted or self.failure):
            self.checkpoint.clear()
        if settings.as_json:
            options.print_json(document)
        else:
            if self.interrupted and self.checkpoint and not self.failure:
                tell_interrupted(document["rules"])
            elif self.interrupted:
                tell("Interrupted; no checkpoint is kept.")
            show(blocks, screen)
            if "certificate" in document:
                screen.tell(f"  {certificate_words(document)}")
        if self.failure is not None:
            raise self.failure
        if self.interrupted:
            sys.exit(exit_status())


_IN_USE: Final = Phrase(
    "another process of pegwise is using the checkpoint {path}: wait until it has ended, stop "
    "it, or give another --checkpoint or --fresh"
)


def run_search(
    search: Resumable[Answer],
    settings: SearchOptions,
    view: View[Any],
    *,
    enough: Callable[[], bool] = lambda: False,
) -> tuple[Answer, SearchOutcome]:
    """Search with a checkpoint; the answer, and how the search ended."""
    checkpoint = Checkpoint(settings.checkpoint or Checkpoint.default_path(search))
    if not settings.fresh:
        click.get_current_context().with_resource(locked(checkpoint.path, _IN_USE))
        message = checkpoint.resume(search)
        settings.check_output(checkpoint)
        if message:
            tell(sentence(message))
    else:
        settings.check_output()
    keep = settings.certificate is not None
    with timing() as taken:
        ended = go_through(
            search,
            view,
            checkpoint=None if settings.fresh else checkpoint,
            keep=keep,
            memory=settings.memory,
            enough=enough,
        )
        answer = search.result()
    ended.time, ended.seconds = taken, checkpoint.seconds
    ended.ended = not search.worth_storing
    if not settings.fresh and (keep or search.worth_storing):
        ended.checkpoint = checkpoint
    return answer, ended


def go_through(
    search: Resumable[Any],
    view: View[Any],
    *,
    checkpoint: Checkpoint | None = None,
    keep: bool = False,
    memory: int | None = None,
    enough: Callable[[], bool] = lambda: False,
) -> SearchOutcome:
    """Run a search to its end, or until the user, the disk or the memory stops it.

    It is stored in its checkpoint in any case. `enough` is asked after every step whether to leave.
    """
    ended = SearchOutcome()
    run = search.run if checkpoint is None else partial(checkpoint.run_open, search)
    try:
        with ended.noting(), memory_allowed(memory), view as show:
            run_until(run, lambda _step: enough(), show)
    finally:
        if checkpoint is not None:
            with ended.noting():
                checkpoint.leave(search, keep=keep)
    if search.finished:
        ended.interrupted = False
    return ended


def with_bound(step: Any, key: str = "value") -> Any:
    """A step of a search for something small that shows the best and what is proven."""
    best = getattr(step, key)
    words = tr("best {best}, at least {least}", best=best, least=step.lower_bound)
    return replace(step, best="" if best is None else words)


# `pegwise optimal`


@click.command(epilog="Example: pegwise optimal 4x6 --objective worst-total -o best.tree")
@options.rules_argument
@click.option(
    "--objective",
    type=click.Choice(["total", "worst", "worst-total", "fewest-at-worst", FEWEST]),
    default="total",
    show_default=True,
    help="total: smallest total. worst: smallest worst case. worst-total: smallest total with "
    "the smallest worst case. fewest-at-worst: smallest worst case, fewest codes that "
    "need it, then smallest total. total-fewest: smallest total, then fewest codes at the "
    "last guess, at the one before, and so on.",
)
@click.option(
    "--within",
    type=options.WholeNumber(1, 1000),
    metavar="N",
    help="Most codes found within N guesses, then the smallest total.",
)
@options.file_option(
    "--utility",
    hidden=True,
    help="Largest worth: FILE says what 1, 2, ... guesses are worth, a number a line.",
)
@click.option(
    "--against",
    hidden=True,
    metavar="TREE|STRATEGY",
    help="Most wins minus losses against a tree that looks for the same code; fewer guesses win.",
)
@click.option(
    "--max-guesses", type=options.WholeNumber(1, 1000), help="No secret may need more guesses."
)
@options.weights_option
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
    help="Find a good tree without proof: a number of stages, or a time such as 10m or 2h.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(options.TREE_FORMATS),
    help="Write the tree in this format instead of that of the suffix of -o.",
)
@options.notation_option
@search_options(
    options.output_option(
        "--certificate",
        checked=False,
        help="Store the tree with a proof that none is better; pegwise verify checks both.",
    ),
    options.cluster_option,
)
def optimal(
    rules: Game,
    objective: str,
    within: int | None,
    utility: Path | None,
    against: str | None,
    max_guesses: int | None,
    weights: Path | None,
    guesses: str,
    first: str | None,
    effort: str | None,
    form: str | None,
    cluster: str | None,
    notation: str | None,
    settings: SearchOptions,
) -> None:
    """The best tree of a board, with proof.

    Interrupted, it says what it has found so far and keeps a checkpoint: the same command
    continues the search.
    """
    screen = Screen(notation=notation)
    screen.use(Notation.of(rules), rules)
    if settings.output is not None:
        form = options.tree_format(settings.output, form)
    elif form is not None:
        raise InputError("--format is for -o FILE: give it too")
    goals = [goal for goal in (within, utility, against) if goal is not None]
    if len(goals) + (objective != "total") > 1:
        raise InputError(
            "--within, --utility, --against and --objective each say what is best: give one of them"
        )
    if settings.certificate is not None:
        if goals or objective not in PROVABLE:
            raise InputError("--certificate proves totals and worst cases only")
        if effort is not None or guesses != "all":
            raise InputError(
                "--certificate proves that no tree is better: give no --guesses and --effort"
            )
    restricted = weights or max_guesses or first or cluster or guesses != "all"
    shipped = None
    if not (restricted or effort is not None or goals or objective == "fewest-at-worst"):
        shipped = settings.look_up(ProvenTrees, rules)
    if stored := shipped is not None and objective != FEWEST:
        settings.check_output()
        claim, goal, ended = shipped.claim, None, SearchOutcome(seconds=shipped.seconds)
        best = claim.tree if objective == "total" else claim.limited
        tree: Tree | None = best
        least = best.worst if objective == "worst" else best.total
        proven, positions, seconds = True, claim.positions, shipped.seconds
    else:
        game = options.weighted_game(rules, weights)
        goal = _goal(game, rules, within, utility, against)
        limits: dict[str, Any] = {
            "max_guesses": max_guesses,
            "guesses": guesses,
            "first": None if first is None else game.guess_number(parse_code(first, rules)),
            "threads": settings.jobs,
            "task_folder": None if settings.fresh else PIECES.store().path,
        }
        start = None if shipped is None else shipped.claim.tree
        answer, ended = _search(game, goal or objective, start, effort, cluster, settings, limits)
        tree, least = answer.best, answer.lower_bound
        proven, positions = answer.proven, answer.positions
        seconds = round(ended.time.seconds, 3)
    document: dict[str, Any] = {
        "rules": str(rules),
        "objective": objective if goal is None else goal.name.partition(":")[0],
        "max_guesses": max_guesses,
        "guesses": guesses,
        **({} if first is None else {"begins_with": first}),
        "first": None if tree is None else str(tree.game.guess(int(tree.nodes.guess[0]))),
        "total": tree and tree.total,
        "mean": tree and tree.mean,
        "worst": tree and tree.worst,
        "histogram": tree and {str(k): n for k, n in enumerate(tree.histogram, 1)},
        "histogram_list": tree and tree.histogram,
        **({} if tree is None or goal is None else goal.figures(tree)),
        "proven": proven,
        "impossible": proven and tree is None,
        "lower_bound": least,
        "seconds": seconds,
        "positions": positions,
        "looked_up": stored,
    }
    prove = None
    if tree is not None and proven:
        prove = prover(tree, objective, ended, document)
    made = None if tree is None else lambda: tree_content(tree, form or "tree")
    ended.store(settings, made, prove, document)
    if settings.certificate is not None and prove is None:
        tell("No certificate is written yet: no tree is proven best.")

    taken = effort_words(positions, ended.time)
    if stored:
        taken = looked_up_words(seconds, proven=True)
    report = optimum_report(document, tree)
    ended.finish(settings, document, screen, [*report.blocks, Sentence(taken, item=True)])
    if document["impossible"]:
        sys.exit(NO)


def _search(
    game: Game,
    goal: Goal | str,
    start: Tree | None,
    effort: str | None,
    cluster: str | None,
    settings: SearchOptions,
    limits: dict[str, Any],
) -> tuple[Optimum, SearchOutcome]:
    """Search for a best tree, or with some effort for a good one; how the search ended."""
    from pegwise.search.beam.passes import Passes
    from pegwise.search.beam.search import BeamSearch
    from pegwise.search.exact.optimal import OptimalSearch
    from pegwise.search.exact.table import check_memory, search_memory

    options.check_memory(settings.memory, search_memory(game, beam=effort is not None), game.name)
    stages, patience = (None, None) if effort is None else parse_effort(effort)
    end = math.inf if patience is None else time.monotonic() + patience
    limits["where"] = options.cluster_at(cluster)
    search: OptimalSearch | BeamSearch
    view: View[Any]
    by_passes = isinstance(goal, Goal) or (goal == "total" and game.requirements is not None)
    if effort is None or by_passes:
        try:
            if effort is not None:
                search = Passes(game, objective=goal, passes=stages or 0, **limits)
            else:
                search = OptimalSearch(game, objective=goal, start=start, **limits)
        except TooLargeError as error:
            try:
                check_memory(game)  # of the search that is advised
            except TooLargeError:
                raise error from None
            raise TooLargeError(
                "{error}; --effort 10 finds a good tree without proof", error=error
            ) from None
        view = progress_bar(game.name, with_bound)
    elif goal != "total":
        raise InputError(
            "--effort finds small totals only: leave out --objective {objective}, or give "
            "--max-guesses",
            objective=goal,
        )
    else:
        search = BeamSearch(game, stages=stages, **limits)
        view = _stages_view(search)
    answer, ended = run_search(search, settings, view, enough=lambda: time.monotonic() >= end)
    if isinstance(search, BeamSearch):
        if search.finished and ended.failure is None:
            search.forget()
    elif limits["guesses"] == "all" and limits["max_guesses"] is None and limits["first"] is None:
        keep(game, answer)
    return answer, ended


def _goal(
    game: Game,
    rules: Game,
    guesses: int | None,
    worths: Path | None,
    rival: str | None,
) -> Goal | None:
    """The goal that options ask for, None where it is an objective of the search itself."""
    if guesses is None and worths is None and rival is None:
        return None
    from pegwise.search.exact.goals import against, read_worths, utility, within

    if guesses is not None:
        return within(game, guesses)
    if worths is not None:
        return utility(game, read_worths(worths))
    text = rival or ""
    if Path(text).is_file():
        return against(game, read_tree(Path(text), rules).tree.depths)
    with progress_bar(text) as report:
        tree = build(game, options.parse_strategy(text, 0), report=report)
    return against(game, tree.depths)


def prover(
    tree: Tree, objective: str, ended: SearchOutcome, document: dict[str, Any]
) -> Callable[[Report], Certificate[ProvenOptimum]]:
    """A function that makes the proof that no tree is better."""

    def prove(report: Report) -> Certificate[ProvenOptimum]:
        from pegwise.search.exact.proof import prove_bound

        with timing() as taken:
            goal = "total" if objective == FEWEST else objective
            first = int(tree.nodes.guess[0]) if "begins_with" in document else None
            limit = document.get("max_guesses")
            claim = prove_bound(tree, goal, limit, first=first, report=report)
        claim = replace(claim, positions=document["positions"])
        return certify(claim, ended.seconds + taken.seconds)

    return prove


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
        effort=quoted(text),
    )


@contextmanager
def _stages_view(search: BeamSearch) -> Iterator[Callable[[BeamProgress], None]]:
    """Tell the best total after every stage; at a terminal, show the progress of this one too."""
    stage = search.stage
    begun = time.monotonic()
    with progress_bar(search.game.name, with_bound) as show:

        def show_and_tell(step: BeamProgress) -> None:
            nonlocal stage
            if step.stage > stage and step.value is not None:
                tell(
                    "stage {stage}: best {best}, after {time}",
                    stage=step.stage - 1,
                    best=step.value,
                    time=duration(time.monotonic() - begun),
                )
            stage = step.stage
            show(step)

        yield show_and_tell
