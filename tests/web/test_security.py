"""The session, where requests come from, headers of safety, limits of size and rate, languages."""

from __future__ import annotations

import re
import stat
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from pegwise.errors import OutputError
from pegwise.web.app import create_app
from pegwise.web.limits import client_of
from pegwise.web.pages import language_of
from pegwise.web.security import POLICY, Guard
from pegwise.web.session import COOKIE, signing_secret, visitor_id
from pegwise.web.settings import Settings
from tests.web.playing import refused


async def show(request: Request) -> JSONResponse:
    """What a page knows of its visitor."""
    return JSONResponse(
        {
            "lang": language_of(request),
            "id": visitor_id(request),
            "session": dict(request.session),
        }
    )


async def change(request: Request) -> JSONResponse:
    return JSONResponse({"read": len(await request.body())})


ROUTES = [Route("/", show), Route("/change", change, methods=["POST"])]


def guarded(secret: str = "s" * 32, **limits: Any) -> Starlette:
    """Two pages behind the guard, by default without a limit of rate."""
    settings = Settings(Path(), **({"rate": 0.0} | limits))
    return Starlette(routes=ROUTES, middleware=[Middleware(Guard, settings, secret)])


@pytest.fixture
def site() -> Iterator[TestClient]:
    """Two pages behind the guard."""
    with TestClient(guarded()) as client:
        yield client


