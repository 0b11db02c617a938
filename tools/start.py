"""Write what the start page, Learn and link previews show: results of races, icons, a picture.

python -m tools.start
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import vl_convert

import pegwise
import pegwise.web
from pegwise.game import Rules, board_game, parse_code
from pegwise.pictures.board import board_svg
from pegwise.pictures.svg import circle, document, element, rect, text, tone
from pegwise.strategies import parse
from pegwise.strategies.registry import cards
from pegwise.trees import build, play

STATIC = Path(pegwise.web.__file__).parent / "static"
RACERS = ("optimal", "knuth", "first", "marechal-rastoix-1")
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
ORDER = 2026
"""The seed of the order in which the codes are sought."""


def race() -> str:
    """How many guesses each strategy needs for every code of 4x6, a digit for each code."""
    game = board_game(Rules())
    order = list(range(game.n_secrets))
    random.Random(ORDER).shuffle(order)
    entrants = {}
    for name in RACERS:
        depths = build(game, parse(name)).depths
        entrants[name] = "".join(DIGITS[depths[number]] for number in order)
    return json.dumps(entrants, indent=1) + "\n"


def figures() -> str:
    """The total and the worst of every strategy on 4x6."""
    names = [card.id for card in cards()]
    standings = pegwise.race(Rules(), names).standings
    return json.dumps({s.strategy: [s.total, s.worst] for s in standings}, indent=1) + "\n"


def sign(x: float, y: float, disc: float) -> str:
    """The sign of pegwise, an exact and a misplaced peg, from the left around a height."""
    ring = tone("ink", "line")
    return circle(x + disc / 2, y, disc / 2, **tone("ink")) + circle(
        x + 1.7 * disc, y, 0.41 * disc, fill="none", stroke_width=0.18 * disc, **ring
    )


def icon() -> str:
    """The icon of the site, with room for the masks of phones."""
    return document(
        [rect(0, 0, 192, 192, **tone("bg")), sign(41, 96, 50)], 192, 192, title="pegwise"
    )


def preview() -> str:
    """The picture of a link to the site: a game by the strategy that is proven best."""
    rules = Rules()
    turns = play(board_game(rules), parse("optimal"), parse_code("EEFC", rules))
    board = board_svg(rules, turns, theme="light")
    scale, height = 1.62, 60 * len(turns) + 56
    placed = element(
        "g", board, transform=f"translate(524 {315 - scale * height / 2:g}) scale({scale})"
    )
    body = [
        rect(0, 0, 1200, 630, **tone("bg")),
        sign(84, 250, 62),
        text(79, 352, "pegwise", 92, font_weight="600", letter_spacing="-2"),
        text(84, 442, "Mastermind", 40, "soft"),
        placed,
    ]
    return document(body, 1200, 630, title="pegwise", theme="light")


def main() -> None:
    """Write the files."""
    (STATIC / "start_race.json").write_text(race(), encoding="utf-8")
    (STATIC.parent / "strategies.json").write_text(figures(), encoding="utf-8")
    for size in (192, 512):
        drawn = vl_convert.svg_to_png(icon(), scale=size / 192)
        (STATIC / f"icon-{size}.png").write_bytes(drawn)
    (STATIC / "preview.png").write_bytes(vl_convert.svg_to_png(preview(), scale=1))


if __name__ == "__main__":
    main()
