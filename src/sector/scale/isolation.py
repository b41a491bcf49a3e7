"""A document in a process of its own: for parts whose workers were ended again and again, by one of its documents."""

from __future__ import annotations

from typing import Self

from sector.document import Document
from sector.errors import SectorError
from sector.processes import WorkerPool
from sector.scale.sources import DeadLetter
from sector.scale.tasks import DocumentTask, Finished

ENDED = "The process that read this document was ended, perhaps because memory ran out or a library crashed."


class Isolation:
    """Finishes documents one by one in another process; to be used in a ``with`` statement."""

    def __init__(self, task: DocumentTask) -> None:
        self._task = task
        self._pool: WorkerPool | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def finish(self, document: Document) -> Finished | DeadLetter:
        """Return what is made of a document, or the dead letter of one that ended its process."""
        self._pool = self._pool or WorkerPool(1, _begin, (self._task,)).__enter__()
        try:
            ((_, found),) = self._pool.map(_finish, [document])
            return found
        except SectorError:
            self._close()
            return DeadLetter.of(document, ENDED)

    def _close(self) -> None:
        if self._pool is not None:
            pool, self._pool = self._pool, None
            pool.__exit__(None)


_task: DocumentTask


def _begin(task: DocumentTask) -> None:
    global _task
    _task = task
    task.prepare()


def _finish(document: Document) -> Finished | DeadLetter:
    try:
        (found,) = _task.finish([document])
        return found
    except Exception as error:  # whatever a document may cause
        reason = str(error) if isinstance(error, SectorError) else f"{type(error).__name__}: {error}"
        return DeadLetter.of(document, reason)
