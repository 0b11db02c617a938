"""Every error of pegwise, as one tree under `PegwiseError`.

A message is one sentence or two: it quotes the input and says what is allowed. Each class
carries the exit status that the command line ends with.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = [
    "CodeError",
    "ContradictionError",
    "DataFileError",
    "InputError",
    "MarkError",
    "MissingExtraError",
    "OutputError",
    "PegwiseError",
    "RulesError",
    "StrategyError",
    "TooLargeError",
    "TreeFileError",
    "UnknownNameError",
    "quoted",
]


def quoted(value: object, limit: int = 80) -> str:
    """A value as an error message quotes it: as Python writes it, long ones cut in the middle."""
    try:
        shown = repr(value)
    except ValueError:  # Python writes no number of more than 4300 digits
        return "a number too long to write"
    if len(shown) <= limit:
        return shown
    half = limit // 2
    return f"{shown[:half]}...{shown[-half:]}"


class PegwiseError(Exception):
    """Anything that pegwise refuses or cannot do."""

    exit_status = 2


class InputError(PegwiseError, ValueError):
    """Input that is malformed or out of range."""


class RulesError(InputError):
    """Rules that are malformed, out of range or contradictory."""


class CodeError(InputError):
    """A code that is malformed, or that the rules do not allow."""


class MarkError(InputError):
    """A mark that is malformed, or that cannot happen."""


class UnknownNameError(InputError):
    """A name (of a strategy, an option, a variant) that does not exist."""

    @classmethod
    def of(cls, kind: str, name: str, known: Iterable[str]) -> UnknownNameError:
        """An error that quotes `name`, proposes the nearest known ones, and lists all of them."""
        known = list(known)
        near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.6)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        return cls(f"unknown {kind} {quoted(name)}{hint}; known: {', '.join(known)}")


class StrategyError(PegwiseError):
    """A strategy that cannot play these rules, or that broke its contract while playing."""


class TooLargeError(PegwiseError):
    """A board too large for what was asked; the message says what is possible instead."""


class DataFileError(InputError):
    """A stored file that is damaged, truncated or foreign."""


class TreeFileError(DataFileError):
    """A tree file that is damaged, truncated or foreign."""


class OutputError(PegwiseError, OSError):
    """A path that cannot be written."""


class ContradictionError(PegwiseError):
    """Marks that no secret could have given."""

    exit_status = 1


class MissingExtraError(PegwiseError, ImportError):
    """A part of pegwise whose optional libraries are not installed."""

    @classmethod
    def of(cls, what: str, extra: str) -> MissingExtraError:
        """An error that names the exact line to install."""
        return cls(f"{what} needs the optional extra {extra!r}: pip install 'pegwise[{extra}]'")
