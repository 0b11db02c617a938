"""This machine: its speed, what races would take on it, its lists of words, its web site."""

from __future__ import annotations

import json
import math
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
import numpy as np

from pegwise._version import __version__
from pegwise.cli import options
from pegwise.cli.progress import progress_bar
from pegwise.cli.signals import ignore
from pegwise.cli.terminal import align, paragraph, say, tell
from pegwise.compute.machine import cores
from pegwise.errors import (
    DataFileError,
    InputError,
    MissingExtraError,
    Phrase,
    quoted,
    system_reason,
)
from pegwise.game import Rules, WordList, mastermind
from pegwise.game.game import MAX_LISTED
from pegwise.i18n import figure, tr, translated, trn
from pegwise.progress import Progress

if TYPE_CHECKING:
    import socket

    import uvicorn

    from pegwise.strategies import Strategy

BOARDS: Final = ("4x6", "4x10,distinct", "5x8")
LARGE: Final = "6x9"
STRATEGIES: Final = ("knuth", "irving", "entropy", "parts")
SET_SIZES: Final = (16, 64, 256, 1024, 4096)

COMMANDS: Final = (
    *("solve 4x6 -s knuth --secret BEEF", "race 4x6 -s knuth", "race 4x6 -s first"),
    *("tree 4x6 -s knuth", "bounds 4x6", "optimal 4x6", "value 4x4", "static 4x4"),
    *("candidates 4x6 AABB=XO", "race 4x6", "tree 5x5 -s entropy", "tree 5x8 -s knuth"),
    "optimal 4x6 --search",
)

Row = dict[str, Any]


@click.command(epilog="Example: pegwise bench -o bench.json")
@click.option("--large", is_flag=True, help="Trees of 6x9 too: some minutes.")
@click.option("--cold", is_flag=True, help="Commands with no compiled kernels, and later.")
@options.output_option("-o", "--output", help="Write the rows as JSON.")
@options.json_option
def bench(large: bool, cold: bool, output: Path | None, as_json: bool) -> None:
    """Measure the speed of this machine.

    Complete trees of the one-step strategies, one choice by number of candidates, and whole
    processes. Times are medians of warm runs; other work on the machine shows in them. With --cold:
    whole processes on a machine that has never compiled anything, beside later ones.
    """
    boards = (*BOARDS, LARGE) if large else BOARDS
    expected = 2 * len(boards) * len(STRATEGIES) + len(SET_SIZES) + 2
    parts = [trees(boards), pairs(), startup()]
    if cold:
        parts, expected = [first_runs()], len(COMMANDS)
    rows: list[Row] = []
    with progress_bar(tr("measuring")) as report:
        for part in parts:
            for row in part:
                rows.append(row)
                report(Progress(len(rows), expected, "rows"))
    document = {**machine(), "rows": rows}
    if output is not None:
        text = json.dumps(document, indent=1, ensure_ascii=False) + "\n"
        options.write_file(output, text.encode())
    if as_json:
        options.print_json(document)
        return
    click.echo(", ".join(f"{key} {value}" for key, value in machine().items()))
    for row in rows:
        click.echo(line(row))
    if output is not None:
        tell("written: {path}", path=output)


def measure(work: Callable[[], object], *, seconds: float = 1.5, most: int = 101) -> list[float]:
    """Seconds of each run, after one that is not counted; at least three."""
    work()
    runs: list[float] = []
    begun = time.perf_counter()
    while len(runs) < 3 or (len(runs) < most and time.perf_counter() - begun < seconds):
        start = time.perf_counter()
        work()
        runs.append(time.perf_counter() - start)
    return runs


def _row(what: str, runs: list[float], **values: Any) -> Row:
    """A row with the median of some runs, and the shortest of them."""
    times = {"seconds": statistics.median(runs), "least": min(runs), "runs": len(runs)}
    return {"what": what, **values, **times}


def trees(boards: tuple[str, ...]) -> Iterator[Row]:
    """Complete trees of the one-step strategies, on one thread and on two."""
    from pegwise.strategies import load
    from pegwise.trees import build

    for board in boards:
        game = mastermind(board)
        for name in STRATEGIES:
            strategy = load(name)
            about = {"rules": board, "strategy": name, "total": build(strategy, game).total}
            for threads in (1, 2):
                runs = measure(partial(build, strategy, game, threads=threads))
                yield _row(Phrase("tree"), runs, threads=threads, **about)


