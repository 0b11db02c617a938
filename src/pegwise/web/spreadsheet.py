"""Tables as files that spreadsheets open."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

from pegwise.i18n import SOURCE

_FORMULA: Final = re.compile(r"(^|[;,|\t\r\n])(\s*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")
"""Where a spreadsheet would read a formula, whatever separates its cells."""


def spreadsheet(
    head: Sequence[str], rows: Iterable[Sequence[object]], language: str = SOURCE
) -> str:
    """A table as CSV, as spreadsheets of a language read it.

    It begins with a byte order mark, so that its letters are read as UTF-8. In French, semicolons
    separate cells and a comma stands before decimals. No text is read as a formula.
    """
    french = language != SOURCE
    out = io.StringIO()
    out.write("\ufeff")
    writer = csv.writer(out, delimiter=";" if french else ",", lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_cell(value, french) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: object, french: bool) -> object:
    if isinstance(value, float):
        text = str(round(value, 6))
        return text.replace(".", ",") if french else text
    return _FORMULA.sub(r"\1\2'", value) if isinstance(value, str) else value
