"""Guesses as people write them: letters, digits from 1 or from 0, discs, names of colors, words.

The guesses of a history are read together: a 0 in one of them tells that all count from 0, and a
letter that no color of the board has tells that letters are initials of names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from pegwise.errors import AmbiguousError, CodeError, InputError, Phrase, quoted
from pegwise.game import Game, game_of
from pegwise.game.codes import COLOR_LETTERS, DISCS, HOLE, Code
from pegwise.game.names import parse_code
from pegwise.game.notation import Notation
from pegwise.game.rules import Rules
from pegwise.game.signs import plain, unaccented
from pegwise.reading.forms import joined
from pegwise.reading.vocabulary import COLOR_NAMES, COLOR_WORDS, PAINTS, word_set

_KINDS: Final = {
    "letters": "[A-Za-z]*",
    "digits": "[0-9]*",
    "discs": r"(?:(?!\w)[\u2501-\U0010ffff])*",
}
_APART: Final = re.compile(r"[\s,;]+")
_USUAL: Final = 6  # colors of a board where none are told
_USUAL_LONG: Final = 8  # the usual colors from five pegs on
_NEAR: Final = 10  # letters up to the tenth may well be those of a larger board


class Signs(NamedTuple):
    """The signs of a guess, one for each peg, and what they are.

    `kind` is `letters`, `digits` (also numbers that are set apart), `discs` (also squares, and
    other pictures), or `words`. A hole is a dot.
    """

    kind: str
    signs: tuple[str, ...]


def signs_of(text: str) -> Signs | None:
    """The signs of a guess; None where the text is none, or mixes kinds."""
    pieces = _pieces_of(text)
    if not all(pieces):
        return None
    if len(pieces) > 1 and all(unaccented(piece) in COLOR_WORDS for piece in pieces):
        return Signs("words", tuple(map(unaccented, pieces)))
    numbers = [piece for piece in pieces if piece != "."]
    if len(pieces) > 1 and numbers and all(re.fullmatch("[0-9]{1,2}", piece) for piece in numbers):
        return Signs("digits", tuple(pieces))
    if len({*map(len, pieces)}) > 1:  # `112 2` is a guess and a mark, or the like
        return None
    signs = "".join("".join(pieces).split("-"))
    filled = signs.replace(".", "")
    for kind, way in _KINDS.items():
        if signs and re.fullmatch(way, filled):
            return Signs(kind, tuple(signs.upper() if kind == "letters" else signs))
    return None


def _pieces_of(text: str) -> list[str]:
    """What stands apart in a guess."""
    bare = plain(text).strip().strip("[](){}").strip(" ,;|'\"`-")
    return [piece.strip("'\"") for piece in _APART.split(re.sub(r"\s[-|]\s", " ", bare))]


Reading = tuple[Phrase, Phrase, dict[str, object]]
"""One of several readings: in words, what chooses it, and the arguments that do."""


class InferredCodes(NamedTuple):
    """The guesses of a history, as they were read."""

    codes: tuple[Code, ...]
    rules: Game
    notation: Notation
    told: tuple[str, ...] = ()  # what was inferred


def read_codes(
    texts: Sequence[str], rules: Game, colors: Sequence[str] = (), *, french: bool = False
) -> InferredCodes:
    """The guesses of a history by given rules, in names of one's own if `colors` has them.

    The first reading that all texts have: as they are documented, as digits from 0, as names. A
    CodeError names the first guess that has none.
    """
    if colors:
        names = check_colors(colors, rules)
        codes = tuple(_named_code(text, names, rules) for text in texts)
        return InferredCodes(codes, rules, Notation("names", names=names))
    guesses = [signs_of(text) for text in texts]
    signs = [guess for guess in guesses if guess is not None]
    try:
        if any("0" in each.signs and max(map(len, each.signs)) > 1 for each in signs):
            raise CodeError  # a 0 beside a 10 is no tenth color
        codes = tuple(parse_code(text, rules) for text in texts)
        return InferredCodes(codes, rules, typed_notation(texts, rules))
    except CodeError as error:
        if not rules.alphabet.named:
            raise
        if len(signs) < len(texts) or any(len(each.signs) != rules.pegs for each in signs):
            raise
        kinds = {each.kind for each in signs}
        with suppress(CodeError):
            if kinds == {"digits"} and "0" in _used(signs):
                return _from_zero(signs, rules)
            if kinds in ({"words"}, {"discs"}) or (
                kinds == {"letters"} and _initials(signs, french=french)
            ):
                return _in_names(signs, rules, french=french)
        raise error from None


def read_code(text: str, rules: Game, notation: Notation, *, secret: bool = False) -> InferredCodes:
    """A code that is typed in a game whose codes have been written in a notation so far.

    Digits count from 0 once a 0 was typed, or from 1 once digits without one were; names of colors
    stay. CodeError: it is no code.
    """
    signs = signs_of(text)
    if rules.alphabet.named and notation.codes == "names":
        code = _named_code(text, notation.names, rules)
        return InferredCodes((rules.alphabet.check(code, secret=secret),), rules, notation)
    if not notation.first and signs is not None and signs.kind == "digits":
        code = rules.alphabet.check(_from_zero([signs], rules).codes[0], secret=secret)
        return InferredCodes((code,), rules, notation)
    try:
        code = parse_code(text, rules, secret=secret)
    except CodeError:
        if notation.codes == "digits" or secret or not rules.alphabet.named:
            raise
        return read_codes([text], rules)
    return InferredCodes((code,), rules, typed_notation([text], rules))


def typed_notation(texts: Iterable[str], rules: Game) -> Notation:
    """The documented notation of the last of some texts."""
    kinds = [guess.kind for text in texts if (guess := signs_of(text)) is not None]
    if not kinds and rules.alphabet.named:
        return Notation.of(rules)
    kind = kinds[-1] if kinds and rules.alphabet.named else "letters"
    codes = kind if kind in ("digits", "discs") else "letters"
    return Notation(codes, "discs" if codes == "discs" else "pegs", colors=rules.colors)


def _from_zero(guesses: Sequence[Signs], rules: Game) -> InferredCodes:
    """Digits from 0; CodeError for one that the rules do not have."""
    codes = tuple(
        rules.alphabet.check([HOLE if sign == "." else int(sign) for sign in guess.signs])
        for guess in guesses
    )
    notation = Notation("digits", first=0, colors=rules.colors)
    told = Phrase("digits from 0 to {last}", last=rules.colors - 1)
    return InferredCodes(codes, rules, notation, (told,))


def _in_names(
    guesses: Sequence[Signs], rules: Game, used: Sequence[str] = (), *, french: bool
) -> InferredCodes:
    """The codes in names: those that occur, by default in that order, and others of their kind."""
    used = used or _used(guesses)
    names = (*used, *_other_names(used, guesses[0].kind, french=french))[: rules.colors]
    if not len(used) <= rules.colors == len(names):
        raise CodeError(
            "{names}: more colors than {rules} has", rules=rules, names=quoted(", ".join(used))
        )
    codes = tuple(_named_code(" ".join(guess.signs), names, rules) for guess in guesses)
    told = _names_told(names, len(used), french=french)
    return InferredCodes(codes, rules, Notation("names", names=names), (told,))


def _used(guesses: Iterable[Signs]) -> list[str]:
    """The signs of guesses without holes, each once, in their order."""
    return [*dict.fromkeys(sign for guess in guesses for sign in guess.signs if sign != ".")]


def _initials(guesses: Iterable[Signs], *, french: bool) -> bool:
    """Whether letters can only be initials of colors: others may be mistyped."""
    letters = _used(guesses)
    beyond = any(COLOR_LETTERS.index(letter) >= _NEAR for letter in letters)
    return beyond and _language(letters, french=french) is not None


def _language(letters: Iterable[str], *, french: bool) -> str | None:
    """The language whose colors have these initials, the preferred one of several."""
    for language in ("fr", "en") if french else ("en", "fr"):
        if set(letters) <= set(COLOR_NAMES[language]):
            return language
    return None


def _other_names(used: Sequence[str], kind: str, *, french: bool) -> list[str]:
    """Names for the colors of a board that do not occur."""
    if kind == "discs":
        return [disc for disc in (*DISCS, *"🟥🟩🟦🟨🟪🟧🟫⬛⬜") if disc not in used]
    if kind == "letters":
        colors = COLOR_NAMES[_language(used, french=french) or "en"]
        return [letter for letter in (*colors, *COLOR_LETTERS) if letter not in used]
    words = [[*map(str, names.values())] for names in COLOR_NAMES.values()]
    own = max(words, key=lambda names: sum(word in names for word in used))
    return [word for word in own if word not in used]


def _names_told(names: Sequence[str], n_used: int, *, french: bool) -> str:
    """`R = red = A, G = green = B`, and which ones do not occur."""
    language = _language((n for n in names[:n_used] if len(n) == 1), french=french)
    parts: list[str] = []
    for number, name in enumerate(names):
        color = COLOR_NAMES[language].get(name, "") if language else ""
        letter = COLOR_LETTERS[number]
        text = Phrase("{name} = {letter}", name=name, letter=letter)
        if color:
            text = Phrase("{name} = {color} = {letter}", name=name, color=color, letter=letter)
        parts.append(text if number < n_used else Phrase("{name} (not typed)", name=text))
    return joined(parts)


def paints_of(names: Sequence[str], *, french: bool = False) -> list[str]:
    """How colors of these names are painted, in English; "" for a name that is of no color."""
    language = _language(names, french=french) if all(len(n) == 1 for n in names) else None
    words = [COLOR_NAMES[language][name] for name in names] if language else names
    return [PAINTS.get(unaccented(word), "") for word in words]


def names_in(text: str) -> tuple[str, ...]:
    """Names of colors that stand in a row, set apart by commas."""
    return tuple(name.strip() for name in text.split(","))


def check_colors(colors: Sequence[str], rules: Game) -> tuple[str, ...]:
    """Names of one's own for the colors of a board; CodeError for too few, too many or doubles."""
    if not rules.alphabet.named:
        raise CodeError("{rules} has letters, which have their own names", rules=rules)
    return check_names(Phrase("colors"), colors, rules.colors, rules)


