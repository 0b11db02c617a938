"""The database: its tables, and where it is: a file of SQLite, or PostgreSQL by its URL.

A database that an earlier version has written gets the tables and columns that it lacks.
"""

from __future__ import annotations

import asyncio
import os
import re
import secrets
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from contextvars import copy_context
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, ClassVar, Final, TypeVar

from sqlalchemy import (
    URL,
    BigInteger,
    Column,
    Dialect,
    Engine,
    Float,
    ForeignKey,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    delete,
    event,
    insert,
    inspect,
    make_url,
    select,
    text,
)
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.orm import (
    DeclarativeBase,
    Mapped,
    Session,
    mapped_column,
    relationship,
    sessionmaker,
)
from sqlalchemy.schema import CreateColumn
from sqlalchemy.types import DateTime, TypeDecorator

from pegwise.arena.games import DAMAGED
from pegwise.errors import DamagedError, InputError, OutputError, PegwiseError, Phrase, quoted
from pegwise.game import WordList
from pegwise.kept import Kept, digest_of
from pegwise.paths import Block, make_home
from pegwise.web.settings import Settings

Answer = TypeVar("Answer")

_FILE: Final = "web.sqlite"
_PRIVATE: Final = 0o600
_PATIENCE: Final = 15  # seconds to wait for another writer, or for a server that does not answer
_CONNECTIONS: Final = 16  # to a server; SQLite has one writer
_FORM: Final = Phrase("write postgresql://USER:PASSWORD@HOST/NAME or sqlite:///FILE")


class NotFoundError(PegwiseError):
    """Nothing has the name that a request gives."""

    status = 404


class NotYoursError(PegwiseError):
    """Only the visitor who began a game or a race may play, steer or delete it."""

    status = 403

    @classmethod
    def unless(cls, player: str | None, owner: str | None) -> None:
        """Refuse a visitor who is not the owner."""
        if owner is None or owner != player:
            raise NotYoursError("this belongs to another visitor; only that visitor can change it")


class ConflictError(PegwiseError):
    """The state of a game, a room or a job does not allow the request."""

    status = 409


class BusyError(PegwiseError):
    """Too much waits to be computed, of all clients or of this one; after `seconds` try again."""

    status = 429

    def __init__(self, template: str = "", /, *, seconds: int = 5, **values: object) -> None:
        super().__init__(template, **values)
        self.headers = {"retry-after": str(seconds)}


