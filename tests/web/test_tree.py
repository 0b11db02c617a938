"""Trees over the API, and their pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pegwise.compute.workers import WorkerPool
from pegwise.game import board_game
from pegwise.game.rules import Rules
from pegwise.search.exact.optimal import find_optimum
from pegwise.search.theory import bounds
from pegwise.strategies import parse
from pegwise.trees import Tree, build, load_tree
from pegwise.trees.formats import to_csv, to_dot, to_json
from pegwise.web import tree as trees
from pegwise.web.storage import JobRow
from pegwise.web.tree import is_stored, place_of, tree_id
from tests.programs import until
from tests.web.playing import refused

HTML = {"accept": "text/html"}


@pytest.fixture(scope="module")
def built() -> Tree:
    """The tree that the server is to build."""
    return build(board_game(Rules.parse("3x4")), parse("parts"))


@pytest.fixture(scope="module")
def stored(served: TestClient) -> str:
    """The id of a tree that the server has built."""
    served.cookies.clear()
    answer = served.post("/api/trees", json={"rules": "3x4", "strategy": "parts"})
    assert answer.status_code == 201, answer.text
    identity: str = answer.json()["id"]
    until(lambda: served.get(f"/api/trees/{identity}").json()["state"] == "done")
    return identity


def position(client: TestClient, identity: str, path: str = "") -> dict[str, Any]:
    answer = client.get(f"/api/trees/{identity}/position", params={"path": path})
    assert answer.status_code == 200, answer.text
    document: dict[str, Any] = answer.json()
    return document


@pytest.mark.slow
def test_a_tree_is_built_and_stored(client: TestClient, stored: str, built: Tree) -> None:
    summary = client.get(f"/api/trees/{stored}").json()["summary"]
    assert (summary["total"], summary["worst"]) == (built.total, built.worst)
    assert summary["histogram"] == list(summary["histogram_by_guesses"].values())
    assert summary["histogram"] == list(built.histogram)
    home = client.app.state.services.settings.home  # type: ignore[attr-defined]
    kept, name = place_of(home, stored)
    assert load_tree(kept.path / name).total == built.total
    assert stored in [tree["id"] for tree in client.get("/api/trees").json()]
    again = client.post("/api/trees", json={"rules": "3x4", "strategy": "parts"}).json()
    assert again["state"] == "done"
    assert stored in client.get("/tree", headers=HTML).text
    assert "The whole strategy" in client.get(f"/tree/{stored}", headers=HTML).text


def test_a_tree_is_downloaded(client: TestClient, stored: str, built: Tree) -> None:
    page = client.get(f"/tree/{stored}", headers=HTML).text
    for form, write in (("json", to_json), ("csv", to_csv), ("dot", to_dot)):
        address = f"/api/trees/{stored}/tree.{form}"
        assert f'href="{address}" download' in page
        answer = client.get(address)
        assert answer.content.decode() == write(built)
        assert f'filename="pegwise-{stored}.{form}"' in answer.headers["content-disposition"]
    assert client.get("/api/trees/proven.4x6/tree.csv").text.count("\r\n") == 1297
    refused(client.get(f"/api/trees/{stored}/tree.exe"), 422)


@pytest.mark.slow
def test_every_branch_counts_what_is_below_it(client: TestClient, stored: str) -> None:
    waiting, secrets = [""], 0
    while waiting:
        view = position(client, stored, waiting.pop())
        parts = view["parts"]
        assert sum(part["count"] for part in parts) == view["count"]
        assert view["largest"] == max(part["count"] for part in parts)
        below = sum(part["mean"] * part["count"] for part in parts)
        assert view["total"] == pytest.approx(view["count"] + below)
        assert view["worst"] == 1 + max(part["worst"] for part in parts)
        assert view["excess"] >= 0
        secrets += view["possible"]
        waiting += [
            "/".join(filter(None, [view["path"], f"{view['guess']}:{part['mark']}"]))
            for part in parts
            if not part["solved"]
        ]
    assert secrets == 64
    best = find_optimum(board_game(Rules.parse("3x4"))).tree
    assert best is not None
    root = position(client, stored)
    assert (root["optimum"], root["excess"]) == (best.total, root["total"] - best.total)


def test_a_secret_is_found_where_the_strategy_finds_it(
    client: TestClient, stored: str, built: Tree
) -> None:
    for number in (0, 17, 63):
        secret = str(built.game.secret(number))
        path = client.get(f"/api/trees/{stored}/find", params={"secret": secret.lower()}).json()
        assert path["secret"] == secret
        assert path["turns"][-1] == {"guess": secret, "mark": "XXX"}
        assert len(path["turns"]) == built.depths[number]
        assert position(client, stored, path["path"])["guess"] == secret


def test_a_tree_is_shown_and_searched_in_names_of_colors(client: TestClient, stored: str) -> None:
    names = "colors=rouge,vert,bleu,jaune"
    page = client.get(f"/tree/{stored}?{names}", headers=HTML).text
    assert f"/tree?rules=3x4&amp;{names}" in page and '"name": "rouge"' in page
    root = position(client, stored)
    path = f"{root['guess']}:{root['parts'][0]['mark']}"
    drawn = client.get(f"/api/trees/{stored}/position.html?path={path}&{names}").text
    assert 'title="vert"' in page and 'title="vert"' in drawn
    found = client.get(f"/api/trees/{stored}/find?secret=bleu+Rouge+b&{names}").json()
    assert found["secret"] == "CAC"
    refused(client.get(f"/api/trees/{stored}/find?secret=ABC&colors=rouge"))


def test_what_is_not_in_a_tree(client: TestClient, stored: str) -> None:
    path = f"/api/trees/{stored}"
    guess = position(client, stored)["guess"]
    assert "not AAA" in refused(client.get(f"{path}/position?path=AAA:X"), 404)
    assert "GUESS:MARK" in refused(client.get(f"{path}/position?path=AAB"))
    assert "XXO" in refused(client.get(f"{path}/position?path={guess}:XXO"))
    gone = f"{guess}:XXX/{guess}:X"
    assert "no branch" in refused(client.get(f"{path}/position?path={gone}"), 404)
    assert "ABZ" in refused(client.get(f"{path}/find?secret=ABZ"))
    for identity in ("built.3x4.first", "..%2F..%2Fweb", "web-secret", "built..x", "proven.9x9"):
        refused(client.get(f"/api/trees/{identity}"), 404)
        assert client.get(f"/tree/{identity}", headers=HTML).status_code == 404


def test_a_strategy_that_cannot_play_says_so(client: TestClient) -> None:
    body = {"rules": "3x4", "strategy": "greenwell"}
    identity = client.post("/api/trees", json=body).json()["id"]

    def failed() -> Any:
        tree = client.get(f"/api/trees/{identity}").json()
        return tree["state"] == "failed" and tree

    assert "greenwell" in until(failed)["problem"]
    assert "greenwell" in client.get(f"/tree/{identity}", headers=HTML).text


@pytest.mark.slow
def test_proven_trees_come_with_the_program(client: TestClient) -> None:
    by_id = {tree["id"]: tree for tree in client.get("/api/trees").json()}
    assert by_id["proven.4x6"]["kind"] == "proven"
    assert by_id["proven.2x10-black"]["rules"] == "2x10,black"
    root = position(client, "proven.4x6")
    assert (root["total"], root["excess"]) == (5625, 0)
    assert "no strategy needs fewer" in client.get("/tree/proven.4x6").text
    assert 'href="/tree/proven.4x6" aria-current="true"' in client.get("/tree?rules=4x6").text
    assert "/tree/proven.2x10-black" in client.get("/tree?kind=black").text
    assert "Not known for these rules" in client.get("/tree?rules=9x9").text
    assert "Not known for these rules" not in client.get("/tree?rules=4x6&kind=black").text


@pytest.mark.parametrize(
    ("rules", "strategy"), [("4x6", "knuth"), ("4x10,distinct", "knuth:then=entropy,guesses=all")]
)
def test_ids_are_safe_in_addresses_and_paths(rules: str, strategy: str, tmp_path: Path) -> None:
    identity = tree_id(rules, strategy)
    kept, name = place_of(tmp_path, identity)
    assert (kept.path / name).parent == tmp_path / "trees"
    assert all(letter.isalnum() or letter in "=_-." for letter in identity)


def test_a_tree_that_is_finished_while_its_status_is_read(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever the building ends, no reader is told that there is no such tree."""
    services = client.app.state.services  # type: ignore[attr-defined]
    storage, home = services.storage, services.settings.home
    identity = tree_id("2x3", "knuth")
    row = {"kind": "tree", "client": "", "rules": "2x3", "name": "knuth", "total": 9}
    with storage.write() as session:
        session.add(JobRow(id="ends-soon", state="running", **row))

    def stored_too_late(home: Path, identity: str) -> bool:
        stored = is_stored(home, identity)
        kept.put(name)
        with storage.write() as session:
            session.get(JobRow, "ends-soon").state = "done"
        return stored

    kept, name = place_of(home, identity)
    monkeypatch.setattr(trees, "is_stored", stored_too_late)
    seen = [trees.status(storage, home, identity) for _ in range(2)]
    assert [tree and tree.state for tree in seen] == ["running", "done"]
    kept.forget(name)


