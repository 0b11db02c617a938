"""The forms of marks: the ways in which people write them, each with what it costs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Final, NamedTuple

from pegwise.errors import Phrase
from pegwise.game.marks import Mark, PartialMark, PlacedMark
from pegwise.game.rules import Rules
from pegwise.game.signs import plain, unaccented
from pegwise.reading import costs
from pegwise.reading.sentences import says_all, sentence_mark
from pegwise.reading.vocabulary import BETWEEN, COUNTS, NOTHING, NUMBERS, PLACE_WORDS, WON
from pegwise.reading.words.language import LETTERS

Read = Callable[[str], Mark | None]


class Form(NamedTuple):
    """A way to write marks.

    Attributes:
        name: what the option `--marks` calls it.
        read: the mark of a text; None where the text is not of this form.
        meaning: what the signs of a text mean.
        cost: of reading a text so; what costs something is told.
        signs: of a row, or of a mark by place: those of nothing, white and black.
        placed: whether it has a sign for each place.
    """

    name: str
    read: Read
    meaning: Callable[[str], str]
    cost: Callable[[str], int]
    signs: tuple[str, str, str] | None = None
    placed: bool = False


def _says(phrase: str, _text: str) -> str:
    return phrase


def _costs(cost: int, _text: str) -> int:
    return cost


# Nothing in common, in every form.

DASHES: Final = r"([-._·\u2013\u2014])\1{0,15}"
"""A dash, a dot or a low line, or a row of them."""


@lru_cache(maxsize=1024)
def is_nothing(text: str) -> bool:
    """Whether a text says that nothing is right."""
    words = unaccented(plain(text)).strip()
    return words in NOTHING or re.fullmatch(DASHES, words) is not None


def is_won(text: str) -> bool:
    """Whether a text says that the guess is the secret."""
    return unaccented(plain(text)).strip(" !.") in WON


# Marks for every place: signs of what is absent, elsewhere and right. Within a history each sign
# has one meaning, and each meaning one sign; so `xxxxg` has x for absent, as g is right.

_PLACE_FORMS: Final = (
    ("x-right", "-._0", "oO○", "xX●", ""),
    ("x-absent", "xX-._", "oO", "gGvV", "xXoO"),
    ("green-yellow", "-._0xXbBwWkK⬛⬜", "yY", "gGvV", ""),
    ("gris-jaune-vert", "gGnN-._xX", "jJ", "vV", "jJvV"),
    ("jaune", "-._xX0", "jJ", "gG", "jJ"),
    ("plus", "/._0", "-", "+", "+/"),
    ("plus-minus", "-._0", "", "+", "+"),
    ("digits", "0", "1", "2", ""),
    ("squares", "⬛⬜◻◼⚫⚪🟫", "🟨🟡", "🟩🟢", ""),
    ("contrast", "⬛⬜◻◼⚫⚪🟫", "🟦🔵", "🟧🟠", ""),
    ("motus", "🟦🔵", "🟨🟡", "🟥🔴", ""),
    ("motus", "bB-._", "jJyY", "rR", "rR"),
    ("red-absent", "🟥🔴", "🟨🟡", "🟩🟢", "🟥🔴"),
)
"""Name, then the signs of absent, elsewhere and right, then signs of which one must occur."""

_TOLD: Final = frozenset("-.012yYgG⬛⬜🟨🟩")
"""Signs that go without saying."""


def place_signs(text: str) -> str:
    """The signs of a mark by place; words of colors as squares."""
    words = [
        word for word in re.split(r"[\s,;]+", unaccented(text)) if word not in ("", "and", "et")
    ]
    if words and all(word in PLACE_WORDS for word in words):
        return "".join(map(PLACE_WORDS.__getitem__, words))
    if "-1" in words and set(words) <= {"-1", "0", "1"}:
        return "".join("🟨🟩⬛"[int(word)] for word in words)
    return "".join(re.split(r"[\s,]+", text))


def _read_places(
    signs_of_place: tuple[str, str, str], needs: str, pegs: int, text: str
) -> PlacedMark | None:
    if is_nothing(text):
        return PlacedMark([0] * pegs)
    if is_won(text):
        return PlacedMark([2] * pegs)
    signs = place_signs(text)
    if len(signs) != pegs or (needs and not set(needs) & set(signs)):
        return None
    meanings = meanings_of(signs_of_place, signs)
    return None if meanings is None else PlacedMark(meanings[sign] for sign in signs)


def meanings_of(signs_of_place: tuple[str, str, str], signs: str) -> dict[str, int] | None:
    """The place that each sign stands for; None where a sign has none, or two have the same.

    Capitals and small letters are one sign, and so are black and white squares.
    """
    meanings = {}
    for sign in set(signs):
        places = [place for place, possible in enumerate(signs_of_place) if sign in possible]
        if len(places) != 1:
            return None
        meanings[sign] = places[0]
    one = {sign.casefold().replace("⬜", "⬛"): place for sign, place in meanings.items()}
    return meanings if len(one) == len(set(one.values())) else None


def _place_cost(name: str, text: str) -> int:
    """Nothing where the signs of a mark by place are those that the help names."""
    named = name in ("x-right", "x-absent", "green-yellow", "digits", "squares")
    plainly = is_nothing(text) or is_won(text) or (named and set(place_signs(text)) <= _TOLD)
    return costs.DOCUMENTED if plainly else costs.NAMED


_OF_PLACES: Final = (
    Phrase("{signs} is absent"), Phrase("{signs} is elsewhere"), Phrase("{signs} is right")
)  # fmt: skip
_OF_ROWS: Final = (
    Phrase("{signs} is black"), Phrase("{signs} is white"), Phrase("{signs} is nothing")
)  # fmt: skip


def _meaning(
    sentences: Sequence[Phrase],
    kinds: Sequence[str],
    read: Callable[[str], str],
    texts: str,
) -> str:
    """`+ is black, - is white`: for each kind of signs those that the texts have, as `read`."""
    told = dict.fromkeys(read(texts))
    signs = ["".join(sign for sign in told if sign in kind) for kind in kinds]
    pairs = zip(sentences, signs, strict=True)
    return joined([Phrase(sentence.template, signs=row) for sentence, row in pairs if row])


def joined(parts: Sequence[str]) -> str:
    """Phrases in a row, set apart by commas."""
    if not parts:
        return ""
    told = parts[0]
    for part in parts[1:]:
        told = Phrase("{first}, {second}", first=told, second=part)
    return told


def told_as(parts: Sequence[str]) -> str:
    """A sentence on what was inferred; empty for nothing."""
    return Phrase("Read as {what}.", what=joined(parts)) if parts else ""


# Black and white marks: signs in a row, counts with words, numbers.

_BLANKS: Final = ".-_·\u2013\u2014◌➖"
"""Signs that fill up a row where nothing is right."""

_CROSSES: Final = "❌✖✗✘🚫"
_SQUARES: Final = "⬛⬜◻◼□▢"
MINUS: Final = "minus-white"
"""The form of a row of + and -, for black and white."""

ZERO_WHITE: Final = "zero-white"
DOT_WHITE: Final = "dot-white"
SWAPPED: Final = "o-black"
BULLS: Final = "bulls-cows"
"""The form of bulls and cows, whose letters are those of colors too."""

_SIGN_FORMS: Final = (
    ("xo", "xX", "oO", _BLANKS, "", costs.DOCUMENTED),
    (ZERO_WHITE, "xX+", "oO0", _BLANKS, "0", costs.RIVAL),
    ("zero-absent", "xX", "oO", "0", "0", costs.RIVAL),
    (DOT_WHITE, "xX●⚫", ".", "", ".", costs.RIVAL),
    (SWAPPED, "oO", "xX", _BLANKS, "", costs.SWAPPED),
    ("xo", "●⚫", "○⚪⚬", _BLANKS + _CROSSES + _SQUARES, "", costs.DOCUMENTED),
    ("red-white", "🔴", "⚪○⚬", _BLANKS + _CROSSES + _SQUARES, "🔴", costs.NAMED),
    (
        *("green-yellow", "🟢🟩✅✔✓", "🟡🟨", _BLANKS + _CROSSES + "⚫⚪⬛⬜", "🟢🟩✅✔✓🟡🟨"),
        costs.NAMED,
    ),
    ("squares", "⬛◼", "⬜◻", _BLANKS, "", costs.NAMED),
    (MINUS, "+", "-", "._·", "+-", costs.RIVAL),
    ("minus-absent", "+", "", "-", "", costs.RIVAL),
)
"""Name, signs of black, white and nothing, signs of which one must occur, cost."""

_USUAL_SIGNS: Final = frozenset("xXoO●⚫○⚪⚬.-_·")
_FILLERS: Final = BETWEEN | {*",;&+/:='\"-"}
_TOKEN: Final = r"[0-9]+|[^\W\d_]+|[^\s\w]"
_SPOKEN: Final = (
    (r"\(s\)|(?<=black|white) hits?\b", ""),
    (r"\ba single\b", "one"),
    (r"\bpas (?:de |d')", "0 "),
)
"""Ways of speaking, and the words that they stand for."""


def _tokens(text: str) -> list[str]:
    """Numbers, words and signs, words of numbers as numbers."""
    spoken = unaccented(text)
    for way, plainly in _SPOKEN:
        spoken = re.sub(way, plainly, spoken)
    words = re.findall(_TOKEN, spoken)
    return [str(NUMBERS[word]) if word in NUMBERS else word for word in words]


def _row_signs(text: str) -> str:
    """The signs of a row without what sets them apart."""
    return re.sub(r"[\s,;/&'\"]", "", text)


def folded_signs(text: str) -> str:
    """The signs of a row, capitals and small letters alike."""
    return _row_signs(text).casefold()


def _row(pegs: int, kinds: tuple[str, str, str], needs: str, text: str) -> Mark | None:
    """Signs in a row, in any order; with signs for nothing they are as many as the pegs.

    Of several signs for one meaning a row has one.
    """
    black, white, nothing = kinds
    signs = _row_signs(text)
    if is_nothing(text) and set(signs) - set(black + white):
        return Mark(0)
    if is_won(text):
        return Mark(pegs)
    if not signs or set(signs) - set(black + white + nothing):
        return None
    if (needs and not set(needs) & set(signs)) or (white == "-" and text.startswith("- ")):
        return None
    if white == "." and len(signs) == pegs:  # as many signs as pegs: the dots fill it up
        return None
    marked = [[sign for sign in signs if sign in kind] for kind in (black, white)]
    if any(len({*"".join(kind).casefold().replace("0", "o")}) > 1 for kind in marked):
        return None
    blanks = [sign for sign in signs if sign in nothing]
    if blanks and (len(signs) > pegs if nothing == "0" else len(signs) != pegs):
        return None
    if len({*blanks}) > 1 or (set(blanks) & set(_SQUARES) and len(blanks) == len(signs)):
        return None
    return Mark(*map(len, marked))


def _row_cost(name: str, cost: int, text: str) -> int:
    """What a row costs: that of signs which the help names nothing."""
    if is_nothing(text) and (name != MINUS or len(text) == 1):
        return costs.DOCUMENTED
    if is_won(text):
        return costs.DOCUMENTED
    if name == SWAPPED and text.islower() and set(text) & set(_BLANKS):
        return costs.UNUSUAL
    if name == "xo" and not {*_row_signs(text)} <= _USUAL_SIGNS:
        return costs.NAMED
    return cost


def _counted(
    pegs: int, black: frozenset[str], white: frozenset[str], row: bool, text: str
) -> Mark | None:
    """Counts with words: `2b1w`, `1 white, 2 black pegs`; or words alone: `black white`."""
    if is_nothing(text):
        return Mark(0)
    if is_won(text):
        return Mark(pegs)
    filled = _row_signs(unaccented(text))
    bare = filled.strip(_BLANKS)
    if row and bare != filled and len(filled) == pegs and set(bare) <= black | white | {*_BLANKS}:
        return Mark(*(sum(sign in kind for sign in filled) for kind in (black, white)))
    tokens = _tokens(text)
    words = [word for word in tokens if word not in _FILLERS]
    if not words or (tokens[0] in _FILLERS and tokens[0].isalpha() and len(tokens[0]) == 1):
        return None  # a letter may be a peg of the guess before it
    if not any(map(str.isdecimal, words)):
        letters = "".join(words)
        if row and set(letters) <= black | white and (len(letters) > 1 or is_letter(text)):
            words = [*letters]
        elif any(len(word) < 3 for word in words):
            return None
        if not all(word in black or word in white for word in words):
            return None
        return Mark(sum(word in black for word in words), sum(word in white for word in words))
    numbers, names = words[::2], words[1::2]
    if not _is_number(words[0]) and "x" not in black:  # `black 2, white 1`; X0 may be XO
        numbers, names = names, numbers
    if len(numbers) != len(names) or not all(map(_is_number, numbers)):
        return None
    counts = [0, 0]
    told = []
    for number, name in zip(map(int, numbers), names, strict=True):
        kind = 0 if name in black else 1 if name in white else -1
        if kind < 0 or kind in told:
            return None
        told.append(kind)
        counts[kind] = number
    return Mark(*counts)


def _word_cost(name: str, cost: int, black: frozenset[str], text: str) -> int:
    """What words cost: a lone `b` for white more than `1n1b`, whose n tells the language."""
    if is_nothing(text) or is_won(text):
        return costs.DOCUMENTED
    if cost == costs.RIVAL and any(word in black for word in (*_tokens(text), *text.lower())):
        cost = costs.DOCUMENTED if name in ("noir-blanc", "a-b") else costs.NAMED
    return cost + costs.LETTER * is_letter(text)


def is_letter(text: str) -> bool:
    """Whether a mark is a letter alone, which may be a peg of the guess before it; not X or O."""
    return len(text) == 1 and text.isascii() and text.isalpha() and text not in "xXoO"


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 4


_NUMBER: Final = r"([0-9]{1,4})"
_PAIR: Final = rf"{_NUMBER}(?:\s*([-/,;:+])\s*|\.|\s+){_NUMBER}"
_SIGNED: Final = rf"\+{_NUMBER}\s*,?\s*-{_NUMBER}"
_SIGNED_BACK: Final = rf"-{_NUMBER}\s*,?\s*\+{_NUMBER}"
_HALF_SIGNED: Final = rf"(\+{_NUMBER})|-{_NUMBER}"
_COLUMNS: Final = rf"{_NUMBER}[\s,;/]+{_NUMBER}[\s,;/]+{_NUMBER}"
_BRACKETS: Final = {"()", "[]"}


def _bare(text: str) -> str:
    return text[1:-1].strip() if text[:1] + text[-1:] in _BRACKETS else text


def pair_of(text: str) -> tuple[int, int] | None:
    """Two numbers, as `2 1`, `(2, 1)`, `21` and `+2 -1`; None for another text."""
    if pair := re.fullmatch(_PAIR, _bare(text)):
        return int(pair[1]), int(pair[3])
    if re.fullmatch("[0-9][0-9]", text):
        return int(text[0]), int(text[1])
    if signed := re.fullmatch(_SIGNED, text):
        return int(signed[1]), int(signed[2])
    return None


def _pair(rules: Rules, text: str) -> Mark | None:
    """Two numbers, black and white; one with black marks only."""
    if is_nothing(text):
        return Mark(0)
    if is_won(text):
        return Mark(rules.pegs)
    if rules.black and _is_number(text):
        return Mark(int(text))
    pair = pair_of(text)
    return None if pair is None else Mark(*pair)


def _white_first(text: str) -> Mark | None:
    """Two numbers, white and black."""
    if is_nothing(text):
        return Mark(0)
    pair = None if re.fullmatch(_SIGNED, text) else pair_of(text)
    return None if pair is None else Mark(pair[1], pair[0])


def _signed(text: str) -> Mark | None:
    """`+2`, `-1`, `+2 -1`: so many black, so many white."""
    if is_nothing(text):
        return Mark(0)
    if both := re.fullmatch(_SIGNED, text):
        return Mark(int(both[1]), int(both[2]))
    if both := re.fullmatch(_SIGNED_BACK, text):
        return Mark(int(both[2]), int(both[1]))
    one = re.fullmatch(_HALF_SIGNED, text)
    return None if one is None else Mark(int(one[2] or 0), int(one[3] or 0))


def _inclusive(slash: bool, text: str) -> Mark | None:
    """Two numbers, those in place and those right in all; with a slash between if asked for."""
    if is_nothing(text):
        return Mark(0)
    pair = pair_of(text)
    if pair is None or re.fullmatch(_SIGNED, text) or pair[0] > pair[1] or ("/" in text) < slash:
        return None
    return Mark(pair[0], pair[1] - pair[0])


def _of_pegs(pegs: int, text: str) -> Mark | None:
    """`3/8`: so many of all pegs are right."""
    pair = re.fullmatch(_PAIR, text)
    if pair is None or pair[2] != "/" or int(pair[3]) != pegs or int(pair[1]) > pegs:
        return None
    return Mark(int(pair[1]))


_OPEN: Final = (
    r"([0-9]{1,2})\s*(?:b(?:lacks?)?|n(?:oirs?)?|\s|[-/,;:+])\s*\?\s*(?:w(?:hites?)?|b(?:lancs?)?)?"
)
_OPEN_SIGNS: Final = r"([xX●⚫]*)\?"
_SUM: Final = (
    r"=\s?([0-9]{1,2})|([0-9]{1,2}) (?:in all|in total|en tout|au total|jots?"
    r"|letters? in common|lettres? (?:en )?communes?|lettres? en commun)"
)
_LONE: Final = "-?([1-9][0-9]?)"
"""One number: of black pegs or the sum of both; another mark of the history may tell which."""


def _open(rules: Rules, text: str) -> Mark | None:
    """`2 ?`, `2b?`, `XX?`: the white pegs were not noted."""
    if is_nothing(text):
        return Mark(0)
    bare = unaccented(_bare(text))
    if (signs := re.fullmatch(_OPEN_SIGNS, text)) and len(text) > 1:
        number = len(signs[1])
    elif pair := re.fullmatch(_OPEN, bare) or re.fullmatch(_LONE, text):
        if rules.black and text.startswith("-"):
            return None
        number = int(pair[1])
    else:
        return None
    return Mark(number) if rules.black else PartialMark(black=number)


def _sum(text: str) -> Mark | None:
    """`=3`: only the sum of black and white was noted."""
    if is_nothing(text):
        return Mark(0)
    total = re.fullmatch(_SUM, unaccented(text)) or re.fullmatch(_LONE, text)
    return None if total is None else PartialMark(total=int(next(filter(None, total.groups()))))


def _columns(pegs: int, text: str) -> Mark | None:
    """`1 0 2`: so many right, at a wrong place, absent."""
    numbers = re.fullmatch(_COLUMNS, _bare(text))
    if numbers is None or sum(map(int, numbers.groups())) != pegs:
        return None
    return Mark(int(numbers[1]), int(numbers[2]))


_LIKENESS: Final = r"likeness\s?[=:]?\s?([0-9]{1,2})|([0-9]{1,2})/[0-9]{1,2} correct"


def _likeness(text: str) -> Mark | None:
    """`likeness=2`: only pegs in place are marked."""
    number = re.fullmatch(_LIKENESS, unaccented(text))
    return None if number is None else Mark(int(next(filter(None, number.groups()))))


PAIR: Final = "pair"
OPEN: Final = "black-only"
"""The form of marks whose white pegs were not noted."""

SUM: Final = "sum"
"""The form of marks of which only the sum was noted."""

INCLUSIVE: Final = "inclusive"
"""The form of two numbers whose second one includes the first."""

WHITE_FIRST: Final = "white-first"
"""The form of two numbers of which the first one is that of white."""

LIKENESS: Final = "likeness"
"""The form of the number of letters in place."""

EXCLUSIVE: Final = "exclusive"
"""The form of sentences in which no number includes another."""

SECOND: Final = frozenset({SWAPPED, WHITE_FIRST})
"""Forms that are read only where the usual sense of the same signs is possible too."""

COUNTING: Final = frozenset({PAIR, INCLUSIVE, WHITE_FIRST, "of-pegs", "columns"})
"""Forms of numbers: where one is asked for, the others are not read."""


@lru_cache(maxsize=64)
def forms_of(rules: Rules, *, french: bool = False) -> tuple[Form, ...]:
    """The forms of marks of a game; `french` tells that a lone `b` may stand for *blanc*."""
    pegs = rules.pegs
    if rules.marked:
        says = partial(_says, rules.marking.signs)
        return (Form("own", rules.marking.from_text, says, partial(_costs, 0)),)
    if rules.placed:
        return tuple(
            Form(
                name,
                partial(_read_places, signs, needs, pegs),
                partial(_meaning, _OF_PLACES, signs, place_signs),
                partial(_place_cost, name),
                signs,
                placed=True,
            )
            for name, *rest, needs in _PLACE_FORMS
            for signs in [(rest[0], rest[1], rest[2])]
        )
    return (*_rows(pegs), *_words(pegs, french), *_numbers(rules))


def form_names() -> list[str]:
    """The names of all forms."""
    placed = [name for name, *_ in _PLACE_FORMS]
    counted = [*(name for name, *_ in _SIGN_FORMS), *COUNTS]
    numbers = [PAIR, "signed", INCLUSIVE, EXCLUSIVE, WHITE_FIRST, "of-pegs", "columns", LIKENESS]
    return [*dict.fromkeys([*placed, *counted, *numbers, OPEN, SUM])]


def _rows(pegs: int) -> Iterator[Form]:
    """Signs in a row."""
    for name, black, white, nothing, needs, cost in _SIGN_FORMS:
        read = partial(_row, pegs, (black, white, nothing), needs)
        folded = [kind.casefold() for kind in (black, white, nothing)]
        meaning = partial(_meaning, _OF_ROWS, folded, folded_signs)
        yield Form(name, read, meaning, partial(_row_cost, name, cost), (nothing, white, black))


def _words(pegs: int, french: bool) -> Iterator[Form]:
    """Counts with words, or letters in a row."""
    for name, (*texts, cost) in COUNTS.items():
        words = [str(text).split() for text in texts]
        black, white = map(frozenset, words)
        letters = [each[0] for each in words]
        full = [next((word for word in each if len(word) > 2), each[0]) for each in words]
        usual = costs.NAMED if french and name == "noir-blanc" else cost
        yield Form(
            name,
            partial(_counted, pegs, black, white, name in LETTERS),
            partial(_word_meaning, letters, full),
            partial(_word_cost, name, usual, black),
        )


def _word_meaning(letters: Sequence[str], words: Sequence[str], text: str) -> str:
    """`b is black, w is white` for letters, with the words themselves for counts."""
    black, white = letters if {*text.casefold()} <= {*letters, ",", " "} else words
    return Phrase("{black} is black, {white} is white", black=black, white=white)


def _numbers(rules: Rules) -> Iterator[Form]:
    """Numbers, and sentences."""
    slash = partial(_inclusive, True)
    of_pegs = costs.NAMED if rules.black else costs.OF_PEGS
    noted = costs.DOCUMENTED if rules.black else costs.RARE
    second = Phrase("the second number includes the first")
    rows: list[tuple[str, Read, Phrase, int]] = [
        (PAIR, partial(_pair, rules), Phrase("the numbers are those of black and of white"), 0),
        (INCLUSIVE, partial(_inclusive, False), second, costs.UNUSUAL),
        (INCLUSIVE, slash, second, costs.NAMED),
        (
            *("of-pegs", partial(_of_pegs, rules.pegs)),
            *(Phrase("the number after the slash is that of the pegs"), of_pegs),
        ),
        (
            *("signed", _signed),
            *(Phrase("{black} is black, {white} is white", black="+", white="-"), costs.RARE),
        ),
        (
            *("columns", partial(_columns, rules.pegs)),
            Phrase("three numbers are those right, at a wrong place, and absent"),
            costs.RIVAL,
        ),
        (
            *(OPEN, partial(_open, rules)),
            *(Phrase("only the black pegs are noted, and not the white ones"), noted),
        ),
    ]
    if rules.black:
        says = Phrase("the number is that of the letters in place")
        rows.append((LIKENESS, _likeness, says, costs.DOCUMENTED))
    else:
        first = Phrase("the numbers are those of white and of black")
        rows.append((WHITE_FIRST, _white_first, first, costs.UNUSUAL))
        says = Phrase("only the sum of black and white pegs is noted")
        rows.append((SUM, _sum, says, costs.RARE))
    for name, read, phrase, cost in rows:
        yield Form(name, read, partial(_says, phrase), partial(_number_cost, name, cost))
    for name, phrase in (
        (EXCLUSIVE, Phrase("the number of correct ones is without the others")),
        (INCLUSIVE, Phrase("the number of correct ones includes the others")),
    ):
        read = partial(sentence_mark, rules, inclusive=name == INCLUSIVE)
        yield Form(name, read, partial(_says, phrase), partial(_sentence_cost, rules))


def _number_cost(name: str, cost: int, text: str) -> int:
    if is_nothing(text):
        return costs.DOCUMENTED
    if name == WHITE_FIRST and not re.fullmatch(r"[0-9]+[\s,;]+[0-9]+", text):
        return costs.SWAPPED  # in brackets, as programs write pairs, or in one with its sign
    return cost


def _sentence_cost(rules: Rules, text: str) -> int:
    return costs.DOCUMENTED if says_all(rules, text) else costs.RIVAL


# Parts of a mark that stand apart: `2 black / 1 white`, `XX; O`

_PART: Final = r"([0-9]{1,2}|[a-z]+)?\s*([^:=]*)"
_LONGEST_PART: Final = 60


@lru_cache(maxsize=1)
def _part_forms() -> tuple[Form, ...]:
    left_out = (OPEN, SUM, INCLUSIVE, DOT_WHITE, SWAPPED, WHITE_FIRST)
    return tuple(form for form in forms_of(Rules()) if form.name not in left_out)


def are_of_one_mark(first: str, second: str) -> bool:
    """Whether two texts count the black and the white pegs of one mark: `2 black`, `1 white`."""
    kinds = _kinds_counted(second)
    return any((form, 1 - kind) in kinds for form, kind in (_kinds_counted(first) if kinds else ()))


def counts_part(text: str) -> bool:
    """Whether a text counts the black or the white pegs of a mark, with words."""
    return bool(_kinds_counted(text))


def _kinds_counted(text: str) -> set[tuple[str, int]]:
    """The kinds of pegs that a part of a mark may count, 0 black and 1 white, with their forms."""
    bare = unaccented(plain(text)).strip(" .,;()[]")
    part = re.fullmatch(_PART, bare)
    if part is None or len(bare) > _LONGEST_PART or is_letter(bare):
        return set()
    number, words = part[1] or "", part[2]
    if words and (number.isdecimal() or number in NUMBERS):
        bare = f"1 {words}"  # a count of 0 tells its kind too
    elif " " in bare:
        return set()
    marks = ((form.name, form.read(bare)) for form in _part_forms())
    return {
        (name, 0 if mark.black else 1)
        for name, mark in marks
        if mark is not None and bool(mark.black) != bool(mark.white)
    }
