"""Positions: how guesses split what is still possible, which split best, and what to play next.

Guesses are compared by one look ahead, as the one-step strategies compare them. On boards of up to
`MAX_LISTED` guesses every guess is compared. On larger ones only candidates are, once there are at
most `MAX_WEIGHED` of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

import numpy as np

from pegwise.arrays import I32, I64, U8, Bools
from pegwise.errors import (
    ContradictionError,
    InputError,
    MissingExtraError,
    Phrase,
    StrategyError,
    TooLargeError,
    check_whole,
)
from pegwise.game import (
    Code,
    Game,
    Mark,
    Mastermind,
    PartialMark,
    Turn,
    Turns,
    game_of,
)
from pegwise.game.game import MAX_TABLE
from pegwise.game.hard import check_hard
from pegwise.hooks import Drawable
from pegwise.kernels import numpy_backend
from pegwise.knowledge import candidate_set, candidates, count, listed_candidates, weight
from pegwise.knowledge.candidates import ListedSet, board_candidates
from pegwise.knowledge.chances import Chances, chances
from pegwise.playing import Play, Playable
from pegwise.progress import Report, silent
from pegwise.strategies import (
    Decision,
    Explanation,
    Strategy,
    begin_play,
    label,
    load,
    naming_the_strategy,
)
from pegwise.strategies.criteria import CRITERIA, check_criterion, largest_part
from pegwise.strategies.explanation import Write
from pegwise.strategies.parallel import ParallelDecision
from pegwise.strategies.scoring import equal_guesses, score_guesses

if TYPE_CHECKING:
    from pegwise.knowledge.constraints import CompleteSet
    from pegwise.knowledge.counting import CandidateSet

    SomeSet = ListedSet | CompleteSet | CandidateSet

MAX_LISTED: Final = 1_000_000
MAX_WEIGHED: Final = 10_000

STRATEGIES: Final[Mapping[str, str]] = {
    "minimax": "knuth",
    "size": "irving",
    "entropy": "entropy",
    "parts": "parts",
}
"""The strategy that plays the best guess by each criterion."""

_RANKED: Final = Phrase("Some marks are noted in part: this is the best by one look ahead.")

MAX_PAIRS: Final = 400_000_000  # marks worked out within seconds; beyond, candidates are sampled
SHORTLIST: Final = 200  # guesses that are best on a sample and are then compared on all candidates


Parts = tuple[tuple[Mark, int], ...]
"""Marks that a guess can get, and how many candidates would give each."""


@dataclass(frozen=True, slots=True)
class Split(Drawable):
    """How a guess splits the candidates: how many would give each mark that it can get.

    Where several secrets are sought, figures are of all open boards together: of the ways to choose
    a candidate for each.

    Attributes:
        guess: the guess.
        boards: the parts of each open board.
        possible_on: the boards, from 1, whose secret it may be.
        weights: for each open board, the weight of each part; empty where all codes are alike.
            Bits, and what is expected, are by weight.
    """

    guess: Code
    boards: tuple[Parts, ...]
    possible_on: tuple[int, ...]
    weights: tuple[tuple[int, ...], ...] = ()

    @classmethod
    def of(cls, game: Game, guess: Code, fitting: Mapping[int, SomeSet]) -> Split:
        """How a guess splits the candidates of each open board, by its number from 0."""
        boards = {board: own.parts() for board, own in fitting.items()}
        possible = [board + 1 for board, parts in boards.items() if game.marking.winning in parts]
        weights = [
            tuple(own.weighed_parts().values())
            for own in fitting.values()
            if isinstance(own, ListedSet) and game.weights is not None
        ]
        parts_of = (tuple(parts.items()) for parts in boards.values())
        return cls(guess, tuple(parts_of), tuple(possible), tuple(weights))

    @property
    def parts(self) -> Parts:
        """The parts of the first open board, which is all of them where one secret is sought."""
        return self.boards[0]

    @property
    def possible(self) -> bool:
        """Whether it is a candidate, so that it may be the code, of some board."""
        return bool(self.possible_on)

    @property
    def candidates(self) -> int:
        """Number of candidates that are split."""
        return math.prod(_size(parts) for parts in self.boards)

    @property
    def expected(self) -> Fraction:
        """Expected number of candidates after the mark, each part weighed by its own chance."""
        means = (
            Fraction(sum(size * weight for size, weight in parts), sum(w for _, w in parts))
            for parts in self._weighed
        )
        return math.prod(means, start=Fraction(1))

    @property
    def _weighed(self) -> list[list[tuple[int, int]]]:
        """The size and the weight of each part of each open board."""
        sizes = [[size for _, size in parts] for parts in self.boards]
        return [
            list(zip(own, weights, strict=True))
            for own, weights in zip(sizes, self.weights or sizes, strict=True)
        ]

    @property
    def bits(self) -> float:
        """Expected information in bits: the entropy of the partition."""
        weighed = [(sum(w for _, w in parts), parts) for parts in self._weighed]
        return math.fsum(w / n * math.log2(n / w) for n, parts in weighed for _, w in parts if w)

    @property
    def largest(self) -> int:
        """Size of the largest part."""
        return math.prod(max(size for _, size in parts) for parts in self.boards)

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        return math.prod(map(len, self.boards))

    def score(self, criterion: str) -> float:
        """The score by a criterion of the one-step strategies; less is better.

        With weights a part counts as many codes of mean weight as weigh the same.
        """
        if self.weights and criterion in {"minimax", "size"}:
            return math.prod(map(_COMBINED[criterion], self._weighed))
        scores: dict[str, float] = {
            "minimax": self.largest,
            "size": float(self.expected),
            "entropy": -self.bits,
            "parts": -self.n_parts,
        }
        return scores[criterion]


def _size(parts: Parts) -> int:
    return sum(size for _, size in parts)


def _heaviest(parts: Sequence[tuple[int, int]]) -> float:
    n, total = sum(size for size, _ in parts), sum(weight for _, weight in parts)
    return max(weight for _, weight in parts) * n / total


def _mean(parts: Sequence[tuple[int, int]]) -> float:
    n, total = sum(size for size, _ in parts), sum(weight for _, weight in parts)
    return sum(weight * weight for _, weight in parts) * n / total**2


_COMBINED: Final = {"minimax": _heaviest, "size": _mean}


class Position(Drawable):
    """A position of a game, on a board of any size, of words, or of any finite game.

    The game may be a text (`4x6`, `wordle`; `wordle*4` where several secrets are sought), and so
    may the turns so far (`AABB=XO`). InputError: no game, or no turns that it allows.

    Examples:
        >>> position = pegwise.Position("4x6", "AABB=XO")
        >>> position.count, position.split("ABCD").largest
        (208, 44)
    """

    def __init__(self, game: Playable, turns: Turns = ()) -> None:
        self.play = play = Play.of(game, turns)
        self.turns = play.turns

    def __repr__(self) -> str:
        several = self.play.several
        game = str(self.game) if several is None else str(several)
        return f"Position({game!r}, {[str(turn) for turn in self.turns]})"

    def document(self) -> dict[str, Any]:
        """The game, the turns, and the number of candidates."""
        several = self.play.several
        return {
            "rules": self.game if several is None else str(several),
            "turns": self.turns,
            "count": self.count,
        }

    @property
    def game(self) -> Game:
        """The game that is played, on each board."""
        return self.play.game

    @property
    def partial(self) -> bool:
        """Whether some mark was noted in part only."""
        return any(isinstance(mark, PartialMark) for _, mark in self.turns)

    @property
    def listed(self) -> bool:
        """Whether the board is small enough to compare all its guesses."""
        return self.game.n_guesses <= MAX_LISTED

    @property
    def allowed(self) -> Bools:
        """Bool (n_guesses): the guesses that the rules allow; all of them where not `hard`."""
        game, allowed = self.game, np.ones(self.game.n_guesses, np.bool_)
        if not game.free:
            for guess, mark in self.turns:
                number, marks = game.guess_number(guess), game.marks_meant(mark)
                after = [each for m in marks if (each := game.allowed_after(number, m)) is not None]
                allowed &= np.logical_or.reduce(after)
        return allowed

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """Number of candidates of each board, 1 of a solved one; errors as `knowledge.count`."""
        if self.play.boards == 1:
            return (count(self.game, self.turns),)
        return tuple(map(len, board_candidates(self.play)))

    @cached_property
    def weights(self) -> tuple[int, ...]:
        """The weight of the candidates of each board: their number where all codes are alike."""
        game = self.game
        if game.weights is None:
            return self.counts
        if self.play.boards == 1:
            return (weight(game, self.turns),)
        return tuple(int(game.weights[each].sum()) for each in board_candidates(self.play))

    @property
    def count(self) -> int:
        """Number of candidates, exactly; of several boards the ways to choose one for each."""
        return math.prod(self.counts)

    def chances(self, *, report: Report = silent) -> Chances:
        """How likely each color is in each place, each code counted by its weight.

        On boards of any size, and of words; `report` receives the progress, where it takes long.

        Raises:
            InputError: several secrets, or codes that have no places.
            ContradictionError: no code fits.
            TooLargeError: as `knowledge.count`.

        Examples:
            >>> pegwise.Position("4x6", "AABB=XO").chances()
            Chances(game=game_of('4x6'), count=208, total=208)
        """
        if self.play.several is not None:
            raise InputError("chances are of one secret")
        return chances(self.game, self.turns, report=report)

    def split(self, guess: Sequence[int] | str) -> Split:
        """How a guess splits the candidates, at least one; errors as `knowledge.parts`."""
        code = self.game.alphabet.check(guess)
        if self.play.boards == 1:
            return Split.of(self.game, code, {0: candidate_set(self.game, self.turns, code)})
        listed = board_candidates(self.play)
        fitting = {b: ListedSet(self.game, listed[b], code) for b in self.play.hidden}
        return Split.of(self.game, code, fitting)


@dataclass(frozen=True, slots=True)
class Ranking(Drawable):
    """The best guesses of a position by some criterion.

    Attributes:
        criterion: `entropy`, `size`, `minimax` or `parts`.
        splits: the best guesses, best first; ties as the strategies break them.
        weighed: how many guesses were compared.
        kinds: whether a guess was omitted if it equals another with colors or places exchanged.
        exact: whether every guess was compared on all candidates, not on a sample of them first.
        complete: whether every guess of the board was considered, not only candidates.

    Examples:
        >>> pegwise.rank("3x3", limit=1).best.guess
        Code('AAB')
    """

    criterion: str
    splits: tuple[Any, ...]
    weighed: int
    kinds: bool
    exact: bool
    complete: bool

    @property
    def best(self) -> Any:
        """The best guess."""
        return self.splits[0]

    def __repr__(self) -> str:
        guesses = [str(split.guess) for split in self.splits]
        return f"Ranking({self.criterion!r}, {guesses}, weighed={self.weighed})"

    def rows(self) -> list[dict[str, Any]]:
        """A row for each guess, as `pandas.DataFrame(ranking.rows())` takes them."""
        figures = ("bits", "expected", "largest", "n_parts", "candidates", "possible")
        return [
            {"guess": str(split.guess)} | {each: getattr(split, each) for each in figures}
            for split in self.splits
        ]


def best_guess(position: Position, criterion: str = "entropy", guesses: str = "all") -> Split:
    """The best guess by one look ahead, as the strategies choose it; arguments as `rank`."""
    if not position.listed:
        return cast(Split, rank(position, criterion=criterion, guesses=guesses, limit=1).best)
    _check_options(position, criterion, guesses)
    if position.partial or position.play.boards > 1 or position.game.weights is not None:
        return cast(Split, rank(position, criterion=criterion, guesses=guesses, limit=1).best)
    strategy = load(STRATEGIES[criterion], guesses=guesses)
    decision = strategy.begin(position.game)
    for guess, mark in position.turns:
        decision = decision.instead(guess, mark) or decision.after(mark)
    return position.split(decision.guess)


def rank(
    position: Position | Playable,
    *,
    criterion: str = "entropy",
    guesses: str = "all",
    limit: int = 10,
) -> Ranking:
    """The best guesses, at most `limit`: by score, then candidates first, then in numeric order.

    The position may be a game, as it begins.

    Of several secrets the only candidate of a board comes first, as it is played at once.

    The criterion is `entropy`, `size`, `minimax` or `parts`; the guesses are `all`, or only
    `candidates`, as always on boards that are not listed.

    Raises:
        InputError: another criterion, other guesses, or a limit below 0.
        ContradictionError: no candidate is possible.
        TooLargeError: too many candidates to compare guesses.

    Examples:
        >>> [str(split.guess) for split in pegwise.rank("4x6", limit=3).splits]
        ['ABCD', 'AABC', 'AABB']
    """
    if not isinstance(position, Position):
        position = Position(position)
    _check_options(position, criterion, guesses)
    check_whole("limit", limit)
    if position.play.several is not None:
        splits = _best_of_boards(position, criterion, guesses, limit)
        return Ranking(
            *(criterion, splits, position.game.n_guesses),
            kinds=False,
            exact=True,
            complete=guesses == "all",
        )
    table = _guess_table(position, guesses)
    numbers, exact = table.numbers, True
    if len(numbers) * position.count > MAX_PAIRS:
        exact = False
        size = max(1, MAX_PAIRS // len(numbers))
        sample = np.linspace(0, position.count - 1, size).astype(np.int32)
        shortlist = table.best_first(criterion, numbers, sample)[:SHORTLIST]
        numbers = shortlist
        if not position.partial and position.game.weights is None:
            best = best_guess(position, criterion, guesses)
            chosen = position.game.guess_number(best.guess)
            numbers = np.union1d(shortlist, [chosen]).astype(np.int32)
    every = np.arange(position.count, dtype=np.int32)
    numbers = table.best_first(criterion, numbers, every)[:limit]
    return Ranking(
        criterion,
        tuple(position.split(table.guess(guess)) for guess in numbers),
        len(table.numbers),
        table.kinds,
        exact,
        complete=position.listed and guesses == "all" and bool(position.allowed.all()),
    )


def _best_of_boards(
    position: Position, criterion: str, guesses: str, count: int
) -> tuple[Split, ...]:
    """The best guesses on several boards."""
    game, play = position.game, position.play
    if play.over:
        raise ContradictionError("all secrets of {game} are found", game=play.name)
    strategy = load(STRATEGIES[criterion], guesses=guesses)
    decision = cast(ParallelDecision, begin_play(strategy, replace(play, turns=())))
    for turn in play.turns:
        decision = decision.instead(*turn)
    numbers = decision.best_first(count).tolist()
    if count and decision.known is not None:  # which is played at once
        numbers = [decision.known, *(n for n in numbers if n != decision.known)][:count]
    return tuple(position.split(game.guess(number)) for number in numbers)


class GuessTable(NamedTuple):
    """Guesses to compare on the candidates: codes of a board, else rows and columns of a table."""

    game: Game
    guesses: U8 | I32  # (g, pegs) or (g)
    candidates: U8 | I32  # (n, pegs) or (n)
    possible: Bools  # (g), which guesses are candidates
    numbers: I32  # (m), which guesses to compare, ascending
    weights: I64 | None = None  # (n), of the candidates; None where all are alike
    kinds: bool = False  # whether guesses that equal one of these were omitted

    def guess(self, number: int) -> Code:
        if self.guesses.ndim > 1:
            return Code(self.guesses[number].tolist())
        return cast(Code, self.game.guess(number))

    def best_first(self, criterion: str, numbers: I32, sample: I32) -> I32:
        """These guesses, int32, the best first on a sample of the candidates, int32."""
        game, rule = self.game, CRITERIA[criterion]
        guesses, candidates = self.guesses[numbers], self.candidates[sample]
        # every secret is a guess; where the game is not listed, only candidates are
        n = min(game.n_secrets, len(self.guesses))
        worth = rule.table(n if self.weights is None else largest_part(game))
        weights = None if self.weights is None else self.weights[sample]
        if guesses.ndim > 1:
            codes = cast(U8, guesses), cast(U8, candidates)
            scores = score_guesses(cast(Mastermind, game), *codes, worth, rule.additive, weights)
        else:
            columns = cast(I32, candidates)
            scores = numpy_backend.scores(
                game.table[guesses], columns, game.n_marks, worth, rule.additive, weights
            )
        return numbers[np.lexsort((numbers, ~self.possible[numbers], scores))]


def _guess_table(position: Position, guesses: str) -> GuessTable:
    """All guesses of a game that is listed, or its candidates; of a larger board, only these."""
    game = position.game
    if game.board is not None and not position.listed:
        if position.count > MAX_WEIGHED:
            raise TooLargeError(
                "{n:,} candidates of {rules} are too many to compare guesses (at most {most:,})",
                n=position.count,
                rules=game.name,
                most=MAX_WEIGHED,
            )
        codes = np.array(candidates(game, position.turns), np.uint8)
        every = np.arange(len(codes), dtype=np.int32)
        return GuessTable(game, codes, codes, np.ones(len(codes), np.bool_), every)
    secrets = listed_candidates(game, position.turns)
    weights = None if game.weights is None else game.weights[secrets]
    possible = np.zeros(game.n_guesses, np.bool_)
    possible[game.guess_of_secret[secrets]] = True
    eligible = possible if guesses == "candidates" else position.allowed
    if game.n_open_guesses < game.n_guesses:  # a secret is named only where no other is possible
        asks = np.arange(game.n_guesses) < game.n_open_guesses
        eligible = possible if len(secrets) == 1 else asks
    if game.board is None:
        every = np.arange(game.n_guesses, dtype=np.int32)
        return GuessTable(game, every, secrets, possible, every[eligible], weights)
    board = cast(Mastermind, game)
    # later, hardly any symmetry remains; and weights leave none
    kinds = len(position.turns) < 2 and weights is None
    if kinds:
        played = tuple(game.guess_number(guess) for guess, _ in position.turns)
        eligible = eligible & equal_guesses(board.rules, played)
    numbers = np.flatnonzero(eligible).astype(np.int32)
    codes = board.secret_codes[secrets]
    return GuessTable(game, board.guess_codes, codes, possible, numbers, weights, kinds)


def _check_options(position: Position, criterion: str, guesses: str) -> None:
    check_criterion(criterion, guesses)
    if position.play.boards == 1 and not position.count:
        raise ContradictionError("no secret of {rules} gives these marks", rules=position.game)


@dataclass(frozen=True, slots=True)
class Advice:
    """A guess to play, and who proposes it.

    Attributes:
        guess: the guess.
        strategy: the strategy that proposes it, as typed on the command line.
        decision: the state of that strategy, which explains the guess; None where it is not known,
            and in a copy for another process.
        ranked_by: the criterion by which guesses were compared after marks that were noted in
            part, which no strategy is told of.
    """

    guess: Code
    strategy: str
    decision: Decision | None = field(default=None, compare=False)
    ranked_by: str = ""

    def __reduce__(self) -> tuple[type[Advice], tuple[Code, str, None, str]]:
        # a decision may hold all codes of a board, which no other process needs
        return Advice, (self.guess, self.strategy, None, self.ranked_by)

    def explain(self, mark: Any = None, *, write: Write = str) -> Explanation:
        """Why the strategy that proposes it does so, in its own words; as `Decision.explain`."""
        if self.decision is None and self.ranked_by:
            reason = (_RANKED,)
            return Explanation(attempt=self.guess, reason=reason, ranked_by=self.ranked_by)
        if self.decision is None:
            return Explanation(attempt=self.guess, result=mark)
        return self.decision.explain(mark, write=write)


def default_strategy(rules: Game, boards: int = 1) -> Strategy:
    """The strategy for a board where none is named.

    `entropy` where all guesses can be compared, and where several secrets are sought; else
    `sampling`, which plays larger boards, and lists of words that are too large for a table of
    marks.
    """
    if game_of(rules).board is None:
        listed = 2 * rules.n_guesses * rules.n_secrets <= MAX_TABLE
    else:
        listed = rules.n_guesses <= MAX_LISTED
    return load("entropy" if listed or boards > 1 else "sampling")


class Adviser:
    """Gives a strategy's next guess after any history.

    A history may hold guesses that the strategy would not have played. Where it cannot go on from
    those, the default strategy of the board takes its place, and where that meets no code that
    fits, `constraint`. StrategyError: the strategy cannot play this board. MissingExtraError: its
    extra is not installed.
    """

    def __init__(self, strategy: Strategy, rules: Game, boards: int = 1) -> None:
        self.strategy = strategy
        self.game = rules
        self.play = Play(game_of(rules), boards)
        self._decisions: dict[tuple[str, tuple[Turn, ...]], Decision | None] = {}
        self.decision_after(())

    def propose(self, history: Sequence[Turn]) -> Advice:
        """The guess to play now; an error where no secret fits, or no strategy can go on."""
        turns = tuple(history)
        if any(isinstance(turn.mark, PartialMark) for turn in turns):
            return self._after_partial(turns)
        others = [default_strategy(self.game, self.play.boards)]
        others += [load("constraint")] if self.play.boards == 1 else []
        for strategy in (self.strategy, *others):
            with suppress(TooLargeError, MissingExtraError):
                if (decision := self._after(strategy, turns)) is not None:
                    guess = decision.guess
                    with naming_the_strategy(strategy, self.play.game):
                        check_hard(self.game, turns, guess)
                    return Advice(guess, label(strategy), decision)
        raise StrategyError(
            "{strategy} cannot continue after guesses that are not its own on {rules}; "
            "strategy 'constraint' can",
            strategy=label(self.strategy),
            rules=self.game,
        )

    def _after_partial(self, turns: tuple[Turn, ...]) -> Advice:
        """The guess after marks that were noted in part, which no strategy is told of.

        It is the best by one look ahead, by the criterion of the strategy if it has one; on boards
        that are too large for that the first code that fits.
        """
        position = Position(self.game, turns)
        names = {name: criterion for criterion, name in STRATEGIES.items()}
        name = label(self.strategy) if label(self.strategy) in names else "entropy"
        with suppress(TooLargeError):
            guess = rank(position, criterion=names[name], limit=1).best.guess
            return Advice(guess, name, ranked_by=names[name])
        for code in candidates(self.game, turns, 1):
            return Advice(code, "constraint")
        raise ContradictionError("no secret of {rules} gives these marks", rules=self.game)

    def decision_after(self, history: Sequence[Turn]) -> Decision | None:
        """The decision of the strategy itself; None where it cannot go on from this history."""
        return self._after(self.strategy, tuple(history))

    def departure(self, history: Sequence[Turn]) -> tuple[int, Code] | None:
        """The number of the first turn that the strategy cannot take, and the guess it would play.

        None where it can go on from this history.
        """
        for number in range(1, len(history) + 1):
            before = self.decision_after(history[: number - 1])
            if before is not None and self.decision_after(history[:number]) is None:
                return number, before.guess
        return None

    def _after(self, strategy: Strategy, turns: tuple[Turn, ...]) -> Decision | None:
        """The decision of a strategy after these turns; None where it cannot go on."""
        key = (strategy.typed, turns)
        if key in self._decisions:
            return self._decisions[key]
        decision: Decision | None = None
        if not turns:
            decision = begin_play(strategy, self.play)
        elif (before := self._after(strategy, turns[:-1])) is not None:
            guess, mark = turns[-1]
            decision = before.instead(guess, mark)
            if decision is None and before.guess == guess:
                decision = before.after(mark)
        self._decisions[key] = decision
        return decision
