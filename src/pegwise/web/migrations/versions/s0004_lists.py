"""Lists of words that visitors have pasted."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "lists",
        sa.Column("player", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("digest", sa.String(8), primary_key=True, index=True),
        sa.Column("secrets", sa.Text(), nullable=False),
        sa.Column("guesses", sa.Text(), nullable=False),
        sa.Column("added", sa.DateTime(timezone=True), nullable=False),
    )
