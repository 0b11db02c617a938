"""What pages show is what the program says: blocks of all pages, in both languages."""

import re
from pathlib import Path

import pytest
from tools.pages import blocks, played, timeless

pytestmark = pytest.mark.slow

DOCS = Path(__file__).parents[1] / "docs"
ENGLISH = sorted((DOCS / "tutorials").glob("*.md"))
PLAYED = [
    path
    for path in sorted(DOCS.rglob("*.md"))
    if {kind for kind, _ in blocks(path.read_text("utf-8"))} & {"console", "python"}
]


@pytest.mark.parametrize("page", PLAYED, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_blocks_are_what_is_said(page: Path, tmp_path: Path) -> None:
    """If it fails: python -m tools.pages PAGE."""
    text, french = page.read_text("utf-8"), "fr" in page.relative_to(DOCS).parts
    assert timeless(played(text, tmp_path, "fr" if french else "en")) == timeless(text)


FIRST = {"class.md", "decode.md", "play.md", "puzzles.md"}
"""Pages that a newcomer reads first: nothing in them compiles."""


@pytest.mark.parametrize("page", PLAYED, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_blocks_are_the_same_on_a_new_machine(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no kernels are compiled yet."""
    compiled = tmp_path / "compiled"
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(compiled))
    test_blocks_are_what_is_said(page, tmp_path)
    assert page.name not in FIRST or not compiled.exists()


def test_every_kind_of_page_is_played() -> None:
    pages = {page.relative_to(DOCS).as_posix() for page in PLAYED}
    assert len(pages) > 40
    assert {"forget.md", "fr/forget.md", "fr/viaud.md", "race.md", "fr/tutorials/play.md"} <= pages


ENGLISH_ONLY = {
    *("benchmarks.md", "cluster.md", "formats.md", "large-boards.md"),
    *("records.md", "search.md", "serve.md", "static.md", "tree-format.md", "value.md"),
    "architecture.md",
    *(f"reference/{path.name}" for path in (DOCS / "reference").glob("*.md")),
}
"""Pages for those who program, prove or run servers; every other page is in French too."""

PAGES = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
TRANSLATED = sorted(page for page in PAGES if page not in ENGLISH_ONLY and page[:3] != "fr/")


def test_each_has_its_twin() -> None:
    assert {page.removeprefix("fr/") for page in PAGES if page[:3] == "fr/"} == set(TRANSLATED)
    assert len(ENGLISH) > 8


@pytest.mark.parametrize("page", sorted({*TRANSLATED} - {"index.md", "notebooks/README.md"}))
def test_twins_show_the_same_blocks(page: str) -> None:
    """The same commands and the same lines of Python; words that answer are in the language."""
    english, french = ((folder / page).read_text("utf-8") for folder in (DOCS, DOCS / "fr"))
    assert [typed(*block) for block in blocks(english)] == [typed(*each) for each in blocks(french)]
    if page not in {f"tutorials/{path.name}" for path in ENGLISH}:  # those are played
        assert python(english) == python(french)
    headings = [re.findall("^#+ ", text, re.MULTILINE) for text in (english, french)]
    assert headings[0] == headings[1]
    rows = [text.count("\n|") for text in (english, french)]
    # one lists what each language may type, the other has a table of strategies in English only
    assert rows[0] == rows[1] or page in {"forms.md", "race.md"}


def typed(kind: str, body: str) -> tuple[str, list[str], int]:
    """What the reader types: commands, or lines of Python without comments; how many answers."""
    signs = {"console": ("$ ",), "python": (">>> ", "... ")}.get(kind, ())
    lines = [line for line in body.splitlines() if line.startswith(signs)]
    if kind == "python":
        lines = [uncommented(line) for line in lines]
    return kind, lines, sum(line.startswith("> ") for line in body.splitlines())


def python(text: str) -> list[list[str]]:
    """Sessions of Python with what they answer, which is the same in every language."""
    shown = [body for kind, body in blocks(text) if kind == "python"]
    return [[uncommented(line) for line in body.splitlines()] for body in shown]


def uncommented(line: str) -> str:
    return re.sub(r"\s+# .*", "", line)