class Storage:
    """The database, brought to its newest form.

    Every transaction is complete or not at all. What was committed survives the end of this
    process, however it ends.
    """

    def __init__(self, settings: Settings) -> None:
        self.url = database_url(settings)
        self._is_sqlite = self.url.get_backend_name() == "sqlite"
        if self._is_sqlite and self.url.database:
            _keep_private(Path(self.url.database), ours=not settings.database_url)
        self.engine = create_engine(
            self.url,
            connect_args={"timeout" if self._is_sqlite else "connect_timeout": _PATIENCE},
            pool_size=_CONNECTIONS,
            max_overflow=0,
            pool_pre_ping=not self._is_sqlite,  # a server may have ended connections
            pool_recycle=1800,
        )
        if self._is_sqlite:
            event.listen(self.engine, "connect", _prepare_sqlite)
            event.listen(self.engine, "begin", _begin_sqlite)
        # one writer at a time: SQLite would make the others sleep and try again
        self._turn = Lock() if self._is_sqlite else nullcontext()
        self.read = sessionmaker(self.engine, expire_on_commit=False)
        """A session that sees the database as it was at one moment; to be closed."""
        writing = self.engine.execution_options(pegwise_begin="BEGIN IMMEDIATE")
        self._writers = sessionmaker(writing, expire_on_commit=False)
        threads = 1 if self._is_sqlite else _CONNECTIONS
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="storage")
        try:
            _migrate(self.engine)
        except (SQLAlchemyError, UnicodeError) as error:  # names in a damaged file are no text
            raise self._unusable(getattr(error, "orig", None) or error) from None

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session that is committed at its end, or undone if an error leaves it."""
        with self._turn, self._writers() as session, session.begin():
            yield session

    async def do(self, function: Callable[..., Answer], *arguments: Any) -> Answer:
        """Call a function with this storage and these arguments, apart from the event loop.

        SQLite has one writer at a time, so that one thread is enough: requests wait their turn.
        """
        loop = asyncio.get_running_loop()
        run = copy_context().run  # what the request has set holds there too
        return await loop.run_in_executor(self._threads, run, function, self, *arguments)

    def close(self) -> None:
        """End all connections."""
        self._threads.shutdown(wait=True, cancel_futures=True)
        self.engine.dispose()

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
    """Where the database is; the directory of a SQLite file is made."""
    if not settings.database_url:
        make_home(settings.home)
        return URL.create("sqlite+pysqlite", database=str(settings.home / _FILE))
    text = settings.database_url
    try:
        url = make_url(text)
        kind = url.get_backend_name()
    except (ArgumentError, ValueError):
        raise InputError(
            "cannot read PEGWISE_DATABASE_URL {masked}: {form}", masked=_masked(text), form=_FORM
        ) from None
    if kind in {"postgres", "postgresql"}:
        return url.set(drivername="postgresql+psycopg")
    if kind == "sqlite" and url.database and url.database != ":memory:":
        return url.set(drivername="sqlite+pysqlite")
    raise InputError(
        "PEGWISE_DATABASE_URL {masked} is not a database for pegwise: {form}",
        masked=_masked(text),
        form=_FORM,
    )


def _masked(text: str) -> str:
    """A URL as it is quoted, without a password."""
    return quoted(re.sub(r"(//[^/:@]*):[^/@]*@", r"\1:***@", text))


def _keep_private(path: Path, *, ours: bool) -> None:
    """Make the file of a database for its user alone; one that is there is made so if it is ours.

    SQLite gives the files beside it the same permissions.
    """
    with suppress(OSError):  # opening it will tell
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _PRIVATE))
    for name in ("", "-wal", "-shm"):
        with suppress(OSError):
            if ours:
                path.with_name(f"{path.name}{name}").chmod(_PRIVATE)


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


_FORMS: Final = tuple(f"{number:04}" for number in range(1, 15))
_VERSION: Final = Table("schema_version", MetaData(), Column("form", String(32), primary_key=True))
"""Which of these forms the tables have; up to 0006 it stands in another table."""
_OLD_VERSION: Final = "alembic_version"


def _migrate(engine: Engine) -> None:
    """Bring the database to its newest form; of several processes, one does it.

    Forms differ by tables that were added, and by columns that were added or dropped.
    """
    with engine.execution_options(pegwise_begin="BEGIN IMMEDIATE").begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(7349733)")
        present = inspect(connection)
        _VERSION.create(connection, checkfirst=True)
        form = connection.scalar(select(_VERSION.c.form))
        if form is None and present.has_table(_OLD_VERSION):
            form = connection.scalar(text(f"SELECT version_num FROM {_OLD_VERSION}"))  # noqa: S608
        if form == _FORMS[-1]:
            return
        if form not in (None, *_FORMS):
            raise SQLAlchemyError(f"its tables have the form {form!r} of another version")
        for table in map(Base.metadata.tables.get, present.get_table_names()):
            if table is None:
                continue
            stored = {column["name"] for column in present.get_columns(table.name)}
            for column in table.columns:
                if column.name not in stored:
                    added = CreateColumn(column).compile(engine)
                    connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN {added}")
            for name in stored - {column.name for column in table.columns}:
                connection.exec_driver_sql(f"ALTER TABLE {table.name} DROP COLUMN {name}")
            for index in table.indexes:
                index.create(connection, checkfirst=True)
        Base.metadata.create_all(connection)
        connection.execute(text(f"DROP TABLE IF EXISTS {_OLD_VERSION}"))
        connection.execute(delete(_VERSION))
        connection.execute(insert(_VERSION).values(form=_FORMS[-1]))


def now() -> datetime:
    """The time of the clock, with its zone."""
    return datetime.now(UTC)


def new_id() -> str:
    """An id that nobody can guess."""
    return secrets.token_urlsafe(15)


class Moment(TypeDecorator[datetime]):
    """A time with its zone, which SQLite does not store: there it is UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_result_value(self, value: datetime | None, _dialect: Dialect) -> datetime | None:
        """The time as it was stored."""
        return value if value is None or value.tzinfo else value.replace(tzinfo=UTC)


