"""Pages in the frame of another site, over TLS."""

from __future__ import annotations

import re
import shutil
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote, urlsplit

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, expect

from tests.web.browser.conftest import PATIENCE, wait

pytestmark = pytest.mark.slow

SERVER = """
import sys
from pathlib import Path
import uvicorn
from pegwise.web.app import create_app
from pegwise.web.settings import Settings
home, frame, certificate, key = sys.argv[1:]
app = create_app(Settings(Path(home), frame=(frame,)))
uvicorn.run(app, port=0, ssl_certfile=certificate, ssl_keyfile=key, access_log=False)
"""


class Framing(BaseHTTPRequestHandler):
    """Shows the address that stands in the query, in a frame."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        address = unquote(urlsplit(self.path).query)
        frame = f'<iframe src="{address}" style="width: 100%; height: 700px"></iframe>'
        self.wfile.write(f"<!doctype html><title>Course</title>{frame}".encode())

    def log_message(self, *_: Any) -> None:
        pass


class Sites(NamedTuple):
    named: str  # may frame pages of pegwise
    other: str  # may not
    pegwise: str


@pytest.fixture(scope="module")
def sites(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sites]:
    if shutil.which("openssl") is None:
        pytest.skip("there is no openssl")
    home = tmp_path_factory.mktemp("frame")
    certificate, key = home / "site.pem", home / "site.key"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
    subprocess.run([*command, "-out", certificate, "-keyout", key], check=True, capture_output=True)
    courses = [tls_server(certificate, key) for _ in range(2)]
    named, other = (f"https://localhost:{course.server_port}" for course in courses)
    program = [sys.executable, "-c", SERVER, str(home), named, str(certificate), str(key)]
    with subprocess.Popen(program, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = iter(process.stderr)
        running = next(filter(None, (re.search(r"running on (\S+)", line) for line in said)))
        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield Sites(named, other, running[1])  # 127.0.0.1 is another site than localhost
        process.terminate()
    for course in courses:
        course.shutdown()
        course.server_close()


def tls_server(certificate: Path, key: Path) -> ThreadingHTTPServer:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    http = ThreadingHTTPServer(("127.0.0.1", 0), Framing)
    http.socket = context.wrap_socket(http.socket, server_side=True)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    return http


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    made = chromium.new_context(ignore_https_errors=True, viewport={"width": 1000, "height": 760})
    made.set_default_timeout(PATIENCE)
    yield made
    made.close()


def framed(page: Page, site: str, address: str) -> FrameLocator:
    """The page at this address, in the frame of a page of a site."""
    page.goto(f"{site}/?{address}")
    return page.frame_locator("iframe")


def test_a_game_is_played_in_the_frame_of_a_named_site(
    context: BrowserContext, sites: Sites
) -> None:
    page = context.new_page()
    frame = framed(page, sites.named, f"{sites.pegwise}/play?rules=4x6")
    expect(frame.locator("#palette")).to_be_visible()
    expect(frame.locator(".top nav")).to_be_hidden()
    for turn in (1, 2):
        for name in ("A, red", "A, red", "B, green", "C, blue"):
            frame.locator("#palette").get_by_role("button", name=name).click()
        frame.get_by_role("button", name="Submit").click()
        expect(frame.locator("#turns .turn:not(.now):not(.next)")).to_have_count(turn)
    cookies: list[dict[str, Any]] = [dict(cookie) for cookie in context.cookies()]
    assert [(cookie["sameSite"], cookie["secure"]) for cookie in cookies] == [("None", True)]
    assert cookies[0]["partitionKey"] == "https://localhost"
    # the page outside knows nothing of that session
    outside = context.new_page()
    outside.goto(f"{sites.pegwise}/play?rules=4x6")
    assert len(context.cookies()) == 2
    # what may not stand in the frame opens beside it
    with context.expect_page() as opened:
        frame.locator("a.brand").click()
    expect(opened.value.locator("h1")).to_be_visible()


def test_a_pupil_joins_a_room_in_the_frame(context: BrowserContext, sites: Sites) -> None:
    with httpx2.Client(base_url=sites.pegwise, verify=False) as teacher:
        room = teacher.post("/api/rooms", json={"rules": "4x6", "mode": "same"}).json()
        frame = framed(context.new_page(), sites.named, f"{sites.pegwise}/room/{room['id']}")
        frame.locator("[name=name]").fill("Léa")
        frame.get_by_role("button", name="Join").click()
        expect(frame.locator("#note")).to_be_visible()
        names = [each["name"] for each in teacher.get(f"/api/rooms/{room['id']}").json()["board"]]
        assert names == ["Léa"]


@pytest.mark.parametrize(
    ("site", "path", "shown"),
    [
        ("named", "/puzzle?level=1&seed=3", True),
        ("named", "/decode", False),
        ("named", "/", False),
        ("other", "/play", False),
    ],
)
def test_nothing_else_is_framed(
    context: BrowserContext, sites: Sites, site: str, path: str, shown: bool
) -> None:
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    frame = framed(page, getattr(sites, site), f"{sites.pegwise}{path}")
    if shown:
        expect(frame.locator("h1")).to_be_visible()
        assert not any("frame-ancestors" in line for line in said)
    else:
        wait(page, lambda: bool(said))
        assert "frame-ancestors" in said[0]
        expect(frame.locator("h1")).to_have_count(0)
