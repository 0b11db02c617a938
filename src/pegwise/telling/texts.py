"""A result as text, where no terminal and no notebook shows it."""

from __future__ import annotations

from collections.abc import Iterable

from pegwise.arena.results import RaceResults
from pegwise.coach.advice import Split
from pegwise.game.notation import LETTERS, Notation
from pegwise.i18n import write_signs
from pegwise.telling.blocks import Block, Report
from pegwise.telling.position import parts
from pegwise.telling.race import results_text
from pegwise.telling.trees import tree_report
from pegwise.trees import Tree

_DEPTH = 2  # turns of a tree


def text_of(result: object, notation: Notation = LETTERS) -> str:
    """The text of a race, a tree or the parts of a guess; what `str` says of anything else."""
    if isinstance(result, RaceResults):
        return results_text(result)
    if not isinstance(result, Tree | Split):
        return str(result)
    write_signs(notation.sign)
    try:
        blocks: Iterable[Block] = (
            tree_report(result, _DEPTH, notation).blocks
            if isinstance(result, Tree)
            else parts(result)
        )
        return Report.of(blocks).text(notation.sign, aligned=True).rstrip("\n")
    finally:
        write_signs(str)
