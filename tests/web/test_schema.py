"""Whatever is sent to the API, it answers: no 5xx, in the form that it is described in."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import httpx2
import pytest
import schemathesis
from benchmarks import load
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

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


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[load.Server]:
    """A running server whose computations end soon."""
    server = load.Server(
        tmp_path_factory.mktemp("described"), PEGWISE_SECONDS="1", PEGWISE_JOBS="1"
    )
    yield server
    server.end(signal.SIGTERM)


@pytest.fixture(scope="module")
def operations(server: load.Server) -> list[Any]:
    """All operations that it describes."""
    schema: Any = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    return [operation.ok() for operation in schema.get_all_operations()]


def begin(server: load.Server, rules: str) -> str:
    """The id of a new game."""
    game = httpx2.post(f"{server.url}/api/games", json={"rules": rules}).json()
    return str(game["id"])


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


def test_every_request_is_answered(server: load.Server, operations: list[Any]) -> None:
    """Half of the values are any that the description allows, half are what people send."""
    assert len(operations) >= 10
    for operation in operations:

        @EXAMPLES
        @given(case=operation.as_strategy(), plausible=st.booleans(), data=st.data())
        def ask(case: Any, plausible: bool, data: st.DataObject) -> None:
            if plausible:
                if "/games/{key}" in case.operation.path:
                    case.path_parameters["key"] = begin(server, data.draw(PLAUSIBLE["rules"]))
                for sent in (case.body, case.query):
                    if isinstance(sent, dict):
                        for name in set(sent) & set(PLAUSIBLE):
                            sent[name] = data.draw(PLAUSIBLE[name], name)
            case.call_and_validate(checks=CHECKS, timeout=180)

        ask()
