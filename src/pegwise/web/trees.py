"""Trees that are kept or being built: which there are, and how to get another one."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any, Final

from sqlalchemy import delete, func, select

from pegwise.errors import TooLargeError
from pegwise.game import Rules
from pegwise.i18n import SOURCE
from pegwise.web.sentences import said
from pegwise.web.storage import Storage
from pegwise.web.stored_trees import ids, is_kept, proven, tree_id
from pegwise.web.tables import JobRow
from pegwise.web.work import BusyError

__all__ = ["MAX_SECRETS", "check", "listed", "order", "status"]

MAX_SECRETS: Final = 100_000
"""Trees of boards with more secrets are built on the command line."""

MAX_OPEN: Final = 3
"""So many trees of one client are built at a time."""


def check(rules: Rules, name: str) -> str:
    """The strategy's full name, if its tree can be built; computed in a process of a line.

    Raises:
        InputError, UnknownNameError: there is no such strategy.
        TooLargeError: too many secrets; the sentence says what is possible.
    """
    from pegwise.strategies import label, parse

    strategy = parse(name)
    if rules.n_secrets > MAX_SECRETS:
        raise TooLargeError(
            "{rules} has {secrets} secrets, too many for a tree here (at most {most}): choose "
            "smaller rules, or run pegwise tree at the command line",
            rules=rules,
            secrets=rules.n_secrets,
            most=MAX_SECRETS,
        )
    return label(strategy)


def order(storage: Storage, home: Path, client: str, rules: Rules, name: str) -> str:
    """Have a tree built, if it is not kept already; its id.

    Args:
        storage: the database.
        home: the directory for what lasts.
        client: who asks.
        rules: the board.
        name: the strategy, as `check` gives it.

    Raises:
        BusyError: the client has too many that are not ready.
    """
    identity = tree_id(str(rules), name)
    if is_kept(home, identity):
        return identity
    with storage.write() as session:
        this = JobRow.kind == "tree", JobRow.rules == str(rules), JobRow.name == name
        going = JobRow.state.in_(("waiting", "running"))
        if session.scalar(select(JobRow.id).where(*this, going)) is not None:
            return identity
        mine = JobRow.kind == "tree", JobRow.client == client, going
        if (session.scalar(select(func.count()).where(*mine)) or 0) >= MAX_OPEN:
            raise BusyError(
                "{most} trees of yours are being built: wait for one of them", most=MAX_OPEN
            )
        session.execute(delete(JobRow).where(*this))
        session.add(
            JobRow(
                id=secrets.token_urlsafe(15),
                kind="tree",
                client=client,
                rules=str(rules),
                name=name,
                total=rules.n_secrets,
            )
        )
    return identity


def status(
    storage: Storage, home: Path, identity: str, language: str = SOURCE
) -> dict[str, Any] | None:
    """How far the building of a tree is, its problem in a language; None if nobody asked for it.

    Raises:
        NotFoundError: this is no id of a tree.
    """
    # first the job, then the file: whatever ends in between is seen
    with storage.read() as session:
        jobs = session.scalars(
            select(JobRow).where(JobRow.kind == "tree").order_by(JobRow.begun.desc()).limit(200)
        ).all()
    if is_kept(home, identity):
        return {"id": identity, "state": "done", "done": 1, "total": 1, "problem": None}
    for job in jobs:
        if tree_id(job.rules, job.name) == identity and job.state != "done":
            return {
                "id": identity,
                "state": job.state,
                "done": job.done,
                "total": job.total,
                "problem": said(job.problem, language),
            }
    return None


def listed(home: Path) -> list[dict[str, str]]:
    """All trees that are kept, by id; then those that come with the program."""
    found = []
    for identity in ids(home):
        kind, _, stem = identity.partition(".")
        rules, separator, name = stem.rpartition("." if kind == "built" else "-")
        if separator:
            found.append({"id": identity, "kind": kind, "rules": rules, "name": name})
    return found + [
        {"id": identity, "kind": "proven", "rules": rules, "name": "total"}
        for identity, rules in proven().items()
    ]
