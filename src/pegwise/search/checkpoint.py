"""Checkpoints of long searches: killed at any moment, they go on from the last one.

A file is a line that names the format, a line of JSON with what is searched and how far it is,
blocks of bytes, and the SHA-256 of all before it. What stands in the JSON and in the blocks is for
each kind of search to say. The file is replaced as a whole, and goes when the search has ended.
"""

from __future__ import annotations

import hashlib
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

import numpy as np

from pegwise.arrays import U64
from pegwise.errors import DataFileError, InputError, OutputError, Phrase, system_reason
from pegwise.kernels.exact.board import new_table
from pegwise.paths import home
from pegwise.search.archive import unpack, write_whole
from pegwise.search.beam.search import BeamProgress, BeamSearch
from pegwise.search.certificates.claims import confused
from pegwise.search.exact.driver import entries
from pegwise.search.exact.model import fingerprint
from pegwise.search.exact.optimal import OptimalSearch, SearchProgress
from pegwise.search.static.search import StaticProgress, StaticSearch
from pegwise.search.value import Answer, ValueProgress, ValueSearch
from pegwise.trees import Tree
from pegwise.trees.store import from_bytes, to_bytes
from pegwise.trees.verify import verify

EVERY: Final = 20.0
"""Seconds between two checkpoints."""

_DIGEST_SIZE: Final = 32

Block = bytes | memoryview
State = dict[str, Any]


class Resumable(Protocol):
    """A long search: an iterator of steps that may be left at any of them."""

    @property
    def game(self) -> Any:
        """What is searched; its name stands in the name of the file."""

    @property
    def finished(self) -> bool:
        """Whether the search has ended."""

    def __iter__(self) -> Iterator[Any]: ...


Search = TypeVar("Search", bound=Resumable)
Step = TypeVar("Step")


class Blocks:
    """The blocks of a checkpoint, read one after the other."""

    def __init__(self, content: memoryview) -> None:
        self._content = content
        self._at = 0

    def take(self, size: int) -> memoryview:
        """The next so many bytes."""
        self._at += size
        return self._content[self._at - size : self._at]

    def rows(self, count: int) -> U64:
        """The next so many rows: uint64 (count, 4), not to be written to."""
        return np.frombuffer(self.take(32 * count), np.uint64).reshape(-1, 4)

    def fill(self, table: U64, count: int) -> None:
        """Put the next so many slots and `entries` into a transposition table of the same size."""
        slots = np.frombuffer(self.take(8 * count), np.int64)
        table[slots] = self.rows(count)


