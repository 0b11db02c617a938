"""All strategies by name: those of this package, and any that other packages register.

A strategy of this package is a class with a `card` in any module of this folder, or of
`pegwise.search.strategies`; nothing else names it.

Another package registers a strategy through the entry-point group `pegwise.strategies`: the
entry's name is the id, its object a class (or any callable with a `card`) that takes the options
as keyword arguments, or a plain function of game and turns. Names of this package cannot be taken
over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from pegwise import hooks
from pegwise.errors import (
    InputError,
    MissingExtraError,
    PegwiseError,
    Phrase,
    StrategyError,
    TreeFileError,
    UnknownNameError,
    quoted,
)
from pegwise.strategies.base import Strategy
from pegwise.strategies.card import Card
from pegwise.strategies.entrants import Entrant, Limits, entrants_of, names_entrants
from pegwise.strategies.functions import (
    Chooses,
    ChoosesCandidate,
    FunctionStrategy,
    of_plain,
    takes_turns,
)
from pegwise.strategies.options import Option, StrategyOption, declared_options

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP: Final = "pegwise.strategies"

_ORDER: Final = (
    *("first", "random", "knuth", "irving", "entropy", "parts", "forget-entropy", "forget-minimax"),
    *("marechal-rastoix-1", "marechal-rastoix-2", "marechal-rastoix-3", "constraint", "greenwell"),
    *("sampling", "optimal", "optimal-worst", "static", "viaud"),
)
"""The order in which strategies are shown; a strategy that is not named here comes after these."""


def names() -> list[str]:
    """Every id, ours first."""
    ours = {name for package in hooks.strategies for name in _classes(package)}
    last = len(_ORDER)
    places = {name: place for place, name in enumerate(_ORDER)}
    return [*sorted(ours, key=lambda name: (places.get(name, last), name)), *sorted(_theirs())]


def cards() -> list[Card]:
    """The card of every strategy that can be loaded, ours first.

    A strategy whose package is broken is left out here; `load` says what is wrong with it.
    Entrants that are offered come last.

    Examples:
        >>> [card.id for card in pegwise.cards()][:4]
        ['first', 'random', 'knuth', 'irving']
    """
    loaded = []
    for name in names():
        with suppress(StrategyError, MissingExtraError):
            loaded.append(cast(Card, _factory(name).card))  # type: ignore[attr-defined]
    return loaded + [each.card for each in _offered.values()]


def options(name: str) -> list[StrategyOption]:
    """The options of the strategy of this id; errors as `load`."""
    if name in _offered:
        return []
    return list(declared_options(_factory(name)).values())


def is_builtin(strategy: Strategy) -> bool:
    """Whether a strategy comes with pegwise, and is not one that somebody registered."""
    return _ours(strategy.card.id) is type(strategy)


def load(name: str, /, **options: Option) -> Strategy:
    """The strategy of this id, with options.

    Raises:
        UnknownNameError: no such strategy, or no such option; the nearest one is proposed.
        InputError: an option's value is not allowed.
        StrategyError: a registered strategy cannot be loaded.
    """
    factory = _factory(name)
    declared = declared_options(factory)
    for key, value in options.items():
        if key not in declared:
            raise UnknownNameError.of(
                Phrase("option of strategy {name}:", name=quoted(name)), key, declared or ["(none)"]
            )
        declared[key].check(value)
    try:
        strategy = factory(**options)
    except PegwiseError:
        raise
    except Exception as error:
        if _ours(name) is not None:
            raise
        raise StrategyError(
            "strategy {name} is registered but fails: {error}", name=quoted(name), error=error
        ) from error
    if not hasattr(strategy, "begin"):
        raise StrategyError("strategy {name} is registered but has no 'begin'", name=quoted(name))
    return as_strategy(strategy)


def parse(text: str, seed: int = 0) -> Strategy:
    """The strategy written as `id` or `id:option=value,option=value`; no file and no program.

    Whatever a stranger writes is safe to read. The seed is for a strategy that draws and has none
    of its own; 0 for none. Errors are those of `load`.
    """
    if (offered := _offered.get(text.strip())) is not None:
        return offered.entrant()
    name, _, rest = text.strip().partition(":")
    options = _read_options(_factory(name), text, rest)
    strategy = load(name, **options)
    if seed and "random" in strategy.card.traits and "seed" not in options:
        return load(name, **options, seed=seed)
    return strategy


def parse_any(text: str, seed: int = 0) -> Strategy:
    """The strategy of `parse`, or an entrant, as in `FILE.py:NAME:option=value`, `program:COMMAND`.

    Or that of a file with a tree. A file or program is run, so that only the user of this machine
    may write the text.
    """
    first, *more = strategies_of(text, seed)
    if more:
        raise InputError(
            "{text} holds several strategies: name one, such as {first}",
            text=quoted(text),
            first=first.typed,
        )
    return first


def strategies_of(text: str, seed: int = 0, limits: Limits | None = None) -> list[Strategy]:
    """The strategies of a text, as `parse_any`: all those of a folder."""
    if names_tree(text):
        return [_stored_tree(Path(text))]
    if names_entrants(text):
        return [*entrants_of(text, limits)]
    try:
        return [parse(text, seed)]
    except UnknownNameError:
        name = text.partition(":")[0]
        for path in (f"{name}.py", f"{name}/"):
            if name and Path(path).exists():
                raise UnknownNameError.of("strategy", name, names(), near=path) from None
        raise


def names_tree(text: str) -> bool:
    """Whether a text names a file that may hold a tree."""
    return Path(text).suffix.lower() in _TREES and Path(text).is_file()


def _stored_tree(path: Path) -> Strategy:
    assert hooks.stored_tree is not None  # noqa: S101 (the package root fills it in)
    try:
        return cast(Strategy, hooks.stored_tree()(path))
    except TreeFileError as error:
        raise InputError(
            "{error}; a strategy in a file is Python, and a program is written program:{path}",
            error=error,
            path=path,
        ) from None


_TREES: Final = (".tree", ".txt", ".viaud", ".irving", ".json")
"""The suffixes of files with whole trees."""


class Offer(NamedTuple):
    """An entrant that may be named like a strategy of ours."""

    card: Card  # its id is the name
    typed: str  # the file or the program
    limits: Limits
    problem: str = ""  # why it cannot be loaded

    def entrant(self) -> Entrant:
        """The entrant, not started yet: what is wrong with it is told when it is asked."""
        (entrant,) = entrants_of(self.typed, self.limits, start=False)
        entrant.use_card(self.card)
        return entrant


_offered: dict[str, Offer] = {}


def offers_of(texts: Sequence[str], limits: Limits) -> list[Offer]:
    """The entrants that some texts name, each under a name of its own; InputError as `entrants_of`.

    A file of a folder that cannot be loaded is offered too: who names it is told why.
    """
    offers: dict[str, Offer] = {}
    for text in texts:
        for entrant in entrants_of(text, limits):
            entrant.close()
            name = entrant.card.id
            if name in names() or name in offers:
                name = entrant.place
            same, number = name, 1
            while name in names() or name in offers:
                number += 1
                name = f"{same}-{number}"
            card = replace(entrant.card, id=name, traits=entrant.card.traits | {"slow-guess"})
            offers[name] = Offer(card, entrant.typed, limits, entrant.problem)
    return list(offers.values())


def is_offered(name: str) -> bool:
    """Whether an entrant is known under this name."""
    return name in _offered


def offer(offers: Iterable[Offer]) -> None:
    """Let these entrants be named from now on in this process, in place of earlier ones."""
    _offered.clear()
    _offered.update({each.card.id: each for each in offers})


def made(factory: Callable[..., Any], text: str, rest: str) -> Strategy:
    """Make a strategy with options as they are written; an InputError for wrong ones."""
    options, declared = _read_options(factory, text, rest), declared_options(factory)
    for key, value in options.items():
        if key not in declared:
            raise UnknownNameError.of(
                Phrase("option of strategy {name}:", name=quoted(text)), key, declared or ["(none)"]
            )
        declared[key].check(value)
    return as_strategy(factory(**options))


def split_options(text: str) -> list[str]:
    """The parts of `option=value,option=value`, where a colon may stand for the comma."""
    return re.split(r",|:(?=\w+=)", text)


def _read_options(factory: Callable[..., Any], text: str, rest: str) -> dict[str, Option]:
    """The options of `option=value,option=value`, the rest of a text that names a strategy."""
    declared = declared_options(factory)
    options: dict[str, Option] = {}
    for part in filter(None, split_options(rest)):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        where = Phrase("{part} in strategy {text}", part=quoted(part), text=quoted(text))
        if not equals:
            raise InputError("{where}: write option=value", where=where)
        if key in options:
            raise InputError("{where}: this option is given twice", where=where)
        options[key] = declared[key].read(value) if key in declared else value
    return options


@cache
def _classes(package: str) -> Mapping[str, type[Strategy]]:
    """Every strategy with a card in the modules of a package, by its id."""
    modules = [
        import_module(f"{package}.{module.name}")
        for module in iter_modules(import_module(package).__path__)
    ]
    return {
        thing.card.id: thing
        for module in modules
        for thing in vars(module).values()
        if isinstance(thing, type)
        and issubclass(thing, Strategy)
        and thing.__module__.startswith(module.__name__)
        and isinstance(thing.card, Card)
    }


def _ours(name: str) -> type[Strategy] | None:
    """The class of a strategy of this package; None for another name."""
    # packages of higher layers are imported only for a name that this package does not have
    classes = (_classes(package).get(name) for package in hooks.strategies)
    return next(filter(None, classes), None)


def _theirs() -> Mapping[str, EntryPoint]:
    """Entry points of strategies of other packages; names of ours cannot be taken over."""
    from importlib.metadata import entry_points  # only other names are looked for

    entries = entry_points(group=GROUP)
    return {entry.name: entry for entry in entries if _ours(entry.name) is None}


def _factory(name: str) -> Callable[..., Any]:
    """The class of a strategy, or what else makes it."""
    if (ours := _ours(name)) is not None:
        return ours
    entry = _theirs().get(name)
    if entry is None:
        raise UnknownNameError.of("strategy", name, [*names(), *_offered])
    try:
        factory: Callable[..., Any] = entry.load()
    except MissingExtraError:
        raise
    except Exception as error:
        raise StrategyError(
            "strategy {name} is registered but does not load: {error}",
            name=quoted(name),
            error=error,
        ) from error
    if takes_turns(factory) and getattr(factory, "card", None) is None:
        return of_plain(factory, name)
    card = getattr(factory, "card", None)
    if not isinstance(card, Card) or not callable(factory):
        raise StrategyError(
            "strategy {name} is registered but is not a class with a card", name=repr(name)
        )
    if card.id != name:
        raise StrategyError(
            "strategy {name} is registered but its card says {id}",
            name=quoted(name),
            id=repr(card.id),
        )
    return factory


StrategyLike = Strategy | type[Strategy] | Chooses | ChoosesCandidate | str
"""Values that `as_strategy` makes a strategy of."""


def as_strategy(strategy: StrategyLike, *, base: int | None = None) -> Strategy:
    """A strategy as it is; or that of a class, of a function, or of a name with options.

    Args:
        strategy: an object or a class that inherits from `Strategy`; a function of a game and the
            turns so far, or of the candidates alone, that returns the guess to play (see
            `FunctionStrategy`); or a text such as `knuth`, `knuth:then=entropy` or `spread.py`.
        base: 0 or 1, the number of color A where a function plays numbers; see `FunctionStrategy`.

    Raises:
        InputError: none of these; or as `parse_any`.

    Examples:
        >>> pegwise.strategy("forget-entropy").card.authors
        'Jean Forget'
    """
    if isinstance(strategy, str):
        return parse_any(strategy)
    if isinstance(strategy, type) and issubclass(strategy, Strategy):
        return strategy()
    if isinstance(strategy, Strategy):
        return strategy
    if callable(strategy) and not isinstance(strategy, type):
        return FunctionStrategy(strategy, base=base)
    raise InputError(
        "{value} is not a strategy: give a name such as 'knuth', a class that inherits from "
        "Strategy, or a function of a game and the turns so far, or of the candidates",
        value=quoted(strategy),
    )
