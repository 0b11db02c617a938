"""Pictures: boards, trees, charts and reports as text, from results that others computed.

Charts and the report need the extra `charts`; they stand in `pegwise.pictures.charts` and
`.report`, which are imported only when they are used.
"""

from pegwise.pictures.board import board_svg as board_svg
from pegwise.pictures.board import code_svg as code_svg
from pegwise.pictures.board import rules_svg as rules_svg
from pegwise.pictures.tree import tree_summary_svg as tree_summary_svg
from pegwise.pictures.tree import tree_svg as tree_svg
