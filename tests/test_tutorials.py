"""What pages show is what the program says: the tutorials, in both languages, and some more."""

from pathlib import Path

import pytest
from tools.pages import blocks, played, timeless

pytestmark = pytest.mark.whole(of="documents")

DOCS = Path(__file__).parents[1] / "docs"
ENGLISH = sorted((DOCS / "tutorials").glob("*.md"))
OTHERS = [DOCS / "index.md", DOCS / "formats.md", DOCS / "race.md"]
FRENCH = sorted((DOCS / "fr" / "tutorials").glob("*.md"))
FRENCH_OTHERS = [DOCS / "fr" / "index.md"]


@pytest.mark.parametrize("page", [*ENGLISH, *OTHERS], ids=lambda page: page.stem)
def test_english(page: Path, tmp_path: Path) -> None:
    """If it fails: python -m tools.pages PAGE."""
    text = page.read_text("utf-8")
    assert timeless(played(text, tmp_path)) == timeless(text)


@pytest.mark.parametrize("page", [*FRENCH, *FRENCH_OTHERS], ids=lambda page: page.stem)
def test_french(page: Path, tmp_path: Path) -> None:
    text = page.read_text("utf-8")
    assert timeless(played(text, tmp_path, "fr")) == timeless(text)


def test_each_has_its_twin() -> None:
    assert len(ENGLISH) == 9
    assert [page.name for page in FRENCH] == [page.name for page in ENGLISH]


@pytest.mark.parametrize("page", ENGLISH, ids=lambda page: page.stem)
def test_twins_show_the_same_blocks(page: Path) -> None:
    """The same commands and the same lines of Python; words that answer are in the language."""
    twin = DOCS / "fr" / "tutorials" / page.name
    assert [typed(*block) for block in blocks(page.read_text("utf-8"))] == [
        typed(*block) for block in blocks(twin.read_text("utf-8"))
    ]


def typed(kind: str, body: str) -> tuple[str, list[str], int]:
    """What the reader types: commands, or lines of Python; and how many answers."""
    signs = {"console": ("$ ",), "python": (">>> ", "... ")}.get(kind, ())
    lines = [line for line in body.splitlines() if line.startswith(signs)]
    return kind, lines, sum(line.startswith("> ") for line in body.splitlines())
