"""Guesses and marks that are said in turn: in a chat, or under labels.

`moi: AABB / toi: 1 noir` has a turn, and so have `Guess: 1389 - Reply: 0 Bulls` and lines of a chat
with names and times.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from pegwise.reading.codes import signs_of
from pegwise.reading.marks import is_turn


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

LABELS: Final = frozenset(
    {
        *("guess", "try", "move", "code", "question", "proposition", "essai", "coup", "tentative"),
        *("me", "i", "you", "moi", "je", "toi", "tu", "player", "joueur", "computer"),
        *("ordinateur", "result", "reply", "response", "answer", "feedback", "score", "hint"),
        *("mark", "reponse", "réponse", "resultat", "résultat", "indice", "clue"),
    }
)
"""Labels that are no guesses, of however many letters."""


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
    return turns if all(_is_said(guess, mark, len(turns)) for guess, mark in turns) else []


def _is_noted(said: Utterance) -> bool:
    """Whether the name is a guess itself, of which the mark is said."""
    return said.speaker not in LABELS and is_turn(said.speaker, said.text)


def _is_said(guess: Utterance, mark: Utterance, n: int) -> bool:
    """Whether one says a guess, the other its mark, and their names are no guesses."""
    signs = signs_of(guess.text)
    if signs is None or len(signs.signs) < 2:
        return False
    named = n > 1 or guess.speaker in LABELS or len(guess.speaker) != len(signs.signs)
    return named and is_turn(guess.text, mark.text) and not is_turn(guess.text, guess.text)
