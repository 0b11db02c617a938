"""What the printed notations share: codes in digits, a tree that grows, and what was found out."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from pegwise.arrays import mark_numbers
from pegwise.errors import InputError, TreeFileError
from pegwise.game import Code, Game, Mastermind, Rules, parse_code
from pegwise.strategies import Nodes
from pegwise.trees.tree import Tree


@dataclass(frozen=True, slots=True)
class Reading:
    """A tree that was read, and what its reader found out.

    Attributes:
        tree: the tree.
        notation: `pegwise`, `viaud`, `irving` or `knuth` (Irving's, as printed in 1976).
        mended: slips that were mended, a sentence each.
        problems: what the text says of its tree and is not so, a sentence each.
    """

    tree: Tree
    notation: str
    mended: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(slots=True)
class Branch:
    """A node of a tree that grows.

    Attributes:
        guess: number of the guess.
        line: where it was first read.
        wins: whether the guess may be the secret.
        children: what follows each mark, by number.
    """

    guess: int
    line: int = 0
    wins: bool = False
    children: dict[int, Branch] = field(default_factory=dict)


def grow(root: Branch, game: Game) -> Nodes:
    """The nodes of a grown tree, breadth first."""
    level = [(-1, 0, root)]
    done: list[tuple[int, int, Branch]] = []
    while level:
        start = len(done)
        done += level
        level = [
            (start + place, mark, branch.children[mark])
            for place, (_, _, branch) in enumerate(level)
            for mark in sorted(branch.children)
        ]
    marks = [mark for _, mark, _ in done]
    return Nodes(
        np.array([branch.guess for _, _, branch in done], np.int32),
        np.array([parent for parent, _, _ in done], np.int32),
        mark_numbers(marks, game.n_marks),
        np.array([branch.wins for _, _, branch in done], np.bool_),
    )


def board_of(tree: Tree, notation: str) -> Rules:
    """The rules of a tree on a board.

    Raises:
        InputError: the tree is of another game.
    """
    if isinstance(tree.game, Mastermind):
        return tree.game.rules
    raise InputError(
        "a tree of {game} cannot be written in {notation}: only trees of a board can; write it "
        "as a tree file, CSV or Graphviz",
        game=tree.game.name,
        notation=notation,
    )


def as_printed(code: Code, rules: Rules) -> str:
    """A code in digits (0 is the tenth color), or in letters on boards of more colors."""
    return code.write("digits" if rules.colors <= 10 else "letters")


def from_print(text: str, rules: Rules, line: int) -> Code:
    """The guess that `as_printed` wrote.

    Raises:
        TreeFileError: quotes the text and names the line.
    """
    try:
        return parse_code(text, rules)
    except InputError as error:
        raise TreeFileError("line {line}: {error}", line=line, error=error) from None
