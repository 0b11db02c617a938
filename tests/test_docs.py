"""The site: it builds strictly, leaves no page out, and fetches nothing from elsewhere."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import click
import pytest

import pegwise
from pegwise.cli.main import cli
from pegwise.errors import OutputError

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
LOADING = {"script": "src", "img": "src", "iframe": "src", "source": "src", "object": "data"}


class _Page(HTMLParser):
    """What a page loads, where it leads, and the names of its places."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.language = ""
        self.loaded: list[str] = []
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if "id" in attributes:
            self.places.add(attributes["id"])
        if tag == "html":
            self.language = attributes["lang"]
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        if tag == "link":
            self.loaded.append(attributes["href"])
        if tag in LOADING and LOADING[tag] in attributes:
            self.loaded.append(attributes[LOADING[tag]])
        self.loaded += re.findall(r"url\(([^)]+)\)", attributes.get("style", ""))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built as `make docs` does; every warning ends the build."""
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, _Page]:
    return {path: _Page(path) for path in sorted(site.rglob("*.html")) if path.name != "404.html"}


def test_every_page_is_built_and_listed(site: Path, pages: dict[Path, _Page]) -> None:
    """Pages that no menu leads to would be built all the same; strict building refuses them."""
    listed = {
        (site / urlsplit(link).path).resolve()
        for link in pages[site / "index.html"].links
        if not urlsplit(link).scheme
    }
    written = {path.relative_to(DOCS) for path in DOCS.rglob("*.md")}
    assert len(written) > 40
    for path in written:
        name = path.with_name("index.html" if path.stem == "README" else f"{path.stem}.html")
        assert (site / name).resolve() in listed, path


def test_every_page_says_whom_it_helps() -> None:
    """In its first sentence; and none is too long to be read."""
    starts = {DOCS / "index.md", DOCS / "fr" / "index.md"}
    for page in DOCS.rglob("*.md"):
        text = page.read_text("utf-8")
        assert text.count("\n") <= 600, page
        language = re.compile(
            r"\*\[[^\]]+\]\([^)]+\)\.\*\s+"
        )  # the link to the page in the other one
        first = language.sub("", text.partition("\n")[2].lstrip(), count=1)
        word = "Pour " if "fr" in page.relative_to(DOCS).parts else "For "
        assert page in starts or first.startswith(word), page


def test_nothing_comes_from_elsewhere(site: Path, pages: dict[Path, _Page]) -> None:
    for path, page in pages.items():
        for loaded in page.loaded:
            parts = urlsplit(loaded)
            assert (parts.scheme, parts.netloc) in {("", ""), ("data", "")}, (path, loaded)
            if not parts.scheme:
                assert (path.parent / unquote(parts.path)).exists(), (path, loaded)
    for sheet in site.rglob("*.css"):
        fetched = re.findall(r"(?:url\(|@import\s*)[\"']?(?:https?:)?//", sheet.read_text("utf-8"))
        assert not fetched, sheet


def test_links_within_the_site_lead_somewhere(pages: dict[Path, _Page]) -> None:
    """Also those that Markdown does not write: menus, languages, cross-references."""
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            assert target.exists(), (path, link)
            if parts.fragment and target in pages:
                assert unquote(parts.fragment) in pages[target].places, (path, link)


def test_french_pages_say_so(site: Path, pages: dict[Path, _Page]) -> None:
    for path, page in pages.items():
        french = path.relative_to(site).parts[0] == "fr"
        assert page.language == ("fr" if french else "en"), path


def test_every_public_name_is_in_the_reference(site: Path, pages: dict[Path, _Page]) -> None:
    text = (DOCS / "reference" / "index.md").read_text("utf-8")
    shown = re.findall(r"\[`(\w+)`\]\[([\w.]+)\]", text)
    assert sorted(name for name, _ in shown) == sorted(pegwise.__all__)
    linked = {urlsplit(link).fragment for link in pages[site / "reference/index.html"].links}
    assert {link for _, link in shown} <= linked


def test_readers_of_the_sources_find_every_link() -> None:
    """README and pages are read on the web as they stand, without a site around them."""
    for page in [ROOT / "README.md", *DOCS.rglob("*.md")]:
        prose = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
        for target in re.findall(r"\]\(([^)\s]+)\)", prose):
            parts = urlsplit(target)
            if parts.scheme:
                continue
            path = page.parent / unquote(parts.path) if parts.path else page
            assert path.exists(), (page, target)
            if parts.fragment and path.suffix == ".md":
                assert unquote(parts.fragment) in _anchors(path), (page, target)


def _anchors(page: Path) -> set[str]:
    """The names that a forge gives to the headings of a page: accents stay."""
    prose = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.*)$", prose, re.MULTILINE)
    texts = [re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", heading) for heading in headings]
    return {re.sub(r"[^\w\- ]", "", text.lower()).strip().replace(" ", "-") for text in texts}


def test_what_is_to_be_installed_is_there() -> None:
    """The project is on no package index: pages install from a clone, with extras that exist.

    Where wheels are missing they install what pegwise needs, then pegwise without it.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = set(project["optional-dependencies"])
    needed = {re.split(r"\W", dependency)[0] for dependency in project["dependencies"]}
    named = set[str]()
    for page in [ROOT / "README.md", ROOT / "CHANGELOG.md", *DOCS.rglob("*.md")]:
        for what in re.findall(r"\bpipx?\s+install\s+([^\s`]+)", page.read_text("utf-8")):
            if what in {*needed, "--no-deps", "--no-index", "spyder-kernels"}:
                continue
            read = re.match(r"['’]?\.(?:\[([a-z,]+)\]['’])?(?=\W*$)", what)
            assert read, (page, what)
            named.update((read[1] or "web").split(","))
    assert {"web", "charts", "cluster", "notebook", "gym", "constraint"} <= named <= extras


