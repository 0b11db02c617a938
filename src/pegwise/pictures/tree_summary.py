"""The summary of a tree of any size, as SVG: first guess, figures, depths and first parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pegwise.game import Mark
from pegwise.language import figure, tr, trn
from pegwise.pictures.svg import (
    Sheet,
    definitions,
    document,
    element,
    mark_size,
    rect,
    text,
    text_width,
    tone,
)
from pegwise.pictures.theme import Theme
from pegwise.pictures.tree_svg import draw_guess, draw_mark, tree_title
from pegwise.pictures.words import codes, guess_words, mark_words

if TYPE_CHECKING:
    from pegwise.trees import Tree

__all__ = ["tree_summary_svg"]

_PAD: Final = 32.0
_PEG: Final = 40.0
_SMALL: Final = 23.0
_STAT: Final = 128.0
_BARS: Final = 110.0
_ROW: Final = 40.0
_MOST_PARTS: Final = 14


def tree_summary_svg(tree: Tree, *, theme: Theme = "auto") -> str:
    """First guess, figures, how many secrets need how many guesses, and the first parts.

    Raises:
        InputError: an unknown theme.
    """
    large, small = Sheet(_PEG, theme), Sheet(_SMALL, theme, shadow=False)
    guess = tree.game.guess(int(tree.nodes.guess[0]))
    pegs = len(guess) if hasattr(guess, "__len__") else 1
    width = max(720.0, _PEG * 1.28 * pegs + 2 * _PAD, 430 + 26.0 * pegs + _PAD)
    parts = _parts(tree)
    figures = [
        (figure(tree.mean, ".3f"), tr("mean")),
        (figure(tree.worst, ","), tr("worst")),
        (figure(tree.total, ","), tr("total")),
        (figure(len(parts), ","), tr("first parts")),
        (figure(parts[0][0], ","), tr("in the largest")),
    ]
    title = tree_title(tree)
    body = [
        text(_PAD, _PAD + 4, title, 17, font_weight="600"),
        draw_guess(guess, large, _PAD, 88, _PEG * 1.28),
    ]
    for column, (value, words) in enumerate(figures):
        x = _PAD + column * _STAT
        body.append(text(x, 146, value, 26, font_weight="600", letter_spacing="-.03em"))
        body.append(text(x, 172, words, 13, "soft"))
    body.append(_histogram(tree.histogram(), width, 212))
    top = 212 + 34 + _BARS + 56
    body.append(text(_PAD, top, tr("Parts of the first guess"), 15, font_weight="600"))
    top += 22
    words_width = max(150.0, *(_words_width(tree, mark) for _, mark, _ in parts))
    for row, part in enumerate(parts[:_MOST_PARTS]):
        body.append(
            _part_row(tree, part, parts[0][0], small, width, top + _ROW * row, row > 0, words_width)
        )
    bottom = top + _ROW * min(len(parts), _MOST_PARTS)
    if len(parts) > _MOST_PARTS:
        rest = parts[_MOST_PARTS:]
        words = trn(
            "and {n:,} smaller part with {codes}",
            "and {n:,} smaller parts with {codes}",
            len(rest),
            codes=codes(sum(size for size, _, _ in rest)),
        )
        body.append(text(_PAD, bottom + 16, words, 13, "soft"))
        bottom += 28
    height = bottom + 20
    ground = rect(0, 0, width, height, rx=24, **tone("card"))
    depths = ", ".join(
        tr("{n:,} in {k}", n=secrets, k=depth)
        for depth, secrets in enumerate(tree.histogram(), 1)
        if secrets
    )
    return document(
        ground + definitions(large, small) + "".join(body),
        width,
        height,
        title=tr("Tree of {title}", title=title),
        description=tr(
            "First guess {guess}; {nodes}, mean {mean:.3f}, worst {worst}. Secrets found: "
            "{depths}.",
            guess=guess_words(guess),
            nodes=trn("{n:,} node", "{n:,} nodes", len(tree)),
            mean=tree.mean,
            worst=tree.worst,
            depths=depths,
        ),
        theme=theme,
    )


def _parts(tree: Tree) -> list[tuple[int, int, int | None]]:
    """(size, mark, child) of each part of the first guess, largest first; no child if it wins."""
    sizes = tree.node_sizes
    parts: list[tuple[int, int, int | None]] = [
        (int(sizes[child]), int(tree.nodes.mark[child]), child) for child in tree.children(0)
    ]
    if tree.nodes.wins[0]:
        parts.append((1, tree.game.winning, None))
    return sorted(parts, key=lambda part: (-part[0], part[1]))


def _histogram(histogram: list[int], width: float, top: float) -> str:
    """Bars of secrets by the number of guesses they need."""
    body = [text(_PAD, top, tr("Secrets by guesses needed"), 15, font_weight="600")]
    step = min((width - 2 * _PAD) / len(histogram), 96.0)
    floor = top + 34 + _BARS
    wide_enough = step >= text_width(figure(max(histogram), ","), 13) * 0.9
    every = max(1, -(-24 // int(max(step, 1))))  # label only so many that they do not touch
    for depth, secrets in enumerate(histogram, 1):
        x = _PAD + (depth - 1) * step
        height = max(2.0, (_BARS - 8) * secrets / max(histogram)) if secrets else 1.0
        color = tone("accent" if secrets else "line")
        bar = max(step - 6, step * 0.7)
        body.append(rect(x, floor - height, bar, height, rx=min(3.0, height / 2), **color))
        center = x + bar / 2
        if wide_enough and secrets:
            number = figure(secrets, ",")
            body.append(text(center, floor - height - 11, number, 13, text_anchor="middle"))
        if depth % every == 0 or every == 1:
            body.append(text(center, floor + 14, str(depth), 13, "soft", text_anchor="middle"))
    return "".join(body)


def _part_row(
    tree: Tree,
    part: tuple[int, int, int | None],
    largest: int,
    small: Sheet,
    width: float,
    top: float,
    ruled: bool,
    words_width: float,
) -> str:
    """A line for one part: its mark, its size as bar and number, and the guess that follows."""
    size, mark_number, child = part
    y = top + _ROW / 2
    mark = tree.game.mark(mark_number)
    body = []
    if ruled:
        line = tone("line", "line")
        body.append(element("path", d=f"M{_PAD:g} {top:g}H{width - _PAD:g}", fill="none", **line))
    words_at = _PAD
    if isinstance(mark, Mark):
        body.append(draw_mark(mark, tree, _PAD, y, 10))
        words_at += max(34.0, mark_size(len(tree.game.guess(0)), 10)[0] + 12)
        body.append(text(words_at, y, mark_words(mark), 13))
    else:
        body.append(draw_mark(mark, tree, _PAD, y, 10))
    guess = None if child is None else tree.game.guess(int(tree.nodes.guess[child]))
    guess_at = width - _PAD - _guess_space(tree)
    bar_at = words_at + words_width
    room = guess_at - 64 - bar_at
    body.append(rect(bar_at, y - 4, max(3.0, room * size / largest), 8, rx=4, **tone("edge")))
    body.append(text(guess_at - 20, y, figure(size, ","), 15, text_anchor="end", font_weight="500"))
    if guess is None:
        body.append(text(guess_at, y, tr("solved"), 13, "soft"))
    else:
        body.append(draw_guess(guess, small, guess_at, y, 26))
    return "".join(body)


def _words_width(tree: Tree, mark_number: int) -> float:
    """The room for a mark in words, in any language."""
    mark = tree.game.mark(mark_number)
    return 0.85 * text_width(mark_words(mark), 13) + 12 if isinstance(mark, Mark) else 0.0


def _guess_space(tree: Tree) -> float:
    guess = tree.game.guess(0)
    return max(60.0, 26.0 * len(guess) - 3) if isinstance(guess, tuple) else 120.0
