"""How marks, trees and races look in a notebook (registered by the package root)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pegwise.game import Mark
from pegwise.pictures.svg import document, mark_grid, mark_size
from pegwise.pictures.tree_summary import tree_summary_svg
from pegwise.pictures.tree_svg import tree_svg
from pegwise.pictures.words import mark_words
from pegwise.trees import Tree

if TYPE_CHECKING:
    from pegwise.arena.results import RaceResults

__all__ = ["show_mark", "show_race", "show_tree", "show_tree_html"]

_WHOLE: Final = 60  # larger trees are long to scroll past


def show_mark(mark: Mark) -> str:
    """A mark of unknown rules: its discs and rings without the specks of the other pegs."""
    pegs = max(sum(mark), 1)
    width, height = mark_size(pegs, 13)
    return document(mark_grid(mark, pegs, 0, 0, 13), width, height, title=mark_words(mark))


def show_tree(tree: Tree) -> str:
    """A small tree whole, a large one as its summary."""
    return tree_svg(tree) if len(tree) <= _WHOLE else tree_summary_svg(tree)


def show_tree_html(tree: Tree) -> str:
    """The same in a frame that scrolls where the tree is wider than the page."""
    return f'<div style="overflow-x:auto">{show_tree(tree)}</div>'


def show_race(results: RaceResults) -> str:
    """The chart of a race."""
    # Altair is slow to import, and codes and trees do without it
    from pegwise.pictures.chart_files import chart_svg
    from pegwise.pictures.charts import race_chart

    if not any(any(standing.histogram) for standing in results.standings):
        return "<p>No strategy has finished.</p>"
    return chart_svg(race_chart(results))
