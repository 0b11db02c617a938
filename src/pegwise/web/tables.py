"""What is kept in the database.

A change here needs a new step in `migrations/versions`; a test compares the two.
"""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import DateTime

__all__ = ["GAMES", "TURNS", "Base", "GameRow", "TurnRow", "now"]


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
        codemaker: `random` or `evil`.
        seed: what a random codemaker drew its secret with; up to 20 digits.
        hints: whether hints may be asked for.
        max_guesses: after so many the game is lost; None for no limit.
        result: `open`, `solved`, `given up` or `lost`.
        secret: the code as letters, once the game is over.
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


GAMES = GameRow.metadata.tables["games"]
TURNS = TurnRow.metadata.tables["turns"]
"""The same tables for plain statements, which are faster than objects."""
