"""What requests share: settings, the database, and the processes that compute."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, cast

from fastapi import Depends
from starlette.requests import Request

from pegwise.web.settings import Settings
from pegwise.web.storage import Storage
from pegwise.web.work import Line

__all__ = ["Services", "Shared", "services"]


@dataclass(frozen=True, slots=True)
class Services:
    """What requests share.

    Attributes:
        settings: what the server was told.
        storage: the database.
        quick: the line for questions on small boards.
        slow: the line for questions that may take long.
    """

    settings: Settings
    storage: Storage
    quick: Line
    slow: Line


def services(request: Request) -> Services:
    """What requests share."""
    return cast(Services, request.app.state.services)


Shared = Annotated[Services, Depends(services)]
"""What requests share, as a parameter of a route."""
