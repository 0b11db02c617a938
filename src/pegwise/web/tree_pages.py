"""The page Tree: which trees there are, and one of them, branch by branch."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pegwise.errors import quoted
from pegwise.game import Rules
from pegwise.strategies.registry import cards
from pegwise.web import questions, race_words, trees
from pegwise.web.language import catalogue, language_of
from pegwise.web.pages import card_line, rules_data
from pegwise.web.problems import NotFoundError
from pegwise.web.rendering import render
from pegwise.web.services import Shared
from pegwise.web.state import rules_of

router = APIRouter(prefix="/tree", include_in_schema=False)


@router.get("")
async def new(request: Request, shared: Shared) -> Response:
    """The trees that are kept, and a form for another one."""
    rules = rules_of(request.query_params)
    if "pegs" in request.query_params:
        return RedirectResponse(f"/tree?rules={rules}", 303)
    home = shared.settings.home
    kept = await shared.storage.do(lambda _: trees.listed(home))
    return render(
        request,
        "tree_new.html.j2",
        page="tree",
        rules=rules,
        kept=[tree for tree in kept if tree["kind"] != "proven"],
        proven=[tree for tree in kept if tree["kind"] == "proven"],
        cards=cards(),
        chosen=request.query_params.get("strategy", "parts"),
        data={"rules": rules_data(rules)},
        words=race_words.tree(catalogue(language_of(request))),
    )


@router.get("/{tree_id}")
async def tree(tree_id: str, request: Request, shared: Shared) -> Response:
    """A tree; while it is built, how far that is."""
    home, language = shared.settings.home, language_of(request)
    texts = catalogue(language)
    status = await shared.storage.do(trees.status, home, tree_id[:170], language)
    if status is None:
        raise NotFoundError(
            "there is no tree {tree_id} here: choose one of those kept", tree_id=quoted(tree_id)
        )
    if status["state"] != "done":
        return render(
            request,
            "tree_wait.html.j2",
            page="tree",
            building=status,
            data={"status": status},
            words=race_words.tree(texts),
        )
    summary = await shared.explore.ask(questions.tree_summary, home, tree_id)
    position = await shared.explore.ask(questions.tree_position, home, tree_id, "")
    rules = Rules.parse(summary["rules"])
    card = next((card for card in cards() if card.id == summary["strategy"]), None)
    who = card_line(card, texts) if card else ""
    return render(
        request,
        "tree.html.j2",
        page="tree",
        rules=rules,
        summary=summary,
        position=position,
        name=texts.gettext(card.name) if card else summary["strategy"],
        who=who,
        data={
            "rules": rules_data(rules),
            "tree": tree_id,
            "position": position,
            "path": request.query_params.get("path", ""),
        },
        words=race_words.tree(texts),
    )
