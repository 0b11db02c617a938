"""Pictures: boards, trees, charts and reports as text, from results that others computed.

Charts and the report need the extra `charts`; they stand in `pegwise.pictures.charts` and
`.report`, which are imported only when they are used.
"""

from pegwise.pictures.board import board_svg, code_svg, mark_svg, rules_svg
from pegwise.pictures.svg import PEGS, Peg, peg
from pegwise.pictures.tree import tree_summary_svg, tree_svg

__all__ = [
    "PEGS",
    "Peg",
    "board_svg",
    "code_svg",
    "mark_svg",
    "peg",
    "rules_svg",
    "tree_summary_svg",
    "tree_svg",
]
