"""Pictures: boards, trees, charts and reports as text, from results that others computed.

Charts and reports stand in `pegwise.pictures.charts` and `.report`. PNG and reports need the extra
`charts`.
"""

from pegwise.pictures.board import board_svg as board_svg
from pegwise.pictures.board import code_svg as code_svg
from pegwise.pictures.board import rules_svg as rules_svg
from pegwise.pictures.svg import label_pegs as label_pegs
from pegwise.pictures.tree import tree_summary_svg as tree_summary_svg
from pegwise.pictures.tree import tree_svg as tree_svg