def test_every_answer_has_headers_of_safety(client: TestClient) -> None:
    for path in ("/", "/api/strategies", "/nothing/here", "/static/base.css"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"] == ("no-cache" if "static" in path else "no-store")


@pytest.fixture(scope="module")
def framed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A site over TLS that two others may frame."""
    frame = ("https://moodle.example", "https://lms.example")
    app = create_app(Settings(tmp_path_factory.mktemp("framed"), frame=frame))
    with TestClient(app, base_url="https://class.example") as client:
        yield client


IN_FRAME = {"sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site", "accept": "text/html"}


@pytest.mark.parametrize(
    "path", ["/play", "/puzzle?level=2", "/play?rules=nonsense", "/room/AAAAA"]
)
def test_named_sites_frame_some_pages(framed: TestClient, path: str) -> None:
    headers = framed.get(path, headers=IN_FRAME).headers
    assert "x-frame-options" not in headers
    sites = "https://moodle.example https://lms.example"
    assert headers["content-security-policy"] == POLICY.removesuffix("'none'") + sites


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/decode",
        "/puzzle/sheet",
        "/learn",
        "/room",
        "/games",
        "/api/strategies",
        "/words",
    ],
)
def test_no_other_page_is_framed(framed: TestClient, path: str) -> None:
    headers = framed.get(path, headers=IN_FRAME).headers
    assert headers["x-frame-options"] == "DENY"
    assert headers["content-security-policy"].endswith("frame-ancestors 'none'")


def test_a_teacher_steers_in_no_frame(framed: TestClient) -> None:
    room = framed.post("/api/rooms", json={"rules": "4x6", "mode": "same"}).json()
    headers = framed.get(f"/room/{room['id']}", headers=IN_FRAME).headers
    assert headers["x-frame-options"] == "DENY"
    assert headers["content-security-policy"].endswith("frame-ancestors 'none'")


def test_the_session_of_a_frame_is_one_of_its_own(framed: TestClient) -> None:
    framed.cookies.clear()
    (cookie,) = framed.get("/play").headers.get_list("set-cookie")
    assert "samesite=lax" in cookie and "partitioned" not in cookie
    framed.cookies.clear()
    for answer in (
        framed.get("/puzzle", headers=IN_FRAME),
        framed.get("/api/strategies?lang=fr", headers={"sec-fetch-dest": "empty"}),
    ):
        (cookie,) = answer.headers.get_list("set-cookie")
        assert "samesite=none; partitioned" in cookie and "secure" in cookie
    # what is asked from the site around is refused, whatever cookie it brings
    refused(framed.post("/api/games", json={"rules": "4x6"}, headers=IN_FRAME), 403)


def test_files_of_pages_are_asked_for_once(client: TestClient) -> None:
    page = client.get("/play").text
    files = re.findall(r'(?:src|href)="(/static/v[0-9a-f]{8}/[\w.-]+)"', page)
    # what the script imports is told beforehand, from the same folder
    assert {"play.js", "editor.js", "words.js", "base.css"} <= {Path(file).name for file in files}
    for file in files:
        assert "immutable" in client.get(file).headers["cache-control"]
    assert client.get("/static/v00000000/play.js").headers["cache-control"] == "no-cache"


@pytest.mark.slow
def test_answers_are_compressed(client: TestClient) -> None:
    for path in ("/play", "/static/base.css", "/api/openapi.json"):
        answer = client.get(path, headers={"accept-encoding": "gzip"})
        assert answer.headers["content-encoding"] == "gzip"
        plain = client.get(path, headers={"accept-encoding": "identity"})
        assert plain.content == answer.content
        assert int(answer.headers.get("content-length", 0)) < len(plain.content) / 2


def test_head_answers_wherever_get_does(client: TestClient) -> None:
    for path in ("/", "/learn", "/api/strategies", "/static/base.css", "/nothing/here"):
        full, head = client.get(path), client.head(path)
        assert (head.status_code, head.content) == (full.status_code, b"")
        assert head.headers["content-length"] == full.headers["content-length"]


@pytest.mark.slow
def test_a_server_answers_to_its_names_only(tmp_path: Path) -> None:
    app = create_app(Settings(tmp_path, hosts=("class.example", "127.0.0.1")))
    for host, status in [("class.example:8000", 200), ("127.0.0.1", 200), ("evil.example", 400)]:
        client = TestClient(app, headers={"host": host})  # not started: no worker is asked
        assert client.get("/favicon.ico").status_code == status
    app.state.services.close()


def test_errors_are_sentences(client: TestClient) -> None:
    assert refused(client.get("/api/nothing"), 404) == "there is nothing at '/api/nothing'"
    wrong = client.put("/api/games")
    assert refused(wrong, 405) == "PUT is not possible at '/api/games'"
    assert refused(client.get("/challenge/a%00b"), 400).startswith("an address must not")


def test_a_body_is_read_up_to_the_limit_only() -> None:
    with TestClient(guarded(max_body=5000)) as client:
        assert client.post("/change", content=bytes(5000)).json() == {"read": 5000}
        refused(client.post("/change", content=bytes(5001)), 413)
        refused(client.post("/change", content=repeat(bytes(1000), 1000)), 413)


@pytest.mark.usefixtures("stopped_clock")
def test_a_client_that_asks_too_often_waits() -> None:
    app = guarded(rate=2.5)
    with TestClient(app) as client:
        answers = [client.post("/change") for _ in range(30)]
        late = [answer for answer in answers if answer.status_code == 429]
        assert len(late) == 20
        assert late[0].headers["retry-after"] == "1"
        # whatever else is wrong with a request, it counts
        refused(client.post("/change", headers={"sec-fetch-site": "cross-site"}), 429)
        assert client.get("/static/base.css").status_code == 404  # files of pages do not count
    with TestClient(app, client=("127.0.0.1", 1)) as local:
        assert all(local.post("/change").status_code == 200 for _ in range(30))


@pytest.mark.parametrize(
    ("address", "client"),
    [
        ("2001:db8::1", "2001:db8::/64"),
        ("2001:db8::ffff:1", "2001:db8::/64"),
        ("2001:db8:0:1::1", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("192.0.2.1", "192.0.2.1"),
        ("testclient", "testclient"),
        ("::1", ""),
        ("::ffff:127.0.0.1", ""),
        ("127.0.0.9", ""),
    ],
)
def test_a_client_is_an_address_or_a_network(address: str, client: str) -> None:
    assert client_of(address) == client


@pytest.mark.usefixtures("stopped_clock")
def test_a_network_of_addresses_is_limited_as_one() -> None:
    app = guarded(rate=1)
    statuses = [
        TestClient(app, client=(f"2001:db8::{n:x}", 1)).get("/").status_code for n in range(1, 9)
    ]
    assert statuses == [200] * 4 + [429] * 4
    assert TestClient(app, client=("2001:db8:0:1::1", 1)).get("/").status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:81", "evil.example/x?"])
@pytest.mark.parametrize(
    "path",
    [
        "/play/",
        "/room?code=..%2f..%2fevil",
        "/room?code=%2f%2fevil.example",
        "/room?code=cdfgh",
        "/room?pegs=4&colors=6",
        "/race?pegs=4&colors=6&strategies=..%2f",
        "/decode?pegs=4&colors=6",
        "/bounds?pegs=4&colors=6&turns=%2f%2fevil.example",
        "/puzzle?pegs=4&colors=6",
        "/learn/knuth?rules=4x6",
        "/learn/..%2f..%2fevil/",
    ],
)
def test_redirections_stay_where_they_are(client: TestClient, path: str, host: str) -> None:
    answer = client.get(path, headers={"host": host}, follow_redirects=False)
    location = answer.headers.get("location", "/")
    assert re.match(r"/(?![/\\])", location)
    assert ".." not in unquote(urlsplit(location).path)
    assert "evil" not in urlsplit(location).path
    assert answer.status_code < 500


def test_the_session_is_the_only_cookie_and_is_signed(site: TestClient) -> None:
    answer = site.get("/")
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=")
    assert {"httponly", "samesite=lax"} < set(cookie.split("; "))
    assert "set-cookie" not in site.get("/").headers
    assert answer.json()["id"] == site.get("/").json()["id"]
    value = site.cookies[COOKIE]
    site.cookies.clear()
    forged = value[:-2] + ("AA" if value[-2:] != "AA" else "BB")
    elsewhere = TestClient(guarded(secret="t" * 32))
    for client, sent in ((site, forged), (elsewhere, value)):
        session = client.get("/", headers={"cookie": f"{COOKIE}={sent}"}).json()["session"]
        assert session["id"] != answer.json()["session"]["id"]
    with TestClient(guarded(), base_url="https://here") as encrypted:
        assert "; secure" in encrypted.get("/").headers["set-cookie"]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),  # a program that is no browser
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "same-origin", "origin": "null"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"origin": "http://testserver"}, 200),  # at a plain address of a local network
        ({"origin": "https://TESTSERVER"}, 200),  # behind a proxy with TLS
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site", "origin": "http://testserver"}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "http://testserver:81"}, 403),
        ({"origin": "http://testserver.evil.example"}, 403),
        ({"origin": "null"}, 403),
    ],
)
def test_changes_come_from_pages_of_this_site(
    site: TestClient, headers: dict[str, str], status: int
) -> None:
    """Another site changes nothing, and its refusal sets no session over the one there is."""
    answer = site.post("/change?lang=fr", headers=headers)
    assert answer.status_code == status
    assert ("set-cookie" in answer.headers) == (status == 200)
    assert site.get("/", headers=headers).status_code == 200  # what changes nothing may be linked


def test_no_refusal_begins_a_session(client: TestClient) -> None:
    page = {"accept": "text/html"}
    foreign = page | {"sec-fetch-site": "cross-site"}
    for answer in (
        client.post("/room", data={"rules": "4x6"}, headers=foreign),
        client.post("/room?lang=fr", data={"rules": "4x6"}, headers=foreign),
        client.post("/room", data={"rules": "4x99"}, headers=page),
        client.post("/api/rooms", json={"rules": "4x99"}),
        client.get("/nothing?lang=fr", headers=page),
        client.get("/room/AAAAA", headers=page),
        client.get("/play?rules=4x99", headers=page),
    ):
        assert answer.status_code >= 400
        assert "set-cookie" not in answer.headers
    assert "set-cookie" in client.get("/play").headers


def test_requests_are_refused_in_the_language_of_the_visitor() -> None:
    english = "the body of this request is too large: at most 5,000 bytes"
    french = "le corps de cette requête est trop grand\u00a0: au plus 5\u202f000 octets"
    # by the browser, or by the address, in which even the first request can be refused
    for accepted, path, sentence in [
        ("en", "/change", english),
        ("fr", "/change", french),
        ("fr", "/change?lang=en", english),
        ("en", "/change?lang=fr", french),
    ]:
        headers = {"accept-language": accepted}
        with TestClient(guarded(max_body=5000), headers=headers) as client:
            assert refused(client.post(path, content=bytes(5001)), 413) == sentence


def test_a_chosen_language_is_kept(site: TestClient) -> None:
    assert site.get("/?lang=fr").json()["lang"] == "fr"
    assert site.get("/", headers={"accept-language": "en"}).json()["lang"] == "fr"
    assert site.get("/?lang=xx").json()["lang"] == "fr"
    foreign = {"sec-fetch-site": "cross-site"}
    assert "vient d’un autre site" in refused(site.post("/change", headers=foreign), 403)
    assert site.get("/?lang=en").json()["lang"] == "en"
    refused(site.post("/change?lang=fr", headers=foreign), 403)  # wherever the address leads
    assert site.get("/").json()["lang"] == "fr"


@pytest.mark.usefixtures("stopped_clock")
def test_people_who_look_at_pages_are_refused_by_a_page() -> None:
    headers = {"accept": "text/html,*/*;q=0.8", "accept-language": "fr"}
    with TestClient(guarded(rate=0.25), headers=headers) as client:
        assert client.get("/").status_code == 200
        late = client.get("/?rules=4x6")
    assert late.status_code == 429
    assert late.headers["retry-after"] == "4"
    assert late.headers["content-language"] == "fr"
    assert "<h1>Ce n’est pas possible</h1>" in late.text
    assert "Trop de requêtes" in late.text
    assert 'class="btn" href="/?rules=4x6"' in late.text


def test_the_secret_of_sessions_is_made_once_and_private(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    secret = signing_secret(home)
    assert signing_secret(home) == secret
    assert len(secret) >= 32
    (file,) = home.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    file.write_text("short")
    with pytest.raises(OutputError):
        signing_secret(home)
