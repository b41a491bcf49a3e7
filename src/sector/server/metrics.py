"""What Prometheus reads at /metrics. Every worker process has its own figures, told apart by the label ``worker``."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)

SECONDS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30)
WORKER = ("worker",)
DOCUMENTS = (1, 2, 4, 8, 16, 32, 64)


def _registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    for collector in (ProcessCollector, PlatformCollector, GCCollector):
        collector(registry=registry)
    return registry


@dataclass
class Metrics:
    """The service's counters; one object per application, so that two in one process do not mix."""

    registry: CollectorRegistry = field(default_factory=_registry)

    def __post_init__(self) -> None:
        self._worker = str(os.getpid())
        kept = self.registry
        self._requests = Counter("sector_requests", "Requests.", (*WORKER, "route", "method", "status"), registry=kept)
        self._seconds = self._histogram("sector_request_seconds", "Time to answer.", "route")
        self._waiting = Gauge("sector_queue_documents", "Documents that wait or are read.", WORKER, registry=kept)
        self._queue = self._histogram("sector_queue_seconds", "Time in the queue.")
        self._inference = self._histogram("sector_inference_seconds", "Time to read a batch.", "model")
        self._batch = Histogram("sector_batch_documents", "Read together.", WORKER, buckets=DOCUMENTS, registry=kept)
        self._documents = Counter("sector_documents", "Documents read.", (*WORKER, "model"), registry=kept)
        self._characters = Counter("sector_characters", "Characters read.", (*WORKER, "model"), registry=kept)
        self._cache = Counter("sector_cache", "Readings looked for in the cache.", (*WORKER, "found"), registry=kept)
        self.waiting(0)

    def _histogram(self, name: str, meaning: str, *labels: str) -> Histogram:
        return Histogram(name, meaning, (*WORKER, *labels), buckets=SECONDS, registry=self.registry)

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests.labels(self._worker, route, method, str(status)).inc()
        self._seconds.labels(self._worker, route).observe(seconds)

    def read(self, model: str, documents: int, characters: int, seconds: float) -> None:
        """Count a batch that a model has read."""
        self._inference.labels(self._worker, model).observe(seconds)
        self._batch.labels(self._worker).observe(documents)
        self._documents.labels(self._worker, model).inc(documents)
        self._characters.labels(self._worker, model).inc(characters)

    def waiting(self, documents: int) -> None:
        """Set how many documents wait or are being read."""
        self._waiting.labels(self._worker).set(documents)

    def waited(self, seconds: float) -> None:
        """Count a request that has left the queue."""
        self._queue.labels(self._worker).observe(seconds)

    def looked_up(self, found: bool) -> None:
        """Count a look into the cache of readings."""
        self._cache.labels(self._worker, "yes" if found else "no").inc()

    def text(self) -> bytes:
        """Return the figures in Prometheus' text format."""
        return generate_latest(self.registry)
