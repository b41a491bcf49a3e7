"""Structure flags: what the layout says about a sentence, as five columns beside its vector."""

from __future__ import annotations

import re

import numpy as np

from sector.arrays import Floats2d
from sector.document import Document

FLAGS = ("paragraph_begin", "paragraph_end", "list_item", "document_begin", "document_end")
LIST_ITEM = re.compile(r"(?:[-–*•‣◦▪·]|\(?\d{1,3}[.)])\s")


def structure_flags(document: Document) -> Floats2d:
    """Return float32 [sentences, 5] of zeros and ones, in the order of ``FLAGS``."""
    flags = np.zeros((len(document), len(FLAGS)), np.float32)
    if len(document):
        ends = document.spans.paragraph_end
        flags[1:, 0] = ends[:-1]
        flags[:, 1] = ends
        flags[:, 2] = [LIST_ITEM.match(sentence) is not None for sentence in document.sentence_texts]
        flags[0, [0, 3]] = 1
        flags[-1, [1, 4]] = 1
    return flags
