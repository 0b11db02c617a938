"""The database: SQLite in the user's data directory, or PostgreSQL by its URL."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeVar

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import Session, sessionmaker

from pegwise.errors import InputError, OutputError, PegwiseError, Phrase, quoted, system_reason
from pegwise.web.settings import Settings

__all__ = ["Storage", "database_url"]

Answer = TypeVar("Answer")

_MIGRATIONS: Final = Path(__file__).parent / "migrations"
_FILE: Final = "web.sqlite"
_PATIENCE: Final = 15.0
"""Seconds to wait for another process that writes, or for a server that does not answer."""

_CONNECTIONS: Final = 16
_FORM: Final = Phrase("write postgresql://USER:PASSWORD@HOST/NAME or sqlite:///FILE")


class Storage:
    """The database, brought to its newest form.

    Every transaction is complete or not at all. What was committed survives the end of this
    process, however it ends.

    Args:
        settings: where the database is.
        newest: whether it is known to be in its newest form already, so that nobody need look.

    Raises:
        InputError: the URL cannot be understood, or there is no such server or database.
        OutputError: the directory or file cannot be written.
    """

    def __init__(self, settings: Settings, *, newest: bool = False) -> None:
        self.url = database_url(settings)
        self.engine = _engine(self.url)
        # one writer at a time: SQLite would make the others sleep and try again
        self._turn = Lock() if self._is_sqlite else nullcontext()
        self._readers = sessionmaker(self.engine, expire_on_commit=False)
        writing = self.engine.execution_options(pegwise_begin="BEGIN IMMEDIATE")
        self._writers = sessionmaker(writing, expire_on_commit=False)
        threads = 1 if self._is_sqlite else _CONNECTIONS
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="storage")
        try:
            if not newest:
                _migrate(self.engine)
        except DBAPIError as error:
            raise self._unusable(error.orig or error) from None
        except (CommandError, SQLAlchemyError) as error:
            raise self._unusable(error) from None

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session that sees the database as it was at one moment."""
        with self._readers() as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session that is committed at its end, or undone if an error leaves it."""
        with self._turn, self._writers() as session, session.begin():
            yield session

    async def do(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """What a function returns for this storage and these arguments, apart from the event loop.

        SQLite has one writer at a time, so that one thread is enough: requests wait their turn.
        """
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, function, self, *arguments)

    def close(self) -> None:
        """End all connections."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        self.engine.dispose()

    @property
    def _is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    def _unusable(self, error: Any) -> PegwiseError:
        why = re.sub(r"\s+", " ", str(error)).strip().rstrip(".")
        if self._is_sqlite:
            return OutputError(
                "cannot use the database {database}: {why}",
                database=quoted(self.url.database),
                why=why,
            )
        shown = self.url.render_as_string(hide_password=True)
        return InputError("cannot use the database {shown}: {why}", shown=quoted(shown), why=why)


def database_url(settings: Settings) -> URL:
    """Where the database is; the directory of a SQLite file is made.

    Raises:
        InputError: the URL cannot be understood, or is of another kind of database.
        OutputError: the directory cannot be made.
    """
    if not settings.database_url:
        try:
            settings.home.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise OutputError(
                "cannot make the directory {home}: {reason}; name another one by PEGWISE_HOME",
                home=quoted(str(settings.home)),
                reason=system_reason(error),
            ) from None
        return URL.create("sqlite+pysqlite", database=str(settings.home / _FILE))
    text = settings.database_url
    try:
        url = make_url(text)
        kind = url.get_backend_name()
    except (ArgumentError, ValueError):
        raise InputError(
            "cannot read PEGWISE_DATABASE_URL {masked}: {form}",
            masked=_masked(text),
            form=_FORM,
        ) from None
    if kind in {"postgres", "postgresql"}:
        return url.set(drivername="postgresql+psycopg")
    if kind == "sqlite" and url.database and url.database != ":memory:":
        return url.set(drivername="sqlite+pysqlite")
    raise InputError(
        "PEGWISE_DATABASE_URL {masked} is no database for pegwise: {form}",
        masked=_masked(text),
        form=_FORM,
    )


def _masked(text: str) -> str:
    """A URL as it is quoted, without a password."""
    return quoted(re.sub(r"(//[^/:@]*):[^/@]*@", r"\1:***@", text))


def _engine(url: URL) -> Engine:
    options: dict[str, Any] = {"pool_size": _CONNECTIONS, "max_overflow": 0}
    if url.get_backend_name() == "sqlite":
        engine = create_engine(url, connect_args={"timeout": _PATIENCE}, **options)
        event.listen(engine, "connect", _prepare_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    try:
        return create_engine(
            url,
            connect_args={"connect_timeout": int(_PATIENCE)},
            pool_pre_ping=True,
            pool_recycle=1800,
            **options,
        )
    except NoSuchModuleError as error:
        raise InputError(str(error)) from None


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # transactions begin where `_begin_sqlite` says
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _begin_sqlite(connection: Any) -> None:
    """Begin a transaction; one that will write takes its turn now, not in the middle."""
    begin = connection.get_execution_options().get("pegwise_begin", "BEGIN")
    connection.exec_driver_sql(begin)


def _migrate(engine: Engine) -> None:
    """Bring the database to its newest form; of several processes, one does it."""
    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    with engine.execution_options(pegwise_begin="BEGIN IMMEDIATE").begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7349733)")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
