"""Trees: stored and built by jobs; shown position by position, with the search for a secret.

`built.4x6.knuth` was built by this server, `optimal.4x6-total` was proven best by an exact search
on this machine, and `proven.4x6` comes with the program.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

from fastapi import APIRouter, Query
from fastapi import Path as PathParameter
from pydantic import BaseModel
from sqlalchemy import delete, func, select
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from pegwise.errors import ContradictionError, InputError, StrategyError, TooLargeError, quoted
from pegwise.game import Game, Turn, game_of, parse_code
from pegwise.game.notation import Notation
from pegwise.game.rules import Rules
from pegwise.i18n import SOURCE, speaking
from pegwise.kept import ANSWERS, TREES, Folder
from pegwise.reading import parse_mark
from pegwise.reading.codes import read_code
from pegwise.search.certificates.files import shipped, shipped_boards
from pegwise.search.certificates.optima import ProvenTrees
from pegwise.search.certificates.published import published_figure
from pegwise.search.solver import best_play_within
from pegwise.strategies import label, parse
from pegwise.strategies.registry import cards
from pegwise.telling.trees import position_words, total_words
from pegwise.trees import build, play, verify
from pegwise.trees.formats import to_csv, to_dot, to_json
from pegwise.trees.store import from_bytes, in_pieces
from pegwise.web.inputs import (
    CLASSIC,
    CodeText,
    PlayedTurn,
    RequestBody,
    RulesText,
    StrategyText,
    history_text,
    is_form,
    query_of,
    rules_of,
    split_turn,
)
from pegwise.web.jobs import Job, stored_sentence
from pegwise.web.pages import (
    attachment,
    catalogue,
    check_name,
    language_of,
    render,
    strategy_words,
    template_of,
)
from pegwise.web.race.worker import playable
from pegwise.web.reading import address_of_form, color_names, colors_of
from pegwise.web.services import Shared, Spoken, client_name
from pegwise.web.storage import BusyError, JobRow, NotFoundError, Storage

if TYPE_CHECKING:
    from pegwise.trees import Tree

MAX_SECRETS: Final = 100_000  # trees of boards with more secrets are built on the command line
MAX_OPEN: Final = 3  # most trees of one client that are being built
_KINDS: Final = {"built": (TREES, "trees"), "optimal": (ANSWERS, "optimal")}
_ID: Final = re.compile(r"(built|optimal)\.([A-Za-z0-9=_-][A-Za-z0-9=._-]{0,150})")
_PASTED: Final = re.compile(r"[a-z0-9_-]-[0-9a-f]{8}(?![0-9a-f])")  # a list of one visitor
_UNSAFE: Final = re.compile(r"[^A-Za-z0-9=_-]+")
_SECONDS: Final = 1.0  # how long the optimum of a position may be searched for
TreeId = Annotated[str, PathParameter(max_length=170)]


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


class TreeRequest(RequestBody):
    """The tree of a strategy."""

    rules: RulesText = CLASSIC
    strategy: StrategyText


class PartView(BaseModel):
    """A part: the secrets that give one mark, and what is played then."""

    mark: str
    count: int
    solved: bool = False
    guess: str | None = None
    mean: float = 0.0
    worst: int = 0
    leaf: bool = True


class PositionView(BaseModel):
    """A position.

    Total, mean and worst count the guesses that follow, `guess` included; `optimum` is the
    smallest total where it is known, and `excess` what this tree needs more.
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


class SecretView(BaseModel):
    """Where a tree plays a secret, and the turns that lead to it."""

    secret: str
    path: str
    turns: list[PlayedTurn]


# Ids, files, and jobs.


def tree_id(rules: str, strategy: str) -> str:
    """The id of the tree that is built of a strategy."""
    return f"built.{_UNSAFE.sub('-', rules)}.{_UNSAFE.sub('-', strategy)}"


def place_of(home: Path, identity: str) -> tuple[Folder, str]:
    """Where a tree is kept, and its name there; it need not exist."""
    match = _ID.fullmatch(identity)
    if match is None:
        raise no_tree(identity)
    return _store(match[1], home), f"{match[2]}.tree"


def _store(kind: str, home: Path) -> Folder:
    kept, folder = _KINDS[kind]
    return kept.store(folder, home)


@cache
def proven() -> dict[str, Rules]:
    """The trees that come with the program: ids, and the rules that each plays best."""
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
    if identity in proven():
        return True
    kept, name = place_of(home, identity)
    return kept.changed(name) is not None


