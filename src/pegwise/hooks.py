"""Functions of higher layers that lower ones call: variables that the package root fills in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Final

show: Callable[[], Callable[[Any], str | None]] | None = None
"""Imports the function that draws an object for a notebook."""

encode: Callable[[], Callable[[Any], Any]] | None = None
"""Imports the function that makes a JSON document of a result."""

tell: Callable[[], Callable[..., str]] | None = None
"""Imports the function that tells a result as text, in a notation if one is given."""

losses: Callable[[], Callable[..., Any]] | None = None
"""Imports the function that takes a tree apart against best play."""

stored_tree: Callable[[], Callable[[Any], Any]] | None = None
"""Imports what reads the tree of a file as a strategy."""

strategies: list[str] = []
"""The packages whose modules hold our own strategies, the cheapest to import first."""

resolvers: list[str] = []
"""The modules that know games by other names than boards and lists of words have."""


@contextmanager
def silence(_kind: str, _name: str) -> Iterator[Callable[[Any], None]]:
    """Tell nobody."""
    yield lambda _step: None


class Hooks:
    """What work calls that has no other way to get it.

    Attributes:
        aside: makes the report of work that begins while other work goes on, so that nobody passes
            it one: of `compiling` a kernel, `marking` a game, or `waiting` for a program; each is
            named.
        rows: makes the rows of a table of marks, where a function marks one secret at a time.
    """

    def __init__(self) -> None:
        self.aside: Callable[[str, str], AbstractContextManager[Callable[[Any], None]]] = silence
        self.rows: Callable[..., Iterable[Any]] = map


hooks: Final = Hooks()


def picture(thing: Any) -> str | None:
    """How an object looks in a notebook; None where nothing draws it."""
    return show()(thing) if show else None


class Drawable:
    """Shows itself in a notebook as a picture, and gives itself as JSON."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        return picture(self)

    def to_document(self) -> Any:
        """What `json.dumps` takes: texts, numbers, lists, and objects with the keys of `--json`."""
        assert encode is not None  # noqa: S101 (the package root fills it in)
        return encode()(self)
