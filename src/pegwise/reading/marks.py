"""Marks as people write them: one text, or all of a history together.

What one mark leaves open (`b` is black in English, *blanc* in French) another one may tell: so
`marks_together` reads the marks of a history in as few forms as it can, each way with its cost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Final, NamedTuple

from pegwise.errors import AmbiguousError, MarkError, Phrase, quoted
from pegwise.game import Game, GameLike, game_of
from pegwise.game.marking import Places
from pegwise.game.marks import Mark, PartialMark
from pegwise.game.rules import MAX_PEGS, Rules
from pegwise.game.signs import plain
from pegwise.reading import costs
from pegwise.reading.codes import Reading, signs_of
from pegwise.reading.forms import (
    COUNTING,
    DASHES,
    PAIR,
    SECOND,
    WHITE_FIRST,
    Form,
    PlaceForm,
    SignForm,
    forms_of,
    is_nothing,
    is_won,
)
from pegwise.reading.vocabulary import LINES


class MarkReading(NamedTuple):
    """A mark, and the form that a text has it in."""

    text: str
    mark: Mark
    form: Form
    cost: int

    @property
    def unusual(self) -> bool:
        """Whether numbers are read in it in another way than usual."""
        return self.cost >= costs.UNUSUAL and not isinstance(self.form, SignForm)


def meanings_told(readings: Iterable[MarkReading], rules: Game) -> list[str]:
    """Sentences that explain the signs of some marks by form, where they cost something.

    The form of the game's own words goes without saying.
    """
    own = "" if rules.marking.words is None else rules.marking.words.form
    texts: dict[Form, list[str]] = {}
    for each in readings:
        if each.form.name != own and each.cost:
            texts.setdefault(each.form, []).append(each.text)
    return [form.meaning(", ".join(row)) for form, row in texts.items()]


def is_short(text: str, pegs: int) -> bool:
    """Whether dashes or dots for nothing are neither one nor as many as the pegs."""
    return len(text) not in (1, pegs) and re.fullmatch(DASHES, text) is not None


def _read_in(
    forms: Sequence[Form], text: str, rules: Game, asked: str | None, *, french: bool
) -> list[MarkReading]:
    """The readings of a text in each form that it is in; nothing and all are so in any form."""
    readings = [
        MarkReading(text, mark, form, form.cost_of(text, rules, french=french))
        for form in forms
        if (mark := form.read(text, rules)) is not None
    ]
    if rules.marking.listed or not (is_nothing(text) or is_won(text)):
        return readings
    any_form = next((form for form in forms if form.name == asked), forms[0])
    mark = rules.marking.legal[-1 if is_won(text) else 0]
    cost = costs.SHORT * (asked is None and not rules.marking.cells and is_short(text, rules.pegs))
    others = [each for each in readings if each.mark != mark and not is_won(text)]
    return [MarkReading(text, mark, any_form, cost), *others]


def readings_of(
    text: str, rules: Game, *, french: bool = False, form: str | None = None
) -> tuple[MarkReading, ...]:
    """The marks that a text may be, at least one; a MarkError where it is none.

    Args:
        text: the mark.
        rules: of the game.
        french: a lone `b` may stand for *blanc*.
        form: the name of the only form that is read; forms of other signs are read besides. That
            of the game's own words when None.
    """
    bare = " ".join(plain(text).split())
    if bare.startswith("- ") and bare[3:4].strip():  # a dash between guess and mark
        raise rules.marking.unreadable(text)
    if form is None and rules.marking.words is not None:
        form = rules.marking.words.form
    forms = forms_of(rules)
    if form in COUNTING:
        forms = tuple(each for each in forms if each.name == form or each.name not in COUNTING)
    readings = _read_in(forms, bare, rules, form, french=french)
    trimmed = LINES["trimmed"].fullmatch(bare)
    if trimmed is not None and all(each.form.clear for each in readings):  # by its dot
        within = next(filter(None, trimmed.groups()), "").strip()
        for each in _read_in(forms, within, rules, form, french=french):
            readings.append(each._replace(cost=each.cost + costs.SHORT * bare.endswith("..")))
    if form is not None and (own := [each for each in readings if each.form.name == form]):
        readings = own if len(own) == 1 or not is_nothing(own[0].text) else own[1:]
    if not readings:
        raise rules.marking.unreadable(text)
    legal = tuple(each for each in readings if rules.marking.completions(each.mark))
    if not legal or (form is None and all(each.form.name in SECOND for each in legal)):
        usual = min(readings, key=lambda each: each.cost)
        rules.marking.check(usual.mark, quoted(text))
    return legal


@lru_cache(maxsize=4096)
def is_turn(guess: str, mark: str) -> bool:
    """Whether two texts may be a guess and its mark, of letters also one for each place."""
    signs = signs_of(guess)
    if signs is None or len(signs.signs) > MAX_PEGS:
        return False
    for rules in _boards(len(signs.signs), letters=signs.kind == "letters"):
        with suppress(MarkError):
            readings_of(mark, rules)
            return True
    return False


@lru_cache(maxsize=64)
def _boards(pegs: int, *, letters: bool) -> list[Game]:
    """Boards of many colors with each kind of marks."""
    placed = ["placed"] * (letters and pegs <= Places.widest)
    return [game_of(Rules(pegs, 26, marks=marks)) for marks in ("", *placed, "black")]


# The readings of the marks of a history.


class MarksRead(NamedTuple):
    """The marks of a history as they may be meant, with what that costs."""

    readings: tuple[MarkReading, ...]
    cost: int

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks."""
        return tuple(each.mark for each in self.readings)


_MOST: Final = 48  # ways to read the marks so far that are gone on with