def _commands() -> list[str]:
    """Every command that a page shows, in a block or within a line."""
    shown: set[str] = set()
    for page in [ROOT / "README.md", *DOCS.rglob("*.md")]:
        text = page.read_text("utf-8")
        fences = "".join(re.findall(r"^```.*?^```", text, re.MULTILINE | re.DOTALL))
        shown.update(re.findall(r"^(?:\$ )?(pegwise [a-z].*)", fences, re.MULTILINE))
        shown.update(re.findall(r"^    (?:\$ )?(pegwise [a-z].*)", text, re.MULTILINE))
        shown.update(re.findall(r"`(pegwise [a-z][^`\n]*)`", text))
    whole = {re.split(r"\s(?:#|2?>|&&|\|)|\s{3,}", line)[0].strip() for line in shown}
    return sorted(whole - {"pegwise game 1"})  # the first line of a record


@pytest.mark.parametrize("command", _commands())
def test_commands_in_pages_are_understood(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names of commands and options are right; nothing is run, and a file may be left out."""
    placeholders = {"N": "2", "FILE": "game.txt", "GAME": "game.txt", "ID": "knuth"}
    placeholders |= {"RULES": "4x6", "BOARD": "4x6", "FOLDER": "examples", "DOSSIER": "examples"}
    placeholders |= {
        "zoo,placed": "wordle",
        "orig,placed,hard": "wordle,hard",
        "wordlist_orig_hidden": "game.txt",
        "wordlist_orig_all": "game.txt",
    }  # lists of one's own
    spoken = re.sub(r" --lang \w+", "", command)  # read before any command is looked up
    words = [placeholders.get(word, word) for word in shlex.split(spoken)[1:]]
    monkeypatch.chdir(tmp_path)
    Path("examples").symlink_to(ROOT / "examples")
    for word in words:
        if re.fullmatch(r"[\w.-]+\.\w+", word):
            Path(word).write_text("ape\nbee\n")
    command_of = cli.get_command(click.Context(cli), words[0])
    assert command_of is not None
    try:
        command_of.make_context(words[0], words[1:])
    except (click.MissingParameter, OutputError):  # a file is there, and is not replaced
        pass
    except click.BadOptionUsage as error:
        assert error.option_name == words[-1]
