"""How tests read pictures: as XML, and as HTML whose outside requests and open tags show."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"
_VOID = {"meta", "img", "source", "br", "link", "input", "hr"}


def read_svg(svg: str) -> ElementTree.Element:
    """The root of a drawing whose ids are unique and whose references are all there."""
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    wanted = set(re.findall(r"url\(#([^)]+)\)", svg))
    wanted |= {use.get("href", "")[1:] for use in root.iter(f"{SVG}use")}
    assert wanted <= set(ids)
    return root


def pegs_of(root: ElementTree.Element) -> list[tuple[str, float, float]]:
    """(letter or "hole", x, y) of every peg that is drawn."""
    return [
        (use.get("href", "").split("-")[2], float(use.get("x", "0")), float(use.get("y", "0")))
        for use in root.iter(f"{SVG}use")
    ]


def size_of(root: ElementTree.Element) -> tuple[float, float]:
    """Width and height."""
    return float(root.get("width", "0")), float(root.get("height", "0"))


def texts_of(root: ElementTree.Element) -> list[str]:
    """Every text that is drawn, letters of pegs left out."""
    defined = {id(text) for defs in root.iter(f"{SVG}defs") for text in defs.iter(f"{SVG}text")}
    return ["".join(t.itertext()) for t in root.iter(f"{SVG}text") if id(t) not in defined]


class Page(HTMLParser):
    """A page: its text, its tags, and every address it asks for."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[str] = []
        self.addresses: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        self.close()
        assert not self._open, f"never closed: {self._open}"
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in _VOID:
            self._open.append(tag)
        for name, value in attrs:
            if name in {"src", "href", "srcset", "action", "data", "poster"}:
                self.addresses.append(value or "")
            assert not name.startswith("on"), f"{tag} carries a script"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self._open, f"</{tag}> closes nothing"
        assert self._open.pop() == tag, f"</{tag}> closes another"

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] not in {"style", "script"}:
            self.words.append(data)
