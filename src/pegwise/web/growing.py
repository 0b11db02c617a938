"""Build the tree of a strategy and keep it: what a job of kind `tree` does, in its own process."""

from __future__ import annotations

from pegwise.errors import OutputError, StrategyError, system_reason
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
        raise StrategyError(
            "{job} broke its contract: {problem}", job=job.name, problem=checked.problems[0]
        )
    identity = tree_id(job.rules, job.name)
    path = path_of(desk.home, identity)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save(tree, path)
    except OSError as error:
        why = system_reason(error)
        raise OutputError(
            "cannot write the tree {path}: {why}", path=repr(str(path)), why=why
        ) from None
    desk.finish({"tree": identity}, done=job.total)