def check_names(what: Phrase, texts: Sequence[str], n: int, rules: Game) -> tuple[str, ...]:
    """Names that can be told from what stands beside them in a turn; errors as `check_colors`."""
    names = tuple(name.strip() for name in texts)
    folded = _folded(names)
    if any(_APART.search(name) or set("=:/|.") & set(name) for name in names):
        raise CodeError(
            "{what} {names}: write each name as one word, such as red or dark-red",
            what=what,
            names=quoted(",".join(names)),
        )
    if len(names) != n or not all(folded) or len(set(folded)) != len(folded):
        raise CodeError(
            "{what} {names}: give {n} different names for {rules}, set apart by commas",
            what=what,
            names=quoted(",".join(names)),
            n=n,
            rules=rules,
        )
    return names


def placed(guess: str, mark: str, places: Sequence[str]) -> tuple[str, str]:
    """A guess of pairs of names, as in `Ann-Al Bea-Ben`, as names of colors, place by place.

    A hole where no pair has the place; the guess as it is where it is not of pairs. The mark of one
    pair may be `yes` or `no`. InputError: a pair without a place, or two pairs with one.
    """
    pairs = [piece.split("-") for piece in _pieces_of(guess)]
    if not places or not all(len(pair) == 2 for pair in pairs):
        return guess, mark
    names, folded = ["."] * len(places), [*map(unaccented, places)]
    for pair in pairs:
        color, place = pair if unaccented(pair[1]) in folded else reversed(pair)
        at = folded.index(unaccented(place)) if unaccented(place) in folded else -1
        if at < 0 or names[at] != ".":
            raise InputError(
                "{guess}: each pair is of a color and of another one of the places {places}",
                guess=quoted(guess),
                places=", ".join(places),
            )
        names[at] = color
    if len(pairs) == 1:
        mark = next((n for n in "01" if unaccented(mark) in word_set(f"pair{n}")), mark)
    return " ".join(names), mark


