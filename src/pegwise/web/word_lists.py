"""Lists of words that a visitor has pasted, to play with."""

from __future__ import annotations

from asyncio import to_thread
from typing import Annotated, Final

from fastapi import APIRouter, Path
from sqlalchemy import delete, func, select
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from pegwise.errors import InputError, PegwiseError, quoted
from pegwise.game import WordList
from pegwise.game.marking import Places
from pegwise.game.names import word_game
from pegwise.game.rules import MARKS
from pegwise.game.words import MAX_LETTERS, SGB, find_words, installed_words, words_of
from pegwise.web.inputs import query_of, read_rules
from pegwise.web.pages import form_fields, render
from pegwise.web.services import Player, Shared, Visitor
from pegwise.web.storage import (
    ConflictError,
    ListRow,
    NotFoundError,
    Storage,
    read_list,
)

MAX_LISTS: Final = 10  # lists of words of a visitor


def add_list(storage: Storage, player: str, words: WordList) -> None:
    """Store a list of a visitor; a second time it changes nothing."""
    if words.name in installed_words():
        raise InputError(
            "there is a list {name} for everybody: choose another name", name=words.name
        )
    row = ListRow(
        player=player,
        name=words.name,
        digest=words.digest,
        secrets="\n".join(words.secrets),
        guesses="\n".join(words.guesses[len(words.secrets) :]),
    )
    with storage.write() as session:
        if session.get(ListRow, (player, words.name, words.digest)) is not None:
            return
        n_lists = select(func.count()).where(ListRow.player == player)
        if (session.scalar(n_lists) or 0) >= MAX_LISTS:
            raise ConflictError(
                "you have {most} lists already: delete one of them first", most=MAX_LISTS
            )
        session.add(row)


def lists_of(storage: Storage, player: str) -> list[WordList]:
    """The lists of a visitor, the newest first."""
    rows = select(ListRow.name, ListRow.digest).where(ListRow.player == player)
    with storage.read() as session:
        names = session.execute(rows.order_by(ListRow.added.desc())).all()
    return [read_list(storage, name, digest) for name, digest in names]


def remove_list(storage: Storage, player: str, name: str) -> None:
    """Delete a list `NAME@DIGEST` of this visitor."""
    name, _, digest = name.partition("@")
    own = ListRow.player == player, ListRow.name == name, ListRow.digest == digest
    with storage.write() as session:
        if not session.execute(delete(ListRow).where(*own).returning(ListRow.name)).all():
            raise NotFoundError("there is no such list of yours")
    read_list.cache_clear()
    read_rules.cache_clear()


api = APIRouter()


@api.delete("/words/{name}", status_code=204, tags=["words"])
async def delete_list(
    name: Annotated[str, Path(max_length=60, description="NAME@DIGEST")],
    shared: Shared,
    player: Player,
) -> None:
    """Delete a list that the same visitor pasted."""
    await shared.storage.do(remove_list, player or "", name)


pages = APIRouter(include_in_schema=False)


@pages.get("/words")
async def lists(request: Request, shared: Shared, player: Player) -> Response:
    """A form for a list, and the lists of the same visitor."""
    return await _form(request, shared, player, {})


@pages.post("/words")
async def paste(request: Request, shared: Shared, player: Visitor) -> Response:
    """Store a list, and go on to play it; or the form again, with what is wrong."""
    sent = await form_fields(request)
    try:
        hidden, guessed = ([*words_of(sent.get(field, ""))] for field in ("words", "guesses"))
        if guessed and not hidden and (installed := find_words(SGB)):
            hidden = list(installed.secrets)
        words = await to_thread(
            WordList.of,
            sent.get("name", "").strip().lower(),
            hidden,
            guessed,
            length=_length(sent.get("length", "")),
        )
        marks = sent.get("marks", "")
        rules = word_game(words, marks if marks in MARKS else "")
        await shared.storage.do(add_list, player, words)
    except PegwiseError as error:
        return await _form(request, shared, player, sent, error)
    address = query_of({"rules": rules, "twice": words.doubles or None})
    return RedirectResponse(f"/play?{address}", 303)


def _length(text: str) -> int | None:
    """The length of words that a form asks for; None where it asks for none."""
    if not text.strip():
        return None
    if not text.strip().isdecimal() or not 1 <= int(text) <= MAX_LETTERS:
        raise InputError(
            "length {length}: give a whole number from 1 to {most}",
            length=quoted(text),
            most=MAX_LETTERS,
        )
    return int(text)


async def _form(
    request: Request,
    shared: Shared,
    player: str | None,
    sent: dict[str, str],
    error: PegwiseError | None = None,
) -> Response:
    own = await shared.storage.do(lists_of, player) if player else []
    placed = Places.widest
    return render(request, "lists", error=error, sent=sent, most=MAX_LISTS, own=own, placed=placed)
