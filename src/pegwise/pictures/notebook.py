"""How games, trees and races look in a notebook (registered by the package root).

Drawings and charts follow the theme of the notebook, light or dark.
"""

from __future__ import annotations

import base64
from html import escape
from typing import TYPE_CHECKING, Final

from pegwise.game import HOLE, Codes, Mark, Mastermind, Played, Record, Rules, Turn
from pegwise.language import tr
from pegwise.pictures.board import board_svg, code_svg, rules_svg
from pegwise.pictures.svg import DARK_PAGE, LIGHT_PAGE, document, mark_grid, mark_size
from pegwise.pictures.tree_summary import tree_summary_svg
from pegwise.pictures.tree_svg import tree_svg
from pegwise.pictures.words import codes, mark_words, strategy_names
from pegwise.trees import Tree

if TYPE_CHECKING:
    from pegwise.arena.results import RaceResults
    from pegwise.pictures.charts import Shade

__all__ = [
    "show_codes",
    "show_game",
    "show_mark",
    "show_played",
    "show_race",
    "show_record",
    "show_tree",
    "show_tree_html",
    "show_turn",
]

_SHOWN: Final = 24  # codes of a list that are drawn
_WHOLE: Final = 60  # larger trees are long to scroll past
_CHART_STYLE: Final = (
    "@media (prefers-color-scheme:dark){"
    f".pw-chart:not({LIGHT_PAGE} *) .pw-by-day{{display:none!important}}"
    f".pw-chart:not({LIGHT_PAGE} *) .pw-by-night{{display:inline!important}}}}"
    f"{DARK_PAGE} .pw-chart .pw-by-day{{display:none!important}}"
    f"{DARK_PAGE} .pw-chart .pw-by-night{{display:inline!important}}"
)


def show_mark(mark: Mark, pegs: int = 1) -> str:
    """A mark of unknown rules: its discs and rings, and specks up to this number of pegs."""
    pegs = max(sum(mark), pegs)
    width, height = mark_size(pegs, 13)
    return document(mark_grid(mark, pegs, 0, 0, 13), width, height, title=mark_words(mark))


def show_turn(turn: Turn) -> str:
    """A guess with its mark beside it."""
    guess, mark = code_svg(turn.guess), show_mark(turn.mark, len(turn.guess))
    return f'<div style="display:flex;gap:18px;align-items:center">{guess}{mark}</div>'


def show_played(turns: Played) -> str:
    """Turns as a board, whose rules are those that the turns need."""
    colors = [color for turn in turns for color in turn.guess]
    rules = Rules(
        len(turns[0].guess),
        1 + max((color for color in colors if color != HOLE), default=0),
        blank=HOLE in colors,
    )
    return board_svg(turns, rules)


def show_codes(found: Codes) -> str:
    """The first codes of a list, and how many there are."""
    pegs = "".join(f"<span>{code_svg(code, size=22)}</span>" for code in found[:_SHOWN])
    more = " …" if len(found) > _SHOWN else ""
    look = "display:flex;flex-wrap:wrap;gap:10px 22px"
    return f'<p>{codes(len(found))}</p><div style="{look}">{pegs}{more}</div>'


def show_record(record: Record) -> str:
    """A game as a board, its secret below the turns."""
    return board_svg(record.turns, record.rules, secret=record.secret)


def show_game(game: Mastermind) -> str:
    """A board by its rules."""
    return rules_svg(game.rules)


def show_tree(tree: Tree) -> str:
    """A small tree whole, a large one as its summary."""
    return tree_svg(tree) if len(tree) <= _WHOLE else tree_summary_svg(tree)


def show_tree_html(tree: Tree) -> str:
    """The same in a frame that scrolls where the tree is wider than the page."""
    return f'<div style="overflow-x:auto">{show_tree(tree)}</div>'


def show_race(results: RaceResults) -> str:
    """The chart of a race, drawn for light and for dark pages; the page shows one."""
    if not any(any(standing.histogram) for standing in results.standings):
        return f"<p>{tr('No strategy has finished.')}</p>"
    names = strategy_names(results.standings)
    figures = "; ".join(
        tr(
            "{strategy}: mean {mean:.3f}, worst {worst}",
            strategy=names[standing.strategy],
            mean=standing.mean,
            worst=standing.worst,
        )
        for standing in results.standings
    )
    needed = tr("Guesses needed on {rules}", rules=results.rules)
    words = escape(f"{needed}. {figures}.", quote=True)
    look = "max-width:100%;height:auto;border-radius:20px"
    return (
        f'<div class="pw-chart" style="overflow-x:auto"><style>{_CHART_STYLE}</style>'
        f'<img class="pw-by-day" alt="{words}" style="{look}" src="{_chart(results, "light")}">'
        f'<img class="pw-by-night" alt="{words}" style="{look};display:none" '
        f'src="{_chart(results, "dark")}"></div>'
    )


def _chart(results: RaceResults, shade: Shade) -> str:
    # Altair is slow to import, and codes and trees do without it
    from pegwise.pictures.chart_files import chart_svg
    from pegwise.pictures.charts import race_chart

    chart = chart_svg(race_chart(results, shade=shade, labelled=False))
    return f"data:image/svg+xml;base64,{base64.b64encode(chart.encode()).decode()}"
