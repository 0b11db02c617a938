"""Write the notebooks that are made from others.

    python -m tools.notebooks

- Those with gaps for pupils, from the solved ones that come with the package.
- The code of the French notebooks, from the English ones of the same name; their text is written by
  hand. The metadata of a French notebook, under `pegwise`, has the `words` of the code, such as
  what is printed, that are French there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from pegwise.practical import shipped

DOCS: Final = Path(__file__).parents[1] / "docs"
ENGLISH: Final = DOCS / "notebooks"
FRENCH: Final = DOCS / "fr" / "notebooks"


def made() -> Iterator[tuple[Path, str]]:
    """Each file that is made, and its content."""
    for language, folder in {"en": ENGLISH, "fr": FRENCH}.items():
        solved = shipped(language)
        yield folder / f"{solved.stem}.ipynb", solved.notebook()
    for path in twins():
        yield path, _with_code_of(ENGLISH / path.name, path)


def twins() -> list[Path]:
    """The French notebooks with an English one of the same name."""
    return [path for path in sorted(FRENCH.glob("*.ipynb")) if (ENGLISH / path.name).exists()]


def _with_code_of(english: Path, french: Path) -> str:
    """The French notebook with the code of the English one; ValueError if cells do not match."""
    notebook, source = _read(french), _read(english)
    words: dict[str, str] = notebook["metadata"]["pegwise"]["words"]
    code = "\n".join("".join(cell["source"]) for cell in source["cells"])
    unused = [word for word in words if word not in code]
    kinds = [[cell["cell_type"] for cell in each["cells"]] for each in (source, notebook)]
    if unused or kinds[0] != kinds[1]:
        raise ValueError(f"{french.name}: other cells than in English, or unused words: {unused}")
    for cell, of in zip(notebook["cells"], source["cells"], strict=True):
        if cell["cell_type"] == "code":
            cell.update(of)
            cell["source"] = _translated("".join(of["source"]), words)
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _translated(code: str, words: dict[str, str]) -> list[str]:
    for word in sorted(words, key=len, reverse=True):
        code = code.replace(word, words[word])
    return code.splitlines(keepends=True)


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    for path, content in made():
        path.write_text(content, encoding="utf-8")