def pairs() -> Iterator[Row]:
    """One choice among all guesses of 5x8 by set size: nanoseconds per (guess, candidate)."""
    from pegwise.strategies.one_step import Entropy

    game = mastermind("5x8")
    strategy = Entropy()
    generator = np.random.default_rng(0)
    for size in SET_SIZES:
        chosen = np.sort(generator.choice(game.n_secrets, size, replace=False)).astype(np.int32)
        # three turns played: no symmetry is left to help
        turns = ((0, 1, 2, 3, 4), (5, 6, 7, 0, 1), (2, 2, 3, 5, 7))
        history = tuple((game.guess_number(code), 0) for code in turns)
        runs = measure(partial(strategy.choose, game, chosen, history))
        row = _row(Phrase("choice"), runs, rules="5x8", strategy="entropy", candidates=size)
        pair = row["seconds"] * 1e9 / (game.n_guesses * size)
        yield {**row, "nanoseconds_per_pair": pair}


def startup() -> Iterator[Row]:
    """Whole processes."""
    race = ["race", "4x6", *(word for name in STRATEGIES for word in ("-s", name)), "--json"]
    for what, command in ((Phrase("race 4x6"), race), ("--help", ["--help"])):
        yield _row(what, [_process(command, {}) for _ in range(5)])


def first_runs() -> Iterator[Row]:
    """Each command where nothing was compiled or stored before, and the same again."""
    for command in COMMANDS:
        with tempfile.TemporaryDirectory(prefix="pegwise-bench-") as empty:
            folders = {"NUMBA_CACHE_DIR": empty, "PEGWISE_HOME": empty}
            first = _process(command.split(), folders)
            runs = [_process(command.split(), folders) for _ in range(3)]
            yield _row(command, runs, first=first)


def _process(command: list[str], environment: dict[str, str]) -> float:
    """Seconds that a command of ours takes as a process of its own."""
    start = time.perf_counter()
    subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "pegwise", *command],
        env=os.environ | environment,
        check=True,
        capture_output=True,
    )
    return time.perf_counter() - start


