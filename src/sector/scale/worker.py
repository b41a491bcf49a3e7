"""One part from its bytes to its results, in any process on any machine; no document stops the others."""

from __future__ import annotations

import errno
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from sector.document import Document
from sector.errors import SectorError
from sector.scale.isolation import Isolation
from sector.scale.ledger import Ledger
from sector.scale.parts import CorpusPart
from sector.scale.results import LineWriter, row_writer
from sector.scale.sources import DeadLetter, PartReader
from sector.scale.storage import Storage
from sector.scale.tasks import DocumentTask, Finished
from sector.scale.totals import PartResult

WINDOW, WINDOW_CHARACTERS = 256, 4_000_000
"""Documents, and characters, that are in memory together: they are read by length."""
CRASHES = 2
"""Attempts at a part that may end with the process before each document is read in a process of its own."""
RETRIES = (1.0, 5.0)
"""Seconds before a part is tried again whose files could not be read or written."""
LASTING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.ENOENT, errno.EACCES, errno.EROFS, errno.EISDIR)
"""Errors that do not go away in seconds."""
Outcome = Finished | DeadLetter
"""What becomes of a document."""


@dataclass(frozen=True)
class PartJob:
    """What is done with parts; it is sent to each worker."""

    task: DocumentTask
    reader: PartReader
    output: Storage
    format: str = "jsonl"


class PartWorker:
    """Works on one part after the other; the model is loaded once."""

    def __init__(self, job: PartJob) -> None:
        self._job, self._ledger = job, Ledger(job.output)
        job.task.prepare()

    def __call__(self, part: CorpusPart) -> PartResult:
        """Return what was done; a part that cannot be read or written says why, and is not done."""
        for pause in RETRIES:
            try:
                return self._tried(part)
            except SectorError:
                raise
            except Exception as error:  # packages for storages raise errors of their own, too
                if _lasts(error):
                    return PartResult(part.name, problem=_said(error))
                time.sleep(pause)
        try:
            return self._tried(part)
        except SectorError:
            raise
        except Exception as error:
            return PartResult(part.name, problem=_said(error))

    def _tried(self, part: CorpusPart) -> PartResult:
        known = self._ledger.result(part.name)
        if known is not None:
            return known
        attempts = self._ledger.attempt(part.name)
        try:
            return self._done(part, attempts)
        finally:
            with suppress(OSError):
                self._ledger.forget_attempts(part.name)

    def _done(self, part: CorpusPart, attempts: int) -> PartResult:
        begin = time.perf_counter()
        result = PartResult(part.name, size=part.size, attempts=attempts)
        with tempfile.TemporaryDirectory(prefix="sector-") as folder:
            rows, letters = Path(folder, "rows"), Path(folder, "letters")
            with row_writer(self._job.format, rows, self._job.task.unit) as found, LineWriter(letters) as failed:
                for outcome in self._outcomes(part, careful=attempts > CRASHES):
                    if isinstance(outcome, Finished):
                        found.write(outcome.rows)
                        result.count(outcome.labels)
                    else:
                        failed.write([outcome.to_dict()])
            result.failures, result.file = failed.count, f"{part.name}{found.suffix}" if found.count else ""
            result.seconds = round(time.perf_counter() - begin, 3)
            self._ledger.commit(result, rows if found.count else None, letters if failed.count else None)
        return result

    def _outcomes(self, part: CorpusPart, *, careful: bool) -> Iterator[Outcome]:
        documents = self._job.reader.documents(part)
        if careful:
            with Isolation(self._job.task) as isolation:
                for document in documents:
                    yield document if isinstance(document, DeadLetter) else isolation.finish(document)
            return
        for window in windows(documents):
            yield from _in_order(window, self._finished)

    def _finished(self, documents: Sequence[Document]) -> list[Outcome]:
        try:
            return list(self._job.task.finish(documents))
        except Exception as error:  # whatever a document may cause
            if len(documents) == 1:
                return [DeadLetter.of(documents[0], reason_of(error))]
        return [outcome for document in documents for outcome in self._finished([document])]


def windows(documents: Iterable[Document | DeadLetter]) -> Iterator[list[Document | DeadLetter]]:
    """Return documents in groups that fit into memory."""
    window: list[Document | DeadLetter] = []
    size = 0
    for document in documents:
        window.append(document)
        size += len(document.text)
        if len(window) >= WINDOW or size >= WINDOW_CHARACTERS:
            yield window
            window, size = [], 0
    if window:
        yield window


def _in_order(
    window: Sequence[Document | DeadLetter], finish: Callable[[Sequence[Document]], list[Outcome]]
) -> Iterator[Outcome]:
    """Return what becomes of each document of a window; dead letters stay in their places."""
    made = iter(finish([document for document in window if isinstance(document, Document)]))
    for document in window:
        yield document if isinstance(document, DeadLetter) else next(made)


def reason_of(error: BaseException) -> str:
    """Return why a document failed; errors that are none of ours with their kind."""
    return str(error) if isinstance(error, SectorError) else f"{type(error).__name__}: {error}"


def _lasts(error: Exception) -> bool:
    """Whether it makes no sense to try again."""
    kinds = (FileNotFoundError, PermissionError)
    return isinstance(error, kinds) or (isinstance(error, OSError) and error.errno in LASTING)


def _said(error: Exception) -> str:
    if not isinstance(error, OSError):
        return reason_of(error)
    place = f": {error.filename}" if error.filename else ""
    return f"{error.strerror or error or type(error).__name__}{place}"
