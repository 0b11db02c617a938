"""Trees as SVG: a small one whole, from left to right; a large one as a summary.

Both work for every game: guesses that are codes are drawn as pegs and their marks as grids, those
of other games are written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeGuard

from pegwise.errors import TooLargeError
from pegwise.game import Code, Mark, PlacedMark
from pegwise.i18n import figure, tr, trn
from pegwise.pictures import svg
from pegwise.telling.trees import tree_title
from pegwise.telling.words import codes, guess_words, histogram_words, mark_words

if TYPE_CHECKING:
    from pegwise.trees import Tree
MAX_NODES: Final = 400  # trees with more nodes than this are not drawn whole
_PAD: Final = 32.0
_PEG: Final = 23.0
_STEP: Final = 26.0
_CHIP: Final = 33.0
_ROW: Final = 42.0
_CURVE: Final = 44.0
_DISC: Final = 8.0
_HEAD: Final = 60.0
_LONGEST: Final = 24  # signs of a written guess or mark
_DASHED: Final[dict[str, svg.Attribute]] = {
    "fill": "none",
    "stroke_width": 1.5,
    "stroke_dasharray": "3 4",
    **svg.tone("edge", "line"),
}


def tree_svg(tree: Tree, *, max_nodes: int = MAX_NODES, theme: svg.Theme = "auto") -> str:
    """A whole tree from left to right: guesses, and on each edge its mark and the codes left.

    TooLargeError where the tree has more than `max_nodes` nodes.
    """
    if len(tree) > max_nodes:
        raise TooLargeError(
            "the tree of {tree} has {nodes} nodes, too many to draw whole (at most {most}); "
            "draw its summary (tree_summary_svg), or write it as Graphviz",
            tree=tree_title(tree),
            nodes=len(tree),
            most=max_nodes,
        )
    layout = _lay_out(tree)
    sheet = svg.Sheet(_PEG, theme, shadow=False)
    edges, nodes = [], []
    for node in range(len(tree)):
        x, y = layout.x[node], layout.y[node]
        if node:
            parent = int(tree.nodes.parent[node])
            start = layout.x[parent] + layout.chip
            edges.append(_edge(start, layout.y[parent], x - layout.label, y))
            mark = tree.game.mark(int(tree.nodes.mark[node]))
            size = figure(tree.node_sizes[node], ",")
            nodes.append(_draw_mark(mark, tree, x - layout.label + 8, y, _DISC))
            nodes.append(svg.text(x - 8, y, size, 13, "soft", text_anchor="end"))
        look = svg.tone("sunk") if tree.nodes.wins[node] else _DASHED
        nodes.append(svg.rect(x, y - _CHIP / 2, layout.chip, _CHIP, rx=12.0, **look))
        nodes.append(_draw_guess(_guess(tree, node), sheet, x + 8, y, _STEP))
    nodes_words = trn("{n:,} node", "{n:,} nodes", len(tree))
    secrets = trn("{n:,} secret", "{n:,} secrets", tree.game.n_secrets)
    means = tr("mean {mean:.3f}, worst {worst}", mean=tree.mean, worst=tree.worst)
    facts = f"{nodes_words}, {secrets}, {means}"
    legend = tr("On an edge: its mark, and how many codes are left.")
    if not tree.nodes.wins.all():
        legend += " " + tr("Dashed: a guess that cannot be the secret.")
    title = tree_title(tree)
    longest = max(svg.text_width(line, 13) for line in (title, facts, legend))
    width = max(layout.width, longest + 2 * _PAD)
    height = layout.height + 40
    body = [
        svg.text(_PAD, _PAD, title, 17, font_weight="600"),
        svg.text(_PAD, _PAD + 22, facts, 13, "soft"),
        *edges,
        *nodes,
        svg.text(_PAD, height - 30, legend, 13, "soft"),
    ]
    ground, labels = svg.card(width, height), _labels(tree, facts)
    return svg.document(body, width, height, **labels, theme=theme, ground=ground, sheets=[sheet])


def _labels(tree: Tree, description: str) -> dict[str, str]:
    return {"title": tr("Tree of {title}", title=tree_title(tree)), "description": description}


def _guess(tree: Tree, node: int) -> Any:
    return tree.game.guess(int(tree.nodes.guess[node]))


def _draw_guess(guess: Any, sheet: svg.Sheet, x: float, y: float, step: float) -> str:
    """A guess of any game with its left end at x and its middle at height y."""
    if isinstance(guess, Code):
        return sheet.code(guess, x + sheet.peg_size / 2, y, step)
    return svg.text(x, y, _short(guess), round(sheet.peg_size * 0.57), font_weight="600")


def _draw_mark(mark: Any, tree: Tree, x: float, y: float, disc: float) -> str:
    """A mark of any game with its left end at x and its middle at height y."""
    if _in_pegs(mark):
        pegs = len(_guess(tree, 0))
        return svg.mark_grid(mark, pegs, x, y - svg.mark_size(mark, pegs, disc)[1] / 2, disc)
    return svg.text(x, y, _short(mark), 13)


class _Layout(NamedTuple):
    """Left ends and middles of the chips of nodes; widths of a chip and of a label."""

    x: list[float]
    y: list[float]
    chip: float
    label: float
    width: float
    height: float


def _lay_out(tree: Tree) -> _Layout:
    """Leaves in rows below each other, every other node midway between its outer children."""
    children = [tree.children(node) for node in range(len(tree))]
    leaves = [1] * len(tree)
    for node in reversed(range(len(tree))):
        leaves[node] = sum(leaves[child] for child in children[node]) or 1
    first_row = [0] * len(tree)
    for node, below in enumerate(children):
        row = first_row[node]
        for child in below:
            first_row[child] = row
            row += leaves[child]
    y = [_HEAD + _PAD + _ROW * (row + 0.5) for row in first_row]
    for node in reversed(range(len(tree))):
        if below := children[node]:
            y[node] = (y[below[0]] + y[below[-1]]) / 2

    game = tree.game
    guesses = [game.guess(guess) for guess in set(tree.nodes.guess.tolist())]
    marks = [game.mark(mark) for mark in set(tree.nodes.mark[1:].tolist())]
    chip = 16 + max(_width(guess, tree) for guess in guesses)
    widest = max((_width(mark, tree) for mark in marks), default=0.0)
    label = 8 + widest + 10 + svg.text_width(figure(game.n_secrets, ","), 13) + 8
    x = [_PAD + (depth - 1) * (chip + _CURVE + label) for depth in tree.node_depths.tolist()]
    return _Layout(x, y, chip, label, max(x) + chip + _PAD, _HEAD + 2 * _PAD + _ROW * leaves[0])


def _edge(x0: float, y0: float, x1: float, y1: float) -> str:
    middle = (x0 + x1) / 2
    path = f"M{x0:.1f} {y0:.1f}C{middle:.1f} {y0:.1f} {middle:.1f} {y1:.1f} {x1:.1f} {y1:.1f}"
    return svg.element("path", d=path, fill="none", stroke_width=1.5, **svg.tone("faint", "line"))


def _width(value: Any, tree: Tree) -> float:
    """How wide a guess or a mark is drawn."""
    if isinstance(value, Code):
        return _STEP * len(value) - (_STEP - _PEG)
    if _in_pegs(value):
        return svg.mark_size(value, len(_guess(tree, 0)), _DISC)[0]
    return svg.text_width(_short(value), 13)


def _in_pegs(mark: Any) -> TypeGuard[Mark]:
    """Whether a mark is drawn peg by peg, not as text."""
    return isinstance(mark, Mark) and bool(mark.each_peg(1))


def _short(value: Any) -> str:
    words = str(value)
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


_LARGE_PEG: Final = 40.0
_STAT: Final = 128.0
_BARS: Final = 110.0
_PART_ROW: Final = 40.0
_MOST_PARTS: Final = 14


class _Part(NamedTuple):
    """A part of the first guess; its node is None where the guess wins."""

    size: int
    mark: int
    node: int | None


def tree_summary_svg(tree: Tree, *, theme: svg.Theme = "auto") -> str:
    """First guess, figures, how many secrets need how many guesses, and the first parts."""
    large, small = svg.Sheet(_LARGE_PEG, theme), svg.Sheet(_PEG, theme, shadow=False)
    guess = _guess(tree, 0)
    pegs = len(guess) if hasattr(guess, "__len__") else 1
    step = _LARGE_PEG * 1.28
    width = max(720.0, step * pegs + 2 * _PAD, 430 + _STEP * pegs + _PAD)
    parts = _parts(tree)
    stats = [
        (figure(tree.mean, ".3f"), tr("mean")),
        (figure(tree.worst, ","), tr("worst")),
        (figure(tree.total, ","), tr("total")),
        (figure(len(parts), ","), tr("first parts")),
        (figure(parts[0].size, ","), tr("in the largest")),
    ]
    body = [
        svg.text(_PAD, _PAD + 4, tree_title(tree), 17, font_weight="600"),
        _draw_guess(guess, large, _PAD, 88, step),
    ]
    for column, (value, words) in enumerate(stats):
        x = _PAD + column * _STAT
        body.append(svg.text(x, 146, value, 26, font_weight="600", letter_spacing="-.03em"))
        body.append(svg.text(x, 172, words, 13, "soft"))
    body.append(_histogram(tree.histogram, width, 212))
    top = 212 + 34 + _BARS + 56
    body.append(svg.text(_PAD, top, tr("Parts of the first guess"), 15, font_weight="600"))
    top += 22
    words_width = max(150.0, *(_words_width(tree, part.mark) for part in parts))
    for row, part in enumerate(parts[:_MOST_PARTS]):
        y = top + _PART_ROW * row
        if row:
            body.append(svg.rule(_PAD, width - _PAD, y))
        body.append(_part_row(tree, part, parts[0].size, small, width, y, words_width))
    bottom = top + _PART_ROW * min(len(parts), _MOST_PARTS)
    if rest := parts[_MOST_PARTS:]:
        words = trn(
            "and {n:,} smaller part with {codes}",
            "and {n:,} smaller parts with {codes}",
            len(rest),
            codes=codes(sum(part.size for part in rest)),
        )
        body.append(svg.text(_PAD, bottom + 16, words, 13, "soft"))
        bottom += 28
    description = tr(
        "First guess {guess}; {nodes}, mean {mean:.3f}, worst {worst}. Secrets found: {depths}.",
        guess=guess_words(guess),
        nodes=trn("{n:,} node", "{n:,} nodes", len(tree)),
        mean=tree.mean,
        worst=tree.worst,
        depths=histogram_words(tree.histogram),
    )
    height, sheets = bottom + 20, [large, small]
    ground, labels = svg.card(width, height), _labels(tree, description)
    return svg.document(body, width, height, **labels, theme=theme, ground=ground, sheets=sheets)


def _parts(tree: Tree) -> list[_Part]:
    """The parts of the first guess, largest first."""
    parts = [
        _Part(int(tree.node_sizes[node]), int(tree.nodes.mark[node]), node)
        for node in tree.children(0)
    ]
    if tree.nodes.wins[0]:
        parts.append(_Part(1, tree.game.winning, None))
    return sorted(parts, key=lambda part: (-part.size, part.mark))


def _histogram(histogram: Sequence[int], width: float, top: float) -> str:
    """Bars of secrets by the number of guesses they need."""
    body = [svg.text(_PAD, top, tr("Secrets by guesses needed"), 15, font_weight="600")]
    step = min((width - 2 * _PAD) / len(histogram), 96.0)
    floor = top + 34 + _BARS
    wide_enough = step >= svg.text_width(figure(max(histogram), ","), 13) * 0.9
    every = max(1, -(-24 // int(max(step, 1))))  # labels do not touch
    for depth, secrets in enumerate(histogram, 1):
        x = _PAD + (depth - 1) * step
        height = max(2.0, (_BARS - 8) * secrets / max(histogram)) if secrets else 1.0
        color = svg.tone("accent" if secrets else "line")
        bar = max(step - 6, step * 0.7)
        body.append(svg.rect(x, floor - height, bar, height, rx=min(3.0, height / 2), **color))
        center = x + bar / 2
        if wide_enough and secrets:
            number = figure(secrets, ",")
            body.append(svg.text(center, floor - height - 11, number, 13, text_anchor="middle"))
        if depth % every == 0 or every == 1:
            body.append(svg.text(center, floor + 14, str(depth), 13, "soft", text_anchor="middle"))
    return "".join(body)


def _part_row(
    tree: Tree,
    part: _Part,
    largest: int,
    sheet: svg.Sheet,
    width: float,
    top: float,
    words_width: float,
) -> str:
    """One part: its mark, its size as bar and number, and the guess that follows."""
    y = top + _PART_ROW / 2
    mark = tree.game.mark(part.mark)
    body = [_draw_mark(mark, tree, _PAD, y, 10)]
    words_at = _PAD
    if _in_pegs(mark):
        words_at += max(34.0, svg.mark_size(mark, len(_guess(tree, 0)), 10)[0] + 12)
        body.append(svg.text(words_at, y, _part_words(mark), 13))
    first = _guess(tree, 0)
    space = max(60.0, _STEP * len(first) - 3) if isinstance(first, tuple) else 120.0
    guess_at = width - _PAD - space
    bar_at = words_at + words_width
    bar = max(3.0, (guess_at - 64 - bar_at) * part.size / largest)
    number = figure(part.size, ",")
    body.append(svg.rect(bar_at, y - 4, bar, 8, rx=4, **svg.tone("edge")))
    body.append(svg.text(guess_at - 20, y, number, 15, text_anchor="end", font_weight="500"))
    if part.node is None:
        body.append(svg.text(guess_at, y, tr("solved"), 13, "soft"))
    else:
        body.append(_draw_guess(_guess(tree, part.node), sheet, guess_at, y, _STEP))
    return "".join(body)


def _words_width(tree: Tree, mark_number: int) -> float:
    """The room for a mark in words, in any language."""
    mark = tree.game.mark(mark_number)
    return 0.85 * svg.text_width(_part_words(mark), 13) + 12 if _in_pegs(mark) else 0.0


def _part_words(mark: Mark) -> str:
    """A mark in words; squares tell one of places better."""
    return "" if isinstance(mark, PlacedMark) else mark_words(mark)
