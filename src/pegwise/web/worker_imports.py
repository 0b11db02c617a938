"""Modules that worker processes of the site need."""

from __future__ import annotations

from pegwise.compute import workers


def import_for_workers() -> None:
    """Begin to import what worker processes need, while this process imports the application."""
    workers.import_for_workers("pegwise.web.app", "pegwise.coach", "pegwise.kernels.onestep.grow")
