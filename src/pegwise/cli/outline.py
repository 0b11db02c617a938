"""A tree in the terminal: its first turns as a table, or the game against one secret."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pegwise.errors import CodeError, quoted
from pegwise.game import Mastermind, parse_code
from pegwise.language import tr
from pegwise.trees import Tree

__all__ = ["game_lines", "game_turns", "outline", "summary"]


def summary(tree: Tree) -> str:
    """A tree in one line: `4x6, knuth: 1296 secrets, 5801 guesses, mean 4.476, worst 5`."""
    options = ",".join(f"{key}={value}" for key, value in tree.options.items())
    name = f"{tree.strategy}:{options}" if options else tree.strategy
    return tr(
        "{game}, {name}: {secrets} secrets, {total} guesses, mean {mean:.3f}, worst {worst}",
        game=tree.game.name,
        name=name,
        secrets=tree.game.n_secrets,
        total=tree.total,
        mean=tree.mean,
        worst=tree.worst,
    )


def outline(tree: Tree, depth: int) -> list[str]:
    """The first turns: for each mark, how many codes are left and what is played next."""
    game, nodes = tree.game, tree.nodes
    rows = []
    cut = dashed = False
    for node in _first_turns(tree, depth):
        turn = int(tree.node_depths[node])
        mark = "  " * (turn - 2) + str(game.mark(int(nodes.mark[node]))) if node else ""
        guess = str(game.guess(int(nodes.guess[node])))
        if not nodes.wins[node]:
            guess, dashed = f"{guess} *", True
        if turn == depth and tree.children(node):
            guess, cut = f"{guess} ...", True
        rows.append((mark, str(tree.node_sizes[node]), guess))
    heads = tr("mark"), tr("codes"), tr("guess")
    width = max(len(mark) for mark, _, _ in [*rows, heads])
    lines = [summary(tree), "", f"{heads[0]:{width}} {heads[1]:>8}  {heads[2]}"]
    lines += [f"{mark:{width}} {size:>8}  {guess}" for mark, size, guess in rows]
    if dashed or cut:
        lines.append("")
    if dashed:
        lines.append(tr("* cannot be the secret"))
    if cut:
        lines.append(tr("... goes on: --depth {depth}, or --secret CODE", depth=depth + 1))
    return lines


def _first_turns(tree: Tree, depth: int) -> Iterator[int]:
    """The nodes of the first turns, depth first."""
    stack = [0]
    while stack:
        node = stack.pop()
        yield node
        if tree.node_depths[node] < depth:
            stack.extend(reversed(tree.children(node)))


def game_turns(tree: Tree, text: str) -> dict[str, Any]:
    """The game against a secret, for JSON: each turn's guess, mark, and codes before it.

    Raises:
        CodeError: no such secret.
    """
    secret = _secret(tree, text)
    turns: list[dict[str, Any]] = []
    node: int | None = 0
    solved = False
    while node is not None and not solved:
        guess = tree.game.guess(int(tree.nodes.guess[node]))
        mark = tree.game.judge(guess, secret)
        turns.append(
            {"guess": str(guess), "mark": str(mark), "candidates": int(tree.node_sizes[node])}
        )
        number = tree.game.mark_number(mark)
        solved = number == tree.game.winning
        node = tree.child(node, number)
    return {"secret": str(secret), "turns": turns, "solved": solved}


def game_lines(tree: Tree, text: str) -> list[str]:
    """The game against a secret as a table."""
    game = game_turns(tree, text)
    rows = [(tr("turn"), tr("guess"), tr("mark"), tr("codes before"))]
    rows += [
        (str(turn), played["guess"], played["mark"], str(played["candidates"]))
        for turn, played in enumerate(game["turns"], 1)
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = [summary(tree), "", tr("secret {code}", code=game["secret"])]
    for turn, guess, mark, before in rows:
        shown = f"{turn:>{widths[0]}}  {guess:{widths[1]}}  {mark:{widths[2]}}"
        lines.append(f"{shown}  {before:>{widths[3]}}")
    if not game["solved"]:
        lines.append(tr("the tree does not go on: this secret is not found"))
    return lines


def _secret(tree: Tree, text: str) -> Any:
    """The secret that was typed: a code, or what another game prints."""
    game = tree.game
    if isinstance(game, Mastermind):
        return parse_code(text, game.rules, secret=True)
    for number in range(game.n_secrets):
        if str(game.secret(number)) == text:
            return game.secret(number)
    raise CodeError("{text} is not a secret of {game}", text=quoted(text), game=game.name)
