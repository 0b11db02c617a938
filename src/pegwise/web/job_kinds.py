"""Jobs of races and trees, by their kind, as the processes behind the site do them."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import cache, partial
from typing import Final

from pegwise.game.words import Lookup, lookup
from pegwise.strategies.registry import Offer, offer
from pegwise.web import tree
from pegwise.web.jobs import Job, JobInterrupted
from pegwise.web.race.worker import play_entrant, play_timed
from pegwise.web.settings import Settings
from pegwise.web.storage import Storage, find_list

_JOBS: Final = {"lane": play_entrant, "timed": play_timed, "tree": tree.grow}


def run_job(offers: Sequence[Offer], settings: Settings, job_id: str, lease: str) -> None:
    """Do a job in a worker until it is done, cannot be done, or has to stop."""
    offer(offers)
    do_job(_storage(settings), settings, job_id, lease)


def do_job(storage: Storage, settings: Settings, job_id: str, lease: str) -> None:
    """Do a job on an open database until it is done, cannot be done, or has to stop."""
    with suppress(JobInterrupted):
        job = Job(storage, settings, job_id, lease)
        _JOBS[job.row.kind](job)


@cache
def _storage(settings: Settings) -> Storage:
    """The database of a worker, which also has the lists of words of visitors."""
    storage = Storage(settings)
    lookup.set(Lookup(partial(find_list, storage)))
    return storage