class Checkpoint(ABC, Generic[Search, Step]):
    """Stores a search in a file while it runs.

    Args:
        path: the file.
        every: seconds between two checkpoints.

    Attributes:
        format: the first line of a file.
        suffix: of the names of files.
        options: attributes of a search that change its answer.
    """

    format: ClassVar[bytes]
    suffix: ClassVar[str]
    options: ClassVar[tuple[str, ...]]

    def __init__(self, path: Path, *, every: float = EVERY) -> None:
        self.path = path
        self.every = every
        self._begun = time.process_time()

    # for each kind of search

    @abstractmethod
    def contents(self, search: Search) -> tuple[State, list[Block]]:
        """The state of a search."""

    @abstractmethod
    def restore(self, search: Search, state: State, blocks: Blocks) -> None:
        """Put a state into a search that has not begun; whole, or with an error not at all.

        Raises:
            LookupError, TypeError, ValueError: it is damaged.
        """

    @abstractmethod
    def done(self, search: Search) -> Phrase:
        """How much a search has done, in words."""

    # for all

    @property
    def seconds(self) -> float:
        """Processor time of the search, with that of earlier runs where the file tells it."""
        return time.process_time() - self._begun

    @classmethod
    def identity(cls, search: Search) -> State:
        """What a checkpoint must agree with: game, weights and options."""
        options = {name: getattr(search, name) for name in cls.options}
        return {"game": search.game.name, "marks": fingerprint(search.game), **options}

    @classmethod
    def default_path(cls, search: Search) -> Path:
        """A file among the user's data that only the same search uses."""
        text = json.dumps(cls.identity(search), sort_keys=True)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        name = "".join(c if c.isalnum() else "-" for c in search.game.name)
        return home() / "checkpoints" / f"{name}-{digest}.{cls.suffix}"

    def save(self, search: Search) -> None:
        """Write the state of a search.

        Raises:
            OutputError: the file cannot be written; an earlier one is left as it is.
        """
        state, blocks = self.contents(search)
        state = {"search": self.identity(search), **state}
        blocks = [self.format + json.dumps(state).encode() + b"\n", *blocks]
        digest = hashlib.sha256()
        for block in blocks:
            digest.update(block)
        try:
            write_whole(self.path, [*blocks, digest.digest()])
        except OutputError as error:
            raise OutputError(
                "cannot write the checkpoint {path}: {reason}",
                path=repr(str(self.path)),
                reason=error.phrase.values["reason"],
            ) from error

    def load(self, search: Search) -> bool:
        """Put a stored state into a search that has not begun; False when there is no file.

        Raises:
            DataFileError: the file is damaged, or cannot be read; it is left as it is.
            InputError: it belongs to another search.
        """
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise DataFileError(
                "cannot read the checkpoint {path}: {reason}",
                path=repr(str(self.path)),
                reason=system_reason(error),
            ) from error
        try:
            state, blocks = self.read(content)
            own = state["search"] == self.identity(search)
            if own:
                self.restore(search, state, blocks)
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise DataFileError(
                "the checkpoint {path} is damaged", path=repr(str(self.path))
            ) from error
        if not own:
            raise self._foreign(state["search"], self.identity(search))
        return True

    def read(self, content: bytes) -> tuple[State, Blocks]:
        """The state and the blocks of a file.

        Raises:
            ValueError: it is damaged, or of another format.
        """
        body, digest = content[:-_DIGEST_SIZE], content[-_DIGEST_SIZE:]
        if not body.startswith(self.format) or hashlib.sha256(body).digest() != digest:
            raise ValueError("no checkpoint, or damaged")
        start = len(self.format)
        end = body.index(b"\n", start)
        return json.loads(body[start:end]), Blocks(memoryview(body)[end + 1 :])

    def _foreign(self, stored: State, own: State) -> InputError:
        differences = ", ".join(
            f"{key} {stored.get(key)!r} instead of {own[key]!r}"
            for key in own
            if stored.get(key) != own[key] and key != "marks"
        )
        return InputError(
            "the checkpoint {path} belongs to another search ({other}); name another file or "
            "remove it",
            path=repr(str(self.path)),
            other=differences or Phrase("other weights or marks"),
        )

    def resume(self, search: Search) -> Phrase:
        """Put what is stored into a search; a sentence that says so, or "".

        A damaged file is renamed, so that it is neither used nor overwritten.

        Raises:
            InputError: the file belongs to another search.
            DataFileError: it cannot be read.
        """
        try:
            if not self.load(search):
                return Phrase("")
        except DataFileError as error:
            if not self.path.is_file():
                raise
            return Phrase(
                "{error}; it is kept as {name} and the search begins anew",
                error=error,
                name=repr(self._set_aside().name),
            )
        return Phrase(
            "going on from the checkpoint {path} ({done})",
            path=repr(str(self.path)),
            done=self.done(search),
        )

    def _set_aside(self) -> Path:
        number, aside = 1, self.path.with_name(f"{self.path.name}.damaged")
        while aside.exists():
            number += 1
            aside = self.path.with_name(f"{self.path.name}.damaged-{number}")
        self.path.rename(aside)
        return aside

    def run(self, search: Search) -> Generator[Step]:
        """Go through a search, and store it now and then, and when it is left."""
        last = time.monotonic()
        steps = iter(search)
        try:
            for step in steps:
                yield step
                if time.monotonic() - last >= self.every:
                    self.save(search)
                    last = time.monotonic()
        finally:
            steps.close()  # type: ignore[attr-defined]
            self.leave(search)

    def leave(self, search: Search) -> None:
        """Store a search that is left early; remove the file when the search has ended."""
        if search.finished:
            self.path.unlink(missing_ok=True)
        else:
            self.save(search)


class ExactCheckpoint(Checkpoint[OptimalSearch, SearchProgress]):
    """The transposition table of an exact search, but for the smallest sets.

    A search that starts with it goes through the same first guesses again, and finds in the table
    what was done.
    """

    format = b"pegwise checkpoint 1\n"
    suffix = "search"
    options = ("objective", "max_guesses", "guesses", "first", "table_bits")

    def contents(self, search: OptimalSearch) -> tuple[State, list[Block]]:
        """The limit of guesses, and the entries of the table."""
        slots, rows = entries(search.table)
        state = {"limit": search.limit, "positions": search.positions, "entries": len(slots)}
        return state, [slots.data, rows.data]

    def restore(self, search: OptimalSearch, state: State, blocks: Blocks) -> None:
        """Fill the table."""
        search.limit, search.positions_before = state["limit"], state["positions"]
        blocks.fill(search.table, state["entries"])

    def done(self, search: OptimalSearch) -> Phrase:
        """How many positions a search has been through."""
        return Phrase("{n} positions", n=search.positions)


