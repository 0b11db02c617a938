"""Histories that are sent or pasted: what they mean, and what was inferred."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple
from urllib.parse import parse_qsl

from pydantic import BaseModel

from pegwise.errors import AmbiguousError, InputError, PegwiseError, Phrase, UnknownNameError
from pegwise.game import Game, Turn
from pegwise.game.names import SEVERAL
from pegwise.i18n import SOURCE, speaking, translated
from pegwise.playing import Play
from pegwise.playing.record import names_boards, parse_game
from pegwise.reading import HistoryReader, Interpretation, read_rows
from pegwise.reading.codes import check_colors, names_in, paints_of
from pegwise.reading.forms import form_names
from pegwise.web.inputs import (
    SentTurn,
    check_count,
    history_text,
    is_form,
    query_of,
    rules_of,
    sent_turns,
)

MOST_TEXT: Final = 5_000
"""Characters of turns that are pasted."""


class NumberedTurns(NamedTuple):
    """Turns that were sent, as they were read.

    Attributes:
        noted: the history of those that count.
        numbers: the number of each of these turns, from 1.
        n_turns: how many there are, ignored ones too.
    """

    noted: Interpretation
    numbers: tuple[int, ...]
    n_turns: int

    @property
    def rules(self) -> Game:
        """Of the game."""
        return self.noted.game

    @property
    def turns(self) -> dict[int, Turn]:
        """The turns that count, by their number."""
        return dict(zip(self.numbers, self.noted.turns, strict=True))

    @property
    def history(self) -> tuple[Turn, ...]:
        """The turns that count."""
        return self.noted.turns

    def read_as(self, language: str) -> dict[str, str]:
        """Describe in JSON how they were read, where something was inferred."""
        with speaking(language):
            return {"read_as": translated(self.noted.told)} if self.noted.read_as else {}


def read_sent(
    rules: Game | None,
    sent: Sequence[SentTurn] | str,
    *,
    colors: Sequence[str] = (),
    marks: str | None = None,
    language: str = SOURCE,
) -> NumberedTurns:
    """Turns that were sent, read together; those that are ignored are not read.

    An InputError begins with the number of the turn. AmbiguousError as `read_history`.
    """
    reader = HistoryReader(rules, colors=colors, marks=marks, french=language == "fr")
    if isinstance(sent, str):
        noted = reader.read(sent)
        check_count(noted.turns)
        return NumberedTurns(noted, tuple(range(1, len(noted.turns) + 1)), len(noted.turns))
    counted = {
        number: (turn.guess, turn.mark) for number, turn in enumerate(sent, 1) if not turn.ignored
    }
    try:
        noted = reader.read_turns(counted)
    except AmbiguousError:
        raise
    except InputError as error:
        problem = Phrase("turn {n}: {problem}", n=reader.line, problem=error)
        raise type(error)(problem) from None
    return NumberedTurns(noted, tuple(counted), len(sent))


def history_of(text: str, rules: Game) -> tuple[Turn, ...]:
    """The turns of an address that count."""
    return read_sent(rules, sent_turns(text)).history


# What is pasted into a page.


@dataclass(frozen=True, slots=True)
class Pasted:
    """A text of turns as a page shows it.

    Attributes:
        text: the turns, as they were pasted.
        chosen: the choices of how to read it: `rules`, `colors` and `marks`.
        noted: the history; None where it could not be read.
        rows: those of squares, where the text has no guesses.
        play: the turns, where they are on several boards.
        told: what was inferred, as a sentence.
        question: where it may mean several things, each in words with the query that chooses it.
        error: why it could not be read.
        others: how the marks may be meant besides: the form, in words, and the query that
            chooses it.
    """

    text: str = ""
    chosen: Mapping[str, str] = field(default_factory=dict)
    noted: Interpretation | None = None
    rows: Interpretation | None = None
    play: Play | None = None
    told: str = ""
    question: tuple[tuple[str, str], ...] = ()
    error: PegwiseError | None = None
    others: tuple[tuple[str, str, str], ...] = ()

    @property
    def address(self) -> str:
        """The query of an address that shows this reading."""
        if self.play is not None:
            return query_of({"rules": self.play.name, "history": history_text(self.play.turns)})
        if self.noted is None:
            return ""
        state = {"rules": self.noted.game, "history": history_text(self.noted.turns)}
        return query_of({**state, "colors": ",".join(shown_names(self.noted))})


def pasted(query: Mapping[str, str], language: str) -> Pasted:
    """Read the `text` of a query as its `rules`, `colors` and `marks` tell."""
    text = query.get("text", "")[:MOST_TEXT]
    chosen = {name: query[name] for name in ("rules", "colors", "marks") if query.get(name)}
    if not text.strip():
        rules = chosen.get("rules", "")
        return Pasted(chosen=chosen, play=Play.of(rules)) if SEVERAL.fullmatch(rules) else Pasted()
    whole = with_boards(text, chosen)
    try:
        if names_boards(whole):
            return Pasted(text, chosen, play=parse_game(whole, "", several=True).play)
        reader = reader_of(chosen, language)
        if (rows := read_rows(text, chosen.get("rules"), marks=chosen.get("marks"))) is not None:
            with speaking(language):
                told = translated(rows.told)
            return Pasted(text, chosen, rows=rows, told=told)
        noted = reader.read(text)
        if not noted.turns:
            raise InputError("write guesses with their marks, as in AABC O / DDEF XX")
        check_count(noted.turns)
    except AmbiguousError as error:
        question = tuple(
            (words, query_of({"text": text, **chosen, **dict(parse_qsl(choice))}))
            for words, choice in questions(error, language)
        )
        return Pasted(text, chosen, question=question)
    except PegwiseError as error:
        return Pasted(text, chosen, error=error)
    with speaking(language):
        state = {"text": text, **chosen}
        others = tuple(
            (row.form, translated(row.meant), query_of({**state, "marks": row.form}))
            for row in noted.others
        )
        return Pasted(text, chosen, noted, told=translated(noted.told), others=others)


def with_boards(text: str, chosen: Mapping[str, str]) -> str:
    """A text of turns, below the rules that are told where these are of several boards."""
    whole = f"{chosen.get('rules', '')}\n{text}"
    return whole if names_boards(whole) and not names_boards(text) else text


def reader_of(chosen: Mapping[str, str], language: str) -> HistoryReader:
    """A reader as `rules`, `colors` and `marks` tell; UnknownNameError for a form of marks."""
    marks = chosen.get("marks")
    if marks is not None and marks not in form_names():
        raise UnknownNameError.of("form of marks", marks, form_names())
    colors = names_in(chosen["colors"]) if "colors" in chosen else ()
    return HistoryReader(chosen.get("rules"), colors=colors, marks=marks, french=language == "fr")


def questions(error: AmbiguousError, language: str) -> tuple[tuple[str, str], ...]:
    """The readings of a text in words, each with the query that chooses it."""
    with speaking(language):
        return tuple((translated(words), _query(choice)) for words, choice in error.readings)


def _query(choice: Mapping[str, object]) -> str:
    """The query of a choice, in which a game is `rules`, as on every page."""
    texts = {k: ",".join(v) if isinstance(v, tuple) else str(v) for k, v in choice.items()}
    return query_of({{"game": "rules"}.get(name, name): text for name, text in texts.items()})


# Names of colors on a page.


_ON_PEG: Final = 8  # letters of a name that a peg has room for


class ColorName(BaseModel):
    """The name of a color on a page, and how it is painted.

    `label` stands on the peg; `paint` is the English name of a color, or empty.
    """

    name: str
    label: str
    paint: str


def color_names(names: Sequence[str], language: str = SOURCE) -> list[ColorName]:
    """The names of colors as a page shows them."""
    rows = zip(names, _labels(names), paints_of(names, french=language == "fr"), strict=True)
    return [ColorName(name=name, label=label, paint=paint) for name, label, paint in rows]


def shown_names(noted: Interpretation) -> tuple[str, ...]:
    """What colors are called on a page: as they were typed, also where these were digits."""
    notation, alphabet = noted.notation, noted.game.alphabet
    if notation.own_names or notation.codes != "digits" or alphabet.in_digits:
        return notation.own_names
    last = alphabet.colors
    return tuple(str(n % 10 if last <= 10 else n) for n in range(1, last + 1))


def _labels(names: Sequence[str]) -> Iterator[str]:
    """What stands on a peg: the name, or as many letters of a long one as tell it apart."""
    folded = [name.casefold() for name in names]
    for name, own in zip(names, folded, strict=True):
        others = [other for other in folded if other != own]
        sizes = range(_ON_PEG, len(name) + 1)
        size = next((n for n in sizes if not any(o.startswith(own[:n]) for o in others)), len(name))
        yield name[:size].upper() if len(name) == 1 else name[:size]


def address_of_form(page: str, query: Mapping[str, str]) -> str:
    """The address of a page for what the form for rules has sent, with its names of colors."""
    rules = rules_of(query)
    return f"{page}?{query_of({'rules': rules, 'colors': ','.join(colors_of(query, rules))})}"


def colors_of(query: Mapping[str, str], rules: Game) -> tuple[str, ...]:
    """The names of colors in an address, or in the form for rules, where `colors` is a number.

    CodeError: others than the board has.
    """
    text = query.get("names" if is_form(query) else "colors")
    return check_colors(names_in(text), rules) if text else ()
