"""Whatever is sent to the API, it answers: no 5xx, in the form that it is described in."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.testclient import TestClient

from tests.web.playing import begin

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]

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


def test_every_request_is_answered(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of the values are any that the description allows, half are what people send."""
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
            case.validate_response(client.request(**question), checks=CHECKS)

        ask()
