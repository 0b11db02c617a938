"""`client`: one running application for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient

from pegwise.web.app import create_app
from pegwise.web.settings import Settings


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """An application on a database of its own, with its processes; without a rate limit."""
    home = tmp_path_factory.mktemp("home")
    with TestClient(create_app(Settings(home, rate=0))) as client:
        # kernels that are not yet on this machine are compiled before anything is tested
        assert client.post("/api/decode", json={}).status_code == 200
        yield client


@pytest.fixture
def client(served: TestClient) -> TestClient:
    """The same, for a visitor who was never here."""
    served.cookies.clear()
    return served