def marks_together(turns: Sequence[Sequence[MarkReading]], pegs: int) -> list[MarksRead]:
    """The ways to read the marks of a history, each with other marks, the cheapest first.

    `turns` has the readings of each mark. One text is always read alike. Nothing and all, which
    all forms have, are read in a form that another mark has.
    """
    texts = {readings[0].text: readings for readings in turns}
    free = [text for text in texts if is_won(text) or is_nothing(text)]
    if len(free) == len(texts):  # a row of dashes or dots may tell how the others are meant
        free = [text for text in free if text != next((t for t in free if is_short(t, pegs)), "")]
    ways: list[dict[str, MarkReading]] = [{}]
    for text, readings in texts.items():
        if text not in free:
            ways = [{**way, text: each} for way in ways for each in readings]
            ways = sorted(ways, key=_cost)[:_MOST]
    rows: dict[tuple[Mark, ...], MarksRead] = {}
    for way in ways:
        cost, used = _cost(way), [each.form for each in way.values()]
        for text in free:
            same = [each for each in texts[text] if each.form in used]
            way[text] = same[0] if same else texts[text][0]._replace(cost=costs.DOCUMENTED)
        row = MarksRead(tuple(way[readings[0].text] for readings in turns), cost)
        rows.setdefault(row.marks, row)
    return [row for row in rows.values() if row.cost < costs.IMPOSSIBLE]


def _cost(way: dict[str, MarkReading]) -> int:
    """What forms cost, each as in its clearest mark, and what a history says against them.

    Signs by place have one meaning each, and each meaning one sign.
    """
    forms: dict[Form, list[MarkReading]] = {}
    for each in sorted(way.values(), key=lambda each: each.cost):
        forms.setdefault(each.form, []).append(each)
    total = costs.MIXED * max(0, len(forms) - 1)
    for form, row in forms.items():
        total += row[0].cost + costs.ONE_PAIR * (form.name == WHITE_FIRST and len(row) == 1)
        if form.clear and not any(re.search(form.clear, each.text) for each in row):
            total += costs.UNCLEAR
        if isinstance(form, PlaceForm):
            signs = "".join(form.signs(each.text) for each in row)
            total += costs.IMPOSSIBLE * (form.places(signs) is None)
    return total


def decide_marks(rows: Sequence[MarksRead]) -> MarksRead:
    """The cheapest reading of some marks; AmbiguousError where others are about as cheap."""
    near = [row for row in rows if row.cost < rows[0].cost + costs.FAR]
    if len(near) > 1:
        raise AmbiguousError.of(*question_of(near))
    return rows[0]


def question_of(rows: Sequence[MarksRead]) -> tuple[Phrase, list[Reading]]:
    """The question which reading of some marks is meant: of the first mark in which they differ."""
    first = rows[0].readings
    at = next(k for k in range(len(first)) if len({row.readings[k].mark for row in rows}) > 1)
    readings = {row.readings[at].mark: row.readings[at] for row in reversed(rows)}
    return Phrase("mark {text}", text=quoted(first[at].text)), [
        (
            Phrase("{mark}: {meaning}", mark=each.mark, meaning=each.form.meaning(each.text)),
            Phrase("--marks {name}", name=each.form.name),
            {"marks": each.form.name},
        )
        for each in reversed(readings.values())
    ]


def parse_mark(text: str, game: GameLike, *, french: bool = False, form: str | None = None) -> Mark:
    """Read a mark: `XXO`, `xxo`, `●●○`, `2b1w`, `(2, 1)`, `2 1`, `21`; `-`, `0`, `none` or `rien`.

    Dots may fill up the signs (`XXO.`). Counts may have words (`2 blacks 1 white`, `1 bull 2
    cows`, `1A2B`, `2n1b`), or stand in a sentence (`one number is correct and well placed`). With
    only black marks one number is enough, and two digits are one number. Marks by place have a
    sign for each place: `GY--G`, `21002`, `🟩🟨⬛⬛🟩`. `french`: `b` alone may stand for *blanc*;
    `form` is the way to write marks that is meant where several are possible.

    A MarkError quotes the text and says what may be written, or why the mark cannot happen, with
    the nearest marks that can. AmbiguousError: it may be several marks.

    Examples:
        >>> pegwise.parse_mark("XOO", "4x6")
        Mark(black=1, white=2)
        >>> pegwise.parse_mark("1 black 2 white", "4x6")
        Mark(black=1, white=2)
    """
    return read_mark(text, game_of(game), french=french, form=form).mark


@lru_cache(maxsize=1024)
def read_mark(
    text: str, rules: Game, *, french: bool = False, form: str | None = None
) -> MarkReading:
    """A mark by itself, with the form that it is in; arguments and errors as `parse_mark`.

    The marks of a game are few, and come again and again.
    """
    readings = readings_of(text, rules, french=french, form=form)
    if form is None and all(each.unusual for each in readings):
        for pair in (each for each in forms_of(rules) if each.name == PAIR):
            if mark := pair.read(readings[0].text, rules):  # only another way of counting allows it
                rules.marking.check(mark, quoted(text))
    return decide_marks(marks_together([readings], rules.pegs)).readings[0]


def check_mark(mark: Sequence[int] | str, rules: Game, *, full: bool = False) -> Mark:
    """The mark (black, white), or that of a text, if it can happen; MarkError if not.

    With `full`, MarkError for one that is noted in part, too.
    """
    written = isinstance(mark, str) and rules.text
    checked = parse_mark(str(mark), rules) if written else rules.marking.of(mark)
    if full and isinstance(checked, PartialMark):
        raise MarkError("the mark {mark} is not noted in full", mark=checked)
    return checked
