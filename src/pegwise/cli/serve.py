"""`pegwise serve`: the web face."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Final

import click

from pegwise.cli.options import WholeNumber
from pegwise.errors import InputError, MissingExtraError, quoted, system_reason
from pegwise.i18n import tr

if TYPE_CHECKING:
    import uvicorn
_APPLICATION: Final = "pegwise.web.app"
_GRACE: Final = 3
"""Seconds that requests have to end when the server stops."""


@click.command(epilog="Example: pegwise serve --port 8080")
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="ADDRESS",
    help="Where to listen; 0.0.0.0 lets other machines in.",
)
@click.option(
    "--port",
    type=WholeNumber(0, 65535),
    default=8000,
    show_default=True,
    help="Which port; 0 for any that is free.",
)
def serve(host: str, port: int) -> None:
    """Serve the web face: play, decode, review, race and explore in a browser.

    It needs no network and no account. Games and results are kept among your data (PEGWISE_HOME),
    or in PostgreSQL (PEGWISE_DATABASE_URL). Ctrl-C stops it; whatever was played is kept.
    """
    try:
        import uvicorn

        application = import_module(_APPLICATION)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "pegwise":
            raise
        raise MissingExtraError.of("pegwise serve", "web") from None
    with _listening(host, port) as listener:
        app = application.create_app()
        shown = f"[{host}]" if ":" in host else host
        address = f"http://{shown}:{listener.getsockname()[1]}"
        click.echo(tr("pegwise is at {address} (Ctrl-C stops it)", address=address))
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, timeout_graceful_shutdown=_GRACE
        )
        with asyncio.Runner(loop_factory=config.get_loop_factory()) as runner:
            runner.run(_serve(uvicorn.Server(config), listener))


async def _serve(server: uvicorn.Server, listener: socket.socket) -> None:
    """Serve until the system asks to stop, which is no error."""
    loop = asyncio.get_running_loop()

    def stop() -> None:
        server.should_exit = True

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)
    server.capture_signals = contextlib.nullcontext  # type: ignore[assignment,method-assign]
    await server.serve([listener])


@contextlib.contextmanager
def _listening(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that listens.

    Raises:
        InputError: there is no such address here, or the port is taken.
    """
    where = f"{host}:{port}"
    try:
        (family, kind, protocol, _, address), *_ = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, UnicodeError) as error:
        why = system_reason(error) if isinstance(error, OSError) else error
        raise InputError("cannot listen at {where}: {why}", where=quoted(where), why=why) from None
    with socket.socket(family, kind, protocol) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(address)
            listener.listen(1024)
        except OSError as error:
            raise InputError(
                "cannot listen at {where}: {reason}; choose another --port or --host",
                where=quoted(where),
                reason=system_reason(error),
            ) from None
        yield listener
