"""The games of rules: Mastermind on a board, games of words, boards with a mark for every place."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from pegwise.arrays import (
    I32,
    I64,
    U8,
    U16,
    Bools,
    GuessNumber,
    MarkNumber,
    MarkNumbers,
    SecretNumber,
)
from pegwise.errors import DataFileError, InputError, Phrase, RulesError, quoted
from pegwise.game.codes import HOLE, Code, Word
from pegwise.game.game import (
    MAX_TABLE,
    FiniteGame,
    Game,
    all_secrets,
    check_listed,
    check_table_size,
    check_weights,
)
from pegwise.game.lookup import check_code, list_guesses, list_secrets, mark_of, parse_code
from pegwise.game.marked import MarkedList
from pegwise.game.marking import BoardMarking, SignColumns
from pegwise.game.marks import Mark, PartialMark, mark_pairs
from pegwise.game.parallel import Parallel
from pegwise.game.rules import SEVERAL, Rules, as_rules, count_distinct, one_secret_only
from pegwise.kernels import numpy_backend
from pegwise.kernels.cache import use_numpy
from pegwise.paths import read_text
from pegwise.plugins import Drawable

if TYPE_CHECKING:
    from pegwise.kernels.marking import Signatures

GameLike = Game | Rules | str
"""Values that `as_game` makes a game of."""

_MAX_CODES: Final = 600_000  # a list of them takes three seconds and 0.3 GiB
_MAX_WEIGHT: Final = 2**31 - 1
_MAX_WEIGHTS: Final = 1 << 26  # bytes of a file of weights


class Mastermind(Drawable, Game):
    """Mastermind on a board: codes in numeric order, marks from kernels.

    Codes are listed when they are first needed; TooLargeError where there are too many. `weights`
    tell how often each secret is hidden, whole numbers from 0, in numeric order. RulesError: no
    rules, or rules that are not of a board; or as `Rules.parse`.
    """

    rules: Rules

    def __init__(self, rules: Rules | str, weights: Sequence[int] | I64 | None = None) -> None:
        self.rules = rules = as_rules(rules)
        if not rules.on_board:
            raise RulesError(
                "{rules} is no board with black and white marks, which this needs", rules=rules
            )
        self.name = str(rules)
        self.n_secrets, self.n_guesses = rules.n_secrets, rules.n_guesses
        self.n_marks = len(rules.marking.legal)
        self.winning = self.n_marks - 1
        self.weights = None if weights is None else check_weights(weights, rules.n_secrets)

    def __repr__(self) -> str:
        return f"Mastermind({str(self.rules)!r})"

    def __reduce__(self) -> tuple[Callable[..., Mastermind], tuple[Any, ...]]:
        if self.weights is None:
            return (mastermind, (self.rules,))
        return (Mastermind, (self.rules, self.weights))

    @cached_property
    def guess_codes(self) -> U8:
        """uint8 (n_guesses, pegs): all guesses in numeric order; an empty hole is `HOLE`."""
        return list_guesses(self.rules)

    @cached_property
    def secret_codes(self) -> U8:
        """uint8 (n_secrets, pegs): all secrets in numeric order."""
        same = self.n_guesses == self.n_secrets
        return self.guess_codes if same else list_secrets(self.rules)

    @cached_property
    def guess_of_secret(self) -> I32:
        if self.n_guesses == self.n_secrets:
            return all_secrets(self)
        return self.guess_numbers(self.secret_codes)

    @cached_property
    def mark_ids(self) -> U8:
        """uint8 (pegs + 1, pegs + 1): number of a mark by black and by black + white."""
        ids = np.zeros((self.rules.pegs + 1, self.rules.pegs + 1), np.uint8)
        for number, (black, white) in enumerate(self.rules.marking.legal):
            if self.rules.black:
                ids[black, black:] = number
            else:
                ids[black, black + white] = number
        return ids

    def guess(self, number: GuessNumber) -> Code:
        return Code(self.guess_codes[number].tolist())

    def secret(self, number: SecretNumber) -> Code:
        return Code(self.secret_codes[number].tolist())

    def mark(self, number: MarkNumber) -> Mark:
        return self.rules.marking.legal[number]

    def guess_number(self, guess: Iterable[int] | str) -> GuessNumber:
        rules = self.rules
        code = check_code(guess, rules)
        number = 0
        if not rules.distinct:
            for peg in code:
                number = number * (rules.colors + rules.blank) + min(peg, rules.colors)
            return number
        free = list(range(rules.colors))
        for place, peg in enumerate(code, 1):
            # the codes that agree so far and have a smaller color here
            if smaller := sum(color < peg for color in free):
                rest = count_distinct(rules.pegs - place, len(free) - 1, blank=rules.blank)
                number += smaller * rest
            if peg != HOLE:
                free.remove(peg)
        return number

    def guess_numbers(self, codes: U8) -> I32:
        """int32 (n): numbers of guesses, uint8 (n, pegs), on a board that can be listed."""
        return np.searchsorted(self._guess_keys, self._keys(codes)).astype(np.int32)

    @cached_property
    def _guess_keys(self) -> I64:
        return self._keys(self.guess_codes)

    def _keys(self, codes: U8) -> I64:
        """int64 (n): a number for each code, in numeric order."""
        rules = self.rules
        weights = (rules.colors + 1) ** np.arange(rules.pegs, dtype=np.int64)[::-1]
        keys: I64 = np.minimum(codes, rules.colors).astype(np.int64) @ weights
        return keys

    def mark_number(self, mark: tuple[int, int] | str) -> MarkNumber:
        return self.rules.marking.number(mark)

    def mark_of(self, guess: Sequence[int] | str, secret: Sequence[int] | str) -> Mark:
        return mark_of(self.rules, guess, secret)

    def mark_pairs(self, guesses: I32, secrets: I32) -> U8:
        black, white = mark_pairs(
            self.guess_codes[guesses], self.secret_codes[secrets], black_only=self.rules.black
        )
        numbers: U8 = self.mark_ids[black, black + white]
        return numbers

    def marks(self, guess: GuessNumber, secrets: I32 | None = None) -> U8:
        if use_numpy(self.n_guesses, self.n_secrets):
            row: U8 = self.table[guess]
            return row if secrets is None else row[secrets]
        from pegwise.kernels.marking import mark_many

        secrets = all_secrets(self) if secrets is None else secrets
        out = np.empty(len(secrets), np.uint8)
        places, counts = self.guess_signatures
        own = (places[guess], counts[guess])
        mark_many(*own, *self.secret_signatures, secrets, self.mark_ids, out)
        return out

    def marks_against(self, guess: Any, secrets: I32) -> U8:
        code = np.array([check_code(guess, self.rules)], np.uint8)
        return self.mark_all(code, self.secret_codes[secrets]).ravel()

    def marks_meant(self, mark: Any) -> list[MarkNumber]:
        full = self.rules.marking.completions(mark) if isinstance(mark, PartialMark) else [mark]
        return [self.mark_number(each) for each in full]

    def images(self, guesses: I32 | I64, symmetries: I64) -> I64:
        pegs, colors = self.rules.pegs, self.rules.colors
        codes = self.guess_codes[guesses]
        rows = np.broadcast_to(symmetries, (len(codes), symmetries.shape[-1]))
        moved = np.take_along_axis(codes, rows[:, :pegs], axis=1).astype(np.int64)
        holes = moved == HOLE
        at = np.where(holes, 0, moved)
        if rows.shape[1] > pegs + colors:
            at += np.arange(pegs) * colors
        named = np.take_along_axis(rows[:, pegs:], at, axis=1)
        return self.guess_numbers(np.where(holes, HOLE, named).astype(np.uint8)).astype(np.int64)

    def mark_all(self, guesses: U8, codes: U8) -> U8:
        """The marks by number, uint8 (m, n), of guesses against codes without empty holes.

        Both are uint8 (m, pegs) and (n, pegs).
        """
        colors = self.rules.colors
        if use_numpy(len(guesses), len(codes)):
            return numpy_backend.mark_table(guesses, codes, colors, self.mark_ids)
        from pegwise.kernels.marking import mark_table, signatures

        out = np.empty((len(guesses), len(codes)), np.uint8)
        mark_table(signatures(guesses, colors), signatures(codes, colors), self.mark_ids, out)
        return out

    @cached_property
    def table(self) -> U8:
        """uint8 (n_guesses, n_secrets): all marks; for boards where that is small enough."""
        check_table_size(self.name, self.n_guesses, self.n_secrets)
        return self.mark_all(self.guess_codes, self.secret_codes)

    @cached_property
    def guess_signatures(self) -> Signatures:
        """Places and counts of all guesses (see `kernels.marking`)."""
        from pegwise.kernels.marking import signatures

        return signatures(self.guess_codes, self.rules.colors)

    @cached_property
    def secret_signatures(self) -> Signatures:
        """Places and counts of all secrets (see `kernels.marking`)."""
        from pegwise.kernels.marking import signatures

        if self.secret_codes is self.guess_codes:
            return self.guess_signatures
        return signatures(self.secret_codes, self.rules.colors)


class _RuledGame(FiniteGame):
    """A finite game whose codes and marks are read by its rules."""

    rules: Rules

    def guess_number(self, guess: Any) -> GuessNumber:
        return self._guess_numbers[check_code(guess, self.rules)]

    def mark_number(self, mark: Any) -> MarkNumber:
        return self.rules.marking.number(mark)

    def mark_of(self, guess: Any, secret: Any) -> Mark:
        return mark_of(self.rules, guess, secret)


class ListedGame(_RuledGame):
    """A game of words, or a board with a mark for every place, of at most 600,000 codes.

    Its table of marks is made when it is first needed; TooLargeError where it would not fit in
    memory. The marks of one guess need none. `weights` tell how often each secret is hidden, whole
    numbers from 0, in the game's order.
    """

    def __init__(self, rules: Rules, weights: Sequence[int] | I64 | None = None) -> None:
        check_listed(str(rules), rules.n_guesses, _MAX_CODES)
        self.rules, self.name = rules, str(rules)
        if not isinstance(rules.marking, BoardMarking):
            raise RulesError("{rules} has marks of its own", rules=rules)
        self._marking = rules.marking
        if rules.words is None:
            self._guess_signs, secrets = list_guesses(rules), list_secrets(rules)
            self._guesses = [Code(code) for code in self._guess_signs.tolist()]
            self._secrets = [Code(code) for code in secrets.tolist()]
        else:
            words = rules.words
            numbers = {letter: number for number, letter in enumerate(words.letters)}
            self._guess_signs = np.array(
                [[numbers[sign] for sign in word] for word in words.guesses], np.uint8
            )
            secrets = self._guess_signs[: rules.n_secrets]
            self._guesses = list(map(Word, words.guesses))
            self._secrets = self._guesses[: rules.n_secrets]
        self._secret_signs = SignColumns.of(secrets)
        self._guess_numbers = {code: number for number, code in enumerate(self._guesses)}
        self._number(weights)
        marks = self.rules.marking.legal
        self._marks = list(marks)
        self._mark_numbers = {mark: number for number, mark in enumerate(marks)}
        self.n_marks, self.winning = len(marks), len(marks) - 1

    def __repr__(self) -> str:
        return f"ListedGame({self.name!r})"

    def __reduce__(self) -> tuple[Callable[..., ListedGame], tuple[Any, ...]]:
        return (ListedGame, (self.rules, self.weights))

    @cached_property
    def table(self) -> MarkNumbers:
        """(n_guesses, n_secrets): all marks; uint16, for which kernels are compiled, or uint8."""
        size = self.n_guesses, self.n_secrets
        narrow = 2 * math.prod(size) > MAX_TABLE and self.n_marks <= 256
        check_table_size(self.name, *size, bytes_each=1 if narrow else 2)
        table = np.empty(size, np.uint8 if narrow else np.uint16)
        for guess in range(self.n_guesses):
            table[guess] = self._marked(guess, self._secret_signs)
        return table

    def _marked(self, guess: int, secrets: SignColumns) -> U16:
        """The marks of a guess against n secrets: uint16 (n)."""
        return self._marking.many(self._guess_signs[guess].tolist(), secrets)

    def allowed_after(self, guess: GuessNumber, mark: MarkNumber) -> Bools | None:
        """As `Game.allowed_after`; words that are never hidden are allowed too."""
        if self.free:
            return None
        signs = self._guess_signs[guess].tolist()
        return self._marking.uses(signs, self._marking.legal[mark], self._guess_columns)

    @cached_property
    def _guess_columns(self) -> SignColumns:
        return SignColumns.of(self._guess_signs)

    def mark_pairs(self, guesses: I32, secrets: I32) -> U16:
        """As `Game.mark_pairs`, by the plain definition: trees are verified with it."""
        pairs = zip(guesses.tolist(), secrets.tolist(), strict=True)
        marks = (mark_of(self.rules, self._guesses[g], self._secrets[s]) for g, s in pairs)
        return np.fromiter((self._mark_numbers[mark] for mark in marks), np.uint16, len(guesses))

    def marks(self, guess: GuessNumber, secrets: I32 | None = None) -> MarkNumbers:
        if "table" in self.__dict__:
            return super().marks(guess, secrets)
        signs = self._secret_signs
        return self._marked(guess, signs if secrets is None else signs.some(secrets))


class MarkedGame(_RuledGame):
    """A game with a table of marks of its own, whose codes and marks are texts.

    `weights` replace those of the game.
    """

    def __init__(self, rules: Rules, weights: Sequence[int] | I64 | None = None) -> None:
        codes = rules.words
        if not isinstance(codes, MarkedList):
            raise RulesError("{rules} has no marks of its own", rules=rules)
        self.rules, self.name = rules, str(rules)
        self._guesses = list(map(Word, codes.guesses))
        self._secrets = list(map(Word, codes.secrets))
        self._guess_numbers = {code: number for number, code in enumerate(self._guesses)}
        self._secret_numbers = {code: number for number, code in enumerate(self._secrets)}
        self._number(codes.weights if weights is None else weights)
        self._marks = list(rules.marking.legal)
        self._mark_numbers = {mark: number for number, mark in enumerate(self._marks)}
        self.n_marks, self.winning = len(self._marks), len(self._marks) - 1
        self.table, self.n_questions = codes.table, codes.questions

    def __repr__(self) -> str:
        return f"MarkedGame({self.name!r})"

    def __reduce__(self) -> tuple[Callable[..., MarkedGame], tuple[Any, ...]]:
        return (MarkedGame, (self.rules, self.weights))


def mastermind(rules: Rules | str) -> Mastermind:
    """The game on a board, shared between callers so that its tables are built once.

    Errors are those of `Mastermind`.
    """
    return _boards(as_rules(rules))


def as_game(game: GameLike, weights: Sequence[int] | I64 | None = None) -> Game:
    """A game as it is, or the game of rules, also as they are written (`4x6`, `wordle`).

    The game of rules is shared between callers, unless its secrets have weights. InputError: none
    of these, or weights for a game that has its own; or as `Rules.parse`.
    """
    if isinstance(game, Rules | str):
        return _game_of(as_rules(game), weights)
    if isinstance(game, Parallel):
        raise one_secret_only(game, game.n)
    if not isinstance(game, Game):
        raise InputError(
            "{value} is no game: give rules such as 4x6, or a FiniteGame", value=quoted(game)
        )
    if weights is None:
        return game
    if game.rules is None:
        raise InputError("{game} has its own weights: leave out weights", game=game.name)
    return _game_of(game.rules, weights)


def _game_of(rules: Rules, weights: Sequence[int] | I64 | None) -> Game:
    if rules.marked:
        return _marked(rules) if weights is None else MarkedGame(rules, weights)
    if rules.on_board:
        return _boards(rules) if weights is None else Mastermind(rules, weights)
    return _lists(rules) if weights is None else ListedGame(rules, weights)


def parallel(game: GameLike, n: int) -> Parallel:
    """A game in which `n` distinct secrets of a game are sought at once; errors as `Parallel`.

    As text it is the rules and the number: `wordle*4`.
    """
    whole = as_game(game)
    return Parallel(whole, n, "" if whole.rules is None else whole.rules.named)


def as_parallel(game: object) -> Parallel | None:
    """The game with several secrets, also from a text such as `wordle*4`; None for any other."""
    if isinstance(game, str) and (several := SEVERAL.fullmatch(game)):
        return parallel(several[1], int(several[2]))
    return game if isinstance(game, Parallel) else None


_boards = lru_cache(maxsize=16)(Mastermind)
_lists = lru_cache(maxsize=4)(ListedGame)
_marked = lru_cache(maxsize=4)(MarkedGame)


def read_weights(path: Path, rules: Rules) -> I64:
    """The weight of every secret, int64 (n_secrets), in numeric order.

    A line holds a code and its weight, a whole number from 0, with a space, a comma or a tab
    between them; `*` in place of a code is every code that no line names. Empty lines and what
    follows `#` do not count. DataFileError: the file cannot be read, a line is malformed, or a
    code comes twice, is unknown or is missing. InputError: all weights are 0.
    """
    check_listed(str(rules), rules.n_secrets)
    text = read_text(path, _MAX_WEIGHTS)
    game = as_game(rules)
    weights = np.full(rules.n_secrets, -1, np.int64)
    default: int | None = None
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].replace(",", " ").split()
        if not words:
            continue
        try:
            weight = _weight(words)
            if words[0] == "*":
                if default is not None:
                    raise InputError("the line '*' comes a second time")
                default = weight
                continue
            code = parse_code(words[0], rules, secret=True)
            secret = int(game.secret_of_guess[game.guess_number(code)])
            if weights[secret] >= 0:
                raise InputError("the code {word} comes a second time", word=quoted(words[0]))
            weights[secret] = weight
        except InputError as error:
            where = Phrase("{path}, line {number}", path=path.name, number=number)
            raise DataFileError("{where}: {error}", where=where, error=error) from error
    (missing,) = np.nonzero(weights < 0)
    if len(missing) and default is None:
        raise DataFileError(
            "{path}: no weight for {secret}{more} of {rules}; give every code one, or a line '* 1' "
            "for all others",
            path=path.name,
            secret=game.secret(int(missing[0])),
            more=Phrase(" and {n} more codes", n=len(missing) - 1) if len(missing) > 1 else "",
            rules=rules,
        )
    weights[missing] = default or 0
    if not weights.any():
        raise InputError("{path}: all weights are 0; at least one must be larger", path=path.name)
    return weights


def _weight(words: list[str]) -> int:
    """The weight in a line of a code and its weight."""
    if len(words) != 2:
        raise InputError("{line}: write a code and its weight", line=quoted(" ".join(words)))
    text = words[1]
    weight = int(text) if re.fullmatch("[0-9]{1,10}", text) else -1
    if not 0 <= weight <= _MAX_WEIGHT:
        raise InputError(
            "the weight {text} is not a whole number from 0 to {most}",
            text=quoted(text),
            most=_MAX_WEIGHT,
        )
    return weight
