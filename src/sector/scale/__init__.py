"""Corpora larger than one machine: parts of a corpus on processes or on Ray, from any storage to any storage."""

from sector.scale.batches import ChunkBatches, SectionBatches
from sector.scale.engines import LocalParts, PartEngine
from sector.scale.indexing import IndexRun, IndexTask, index_run
from sector.scale.on_ray import RayParts
from sector.scale.run import CorpusRun
from sector.scale.tasks import ChunkTask, DocumentTask, SegmentTask
from sector.scale.totals import PartResult, RunSummary

__all__ = [
    "ChunkBatches",
    "ChunkTask",
    "CorpusRun",
    "DocumentTask",
    "IndexRun",
    "IndexTask",
    "LocalParts",
    "PartEngine",
    "PartResult",
    "RayParts",
    "RunSummary",
    "SectionBatches",
    "SegmentTask",
    "index_run",
]