def stored_trees(home: Path) -> list[StoredTree]:
    """All stored trees, by id; then those that come with the program.

    Those of words that a visitor has pasted are not listed: the digest names the list.
    """
    trees = []
    for kind in _KINDS:
        keys = _store(kind, home).keys()
        for stem in sorted(key.removesuffix(".tree") for key in keys if key.endswith(".tree")):
            identity = f"{kind}.{stem}"
            rules, separator, name = stem.rpartition("." if kind == "built" else "-")
            if separator and _ID.fullmatch(identity) and not _PASTED.search(rules):
                trees.append(StoredTree(id=identity, kind=kind, rules=rules, name=name))
    return trees + [
        StoredTree(id=identity, kind="proven", rules=str(rules), name="total")
        for identity, rules in proven().items()
    ]


def begin(storage: Storage, home: Path, client: str, rules: Game, name: str) -> str:
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
            JobRow(kind="tree", client=client, rules=str(rules), name=name, total=rules.n_secrets)
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


# What a process computes; it caches the trees that it read last.


def check(rules: Game, name: str) -> str:
    """The full name of a strategy whose tree can be built."""
    strategy = parse(name)
    if rules.n_secrets > MAX_SECRETS:
        raise TooLargeError(
            "{rules} has {secrets:,} secrets, too many for a tree here (at most {most:,}): choose "
            "smaller rules",
            rules=rules,
            secrets=rules.n_secrets,
            most=MAX_SECRETS,
        )
    return label(strategy)


def grow(job: Job) -> None:
    """Build, check and store a tree: what a job of kind `tree` does."""
    row = job.row
    tree = build(row.rules, parse(row.name), report=job.report)
    checked = verify(tree)
    if not checked.valid:
        raise StrategyError(
            "{job} broke its contract: {problem}", job=row.name, problem=checked.problems[0]
        )
    identity = tree_id(row.rules, row.name)
    kept, name = place_of(job.home, identity)
    kept.put(name, *in_pieces(tree))
    job.finish({"tree": identity}, done=row.total)


def summary(home: Path, identity: str) -> dict[str, Any]:
    """A tree as a whole."""
    tree = _tree(home, identity)
    return {"id": identity, **tree.document()}


def position(home: Path, identity: str, path: str) -> PositionView:
    """A position of a tree: its guess, and the parts it makes."""
    tree = _tree(home, identity)
    game: Any = tree.game
    node, history = _follow(tree, path)
    totals, worst = _guesses_below(tree)
    sizes, guesses = tree.node_sizes.tolist(), tree.nodes.guess
    parts = [
        PartView(
            mark=str(game.mark(int(tree.nodes.mark[child]))),
            count=sizes[child],
            guess=str(game.guess(int(guesses[child]))),
            mean=totals[child] / sizes[child],
            worst=worst[child],
            leaf=not tree.children(child),
        )
        for child in tree.children(node)
    ]
    wins = bool(tree.nodes.wins[node])
    if wins:
        parts.append(PartView(mark=str(game.mark(game.winning)), count=1, solved=True))
    parts.sort(key=lambda part: (-part.count, part.mark))
    optimum = _optimum(game, history, sizes[node])
    return PositionView(
        path=history_text(history).replace(",", "/"),
        depth=len(history) + 1,
        guess=str(game.guess(int(guesses[node]))),
        possible=wins,
        count=sizes[node],
        largest=parts[0].count,
        expected=sum(part.count**2 for part in parts) / sizes[node],
        total=totals[node],
        mean=totals[node] / sizes[node],
        worst=worst[node],
        parts=parts,
        optimum=optimum,
        excess=None if optimum is None else totals[node] - optimum,
    )


_WRITERS: Final = {
    "json": ("application/json", to_json),
    "csv": ("text/csv", to_csv),
    "dot": ("text/vnd.graphviz", to_dot),
}
"""The forms of the files of trees: what they are, and what writes them."""


def tree_file(home: Path, identity: str, form: str) -> str:
    """A tree in one of these forms."""
    return _WRITERS[form][1](_tree(home, identity))


def render_position(
    home: Path, identity: str, path: str, language: str, colors: Mapping[str, str]
) -> str:
    """A position of a tree as a piece of its page, with the names of colors of an address."""
    rules: Any = _tree(home, identity).game
    told = position(home, identity, path)
    with speaking(language):
        return template_of("tree_position.html.j2", language).render(
            piece=True,
            rules=rules,
            color_names=color_names(colors_of(colors, rules), language),
            position=told,
            told=[*position_words(told.depth, told.mean, told.worst, told.excess)],
        )


