"""`visit`: opens pages of a running server in Debian's Chromium, and lets no error pass.

Where there is no Chromium these tests are skipped, but never with CI=true.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Protocol
from urllib.request import Request, urlopen
from weakref import WeakKeyDictionary

import pytest
from benchmarks import load
from playwright.sync_api import (
    APIResponse,
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Route,
    expect,
    sync_playwright,
)
from playwright.sync_api import Request as PageRequest

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first takes half of the processor time: it draws no window."""

PATIENCE = 300_000
"""Milliseconds that a page may take on a machine that is busy."""

expect.set_options(timeout=PATIENCE)


WEIGHT = """() => ["navigation", "resource"].flatMap((kind) => performance.getEntriesByType(kind))
  .reduce((sum, { decodedBodySize }) => sum + decodedBodySize, 0)"""
"""Bytes of a page and of all that it has loaded, uncompressed."""

_asked: WeakKeyDictionary[Page, set[Any]] = WeakKeyDictionary()
"""What each page asks of the server at this moment."""


def wait(page: Page, condition: Callable[[], bool]) -> None:
    """Wait until something holds of a page."""
    for _ in range(PATIENCE // 20):
        page.wait_for_timeout(20)
        if condition():
            return
    raise AssertionError("the page does not come to what a test waits for")


def rest(page: Page) -> None:
    """Wait until a page asks nothing."""
    wait(page, lambda: not _asked[page])


def _wait_for_compilation(address: str) -> None:
    """The first review on a machine compiles kernels; no page has to wait for that."""
    game = json.dumps({"rules": "4x6", "history": [{"guess": "AABC", "mark": "OO"}]}).encode()
    review = f"{address}/review?rules=4x6&history=AABC:OO,BCDD:OO"
    decode = Request(f"{address}/api/decode", game, {"content-type": "application/json"})
    for question in (review, decode):
        while _status(question) == 202:  # a page says what it waits for
            time.sleep(1)


def _status(question: str | Request) -> int:
    with urlopen(question, timeout=PATIENCE / 1000) as answer:
        return int(answer.status)


class Held:
    """Answers to a page, by the pattern of their addresses, that it gets when they are released."""

    def __init__(self, page: Page, pattern: str) -> None:
        self._page = page
        self._routes: list[Route] = []  # as they were asked
        self._answers: dict[int, APIResponse] = {}  # a later one may be there first
        page.route(pattern, self._hold)

    def _hold(self, route: Route) -> None:
        place = len(self._routes)
        self._routes.append(route)
        self._answers[place] = route.fetch()

    def wait(self, count: int) -> None:
        """Until so many answers are held."""
        wait(self._page, lambda: len(self._answers) == count)

    def release(self, place: int, **otherwise: Any) -> Any:
        """Let the page have an answer, `otherwise` than it was, and see it; its JSON, if it is."""
        route, answer = self._routes[place], self._answers[place]
        drawn = answer.headers["content-type"].startswith("text/html")
        said = None if drawn else answer.json() | otherwise
        with self._page.expect_event("requestfinished", lambda done: done == route.request):
            route.fulfill(response=answer, **({} if drawn else {"json": said}))
        self._page.evaluate("() => new Promise(done => setTimeout(done, 50))")
        return said


class Visit(Protocol):
    """Opens a page; `refused` tells that the server will refuse something there."""

    def __call__(self, path: str, *, refused: bool = False, **options: Any) -> Page: ...


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with a home of its own, one for all processes that test."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    file = folder / "server.json"
    with _locked(folder):
        state = json.loads(file.read_text()) if file.exists() else _start(folder)
        file.write_text(json.dumps(state | {"users": state["users"] + 1}))
    yield state["address"]
    with _locked(folder):
        state = json.loads(file.read_text())
        state["users"] -= 1
        file.write_text(json.dumps(state))
        if not state["users"]:
            file.unlink()
            os.kill(state["pid"], signal.SIGTERM)


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    with (folder / "server.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _start(folder: Path) -> dict[str, Any]:
    # however busy the machine is, no question is refused for its time, and no request for its rate
    patient = {"PEGWISE_SECONDS": "3600", "PEGWISE_PATIENCE": "3600", "PEGWISE_RATE": "0"}
    server = load.Server(Path(tempfile.mkdtemp(dir=folder)), **patient)
    try:
        _wait_for_compilation(server.url)
    except OSError:
        server.end(signal.SIGTERM)  # or it would run on
        raise
    return {"pid": server.process.pid, "address": server.url, "users": 0}


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Chromium; it ends with this folder, for its loop would disturb other tests."""
    path = next(filter(None, map(shutil.which, _NAMES)), None)
    if path is None:
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail("there is no Chromium: these tests may not be skipped")
        pytest.skip("there is no Chromium on this machine")
    with sync_playwright() as playwright:
        options = ["--no-sandbox", "--disable-gpu"]
        launched = playwright.chromium.launch(executable_path=path, args=options)
        yield launched
        launched.close()


@pytest.fixture(scope="package")
def contexts(chromium: Browser) -> Iterator[dict[str, BrowserContext]]:
    """Visitors by their options; a new one takes longer than most pages."""
    contexts: dict[str, BrowserContext] = {}
    yield contexts
    for context in contexts.values():
        context.close()


SHOWN: dict[str, Any] = {
    "viewport": {"width": 1280, "height": 720},
    "color_scheme": "light",
    "forced_colors": "none",
    "reduced_motion": "reduce",
}
"""How a page is shown, unless a visit says otherwise."""


@pytest.fixture
def visit(chromium: Browser, server: str, contexts: dict[str, BrowserContext]) -> Iterator[Visit]:
    """Open pages as a visitor who was never here; at the end no page may have complained.

    Visits with the same options share a page, however it is shown: a new one takes Chromium a
    second of processor.
    """
    problems: list[str] = []
    refusals: dict[Page, bool] = {}

    def note(page: Page, said: ConsoleMessage) -> None:
        # Chromium notes every refused request as an error, and what it injects into a report itself
        expected = refusals[page] and "Failed to load resource" in said.text
        sandboxed = "Blocked script execution" in said.text and "/report.html'" in said.text
        if said.type == "error" and not expected and not sandboxed:
            problems.append(f"{page.url}: {said.text}")

    def listen(page: Page) -> None:
        asked = _asked[page] = set[Any]()

        def ask(request: PageRequest) -> None:
            if request.resource_type != "eventsource":  # which goes on
                asked.add(request)

        events: dict[Any, Any] = {
            "request": ask,
            "requestfinished": lambda request: asked.discard(request),
            "requestfailed": lambda request: asked.discard(request),
            "pageerror": lambda error: problems.append(f"{page.url}: {error}"),
            "console": lambda said: note(page, said),
        }
        for event, hear in events.items():
            page.on(event, hear)
            listening.callback(page.remove_listener, event, hear)

    def open_page(path: str, *, refused: bool = False, **options: Any) -> Page:
        shown = {name: options.pop(name, usual) for name, usual in SHOWN.items()}
        usual = {"base_url": server, "locale": "en-US", "reduced_motion": "reduce"}
        # a service worker would answer in place of the server
        options = usual | {"service_workers": "block"} | options
        key = repr(sorted(options.items()))
        if key not in contexts:
            contexts[key] = chromium.new_context(**options)
            contexts[key].set_default_timeout(PATIENCE)
        page = next(iter(contexts[key].pages), None) or contexts[key].new_page()
        if page not in refusals:
            listen(page)
        refusals[page] = refused
        page.set_viewport_size(shown.pop("viewport"))
        page.emulate_media(media="null", **shown)
        page.goto(path)
        return page

    with ExitStack() as listening:
        yield open_page
    for context in contexts.values():
        page, *others = context.pages
        for second in others:
            second.close()
        if page in refusals:
            page.unroute_all(behavior="ignoreErrors")
            page.evaluate("localStorage.clear(), sessionStorage.clear()")
            page.goto(f"{server}/static/manifest.json")  # the same process draws the next page
            context.clear_cookies()
    assert problems == []
