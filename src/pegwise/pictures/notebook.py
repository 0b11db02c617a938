"""How games, trees and races look in a notebook (registered by the package root).

Drawings and charts follow the theme of the notebook, light or dark.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial, singledispatch
from html import escape
from typing import Any, Final

from pegwise.arena.results import RaceResults, Standing
from pegwise.coach.advice import Position, Ranking, Split
from pegwise.coach.review import Review
from pegwise.errors import StrategyError, TooLargeError
from pegwise.game import HOLE, Code, Codes, Game, Mark, PlacedMark, Played, Turn, Word, game_of
from pegwise.game.marking import BOARD_MARKINGS
from pegwise.game.rules import Rules
from pegwise.i18n import figure, tr, translated, trn
from pegwise.knowledge import candidates
from pegwise.knowledge.chances import Chances
from pegwise.knowledge.puzzles import Puzzle
from pegwise.pictures.board import board_svg, code_svg, rules_svg
from pegwise.pictures.charts import race_image
from pegwise.pictures.svg import DARK_PAGE, LIGHT_PAGE, document, mark_grid, mark_size
from pegwise.pictures.tree import tree_summary_svg, tree_svg
from pegwise.playing import Play, Record
from pegwise.search.certificates.sets import FixedSet
from pegwise.search.certificates.values import GameValue
from pegwise.search.exact.optimum import Optimum
from pegwise.search.theory import BoardBounds
from pegwise.strategies import Card
from pegwise.telling.advice import splits_table
from pegwise.telling.blocks import (
    Block,
    Cell,
    CodeList,
    Item,
    Items,
    Sentence,
    Share,
    TurnList,
    cell_text,
)
from pegwise.telling.bounds import bounds_report
from pegwise.telling.position import chances_table
from pegwise.telling.proofs import set_report, value_report, verified
from pegwise.telling.race import (
    figure_words,
    loss_words,
    losses_table,
    standings_block,
    strategy_names,
)
from pegwise.telling.review import review_report
from pegwise.telling.strategies import card_item
from pegwise.telling.words import codes, mark_words
from pegwise.trees import Tree, Verification
from pegwise.trees.losses import Losses

_SHOWN: Final = 24  # codes of a list that are drawn
_WHOLE: Final = 60  # larger trees are long to scroll past
_BAR: Final = 260  # pixels of the largest part
_PEG: Final = 22.0
_CELL: Final = "padding:4px 12px;text-align:left;vertical-align:middle"
_NUMBER: Final = "padding:4px 12px;text-align:right;font-variant-numeric:tabular-nums"
_CHART_STYLE: Final = (
    "@media (prefers-color-scheme:dark){"
    f".pw-chart:not({LIGHT_PAGE} *) .pw-by-day{{display:none!important}}"
    f".pw-chart:not({LIGHT_PAGE} *) .pw-by-night{{display:inline!important}}}}"
    f"{DARK_PAGE} .pw-chart .pw-by-day{{display:none!important}}"
    f"{DARK_PAGE} .pw-chart .pw-by-night{{display:inline!important}}"
)


@singledispatch
def show(thing: object) -> str | None:  # noqa: ARG001
    """How an object looks in a notebook; None where nothing draws it."""
    return None


show.register(Code, code_svg)
show.register(Game, rules_svg)
show.register(Rules, lambda rules: rules_svg(game_of(rules)))
show.register(Record, lambda record: _history(record.play, secret=record.secret))


def _history(play: Play, **shown: Any) -> str:
    """The turns of a play: a board where one secret is sought by rules; else one by one."""
    if play.boards == 1 and play.game.text:
        return board_svg(play.game, play.turns, **shown)
    return "".join(show_turn(turn) or f"<p>{escape(str(turn))}</p>" for turn in play.turns)


def _code(code: Any, size: float = 30) -> str:
    """A code drawn; a guess of another game as text."""
    return code_svg(code, size=size) if isinstance(code, Code) else escape(str(code))


@show.register
def show_mark(mark: Mark, pegs: int = 1) -> str:
    """A mark of unknown rules: its discs and rings, and specks up to this number of pegs."""
    if not mark.partial:
        pegs = max(mark.black + mark.white, pegs)
    width, height = mark_size(mark, pegs, 13)
    return document([mark_grid(mark, pegs, 0, 0, 13)], width, height, title=mark_words(mark))


@show.register
def show_turn(turn: Turn) -> str | None:
    """A guess with its marks beside it; other games than boards have other guesses."""
    if not isinstance(turn.guess, Code):
        return None
    marks = [show_mark(mark, len(turn.guess)) for mark in turn.marks if mark is not None]
    row = "".join([code_svg(turn.guess), *marks])
    return f'<div style="display:flex;gap:18px;align-items:center">{row}</div>'


@show.register
def show_played(turns: Played) -> str | None:
    """Turns as a board, whose rules are those that the turns need; by themselves where none are."""
    if not turns or not all(isinstance(turn.guess, Code) for turn in turns):
        return None
    alone = isinstance(turns[0].guess, Word) or len(turns[0].marks) > 1
    marks = None if alone else _marks_of(turns)
    if marks is None:
        return "".join(map(str, map(show_turn, turns)))
    colors = [color for turn in turns for color in turn.guess]
    rules = Rules(
        len(turns[0].guess),
        1 + max((color for color in colors if color != HOLE), default=0),
        blank=HOLE in colors,
        marks=marks,
    )
    return board_svg(game_of(rules), turns)


def _marks_of(turns: Played) -> str | None:
    """The flag of the first kind of marks that these turns may have; None for no such kind."""
    pegs, own = len(turns[0].guess), {type(turn.mark) for turn in turns if not turn.mark.partial}
    for name, kind in BOARD_MARKINGS.items():
        marking = kind(name, pegs) if pegs <= kind.widest else None
        if marking is None or not own <= {type(marking.winning)}:
            continue
        if all(marking.completions(turn.mark) for turn in turns):
            return name
    return None


@show.register
def show_codes(listed: Codes) -> str:
    """The first codes of a list, and how many there are."""
    return _codes(codes(len(listed)), listed[:_SHOWN], more=len(listed) > _SHOWN)


def _codes(words: str, shown: Iterable[Any], *, more: bool) -> str:
    """Some codes below how many there are."""
    pegs = "".join(f"<span>{_code(code, _PEG)}</span>" for code in shown)
    look = "display:flex;flex-wrap:wrap;gap:10px 22px"
    return f'<p>{words}</p><div style="{look}">{pegs}{" …" if more else ""}</div>'


@show.register
def show_tree(tree: Tree) -> str:
    """A small tree whole, a large one as its summary, which scroll where the page is narrow."""
    svg = tree_svg(tree) if len(tree) <= _WHOLE else tree_summary_svg(tree)
    return f'<div style="overflow-x:auto">{svg}</div>'


@show.register
def show_race(results: RaceResults) -> str:
    """The chart of a race, drawn for light and for dark pages; the page shows one."""
    if not any(any(standing.histogram) for standing in results.standings):
        return f"<p>{tr('No strategy has finished.')}</p>"
    names = strategy_names(results.standings)
    figures = "; ".join(map(partial(figure_words, names=names), results.standings))
    needed = tr("Guesses needed on {rules}", rules=results.rules)
    words = escape(f"{needed}. {figures}.", quote=True)
    look = "max-width:100%;height:auto;border-radius:20px"
    by_day, by_night = race_image(results, "light"), race_image(results, "dark")
    return (
        f'<div class="pw-chart" style="overflow-x:auto"><style>{_CHART_STYLE}</style>'
        f'<img class="pw-by-day" alt="{words}" style="{look}" src="{by_day}">'
        f'<img class="pw-by-night" alt="{words}" style="{look};display:none" '
        f'src="{by_night}"></div>'
    )


@show.register
def show_split(split: Split) -> str:
    """The partition by a guess: a bar for each mark, and what its criteria make of it."""
    guess: Any = split.guess
    pegs = len(guess) if isinstance(guess, Code) else 1
    rows = []
    for mark, size in sorted(split.parts, key=lambda part: -part[1]):
        width = max(2, round(_BAR * size / split.largest))
        bar = (
            f'<span style="display:inline-block;height:10px;width:{width}px;border-radius:5px;'
            'background:currentColor;opacity:.55"></span>'
        )
        shown = show_mark(mark, pegs) if isinstance(mark, Mark) else escape(str(mark))
        rows.append([shown, figure(size, ","), bar])
    caption = tr(
        "{parts} of {candidates}: largest {largest:,}, expected {expected:.2f}, {bits:.4f} bits; "
        "{possible}",
        parts=trn("{n:,} part", "{n:,} parts", len(split.parts)),
        candidates=trn("{n:,} candidate", "{n:,} candidates", split.candidates),
        largest=split.largest,
        expected=float(split.expected),
        bits=split.bits,
        possible=tr("it may be the code") if split.possible else tr("it cannot be the code"),
    )
    table = _html_table([tr("mark"), tr("candidates"), ""], rows)
    return _titled(_code(split.guess), caption) + table


@show.register
def show_position(position: Position) -> str:
    """The board, how many candidates are left, and the first of them."""
    board = _history(position.play) if position.turns else ""
    first: list[Any] = []
    try:
        number = trn("{n:,} candidate left", "{n:,} candidates left", position.count)
        if position.count <= 10 * _SHOWN and position.play.boards == 1:
            first = candidates(position.game, position.turns, _SHOWN)
    except TooLargeError as error:
        number = translated(error)
    return board + _codes(number, first, more=bool(first) and position.count > _SHOWN)


@show.register
def show_review(review: Review) -> str:
    """The board with the candidates left, and the review in words and a table."""
    board = _history(
        review.record.play.first(len(review.turns)),
        candidates=[reviewed.after for reviewed in review.turns],
        secret=review.secret,
    )
    return board + show_blocks(review_report(review).blocks)


def show_blocks(blocks: Iterable[Block]) -> str:
    """The blocks of a report, with drawn codes and marks in tables."""
    return "".join(map(_block, blocks))


def _block(block: Block) -> str:
    if isinstance(block, Sentence):
        text = escape(translated(block.text))
        return f"<p><b>{text}</b></p>" if block.kind == "warning" else f"<p>{text}</p>"
    if isinstance(block, CodeList):
        return _codes(block.more, block.codes, more=False)
    if isinstance(block, TurnList):
        turns = [
            [str(n), _cell(guess), _cell(mark)] for n, (guess, mark) in enumerate(block.turns, 1)
        ]
        return _html_table(["", "", ""], turns)
    if isinstance(block, Items):
        items = "".join(map(_item, block.items))
        return (
            f"<ul>{items}</ul>"
            if block.first is None
            else f'<ol start="{block.first}">{items}</ol>'
        )
    rows = [[_cell(cell) for cell in row] for row in block.shown()]
    words = [head.text.replace("\n", " ") for head in block.heads]
    caption = f"<p>{escape(block.caption)}</p>" if block.caption else ""
    return caption + _html_table(words, rows)


def _item(item: Item | str) -> str:
    """An item of a list, with a list of what stands below it."""
    text, below = (item.text, item.below) if isinstance(item, Item) else (item, ())
    inner = f"<ul>{''.join(map(_item, below))}</ul>" if below else ""
    return f"<li>{escape(translated(text))}{inner}</li>"


def _cell(cell: Cell) -> str:
    if isinstance(cell, Code):
        return code_svg(cell, size=_PEG)
    if isinstance(cell, Mark | PlacedMark):
        return show_mark(cell)
    text = escape(cell_text(cell))
    if isinstance(cell, Share) and cell.shade:
        ground = f"rgba(80,140,220,{cell.part:.2f})"
        return f'<span style="background:{ground};padding:2px 6px">{text}</span>'
    return text


@show.register
def show_chances(chances: Chances) -> str:
    """The chance of each color in each place, with shades."""
    return show_blocks([chances_table(chances)])


@show.register
def show_ranking(ranking: Ranking) -> str:
    """The guesses, best first, with what they tell."""
    ranks = [str(number) for number in range(1, len(ranking.splits) + 1)]
    several = any(len(split.boards) > 1 for split in ranking.splits)
    return show_blocks([splits_table(ranking.splits, ranks, several=several)])


@show.register
def show_puzzle(puzzle: Puzzle) -> str:
    """The turns of a puzzle; not its solution."""
    return _history(Play(puzzle.game, turns=puzzle.turns))


@show.register
def show_value(value: GameValue) -> str:
    """The value, and how both sides play."""
    return show_blocks(value_report(value).blocks)


@show.register
def show_bounds(board: BoardBounds) -> str:
    """What is known of how many guesses a board needs."""
    return show_blocks(bounds_report(board).blocks)


@show.register
def show_set(answer: FixedSet) -> str:
    """The guesses of a fixed set, or how many are needed at least."""
    return show_blocks(set_report(answer).blocks)


@show.register
def show_optimum(optimum: Optimum) -> str:
    """The best tree; a sentence where there is none."""
    try:
        return show_tree(optimum.tree)
    except StrategyError as error:
        return f"<p>{escape(translated(error))}</p>"


@show.register
def show_verification(checked: Verification) -> str:
    """What a tree does against every secret, and what is wrong with it."""
    return show_blocks(verified(checked, checked.problems, checked.count))


@show.register
def show_losses(lost: Losses) -> str:
    """The guesses lost by turn, and the positions that cost most."""
    table = losses_table({tr("guesses"): lost})
    return show_blocks([table, *(Sentence(loss_words(each)) for each in lost.positions[:3])])


@show.register
def show_standing(standing: Standing) -> str:
    """The figures of a strategy, a sentence where it has not won a game."""
    if not any(standing.histogram):
        return f"<p>{tr('No strategy has finished.')}</p>"
    return show_blocks([standings_block([standing])])


@show.register
def show_card(card: Card) -> str:
    """A strategy with its source, its paragraph and its options."""
    return show_blocks([Items((card_item(card, with_options=True),))])


def _titled(picture: str, caption: str) -> str:
    return (
        f'<div style="display:flex;gap:18px;align-items:center;margin:6px 0">{picture}'
        f"<span>{escape(caption)}</span></div>"
    )


def _html_table(heads: list[str], rows: list[list[str]]) -> str:
    """A table whose columns of numbers are set to the right."""
    numeric = [
        all(cell.strip("+-–.,\u202f0123456789") == "" and cell for cell in column)
        for column in zip(*rows, strict=True)
    ] or [False] * len(heads)
    looks = [_NUMBER if right else _CELL for right in numeric]
    head = "".join(
        f'<th scope="col" style="{look}">{words}</th>'
        for look, words in zip(looks, heads, strict=True)
    )
    body = "".join(
        "<tr>"
        + "".join(f'<td style="{look}">{cell}</td>' for look, cell in zip(looks, row, strict=True))
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
