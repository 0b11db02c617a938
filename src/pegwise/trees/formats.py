"""Trees in other forms: a table with each secret's game, a graph for Graphviz; any form is read."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Final

import numpy as np

from pegwise.errors import InputError, Phrase, TreeFileError
from pegwise.game import Rules, as_rules
from pegwise.trees.notations import Reading
from pegwise.trees.notations.irving import read_irving
from pegwise.trees.notations.viaud import read_viaud
from pegwise.trees.store import MAGIC, from_bytes, open_tree, read_from
from pegwise.trees.tree import Tree


def to_csv(tree: Tree) -> str:
    """A table (RFC 4180) with a line for each secret, in the game's order.

    Columns: `secret`, `guesses` (how many it takes), then `guess_1`, `mark_1`, `guess_2`, ... up
    to the deepest secret; cells after the winning mark are empty.

    Raises:
        InputError: the tree does not find every secret.
    """
    game, nodes = tree.game, tree.nodes
    games = tree.games()
    turns = range(1, games.shape[1] + 1)
    marks = [str(game.mark(number)) for number in range(game.n_marks)]
    guesses = {number: str(game.guess(number)) for number in np.unique(nodes.guess).tolist()}
    table = io.StringIO()
    out = csv.writer(table, lineterminator="\r\n")
    heads = [f"{what}_{turn}" for turn in turns for what in ("guess", "mark")]
    out.writerow(["secret", "guesses", *heads])
    for secret, row in enumerate(games.tolist()):
        path = [node for node in row if node >= 0]
        answers = [*nodes.mark[path[1:]].tolist(), game.winning]
        cells = [""] * len(heads)
        cells[: 2 * len(path) : 2] = [guesses[number] for number in nodes.guess[path].tolist()]
        cells[1 : 2 * len(path) : 2] = [marks[number] for number in answers]
        out.writerow([str(game.secret(secret)), len(path), *cells])
    return table.getvalue()


def to_dot(tree: Tree) -> str:
    """A directed graph in Graphviz's language (`dot -Tsvg`).

    Every node shows its guess and how many codes are left; a dashed frame is a guess that cannot
    be the secret; every edge shows its mark.
    """
    game, nodes = tree.game, tree.nodes
    lines = [
        "digraph tree {",
        f"  label={_text(f'{game.name}, {tree.strategy}')};",
        "  rankdir=LR;",
        "  node [shape=box, fontname=monospace];",
        "  edge [fontname=monospace];",
    ]
    for node, (guess, parent, mark, wins) in enumerate(
        zip(*(array.tolist() for array in nodes), strict=True)
    ):
        style = "" if wins else ", style=dashed"
        label = f"{game.guess(guess)}\n{tree.node_sizes[node]}"
        lines.append(f"  n{node} [label={_text(label)}{style}];")
        if parent >= 0:
            lines.append(f"  n{parent} -> n{node} [label={_text(str(game.mark(mark)))}];")
    return "\n".join([*lines, "}", ""])


def _text(label: str) -> str:
    """A quoted string; a new line in it is one in the picture."""
    escaped = label.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


# Read a tree in whatever form it was written.

_MAX_PRINTED: Final = 1 << 28
_NESTED: Final = re.compile(r"\s*[0-9]+\s*\(")
# a guess and a mark, with the signs that a scanner makes of digits
_LINE: Final = re.compile(
    r"^\s*[0-9A-Z.]+[ \t]+([0-9+OoQlI|!ZSB]{2}|[0-9]+,[0-9]+)([ \t]|$)", re.MULTILINE
)


def read_tree(path: Path | str, rules: Rules | str | None = None) -> Reading:
    """Read a tree from a file: a tree file, Viaud's lines, or Irving's or Knuth's notation.

    Args:
        path: the file; its content tells its form.
        rules: the board of a printed tree; guessed from its content when None.

    Raises:
        TreeFileError: the file is damaged, truncated, foreign or unreadable.
        InputError: the file says that it is of another board.
    """
    board = None if rules is None else as_rules(rules)
    with open_tree(Path(path)) as file:
        start = file.read(len(MAGIC))
        file.seek(0)
        if start == MAGIC:
            return _stored(read_from(file, str(path)), str(path), board)
        data = file.read()
    return read(data, str(path), board)


def read(data: bytes, name: str = "tree", rules: Rules | None = None) -> Reading:
    """Likewise from the content of a file; errors call it `name`."""
    if not data:
        raise TreeFileError("{name} is empty", name=repr(name))
    if data.startswith(MAGIC) or MAGIC.startswith(data):
        return _stored(from_bytes(data, name), name, rules)
    foreign = Phrase("{name} is neither a pegwise tree file nor a printed tree", name=repr(name))
    if len(data) > _MAX_PRINTED:
        raise TreeFileError(foreign)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TreeFileError(foreign) from None
    try:
        if _NESTED.match(text):
            return read_irving(text, rules)
        if _LINE.search(text):
            return read_viaud(text, rules)
    except InputError as error:
        raise TreeFileError("{name}: {error}", name=repr(name), error=error) from None
    raise TreeFileError(
        "{foreign}: it has neither lines of guesses and marks (1122 40) nor a nested strategy "
        "(1296 (1122: ...)",
        foreign=foreign,
    )


def _stored(tree: Tree, name: str, rules: Rules | None) -> Reading:
    """A tree from a tree file.

    Raises:
        InputError: it is of another board.
    """
    if rules is not None and tree.game.name != str(rules):
        raise InputError(
            "{name} is a tree of {game}, not of {rules}",
            name=repr(name),
            game=tree.game.name,
            rules=rules,
        )
    return Reading(tree, "pegwise")
