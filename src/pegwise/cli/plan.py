"""`pegwise race --dry-run`: what whole trees would need, and nothing is played."""

from __future__ import annotations

from collections.abc import Sequence

from pegwise.arena.plan import memory_of, plan
from pegwise.cli import options
from pegwise.cli.blocks import show
from pegwise.cli.board import Screen
from pegwise.compute.machine import cores
from pegwise.game import Game
from pegwise.strategies import Strategy
from pegwise.telling.race import plan_report


def show_plan(
    rules: Game, strategies: Sequence[Strategy], resources: options.Resources, *, as_json: bool
) -> None:
    """Show memory and pieces of whole trees; errors as `plan`, and for more than --memory."""
    options.check_memory(resources.memory, memory_of(rules), rules)
    names = [strategy.card.id for strategy in strategies]
    document = plan(rules, names, jobs=resources.jobs or cores())
    if as_json:
        options.print_json(document)
        return
    show(plan_report(rules, document).blocks, Screen())