def _folded(names: Sequence[str]) -> list[str]:
    """The names in small letters; as they are written where only that tells them apart."""
    folded = [unaccented(name) for name in names]
    alike = len(set(folded)) < len(folded) == len({*names}) and all(len(n) == 1 for n in names)
    return [*names] if alike else folded


def _named_code(text: str, names: Sequence[str], rules: Game) -> Code:
    """A guess in names of one's own, or in their first letters where these differ."""
    folded = _folded(names)
    initials = [name[:1] for name in folded]
    fold = str if folded == [*names] and len({*map(unaccented, names)}) < len(names) else unaccented
    pieces = [fold(piece) for piece in _pieces_of(text) if piece]
    if len(pieces) == 1 and pieces[0] not in folded:
        pieces = [*pieces[0]]
    pegs = []
    for position, piece in enumerate(pieces, 1):
        if piece in folded:
            pegs.append(folded.index(piece))
        elif initials.count(piece) == 1:
            pegs.append(initials.index(piece))
        elif piece == ".":
            pegs.append(HOLE)
        else:
            raise CodeError(
                "{text}: {token} at position {position}: the colors are {names}",
                text=quoted(text),
                token=quoted(piece),
                position=position,
                names=", ".join(names),
            )
    try:
        return rules.alphabet.check(pegs)
    except CodeError as error:
        raise CodeError("{text}: {error}", text=quoted(text), error=error) from None