def find(home: Path, identity: str, secret: str, colors: Mapping[str, str]) -> SecretView:
    """Where a secret is found, which may be in the names of colors of an address."""
    tree = _tree(home, identity)
    game: Any = tree.game
    names = colors_of(colors, game)
    notation = Notation("names", names=names) if names else Notation.of(game)
    (code,) = read_code(secret, game, notation, secret=True).codes
    turns = play(game, tree, code)
    return SecretView(
        secret=str(code),
        path=history_text(turns[:-1]).replace(",", "/"),
        turns=[PlayedTurn(guess=str(guess), mark=str(mark)) for guess, mark in turns],
    )


def _tree(home: Path, identity: str) -> Tree:
    if rules := proven().get(identity):
        certificate = shipped(ProvenTrees, game_of(rules))
        if certificate is not None:
            return certificate.claim.tree
    kept, name = place_of(home, identity)
    changed = kept.changed(name)
    if changed is None:
        raise no_tree(identity)
    return _read(home, identity, changed)


@lru_cache(maxsize=6)
def _read(home: Path, identity: str, _changed: int) -> Tree:
    kept, name = place_of(home, identity)
    value = kept.read(name)
    if value is None:
        raise no_tree(identity)
    tree = from_bytes(value, name)
    if not tree.game.text:
        raise InputError(
            "the tree in {path} plays no board, so that it cannot be shown", path=repr(name)
        )
    return tree


@lru_cache(maxsize=12)
def _guesses_below(tree: Tree) -> tuple[list[int], list[int]]:
    """For each node, the guesses from there on: in total over its secrets, and at worst."""
    worst, parents = [1] * len(tree), tree.nodes.parent.tolist()
    # children come after their parents
    for node in range(len(tree) - 1, 0, -1):
        worst[parents[node]] = max(worst[parents[node]], worst[node] + 1)
    return tree.sums(tree.node_sizes).tolist(), worst


def _follow(tree: Tree, path: str) -> tuple[int, tuple[Turn, ...]]:
    """The node at the end of a path `AABC:XO/BDDE:X`, and the turns that lead to it."""
    game: Any = tree.game
    decision, turns = tree.begin(game), []
    for step in filter(None, path.split("/")):
        guess, mark = split_turn(step)
        turn = Turn(parse_code(guess, game), parse_mark(mark, game))
        if turn.guess != decision.guess:
            raise NotFoundError(
                "this tree plays {code} there, not {asked}", code=decision.guess, asked=turn.guess
            )
        try:
            decision = decision.after(turn.mark)
        except ContradictionError:
            raise NotFoundError(
                "this tree has no branch {asked}:{mark} there", asked=turn.guess, mark=mark
            ) from None
        turns.append(turn)
    return decision.node, tuple(turns)


@lru_cache(maxsize=4096)
def _optimum(rules: Game, history: tuple[Turn, ...], size: int) -> int | None:
    """The smallest total of guesses over the secrets of a position, where it is known."""
    if size <= 2:
        return 2 * size - 1
    if not history:
        certificate, row = shipped(ProvenTrees, rules), published_figure(rules, "total")
        if certificate is not None:
            return certificate.claim.tree.total
        if row is not None and row.proven:
            return int(row.value)
    value = best_play_within(_SECONDS)(rules, history, None, "all")
    return None if value is None else value.total


# The API.

api = APIRouter(prefix="/trees", tags=["tree"])


@api.get("")
async def listed(shared: Shared) -> list[StoredTree]:
    """All trees that are stored."""
    home = shared.settings.home
    return await shared.storage.do(lambda _: stored_trees(home))


@api.post("", status_code=201)
async def order(request: TreeRequest, shared: Shared, language: Spoken) -> TreeView:
    """Have a tree built: a job, unless it is stored already."""
    name = await shared.explore.ask(check, request.rules, request.strategy)
    home = shared.settings.home
    identity = await shared.storage.do(begin, home, client_name(), request.rules, name)
    shared.jobs.wake()
    return await view(identity, shared, language)


@api.get("/{tree_id}")
async def view(tree_id: TreeId, shared: Shared, language: Spoken) -> TreeView:
    """A tree as a whole, or its progress."""
    home = shared.settings.home
    tree = await shared.storage.do(status, home, tree_id, language)
    if tree is None:
        raise no_tree(tree_id)
    if tree.state == "done":
        tree.summary = await shared.explore.ask(summary, home, tree_id)
    return tree


TurnsText = Annotated[
    str, Query(max_length=4000, description="Turns from the root: AABC:XO/BDDE:X")
]
Colors = Annotated[
    str, Query(max_length=300, description="Names of one's own for the colors, in order.")
]


@api.get("/{tree_id}/position")
async def view_position(tree_id: TreeId, shared: Shared, path: TurnsText = "") -> PositionView:
    """A position of a tree: its guess and the parts it makes."""
    return await shared.explore.ask(position, shared.settings.home, tree_id, path)


