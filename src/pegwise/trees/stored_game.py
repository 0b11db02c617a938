"""How the game of a stored tree is described in its file: rules, or a finite game in full."""

from __future__ import annotations

import json
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Final

import numpy.typing as npt

from pegwise.errors import InputError, TooLargeError, TreeFileError, quoted
from pegwise.game import FiniteGame, Game, Mastermind, Rules, mastermind
from pegwise.game.game import I64

__all__ = ["Described", "describe"]

_MAX_CELLS: Final = 1 << 26


@dataclass(frozen=True, slots=True)
class Described:
    """A game as its file describes it, not yet built: sizes come before memory is taken.

    Attributes:
        name: what people call the game.
        n_secrets: number of secrets.
        n_guesses: number of guesses.
        n_marks: number of marks.
        rules: for a board.
        labels: of a finite game: its guesses, secrets and marks.
    """

    name: str
    n_secrets: int
    n_guesses: int
    n_marks: int
    rules: Rules | None
    labels: tuple[list[Hashable], list[Hashable], list[Hashable]] = ([], [], [])

    @classmethod
    def read(cls, document: Any) -> Described:
        """From the JSON that `describe` wrote.

        Raises:
            InputError: it is something else.
        """
        if isinstance(document, dict) and isinstance(document.get("rules"), str):
            rules = Rules.parse(document["rules"])
            game = Mastermind(rules)
            return cls(game.name, game.n_secrets, game.n_guesses, game.n_marks, rules)
        if not isinstance(document, dict) or not isinstance(document.get("name"), str):
            raise InputError("its game has neither rules nor a name")
        secrets, guesses, marks = (
            _labels(document, key) for key in ("secrets", "guesses", "marks")
        )
        guesses = guesses or secrets
        if len(guesses) * len(secrets) > _MAX_CELLS:
            raise TooLargeError("its table of marks is too large")
        sizes = len(secrets), len(guesses), len(marks)
        return cls(document["name"], *sizes, None, (guesses, secrets, marks))

    @property
    def cells(self) -> int:
        """Number of cells of the table of marks; 0 for a board, which needs none."""
        return 0 if self.rules else self.n_guesses * self.n_secrets

    def build(self, table: npt.NDArray[Any], weights: I64 | None) -> Game:
        """The game.

        Args:
            table: whole numbers (cells), mark numbers by guess and secret.
            weights: int64 (n_secrets), or None.

        Raises:
            InputError: table or weights do not make a game.
        """
        if self.rules is not None:
            return mastermind(self.rules) if weights is None else Mastermind(self.rules, weights)
        guesses, secrets, marks = self.labels
        if table.max(initial=0) >= len(marks):
            raise InputError("its table has a mark that is not listed")
        square = table.reshape(len(guesses), len(secrets))
        rows = [[marks[number] for number in row] for row in square.tolist()]
        game = FiniteGame(secrets, rows, guesses, name=self.name, weights=weights)
        if (game.table != square).any():
            raise InputError("its marks are not numbered by their first appearance in the table")
        return game


def describe(game: Game) -> dict[str, Any]:
    """A game as JSON, but for its table of marks and its weights.

    Raises:
        TreeFileError: the game is neither a board nor a finite game, is too large, or has values
            that JSON cannot keep.
    """
    if isinstance(game, Mastermind):
        return {"rules": str(game.rules)}
    if not isinstance(game, FiniteGame):
        raise TreeFileError(
            "a tree of {game} cannot be stored: only boards and finite games", game=game.name
        )
    if game.n_guesses * game.n_secrets > _MAX_CELLS:
        raise TreeFileError(
            "a tree of {game} cannot be stored: its table of {guesses} guesses by {secrets} "
            "secrets is too large (at most {most} cells)",
            game=game.name,
            guesses=game.n_guesses,
            secrets=game.n_secrets,
            most=_MAX_CELLS,
        )
    secrets = [game.secret(number) for number in range(game.n_secrets)]
    guesses = [game.guess(number) for number in range(game.n_guesses)]
    marks = [game.mark(number) for number in range(game.n_marks)]
    for label in (*secrets, *guesses, *marks):
        if not _keeps(label):
            raise TreeFileError(
                "a tree of {game} cannot be stored: {label} has no form in JSON; use texts, "
                "whole numbers and tuples of them",
                game=game.name,
                label=quoted(label),
            )
    same = guesses == secrets
    return {
        "name": game.name,
        "secrets": secrets,
        "guesses": None if same else guesses,
        "marks": marks,
    }


def _labels(document: dict[str, Any], key: str) -> list[Hashable]:
    values = document.get(key)
    if values is None and key == "guesses":
        return []
    if not isinstance(values, list) or not values:
        raise InputError("the {key} of its game are no list", key=key)
    return [_label(value) for value in values]


def _label(value: Any) -> Hashable:
    """A label from JSON: lists were tuples."""
    if isinstance(value, list):
        return tuple(_label(part) for part in value)
    if not isinstance(value, str | int):
        raise InputError(
            "{value} in its game is neither text, whole number nor list", value=quoted(value)
        )
    return value


def _keeps(label: Any) -> bool:
    """Whether a label comes back from JSON as it was."""
    try:
        return bool(_label(json.loads(json.dumps(label))) == label)
    except (InputError, TypeError, ValueError, RecursionError):
        return False
