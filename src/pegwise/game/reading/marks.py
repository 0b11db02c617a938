"""Marks as people write them. A way to write marks is a form; a text may be read in several.

`forms_of` names the forms of a game, `read_marks` reads the marks of one history together: what
one mark leaves open (`b` is black in English, *blanc* in French) another one may tell.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Final, NamedTuple

from pegwise.errors import AmbiguousError, MarkError, Phrase, quoted
from pegwise.game.game import Game
from pegwise.game.marks import Mark, PartialMark, PlacedMark, check_legal, legal_marks
from pegwise.game.reading.vocabulary import NUMBERS, PLACE_WORDS, says_all, sentence_mark
from pegwise.game.rules import Rules, as_rules
from pegwise.game.signs import plain, shown, unaccented

Read = Callable[[str], Mark | None]


class Form(NamedTuple):
    """A way to write marks.

    Attributes:
        name: what the option `--marks` calls it.
        read: the mark of a text; None where the text is not of this form.
        meaning: what the signs of a text mean.
        plain: whether that goes without saying.
        rank: a form of rank 1 is read only where none of rank 0 can be.
        signs: of a mark by place: those of absent, elsewhere and right.
    """

    name: str
    read: Read
    meaning: Callable[[str], str]
    plain: Callable[[str], bool]
    rank: int = 0
    signs: tuple[str, str, str] | None = None

    @property
    def other(self) -> bool:
        """Whether numbers are read in it in another way than usual."""
        return self.rank > 1 and self.name not in (OPEN, SUM, "signed")


def _always(_text: str) -> bool:
    return True


def _never(_text: str) -> bool:
    return False


def _says(phrase: str, _text: str) -> str:
    return phrase


# Nothing in common, in every form.

_NOTHING: Final = frozenset(
    {
        *("0", "zero", "none", "nothing", "nope", "miss", "none right", "all wrong", "nada"),
        *("nothing right", "nothing correct", "nothing at all", "none at all", "rien", "aucun"),
        *("aucune", "neant", "tout faux", "rien de bon", "rien de juste", "rien du tout"),
        *("que dalle", "pas un seul", "aucun bon", "aucune bonne", "ni noir ni blanc"),
        *("ni l'un ni l'autre", "neither", "bagel", "bagels", "out"),
    }
)
_WON: Final = frozenset(
    {
        *("won", "win", "you win", "you won", "solved", "gagne", "j'ai gagne", "tu as gagne"),
        *("vous avez gagne", "bravo", "trouve"),
    }
)
_DASHES: Final = re.compile(r"([-._·\u2013\u2014])\1{0,15}")
"""A dash, a dot or a low line, or a row of them."""


def is_nothing(text: str) -> bool:
    """Whether a text says that nothing is right."""
    words = unaccented(plain(text)).strip()
    return words in _NOTHING or _DASHES.fullmatch(words) is not None


def is_won(text: str) -> bool:
    """Whether a text says that the guess is the secret."""
    return unaccented(plain(text)).strip(" !.") in _WON


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
)
"""Name, then the signs of absent, elsewhere and right, then signs of which one must occur."""

_TOLD: Final = frozenset("-.012yYgG⬛⬜🟨🟩")
"""Signs that go without saying."""


def _place_signs(text: str) -> str:
    """The signs of a mark by place; words of colors as squares."""
    words = [
        word for word in re.split(r"[\s,;]+", unaccented(text)) if word not in ("", "and", "et")
    ]
    if words and all(word in PLACE_WORDS for word in words):
        return "".join(map(PLACE_WORDS.__getitem__, words))
    return "".join(re.split(r"[\s,]+", text))


def _read_places(
    signs_of_place: tuple[str, str, str], needs: str, pegs: int, text: str
) -> PlacedMark | None:
    if is_nothing(text):
        return PlacedMark([0] * pegs)
    if is_won(text):
        return PlacedMark([2] * pegs)
    signs = _place_signs(text)
    if len(signs) != pegs or (needs and not set(needs) & set(signs)):
        return None
    meanings = _meanings(signs_of_place, signs)
    return None if meanings is None else PlacedMark(meanings[sign] for sign in signs)


def _meanings(signs_of_place: tuple[str, str, str], signs: str) -> dict[str, int] | None:
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


def _plain_places(name: str, text: str) -> bool:
    """Whether the signs of a mark by place are those that the help names."""
    documented = name in ("x-right", "x-absent", "green-yellow", "digits", "squares")
    return is_nothing(text) or is_won(text) or (documented and set(_place_signs(text)) <= _TOLD)


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

_SIGN_FORMS: Final = (
    ("xo", "xX", "oO", _BLANKS, "", 0),
    ("zero-white", "xX", "oO0", _BLANKS, "0", 1),
    ("zero-absent", "xX", "oO", "0", "0", 1),
    ("xo", "●⚫", "○⚪⚬", _BLANKS + _CROSSES + _SQUARES, "", 0),
    ("red-white", "🔴", "⚪○⚬", _BLANKS + _CROSSES + _SQUARES, "🔴", 0),
    ("green-yellow", "🟢🟩✅✔✓", "🟡🟨", _BLANKS + _CROSSES + "⚫⚪⬛⬜", "🟢🟩✅✔✓🟡🟨", 0),
    ("squares", "⬛◼", "⬜◻", _BLANKS, "", 0),
    (MINUS, "+", "-", "._·", "+", 1),
    ("minus-absent", "+", "", "-", "", 1),
)
"""Name, signs of black, white and nothing, signs of which one must occur, rank."""

BULLS: Final = "bulls-cows"
"""The form of bulls and cows, whose letters are those of colors too."""

_WORD_FORMS: Final = (
    ("black-white", "b black blacks", "w white whites", 0),
    ("xo", "x", "o", 0),
    (BULLS, "b bull bulls", "c cow cows", 0),
    ("noir-blanc", "n noir noirs noire noires", "b blanc blancs blanche blanches", 1),
    ("taureaux-vaches", "t taureau taureaux", "v vache vaches", 0),
    ("a-b", "a", "b", 1),
    ("strikes-balls", "s strike strikes", "b ball balls", 1),
    ("hits-blows", "h hit hits", "b blow blows", 1),
    ("eat-bite", "e eat eats", "b bite bites", 1),
    ("red-white", "r red reds", "w white whites", 0),
    ("rouge-blanc", "r rouge rouges", "b blanc blancs blanche blanches", 1),
    (
        "exact-partial",
        "exacts exact exacte exactes",
        "partials partial misplaced near close partiel partiels deplace deplaces deplacee "
        "deplacees",
        1,
    ),
    ("fermi-pico", "f fermi fermis", "p pico picos", 0),
    ("green-yellow", "greens green vert verts verte vertes", "yellows yellow jaune jaunes", 0),
    ("dead-wounded", "mort dead morts", "injured wounded blesse blesses", 0),
    ("bien-mal", "bp bien", "mp mal", 0),
)
"""Name, words of black, words of white, rank."""

_LETTER_ROWS: Final = frozenset({"black-white", "noir-blanc", "red-white", BULLS})
"""Forms that are written as a row of letters too, as in bbw."""

_DOCUMENTED: Final = frozenset(
    {"xo", "black-white", "bulls-cows", "noir-blanc", "taureaux-vaches", "a-b"}
)
_FILLERS: Final = frozenset(
    {
        *("peg", "pegs", "pin", "pins", "marker", "markers", "match", "matches", "pion", "pions"),
        *("fiche", "fiches", "and", "et", "seul", "seule", "seulement", "only", "just"),
        *",;&+/:='\"",
    }
)
_TOKEN: Final = re.compile(r"[0-9]+|[^\W\d_]+|[^\s\w]")
_SPOKEN: Final = (
    (re.compile(r"\(s\)|(?<=black|white) hits?\b"), ""),
    (re.compile(r"\ba single\b"), "one"),
    (re.compile(r"\bpas (?:de |d')"), "0 "),
)
"""Ways of speaking, and the words that they stand for."""


def _tokens(text: str) -> list[str]:
    """Numbers, words and signs, words of numbers as numbers."""
    spoken = unaccented(text)
    for way, plainly in _SPOKEN:
        spoken = way.sub(plainly, spoken)
    words = _TOKEN.findall(spoken)
    return [str(NUMBERS[word]) if word in NUMBERS else word for word in words]


def _row_signs(text: str) -> str:
    """The signs of a row without what sets them apart."""
    return re.sub(r"[\s,;/&'\"]", "", text)


def _folded_signs(text: str) -> str:
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
    if "0" in signs and not set(signs) & set("xXoO") and not is_nothing(text):
        return None
    if needs and not set(needs) & set(signs) and not (needs == "+" and is_nothing(text)):
        return None
    if needs == "+" and text.startswith("- "):
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
    words = [word for word in _tokens(text) if word not in _FILLERS]
    if not words:
        return None
    if not any(map(str.isdecimal, words)):
        letters = "".join(words)
        if row and len(letters) > 1 and set(letters) <= black | white:
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


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 4


_NUMBER: Final = r"([0-9]{1,4})"
_PAIR: Final = re.compile(rf"{_NUMBER}(?:\s*([-/,;:+])\s*|\.|\s+){_NUMBER}")
_SIGNED: Final = re.compile(rf"\+{_NUMBER}\s*,?\s*-{_NUMBER}")
_HALF_SIGNED: Final = re.compile(rf"(\+{_NUMBER})|-{_NUMBER}")
_COLUMNS: Final = re.compile(rf"{_NUMBER}[\s,;/]+{_NUMBER}[\s,;/]+{_NUMBER}")
_BRACKETS: Final = {"()", "[]"}


def _bare(text: str) -> str:
    return text[1:-1].strip() if text[:1] + text[-1:] in _BRACKETS else text


def _pair_of(text: str) -> tuple[int, int] | None:
    if pair := _PAIR.fullmatch(_bare(text)):
        return int(pair[1]), int(pair[3])
    if re.fullmatch("[0-9][0-9]", text):
        return int(text[0]), int(text[1])
    if signed := _SIGNED.fullmatch(text):
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
    pair = _pair_of(text)
    return None if pair is None else Mark(*pair)


def _signed(text: str) -> Mark | None:
    """`+2`, `-1`, `+2 -1`: so many black, so many white."""
    if is_nothing(text):
        return Mark(0)
    if both := _SIGNED.fullmatch(text):
        return Mark(int(both[1]), int(both[2]))
    one = _HALF_SIGNED.fullmatch(text)
    return None if one is None else Mark(int(one[2] or 0), int(one[3] or 0))


def _inclusive(slash: bool, text: str) -> Mark | None:
    """Two numbers, those in place and those right in all; with a slash between if asked for."""
    if is_nothing(text):
        return Mark(0)
    pair = _pair_of(text)
    if pair is None or _SIGNED.fullmatch(text) or pair[0] > pair[1] or ("/" in text) < slash:
        return None
    return Mark(pair[0], pair[1] - pair[0])


def _of_pegs(pegs: int, text: str) -> Mark | None:
    """`3/8`: so many of all pegs are right."""
    pair = _PAIR.fullmatch(text)
    if pair is None or pair[2] != "/" or int(pair[3]) != pegs or int(pair[1]) > pegs:
        return None
    return Mark(int(pair[1]))


_OPEN: Final = re.compile(
    r"([0-9]{1,2})\s*(?:b(?:lacks?)?|n(?:oirs?)?|\s|[-/,;:+])\s*\?\s*(?:w(?:hites?)?|b(?:lancs?)?)?"
)
_OPEN_SIGNS: Final = re.compile(r"([xX●⚫]*)\?")
_SUM: Final = re.compile(
    r"=\s?([0-9]{1,2})|([0-9]{1,2}) (?:in all|in total|en tout|au total|jots?"
    r"|letters? in common|lettres? (?:en )?communes?|lettres? en commun)"
)
_LONE: Final = re.compile("-?([1-9][0-9]?)")
"""One number: of black pegs or the sum of both; another mark of the history may tell which."""


def _open(rules: Rules, text: str) -> Mark | None:
    """`2 ?`, `2b?`, `XX?`: the white pegs were not noted."""
    if is_nothing(text):
        return Mark(0)
    bare = unaccented(_bare(text))
    if (signs := _OPEN_SIGNS.fullmatch(text)) and len(text) > 1:
        number = len(signs[1])
    elif pair := _OPEN.fullmatch(bare) or _LONE.fullmatch(text):
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
    total = _SUM.fullmatch(unaccented(text)) or _LONE.fullmatch(text)
    return None if total is None else PartialMark(total=int(next(filter(None, total.groups()))))


def _columns(pegs: int, text: str) -> Mark | None:
    """`1 0 2`: so many right, at a wrong place, absent."""
    numbers = _COLUMNS.fullmatch(_bare(text))
    if numbers is None or sum(map(int, numbers.groups())) != pegs:
        return None
    return Mark(int(numbers[1]), int(numbers[2]))


def _plain_words(name: str, black: frozenset[str], rank: int, text: str) -> bool:
    """Whether words go without saying: a lone `b` for white does not."""
    told = rank == 0 or any(word in black for word in (*_tokens(text), *text.lower()))
    return is_nothing(text) or is_won(text) or (name in _DOCUMENTED and told)


_LIKENESS: Final = re.compile(r"likeness\s?[=:]?\s?([0-9]{1,2})|([0-9]{1,2})/[0-9]{1,2} correct")


def _likeness(text: str) -> Mark | None:
    """`likeness=2`: only pegs in place are marked."""
    number = _LIKENESS.fullmatch(unaccented(text))
    return None if number is None else Mark(int(next(filter(None, number.groups()))))


OPEN: Final = "black-only"
"""The form of marks whose white pegs were not noted."""

SUM: Final = "sum"
"""The form of marks of which only the sum was noted."""

INCLUSIVE: Final = "inclusive"
"""The form of two numbers whose second one includes the first."""

LIKENESS: Final = "likeness"
"""The form of the number of letters in place."""

EXCLUSIVE: Final = "exclusive"
"""The form of sentences in which no number includes another."""


@lru_cache(maxsize=64)
def forms_of(rules: Rules, *, french: bool = False) -> tuple[Form, ...]:
    """The forms of marks of a game; `french` tells that a lone `b` may stand for *blanc*."""
    pegs = rules.pegs
    if rules.marked:
        read = partial(_written, rules)
        return (Form("own", read, partial(_says, Phrase("as the game writes it")), _always),)
    if rules.placed:
        return tuple(
            Form(
                name,
                partial(_read_places, signs, needs, pegs),
                partial(_meaning, _OF_PLACES, signs, _place_signs),
                partial(_plain_places, name),
                signs=signs,
            )
            for name, *rest, needs in _PLACE_FORMS
            for signs in [(rest[0], rest[1], rest[2])]
        )
    return (*_rows(pegs), *_words(pegs, french), *_numbers(rules))


def _written(rules: Rules, text: str) -> Mark | None:
    """A mark of a game with marks of its own."""
    number = -1 if rules.words is None else rules.words.mark_number(text)
    return None if number < 0 else legal_marks(rules)[number]


def form_names() -> list[str]:
    """The names of all forms."""
    placed = [name for name, *_ in _PLACE_FORMS]
    counted = [name for name, *_ in (*_SIGN_FORMS, *_WORD_FORMS)]
    numbers = ["pair", "signed", INCLUSIVE, EXCLUSIVE, "of-pegs", "columns", LIKENESS, OPEN, SUM]
    return [*dict.fromkeys([*placed, *counted, *numbers])]


def _rows(pegs: int) -> Iterator[Form]:
    """Signs in a row."""
    for name, black, white, nothing, needs, rank in _SIGN_FORMS:
        kinds = (black, white, nothing)
        told = partial(_told_row, frozenset("xXoO●⚫○⚪⚬.-_·") if name == "xo" else frozenset())
        read = partial(_row, pegs, kinds, needs)
        folded = [kind.casefold() for kind in kinds]
        meaning = partial(_meaning, _OF_ROWS, folded, _folded_signs)
        yield Form(name, read, meaning, told, rank)


def _told_row(documented: frozenset[str], text: str) -> bool:
    """Whether the signs of a row are those that the help names."""
    return is_nothing(text) or is_won(text) or {*_row_signs(text)} <= documented


def _words(pegs: int, french: bool) -> Iterator[Form]:
    """Counts with words, or letters in a row."""
    for name, *texts, rank in _WORD_FORMS:
        black, white = (frozenset(text.split()) for text in texts)
        first, second = (text.split()[:2][-1] for text in texts)
        usual = 0 if french and name == "noir-blanc" else rank
        yield Form(
            name,
            partial(_counted, pegs, black, white, name in _LETTER_ROWS),
            partial(_says, Phrase("{black} is black, {white} is white", black=first, white=second)),
            partial(_plain_words, name, black, rank),
            usual,
        )


def _numbers(rules: Rules) -> Iterator[Form]:
    """Numbers, and sentences."""
    says = partial(_says, Phrase("the numbers are those of black and of white"))
    yield Form("pair", partial(_pair, rules), says, _always)
    says = partial(_says, Phrase("the second number includes the first"))
    yield Form(INCLUSIVE, partial(_inclusive, False), says, is_nothing, 2)
    yield Form(INCLUSIVE, partial(_inclusive, True), says, is_nothing)
    says = partial(_says, Phrase("the number after the slash is that of the pegs"))
    yield Form("of-pegs", partial(_of_pegs, rules.pegs), says, is_nothing, 0 if rules.black else 3)
    says = partial(_says, Phrase("{black} is black, {white} is white", black="+", white="-"))
    yield Form("signed", _signed, says, is_nothing, 4)
    says = partial(_says, Phrase("three numbers are those right, at a wrong place, and absent"))
    yield Form("columns", partial(_columns, rules.pegs), says, is_nothing, 1)
    says = partial(_says, Phrase("only the black pegs are noted, and not the white ones"))
    yield Form(OPEN, partial(_open, rules), says, _always if rules.black else is_nothing, 4)
    if not rules.black:
        says = partial(_says, Phrase("only the sum of black and white pegs is noted"))
        yield Form(SUM, _sum, says, is_nothing, 4)
    if rules.black:
        says = partial(_says, Phrase("the number is that of the letters in place"))
        yield Form(LIKENESS, _likeness, says, _always)
    for name, phrase in (
        (EXCLUSIVE, Phrase("the number of correct ones is without the others")),
        (INCLUSIVE, Phrase("the number of correct ones includes the others")),
    ):
        read = partial(sentence_mark, rules, inclusive=name == INCLUSIVE)
        yield Form(name, read, partial(_says, phrase), partial(says_all, rules), 1)


# Parts of a mark that stand apart: `2 black / 1 white`, `XX; O`

_PART: Final = re.compile(r"([0-9]{1,2}|[a-z]+)?\s*([^:=]*)")
_LONGEST_PART: Final = 60


@lru_cache(maxsize=1)
def _part_forms() -> tuple[Form, ...]:
    return tuple(form for form in forms_of(Rules()) if form.name not in (OPEN, SUM, INCLUSIVE))


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
    part = _PART.fullmatch(bare)
    if part is None or len(bare) > _LONGEST_PART:
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


# The readings of a text, and of a history.


class MarkReading(NamedTuple):
    """A mark, and the form that a text has it in."""

    text: str
    mark: Mark
    form: Form


def meanings_told(readings: Iterable[MarkReading], rules: Rules) -> list[str]:
    """Sentences that explain the signs of some marks by form, where they need it.

    The form of the game's own words goes without saying.
    """
    own = "" if rules.mark_words is None else rules.mark_words.form
    texts: dict[Form, list[str]] = {}
    for each in readings:
        if each.form.name != own and not each.form.plain(each.text):
            texts.setdefault(each.form, []).append(each.text)
    return [form.meaning(", ".join(row)) for form, row in texts.items()]


_TRIMMED: Final = re.compile(
    r"(?:\((.*)\)|\[(.*)\]|\{(.*)\}|<(.*)>)[.,;!]*|(.*?[^.,;!\s])\s*[.,;!]+"
)
"""A mark in brackets, or with the end of a sentence."""


def _read_in(forms: Iterable[Form], text: str) -> list[MarkReading]:
    """The readings of a text in each of these forms that it is in."""
    return [
        MarkReading(text, mark, each) for each in forms if (mark := each.read(text)) is not None
    ]


def readings_of(
    text: str, rules: Rules, *, french: bool = False, form: str | None = None
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
        raise unreadable(text, rules)
    if form is None and rules.mark_words is not None:
        form = rules.mark_words.form
    forms = forms_of(rules, french=french)
    if form == INCLUSIVE:
        forms = tuple(each for each in forms if each.name not in ("pair", "of-pegs", "columns"))
    readings = _read_in(forms, bare)
    trimmed = _TRIMMED.fullmatch(bare)
    if not readings and trimmed is not None:
        readings = _read_in(forms, next(filter(None, trimmed.groups()), "").strip())
    if form is not None and (own := [each for each in readings if each.form.name == form]):
        readings = own
    if not readings:
        raise unreadable(text, rules)
    legal = tuple(each for each in readings if each.mark.completions(rules))
    if not legal:
        usual = min(readings, key=lambda each: each.form.rank)
        check_legal(usual.mark, quoted(text), rules)
    return legal


def unreadable(text: str, rules: Rules) -> MarkError:
    """The error of a text that is no mark."""
    if rules.marked:
        marks = legal_marks(rules)
        return MarkError(
            "{text} is not a mark of {game}; its marks: {marks}{more}",
            text=shown(text),
            game=rules,
            marks=", ".join(map(str, marks[:10])),
            more=", ..." if len(marks) > 10 else "",
        )
    if rules.placed:
        return MarkError(
            "cannot read mark {text}: write for each of {pegs} places G (right), Y (elsewhere) or "
            "- (absent)",
            text=shown(text),
            pegs=rules.pegs,
        )
    if (words := rules.mark_words) is not None:
        several = words.write(rules.pegs - 1, 0) if words.white is None else words.write(1, 1)
        return MarkError(
            "cannot read mark {text}: write it as in {several}, or {nothing} where nothing is "
            "right",
            text=shown(text),
            several=several,
            nothing=words.nothing,
        )
    return MarkError(
        "cannot read mark {text}: write X for each black and O for each white (XXO), "
        "counts (2b1w, 2 1), or - for none",
        text=shown(text),
    )


def settled(turns: Sequence[Sequence[MarkReading]]) -> list[MarkReading]:
    """One reading of each mark of a history; AmbiguousError where several are as good.

    A form that all marks can be read in is taken, the usual one of several. Where there is none,
    each mark is read by itself, in a form that another mark has too if there is one. A dash is
    white only beside a mark with a plus.
    """
    if not any("+" in readings[0].text for readings in turns):
        turns = [[each for each in readings if each.form.name != MINUS] for readings in turns]
    shared = [
        form
        for form in forms_in(turns)
        if all(any(each.form == form for each in readings) for readings in turns)
        and _one_sign_each(form, turns)
    ]
    if shared:
        return _usual([[each for each in readings if each.form in shared] for readings in turns])
    chosen = []
    for number, readings in enumerate(turns):
        others = {
            each.form
            for other, theirs in enumerate(turns)
            if other != number and not is_nothing(theirs[0].text)
            for each in theirs
        }
        same = [
            each
            for each in readings
            if each.form in others and _one_sign_each(each.form, turns_of(each.form, turns))
        ]
        chosen += _usual([same or readings])
    return chosen


def forms_in(turns: Iterable[Iterable[MarkReading]]) -> list[Form]:
    """The forms that any of these readings has."""
    return [*dict.fromkeys(each.form for readings in turns for each in readings)]


def turns_of(form: Form, turns: Iterable[Sequence[MarkReading]]) -> list[Sequence[MarkReading]]:
    """The turns that can be read in a form."""
    return [readings for readings in turns if any(each.form == form for each in readings)]


def _one_sign_each(form: Form, turns: Sequence[Sequence[MarkReading]]) -> bool:
    """Whether a form by place has, in the whole history, one sign for each meaning."""
    if form.signs is None:
        return True
    texts = (
        _place_signs(readings[0].text) for readings in turns if not is_nothing(readings[0].text)
    )
    return _meanings(form.signs, "".join(texts)) is not None


def _usual(turns: Sequence[Sequence[MarkReading]]) -> list[MarkReading]:
    """The readings of the least rank that all have in common; AmbiguousError for several."""
    ranks = {
        form: form.rank
        for form in forms_in(turns)
        if all(any(each.form == form for each in readings) for readings in turns)
    }
    least = min(ranks.values())
    choices: dict[tuple[Mark, ...], list[MarkReading]] = {}
    for form, rank in ranks.items():
        if rank == least:
            row = [next(each for each in readings if each.form == form) for readings in turns]
            choices.setdefault(tuple(each.mark for each in row), row)
    if len(choices) == 1:
        return next(iter(choices.values()))
    rows = [*choices.values()]
    differs = next(k for k in range(len(turns)) if len({row[k].mark for row in rows}) > 1)
    raise AmbiguousError.of(
        Phrase("mark {text}", text=quoted(rows[0][differs].text)),
        [
            (
                Phrase(
                    "{mark}: {meaning}",
                    mark=row[differs].mark,
                    meaning=row[differs].form.meaning(row[differs].text),
                ),
                Phrase("--marks {name}", name=row[differs].form.name),
                {"marks": row[differs].form.name},
            )
            for row in rows
        ],
    )


def parse_mark(
    text: str, rules: Rules | str, *, french: bool = False, form: str | None = None
) -> Mark:
    """Read a mark: `XXO`, `xxo`, `●●○`, `2b1w`, `(2, 1)`, `2 1`, `21`; `-`, `0`, `none` or `rien`.

    Dots may fill up the signs (`XXO.`). Counts may have words (`2 blacks 1 white`, `1 bull 2
    cows`, `1A2B`, `2n1b`), or stand in a sentence (`one number is correct and well placed`). With
    only black marks one number is enough, and two digits are one number. Marks by place have a
    sign for each place: `GY--G`, `21002`, `🟩🟨⬛⬛🟩`. `french`: `b` alone may stand for *blanc*;
    `form` is the way to write marks that is meant where several are possible.

    A MarkError quotes the text and says what may be written, or why the mark cannot happen, with
    the nearest marks that can. AmbiguousError: it may be several marks.
    """
    return read_mark(text, as_rules(rules), french=french, form=form).mark


@lru_cache(maxsize=1024)
def read_mark(
    text: str, rules: Rules, *, french: bool = False, form: str | None = None
) -> MarkReading:
    """A mark by itself, with the form that it is in; arguments and errors as `parse_mark`.

    The marks of a game are few, and come again and again.
    """
    readings = readings_of(text, rules, french=french, form=form)
    usual = [each for each in readings if each.form.rank < 2 or "/" in each.text]
    if not usual and form is None:  # two numbers that only another way of counting allows
        pair = _pair_of(readings[0].text)
        if pair is not None:
            check_legal(Mark(*pair), quoted(text), rules)
    return settled([usual or readings])[0]


def check_mark(mark: Sequence[int] | str, rules: Rules | Game) -> Mark:
    """The mark (black, white), or that of a text, if it can happen; MarkError if not."""
    if isinstance(rules, Game) and rules.rules is not None:
        rules = rules.rules
    if isinstance(rules, Game):
        own: Mark = rules.mark(rules.mark_number(mark))
        return own
    if isinstance(mark, str):
        return parse_mark(mark, rules)
    if rules.marked:
        if tuple(mark) in legal_marks(rules):
            return legal_marks(rules)[legal_marks(rules).index(tuple(mark))]
        raise unreadable(str(mark), rules)
    if isinstance(mark, PartialMark):
        return check_legal(mark, quoted(str(mark)), rules)
    form = Phrase("whole numbers (black, white)")
    if rules.placed:
        form = Phrase("0, 1 or 2 for each place")
    try:
        numbers = [*map(operator.index, mark)]
        read = PlacedMark(numbers) if rules.placed else Mark(*numbers)
        if rules.placed and (len(read) != rules.pegs or not set(numbers) <= {0, 1, 2}):
            raise TypeError
    except TypeError:
        raise MarkError(
            "{mark} is not a mark: give {form}, or a text such as {example}",
            mark=quoted(mark),
            form=form,
            example=legal_marks(rules)[-2],
        ) from None
    return check_legal(read, quoted(tuple(read)), rules)


def full_mark(mark: Sequence[int] | str, rules: Rules | Game) -> Mark:
    """As `check_mark`; a MarkError also for one that was noted in part."""
    checked = check_mark(mark, rules)
    if isinstance(checked, PartialMark):
        raise MarkError("the mark {mark} is not noted in full", mark=checked)
    return checked
