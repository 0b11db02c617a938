"""Who began a game."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column to the games; those of before belong to nobody."""
    op.add_column("games", sa.Column("player", sa.String(32), nullable=True))
    op.create_index("ix_games_player", "games", ["player"])
