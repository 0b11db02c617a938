"""What is told of turns: how many codes fit, and what is wrong where none does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from pegwise.errors import Phrase
from pegwise.game import Code, Game, Mark, Turn
from pegwise.game.notation import LETTERS, Notation
from pegwise.i18n import figure, tr, translated, trn
from pegwise.knowledge import Suspect
from pegwise.knowledge.chances import Chances
from pegwise.knowledge.diagnosis import Diagnosis
from pegwise.knowledge.explanations import OtherCause
from pegwise.playing import Play
from pegwise.telling.blocks import Block, Cell, CodeList, Head, Sentence, Share, Table

if TYPE_CHECKING:
    from pegwise.coach.advice import Split

_ALTERNATIVES: Final = 4


def fitting(rules: Game, turns: int, count: int, codes: Sequence[Code]) -> Iterator[Block]:
    """How many codes fit a number of turns, and the first of them."""
    yield Sentence(fitting_words(rules, turns, count))
    yield listed(codes, count)


def fitting_words(rules: Game, turns: int, count: int) -> str:
    """How many codes fit a number of turns."""
    if not turns:
        return trn("{rules} has {n:,} code.", "{rules} has {n:,} codes.", count, rules=rules.named)
    return trn(
        "{n:,} code of {rules} fits {turns}.",
        "{n:,} codes of {rules} fit {turns}.",
        count,
        rules=rules.named,
        turns=trn("this turn", "these {n} turns", turns),
    )


def listed(codes: Sequence[Code], count: int) -> CodeList:
    """The first of a number of codes."""
    rest = count - len(codes)
    more = ""
    if codes and rest:
        more = Phrase("... and {n:,} more{advice}", n=rest, advice=Phrase(" (see --limit)"))
    return CodeList(tuple(codes), count, more)


def chances_table(chances: Chances, places: Sequence[str] = ()) -> Table:
    """The chance of each color, or letter that is possible, in each place."""
    alphabet = chances.game.alphabet
    rows: list[tuple[Cell, ...]] = []
    for k, sign in enumerate(alphabet.signs):
        shares = [Share(counts[k] / chances.total) for counts in chances.counts]
        if alphabet.named or any(share.part for share in shares):
            rows.append((alphabet.of([sign]), *shares))
    numbers = [str(number) for number in range(1, len(chances.counts) + 1)]
    what = tr("letter") if alphabet.are_words else tr("color")
    heads = (Head(what), *(Head(each, "number") for each in places or numbers))
    caption = tr("How likely each letter is in each place:")
    if not alphabet.are_words:
        caption = tr("How likely each color is in each place:")
    return Table(heads, tuple(rows), caption=caption, divided=True)


def of_boards(play: Play, codes: Sequence[Sequence[Code]], most: int) -> Iterator[Block]:
    """The codes that each of several boards may have, at most `most` of each."""
    for number, (secret, own) in enumerate(zip(play.found, codes, strict=True), 1):
        if secret is not None:
            yield Sentence(Phrase("Board {n} is solved: {code}", n=number, code=secret))
            continue
        yield Sentence(
            trn("Board {board}: {n} code", "Board {board}: {n} codes", len(own), board=number)
        )
        rest = len(own) - most
        more = Phrase("... and {n:,} more", n=rest) if rest > 0 else ""
        yield CodeList(tuple(own[:most]), len(own), more)


def parts(split: Split) -> Iterator[Block]:
    """How many codes would give each mark to a guess, and what the guess tells on average."""
    n = len(split.parts)
    yield Sentence(
        trn("{code} can get {n} mark:", "{code} can get {n} different marks:", n, code=split.guess)
    )
    rows = [(mark, figure(size, ",")) for mark, size in split.parts]
    yield Table((Head(""), Head("", "number")), tuple(rows), indented=True)
    yield Sentence(
        tr(
            "{bits:.4f} bits; {codes:,.2f} codes expected after the mark",
            bits=split.bits,
            codes=float(split.expected),
        )
    )


def words_by_row(
    rules: Game, secret: Code, rows: Sequence[tuple[Mark, Sequence[Code]]], limit: int
) -> Iterator[Block]:
    """Of rows of squares without words: the words that give each, if this is the code."""
    yield Sentence(
        tr(
            "How many words of {rules} give each row if the code is {word}:",
            word=secret,
            rules=rules.named,
        )
    )
    cells = []
    for mark, words in rows:
        shown = " ".join(map(str, words[:limit])) + (" ..." if len(words) > limit else "")
        cells.append((mark.write("discs"), figure(len(words), ","), shown))
    yield Table((Head(""), Head("", "number"), Head("")), tuple(cells), lead=2, indented=True)


def codes_by_row(
    rules: Game, rows: Sequence[tuple[Mark, int]], codes: Sequence[Code], limit: int
) -> Iterator[Block]:
    """Of rows of squares without words: for how many codes some word gives each, and which."""
    yield Sentence(
        tr(
            "The rows have no words. For how many codes of {rules} some word gives the row:",
            rules=rules.named,
        )
    )
    cells = [(mark.write("discs"), figure(size, ",")) for mark, size in rows]
    yield Table((Head(""), Head("", "number")), tuple(cells), indented=True)
    number = trn(
        "{n:,} code is possible for all rows",
        "{n:,} codes are possible for all rows",
        len(codes),
    )
    advice = Phrase("; --secret WORD tells which words give each")
    yield Sentence(Phrase("{number}{advice}.", number=number, advice=advice))
    yield listed(codes[:limit], len(codes))


def contradiction(diagnosis: Diagnosis, notation: Notation = LETTERS) -> Iterator[Block]:
    """What is wrong with turns that no code fits: the first misfit, suspects, other causes."""
    yield Sentence(first_misfit(diagnosis), "warning")
    likely, fewest = diagnosis.suspects, diagnosis.fewest_wrong
    told = [suspect_words(diagnosis, suspect, notation) for suspect in likely]
    if len(told) == 1:
        words = tr("If only one mark is wrong, it is the mark of {turn}.", turn=told[0])
        yield Sentence(words, "warning")
    elif told:
        words = tr("If only one mark is wrong, it is one of these, the most likely first:")
        yield Sentence(words, "warning")
        yield from (Sentence(each, "warning", item=True) for each in told)
    elif fewest is not None:
        words = tr("No change of one mark helps: at least {n} marks are wrong.", n=fewest)
        yield Sentence(words, "warning")
    if diagnosis.causes:
        yield Sentence(tr("What else may be wrong, the most likely first:"), "warning")
    for cause in diagnosis.causes:
        words = cause_sentence(cause, diagnosis.rules, notation)
        yield Sentence(words, "warning", item=True)
    if any(cause.kind == "inclusive" for cause in diagnosis.causes):
        words = tr("With --marks inclusive the second numbers are read so.")
        yield Sentence(words, "warning")


def none_fits(rules: Game) -> str:
    """That no code fits the marks, where nothing more is said."""
    return tr("No code of {rules} fits these marks.", rules=rules.named)


def first_misfit(diagnosis: Diagnosis) -> str:
    """Which turn is the first that nothing fits."""
    rules, turns = diagnosis.rules.named, len(diagnosis.turns)
    if diagnosis.fitting is None:
        return none_fits(diagnosis.rules)
    if turns == 1:
        return tr("No code of {rules} fits this turn.", rules=rules)
    title = tr("No code of {rules} fits these {n} turns", rules=rules, n=turns)
    if not diagnosis.fitting:
        return tr("{title}: none fits turn 1 alone.", title=title)
    few = {1: tr("turn 1"), 2: tr("turns 1 and 2")}
    return trn(
        "{title}: {n} code fits {turns}, but none fits turn {last}.",
        "{title}: {n} codes fit {turns}, but none fits turn {last}.",
        diagnosis.count,
        title=title,
        turns=few.get(diagnosis.fitting) or tr("turns 1 to {n}", n=diagnosis.fitting),
        last=diagnosis.fitting + 1,
    )


def suspect_words(diagnosis: Diagnosis, suspect: Suspect, notation: Notation = LETTERS) -> str:
    """A suspect: `turn 2 (ABCE): XX instead of XXO would leave 3 codes; or X, 1 code`."""
    first, *rest = suspect.instead
    parts = [
        tr(
            "turn {n} ({guess}): with {mark} instead of {noted}, {codes} would fit",
            n=diagnosis.numbers[suspect.turn - 1],
            guess=notation.code(diagnosis.turns[suspect.turn - 1].guess),
            mark=notation.mark(first.mark),
            noted=notation.mark(suspect.mark),
            codes=_codes(first.count),
        )
    ]
    parts += [
        f"{notation.mark(other.mark)}, {_codes(other.count)}" for other in rest[: _ALTERNATIVES - 1]
    ]
    if len(rest) >= _ALTERNATIVES:
        parts.append(tr("others"))
    return tr("; or with ").join(parts)


def cause_sentence(cause: OtherCause, rules: Game, notation: Notation = LETTERS) -> str:
    """A sentence about another cause of a contradiction, and how many codes fit then."""
    turns = cause.turns or (0,)
    words = {
        "guess": Phrase(
            "the guess of turn {n} was another one, such as {guess}",
            n=turns[0],
            guess="" if cause.guess is None else notation.code(cause.guess),
        ),
        "swapped": Phrase(
            "turns {first} and {second} have each other's marks", first=turns[0], second=turns[-1]
        ),
        "inclusive": Phrase("the second numbers include the first"),
        "exchanged": Phrase("black and white are exchanged"),
        "repeats": Phrase("colors may come twice in the code"),
        "digits": Phrase("digits count from 0 to {last}", last=(cause.rules or rules).colors - 1),
        "unlisted": Phrase("the word is not in the list {words}", words=rules.words),
    }[cause.kind]
    text = translated(words)
    if cause.count is None:
        return text
    codes = trn("{n} code", "{n} codes", cause.count)
    return tr("{reason}: {codes}", reason=text, codes=codes)


def wrong_mark(number: int, turn: Turn, true: Mark, secret: object, notation: Notation) -> str:
    """A sentence about a turn, by its number, whose mark is not that of the secret."""
    return tr(
        "Turn {n}, {guess}, was marked {mark}; the secret {secret} gives {true}.",
        n=number,
        guess=notation.code(turn.guess),
        mark=notation.mark(turn.mark),
        secret=notation.sign(secret),
        true=notation.mark(true),
    )


def _codes(number: int) -> str:
    return trn("{n} code", "{n} codes", number)
