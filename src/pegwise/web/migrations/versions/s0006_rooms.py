"""Rooms of classes: their rounds, pupils and turns."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def _number(name: str) -> "sa.Column[int]":
    return sa.Column(name, sa.Integer(), primary_key=True, autoincrement=False)


def _room() -> "sa.Column[str]":
    room = sa.ForeignKey("rooms.id", ondelete="CASCADE")
    return sa.Column("room_id", sa.String(8), room, primary_key=True)


def upgrade() -> None:
    """Make the four tables."""
    op.create_table(
        "rooms",
        sa.Column("id", sa.String(8), primary_key=True),
        sa.Column("owner", sa.String(32), nullable=False, index=True),
        sa.Column("client", sa.String(64), nullable=False, index=True),
        sa.Column("rules", sa.String(64), nullable=False),
        sa.Column("mode", sa.String(16), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("begun", sa.DateTime(timezone=True), nullable=False, index=True),
    )
    op.create_table(
        "room_rounds", _room(), _number("number"), sa.Column("hidden", sa.Text(), nullable=False)
    )
    op.create_table(
        "room_players",
        _room(),
        _number("number"),
        sa.Column("player", sa.String(32), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("removed", sa.Boolean(), nullable=False),
    )
    op.create_table(
        "room_turns",
        _room(),
        _number("round"),
        _number("player"),
        _number("number"),
        sa.Column("guess", sa.String(16), nullable=False),
        sa.Column("mark", sa.String(16), nullable=False),
    )
