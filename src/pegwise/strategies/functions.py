"""The strategy that a plain function of game and turns makes, and how it travels to workers."""

from __future__ import annotations

import inspect
import pickle
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib import import_module
from operator import index
from pkgutil import resolve_name
from typing import Any, cast

from pegwise.errors import CodeError, InputError, Phrase, StrategyError, quoted
from pegwise.game import HOLE, Code, Game, Turn
from pegwise.knowledge import candidates
from pegwise.strategies.base import Decision, Strategy
from pegwise.strategies.card import Card
from pegwise.strategies.options import Option

Chooses = Callable[[Any, Any], Any]
"""A function that, given a game and the turns so far, says what to play."""

ChoosesCandidate = Callable[[list[list[int]]], Any]
"""A function that chooses from the candidates, lists of colors numbered from 1."""


class FunctionStrategy(Strategy):
    """The strategy that plays what a function says.

    A function of one argument chooses from the candidates, lists of color numbers from 1, as in the
    school practical. A function of two gets the game and the turns so far.

    The function may play a code, its text, or a list of numbers that stand for colors. These count
    from 0 or from 1: `base` says which. If it is not given, a 0 or the number of colors in the
    first guess tells it; where the guess has neither, an error asks for `base`.

    Args:
        function: given a game and the turns so far, a tuple of `Turn`, the guess to play; or given
            the candidates alone; the same one whenever it is asked the same.
        base: the number of color A, 0 or 1; 1 for a function of the candidates.
        name: the id of its card; the name of the function if not given.
        options: those of the function that differ from their defaults.
    """

    def __init__(
        self,
        function: Chooses | ChoosesCandidate,
        *,
        base: int | None = None,
        name: str = "",
        options: Mapping[str, Option] | None = None,
    ) -> None:
        if base not in (None, 0, 1):
            raise InputError("base={base}: colors are numbered from 0 or from 1", base=quoted(base))
        if takes_candidates(function):
            function, base = ChoiceOfCandidates(cast(ChoosesCandidate, function)), 1
        self.function = cast(Chooses, function)
        self.options: Mapping[str, Option] = dict(options or {})
        self._name = name
        self._base = base

    @cached_property
    def card(self) -> Card:
        """A card with the name of the function and what it says of itself."""
        function: Any = self.function
        if isinstance(function, ChoiceOfCandidates):
            function = function.choose
        function = function.func if isinstance(function, partial) else function
        name = getattr(function, "__name__", type(function).__name__).strip("<>_")
        about = inspect.getdoc(function) if hasattr(function, "__name__") else None
        return Card(
            self._name or name.replace("_", "-"),
            about=" ".join((about or "").split()),
            traits=frozenset({"adapts"}),
        )

    def begin(self, game: Game) -> FunctionDecision:
        return FunctionDecision(self, game)

    def read(self, game: Game, played: Any) -> Any:
        """Read the guess that the function has played; a CodeError if it is none."""
        if not game.text or played is None or isinstance(played, Code):
            return played
        numbers = _numbers(played)
        if numbers is None or not game.alphabet.named:
            return game.alphabet.check(played)
        return self._code(game, numbers, self._base_of(game, numbers))

    def write(self, game: Game, guess: Any) -> Any:
        """A guess as the function plays it: numbers from 1 if those are its colors."""
        if self._base != 1 or not game.alphabet.named:
            return guess
        return tuple(peg if peg == HOLE else peg + 1 for peg in game.alphabet.check(guess))

    def _base_of(self, game: Game, numbers: list[int]) -> int:
        """Whether its numbers count from 0 or from 1; StrategyError where nothing tells."""
        if self._base is None:
            self._base = _sign(game, numbers)
        if self._base is None:
            raise StrategyError(
                "{name} plays {guess}, and it is not known whether its colors are numbered "
                "from 0 or from 1: give base=0 or base=1 (FILE.py:NAME:base=1), or play codes "
                "as text",
                name=self.card.id,
                guess=quoted(numbers),
            )
        self.notes = (Phrase("colors numbered from {base}", base=self._base),)
        return self._base

    def _code(self, game: Game, numbers: list[int], base: int) -> Code:
        last = game.colors - 1 + base
        for position, number in enumerate(numbers, 1):
            if not (base <= number <= last or (number == HOLE and game.alphabet.blank)):
                raise CodeError(
                    "color {number} at position {position}: its colors are the numbers {base} to "
                    "{last}",
                    number=number,
                    position=position,
                    base=base,
                    last=last,
                )
        return game.alphabet.check([n if n == HOLE else n - base for n in numbers])


def _numbers(played: Any) -> list[int] | None:
    """The numbers that a function plays; None for what is something else."""
    if isinstance(played, str) or not isinstance(played, Iterable):
        return None
    try:
        return [index(number) for number in played]
    except TypeError:
        return None


