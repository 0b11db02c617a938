"""`client`: one running application for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from multiprocessing import forkserver
from types import SimpleNamespace

import pytest
from fastapi.testclient import TestClient

from pegwise.compute.workers import do_nothing
from pegwise.web import app, games, limits
from pegwise.web.settings import Settings

# whichever test starts the first worker: its copies import nothing again
forkserver.set_forkserver_preload(
    ["pegwise.web.app", "pegwise.coach", "pegwise.kernels.onestep.grow"]
)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """An application on a database of its own, with its processes; no limit is met by chance."""
    settings = Settings(tmp_path_factory.mktemp("home"), rate=0, jobs=1, seconds=900)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "compile_all", do_nothing)  # what is not asked is not compiled
        application = app.create_app(settings)
    with TestClient(application) as client:
        # kernels that are not yet on this machine are compiled before anything is tested
        assert client.post("/api/decode", json={}).status_code == 200
        yield client


@pytest.fixture
def client(served: TestClient) -> TestClient:
    """The same, for a visitor who was never here."""
    served.cookies.clear()
    return served


@pytest.fixture(autouse=True)
def _same_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test meets the same secrets in every run, so that no guess of it wins by chance."""
    monkeypatch.setattr(games, "draw_seed", count(1).__next__)


@pytest.fixture
def stopped_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """No allowance refills during the test, however long the machine takes for its requests."""
    monkeypatch.setattr(limits, "time", SimpleNamespace(monotonic=lambda: 0.0))