@api.get("/{tree_id}/position.html", response_class=Response)
async def position_html(
    tree_id: TreeId, shared: Shared, language: Spoken, path: TurnsText = "", colors: Colors = ""
) -> Response:
    """A position of a tree as a piece of a page."""
    ask, home, named = shared.explore.ask, shared.settings.home, {"colors": colors}
    return HTMLResponse(await ask(render_position, home, tree_id, path, language, named))


@api.get("/{tree_id}/find")
async def find_secret(
    tree_id: TreeId, secret: Annotated[CodeText, Query()], shared: Shared, colors: Colors = ""
) -> SecretView:
    """Where a secret is found."""
    home = shared.settings.home
    return await shared.explore.ask(find, home, tree_id, secret, {"colors": colors})


@api.get("/{tree_id}/tree.{form}", response_class=Response)
async def file(tree_id: TreeId, form: Literal["json", "csv", "dot"], shared: Shared) -> Response:
    """A tree in a file: its nodes as JSON, the games of all secrets as CSV, or a graph."""
    text = await shared.explore.ask(tree_file, shared.settings.home, tree_id, form)
    name = re.sub(r"[^\w.-]+", "-", tree_id)
    return attachment(text, _WRITERS[form][0], f"pegwise-{name}.{form}")


# The pages.

pages = APIRouter(prefix="/tree", include_in_schema=False)


@pages.get("")
async def new_page(
    request: Request, shared: Shared, strategy: str = "parts", kind: str | None = None
) -> Response:
    """The stored trees, and a form for another one."""
    rules = rules_of(request.query_params)
    if is_form(request.query_params):
        return RedirectResponse(address_of_form("/tree", request.query_params), 303)
    own_names = colors_of(request.query_params, rules)
    check_name(strategy)
    kind = str(rules).partition(",")[2] if kind is None else kind
    kind = kind if kind in _kinds(SOURCE) else ""
    stored = await listed(shared)
    able = await shared.explore.ask(playable, rules)
    return render(
        request,
        "tree_new",
        rules=rules,
        own_names=own_names,
        colored=query_of({"colors": ",".join(own_names)}),
        built=[tree for tree in stored if tree.kind != "proven"],
        boards=_kinds(language_of(request)),
        known=rules.rules in proven().values(),
        matrix=(matrix := _matrix(stored, kind)),
        pegs=sorted({pegs for pegs, _ in matrix}),
        colors=sorted({colors for _, colors in matrix}),
        kind=kind,
        cards=[card for card in cards() if card.id in able],
        chosen=strategy,
    )


def _kinds(language: str) -> dict[str, str]:
    """The kinds of boards with proven trees, by what their rules say beside pegs and colors."""
    gettext = catalogue(language).gettext
    return {
        "": gettext("Repeats allowed"),
        "distinct": gettext("No repeats"),
        "black": gettext("Only exact pegs marked"),
        "distinct,black": gettext("No repeats, only exact pegs marked"),
    }


def _matrix(trees: list[StoredTree], kind: str) -> dict[tuple[int, int], StoredTree]:
    """The proven trees of a kind, by pegs and colors."""
    proven = [tree for tree in trees if tree.kind == "proven"]
    of_kind = [tree for tree in proven if tree.rules.partition(",")[2] == kind]
    boards = [(game_of(tree.rules), tree) for tree in of_kind]
    return {(rules.pegs, rules.colors): tree for rules, tree in boards}


@pages.get("/{tree_id}")
async def tree_page(tree_id: str, request: Request, shared: Shared, path: str = "") -> Response:
    """A tree; its progress while it is built."""
    language = language_of(request)
    tree = await view(tree_id[:170], shared, language)
    if tree.summary is None:
        return render(request, "tree_wait", building=tree, data={"status": tree.model_dump()})
    root = await shared.explore.ask(position, shared.settings.home, tree_id, "")
    rules = game_of(tree.summary["rules"])
    own_names = colors_of(request.query_params, rules)
    words = strategy_words(tree.summary["strategy"], language)
    with speaking(language):
        total = total_words(root.total, root.optimum)
    return render(
        request,
        "tree",
        total_words=total,
        identity=tree_id,
        rules=rules,
        summary=tree.summary,
        position=root,
        colored=query_of({"colors": ",".join(own_names)}),
        color_names=(names := color_names(own_names, language)),
        name=words["name"],
        who=words["who"],
        data={
            "tree": tree_id,
            "largest": root.largest,
            "path": path,
            "names": [name.model_dump() for name in names],
        },
    )
