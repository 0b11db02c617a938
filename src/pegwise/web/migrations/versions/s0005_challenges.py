"""Games that share a secret, and what the choices of a game cost."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the columns; games of before have none."""
    op.add_column("games", sa.Column("challenge", sa.String(32), nullable=True))
    op.add_column("games", sa.Column("above", sa.Float(), nullable=True))
    op.create_index("ix_games_challenge", "games", ["challenge"])
