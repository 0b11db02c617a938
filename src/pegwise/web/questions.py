"""What the pages Race and Tree ask of a `work.Line`.

The modules that answer load kernels and charts; they are imported in the process that answers,
so that the server itself starts at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

__all__ = [
    "race_chart",
    "race_file",
    "tree_find",
    "tree_position",
    "tree_summary",
    "warm_to_explore",
]


def race_chart(found: dict[str, Any], dark: bool, narrow: bool, language: str) -> str:
    """The chart of a race (see `race_results.chart`) in a language."""
    from pegwise.i18n import speaking
    from pegwise.web import race_results

    with speaking(language):
        return race_results.chart(found, dark, narrow)


def race_file(found: dict[str, Any], form: str, language: str) -> str:
    """The results of a race in a form (see `race_results.write`) and a language."""
    from pegwise.i18n import speaking
    from pegwise.web import race_results

    with speaking(language):
        return race_results.write(found, form)


def tree_summary(home: Path, identity: str) -> dict[str, Any]:
    """What a tree is, as a whole (see `tree_views.summary`)."""
    from pegwise.web import tree_views

    return tree_views.summary(home, identity)


def tree_position(home: Path, identity: str, path: str) -> dict[str, Any]:
    """A position of a tree (see `tree_views.position`)."""
    from pegwise.web import tree_views

    return tree_views.position(home, identity, path)


def tree_find(home: Path, identity: str, secret: str) -> dict[str, Any]:
    """Where a secret is found (see `tree_views.find`)."""
    from pegwise.web import tree_views

    return tree_views.find(home, identity, secret)


def warm_to_explore() -> None:
    """Make a process ready for these questions.

    The engine behind charts reserves far more addresses than it uses, so that the limit on them
    has to go; what it draws is small.
    """
    from pegwise.web.computing import allow_compilation

    allow_compilation()
    try:
        import resource
    except ImportError:  # a system without limits
        return
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
