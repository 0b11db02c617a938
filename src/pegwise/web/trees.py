"""Stored trees: their ids and files, and the jobs that build them.

`built.4x6.knuth` was built by this server, `optimal.4x6-total` was proven best by an exact search
on this machine, and `proven.4x6` comes with the program.
"""

from __future__ import annotations

import re
import secrets
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel
from sqlalchemy import delete, func, select

from pegwise.errors import StrategyError, TooLargeError, quoted
from pegwise.game import Rules
from pegwise.i18n import SOURCE
from pegwise.paths import make_home
from pegwise.web.jobs import stored_sentence
from pegwise.web.storage import BusyError, JobRow, NotFoundError, Storage

if TYPE_CHECKING:
    from pegwise.web.jobs import Job

MAX_SECRETS: Final = 100_000  # trees of boards with more secrets are built on the command line
MAX_OPEN: Final = 3  # most trees of one client that are being built
_FOLDERS: Final = {"built": "trees", "optimal": "optimal"}
_ID: Final = re.compile(r"(built|optimal)\.([A-Za-z0-9=_-][A-Za-z0-9=._-]{0,150})")
_PASTED: Final = re.compile(r"[a-z0-9_-]-[0-9a-f]{8}(?![0-9a-f])")  # a list of one visitor
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9=_-]+")


class StoredTree(BaseModel):
    """A tree that is stored; its kind is `built`, `optimal` or `proven`, as its id begins."""

    id: str
    kind: str
    rules: str
    name: str


class TreeView(BaseModel):
    """A tree, or its progress: `waiting`, `running`, `failed` (see `problem`) or `done`."""

    id: str
    state: str
    done: int
    total: int
    problem: str | None = None
    summary: dict[str, Any] | None = None


def tree_id(rules: str, strategy: str) -> str:
    """The id of the tree that is built of a strategy."""
    return f"built.{_UNSAFE.sub('-', rules)}.{_UNSAFE.sub('-', strategy)}"


def path_of(home: Path, identity: str) -> Path:
    """The file of a tree, which need not exist."""
    match = _ID.fullmatch(identity)
    if match is None:
        raise no_tree(identity)
    return home / _FOLDERS[match[1]] / f"{match[2]}.tree"


@cache
def proven() -> dict[str, Rules]:
    """The trees that come with the program: ids, and the rules that each plays best."""
    from pegwise.search.certificates import shipped_boards
    from pegwise.search.certificates.claims import ProvenTrees

    boards = shipped_boards(ProvenTrees)
    return {f"proven.{_UNSAFE.sub('-', str(rules))}": rules for rules in boards}


def no_tree(identity: str) -> NotFoundError:
    """The error that there is no such tree."""
    return NotFoundError(
        "there is no tree {identity} here: choose one of those that are stored",
        identity=quoted(identity),
    )


def is_stored(home: Path, identity: str) -> bool:
    """Whether a tree exists."""
    return identity in proven() or path_of(home, identity).exists()


def listed(home: Path) -> list[StoredTree]:
    """All stored trees, by id; then those that come with the program.

    Those of words that a visitor has pasted are not listed: the digest names the list.
    """
    trees = []
    for kind, folder in _FOLDERS.items():
        for stem in sorted(path.stem for path in (home / folder).glob("*.tree")):
            identity = f"{kind}.{stem}"
            rules, separator, name = stem.rpartition("." if kind == "built" else "-")
            if separator and _ID.fullmatch(identity) and not _PASTED.search(rules):
                trees.append(StoredTree(id=identity, kind=kind, rules=rules, name=name))
    return trees + [
        StoredTree(id=identity, kind="proven", rules=str(rules), name="total")
        for identity, rules in proven().items()
    ]


def check(rules: Rules, name: str) -> str:
    """The full name of a strategy whose tree can be built."""
    from pegwise.strategies import label, parse

    strategy = parse(name)
    if rules.n_secrets > MAX_SECRETS:
        raise TooLargeError(
            "{rules} has {secrets} secrets, too many for a tree here (at most {most}): choose "
            "smaller rules",
            rules=rules,
            secrets=rules.n_secrets,
            most=MAX_SECRETS,
        )
    return label(strategy)


def order(storage: Storage, home: Path, client: str, rules: Rules, name: str) -> str:
    """Begin a job that builds a tree, unless the tree is stored; its id.

    `name` is the strategy as `check` gives it.
    """
    identity = tree_id(str(rules), name)
    if is_stored(home, identity):
        return identity
    same = JobRow.kind == "tree", JobRow.rules == str(rules), JobRow.name == name
    unfinished = JobRow.kind == "tree", JobRow.state.in_(("waiting", "running"))
    with storage.write() as session:
        if session.scalar(select(JobRow.id).where(*same, *unfinished)) is not None:
            return identity
        building = select(func.count()).where(JobRow.client == client, *unfinished)
        if (session.scalar(building) or 0) >= MAX_OPEN:
            raise BusyError(
                "{most} trees of yours are being built: wait for one of them", most=MAX_OPEN
            )
        session.execute(delete(JobRow).where(*same))
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


def status(storage: Storage, home: Path, identity: str, language: str = SOURCE) -> TreeView | None:
    """The progress of a tree, its problem in a language; None if there is neither tree nor job."""
    latest = select(JobRow).where(JobRow.kind == "tree").order_by(JobRow.begun.desc()).limit(200)
    # first the job, then the file: a tree that is finished in between is seen
    with storage.read() as session:
        jobs = session.scalars(latest).all()
    if is_stored(home, identity):
        return TreeView(id=identity, state="done", done=1, total=1)
    for job in jobs:
        if tree_id(job.rules, job.name) == identity and job.state != "done":
            problem = stored_sentence(job.problem, language)
            return TreeView(
                id=identity, state=job.state, done=job.done, total=job.total, problem=problem
            )
    return None


def grow(job: Job) -> None:
    """Build, check and store a tree: what a job of kind `tree` does."""
    from pegwise.game import game_of
    from pegwise.strategies import parse
    from pegwise.trees import build, save, verify

    row = job.row
    tree = build(parse(row.name), game_of(Rules.parse(row.rules)), report=job.report)
    checked = verify(tree)
    if not checked.valid:
        raise StrategyError(
            "{job} broke its contract: {problem}", job=row.name, problem=checked.problems[0]
        )
    identity = tree_id(row.rules, row.name)
    path = path_of(job.home, identity)
    make_home(path.parent)
    save(tree, path)
    job.finish({"tree": identity}, done=row.total)
