"""pegwise: a laboratory for the game of Mastermind."""

from pegwise.display import register

__version__ = "0.1.0"

# the roof may know every floor: painters are imported when a notebook first shows their kind
register("code", "pegwise.pictures.board:code_svg")
register("mark", "pegwise.pictures.notebook:show_mark")
register("race", "pegwise.pictures.notebook:show_race")
register("rules", "pegwise.pictures.board:rules_svg")
register("tree", "pegwise.pictures.notebook:show_tree_html")
register("tree-svg", "pegwise.pictures.notebook:show_tree")
