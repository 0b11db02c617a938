"""A game in words: a language model, or any program that writes, answers with guesses.

An answer that is no guess never counts as one. It is `unread` where it has no guess in brackets,
and `illegal` where the guess is not allowed; both are counted, and neither is rewarded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, get_args

from pegwise.coach.advice import Position
from pegwise.errors import (
    CodeError,
    InputError,
    UnknownNameError,
    check_whole,
    quoted,
)
from pegwise.game import Code, Game, Notation, Turn, game_of
from pegwise.game.hard import check_hard
from pegwise.hooks import Drawable
from pegwise.i18n import tr, translated, trn
from pegwise.knowledge.codemaker import check_named, draw_secret
from pegwise.search.exact.position import check_solved, regret
from pegwise.statistics import share_interval
from pegwise.telling.words import mark_words, rules_words

Reward = Literal["solved", "bits", "regret"]
Kind = Literal["guess", "illegal", "unread"]

REWARDS: Final[tuple[str, ...]] = get_args(Reward)
MAX_GUESSES: Final = 10
MAX_FAULTS: Final = 5

_BRACKETS: Final = re.compile(r"\[([^\[\]\n]{1,100})\]")
_LONGEST: Final = 100_000  # characters of an answer that are read, the last ones


@dataclass(frozen=True, slots=True)
class Answered:
    """What an answer led to.

    Attributes:
        kind: `guess`; `illegal` for a guess that is not allowed, `unread` for none.
        text: what the agent is told.
        reward: of this answer; 0 where it is no guess.
        over: whether the game is over.
        guess: the guess, if it was one.
    """

    kind: Kind
    text: str
    reward: float
    over: bool
    guess: Code | None = None


@dataclass
class TextEnvironment(Drawable):
    """One game in words. `pegwise.text_environment` makes it.

    Attributes:
        game: what is played.
        seed: the number that the secret is drawn with; the same seed hides the same secret, here
            and in `pegwise play --seed`.
        reward: how guesses are rewarded (see `text_environment`).
        max_guesses: guesses allowed.
        max_faults: answers that are no guess after which the game is over.
        turns: the turns so far.
        illegal: how many guesses were not allowed.
        unread: how many answers had no guess.
        total: the sum of the rewards.

    Examples:
        >>> env = pegwise.text_environment("4x6", seed=7)
        >>> env.answer("No idea.").kind, env.unread, env.over
        ('unread', 1, False)
    """

    game: Game
    seed: int
    reward: Reward = "solved"
    max_guesses: int = MAX_GUESSES
    max_faults: int = MAX_FAULTS
    turns: list[Turn] = field(default_factory=list)
    illegal: int = 0
    unread: int = 0
    total: float = 0.0

    def __post_init__(self) -> None:
        self._secret = draw_secret(self.game, self.seed)
        self._notation = Notation.of(self.game)

    @property
    def task(self) -> str:
        """The rules, what marks mean, and how to answer."""
        game = self.game
        guess, secret = game.alphabet.example, self._other()
        example = self._notation.code(guess)
        parts = [
            tr("Find a secret code: {rules}.", rules=rules_words(game)),
            *self._signs(),
            tr(
                "After each guess you are told how it is marked; for example {guess} would be "
                "marked {mark} if the secret were {secret}.",
                guess=example,
                secret=self._notation.code(secret),
                mark=self._mark(game.mark_of(guess, secret)),
            ),
            trn(
                "You have {n} guess. Answer with one guess in square brackets, such as [{guess}].",
                "You have {n} guesses. Answer with one guess in square brackets, such as "
                "[{guess}]; the last brackets of your answer count.",
                self.max_guesses,
                guess=example,
            ),
        ]
        return "\n".join(parts)

    @property
    def solved(self) -> bool:
        """Whether the code was found."""
        return bool(self.turns) and bool(self.turns[-1].mark == self.game.marking.winning)

    @property
    def over(self) -> bool:
        """Whether the game is over: solved, or without guesses or patience left."""
        spent = len(self.turns) >= self.max_guesses
        return self.solved or spent or self.illegal + self.unread >= self.max_faults

    def answer(self, text: str) -> Answered:
        """Take an answer of the agent.

        Raises:
            InputError: no text, or the game is over.
        """
        if not isinstance(text, str):
            raise InputError("{value} is not text", value=quoted(text))
        if self.over:
            raise InputError("the game is over: begin another one")
        written = self._guess_in(text[-_LONGEST:])
        if written is None:
            self.unread += 1
            return self._refused(
                "unread",
                tr(
                    "Your answer has no guess in square brackets, such as [{guess}].",
                    guess=str(self.game.alphabet.example),
                ),
            )
        try:
            guess = self._read(written)
        except CodeError as error:
            self.illegal += 1
            words = tr("Not allowed: {error}.", error=translated(error))
            return self._refused("illegal", words)
        reward = self._reward(guess)
        self.turns.append(Turn(guess, self.game.mark_of(guess, self._secret)))
        self.total += reward
        return Answered("guess", self._told(), reward, self.over, guess)

    def document(self) -> dict[str, Any]:
        """The game as JSON; its secret once it is over."""
        return {
            "rules": self.game.named,
            "seed": self.seed,
            "reward": self.reward,
            "turns": self.turns,
            "solved": self.solved,
            "guesses": len(self.turns),
            "illegal": self.illegal,
            "unread": self.unread,
            "total": self.total,
            "over": self.over,
            "secret": self._secret if self.over else None,
        }

    def _signs(self) -> Iterator[str]:
        alphabet = self.game.alphabet
        if alphabet.named:
            signs = [self._notation.code(alphabet.of([sign])) for sign in alphabet.signs]
            yield tr("Colors are written {signs}.", signs=", ".join(signs))
        if self.game.marking.cells:
            yield tr("Each place of a guess is marked: right, elsewhere in the code, or absent.")
        elif self.game.board is not None:
            words = self.game.marking.words
            black, white = words.singular if words else (tr("exact"), tr("misplaced"))
            yield tr("{word}: the right color in the right place.", word=black)
            if not self.game.board.black:
                yield tr("{word}: one more color of the code, in another place.", word=white)

    def _other(self) -> Code:
        """A secret to mark the example with; where it can, some pegs are right and some are not."""
        alphabet = self.game.alphabet
        if not alphabet.named:
            return alphabet.other
        first, *rest = alphabet.example
        return alphabet.check([first, *reversed(rest)], secret=True)

    def _guess_in(self, text: str) -> str | None:
        """The guess in the last brackets of an answer; a last line that is a code is one too."""
        if inside := _BRACKETS.findall(text):
            return str(inside[-1]).strip() or None
        lines = [line.strip(" *`.\t\r") for line in text.splitlines() if line.strip(" *`.\t\r")]
        try:
            self.game.alphabet.read(lines[-1] if lines else "")
        except CodeError:
            return None
        return lines[-1]

    def _read(self, text: str) -> Code:
        """The guess, if it may be played now; else a CodeError."""
        guess = self.game.alphabet.read(text)
        check_hard(self.game, self.turns, guess)
        if self.game.n_questions:
            check_named(self.game, self.turns, guess)
        return guess

    def _reward(self, guess: Code) -> float:
        """What a guess is worth, before it is played."""
        if self.reward == "solved":
            return float(guess == self._secret)
        if self.reward == "bits":
            return Position(self.game, self.turns).split(guess).bits
        return -regret(self.game, self.turns, guess)

    def _refused(self, kind: Kind, words: str) -> Answered:
        lost = self.max_faults - self.illegal - self.unread
        rest = trn(
            "The guess does not count; after {n} more such answer the game is over.",
            "The guess does not count; after {n} more such answers the game is over.",
            lost,
        )
        return Answered(kind, f"{words} {self._end() if self.over else rest}", 0.0, self.over)

    def _told(self) -> str:
        guess, mark = self.turns[-1]
        written = self._notation.code(guess)
        words = tr("{guess} is marked {mark}.", guess=written, mark=self._mark(mark))
        if self.over:
            return f"{words} {self._end()}"
        rest = self.max_guesses - len(self.turns)
        return f"{words} " + trn("{n} guess is left.", "{n} guesses are left.", rest)

    def _end(self) -> str:
        if self.solved:
            return trn("Solved in {n} guess.", "Solved in {n} guesses.", len(self.turns))
        return tr("The game is over; the code was {code}.", code=self._notation.code(self._secret))

    def _mark(self, mark: Any) -> str:
        return mark_words(mark, self.game)


def text_environment(
    game: str = "4x6",
    *,
    seed: int,
    reward: Reward = "solved",
    max_guesses: int = MAX_GUESSES,
    max_faults: int = MAX_FAULTS,
) -> TextEnvironment:
    """A game in words for a language model, or any program that answers in text.

    Args:
        game: a board, a game of words, or another one, as text.
        seed: from 0; the same seed hides the same secret.
        reward: of each guess: `solved` is 1 for the winning one, else 0; `bits` is the expected
            information of the guess; `regret` is minus the guesses by which it exceeds best play,
            exactly, on average over the codes that are possible.
        max_guesses: guesses allowed.
        max_faults: answers that are no guess after which the game is over, from 1.

    Raises:
        InputError: no game, or a number out of range. UnknownNameError: another reward.
        TooLargeError: `regret` on a game whose positions are not solved exactly.

    Examples:
        >>> env = pegwise.text_environment("4x6", seed=7)
        >>> print(env.answer("Perhaps [AABB]?").text)
        AABB is marked 1 exact, 1 misplaced. 9 guesses are left.
    """
    played = game_of(game)
    check_whole("seed", seed)
    check_whole("max_guesses", max_guesses, 1)
    check_whole("max_faults", max_faults, 1)
    if reward not in REWARDS:
        raise UnknownNameError.of("reward", str(reward), REWARDS)
    if not played.text or (played.weights is not None and not played.jar):
        raise InputError("{game}: give a game that a text names, without weights", game=played.name)
    if reward == "regret":
        check_solved(played)
    return TextEnvironment(played, seed, reward, max_guesses, max_faults)


def tasks(game: str, seeds: Iterable[int], **options: Any) -> Iterator[dict[str, Any]]:
    """Games as lines of JSON, one for each seed: what to ask, and what makes the same game again.

    Examples:
        >>> from pegwise.agents import tasks
        >>> [task["id"] for task in tasks("4x6", range(2))]
        ['4x6#0', '4x6#1']
    """
    for seed in seeds:
        made = text_environment(game, seed=seed, **options)
        yield {
            "id": f"{made.game}#{seed}",
            "game": made.game.named,
            "seed": seed,
            "reward": made.reward,
            "max_guesses": made.max_guesses,
            "max_faults": made.max_faults,
            "task": made.task,
        }


def summary(games: Iterable[TextEnvironment | Mapping[str, Any]]) -> dict[str, Any]:
    """What games that are over show together: the share that was solved, with its interval.

    The interval holds the true share with a confidence of 95 % (Wilson 1927). Answers that were no
    guess are counted apart.

    Examples:
        >>> from pegwise.agents import summary
        >>> env = pegwise.text_environment("1x2", seed=0)
        >>> _ = env.answer("[A]"), env.over or env.answer("[B]")
        >>> summary([env])["solved"]
        1
    """
    rows = [game.document() if isinstance(game, TextEnvironment) else game for game in games]
    solved = [row["guesses"] for row in rows if row["solved"]]
    return {
        "games": len(rows),
        "solved": len(solved),
        "share": len(solved) / len(rows) if rows else None,
        "interval": share_interval(len(solved), len(rows)) if rows else None,
        "guesses": sum(solved) / len(solved) if solved else None,
        "illegal": sum(row["illegal"] for row in rows),
        "unread": sum(row["unread"] for row in rows),
        "total": sum(row["total"] for row in rows),
    }
