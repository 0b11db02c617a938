"""`pegwise serve`: the web site."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from pegwise.cli import options
from pegwise.cli.signals import ignore
from pegwise.cli.terminal import say
from pegwise.errors import InputError, MissingExtraError, quoted, system_reason
from pegwise.i18n import translated

if TYPE_CHECKING:
    import uvicorn

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
    help="Offer these strategies too, on the pages Race, Tree and Decode; may be repeated.",
)
@click.option(
    "--games",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Offer the games in the Python files of this folder, on the pages Play, Decode, Race and "
    "Tree.",
)
def serve(host: str, port: int, strategies: tuple[str, ...], games: Path | None) -> None:
    """Serve the web site: play, decode, review, race and explore in a browser.

    It needs no network and no account. Games and results are kept among your data (PEGWISE_HOME),
    or in PostgreSQL (PEGWISE_DATABASE_URL). Ctrl-C stops it; everything that was played is kept.

    Files of --strategies run for every visitor, in processes with limits and with your rights.
    The files of --games are run once, when the server starts.
    """
    try:
        import uvicorn

        import_module("pegwise.web.worker_imports").import_for_workers()
        application = import_module(f"{_WEB}.app")
        connections = import_module(f"{_WEB}.connections")
        settings = import_module(f"{_WEB}.settings").Settings
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "pegwise":
            raise
        raise MissingExtraError.of("pegwise serve", "web") from None
    connections.allow_connections()
    with _listening(host, port) as listener:
        if games is not None:
            os.environ["PEGWISE_GAMES"] = str(games.absolute())
        app = application.create_app(settings.from_environment(strategies))
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listener.getsockname()[1]}"
        if offers := app.state.offers:
            say("Strategies besides: {names}", names=", ".join(each.card.id for each in offers))
        for problem in filter(None, (each.problem for each in offers)):
            click.echo(translated(problem))
        if loaded := [name for name, problem in app.state.games.items() if problem is None]:
            say("Games besides: {names}", names=", ".join(loaded))
        for problem in filter(None, app.state.games.values()):
            click.echo(translated(problem))
        say("pegwise is at {address} (Ctrl-C stops it)", address=address)
        config = uvicorn.Config(
            app,
            http=connections.limited_protocol(app.state.services.settings),
            log_level="warning",
            access_log=False,
            timeout_graceful_shutdown=10,
        )
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            close_questions = app.state.services.close_questions
            runner.run(_serve(uvicorn.Server(config), listener, close_questions))
        ignore()  # the event loop has given up its handlers, and the server has ended


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """What makes a loop of uvloop, which the extra installs but on Windows; None elsewhere."""
    try:
        from uvloop import new_event_loop
    except ImportError:
        return None
    return new_event_loop


async def _serve(
    server: uvicorn.Server, listener: socket.socket, close_questions: Callable[[], None]
) -> None:
    """Serve until the system asks to stop, which is no error."""
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
