"""Read a tree in whatever form it was written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from pegwise.errors import InputError, Phrase, TreeFileError
from pegwise.game import Rules, as_rules
from pegwise.trees.notations import read_irving, read_viaud
from pegwise.trees.notations.printed import Reading
from pegwise.trees.store import MAGIC, from_bytes, open_tree, read_from
from pegwise.trees.tree import Tree

__all__ = ["Reading", "read", "read_tree"]

_MAX_PRINTED: Final = 1 << 28
_NESTED: Final = re.compile(r"\s*[0-9]+\s*\(")
# a guess and a mark, with the signs that a scanner makes of digits
_LINE: Final = re.compile(
    r"^\s*[0-9A-Z.]+[ \t]+([0-9+OoQlI|!ZSB]{2}|[0-9]+,[0-9]+)([ \t]|$)", re.MULTILINE
)


def read_tree(path: Path | str, rules: Rules | str | None = None) -> Reading:
    """Read a tree from a file: a tree file, Viaud's lines, or Irving's or Knuth's notation.

    Args:
        path: the file; its form is told by its content.
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
