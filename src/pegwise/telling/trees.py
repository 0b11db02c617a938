"""What is told of trees: their figures, their first turns, and the game against a secret."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pegwise.errors import Phrase
from pegwise.game.notation import LETTERS, Notation
from pegwise.i18n import figure, tr, trn
from pegwise.strategies import label
from pegwise.telling.blocks import Block, Cell, Report, Sentence, Table, heads, sign_cell

if TYPE_CHECKING:
    from pegwise.trees import Tree


def tree_title(tree: Tree) -> str:
    """A title that names strategy and game: `knuth on 4x6`."""
    return tr("{name} on {rules}", name=label(tree), rules=tree.game.name)


def tree_line(tree: Tree) -> str:
    """A tree in one line: `4x6, knuth: 1296 secrets, 5801 guesses, mean 4.476, worst 5`."""
    return tr(
        "{rules}, {name}: {secrets} secrets, {total} guesses, mean {mean:.3f}, worst {worst}",
        name=label(tree),
        **tree.document(),
    )


def total_words(total: int, fewest: int | None) -> str:
    """The guesses of a tree over all secrets, beside the fewest possible where these are known."""
    if fewest is None:
        return tr("{total:,} guesses over all secrets.", total=total)
    if fewest == total:
        return tr("{total:,} guesses over all secrets; no strategy needs fewer.", total=total)
    return tr(
        "{total:,} guesses over all secrets; the fewest possible are {best:,}.",
        total=total,
        best=fewest,
    )


def position_words(turn: int, mean: float, worst: int, excess: int | None) -> Iterator[str]:
    """A position of a tree: its turn, the guesses from there on, and those beyond best play."""
    yield tr("Turn {n}", n=turn)
    yield tr("{n:,.2f} more turns on average", n=mean)
    yield tr("{n} at most", n=worst)
    if excess:
        yield trn(
            "{n:,} guess more in all than possible",
            "{n:,} guesses more in all than possible",
            excess,
        )
    elif excess == 0:
        yield tr("as few as possible")


def tree_report(tree: Tree, depth: int, notation: Notation = LETTERS) -> Report:
    """A tree in a line, and its first turns."""
    return Report.of(_tree(tree, depth, notation))


def _tree(tree: Tree, depth: int, notation: Notation) -> Iterator[Block]:
    yield Sentence(tree_line(tree), "heading")
    rows = list(_turns(tree, depth, notation))
    names = tr("mark"), tr("codes"), tr("guess"), ""
    yield Table(heads(*names, words=(0, 2, 3)), tuple(rows))
    signs = {sign for *_, signs in rows for sign in str(signs).split()}
    if "*" in signs:
        yield Sentence(tr("* cannot be the secret"), "note")
    if "..." in signs:
        words = tr("... continues: --depth {depth}, or --secret CODE", depth=depth + 1)
        yield Sentence(words, "note")


def _turns(tree: Tree, depth: int, notation: Notation) -> Iterator[tuple[Cell, ...]]:
    """For each mark of the first turns how many codes are possible, and what is played next."""
    game, nodes = tree.game, tree.nodes
    stack = [0]  # nodes of the first turns, depth first
    while stack:
        node = stack.pop()
        turn, below = int(tree.node_depths[node]), tree.children(node)
        mark = notation.sign(game.mark(int(nodes.mark[node]))) if node else ""
        signs = ["*"] if not nodes.wins[node] else []
        signs += ["..."] if turn == depth and below else []
        yield (
            "  " * max(turn - 2, 0) + mark,
            figure(tree.node_sizes[node], ","),
            sign_cell(game.guess(int(nodes.guess[node]))),
            " ".join(signs),
        )
        if turn < depth:
            stack.extend(reversed(below))


def game_report(tree: Tree, secret: Any) -> Report:
    """The game of a tree against a secret."""
    return Report.of(_game(tree, secret))


def _game(tree: Tree, secret: Any) -> Iterator[Block]:
    yield Sentence(tree_line(tree), "heading")
    turns = tree_turns(tree, secret)
    rows = tuple(
        (str(number), sign_cell(guess), sign_cell(mark), figure(before, ","))
        for number, (guess, mark, before) in enumerate(turns, 1)
    )
    names = tr("turn"), tr("guess"), tr("mark"), tr("codes before")
    title = Phrase("secret {code}", code=secret)
    yield Table(heads(*names, words=(1, 2)), rows, caption=title)
    if not wins(tree, turns):
        yield Sentence(tr("the tree has no further guess: this secret is not found"))


def tree_turns(tree: Tree, secret: Any) -> list[tuple[Any, Any, int]]:
    """The turns of a tree against a secret: guess, mark, and codes that were possible before."""
    turns: list[tuple[Any, Any, int]] = []
    node: int | None = 0
    while node is not None:
        guess = tree.game.guess(int(tree.nodes.guess[node]))
        mark = tree.game.mark_of(guess, secret)
        turns.append((guess, mark, int(tree.node_sizes[node])))
        number = tree.game.mark_number(mark)
        node = None if number == tree.game.winning else tree.child(node, number)
    return turns


def wins(tree: Tree, turns: Sequence[tuple[Any, Any, int]]) -> bool:
    """Whether such turns end with the secret."""
    return tree.game.mark_number(turns[-1][1]) == tree.game.winning
