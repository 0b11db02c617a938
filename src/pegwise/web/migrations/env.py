"""Runs the steps on the connection that `storage` hands over."""

from __future__ import annotations

from alembic import context

from pegwise.web.storage import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
