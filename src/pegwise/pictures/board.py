"""Boards: a history of turns, a code, a mark, the colors of some rules, as SVG.

Pegs carry their letters; marks are small grids of disc (exact), ring (misplaced) and speck
(nothing). Each drawing is a whole document that says its title and what it shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pegwise.errors import InputError
from pegwise.game import Code, Game, GameLike, Turns, game_of
from pegwise.i18n import figure, tr, trn
from pegwise.pictures import svg
from pegwise.reading import check_turns
from pegwise.telling.words import code_words, codes, mark_words, rules_words

_PEG: Final = 46.0
_STEP: Final = _PEG * 1.28
_ROW: Final = 60.0
_DISC: Final = 13.0
_PAD: Final = 32.0
_GAP: Final = 32.0
_NUMBER: Final = 20.0


def board_svg(
    game: GameLike,
    turns: Turns,
    *,
    candidates: Sequence[int] | None = None,
    secret: Iterable[int] | str | None = None,
    title: str | None = None,
    theme: svg.Theme = "auto",
) -> str:
    """A history as a board, first turn on top.

    Args:
        game: what is played, also as it is written (`4x6`).
        turns: guess and mark of every turn, also as they are written (`AABB=XO`).
        candidates: how many codes were left after each turn, or None; not shown of a win.
        secret: shown in a last row, below a line.
        title: heading; without it the title is only spoken.
        theme: `auto`, `light`, `dark`, or `page` (see `svg.Theme`).

    Raises:
        InputError: what the rules do not allow, or not one count of candidates a turn.

    Examples:
        >>> pegwise.board_svg("4x6", "AABB=XO", secret="ABCD")[:4]
        '<svg'
    """
    game = game_of(game)
    history = check_turns(turns, game)
    hidden = None if secret is None else game.alphabet.check(secret, secret=True)
    if candidates is not None and len(candidates) != len(history):
        raise InputError(
            "{n_candidates} counts of candidates for {n_history} turns",
            n_candidates=len(candidates),
            n_history=len(history),
        )
    sheet = svg.Sheet(_PEG, theme)
    drawn = [game.marking.winning, *(mark for _, mark in history)]
    mark_width = max(svg.mark_size(mark, game.pegs, _DISC)[0] for mark in drawn)
    left_of_pegs = _PAD + _NUMBER + 12
    left_of_mark = left_of_pegs + _STEP * game.pegs - (_STEP - _PEG) + _GAP
    width = left_of_mark + mark_width + _PAD
    if candidates:
        width += _GAP + svg.text_width(tr("{n:,} left", n=max(candidates)), 15)
    if title:
        width = max(width, svg.text_width(title, 17) + 2 * _PAD)
    top = _PAD - 8 + (40 if title else 0)

    body = [svg.text(_PAD, _PAD + 6, title, 17, font_weight="600")] if title else []
    said: list[str] = []
    for row, (guess, mark) in enumerate(history):
        y = top + _ROW * (row + 0.5)
        body.append(svg.text(_PAD, y, str(row + 1), 13, "soft"))
        body.append(sheet.code(guess, left_of_pegs + _PEG / 2, y, _STEP))
        _, height = svg.mark_size(mark, game.pegs, _DISC)
        body.append(svg.mark_grid(mark, game.pegs, left_of_mark, y - height / 2, _DISC))
        remaining = ""
        if candidates is not None and mark != game.marking.winning:
            body.append(_left(candidates[row], width - _PAD, y))
            remaining = trn("; {n:,} code left", "; {n:,} codes left", candidates[row])
        words = {"code": code_words(guess), "mark": mark_words(mark, game)}
        said.append(
            tr("Turn {n}, {code}: {mark}{remaining}.", n=row + 1, remaining=remaining, **words)
        )
    bottom = top + _ROW * len(history)
    if hidden is not None:
        if history:
            body.append(svg.rule(_PAD, width - _PAD, bottom + 8))
            bottom += 16
        y = bottom + _ROW / 2
        body.append(sheet.code(hidden, left_of_pegs + _PEG / 2, y, _STEP))
        body.append(svg.text(left_of_mark, y, tr("secret"), 13, "soft"))
        said.append(tr("The secret: {code}.", code=code_words(hidden)))
        width = max(width, left_of_mark + 40 + _PAD)
        bottom += _ROW
    if not history and hidden is None:
        body.append(svg.text(_PAD, top + _ROW / 2, tr("No turn yet"), 15, "soft"))
        bottom += _ROW
    height = bottom + _PAD - 8
    return svg.document(
        body,
        width,
        height,
        title=title or trn("{n} turn of {rules}", "{n} turns of {rules}", len(history), rules=game),
        description=" ".join(said) or tr("No turn yet."),
        theme=theme,
        ground=svg.card(width, height, framed=True),
        sheets=[sheet],
    )


def code_svg(code: Iterable[int], *, size: float = 30, theme: svg.Theme = "auto") -> str:
    """A code as a row of pegs with this diameter, without a ground."""
    pegs = code if isinstance(code, Code) else Code(code)
    sheet = svg.Sheet(size, theme, shadow=False)
    step = size * 1.2
    drawn = sheet.code(pegs, size / 2, size / 2, step)
    width = max(step * len(pegs) - (step - size), 1)
    return svg.document([drawn], width, size, title=code_words(pegs), theme=theme, sheets=[sheet])


def rules_svg(rules: Game, *, theme: svg.Theme = "auto") -> str:
    """The colors of some rules, with the rules in words and the number of codes."""
    size, step = 30.0, 38.0
    sheet = svg.Sheet(size, theme, shadow=False)
    words = rules_words(rules)
    number = codes(rules.n_secrets)
    columns = min(rules.colors, 13)
    rows = -(-rules.colors // columns)
    width = max(step * columns, svg.text_width(words, 15)) + 2 * 24
    height = 24 + step * rows + 64
    body = []
    for number_of_sign, sign in enumerate(rules.alphabet.signs):
        row, column = divmod(number_of_sign, columns)
        x, y = 24 + size / 2 + step * column, 24 + step * (row + 0.5)
        body.append(sheet.code(rules.alphabet.of([sign]), x, y, step))
    body.append(svg.text(24, height - 52, words, 15, font_weight="600"))
    body.append(svg.text(24, height - 30, number, 13, "soft"))
    return svg.document(
        body,
        width,
        height,
        title=tr("Rules {rules}", rules=rules),
        description=tr("{words}; {codes}.", words=words, codes=number),
        theme=theme,
        ground=svg.card(width, height, framed=True),
        sheets=[sheet],
    )


def _left(candidates: int, x: float, y: float) -> str:
    number = figure(candidates, ",")
    words = tr("{n:,} left", n=candidates).partition(number)
    shown = svg.element("tspan", number, font_size=15, font_weight="600", **svg.tone("ink"))
    soft = {"font_size": 13, **svg.tone("soft")}
    rest = "".join(svg.element("tspan", part, **soft) for part in words[::2] if part)
    return svg.element("text", shown + rest, x=x, y=y + 5, text_anchor="end")
