"""The web site: a site to play, decode, review, race and explore, and its JSON API."""


def import_for_workers() -> None:
    """Begin to import what worker processes need, while this process imports the application."""
    from pegwise.compute import pool

    pool.import_for_workers("pegwise.web.app", "pegwise.coach", "pegwise.kernels.onestep.grow")
