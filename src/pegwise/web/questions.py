"""What the page Race asks of a `work.Line`.

The modules that answer load kernels and charts; they are imported in the process that answers,
so that the server itself starts at once.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "race_chart",
    "race_file",
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