def choice_of(rules: Game, notation: Notation, shown: str) -> Reading:
    """A board that is asked for: in words, what chooses it, and the arguments that do.

    `shown` is a code or a turn on it.
    """
    choice: dict[str, object] = {"game": rules.named if rules.words is None else rules}
    if notation.codes == "names" and re.fullmatch(
        "[A-Za-z](?: [A-Za-z])*", " ".join(notation.names)
    ):
        names = ",".join(notation.names)
        option = Phrase("give {rules} --colors {names}", rules=rules, names=names)
        choice["colors"] = notation.names
        return Phrase("the colors {names}, board {rules}", names=names, rules=rules), option, choice
    words = Phrase("{turn} on {rules}", turn=shown, rules=rules.named)
    return words, Phrase("give {rules}", rules=rules.named), choice


def boards_of(
    guesses: Sequence[Signs], *, lock: bool = False, french: bool = False
) -> list[InferredCodes]:
    """The boards that guesses of one length may be of; CodeError for none.

    A board has 6 colors, 8 from five pegs on, or as many as occur: letters up to the last one that
    does, digits from 0 up to the highest, names as many as there are. `lock` tells that they are
    digits from 0 to 9. Letters may be names, or colors of a larger board.
    """
    pegs = len(guesses[0].signs)
    usual = _USUAL_LONG if pegs > 4 else _USUAL
    kinds, used = {guess.kind for guess in guesses}, _used(guesses)
    blank = any("." in guess.signs for guess in guesses)
    if kinds == {"digits"} and (lock or "0" in used):
        colors = 10 if lock else max(2, max(map(int, used)) + 1)
        return [_from_zero(guesses, game_of(Rules(pegs, colors, blank=blank)))]
    board = game_of(Rules(pegs, max(usual, len(used)), blank=blank))
    if kinds == {"words"} or (kinds == {"discs"} and not {*used} <= set(DISCS[:usual])):
        return [_in_names(guesses, board, french=french)]
    texts = [",".join(guess.signs) for guess in guesses]
    wide = game_of(Rules(pegs, 26, blank=True))
    typed = tuple(parse_code(text, wide) for text in texts)
    most = max((peg + 1 for code in typed for peg in code if peg != HOLE), default=1)
    rules = game_of(Rules(pegs, max(usual, most), blank=blank))
    whole = InferredCodes(typed, rules, typed_notation(texts, rules))
    if kinds != {"letters"} or most <= usual or 2 * len(used) > most:
        return [whole]
    if _initials(guesses, french=french):
        return [_in_names(guesses, board, french=french)]
    return [_in_names(guesses, board, sorted(used), french=french), whole]


def infer_codes(texts: Sequence[str], *, french: bool = False) -> InferredCodes:
    """Codes without rules, and the board that they are of, which is told unless it is 4x6.

    AmbiguousError: letters that may be names, colors of a larger board, or words. CodeError: no
    codes of one length in one notation.
    """
    signs = [each for each in map(signs_of, texts) if each is not None]
    if len(signs) < len(texts) or len({len(each.signs) for each in signs}) != 1:
        raise CodeError(
            "{codes}: write codes of one length, in one notation", codes=quoted(",".join(texts))
        )
    boards = boards_of(signs, french=french)
    if len(boards) > 1:
        first = "".join(signs[0].signs)
        rows = [choice_of(each.rules, each.notation, first) for each in boards]
        with suppress(CodeError):
            words = game_of("wordle")
            for each in signs:
                parse_code("".join(each.signs), words)
            rows.insert(0, choice_of(words, Notation(), first))
        letters = ", ".join(sorted(_used(signs)))
        raise AmbiguousError.of(Phrase("the letters {letters}", letters=letters), rows)
    read = boards[0]
    told = () if read.rules == game_of(Rules()) else (str(read.rules),)
    return read._replace(told=(*told, *read.told))