# bounds


def test_bounds_are_those_of_the_command(client: TestClient) -> None:
    turns = [{"guess": "AABB", "mark": "O"}, {"guess": "CCCD", "mark": "XX"}]
    document = client.post("/api/bounds", json={"rules": "4x4", "turns": turns}).json()
    board = bounds("4x4", [("AABB", "O"), ("CCCD", "XX")])
    assert document["viaud_taus"] == list(board.viaud_taus)
    assert document["best_guesses"] == [str(guess) for guess in board.best_guesses or ()]
    assert document["history"] == turns
    whole = client.post("/api/bounds", json={"rules": "4x4"}).json()
    assert whole["viaud_taus"] == [256, 46, 6, 1]  # Viaud 1979


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("rules=4x4&turns=AABB%3DO+CCCD%3DXX", 200),
        ("rules=4x4", 200),
        ("rules=4x4&turns=AABB%3DXXXX+AABB%3DX", 422),
        ("rules=4x4&turns=nonsense", 422),
        ("rules=4x9,placed", 422),
        ("rules=nonsense", 422),
        ("turns=" + "A" * 5000, 422),
    ],
)
def test_the_page_of_bounds(client: TestClient, query: str, status: int) -> None:
    assert client.get(f"/bounds?{query}", headers=HTML).status_code == status