class BeamCheckpoint(Checkpoint[BeamSearch, BeamProgress]):
    """The trees of the stages so far, the costs that every level has found, and exact costs.

    The file stays when the search has gone through its stages, so that more of them, or more time,
    go on from there.
    """

    format = b"pegwise effort 1\n"
    suffix = "effort"
    options = ("max_guesses", "guesses", "first", "table_bits")
    _SMALLEST: Final = 40
    """Smaller sets are solved again in no time."""

    def contents(self, search: BeamSearch) -> tuple[State, list[Block]]:
        """Entries of the table, costs by level, and trees."""
        # first, so that what is stored besides gives at least this
        value = search.best_value()
        slots, rows = entries(search.table, self._SMALLEST)
        trees = [to_bytes(tree) for tree in search.trees]
        memos = {number: _memo_rows(memo) for number, memo in search.memos().items()}
        state = {
            "positions": search.positions,
            "solved": search.solved,
            "value": value,
            "totals": [list(totals.items()) for totals in search.totals],
            "trees": [len(tree) for tree in trees],
            "memos": {number: len(memo) for number, memo in memos.items()},
            "entries": len(slots),
        }
        return state, [slots.data, rows.data, *(memo.data for memo in memos.values()), *trees]

    def restore(self, search: BeamSearch, state: State, blocks: Blocks) -> None:
        """Fill the table and go on from the last tree."""
        table = new_table(search.table_bits)
        blocks.fill(table, state["entries"])
        memos = {int(number): _memo(blocks.rows(n)) for number, n in state["memos"].items()}
        trees = [from_bytes(bytes(blocks.take(size)), "checkpoint") for size in state["trees"]]
        solved, positions, value = state["solved"], state["positions"], state["value"]
        if not trees or not verify(trees[-1]).valid:
            raise ValueError("no tree")
        totals = [{int(guess): int(total) for guess, total in pairs} for pairs in state["totals"]]
        search.table[:] = table
        search.trees = [Tree(search.game, t.nodes, t.strategy, t.options) for t in trees]
        search.totals, search.solved, search.positions_before = totals, solved, positions
        search.restored_memos, search.restored_value = memos, value

    def done(self, search: BeamSearch) -> Phrase:
        """At which stage a search is, and the best it has."""
        return Phrase("stage {stage}, best {best}", stage=search.stage, best=search.best_value())

    def leave(self, search: BeamSearch) -> None:
        """Store a search that has ended too."""
        if search.trees:
            self.save(search)


def _memo_rows(memo: dict[int, tuple[int, int]]) -> U64:
    """uint64 (n, 4): both words of the keys, costs, and guesses plus one."""
    low = (1 << 64) - 1
    rows = [(key >> 64, key & low, cost, guess + 1) for key, (cost, guess) in list(memo.items())]
    return np.array(rows, np.uint64).reshape(len(rows), 4)


def _memo(rows: U64) -> dict[int, tuple[int, int]]:
    return {high << 64 | low: (cost, guess - 1) for high, low, cost, guess in rows.tolist()}


