"""Who began a race."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column to the races; those of before belong to nobody."""
    op.add_column("races", sa.Column("player", sa.String(32), nullable=True))
    op.create_index("ix_races_player", "races", ["player"])
