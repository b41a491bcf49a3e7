"""What a document is made of beside its words: blocks, the sentences in them, and the outline of headings."""

from sector.structure.blocks import Block, Kind, Run
from sector.structure.constraints import HEADINGS, Constraints, constrain
from sector.structure.flow import Flow, flow
from sector.structure.outline import Entry, outline

__all__ = ["HEADINGS", "Block", "Constraints", "Entry", "Flow", "Kind", "Run", "constrain", "flow", "outline"]
