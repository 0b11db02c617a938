"""Trees over the API."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pegwise.game import mastermind
from pegwise.search.exact.optimal import find_optimum
from pegwise.strategies import parse
from pegwise.trees import build, load
from pegwise.web import trees
from pegwise.web.tables import JobRow
from pegwise.web.trees import is_stored, path_of, tree_id
from tests.web.playing import refused
from tests.web.racing import until


@pytest.fixture(scope="module")
def kept(served: TestClient) -> str:
    """The id of a tree that was built."""
    served.cookies.clear()
    answer = served.post("/api/trees", json={"rules": "3x4", "strategy": "parts"})
    assert answer.status_code == 201, answer.text
    identity: str = answer.json()["id"]
    until(lambda: served.get(f"/api/trees/{identity}").json()["state"] == "done")
    return identity


def position(client: TestClient, identity: str, path: str = "") -> dict[str, Any]:
    answer = client.get(f"/api/trees/{identity}/position", params={"path": path})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_tree_is_built_and_kept(client: TestClient, kept: str) -> None:
    expected = build(parse("parts"), mastermind("3x4"))
    found = client.get(f"/api/trees/{kept}").json()["summary"]
    assert (found["total"], found["worst"]) == (expected.total, expected.worst)
    assert found["histogram"] == expected.histogram()
    home = client.app.state.services.settings.home  # type: ignore[attr-defined]
    assert load(path_of(home, kept)).total == expected.total
    assert kept in [tree["id"] for tree in client.get("/api/trees").json()]
    again = client.post("/api/trees", json={"rules": "3x4", "strategy": "parts"}).json()
    assert again["state"] == "done"


def test_every_branch_counts_what_is_below_it(client: TestClient, kept: str) -> None:
    waiting, secrets = [""], 0
    while waiting:
        found = position(client, kept, waiting.pop())
        assert sum(part["count"] for part in found["parts"]) == found["count"]
        assert found["largest"] == max(part["count"] for part in found["parts"])
        below = sum(part["mean"] * part["count"] for part in found["parts"])
        assert found["total"] == pytest.approx(found["count"] + below)
        assert found["worst"] == 1 + max(part["worst"] for part in found["parts"])
        assert found["excess"] is not None
        assert found["excess"] >= 0
        secrets += found["possible"]
        waiting += [
            "/".join(filter(None, [found["path"], f"{found['guess']}:{part['mark']}"]))
            for part in found["parts"]
            if not part["solved"]
        ]
    assert secrets == 64


def test_the_optimum_of_the_root_is_that_of_exact_search(client: TestClient, kept: str) -> None:
    best = find_optimum(mastermind("3x4")).tree
    assert best is not None
    found = position(client, kept)
    assert found["optimum"] == best.total
    assert found["excess"] == found["total"] - best.total


def test_a_secret_is_found_where_the_strategy_finds_it(client: TestClient, kept: str) -> None:
    tree = build(parse("parts"), mastermind("3x4"))
    for number in (0, 17, 63):
        secret = str(tree.game.secret(number))
        found = client.get(f"/api/trees/{kept}/find", params={"secret": secret.lower()}).json()
        assert found["secret"] == secret
        assert found["turns"][-1] == {"guess": secret, "mark": "XXX"}
        assert len(found["turns"]) == tree.depths()[number]
        assert position(client, kept, found["path"])["guess"] == secret


def test_what_is_not_in_a_tree(client: TestClient, kept: str) -> None:
    path = f"/api/trees/{kept}"
    guess = position(client, kept)["guess"]
    assert "not AAA" in refused(client.get(f"{path}/position?path=AAA:X"), 404)
    assert "GUESS:MARK" in refused(client.get(f"{path}/position?path=AAB"))
    assert "XXO" in refused(client.get(f"{path}/position?path={guess}:XXO"))
    assert "ABZ" in refused(client.get(f"{path}/find?secret=ABZ"))
    for identity in ("built.3x4.first", "..%2F..%2Fweb", "web-secret", "built..x"):
        refused(client.get(f"/api/trees/{identity}"), 404)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"rules": "13x13", "strategy": "first"}, "at most 100000"),
        ({"rules": "4x6", "strategy": "knut"}, "knuth"),
        ({"rules": "4x6"}, "strategy is missing"),
    ],
)
def test_what_cannot_be_built_is_refused(
    client: TestClient, body: dict[str, Any], words: str
) -> None:
    assert words in refused(client.post("/api/trees", json=body))


def test_a_strategy_that_cannot_play_says_so(client: TestClient) -> None:
    body = {"rules": "3x4", "strategy": "greenwell"}
    identity = client.post("/api/trees", json=body).json()["id"]

    def failed() -> Any:
        found = client.get(f"/api/trees/{identity}").json()
        return found["state"] == "failed" and found

    assert "greenwell" in until(failed)["problem"]
    page = client.get(f"/tree/{identity}", headers={"accept": "text/html"})
    assert "greenwell" in page.text


def test_pages(client: TestClient, kept: str) -> None:
    html = {"accept": "text/html"}
    assert kept in client.get("/tree", headers=html).text
    assert "The whole strategy" in client.get(f"/tree/{kept}", headers=html).text
    assert client.get("/tree/built.nothing.here", headers=html).status_code == 404


def test_proven_trees_come_with_the_program(client: TestClient) -> None:
    kept = {tree["id"]: tree for tree in client.get("/api/trees").json()}
    assert (kept["proven.4x6"]["kind"], kept["proven.2x10-black"]["rules"]) == (
        "proven",
        "2x10,black",
    )
    found = position(client, "proven.4x6")
    assert (found["total"], found["excess"]) == (5625, 0)
    assert "no strategy needs fewer" in client.get("/tree/proven.4x6").text
    page = client.get("/tree?rules=4x6").text
    assert "The best tree of 4x6" in page
    assert "Not known for these rules" in client.get("/tree?rules=9x9").text


@pytest.mark.parametrize(
    ("rules", "strategy"), [("4x6", "knuth"), ("4x10,distinct", "knuth:then=entropy,guesses=all")]
)
def test_ids_are_safe_in_addresses_and_paths(rules: str, strategy: str, tmp_path: Path) -> None:
    identity = tree_id(rules, strategy)
    path = path_of(tmp_path, identity)
    assert path.parent == tmp_path / "trees"
    assert all(letter.isalnum() or letter in "=_-." for letter in identity)


def test_a_tree_that_is_finished_while_it_is_looked_for(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the moment at which the building ends, nobody is told that there is no such tree."""
    services = client.app.state.services  # type: ignore[attr-defined]
    storage, home = services.storage, services.settings.home
    identity = tree_id("2x3", "knuth")
    with storage.write() as session:
        job = JobRow(id="ends-soon", kind="tree", client="", rules="2x3", name="knuth", total=9)
        job.state = "running"
        session.add(job)

    def finish() -> None:
        path = path_of(home, identity)
        path.parent.mkdir(exist_ok=True)
        path.touch()
        with storage.write() as session:
            session.get(JobRow, "ends-soon").state = "done"

    def looked_for(home: Path, identity: str) -> bool:
        there = is_stored(home, identity)
        finish()
        return there

    monkeypatch.setattr(trees, "is_stored", looked_for)
    try:
        found = [trees.status(storage, home, identity) for _ in range(2)]
        assert [tree and tree.state for tree in found] == ["running", "done"]
    finally:
        path_of(home, identity).unlink()
        with storage.write() as session:
            session.delete(session.get(JobRow, "ends-soon"))
