"""Games and their turns."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make both tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("rules", sa.String(64), nullable=False),
        sa.Column("codemaker", sa.String(16), nullable=False),
        sa.Column("seed", sa.String(20), nullable=True),
        sa.Column("hints", sa.Boolean(), nullable=False),
        sa.Column("max_guesses", sa.Integer(), nullable=True),
        sa.Column("result", sa.String(16), nullable=False),
        sa.Column("secret", sa.String(16), nullable=True),
        sa.Column("begun", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "turns",
        sa.Column(
            "game_id",
            sa.String(32),
            sa.ForeignKey("games.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("number", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("guess", sa.String(16), nullable=False),
        sa.Column("mark", sa.String(16), nullable=False),
        sa.Column("candidates", sa.Text(), nullable=True),
    )
