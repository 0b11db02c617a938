"""Workers that stay from one call to the next, with what they have made ready."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from types import TracebackType
from typing import Any

from pegwise.cluster.places import Caller, Place

__all__ = ["Staying"]


class Staying:
    """A place whose workers are called once, and sent home at the end of a `with`.

    Args:
        where: the place; whatever else it knows about itself, this one knows too.
    """

    def __init__(self, where: Place) -> None:
        self.where = where
        self._called = ExitStack()
        self._executor: Executor | None = None
        self._readying: list[Future[Any]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self.where, name)

    @property
    def workers(self) -> int:
        """How many run at once."""
        return self.where.workers

    @contextmanager
    def executor(self) -> Iterator[Executor]:
        """The workers; others, once they have broken down."""
        if self._executor is None:
            self._executor = self._called.enter_context(self.where.executor())
        try:
            yield self._executor
        except BrokenExecutor as error:
            self._executor = None
            self._called.__exit__(type(error), error, error.__traceback__)
            raise

    def make_ready(self, work: Callable[..., Any], *given: Any) -> None:
        """Let each worker do this while it has no piece yet; nobody waits for it.

        Threads share what the caller makes, and so does the caller.
        """
        # whoever runs pieces next tells that a cluster is gone, or calls other workers
        with suppress(ConnectionError, BrokenExecutor), self.executor() as executor:
            if not isinstance(executor, Caller | ThreadPoolExecutor):
                self._readying = [executor.submit(work, *given) for _ in range(self.workers)]

    def __enter__(self) -> Staying:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._executor = None
        self._called.__exit__(kind, error, trace)
