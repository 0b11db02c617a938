"""Guesses and marks that are said in turn: in a chat, under labels, or together in a line.

`moi: AABB / toi: 1 noir` has a turn, and so have `Guess: 1389 - Reply: 0 Bulls` and lines of a chat
with names and times. `AABB XO ABCC X` has two.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from pegwise.errors import InputError
from pegwise.game import game_of
from pegwise.game.marking import Places
from pegwise.game.rules import MAX_PEGS, Rules
from pegwise.game.signs import unaccented
from pegwise.reading.codes import signs_of
from pegwise.reading.forms import is_letter, is_nothing
from pegwise.reading.marks import readings_of
from pegwise.reading.vocabulary import COLOR_WORDS


class Utterance(NamedTuple):
    """A line of a dialogue: its speaker or label, and the text."""

    line: int
    speaker: str
    text: str


_TIME: Final = (
    r"(?i)[\[(]?(?:[0-9]{1,2}[/.][0-9]{1,2}[/.][0-9]{2,4},?\s+)?[0-9]{1,2}[:h][0-9]{2}(?::[0-9]{2})?"
    r"(?:\s?[ap]m)?[\])]?\s+(?:[-–—|]\s*)?"
)
_SAID: Final = r"(?i)(?:[-*•>]\s+)?(?:<([^<>]{1,30})>|([^\W\d_][\w .'#]{0,30}?)\s*[:=])\s*(\S.*)"
_NEXT: Final = (
    r"\s+[/–—|-]\s+(?=[^\W\d_]+\s?[:=])|\s*;\s+(?=[^\W\d_]+\s?[:=])|\s+(?=[^\W\d_]{3,}:\s)"
)
"""What stands between two labels in one line."""

_LABELS: Final = frozenset(
    {
        *("guess", "try", "move", "code", "question", "proposition", "essai", "coup", "tentative"),
        *("me", "i", "you", "moi", "je", "toi", "tu", "player", "joueur", "computer"),
        *("ordinateur", "result", "reply", "response", "answer", "feedback", "score", "hint"),
        *("mark", "reponse", "réponse", "resultat", "résultat", "indice", "clue"),
    }
)
"""Labels that are no guesses, of however many letters."""


def is_mark(text: str, guess: str) -> bool:
    """Whether a text can be a mark of a guess, of letters also one for each place."""
    pegs = len(guess)
    if not 1 <= pegs <= MAX_PEGS or is_letter(text):
        return False
    boards = [game_of(Rules(pegs, 26))]
    if pegs <= Places.widest and not guess[0].isdecimal():
        boards.append(game_of(Rules(pegs, 26, marks="placed")))
    for rules in boards:
        with suppress(InputError):
            readings_of(text, rules)
            return True
    return False


def dialogue_turns(text: str) -> list[tuple[Utterance, Utterance]]:
    """Guesses with their marks, as two speakers or two labels have them; none in another text."""
    said: list[Utterance] = []
    for number, line in enumerate(text.split("\n"), 1):
        for part in filter(str.strip, re.split(_NEXT, re.sub(_TIME, "", line.strip()))):
            speech = re.fullmatch(_SAID, part.strip())
            if speech is None:
                return []
            speaker = re.sub(r"[\d#.\s]+", " ", speech[1] or speech[2]).strip().casefold()
            said.append(Utterance(number, speaker, speech[3].strip()))
    guesses, marks = said[::2], said[1::2]
    speakers = [{each.speaker for each in side} for side in (guesses, marks)]
    if len(guesses) != len(marks) or [*map(len, speakers)] != [1, 1] or speakers[0] == speakers[1]:
        return []
    if all(map(_is_noted, said)):  # a guess and its mark in each line, as in `AABB: 2 1`
        return []
    turns = [*zip(guesses, marks, strict=True)]
    return turns if all(_is_turn(guess, mark, len(turns)) for guess, mark in turns) else []


def _is_noted(said: Utterance) -> bool:
    """Whether the name is a guess itself, of which the mark is said."""
    signs = None if said.speaker in _LABELS else signs_of(said.speaker)
    return signs is not None and is_mark(said.text, "".join(sign[0] for sign in signs.signs))


def _is_turn(guess: Utterance, mark: Utterance, n: int) -> bool:
    """Whether one says a guess, the other its mark, and their names are no guesses."""
    signs = signs_of(guess.text)
    if signs is None or len(signs.signs) < 2:
        return False
    code = "".join(sign[0] for sign in signs.signs)
    named = n > 1 or guess.speaker in _LABELS or len(guess.speaker) != len(signs.signs)
    return named and not is_mark(guess.text, code) and is_mark(mark.text, code)


_HEAD: Final = (
    r"(?<!\S)([^\W\d_]{3,16}|[0-9]{3,16})(?=\s|[=:]|->|=>|→)(?:\s*(?:=>|->|→|:|=)\s*|\s+)"
)
_WITHIN_MARKS: Final = frozenset({"and", "also", "plus", "avec", "with", "puis", "then"})
"""Words between the counts of a mark, which may be as long as a guess."""

_NUMBERED: Final = (
    r"(?i)(?<!\S)(?:(?:guess|turn|move|try|round|essai|coup|tour|clue|indice)\s*)?"
    r"#?([0-9]{1,2})\s?[:.)]\s+"
)


def turns_in_line(line: str) -> list[str]:
    """The turns that stand one after the other in a line, set apart by blanks or by numbers."""
    numbers = [*re.finditer(_NUMBERED, line)]
    counted = [int(number[1]) for number in numbers]
    if len(numbers) > 1 and numbers[0].start() == 0 and counted == [*range(1, len(numbers) + 1)]:
        ends = [number.start() for number in numbers[1:]] + [len(line)]
        turns = [
            line[number.end() : end].strip(" ,;/")
            for number, end in zip(numbers, ends, strict=True)
        ]
        # not the numbers of `1 4 5 2: XO`: written alike, each before a guess of one length
        forms = {re.sub(r"[0-9\s]", "", number[0]).casefold() for number in numbers}
        guesses = {len(turn.split()[0]) if turn else 0 for turn in turns}
        if len(forms) == len(guesses) == 1 and min(guesses) > 2:
            return [f"{n}. {turn}" for n, turn in enumerate(turns, 1)]
    heads = _guesses_in(line)
    if len(heads) < 2:
        return [line]
    ends = [head.start() for head in heads[1:]] + [len(line)]
    marks = [line[head.end() : end].strip(" ,;/") for head, end in zip(heads, ends, strict=True)]
    guess = heads[0][1]
    if is_mark(line[heads[0].end() :], guess) or not all(is_mark(mark, guess) for mark in marks):
        return [line]
    return [line[head.start() : end].strip(" ,;/") for head, end in zip(heads, ends, strict=True)]


def _is_color(word: str, before: str) -> bool:
    """Whether a word is a color of a guess; that of a mark stands behind a number."""
    return unaccented(word) in COLOR_WORDS and not before.rstrip()[-1:].isdecimal()


def _guesses_in(line: str) -> Sequence[re.Match[str]]:
    """Where guesses of one length and kind begin in a line that begins with one."""
    heads = [*re.finditer(_HEAD, line)]
    if not heads or heads[0].start() > 0:
        return []
    alike = [head for head in heads if len(head[1]) == len(heads[0][1])]
    if any(_is_color(head[1], line[: head.start()]) for head in alike):  # one color of a guess
        return []
    first = heads[0][1]
    return [
        head
        for head in heads
        if len(head[1]) == len(first)
        and head[1].isdecimal() == first.isdecimal()
        and (head is heads[0] or not is_mark(head[1], first))
        and not is_nothing(head[1])
        and head[1].casefold() not in _WITHIN_MARKS
    ]