class StaticCheckpoint(Checkpoint[StaticSearch, StaticProgress]):
    """The best fixed set, the bound, and the path of the first task that is not refuted.

    Which tasks there are is always the same. The format changes with the order of the search
    tree: paths of another tree mean nothing.
    """

    format = b"pegwise static checkpoint 2\n"
    suffix = "static"
    options = ("guesses", "seed")
    _JSON_FORMAT: Final = "pegwise static checkpoint 1"

    def contents(self, search: StaticSearch) -> tuple[State, list[Block]]:
        """No blocks: which tasks there are need not be stored."""
        state = {
            "best": None if search.best is None else list(search.best),
            "lower_bound": search.lower_bound,
            "refuting": search.refuting,
            "path": list(search.path),
            "positions": search.positions,
            "seconds": round(self.seconds, 2),
        }
        return state, []

    def read(self, content: bytes) -> tuple[State, Blocks]:
        """Also of version 1: a JSON document with a digest of its content."""
        if not content.startswith(b"{"):
            return super().read(content)
        state = json.loads(content)
        digest = state.pop("sha256")
        text = json.dumps(state, sort_keys=True)
        if digest != hashlib.sha256(text.encode()).hexdigest():
            raise ValueError("another digest")
        if state.pop("format") != self._JSON_FORMAT:
            raise ValueError("another format")
        return state, Blocks(memoryview(b""))

    def restore(self, search: StaticSearch, state: State, blocks: Blocks) -> None:
        """Go on with the first task that is not refuted."""
        del blocks
        best, path = state["best"], tuple(state["path"])
        lower_bound, refuting = state["lower_bound"], state["refuting"]
        positions, seconds = state["positions"], float(state["seconds"])
        if best is not None and confused(search.game, best) is None:
            search.best = tuple(best)
        search.lower_bound, search.refuting = lower_bound, refuting
        search.path, search.positions = path, positions
        self._begun -= seconds

    def done(self, search: StaticSearch) -> Phrase:
        """How many sets a search has tried."""
        return Phrase("{n} sets tried", n=search.positions)


class ValueCheckpoint(Checkpoint[ValueSearch, ValueProgress]):
    """The answers so far, and the transposition table of the best response in work.

    A search that starts with it asks the same questions again and finds their answers, so it ends
    as it would have without a break.
    """

    format = b"pegwise value checkpoint 2\n"
    suffix = "value-search"
    options = ()
    _ZIP_FORMAT: Final = "pegwise value checkpoint 1"

    @classmethod
    def default_path(cls, search: ValueSearch) -> Path:
        """A file of the board among the user's data."""
        return home() / "checkpoints" / f"{search.game.name}.{cls.suffix}"

    @classmethod
    def identity(cls, search: ValueSearch) -> State:
        """The game."""
        return {"game": search.game.name}

    def contents(self, search: ValueSearch) -> tuple[State, list[Block]]:
        """Answers with their trees, and the entries of the table in work."""
        answers = list(search.answers.values())
        trees = [to_bytes(answer.tree) for answer in answers]
        table = search.table if search.asked is not None else None
        slots, rows = entries(new_table(0) if table is None else table)
        state = {
            "answers": [{"weights": a.weights, "cost": a.cost} for a in answers],
            "trees": [len(tree) for tree in trees],
            "positions": search.positions,
            "seconds": self.seconds,
            "asked": None if table is None else search.asked,
            "table_bits": search.table_bits,
            "entries": len(slots),
        }
        return state, [*trees, slots.data, rows.data]

    def read(self, content: bytes) -> tuple[State, Blocks]:
        """Also of version 1: a ZIP archive."""
        if not content.startswith(b"PK"):
            return super().read(content)
        parts = unpack(content, str(self.path))
        state = json.loads(parts["state.json"])
        if state.pop("format") != self._ZIP_FORMAT:
            raise ValueError("another format")
        trees = [parts[f"{number}.tree"] for number in range(1, len(state["answers"]) + 1)]
        slots, rows = parts.get("slots", b""), parts.get("entries", b"")
        state["search"] = {"game": state.pop("rules")}
        state["trees"] = [len(tree) for tree in trees]
        state["entries"] = len(slots) // 8
        return state, Blocks(memoryview(b"".join([*trees, slots, rows])))

    def restore(self, search: ValueSearch, state: State, blocks: Blocks) -> None:
        """Take over the answers, whose costs are checked, and the table."""
        answers = []
        for stored, size in zip(state["answers"], state["trees"], strict=True):
            tree = from_bytes(bytes(blocks.take(size)), "checkpoint")
            weights = tuple(int(weight) for weight in stored["weights"])
            answer = Answer.of(weights, tree, search.classes)
            if tree.game.name != search.game.name or answer.cost != stored["cost"]:
                raise ValueError("a tree does not cost what is said")
            answers.append(answer)
        table = None
        if state["asked"] is not None and state["entries"]:
            asked = tuple(int(weight) for weight in state["asked"])
            table = asked, new_table(int(state["table_bits"]))
            blocks.fill(table[1], state["entries"])
        positions, seconds = int(state["positions"]), float(state["seconds"])
        search.restore(tuple(answers), table, positions)
        self._begun -= seconds

    def done(self, search: ValueSearch) -> Phrase:
        """How many trees a search has made."""
        return Phrase("{n} trees", n=len(search.answers))
