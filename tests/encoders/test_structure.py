"""Structure flags of a small document."""

from __future__ import annotations

import numpy as np

from sector.document import Document
from sector.encoders.structure import FLAGS, structure_flags
from sector.text.sentences import SentenceSpans


def test_flags_of_a_document() -> None:
    parts = ["One.", "Two.", "- item", "2) item", "End."]
    text = " ".join(parts)
    begins = np.array([text.index(part, 5 * (i == 3)) for i, part in enumerate(parts)])
    ends = begins + [len(part) for part in parts]
    spans = SentenceSpans(begins, ends, np.array([False, True, True, False, False]))
    flags = structure_flags(Document(text, given_spans=spans))
    columns = dict(zip(FLAGS, flags.T.astype(int).tolist(), strict=True))
    assert columns == {
        "paragraph_begin": [1, 0, 1, 1, 0],
        "paragraph_end": [0, 1, 1, 0, 1],
        "list_item": [0, 0, 1, 1, 0],
        "document_begin": [1, 0, 0, 0, 0],
        "document_end": [0, 0, 0, 0, 1],
    }


def test_a_document_without_sentences_has_no_flags() -> None:
    nothing = np.zeros(0, np.int64)
    spans = SentenceSpans(nothing, nothing, nothing.astype(np.bool_))
    assert structure_flags(Document("", given_spans=spans)).shape == (0, len(FLAGS))
