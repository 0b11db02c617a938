"""Filters of the templates: numbers as a language writes them, codes as they are spoken."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from babel.numbers import format_decimal, format_percent
from markupsafe import Markup, escape

__all__ = ["filters", "whole"]

_MAX_SHOWN: Final = 2**53
"""Larger numbers are not exact in scripts; they are shown as 2.48 × 10¹⁸."""

_RAISED: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SPOKEN: Final = re.compile(r' (?:style|role|aria-label)="[^"]*"')
_QUOTED: Final = re.compile(r"`([^`]+)`")
_WORDS: Final = re.compile(r"<(title|desc)>.*?</\1>", re.DOTALL)


def filters(language: str) -> dict[str, Callable[..., Any]]:
    """The filters of a language.

    `number` writes a number, with so many decimals; `signed` the same with its sign; `percent` a
    share; `whole` is a number to choose a plural by; `spoken` sets the letters of a code apart;
    `query` makes a query of an address; `prose` sets what stands in backticks apart; `inline_svg`
    puts a drawing into the page.
    """

    def number(value: float, digits: int = 0) -> str:
        if value > _MAX_SHOWN:
            exponent = len(str(int(value))) - 1
            raised = str(exponent).translate(_RAISED)
            return f"{number(value / 10**exponent, 2)} × 10{raised}"
        pattern = "#,##0." + "0" * digits if digits else "#,##0"
        # by the exact value of a float, as everything that Python writes; never -0.00
        return format_decimal(round(value, digits) + 0, pattern, language)

    def signed(value: float, digits: int = 2) -> str:
        rounded = round(value, digits)
        sign = "+" if rounded > 0 else "\N{MINUS SIGN}" if rounded < 0 else ""
        return sign + number(abs(rounded), digits)

    return {
        "number": number,
        "signed": signed,
        "percent": lambda share: format_percent(round(share, 2), locale=language),
        "whole": lambda value, digits=0: whole(round(value, digits)),
        "spoken": _spoken,
        "query": lambda text: f"?{text}",
        "prose": _prose,
        "inline_svg": _inline_svg,
    }


def whole(value: float) -> int:
    """A whole number that takes the same plural as this one, in English and in French."""
    return 1 if value == 1 else int(value) if value >= 2 else 0


def _spoken(code: str) -> str:
    return " ".join(code)


def _prose(text: str) -> Markup:
    """A text of the sources, whose commands and names stand in backticks."""
    return Markup(_QUOTED.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704


def _inline_svg(drawing: str) -> Markup:
    """A drawing of `pictures`, which is safe.

    The page's policy allows no style attribute; what the drawing says in English is left out, for
    the page says it in its own language around it.
    """
    silent = _WORDS.sub("", _SPOKEN.sub("", drawing, count=3))
    return Markup(silent.replace("<svg ", '<svg aria-hidden="true" ', 1))  # noqa: S704
