"""Whatever is sent to the API, it answers: no 5xx, in the form that it is described in."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from tests.web.playing import begin, refused, sent

EXAMPLES = settings(max_examples=3, database=None, suppress_health_check=list(HealthCheck))
RULES = ["4x6", "3x4", "3x4,distinct", "4x6,blank", "4x6,black", "1x1", "16x26"]
GUESSES = ["ABCD", "AABB", "ABC", "AB.DE", "1123", "A", "ABCDEFGHIJKLM"]
MARKS = ["-", "X", "XXO", "2b1w", "XXXO", "XXXX", "O", "XOOOO"]


@st.composite
def turns(draw: st.DrawFn) -> list[dict[str, Any]]:
    turn = st.fixed_dictionaries(
        {"guess": st.sampled_from(GUESSES), "mark": st.sampled_from(MARKS)},
        optional={"ignored": st.booleans()},
    )
    return draw(st.lists(turn, max_size=4))


PLAUSIBLE: dict[str, st.SearchStrategy[Any]] = {
    "rules": st.sampled_from(RULES),
    "guess": st.sampled_from(GUESSES),
    "strategy": st.sampled_from(["", "knuth", "parts:guesses=candidates", "constraint", "random"]),
    "turn": st.integers(1, 3),
    "history": turns(),
    "turns": turns(),
    "secret": st.sampled_from([None, *GUESSES]),
}
"""What people send, rather than any text."""


@pytest.mark.slow
def test_every_request_is_answered(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the values are any that the description allows, half are what people send."""
    import schemathesis  # every process that tests would import it for a second
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    promised = [
        not_a_server_error,
        checks.status_code_conformance,
        checks.content_type_conformance,
        checks.response_schema_conformance,
    ]
    services = client.app.state.services  # type: ignore[attr-defined]
    for pool in (services.quick, services.slow, services.explore):
        monkeypatch.setattr(pool, "seconds", 1.0)
    schema: Any = schemathesis.openapi.from_dict(client.get("/api/openapi.json").json())
    operations = [operation.ok() for operation in schema.get_all_operations()]
    assert len(operations) >= 10
    for operation in operations:

        @EXAMPLES
        @given(case=operation.as_strategy(), plausible=st.booleans(), data=st.data())
        def ask(case: Any, plausible: bool, data: st.DataObject) -> None:
            if plausible:
                if "/games/{key}" in case.operation.path:
                    case.path_parameters["key"] = begin(client, data.draw(PLAUSIBLE["rules"]))["id"]
                for sent in (case.body, case.query):
                    if isinstance(sent, dict):
                        for name in set(sent) & set(PLAUSIBLE):
                            sent[name] = data.draw(PLAUSIBLE[name], name)
            question = case.as_transport_kwargs(base_url="http://testserver")
            del question["cookies"]  # the client has its own
            case.validate_response(client.request(**question), checks=promised)

        ask()


@pytest.mark.parametrize(
    ("path", "body", "words"),
    [
        ("decode", {"history": sent("AABB=XXXO")}, "turn 1: mark 'XXXO' cannot happen"),
        ("decode", {"history": sent("AAAA=XO")}, "turn 1: mark XO cannot happen for AAAA"),
        ("decode", {"history": sent("AABB=XO", "AABBC=XO")}, "turn 2: 'AABBC': 5 pegs"),
        ("decode", {"history": sent("AABB=XO") * 500}, "at most 200 are allowed, not 500"),
        ("decode", {"strategy": "knut"}, "did you mean 'knuth'"),
        ("decode", {"strategy": "knuth:guesses=some"}, "'some'"),
        ("decode", {"strategy": "greenwell", "rules": "5x8"}, "greenwell"),
        ("decode", {"limit": 10**6}, "must be at most 1,000"),
        ("decode/why", {"history": sent("AAAA=XXXX", "BBBB=XXXX")}, "no code of 4x6 fits"),
        ("weigh", {"guess": "AABB", "history": sent("AAAA=XXXX", "AAAA=X")}, "no code of 4x6"),
        ("games", {"rules": "4x66"}, "colors must be 1 to 26"),
        ("games", {"rules": "classi"}, "did you mean 'classic'"),
        ("games", {"rules": 7}, "rules are a short text"),
        ("games", {"rules": "x" * 1000}, "rules are a short text"),
        ("games", {"codemaker": "kind"}, "must be one of 'random', 'optimal', 'evil'"),
        ("games", {"rules": "13x13", "codemaker": "evil"}, "up to 12 pegs, not 13x13"),
        ("games", {"rules": "6x9", "codemaker": "optimal"}, "is not known on 6x9: choose a"),
        ("games", {"max_guesses": 0}, "must be at least 1"),
        ("games", {"max_guesses": 10**9}, "must be at most 200"),
        ("games", {"seed": 1}, "there is no seed here"),
        ("games", [], "a JSON object"),
        ("races", {"rules": "13x13", "strategies": ["first"]}, "games, 1 to 1,000,000 of them"),
        ("races", {"rules": "13x13", "strategies": ["knuth"], "games": 5}, "too many to list"),
        ("races", {"strategies": []}, "strategies"),
        ("races", {"strategies": ["knut"]}, "knuth"),
        ("races", {"strategies": ["knuth", "knuth"]}, "given twice"),
        ("races", {"strategies": ["first"] * 13}, "strategies"),
        ("races", {"strategies": ["first"], "games": 0}, "games 0"),
        ("races", {"strategies": ["first"], "games": 10**9}, "games 1000000000"),
        ("races", {"strategies": ["first"], "seed": -1}, "seed -1"),
        ("races", {"rules": "4x99", "strategies": ["first"]}, "4x99"),
        ("races", {"strategies": ["first"], "speed": "fast"}, "fast"),
        ("review", {}, "no turn yet"),
        ("review", {"record": "hello"}, "cannot read turn 'hello'"),
        ("review", {"record": "pegwise game 1", "turns": sent("AABB=XO")}, "not both"),
        ("review", {"turns": sent("ABCD=XXXX", "ABCD=XXXX")}, "turn 2 comes after turn 1 won"),
        ("review", {"turns": sent("ABCD=X"), "rule": "some"}, "must be one of 'any', 'candidates'"),
        ("review", {"record": "x" * 60_000}, "at most 50,000 characters"),
        ("trees", {"rules": "13x13", "strategy": "first"}, "at most 100,000"),
        ("trees", {"rules": "4x6", "strategy": "knut"}, "knuth"),
        ("trees", {"rules": "4x6"}, "strategy is missing"),
        ("/api/puzzle?rules=6x9", None, "6x9 has 531,441 codes"),
        ("/api/puzzle?level=6", None, "level '6': must be at most 5"),
        ("/api/puzzle?date=2026-02-30", None, "date '2026-02-30'"),
        ("/api/puzzle?date=2026-11-22&seed=3", None, "a seed or a date, not both"),
        ("/puzzle?seed=x", None, "seed 'x': must be a whole number"),
        ("/puzzle?rules=sgb", None, "steps of reasoning are for boards"),
        ("/puzzle?rules=4x6,placed&level=4&seed=1", None, "levels that it has: 1, 2, 3"),
        ("/puzzle/sheet?level=2&seed=1&count=99", None, "count '99': must be at most 36"),
    ],
)
def test_what_is_wrong_is_refused_in_a_sentence(
    client: TestClient, path: str, body: Any, words: str
) -> None:
    answer = client.get(path) if body is None else client.post(f"/api/{path}", json=body)
    assert words in refused(answer)