def machine() -> Row:
    """What was measured, on what, when."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return {
        "pegwise": __version__,
        "date": datetime.now(UTC).date().isoformat(),
        "processor": names[0] if names else platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numba": version("numba"),
        "numpy": version("numpy"),
    }


def line(row: Row) -> str:
    """A row as a line of the table."""
    seconds, name, note = row["seconds"], tr(row["what"]), ""
    time = f"{figure(seconds * 1000, '9.2f')} ms"
    if seconds >= 1:
        time = f"{figure(seconds, '9.2f')} s "
    if row["what"] == "tree":
        size = trn("{n} thread", "{n} threads", row["threads"])
        note = "   " + tr("{n} guesses in all", n=row["total"])
    elif row["what"] == "choice":
        size = tr("{n} candidates", n=row["candidates"])
        note = "   " + tr("{x:.3f} ns per pair", x=row["nanoseconds_per_pair"])
    elif "first" in row:
        later = row["first"] - seconds
        note = tr("   first {first:.2f} s, {later:.2f} s more", first=row["first"], later=later)
    if "rules" in row:
        name = f"{name:<6} {row['rules']:<14} {row['strategy']:<8} {size}"
    return f"{name:<44}{time}{note}"


# `pegwise compile`


@click.command(epilog="Example: pegwise compile")
def compile() -> None:  # noqa: A001
    """Compile all kernels now, so that no later command does.

    Small games need none; proofs and larger boards do. All processors are used.
    """
    from pegwise.kernels.cache import machine_code
    from pegwise.search.kernels import compile_kernels

    with progress_bar(tr("compiling")) as report:
        compile_kernels(cores(), report=report)
    say("All kernels are compiled: {path}", path=str(machine_code()))


# `pegwise race --dry-run`


def show_forecast(
    rules: Rules, strategies: Sequence[Strategy], resources: options.Resources, *, as_json: bool
) -> None:
    """Show time and memory of whole trees, by all measured strategies if none is named."""
    from pegwise.arena.forecast import forecast, memory_of

    options.check_memory(resources.memory, memory_of(rules), rules)
    n_cores = min(resources.jobs or cores(), cores())
    names = [strategy.card.id for strategy in strategies]
    document = forecast(rules, names, n_cores=n_cores)
    if as_json:
        options.print_json(document)
        return
    jobs = resources.jobs
    local = tr("here, --jobs {n}", n=jobs) if jobs else tr("all {n} cores here", n=n_cores)
    first, *notes = _forecast_lines(document)
    click.echo(paragraph(first, "", "  "))
    rows = document["strategies"]
    heads = [tr("strategy"), tr("one core"), local]
    heads += [tr("{n} workers", n=n) for n in rows[0]["workers"]]
    cells = [
        [row["strategy"], *map(_seconds, (row["seconds"], row["here"], *row["workers"].values()))]
        for row in rows
    ]
    table = ["  ".join(line) for line in align([heads, *cells], [0])]
    if len(table[0]) + 2 > shutil.get_terminal_size().columns:  # the times below each other
        table = []
        for name, *times in cells:
            pairs = zip(heads[1:], times, strict=True)
            table += [name, *(f"  {head}: {seconds}" for head, seconds in pairs)]
    click.echo("\n".join(table))
    for note in notes:
        click.echo(paragraph(note, "", "  "))


def _forecast_lines(document: dict[str, Any]) -> Iterator[str]:
    """The document in prose: the board first."""
    gibibytes = {key: _gib(document[key] or 0) for key in ("memory", "free")}
    yield tr("{rules}: {n:,} secrets; nothing is played", n=document["secrets"], **document)
    yield tr("memory: {n} GiB, and at most as much for each worker", n=gibibytes["memory"])
    if not document["enough"]:
        yield tr(
            "this machine has {free} GiB free, which is not enough: take one with {n} GiB",
            free=gibibytes["free"],
            n=_gib(document["memory"] + 2**30),
        )
    elif document["free"] is not None:
        yield tr("this machine has {free} GiB free, which is enough", free=gibibytes["free"])
    if not document["listed"]:
        yield tr(
            "boards of more than {most:,} codes are not listed: draw games instead (--games N)",
            most=MAX_LISTED,
        )
    yield tr(
        "from boards measured on {date}; this machine takes {factor} times as long",
        date=document["measured"],
        factor=figure(document["factor"], ".2f"),
    )
    for check in document["checks"]:
        yield tr(
            "{rules}: measured {seconds}, estimated from smaller boards {predicted}",
            rules=check["rules"],
            seconds=_seconds(check["seconds"]),
            predicted=_seconds(check["foretold"]),
        )
    yield tr(
        "the estimates of measured boards from smaller ones were right within a factor of {factor}",
        factor=figure(math.ceil(document["within"] * 10) / 10, ".1f"),
    )
    if not document["pegs_measured"]:
        yield tr("no board of so many pegs was measured: it may be many times more or less")


def _seconds(seconds: float) -> str:
    """A time of two figures: more would promise too much."""
    for size, unit in ((86_400, tr("d")), (3_600, tr("h")), (60, tr("min"))):
        if seconds >= 2 * size:
            return f"{_rounded(seconds / size)} {unit}"
    if seconds < 0.001:
        return tr("under 1 ms")
    return f"{_rounded(1000 * seconds)} ms" if seconds < 1 else f"{_rounded(seconds)} s"


def _rounded(value: float) -> str:
    return figure(value, ".2g" if value < 99 else ",.0f")


def _gib(size: int) -> str:
    return figure(size / 2**30, ",.1f")


# `pegwise words`


@click.command(epilog="Example: pegwise words add animals animals.txt")
@click.argument("action", type=click.Choice(["list", "add", "remove"]), default="list")
@click.argument("name", required=False, metavar="[NAME]")
@click.argument("file", type=options.A_FILE, required=False, metavar="[FILE]")
@options.also_option("--guesses")
@options.length_option()
@options.force_option
@options.json_option
def words(
    action: str,
    name: str | None,
    file: Path | None,
    also: Path | None,
    length: int | None,
    as_json: bool,
) -> None:
    """List the lists of words, add one, or remove one.

    A list is a text file of words of one length, set apart by blanks, commas or line ends; what
    follows # does not count. FILE may be - for standard input, or english or french for the words
    of the system. The name of the list then stands wherever rules do: pegwise play animals,placed.
    """
    from pegwise.game.words import add_words, find_words, installed_words, remove_words

    if action == "add":
        if name is None or file is None:
            raise InputError("say what to add: pegwise words add NAME FILE")
        lists = [options.read_list(file, also, name, length=length)]
        if name in installed_words() and not _is_installed(lists[0]):
            options.check_replaced(repr(name))
        path = add_words(lists[0])
    elif action == "remove":
        if name is None:
            raise InputError("say what to remove: pegwise words remove NAME")
        remove_words(name)
        lists = []
    else:
        lists = [listed for each in installed_words() if (listed := find_words(each))]
    documents: list[dict[str, Any]] = [
        {
            "name": each.name,
            "digest": each.digest,
            "letters": each.n_letters,
            "words": len(each.secrets),
            "guesses": len(each.guesses),
        }
        for each in lists
    ]
    if as_json:
        options.print_json({"lists": documents})
    elif action == "add":
        say("Added; play with: {command}", command=f"pegwise play {name},placed")
        say("The list is kept in {path}.", path=repr(str(path)))
    elif action == "remove":
        say("The list {name} is removed.", name=name)
    else:
        rows = [[tr("name"), tr("digest"), tr("letters"), tr("words"), tr("guesses")]]
        for document in documents:
            name, digest, *sizes = document.values()
            rows.append([name, digest, *(figure(size, ",") for size in sizes)])
        click.echo("\n".join("  ".join(cells).rstrip() for cells in align(rows, (0, 1))))


def _is_installed(words: WordList) -> bool:
    """Whether this list is the installed one of its name; one that is damaged is not."""
    from pegwise.game.words import find_words

    try:
        installed = find_words(words.name)
    except DataFileError:
        return False
    return installed is not None and installed.digest == words.digest


# `pegwise serve`

_WEB: Final = "pegwise.web"

_GRACE_SECONDS: Final = 2.0  # in which questions may end when the server stops


@click.command(epilog="Example: pegwise serve --port 8080")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="The address to listen at; 0.0.0.0 lets other machines connect.",
)
@click.option(
    "--port",
    type=options.WholeNumber(0, 65535),
    default=8000,
    show_default=True,
    help="The port; 0 for any free one.",
)
@click.option(
    "--strategies",
    multiple=True,
    metavar="FILE.py|FOLDER/|program:COMMAND",
    help="Let these race too, on the pages Race, Tree and Decode; may be repeated.",
)
def serve(host: str, port: int, strategies: tuple[str, ...]) -> None:
    """Serve the web site: play, decode, review, race and explore in a browser.

    It needs no network and no account. Games and results are kept among your data (PEGWISE_HOME),
    or in PostgreSQL (PEGWISE_DATABASE_URL). Ctrl-C stops it; whatever was played is kept.

    What --strategies names is run for every visitor, in processes with limits and with your rights.
    """
    import asyncio
    from importlib import import_module

    try:
        import uvicorn

        import_module("pegwise.web.preload").import_for_workers()
        application = import_module(f"{_WEB}.app")
        connections = import_module(f"{_WEB}.connections")
        settings = import_module(f"{_WEB}.settings").Settings
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "pegwise":
            raise
        raise MissingExtraError.of("pegwise serve", "web") from None
    with _listening(host, port) as listener:
        app = application.create_app(settings.from_environment(strategies))
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listener.getsockname()[1]}"
        if offers := app.state.offers:
            say("Strategies besides: {names}", names=", ".join(each.card.id for each in offers))
        for problem in filter(None, (each.problem for each in offers)):
            click.echo(translated(problem))
        say("pegwise is at {address} (Ctrl-C stops it)", address=address)
        config = uvicorn.Config(
            app,
            http=connections.limited_protocol(app.state.services.settings),
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=10,
        )
        with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
            close_questions = app.state.services.close_questions
            runner.run(_serve(uvicorn.Server(config), listener, close_questions))
        ignore()  # the event loop has given up its handlers, and the server has ended


async def _serve(
    server: uvicorn.Server, listener: socket.socket, close_questions: Callable[[], None]
) -> None:
    """Serve until the system asks to stop, which is no error."""
    import asyncio
    import contextlib
    import signal

    loop = asyncio.get_running_loop()
    timers: list[asyncio.TimerHandle] = []

    def stop() -> None:
        server.should_exit = True
        timers.append(loop.call_later(_GRACE_SECONDS, loop.run_in_executor, None, close_questions))

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    server.capture_signals = contextlib.nullcontext  # type: ignore[assignment,method-assign]
    await server.serve([listener])
    for timer in timers:
        timer.cancel()


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens, or InputError."""
    import socket

    try:
        (family, kind, protocol, _, address), *_ = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(1024)
        return listener
    except (OSError, UnicodeError) as error:
        raise InputError(
            "cannot listen at {where}: {reason}; choose another --port or --host",
            where=quoted(f"{host}:{port}"),
            reason=system_reason(error) if isinstance(error, OSError) else error,
        ) from None
