"""The process of a Python file: it loads the file, and speaks the protocol of programs.

The first line that it reads tells the file; the first that it writes, what is in it. What the file
prints goes to standard error, so that it cannot be taken for an answer.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from pegwise.errors import InputError, PegwiseError, Phrase, quoted
from pegwise.game import Code, Game, game_of
from pegwise.programs.module import Channel, error_words, line_of, load_module
from pegwise.reading import parse_turn
from pegwise.strategies.base import Decision, Strategy
from pegwise.strategies.card import Card
from pegwise.strategies.functions import of_plain, takes_candidates, takes_turns
from pegwise.strategies.registry import as_strategy, made, split_options

_GAME: Final = re.compile("game|rules|board|jeu|partie|regles|règles")
_TURNS: Final = re.compile("turn|histor|past|tour|coup|essai")
_CANDIDATES: Final = re.compile("cand|poss|codes|config|remain|rest")
_USUAL: Final = ("guess", "strategy", "choose", "choix")  # names, the first of which is taken
_DECISIONS: Final = 4096  # that are kept, since their successors are asked for later


def main() -> None:
    """Load a file and answer questions, until there are no more."""
    answers = Channel()
    path, source, name, options = json.loads(answers.read())
    try:
        strategy = loaded(Path(path), source, name, options)
    except PegwiseError as error:
        answers.say_error(error.phrase)
        return
    card = strategy.card
    no_name = card.id in _USUAL  # of its own: that of its file tells it from others
    told = {
        "id": Path(path).name if no_name else card.id,
        "name": Path(path).name if no_name else card.name,
        "about": card.about,
        "options": strategy.options,
    }
    told["beside"] = _beside(Path(path))
    answers.say(json.dumps(told))
    for line in answers.lines():
        word, *words = line.split()
        if word == "quit":
            return
        if word == "pegwise":
            rules = game_of(" ".join(words[1:]))
            position, answered = _positions(strategy, rules), set[tuple[str, ...]]()
        if word == "guess":
            turns = tuple(words)
            if turns in answered:  # who is asked again may play otherwise
                position = _positions(strategy, rules)
            answered.add(turns)
            try:
                guess = position(turns).guess
                if guess is None:
                    answers.say_error(Phrase("it plays None"))
                else:
                    answers.say(" ".join(str(_code(guess)).split()))
            except PegwiseError as error:
                answers.say_error(error.phrase)
            except BaseException as error:
                traceback.print_exc()
                answers.say_error(_failure(error, path))


def _failure(error: BaseException, path: str) -> Phrase:
    """The error that somebody's code raised, with its line."""
    if (line := line_of(error, path)) is None:
        return error_words(error)
    return Phrase("{error} (line {line})", error=error_words(error), line=line)


def _beside(path: Path) -> list[str]:
    """The modules of its folder that a file has imported."""
    files = {name: getattr(module, "__file__", None) for name, module in sys.modules.items()}
    return sorted(
        name
        for name, file in files.items()
        if file and Path(file) != path and path.parent in Path(file).parents
    )


def _code(guess: Any) -> Any:
    return guess if isinstance(guess, Code | str) else Code(guess)


def _positions(strategy: Strategy, rules: Game) -> Callable[[tuple[str, ...]], Decision]:
    """The decision after some turns, as they are written."""

    @lru_cache(_DECISIONS)
    def position(turns: tuple[str, ...]) -> Decision:
        if not turns:
            return strategy.begin(game_of(rules))
        guess, mark = parse_turn(turns[-1], rules)
        before = position(turns[:-1])
        following = before.instead(guess, mark)
        return before.after(mark) if following is None else following

    return position


def loaded(path: Path, source: str, name: str, options: str) -> Strategy:
    """The strategy of a file; InputError says why there is none."""
    module = load_module(path, source)
    return _chosen(path, module, name, options)


def _chosen(path: Path, module: ModuleType, name: str, options: str) -> Strategy:
    """The strategy of this name in a module, or the only one in it."""
    there = dict(_strategies(module))
    if not there:
        raise _nothing(path)
    if name and name not in there:  # a table of a race has the ids of cards
        cards = {getattr(thing, "card", None): one for one, thing in there.items()}
        name = next((one for card, one in cards.items() if card and card.id == name), name)
    if name and name not in there:
        raise InputError(
            "{file} has no strategy {name}; it has {names}",
            file=path.name,
            name=quoted(name),
            names=", ".join(there),
        )
    if not name:
        usual = [one for one in (*_USUAL, path.stem) if one in there]
        there = {
            one: thing
            for one, thing in there.items()
            if one in usual or not inspect.isfunction(thing) or _looks_fitting(thing)
        }
        if not there:
            raise _nothing(path)
        if len(there) > 1 and not usual:
            raise InputError(
                "{file} has several strategies, {names}: name one, as in {file}:{first}",
                file=path.name,
                names=", ".join(there),
                first=next(iter(there)),
            )
        name = usual[0] if usual else next(iter(there))
    thing = there[name]
    if inspect.isfunction(thing):
        told = None
        if "base" not in inspect.signature(thing).parameters:
            told, options = _base_told(options)
        return made(of_plain(thing, base=told), f"{path.name}:{name}:{options}", options)
    if isinstance(thing, type):
        return made(thing, f"{path.name}:{name}:{options}", options)
    if options:
        raise InputError("{name} of {file} takes no options", name=name, file=path.name)
    return as_strategy(thing)


def _base_told(options: str) -> tuple[int | None, str]:
    """The number of color A that options tell, 0 or 1, and the other options."""
    parts = [part.strip() for part in split_options(options)]
    bases = [part for part in parts if part.partition("=")[0].strip() == "base"]
    if not bases:
        return None, options
    value = bases[0].partition("=")[2].strip()
    if len(bases) > 1 or value not in ("0", "1"):
        raise InputError(
            "{option}: colors are numbered from 0 or from 1", option=quoted(", ".join(bases))
        )
    return int(value), ",".join(part for part in parts if part not in bases)


def _nothing(path: Path) -> InputError:
    return InputError(
        "{file} has no strategy: define a function of a game and the turns so far, as in "
        "def guess(game, turns), or of the candidates, as in def guess(candidates)",
        file=path.name,
    )


def _strategies(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Functions of one or two arguments that are defined there, and strategies."""
    for name, thing in vars(module).items():
        if name.startswith("_"):
            continue
        plays = takes_turns(thing) or takes_candidates(thing)
        defined = plays and thing.__module__ == module.__name__
        is_class = isinstance(thing, type) and issubclass(thing, Strategy)
        written = is_class and isinstance(getattr(thing, "card", None), Card)
        if defined or written or isinstance(thing, Strategy):
            yield name, thing


def _looks_fitting(function: Any) -> bool:
    """Whether arguments are named like candidates, a game or turns, in English or French."""
    first, *more = (name.lower() for name in inspect.signature(function).parameters)
    if takes_candidates(function):
        return bool(_CANDIDATES.search(first))
    return bool(_GAME.search(first) or _TURNS.search(more[0]))


if __name__ == "__main__":
    main()
