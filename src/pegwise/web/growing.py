"""Build the tree of a strategy and keep it: what a job of kind `tree` does, in its own process."""

from __future__ import annotations

from pegwise.errors import OutputError, StrategyError
from pegwise.game import Rules, mastermind
from pegwise.strategies import parse
from pegwise.trees import build, save, verify
from pegwise.web.desk import Desk
from pegwise.web.stored_trees import path_of, tree_id

__all__ = ["grow"]


def grow(desk: Desk) -> None:
    """Build, check and keep a tree.

    Raises:
        StrategyError: the strategy cannot play this game, or breaks its contract.
        OutputError: the tree cannot be written.
    """
    job = desk.job
    tree = build(parse(job.name), mastermind(Rules.parse(job.rules)), report=desk.look)
    checked = verify(tree)
    if not checked.valid:
        raise StrategyError(f"{job.name} broke its contract: {checked.problems[0]}")
    identity = tree_id(job.rules, job.name)
    path = path_of(desk.home, identity)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save(tree, path)
    except OSError as error:
        why = error.strerror or error
        raise OutputError(f"cannot write the tree {str(path)!r}: {why}") from None
    desk.finish({"tree": identity}, done=job.total)