def test_bounds_are_downloaded(client: TestClient) -> None:
    turns = [{"guess": "AABB", "mark": "O"}]
    document = client.post("/api/bounds", json={"rules": "4x4", "turns": turns}).json()
    query = "rules=4x4&turns=AABB%3DO"
    assert client.get(f"/bounds/bounds.json?{query}").json() == document
    told = client.get(f"/bounds/bounds.txt?{query}").text
    assert told.startswith("4x4 after 1 turn: 32 codes")
    page = client.get(f"/bounds?{query}", headers=HTML).text
    assert "/bounds/bounds.json?rules=4x4&amp;turns=AABB%3DO" in page
    refused(client.get("/bounds/bounds.json?rules=4x4&turns=nonsense"))


def test_lines_of_bounds_begin_with_a_capital(client: TestClient) -> None:
    page = client.get("/bounds?rules=4x6", headers={"accept-language": "fr"}).text
    lines = re.findall(r"<tr><td>(.)|<li>(?=\w)(.)", page)
    assert len(lines) > 6 and not [line for line in lines if "".join(line).islower()]


def test_a_page_with_a_place_for_errors_follows_when_kernels_are_compiled(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WorkerPool, "compiling", (3, 40))
    answer = client.get("/bounds?rules=4x4", headers=HTML)
    assert answer.status_code == 202
    assert int(answer.headers["refresh"]) > 0


def test_the_form_of_rules_leads_to_their_bounds(client: TestClient) -> None:
    answer = client.get("/bounds?pegs=3&colors=4", headers=HTML, follow_redirects=False)
    assert answer.headers["location"] == "/bounds?rules=3x4"
