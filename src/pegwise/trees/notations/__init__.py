"""Trees as people print them: what Viaud's lines and Irving's nested notation share.

Each notation has a module with a reader and a writer.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pegwise.errors import InputError, TreeFileError
from pegwise.game import Code, Game, Mastermind, Rules, parse_code
from pegwise.strategies import Nodes
from pegwise.trees.tree import Tree


@dataclass(frozen=True, slots=True)
class Reading:
    """A tree that was read, and what its reader noticed.

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
class PrintedNodes:
    """The nodes of a tree as they are read, each after its parent.

    Attributes:
        guess: number of each guess.
        parent: the node before; -1 for the first.
        mark: number of the mark that leads there.
        wins: whether the guess may be the secret.
        line: where it was read.
    """

    guess: list[int] = field(default_factory=list)
    parent: list[int] = field(default_factory=list)
    mark: list[int] = field(default_factory=list)
    wins: list[bool] = field(default_factory=list)
    line: list[int] = field(default_factory=list)

    def add(self, parent: int, mark: int, guess: int, line: int, *, wins: bool = False) -> int:
        """A node after a mark; its number."""
        self.guess.append(guess)
        self.parent.append(parent)
        self.mark.append(mark)
        self.wins.append(wins)
        self.line.append(line)
        return len(self.guess) - 1

    def tree(self, game: Game, source: str) -> Tree:
        """The tree of a game that was read, with a word on where it comes from."""
        nodes = Nodes.of(self.guess, self.parent, self.mark, self.wins, game.n_marks)
        return Tree(game, nodes.breadth_first(), source)


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
