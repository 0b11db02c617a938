"""What is kept in the database.

A change here needs a new step in `migrations/versions`; a test compares the two.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import BigInteger, Float, ForeignKey, LargeBinary, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import DateTime

__all__ = ["GAMES", "TURNS", "Base", "GameRow", "JobRow", "PieceRow", "RaceRow", "TurnRow", "now"]


def now() -> datetime:
    """The time of the clock, with its zone."""
    return datetime.now(UTC)


class Base(DeclarativeBase):
    """All tables."""


class GameRow(Base):
    """A game that a person plays against pegwise.

    Attributes:
        id: a word that cannot be guessed: who knows it may play.
        rules: the board, as written.
        codemaker: `random`, `optimal` or `evil`.
        seed: what the codemaker drew its secret with, if it did; up to 20 digits.
        hints: whether hints may be asked for.
        max_guesses: after so many the game is lost; None for no limit.
        result: `open`, `solved`, `given up` or `lost`.
        secret: the code as letters: of an optimal codemaker at once, else once the game is over.
        begun: when.
    """

    __tablename__ = "games"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    rules: Mapped[str] = mapped_column(String(64))
    codemaker: Mapped[str] = mapped_column(String(16))
    seed: Mapped[str | None] = mapped_column(String(20))
    hints: Mapped[bool]
    max_guesses: Mapped[int | None]
    result: Mapped[str] = mapped_column(String(16), default="open")
    secret: Mapped[str | None] = mapped_column(String(16))
    begun: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)


class TurnRow(Base):
    """A turn of a game.

    Attributes:
        game_id: whose.
        number: from 1.
        guess: as letters.
        mark: as pegs, `XXO`.
        candidates: how many codes are possible after it, once that was counted; as text, for it
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


class RaceRow(Base):
    """A race, whose strategies are jobs.

    Attributes:
        id: a word that cannot be guessed.
        client: who began it.
        rules: the board, as written.
        games: number of games drawn; None for every secret.
        seed: for the draw, and for the order in which secrets are played.
        length: number of games of each strategy.
        secrets: uint8 (length, pegs), the secrets in the order of play, compressed.
        state: `running`, `paused`, `stopped` or `over`.
        speed: guesses a second that are shown of each strategy; 0 for all that are computed.
        clock: guesses of each strategy that are shown, where there is a speed.
        ticked: when the clock was set, in seconds since 1970.
        begun: when.
    """

    __tablename__ = "races"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    client: Mapped[str] = mapped_column(String(64), index=True)
    rules: Mapped[str] = mapped_column(String(64))
    games: Mapped[int | None]
    seed: Mapped[int] = mapped_column(BigInteger)
    length: Mapped[int]
    secrets: Mapped[bytes] = mapped_column(LargeBinary)
    state: Mapped[str] = mapped_column(String(16), default="running", index=True)
    speed: Mapped[float] = mapped_column(Float)
    clock: Mapped[float] = mapped_column(Float, default=0.0)
    ticked: Mapped[float] = mapped_column(Float)
    begun: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)


class JobRow(Base):
    """Long work, done by a process of its own that may end at any time and be begun again.

    Attributes:
        id: a word that cannot be guessed.
        kind: `lane` (a strategy of a race) or `tree`.
        race_id: the race of a lane.
        place: of a lane in its race, from 0.
        client: who asked for it.
        rules: the board, as written.
        name: the strategy, with its options.
        state: `waiting`, `running`, `done`, `failed` or `stopped`.
        done: units finished: games, or secrets of a tree.
        total: units in all.
        guesses: of the games finished.
        pieces: how many pieces of the result are kept.
        seconds: of computing so far.
        problem: why it failed (see `i18n.pack_sentence`).
        result: what is to be known of it once it is done, as JSON.
        runner: which server and process has it.
        beat: when that was last heard of, in seconds since 1970.
        tries: how often a process that had it died.
        begun: when.
    """

    __tablename__ = "jobs"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    kind: Mapped[str] = mapped_column(String(16))
    race_id: Mapped[str | None] = mapped_column(
        ForeignKey("races.id", ondelete="CASCADE"), index=True
    )
    place: Mapped[int] = mapped_column(default=0)
    client: Mapped[str] = mapped_column(String(64))
    rules: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(100))
    state: Mapped[str] = mapped_column(String(16), default="waiting", index=True)
    done: Mapped[int] = mapped_column(default=0)
    total: Mapped[int]
    guesses: Mapped[int] = mapped_column(BigInteger, default=0)
    pieces: Mapped[int] = mapped_column(default=0)
    seconds: Mapped[float] = mapped_column(Float, default=0.0)
    problem: Mapped[str | None] = mapped_column(Text)
    result: Mapped[str | None] = mapped_column(Text)
    runner: Mapped[str | None] = mapped_column(String(100))
    beat: Mapped[float] = mapped_column(Float, default=0.0)
    tries: Mapped[int] = mapped_column(default=0)
    begun: Mapped[datetime] = mapped_column(DateTime(timezone=True), default=now)


class PieceRow(Base):
    """A part of what a job has found, kept as soon as it is there.

    Attributes:
        job_id: whose.
        number: from 0.
        data: arrays, packed by `played`.
    """

    __tablename__ = "pieces"

    job_id: Mapped[str] = mapped_column(ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    data: Mapped[bytes] = mapped_column(LargeBinary)


GAMES = GameRow.metadata.tables["games"]
TURNS = TurnRow.metadata.tables["turns"]
"""The same tables for plain statements, which are faster than objects."""
