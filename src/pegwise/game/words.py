"""Lists of words: what may be hidden and guessed in a game of words, and where lists are kept.

A list is named by a text such as `sgb`, the list that comes with pegwise, or `animals@1f0c5e2a`,
one of a user, with the start of its digest. So another list of the same name is noticed. Words are
written with their accents, and may be typed without them.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, NamedTuple

from pegwise.errors import (
    CodeError,
    DataFileError,
    InputError,
    Phrase,
    UnknownNameError,
    quoted,
)
from pegwise.game.named import NAMED
from pegwise.game.signs import fold, plain, unaccented
from pegwise.paths import home, read_text, write_whole

SGB: Final = "sgb"
"""The list that comes with pegwise: five-letter words of English (Knuth 1993, `words.dat`)."""

MAX_LETTERS: Final = 16
MAX_SIGNS: Final = 256  # different letters of a list
MAX_WORDS: Final = 100_000
"""Most words of a list that may be hidden, and most that may be guessed."""

_MAX_BYTES: Final = 1 << 22
_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,39}")
_DIGITS: Final = 8
_ALSO: Final = "# guesses"
_APART: Final = re.compile(r"[\s,;\"“”«»\[\]]+")

SYSTEM_FOLDER: Final = Path("/usr/share/dict")
SYSTEM_WORDS: Final = {
    "english": (("american-english", "british-english", "words"), "wamerican"),
    "french": (("french",), "wfrench"),
}
"""Lists of the system by language: their files, and the package of Debian that brings the first."""


@dataclass(frozen=True)
class WordList:
    """Words of one length in an order that decides ties: those that may be hidden come first.

    Attributes:
        name: what the list is called.
        digest: eight hexadecimal digits that tell lists of the same name apart.
        secrets: the words that may be hidden, in capitals.
        guesses: the words that may be guessed: all secrets, then the others.
        doubles: how many words were given again, which count once.
        others: how many of other lengths were left out.

    Two lists are equal where name and digest are.
    """

    name: str
    digest: str
    secrets: tuple[str, ...] = field(compare=False, repr=False)
    guesses: tuple[str, ...] = field(compare=False, repr=False)
    doubles: int = field(default=0, compare=False, repr=False)
    others: int = field(default=0, compare=False, repr=False)

    @classmethod
    def of(
        cls,
        name: str,
        secrets: Iterable[str],
        guesses: Iterable[str] = (),
        *,
        length: int | None = None,
    ) -> WordList:
        """A list of the words that may be hidden, and of those that may be guessed besides.

        A repeated word counts once. With a `length`, words of others are left out.
        InputError: a wrong name (not small letters, digits, `-` and `_`), no words, or words of
        several lengths where none is given.
        """
        if not _NAME.fullmatch(name):
            raise InputError(
                "{name} is not a name for a list: write small letters, digits, - and _, a "
                "letter first",
                name=quoted(name),
            )
        hidden = _sorted_out(secrets, length)
        if not hidden.words:
            raise InputError("the list {name} has no words", name=quoted(name))
        try:
            more = _sorted_out(guesses, length, len(hidden.words[0]))
        except InputError as error:
            raise InputError("words that are only guessed, {error}", error=error) from None
        known = set(hidden.words)
        also = tuple(word for word in more.words if word not in known)
        if (signs := len(set("".join((*hidden.words, *also))))) > MAX_SIGNS:
            raise InputError(
                "the list {name} has {n} different letters; at most {most} are allowed",
                name=quoted(name),
                n=signs,
                most=MAX_SIGNS,
            )
        text = "\n".join([*hidden.words, _ALSO, *also])
        digest = hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]
        doubles, others = hidden.doubles + more.doubles, hidden.others + more.others
        return cls(name, digest, hidden.words, hidden.words + also, doubles, others)

    def widened(self, guesses: Iterable[str], *, length: int | None = None) -> WordList:
        """This list, with words that may be guessed too; errors as `of`."""
        name = self.name if self.name.endswith("-also") else f"{self.name[:35]}-also"
        own = self.guesses[len(self.secrets) :]
        return WordList.of(name, self.secrets, (*own, *guesses), length=length)

    def __reduce__(self) -> tuple[Callable[..., WordList], tuple[Any, ...]]:
        # its fields alone: another thread may look something up meanwhile
        return type(self), tuple(getattr(self, each.name) for each in fields(self))

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

    @cached_property
    def _spellings(self) -> dict[str, list[str]]:
        """The words that have accents, by how they are written without them."""
        spellings: dict[str, list[str]] = {}
        for word in self.guesses:
            if (bare := fold(unaccented(word))) != word:
                spellings.setdefault(bare, []).append(word)
        return spellings

    def check(self, text: str, *, secret: bool = False) -> str:
        """A word of the list as the list writes it; accents may be left out where one word fits.

        A CodeError quotes the text and says what is allowed, with words that are near.
        """
        word = fold("".join(plain(text).split()))
        number = self.numbers.get(word)
        if number is None and (spelled := self._spellings.get(word)):
            if len(spelled) > 1:
                raise CodeError(
                    "{text} may be {words}: type the accents",
                    text=quoted(text),
                    words=", ".join(spelled),
                )
            word = spelled[0]
            number = self.numbers[word]
        if number is not None and (number < len(self.secrets) or not secret):
            return word
        if len(word) != self.n_letters:
            why = Phrase("its words have {n} letters", n=self.n_letters)
        elif near := _near(word, self.guesses):
            why = Phrase("near words are {words}", words=", ".join(near))
        else:
            why = Phrase("the list has {n:,} words", n=len(self.guesses))
        if number is not None:
            why = Phrase("this word may be guessed, but is never hidden")
        more = self.name == SGB and number is None and len(word) == self.n_letters
        advice = Phrase("; --also FILE allows the words of a file") if more and not secret else ""
        raise CodeError(
            "{text} is not in the list: {why}{advice}", text=quoted(text), why=why, advice=advice
        )


def _near(word: str, words: Iterable[str]) -> list[str]:
    """The words that were probably meant, the nearest first."""
    import difflib  # for errors alone

    return difflib.get_close_matches(word, [*words], n=3, cutoff=0.7)


class _SortedOut(NamedTuple):
    """Different words of one length, in capitals; how many came again, or are of other lengths."""

    words: tuple[str, ...]
    doubles: int
    others: int


def _sorted_out(texts: Iterable[str], length: int | None, expected: int = 0) -> _SortedOut:
    """The words of one length: the one given, or that of all of them.

    `expected` is the length that all must have where none is given. An InputError says what is
    wrong, and of several lengths how many words have each.
    """
    counts: Counter[str] = Counter()
    for text in texts:
        word = fold(text)
        if not word:
            continue
        if not word.isalnum():
            raise InputError("{word}: write words of letters or digits", word=quoted(word))
        if not length and len(word) > MAX_LETTERS:
            raise InputError(
                "{word} has {n} letters; at most {most} are allowed",
                word=quoted(word),
                n=len(word),
                most=MAX_LETTERS,
            )
        counts[word] += 1
    lengths = Counter(map(len, counts))
    if not length and lengths and set(lengths) != {expected or len(next(iter(counts)))}:
        usual = expected or lengths.most_common(1)[0][0]
        raise InputError(
            "{n:,} words of {length} letters, {others:,} of others, such as {word}: give --length "
            "{length} to leave these out",
            n=lengths[usual],
            length=usual,
            others=len(counts) - lengths[usual],
            word=quoted(next(word for word in counts if len(word) != usual)),
        )
    chosen = length or expected or len(next(iter(counts), ""))
    words = tuple(word for word in counts if len(word) == chosen)
    if len(words) > MAX_WORDS:
        raise InputError(
            "{n:,} words are too many; at most {most:,} are allowed", n=len(words), most=MAX_WORDS
        )
    doubles = sum(counts[word] for word in words) - len(words)
    return _SortedOut(words, doubles, len(counts) - len(words))


# files


def read_words(
    path: Path | str,
    guesses: Path | str | None = None,
    name: str = "",
    *,
    length: int | None = None,
) -> WordList:
    """A list from a file of words, and one of words that are only guessed.

    The name is that of the file if it is empty. See `words_of` for what a file may hold, and
    `WordList.of` for `length`. DataFileError: a file cannot be read, or its words are no list.
    """
    files = [Path(file) for file in (path, guesses) if file]
    lists = [file_words(file) for file in files]
    stem = re.sub(r"[^a-z0-9_-]+", "-", files[0].stem.lower()).strip("-_") or "words"
    chosen = name or (stem if stem[0].isalpha() else f"list-{stem}")[:40]
    try:
        return WordList.of(chosen, *lists, length=length)
    except InputError as error:
        if not _NAME.fullmatch(chosen):  # the name is wrong, not the file
            raise
        named = ", ".join(file.name for file in files)
        raise DataFileError("{path}: {error}", path=named, error=error) from error


def file_words(path: Path) -> list[str]:
    """The words of a file; a DataFileError if it cannot be read."""
    return list(words_of(read_text(path, _MAX_BYTES)))


def words_of(text: str) -> Iterator[str]:
    """The words of a text, set apart by blanks, commas or line ends, also in quotes or brackets.

    What follows `#` does not count, nor a line that begins with `*`.
    """
    for line in text.splitlines():
        words = line.partition("#")[0].strip()
        if not words.startswith("*"):
            yield from filter(None, _APART.split(words))


def system_words(language: str) -> list[str]:
    """The words of a language that the system has, of all lengths, in order and without names.

    UnknownNameError: another language than `SYSTEM_WORDS` has. InputError: the system has no such
    list.
    """
    if language not in SYSTEM_WORDS:
        raise UnknownNameError.of("language", language, SYSTEM_WORDS)
    names, package = SYSTEM_WORDS[language]
    path = next((SYSTEM_FOLDER / name for name in names if (SYSTEM_FOLDER / name).is_file()), None)
    if path is None:
        raise InputError(
            "there is no list of words {name} in {folder}: install the package {package}, which "
            "brings it (apt install {package}), or give a file",
            name=quoted(language),
            folder=str(SYSTEM_FOLDER),
            package=package,
        )
    return [
        word
        for word in read_text(path, 2 * _MAX_BYTES).split()
        if word.isalpha() and word.islower() and len(word) <= MAX_LETTERS
    ]


# lists by name


in_use: dict[str, WordList] = {}
"""Lists that this process names besides those that are installed."""


class Lookup(NamedTuple):
    """What rules may name besides.

    Attributes:
        words: looks for lists by name and digest: the site has those of visitors.
        files: whether rules may name a file: the site, whose visitors type them, forbids it.
    """

    words: Callable[[str, str], WordList | None] = lambda _name, _digest: None
    files: bool = True


USUAL_LOOKUP: Final = Lookup()

lookup: ContextVar[Lookup] = ContextVar("lookup", default=USUAL_LOOKUP)
"""What rules may name in this task."""


def use_words(words: WordList) -> None:
    """Let this list be named by its name in this process, as if it were installed."""
    in_use[words.name] = words


def add_words(words: WordList) -> Path:
    """Install a list under its name, for this user; one of the same name is replaced.

    InputError: a name that means something else. OutputError: it cannot be written.
    """
    if words.name in (SGB, *NAMED):
        raise InputError(
            "the name {name} means rules or words of pegwise: choose another name",
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
    return sorted({SGB, *in_use, *names})


def is_installed(words: WordList) -> bool:
    """Whether every process finds this list by its name, not only this one."""
    with suppress(DataFileError):
        return words == (sgb() if words.name == SGB else _installed(words.name))
    return False


def find_words(name: str, digest: str = "") -> WordList | None:
    """The list of this name; None where there is none.

    InputError: it has another digest than asked for. DataFileError: its file is damaged.
    """
    words = sgb() if name == SGB else in_use.get(name) or _installed(name)
    if digest and (words is None or words.digest != digest):
        words = lookup.get().words(name, digest) or words
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
    if not _NAME.fullmatch(name) or not (path := _file(name)).is_file():
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
    return WordList.of(SGB, [line[:5] for line in text.splitlines() if line[0] != "*"])
