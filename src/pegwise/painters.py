"""Which function draws what notebooks show; painters are imported when something is first shown."""

from __future__ import annotations

from pegwise.display import register

register("code", "pegwise.pictures.board:code_svg")
register("codes", "pegwise.pictures.notebook:show_codes")
register("game", "pegwise.pictures.notebook:show_game")
register("mark", "pegwise.pictures.notebook:show_mark")
register("played", "pegwise.pictures.notebook:show_played")
register("position", "pegwise.pictures.notebook_tables:show_position")
register("race", "pegwise.pictures.notebook:show_race")
register("record", "pegwise.pictures.notebook:show_record")
register("review", "pegwise.pictures.notebook_tables:show_review")
register("rules", "pegwise.pictures.board:rules_svg")
register("split", "pegwise.pictures.notebook_tables:show_split")
register("tree", "pegwise.pictures.notebook:show_tree_html")
register("tree-svg", "pegwise.pictures.notebook:show_tree")
register("turn", "pegwise.pictures.notebook:show_turn")
register("value", "pegwise.pictures.notebook_tables:show_value")