class Base(DeclarativeBase):
    """All tables."""

    type_annotation_map: ClassVar = {float: Float, datetime: Moment}


class GameRow(Base):
    """A game that a person plays against pegwise."""

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)  # who knows it may play
    rules: Mapped[str] = mapped_column(String(64))
    codemaker: Mapped[str] = mapped_column(String(16))
    seed: Mapped[str | None] = mapped_column(String(20))  # of the secret, if one was drawn
    hints: Mapped[bool]
    max_guesses: Mapped[int | None]
    result: Mapped[str] = mapped_column(String(16), default="open")
    secret: Mapped[str | None] = mapped_column(String(16))  # see `games.GameState`
    begun: Mapped[datetime] = mapped_column(default=now)
    player: Mapped[str | None] = mapped_column(String(32), index=True)  # session that began it
    challenge: Mapped[str | None] = mapped_column(String(32), index=True)  # of the same secret
    above: Mapped[float | None]  # `games.GameState.excess_guesses`
    hinted: Mapped[str | None] = mapped_column(Text)  # turns for which a hint was asked: 1,3
    seconds: Mapped[float | None]  # see `games.GameState`


class TurnRow(Base):
    """A turn of a game; numbers begin with 1.

    `candidates` is how many codes are possible after it, once that was counted: as text, for it
    may have more digits than the numbers of databases.
    """

    __tablename__ = "turns"

    game_id: Mapped[str] = mapped_column(
        ForeignKey("games.id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    guess: Mapped[str] = mapped_column(String(16))
    mark: Mapped[str] = mapped_column(String(16))
    candidates: Mapped[str | None] = mapped_column(Text)


class ListRow(Base):
    """A list of words that a visitor has pasted, a word a line; `guesses` are never hidden."""

    __tablename__ = "lists"

    player: Mapped[str] = mapped_column(String(32), primary_key=True)
    name: Mapped[str] = mapped_column(String(40), primary_key=True)
    digest: Mapped[str] = mapped_column(String(8), primary_key=True, index=True)
    secrets: Mapped[str] = mapped_column(Text)
    guesses: Mapped[str] = mapped_column(Text)
    added: Mapped[datetime] = mapped_column(default=now)


class RaceRow(Base):
    """A race, whose strategies are jobs.

    `games` is None where every secret is played. A speed of 0 shows all guesses that are computed.
    The state is `running` or `stopped`: that all is computed stands in the jobs. Earlier versions
    also wrote `paused` and `over`, which are as `running`. Races of a published protocol have its
    id, and those that were begun together the same series.
    """

    __tablename__ = "races"

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=new_id)
    client: Mapped[str] = mapped_column(String(64), index=True)
    rules: Mapped[str] = mapped_column(String(64))
    games: Mapped[int | None]
    seed: Mapped[int] = mapped_column(BigInteger)
    length: Mapped[int]  # games of each strategy
    secrets: Mapped[bytes] = mapped_column(LargeBinary)  # see `race.secret_rows`
    state: Mapped[str] = mapped_column(String(16), default="running", index=True)
    speed: Mapped[float]  # guesses a second of each strategy
    begun: Mapped[datetime] = mapped_column(default=now)
    started: Mapped[datetime | None]  # when its first games were there
    player: Mapped[str | None] = mapped_column(String(32), index=True)  # session that began it
    protocol: Mapped[str | None] = mapped_column(String(40))
    series: Mapped[str | None] = mapped_column(String(32), index=True)
    jobs: Mapped[list[JobRow]] = relationship(
        order_by="JobRow.place", back_populates="race", passive_deletes="all"
    )

    @property
    def stopped(self) -> bool:
        """Whether it was stopped before all was computed."""
        return self.state == "stopped"

    @property
    def ended(self) -> bool:
        """Whether all is computed, or it was stopped."""
        return self.stopped or all(job.ended for job in self.jobs)


class JobRow(Base):
    """Long work, done by a worker that may end at any time (see `jobs`).

    Its kind is `lane` (a strategy of a race), `timed` (a strategy of a timed race: its seconds are
    the processor time of its games) or `tree`, its state `waiting`, `running`, `done`, `failed`
    or `stopped`. Units are games, or secrets of a tree. Times are seconds since 1970.
    """

    __tablename__ = "jobs"

    id: Mapped[str] = mapped_column(String(32), primary_key=True, default=new_id)
    kind: Mapped[str] = mapped_column(String(16))
    race_id: Mapped[str | None] = mapped_column(
        ForeignKey("races.id", ondelete="CASCADE"), index=True
    )
    place: Mapped[int] = mapped_column(default=0)  # of an entrant in its race
    client: Mapped[str] = mapped_column(String(64))
    rules: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(100))  # the strategy, with its options
    state: Mapped[str] = mapped_column(String(16), default="waiting", index=True)
    done: Mapped[int] = mapped_column(default=0)  # units finished
    total: Mapped[int]  # units in all
    guesses: Mapped[int] = mapped_column(BigInteger, default=0)  # of the games finished
    pieces: Mapped[int] = mapped_column(default=0)  # number of `PieceRow`
    seconds: Mapped[float] = mapped_column(default=0.0)  # of computing so far
    problem: Mapped[str | None] = mapped_column(Text)  # see `jobs.pack_sentence`
    result: Mapped[str | None] = mapped_column(Text)  # JSON
    lease: Mapped[str | None] = mapped_column("runner", String(100))  # of its worker
    renewed: Mapped[float] = mapped_column("beat", default=0.0)  # time of the last renewal
    tries: Mapped[int] = mapped_column(default=0)  # workers that died of it
    begun: Mapped[datetime] = mapped_column(default=now)
    race: Mapped[RaceRow | None] = relationship(back_populates="jobs")

    @property
    def timed(self) -> bool:
        """Whether its race is by processor time."""
        return self.kind == "timed"

    @property
    def ended(self) -> bool:
        """Whether nothing more is computed."""
        return self.state in {"done", "failed"}

    @property
    def reach(self) -> float:
        """How far it is computed, by the clock of its race."""
        return self.seconds if self.timed else self.guesses


