"""Our own search for change points, without any trained model, on the same vectors as the peers."""

from __future__ import annotations

from sector.document import Document
from sector.segmentation import Reading, make
from splitters import vectors
from splitters.peer import Peer, SplitAll, one_by_one


def _make(granularity: float) -> SplitAll:
    method = make("changepoint", granularity=granularity)
    vectors.model()

    def split(text: str) -> list[int]:
        document = Document(text, language="en")
        reading = Reading.of_vectors(vectors.embed(document.sentence_texts), document.spans.paragraph_end)
        found: list[int] = document.spans.begin[method.starts(reading)].tolist()
        return found

    return one_by_one(split)


PEER = Peer("sector changepoint", (vectors.PACKAGE,), "granularity", (0.85, 1.0, 1.15, 1.3, 1.5), _make)
UNTUNED = Peer("sector changepoint, as it comes", (vectors.PACKAGE,), "granularity", (1.0,), _make)
