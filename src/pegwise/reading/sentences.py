"""What is said of pegs in sentences: `one number is correct and well placed`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pegwise.game.game import Game
from pegwise.game.marks import Mark
from pegwise.game.signs import unaccented
from pegwise.reading.vocabulary import (
    ALL,
    AMONG,
    ANOTHER,
    BLACK,
    BOTH,
    NEITHER,
    NONE,
    NUMBERS,
    ONE,
    OTHER,
    SENTENCE,
    WHITE,
    WRONG,
)

_SHORTEST: Final = len("place")  # what they match is no shorter
_OTHER: Final = rf"\b(?:{OTHER})$"
"""The other one of two, which is not as the first one: `one is well placed, the other is not`."""

_NEITHER: Final = rf"(?<=[a-z0-9] )(?:{NEITHER}) BLACK"
"""None of the correct ones in place: `two are correct, but neither is in the right place`."""

_AMONG: Final = rf"\b(?:{AMONG})\b"
"""Words for some of the correct ones: `two are correct, but one is misplaced`."""

_ONE: Final = rf"\b(?:{ONE})"
_MOST: Final = 200  # characters of a sentence
_STRANGE: Final = r"[^\w\s,.;:!?'’\"()/&«»–—-]"
"""A character that no sentence has."""


def sentence_mark(rules: Game, text: str, *, inclusive: bool = False) -> Mark | None:
    """The mark of a sentence: `one number is correct and well placed`; None where it is none.

    In `3 correct, 1 in the right place` the three may be all that are correct, with `inclusive`,
    or those that are not in place. A word that is not in the vocabulary makes it none: `not` or
    `except` may turn its sense.
    """
    if len(text) > _MOST or re.search(_STRANGE, text):
        return None
    words = " ".join(re.findall(r"[a-z0-9]+", re.sub(r"\(e?s\)", "", unaccented(text))))
    if len(words) >= _SHORTEST:
        words = " ".join(re.sub(BLACK, " BLACK ", re.sub(WHITE, " WHITE ", words)).split())
        words = re.sub(_NEITHER, "WHITE", words)
    other = re.search(_OTHER, words)
    if other is not None:
        kinds = [word for word in words.split() if word in ("BLACK", "WHITE")]
        if len(kinds) != 1:
            return None
        words = f"{words[: other.start()]} 1 {'WHITE' if kinds[0] == 'BLACK' else 'BLACK'}"
    words = re.sub(_ONE, "one ", words)
    if _says_nothing(words.split(), rules):
        return Mark(0)
    inclusive = inclusive or re.search(_AMONG, words) is not None
    parts: list[int | str] = []
    for word in re.sub(_AMONG, " ", words).split():
        if word in ("BLACK", "WHITE"):
            parts.append(word)
        elif word in NUMBERS or (word.isdecimal() and len(word) < 3):
            parts.append(NUMBERS[word] if word in NUMBERS else int(word))
        elif word in ANOTHER:
            parts.append(1)
        elif word in BOTH or word in ALL:
            parts.append(2 if word in BOTH else rules.pegs)
        elif word not in SENTENCE:
            return None
    if other is not None and len(parts) != 5:
        return None  # it is not told that both are correct
    return _counted(parts, rules, inclusive=inclusive)


def _says_nothing(words: Sequence[str], rules: Game) -> bool:
    """Whether words say that nothing is right: `no number is correct`, `all three are wrong`."""
    told = {word for word in words if word not in SENTENCE and NUMBERS.get(word, 0) != rules.pegs}
    if told & WRONG:
        return bool(told & ALL) and told <= ALL | WRONG
    if len(words) > 1 and all(len(word) == 1 for word in words):  # `A, 0` ends a guess
        return False
    return bool(told) and told <= NONE and (len(words) > 1 or words[0] not in ("zero", "0"))


def says_all(rules: Game, text: str) -> bool:
    """Whether a sentence can be read in one way only."""
    marks = {sentence_mark(rules, text, inclusive=inclusive) for inclusive in (False, True)}
    return len(marks) == 1


def _counted(parts: list[int | str], rules: Game, *, inclusive: bool) -> Mark | None:
    """Numbers, each with what it is said of after it, or before it."""
    if rules.marking.counted == "X" and len(parts) == 1 and isinstance(parts[0], int):
        return Mark(parts[0])  # `2 correct`
    if len(parts) == 3:
        return _of_correct(parts, inclusive=inclusive)
    if len(parts) > 3 and isinstance(parts[0], int) and isinstance(parts[1], int):
        total, *parts = parts  # `two are correct, one well placed, one wrongly placed`
        if total != sum(part for part in parts if isinstance(part, int)):
            return None
    return paired(parts)


def paired(parts: Sequence[int | str]) -> Mark | None:
    """The mark of numbers, each with its kind after it, or before it; None for other parts."""
    numbers, kinds = parts[::2], parts[1::2]
    if parts and isinstance(parts[0], str):
        numbers, kinds = kinds, numbers
    counts = dict(zip(kinds, numbers, strict=False))
    if not 0 < len(counts) == len(numbers) == len(kinds) or not {*counts} <= {"BLACK", "WHITE"}:
        return None
    black, white = counts.get("BLACK", 0), counts.get("WHITE", 0)
    return Mark(black, white) if isinstance(black, int) and isinstance(white, int) else None


def _of_correct(parts: list[int | str], *, inclusive: bool) -> Mark | None:
    """`3 correct, 1 in the right place`: a number of correct ones, and one of a kind of them."""
    match parts:
        case [int(correct), int(number), str(kind)] | [int(number), str(kind), int(correct)]:
            other = correct - number if inclusive else correct
        case _:
            return None
    if other < 0:
        return None
    return Mark(number, other) if kind == "BLACK" else Mark(other, number)
