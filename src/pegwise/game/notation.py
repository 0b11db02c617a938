"""How codes and marks are written: as they were typed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from pegwise.game.codes import HOLE, Code, Word
from pegwise.game.game import Game
from pegwise.game.marks import Mark, PlacedMark
from pegwise.game.named import MarkWords
from pegwise.game.turns import Turn

_HOLE_SIGN: Final = "."


@dataclass(frozen=True, slots=True)
class Notation:
    """How codes and marks are written.

    Attributes:
        codes: `letters`, `digits`, `discs`, or `names` for names of one's own.
        marks: one of `MARK_NOTATIONS`.
        names: with `names`, what each color is called: letters, words or discs.
        first: with `digits`, the number of the first color, 0 or 1.
        colors: how many the board has; digits of more than ten colors are numbers of one width.
        words: the words of marks that the game has of its own; None for none.
        places: names of the places; a code is then written in pairs of names, such as `Ann-Ben`.
    """

    codes: str = "letters"
    marks: str = "pegs"
    names: tuple[str, ...] = ()
    first: int = 1
    colors: int = 0
    words: MarkWords | None = None
    places: tuple[str, ...] = ()

    @classmethod
    def of(cls, game: Game) -> Notation:
        """How a game is written where nothing was typed yet: digits where its codes are such."""
        codes = "digits" if game.alphabet.in_digits else "letters"
        return cls(codes, colors=game.colors, words=game.marking.words)

    def in_words_of(self, game: Game) -> Notation:
        """This notation with the words that a game has for its marks."""
        return replace(self, words=game.marking.words)

    def code(self, code: Code) -> str:
        """A code; CodeError where a color has no sign."""
        if isinstance(code, Word):
            return code.write()
        if self.places and len(code) == len(self.places):
            pairs = zip(code, self.places, strict=True)
            return " ".join(f"{self.names[peg]}-{place}" for peg, place in pairs if peg != HOLE)
        if self.codes == "names":
            between = "" if all(len(name) == 1 for name in self.names) else " "
            return between.join(_HOLE_SIGN if peg == HOLE else self.names[peg] for peg in code)
        if self.codes != "digits" or (self.first and self.colors <= 10):
            return code.write(self.codes)
        last = self.colors - 1 + self.first
        between, width = ("", 1) if last < 10 else (",", len(str(last)))
        return between.join(
            _HOLE_SIGN if peg == HOLE else f"{peg + self.first:0{width}}" for peg in code
        )

    def mark(self, mark: Mark) -> str:
        """A mark; in the words of the game, unless it was noted in part."""
        if self.words is not None and not mark.partial:
            return self.words.write(mark.black, mark.white)
        return mark.write(self.marks)

    def sign(self, sign: Any) -> str:
        """A code, a mark or a turn; what another game has, as it prints itself."""
        if isinstance(sign, Code):
            return self.code(sign)
        if isinstance(sign, Turn):
            return f"{self.sign(sign.guess)}={self.sign(sign.mark)}"
        return self.mark(sign) if isinstance(sign, Mark | PlacedMark) else str(sign)

    @property
    def own_names(self) -> tuple[str, ...]:
        """Names of the colors, where they are not called by letters, or digits from 1."""
        if self.codes == "names":
            return self.names
        if self.codes == "digits" and not self.first:
            return tuple(map(str, range(self.colors)))
        return ()

    @property
    def apart(self) -> str:
        """The separator of the colors of a code."""
        if self.codes == "names" and any(len(name) > 1 for name in self.names):
            return " "
        last = self.colors - 1 + self.first
        return "," if self.codes == "digits" and last > 10 else ""


LETTERS: Final = Notation()


def named(names: tuple[str, ...]) -> Notation:
    """Names of one's own for the colors, or letters where there are none."""
    return Notation("names", names=names) if names else LETTERS