class PieceRow(Base):
    """Arrays that a job has computed (see `arena.games.GamesPiece`), stored once complete."""

    __tablename__ = "pieces"

    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    data: Mapped[bytes] = mapped_column(LargeBinary)
    digest: Mapped[bytes | None] = mapped_column(LargeBinary)  # none of version 1.0.0


class PieceRows(Kept):
    """The pieces of a job in a session of the database, by their numbers from 0."""

    def __init__(self, session: Session, job_id: str) -> None:
        self._session, self._job_id = session, job_id

    def put(self, key: str, *blocks: Block) -> None:
        data = b"".join(blocks)
        row = PieceRow(job_id=self._job_id, number=int(key), data=data, digest=digest_of(data))
        self._session.merge(row)

    def read(self, key: str) -> memoryview | None:
        return next(iter(self._values(int(key), int(key) + 1)), None)

    def values(self, first: int, end: int) -> list[memoryview]:
        """The values from one number to before another; DamagedError if one is not whole."""
        values = self._values(first, end)
        if len(values) < end - first:
            raise DamagedError(DAMAGED)
        return values

    def _values(self, first: int, end: int) -> list[memoryview]:
        rows = select(PieceRow.data, PieceRow.digest).where(PieceRow.job_id == self._job_id)
        wanted = rows.where(PieceRow.number >= first, PieceRow.number < end)
        values = []
        for data, digest in self._session.execute(wanted.order_by(PieceRow.number)):
            if digest not in (None, digest_of(data)):
                raise DamagedError(DAMAGED)
            values.append(memoryview(data))
        return values

    def keys(self) -> list[str]:
        numbers = select(PieceRow.number).where(PieceRow.job_id == self._job_id)
        return list(map(str, self._session.scalars(numbers)))

    def forget(self, key: str | None = None) -> None:
        rows = delete(PieceRow).where(PieceRow.job_id == self._job_id)
        self._session.execute(rows if key is None else rows.where(PieceRow.number == int(key)))