def _sign(game: Game, numbers: list[int]) -> int | None:
    """Where numbers of colors begin, if these tell: a 0, or the number of all colors."""
    if 0 in numbers:
        return 0
    return 1 if game.colors in numbers else None


@dataclass(frozen=True)
class FunctionDecision(Decision):
    """The turns so far, after which a function of game and turns chooses the guess.

    Attributes:
        strategy: the function as a strategy.
        game: what is played.
        history: a guess and its mark each, guesses as the function writes them.
    """

    strategy: FunctionStrategy
    game: Game
    history: tuple[Turn, ...] = ()

    @cached_property
    def guess(self) -> Any:
        return self.strategy.read(self.game, self.strategy.function(self.game, self.history))

    def after(self, mark: Any) -> FunctionDecision:
        return self.instead(self.guess, mark)

    def instead(self, guess: Any, mark: Any) -> FunctionDecision:
        turn = Turn(self.strategy.write(self.game, guess), mark)
        return replace(self, history=(*self.history, turn))


@dataclass(frozen=True)
class ChoiceOfCandidates:
    """A function of game and turns that leaves the choice to a function of the candidates.

    Attributes:
        choose: given the candidates in numeric order, lists of colors numbered from 1, one of them
            or another code.
    """

    choose: ChoosesCandidate

    def __call__(self, game: Game, turns: tuple[Turn, ...]) -> Any:
        """Choose a guess after turns whose guesses are numbers from 1."""
        played = [
            Turn(Code(peg if peg == HOLE else peg - 1 for peg in turn.guess), turn.mark)
            for turn in turns
        ]
        return self.choose([[color + 1 for color in code] for code in candidates(game, played)])


def takes_candidates(function: object) -> bool:
    """Whether something is a function of one argument, the candidates."""
    plain = function.func if isinstance(function, partial) else function
    if not inspect.isfunction(plain):
        return False
    parameters = inspect.signature(cast(Callable[..., Any], function)).parameters.values()
    kinds = [parameter.kind for parameter in parameters if parameter.default is parameter.empty]
    several = any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters)
    return not several and kinds in (
        [inspect.Parameter.POSITIONAL_ONLY],
        [inspect.Parameter.POSITIONAL_OR_KEYWORD],
    )


def takes_turns(function: object) -> bool:
    """Whether something is a plain function of two arguments, a game and the turns so far."""
    if not inspect.isfunction(function):
        return False
    parameters = inspect.signature(function).parameters.values()
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    needed = [p for p in parameters if p.kind is p.KEYWORD_ONLY and p.default is p.empty]
    return len(places) == 2 and not needed


def of_plain(
    function: Chooses | ChoosesCandidate, name: str = "", base: int | None = None
) -> Callable[..., FunctionStrategy]:
    """A maker of strategies of a function, given its own options, as the class of others is one.

    `base` is the number of color A, as in `FunctionStrategy`.
    """

    def make(**options: Option) -> FunctionStrategy:
        chooses = partial(function, **options) if options else function
        return FunctionStrategy(chooses, base=base, name=name, options=options)

    vars(make).update(card=FunctionStrategy(function, name=name).card, __wrapped__=function)
    return make


# Workers are other processes. What they cannot import travels as a whole, by cloudpickle.


class Picklable:
    """A task whose `strategy` any process can unpickle, also one that it cannot import."""

    strategy: Strategy

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "strategy": pack(self.strategy)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        strategy = state["strategy"]
        if isinstance(strategy, bytes):
            strategy = pickle.loads(strategy)  # noqa: S301 - packed by the process that works
        vars(self).update(state, strategy=strategy)


def pack(strategy: Strategy) -> Strategy | bytes:
    """A strategy that other processes can import as it is; another one as bytes.

    StrategyError: they cannot import it, and cloudpickle is not installed.
    """
    if _importable(strategy):
        return strategy
    try:
        cloudpickle = import_module("cloudpickle")
    except ImportError:
        raise StrategyError(
            "other processes cannot import {name}: put it into a file of its own and import that, "
            "install cloudpickle, or use one process",
            name=strategy.card.id,
        ) from None
    packed: bytes = cloudpickle.dumps(strategy)
    return packed


def _importable(strategy: Strategy) -> bool:
    """Whether another process finds the function or the class of a strategy by its name."""
    thing: Any = type(strategy)
    if isinstance(strategy, FunctionStrategy):
        thing = strategy.function
    thing = thing.func if isinstance(thing, partial) else thing
    if not hasattr(thing, "__qualname__"):
        thing = type(thing)
    module = sys.modules.get(thing.__module__)
    if module is None or (thing.__module__ == "__main__" and not hasattr(module, "__file__")):
        return False
    try:
        return resolve_name(f"{thing.__module__}:{thing.__qualname__}") is thing
    except (AttributeError, ValueError, ImportError):
        return False
