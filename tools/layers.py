"""The layers of the packages, and of the files of `game`, with their drawings.

python -m tools.layers

The table of the layers stands in docs/architecture.md; `tests/test_layers.py` enforces it. The
layers of `game` follow from what its files import. The drawings are docs/pictures/layers.svg and
game.svg.
"""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

from pegwise.pictures.svg import card, document, rect, text, tone

DOCS = Path(__file__).parents[1] / "docs"
PICTURES = DOCS / "pictures"
_ROW = re.compile(r"\| (\d+) \| ([^|]+) \| ([^|]+) \|")
_WIDTH, _STEP, _HEIGHT, _BOX = 720, 64, 44, 112


def layers() -> dict[int, tuple[list[str], str]]:
    """By number of the layer its packages, and what they are for, as the page says."""
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    rows = [row.groups() for line in page.splitlines() if (row := _ROW.fullmatch(line))]
    return {int(n): (re.findall(r"`(\w+)`", names), about.strip()) for n, names, about in rows}


def game_layers() -> dict[int, list[str]]:
    """By number of the layer the files of `game`, which import from lower ones; a folder is one."""
    source = Path(__file__).parents[1] / "src" / "pegwise" / "game"
    imported: dict[str, set[str]] = {}
    for path in sorted(source.rglob("*.py")):
        name = path.relative_to(source).with_suffix("").parts[0]
        if name != "__init__":
            names = re.findall(r"from pegwise\.game\.(\w+)", path.read_text(encoding="utf-8"))
            imported.setdefault(name, set()).update({*names} - {name})
    layers: dict[int, list[str]] = {}
    number: dict[str, int] = {}
    for name in TopologicalSorter(imported).static_order():
        number[name] = 1 + max((number[below] for below in imported[name]), default=-1)
        layers.setdefault(number[name], []).append(name)
    return {layer: sorted(names) for layer, names in layers.items()}


def drawing(table: dict[int, list[str]], title: str) -> str:
    """The layers, the lowest at the bottom, with a box for each package or file."""
    body = [card(_WIDTH, _STEP * len(table) + 40)]
    for row, (number, names) in enumerate(sorted(table.items(), reverse=True)):
        y = 20 + row * _STEP
        body.append(text(28, y + _STEP / 2, str(number), 22, "soft"))
        width = min(_BOX, (_WIDTH - 90) / len(names) - 12)
        for place, name in enumerate(names):
            x = 64 + place * (width + 12)
            top = y + (_STEP - _HEIGHT) / 2
            body.append(rect(x, top, width, _HEIGHT, rx=9, **tone("wash")))
            size = min(16, 1.6 * width / len(name))
            words = text(x + width / 2, y + _STEP / 2, name, size, "ink", text_anchor="middle")
            body.append(words)
    return document(body, _WIDTH, _STEP * len(table) + 40, title=title)


def drawings() -> dict[Path, str]:
    """The drawings by their files."""
    packages = {number: names for number, (names, _) in layers().items()}
    return {
        PICTURES / "layers.svg": drawing(packages, "Layers and packages: imports point down"),
        PICTURES / "game.svg": drawing(game_layers(), "The files of game: imports point down"),
    }


if __name__ == "__main__":
    for file, picture in drawings().items():
        file.write_text(picture, encoding="utf-8")
