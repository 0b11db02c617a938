"""Trees: which are kept, a new one, and its positions."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel

from pegwise.errors import quoted
from pegwise.game import Rules
from pegwise.web import questions, trees
from pegwise.web.problems import NotFoundError
from pegwise.web.schemas import CodeText, Request, RulesText, StrategyText
from pegwise.web.services import Services, Shared, Spoken
from pegwise.web.work import asking

router = APIRouter(prefix="/trees", tags=["tree"])

TreeId = Annotated[str, Path(max_length=170)]


class TreeRequest(Request):
    """The tree of a strategy."""

    rules: RulesText = Rules()
    strategy: StrategyText


class KeptTree(BaseModel):
    """A tree that is kept.

    It was `built` here, or is one that exact search has proven best: `optimal` here, or `proven`
    before, which comes with the program.
    """

    id: str
    kind: str
    rules: str
    name: str


class TreeView(BaseModel):
    """A tree, or how far it is: `waiting`, `running`, `failed` (see `problem`) or `done`."""

    id: str
    state: str
    done: int
    total: int
    problem: str | None
    summary: dict[str, Any] | None


class PartView(BaseModel):
    """A part: the secrets that give one mark, and what is played then."""

    mark: str
    count: int
    solved: bool
    guess: str | None
    mean: float
    worst: int
    leaf: bool


class PositionView(BaseModel):
    """A position.

    Total, mean and worst count guesses from here on; `optimum` is the smallest total where it is
    known, and `excess` what this tree needs more.
    """

    path: str
    depth: int
    guess: str
    possible: bool
    count: int
    largest: int
    expected: float
    total: int
    mean: float
    worst: int
    parts: list[PartView]
    optimum: int | None
    excess: int | None


class FoundTurn(BaseModel):
    """A turn on the way to a secret."""

    guess: str
    mark: str


class FoundView(BaseModel):
    """Where a secret is found."""

    secret: str
    path: str
    turns: list[FoundTurn]


@router.get("")
async def listed(shared: Shared) -> list[KeptTree]:
    """All trees that are kept."""
    home = shared.settings.home
    return [KeptTree(**tree) for tree in await shared.storage.do(lambda _: trees.listed(home))]


@router.post("", status_code=201)
async def order(request: TreeRequest, shared: Shared, language: Spoken) -> TreeView:
    """Have a tree built: a job, unless it is kept already."""
    name = await shared.explore.ask(trees.check, request.rules, request.strategy)
    client = asking.get() or "this machine"
    home = shared.settings.home
    identity = await shared.storage.do(trees.order, home, client, request.rules, name)
    shared.foreman.wake()
    return await _view(shared, identity, language)


@router.get("/{tree_id}")
async def view(tree_id: TreeId, shared: Shared, language: Spoken) -> TreeView:
    """A tree as a whole, or how far it is."""
    return await _view(shared, tree_id, language)


@router.get("/{tree_id}/position")
async def position(
    tree_id: TreeId,
    shared: Shared,
    path: Annotated[
        str, Query(max_length=4000, description="Turns from the root: AABC:XO/BDDE:X")
    ] = "",
) -> PositionView:
    """A position of a tree: its guess and the parts it makes."""
    home = shared.settings.home
    return PositionView(**await shared.explore.ask(questions.tree_position, home, tree_id, path))


@router.get("/{tree_id}/find")
async def find(tree_id: TreeId, secret: Annotated[CodeText, Query()], shared: Shared) -> FoundView:
    """Where a secret is found."""
    home = shared.settings.home
    return FoundView(**await shared.explore.ask(questions.tree_find, home, tree_id, secret))


async def _view(shared: Services, identity: str, language: str) -> TreeView:
    home = shared.settings.home
    status = await shared.storage.do(trees.status, home, identity, language)
    if status is None:
        raise NotFoundError(
            "there is no tree {identity}: /api/trees lists them", identity=quoted(identity)
        )
    summary = None
    if status["state"] == "done":
        summary = await shared.explore.ask(questions.tree_summary, home, identity)
    return TreeView(**status, summary=summary)
