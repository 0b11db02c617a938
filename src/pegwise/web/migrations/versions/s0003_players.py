"""Who began a game or a race."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the column to both; those of before belong to nobody."""
    for table in ("games", "races"):
        op.add_column(table, sa.Column("player", sa.String(32), nullable=True))
        op.create_index(f"ix_{table}_player", table, ["player"])