class RoomRow(Base):
    """A room of a class, whose id is the code that pupils type.

    Its state is `waiting`, `playing`, `paused`, `shown` (the round is over) or `ended`.
    """

    __tablename__ = "rooms"

    id: Mapped[str] = mapped_column(String(8), primary_key=True)
    owner: Mapped[str] = mapped_column(String(32), index=True)  # the session of the teacher
    client: Mapped[str] = mapped_column(String(64), index=True)
    rules: Mapped[str] = mapped_column(String(64))
    mode: Mapped[str] = mapped_column(String(16))  # see `rooms.Mode`
    level: Mapped[int]  # of the puzzles
    state: Mapped[str] = mapped_column(String(16), default="waiting")
    round: Mapped[int] = mapped_column(default=0)  # the newest one; rounds begin with 1
    key: Mapped[str | None] = mapped_column(String(32))  # of the link that makes a teacher
    locked: Mapped[bool | None]  # whether nobody can join
    familiar: Mapped[bool | None]  # whether pages address pupils as children
    begun: Mapped[datetime] = mapped_column(default=now)
    used: Mapped[datetime | None] = mapped_column(default=now, index=True)  # last, to the hour
    players: Mapped[list[RoomPlayerRow]] = relationship(
        order_by="RoomPlayerRow.number", viewonly=True
    )

    @property
    def present(self) -> list[RoomPlayerRow]:
        """The pupils who were not taken out, in the order in which they came."""
        return [player for player in self.players if not player.removed]

    @property
    def last_used(self) -> datetime:
        """When somebody steered it, came in or played."""
        return self.used or self.begun


_RoomKey = Annotated[
    str, mapped_column(ForeignKey("rooms.id", ondelete="CASCADE"), primary_key=True)
]


class RoomTeacherRow(Base):
    """A session that steers a room beside the one that has opened it."""

    __tablename__ = "room_teachers"

    room_id: Mapped[_RoomKey]
    visitor: Mapped[str] = mapped_column(String(32), primary_key=True, index=True)


class RoomRoundRow(Base):
    """The code of a round, or its puzzles as JSON."""

    __tablename__ = "room_rounds"

    room_id: Mapped[_RoomKey]
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    hidden: Mapped[str] = mapped_column(Text)
    begun: Mapped[datetime | None] = mapped_column(default=now)


class RoomPlayerRow(Base):
    """A pupil in a room; numbers begin with 1."""

    __tablename__ = "room_players"

    room_id: Mapped[_RoomKey]
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player: Mapped[str] = mapped_column(String(32))  # the session
    name: Mapped[str] = mapped_column(String(40))
    removed: Mapped[bool] = mapped_column(default=False)
    seen: Mapped[datetime | None] = mapped_column(default=now)  # when it came in or played last


class RoomTurnRow(Base):
    """A turn of a pupil; numbers begin with 1.

    In a duel, number 0 is the code that the pupil hides, and its mark the number of the partner,
    0 for pegwise, "" for none yet. In puzzles, the mark is `right`, `wrong` or `skipped`.
    """

    __tablename__ = "room_turns"

    room_id: Mapped[_RoomKey]
    round: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)  # its number
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    guess: Mapped[str] = mapped_column(String(16))
    mark: Mapped[str] = mapped_column(String(16))


GAMES = GameRow.metadata.tables["games"]
TURNS = TurnRow.metadata.tables["turns"]
"""The tables of `GameRow` and `TurnRow` for plain statements, which are faster than objects."""


def find_list(storage: Storage, name: str, digest: str) -> WordList | None:
    """The list of words of this name and digest, whoever pasted it; None where there is none."""
    try:
        return read_list(storage, name, digest)
    except NotFoundError:
        return None


@lru_cache(maxsize=16)
def read_list(storage: Storage, name: str, digest: str) -> WordList:
    """The list of words of this name and digest; NotFoundError where there is none."""
    with storage.read() as session:
        rows = select(ListRow).where(ListRow.name == name, ListRow.digest == digest)
        row = session.scalars(rows.limit(1)).first()
    if row is None:
        raise NotFoundError("there is no such list")
    return WordList.of(name, row.secrets.split(), row.guesses.split())
