"""Lists of words: what may be hidden and guessed in a game of words, and where lists are kept.

A list is named by a text such as `sgb`, the list that comes with pegwise, or `animals@1f0c5e2a`,
one of a user, with the start of its digest. So another list of the same name is noticed.
"""

from __future__ import annotations

import difflib
import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from pegwise.errors import (
    CodeError,
    DataFileError,
    InputError,
    Phrase,
    UnknownNameError,
    quoted,
)
from pegwise.paths import home, read_text, write_whole

SGB: Final = "sgb"
"""The list that comes with pegwise: five-letter words of English (Knuth 1993, `words.dat`)."""

NAMED: Final = {
    "classic": "4x6",
    "super": "5x8",
    "bulls-and-cows": "4x10,distinct",
    "wordle": "sgb,placed",
}
"""Rules that have a name; a list cannot have it too."""

MAX_LETTERS: Final = 16
MAX_SIGNS: Final = 256  # different letters of a list
MAX_WORDS: Final = 100_000
"""Most words of a list that may be hidden, and most that may be guessed."""

_MAX_BYTES: Final = 1 << 22
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_DIGITS: Final = 8
_ALSO: Final = "# guesses"


@dataclass(frozen=True)
class WordList:
    """Words of one length in an order that decides ties: those that may be hidden come first.

    Attributes:
        name: what the list is called.
        digest: eight hexadecimal digits that tell lists of the same name apart.
        secrets: the words that may be hidden, in capitals.
        guesses: the words that may be guessed: all secrets, then the others.

    Two lists are equal where name and digest are.
    """

    name: str
    digest: str
    secrets: tuple[str, ...] = field(compare=False, repr=False)
    guesses: tuple[str, ...] = field(compare=False, repr=False)

    @classmethod
    def of(cls, name: str, secrets: Iterable[str], guesses: Iterable[str] = ()) -> WordList:
        """A list of the words that may be hidden, and of those that may be guessed besides.

        They are lines; empty ones only count as lines. InputError: a name that is none (small
        letters, digits, `-` and `_`), no words, a word twice, or words of several lengths.
        """
        if not _NAME.fullmatch(name):
            raise InputError(
                "{name} is no name of a list: write small letters, digits, - and _, a letter first",
                name=quoted(name),
            )
        hidden = _checked(secrets)
        if not hidden:
            raise InputError("the list {name} has no words", name=quoted(name))
        doubles = set(hidden)
        try:
            also = tuple(word for word in _checked(guesses, len(hidden[0])) if word not in doubles)
        except InputError as error:
            raise InputError("words that are only guessed, {error}", error=error) from None
        if (signs := len(set("".join((*hidden, *also))))) > MAX_SIGNS:
            raise InputError(
                "the list {name} has {n} different letters; at most {most} are allowed",
                name=quoted(name),
                n=signs,
                most=MAX_SIGNS,
            )
        text = "\n".join([*hidden, _ALSO, *also])
        digest = hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
        return cls(name, digest, hidden, hidden + also)

    def __str__(self) -> str:
        return self.name if self.name == SGB else f"{self.name}@{self.digest}"

    @property
    def n_letters(self) -> int:
        """The length of each word."""
        return len(self.secrets[0])

    @cached_property
    def letters(self) -> str:
        """All letters that occur, in alphabetical order."""
        return "".join(sorted(set("".join(self.guesses))))

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word that may be guessed."""
        return {word: number for number, word in enumerate(self.guesses)}

    def check(self, text: str, *, secret: bool = False) -> str:
        """A word of the list as the list writes it.

        A CodeError quotes the text and says what is allowed, with words that are near.
        """
        word = fold("".join(text.split()))
        number = self.numbers.get(word)
        if number is not None and (number < len(self.secrets) or not secret):
            return word
        if len(word) != self.n_letters:
            why = Phrase("its words have {n} letters", n=self.n_letters)
        elif near := difflib.get_close_matches(word, self.guesses, n=3, cutoff=0.7):
            why = Phrase("near words are {words}", words=", ".join(near))
        else:
            why = Phrase("it has {n} words", n=len(self.guesses))
        if number is not None:
            why = Phrase("this word may be guessed, but is never hidden")
        raise CodeError(
            "{text} is not in the list {name}: {why}", text=quoted(text), name=self.name, why=why
        )


def fold(word: str) -> str:
    """A word in capitals, letter by letter: accents stay, and ß is one letter."""
    composed = unicodedata.normalize("NFC", word)
    return "".join(
        "ẞ" if sign in "ßẞ" else sign.upper() if len(sign.upper()) == 1 else sign
        for sign in composed
    )


def _checked(lines: Iterable[str], n_letters: int = 0) -> tuple[str, ...]:
    """The words of lines, in capitals; all of this length, or of that of the first.

    An InputError names the line and says what is wrong with it.
    """
    number_of: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        word = fold(line)
        where = Phrase("line {number}, {word}", number=number, word=quoted(word))
        if not word:
            continue
        if not word.isalnum():
            raise InputError("{where}: write letters or digits, one word a line", where=where)
        if len(word) > MAX_LETTERS or len(number_of) == MAX_WORDS:
            raise InputError(
                "{where}: at most {most:,} words of at most {letters} letters are allowed",
                where=where,
                most=MAX_WORDS,
                letters=MAX_LETTERS,
            )
        n_letters = n_letters or len(word)
        if len(word) != n_letters:
            raise InputError(
                "{where} has {n} letters, and the first word has {first}",
                where=where,
                n=len(word),
                first=n_letters,
            )
        if (first := number_of.setdefault(word, number)) != number:
            raise InputError("{where} is line {first} again", where=where, first=first)
    return tuple(number_of)


# files


def read_words(path: Path | str, guesses: Path | str | None = None, name: str = "") -> WordList:
    """A list from a file with a word in each line, and one of words that are only guessed.

    Empty lines do not count, nor what follows `#` or a line that begins with `*`. In the file of
    guesses words that may be hidden may come again. The name is that of the file if it is empty.
    DataFileError: a file cannot be read, or its words are no list (see `WordList.of`).
    """
    files = [Path(file) for file in (path, guesses) if file]
    lists = [list(words_of(read_text(file, _MAX_BYTES))) for file in files]
    stem = re.sub(r"[^a-z0-9_-]+", "-", files[0].stem.lower()).strip("-_") or "words"
    chosen = name or (stem if stem[0].isalpha() else f"list-{stem}")[:40]
    n_letters = 0
    for file, lines in zip(files, lists, strict=True):
        try:
            n_letters = len(next(iter(_checked(lines, n_letters)), ""))
        except InputError as error:
            raise DataFileError("{path}, {error}", path=file.name, error=error) from error
    try:
        return WordList.of(chosen, *lists)
    except InputError as error:
        if not _NAME.fullmatch(chosen):  # the name is wrong, not the file
            raise
        raise DataFileError("{path}: {error}", path=files[0].name, error=error) from error


def words_of(text: str) -> Iterator[str]:
    """The word of each line of a text; an empty one for a line that is empty or a remark."""
    for line in text.splitlines():
        word = line.partition("#")[0].strip()
        yield "" if word.startswith("*") else word


# lists by name


_named: dict[str, WordList] = {}

other_words: ContextVar[Callable[[str, str], WordList | None] | None] = ContextVar(
    "other_words", default=None
)
"""Where lists are looked for besides, by name and digest: the web face has those of visitors."""


def use_words(words: WordList) -> None:
    """Let this list be named by its name in this process, as if it were installed."""
    _named[words.name] = words


def add_words(words: WordList) -> Path:
    """Install a list under its name, for this user; one of the same name is replaced.

    InputError: a name that means something else. OutputError: it cannot be written.
    """
    if words.name in (SGB, *NAMED):
        raise InputError(
            "the name {name} stands for rules or words of pegwise: choose another name",
            name=words.name,
        )
    path = _file(words.name)
    only = words.guesses[len(words.secrets) :]
    text = "\n".join([*words.secrets, *([_ALSO, *only] if only else [])]) + "\n"
    write_whole(path, [text.encode()])
    return path


def remove_words(name: str) -> None:
    """Remove an installed list; UnknownNameError where there is none."""
    if name == SGB:
        raise InputError("the list {name} comes with pegwise: it cannot be removed", name=name)
    if _NAME.fullmatch(name):
        with suppress(OSError):
            _file(name).unlink()
            return
    raise UnknownNameError.of("list", name, installed_words())


def installed_words() -> list[str]:
    """The names of the lists that can be used, in alphabetical order."""
    folder = home() / "words"
    names = {path.stem for path in folder.glob("*.txt") if _NAME.fullmatch(path.stem)}
    return sorted({SGB, *_named, *names})


def find_words(name: str, digest: str = "") -> WordList | None:
    """The list of this name; None where there is none.

    InputError: it has another digest than asked for. DataFileError: its file is damaged.
    """
    words = sgb() if name == SGB else _named.get(name) or _installed(name)
    if digest and (words is None or words.digest != digest) and (look := other_words.get()):
        words = look(name, digest) or words
    if words is not None and digest not in ("", words.digest):
        raise InputError(
            "{name}@{digest} is another list than the one of this name, {words}: use or add the "
            "list that was played with",
            name=name,
            digest=digest,
            words=f"{name}@{words.digest}",
        )
    return words


def _installed(name: str) -> WordList | None:
    path = _file(name)
    if not _NAME.fullmatch(name) or not path.is_file():
        return None
    secrets, _, guesses = read_text(path, _MAX_BYTES).partition(_ALSO)
    try:
        return WordList.of(name, secrets.split(), guesses.split())
    except InputError as error:
        raise DataFileError("{path}: {error}", path=str(path), error=error) from error


def _file(name: str) -> Path:
    return home() / "words" / f"{name}.txt"


@lru_cache(maxsize=1)
def sgb() -> WordList:
    """The five-letter words of English that Knuth chose for the Stanford GraphBase."""
    text = files("pegwise.game").joinpath("data", "words.dat").read_text(encoding="ascii")
    # a word, then how common it is
    return WordList.of(SGB, [word[:5] for word in words_of(text)])
