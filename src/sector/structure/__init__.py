"""What a document is made of beside its words: blocks, the sentences in them, and the outline of headings."""

from sector.structure.blocks import Block, Kind, Run
from sector.structure.constraints import HEADINGS, Constraints, check_headings, constrain, paragraph_candidates
from sector.structure.cutting import cut_at, places_to_cut
from sector.structure.flow import Flow, flow
from sector.structure.outline import Entry, outline
from sector.structure.places import Places

__all__ = [
    "HEADINGS",
    "Block",
    "Constraints",
    "Entry",
    "Flow",
    "Kind",
    "Places",
    "Run",
    "check_headings",
    "constrain",
    "cut_at",
    "flow",
    "outline",
    "paragraph_candidates",
    "places_to_cut",
]
