"""Topic labels for headings by synset clustering (section 3.3 of the paper)."""

from sector.wikipedia.labels.agreement import Agreement, compare
from sector.wikipedia.labels.documents import label_document
from sector.wikipedia.labels.labelling import Labelling, build_labelling
from sector.wikipedia.labels.lexicons import LEXICONS, LexiconError, SynsetLexicon, open_lexicon
from sector.wikipedia.labels.overrides import Overrides, load_overrides
from sector.wikipedia.labels.report import LabelReport, describe
from sector.wikipedia.labels.topics import OTHER, Topic, TopicRange

__all__ = [
    "LEXICONS",
    "OTHER",
    "Agreement",
    "LabelReport",
    "Labelling",
    "LexiconError",
    "Overrides",
    "SynsetLexicon",
    "Topic",
    "TopicRange",
    "build_labelling",
    "compare",
    "describe",
    "label_document",
    "load_overrides",
    "open_lexicon",
]
