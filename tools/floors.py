"""The floors of the house: the table that `tests/test_floors.py` enforces, and its drawing.

python -m tools.floors

The table stands in docs/architecture.md. The drawing is docs/pictures/floors.svg.
"""

from __future__ import annotations

import re
from pathlib import Path

from pegwise.pictures.svg import card, document, rect, text, tone

DOCS = Path(__file__).parents[1] / "docs"
PICTURE = DOCS / "pictures" / "floors.svg"
_ROW = re.compile(r"\| (\d+) \| ([^|]+) \| ([^|]+) \|")
_WIDTH, _STEP, _HEIGHT, _ROOM = 580, 64, 44, 112


def floors() -> dict[int, tuple[list[str], str]]:
    """By number of the floor its rooms, and what they are for, as the page says."""
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    rows = [row.groups() for line in page.splitlines() if (row := _ROW.fullmatch(line))]
    return {int(n): (re.findall(r"`(\w+)`", rooms), about.strip()) for n, rooms, about in rows}


def drawing() -> str:
    """The floors, the lowest at the bottom, with their rooms."""
    table = floors()
    body = [card(_WIDTH, _STEP * len(table) + 40)]
    for row, (number, (rooms, _)) in enumerate(sorted(table.items(), reverse=True)):
        y = 20 + row * _STEP
        body.append(text(28, y + _STEP / 2, str(number), 22, "soft"))
        width = min(_ROOM, (_WIDTH - 90) / len(rooms) - 12)
        for place, room in enumerate(rooms):
            x = 64 + place * (width + 12)
            top = y + (_STEP - _HEIGHT) / 2
            body.append(rect(x, top, width, _HEIGHT, rx=9, **tone("wash")))
            words = text(x + width / 2, y + _STEP / 2, room, 16, "ink", text_anchor="middle")
            body.append(words)
    return document(
        body, _WIDTH, _STEP * len(table) + 40, title="Floors and rooms: imports point down"
    )


if __name__ == "__main__":
    PICTURE.write_text(drawing(), encoding="utf-8")
