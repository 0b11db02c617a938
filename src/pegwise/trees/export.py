"""Write a tree for other programs: a table with each secret's game, or a graph for Graphviz."""

from __future__ import annotations

import csv
import io

from pegwise.trees.games import played
from pegwise.trees.tree import Tree

__all__ = ["to_csv", "to_dot"]


def to_csv(tree: Tree) -> str:
    """A table (RFC 4180) with a line for each secret, in the game's order.

    Columns: `secret`, `guesses` (how many it takes), then `guess_1`, `mark_1`, `guess_2`, ... up
    to the deepest secret; cells after the winning mark are empty.

    Raises:
        InputError: the tree does not find every secret.
    """
    game, nodes = tree.game, tree.nodes
    games = played(tree)
    turns = range(1, games.shape[1] + 1)
    marks = [str(game.mark(number)) for number in range(game.n_marks)]
    written: dict[int, str] = {}
    for number in nodes.guess.tolist():
        if number not in written:
            written[number] = str(game.guess(number))
    table = io.StringIO()
    out = csv.writer(table, lineterminator="\r\n")
    out.writerow(
        ["secret", "guesses", *(f"{what}_{turn}" for turn in turns for what in ("guess", "mark"))]
    )
    for secret, row in enumerate(games.tolist()):
        path = [node for node in row if node >= 0]
        cells = [written[int(nodes.guess[path[0]])]]
        for node in path[1:]:
            cells += [marks[int(nodes.mark[node])], written[int(nodes.guess[node])]]
        cells.append(marks[game.winning])
        empty = [""] * (2 * (len(row) - len(path)))
        out.writerow([str(game.secret(secret)), len(path), *cells, *empty])
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
