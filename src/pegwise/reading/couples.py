"""Guesses as pairs of names, `Ann-Ben`, where colors and places have names of their own.

So people note a season of *Are You The One*: a night pairs everybody, a truth booth one pair, which
is a match or none. A text is rewritten into guesses in names of colors before it is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pegwise.errors import CodeError, quoted
from pegwise.game import Game
from pegwise.game.codes import HOLE_SIGN
from pegwise.game.signs import plain, unaccented
from pegwise.reading.codes import check_colors, names_apart

_PAIR: Final = r"[^\s,;:=/|().-]+-[^\s,;:=/|().-]+"
_PAIRS: Final = re.compile(rf"{_PAIR}(?:(?:\s*,\s*|[ \t]+){_PAIR})*")
_BOOTH: Final = re.compile(
    r"\s*[:=]?\s*(?:(yes|oui|(?:perfect )?match)|(no match|no|pas un match|non))\b", re.IGNORECASE
)
"""What a truth booth says of one pair: that it is a match, or none."""


class Couples:
    """The names of a game in which each color belongs to a place.

    Args:
        game: a game whose guesses may have holes, if one pair alone is to be asked for.
        colors: names of the colors, in their order.
        places: names of the places, in their order.

    Raises:
        CodeError: too few names, too many, doubles, or names that cannot be written in a pair.
    """

    def __init__(self, game: Game, colors: Sequence[str], places: Sequence[str]) -> None:
        self.colors = check_colors(colors, game)
        self.places = tuple(name.strip() for name in places)
        self._color = {unaccented(name): name for name in self.colors}
        self._place = {unaccented(name): k for k, name in enumerate(self.places)}
        if not names_apart(self.places) or any("-" in name for name in self.colors + self.places):
            raise CodeError(
                "places {names}: write each name as one word, without a hyphen",
                names=quoted(",".join(places)),
            )
        if len(self.places) != game.pegs or len(self._place) != game.pegs:
            raise CodeError(
                "places {names}: give {n} different names for {rules}, set apart by commas",
                names=quoted(",".join(places)),
                n=game.pegs,
                rules=game,
            )
        if both := sorted({*self._color} & {*self._place}):
            name = self._color[both[0]]
            raise CodeError("{name} is the name of a color and of a place", name=quoted(name))

    def rewritten(self, text: str) -> str:
        """A text with names of colors, place by place, instead of pairs; a dot is nobody.

        Of one pair alone the mark may be `yes` or `no`. CodeError: a pair of unknown names, or a
        place twice.
        """
        text, parts, start = plain(text), [], 0
        for match in _PAIRS.finditer(text):
            pairs = re.findall(_PAIR, match[0])
            parts += [text[start : match.start()], self._guess(pairs)]
            start = match.end()
            told = _BOOTH.match(text, start) if len(pairs) == 1 else None
            if told is not None:
                parts.append(f": {int(told[1] is not None)}")
                start = told.end()
        return "".join([*parts, text[start:]])

    def _guess(self, pairs: Sequence[str]) -> str:
        """The names of colors of some pairs, in the order of the places."""
        names = [HOLE_SIGN] * len(self.places)
        for pair in pairs:
            one, other = map(unaccented, pair.split("-"))
            color, place = (one, other) if one in self._color else (other, one)
            if color not in self._color or place not in self._place:
                raise CodeError(
                    "{pair} is no pair of a color and a place; colors: {colors}; places: {places}",
                    pair=quoted(pair),
                    colors=", ".join(self.colors),
                    places=", ".join(self.places),
                )
            if names[self._place[place]] != HOLE_SIGN:
                raise CodeError(
                    "{pair}: {place} is in two pairs",
                    pair=quoted(pair),
                    place=self.places[self._place[place]],
                )
            names[self._place[place]] = self._color[color]
        return " ".join(names)
