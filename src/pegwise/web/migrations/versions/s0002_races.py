"""Races, jobs, and what jobs have found so far."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "races",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("client", sa.String(64), nullable=False, index=True),
        sa.Column("rules", sa.String(64), nullable=False),
        sa.Column("games", sa.Integer(), nullable=True),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("length", sa.Integer(), nullable=False),
        sa.Column("secrets", sa.LargeBinary(), nullable=False),
        sa.Column("state", sa.String(16), nullable=False, index=True),
        sa.Column("speed", sa.Float(), nullable=False),
        sa.Column("clock", sa.Float(), nullable=False),
        sa.Column("ticked", sa.Float(), nullable=False),
        sa.Column("begun", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "jobs",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column(
            "race_id",
            sa.String(32),
            sa.ForeignKey("races.id", ondelete="CASCADE"),
            nullable=True,
            index=True,
        ),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("client", sa.String(64), nullable=False),
        sa.Column("rules", sa.String(64), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("state", sa.String(16), nullable=False, index=True),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("guesses", sa.BigInteger(), nullable=False),
        sa.Column("pieces", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("result", sa.Text(), nullable=True),
        sa.Column("runner", sa.String(100), nullable=True),
        sa.Column("beat", sa.Float(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("begun", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "pieces",
        sa.Column(
            "job_id", sa.String(32), sa.ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
    )
