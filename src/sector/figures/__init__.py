"""Figures: heat maps of documents, curves of training runs, comparisons; PNG, SVG and PDF by matplotlib, and HTML."""

from sector.figures.comparison import Point, draw_comparison, is_comparison, read_comparison
from sector.figures.document import draw
from sector.figures.gold import gold_sections
from sector.figures.history import is_run, read_histories
from sector.figures.interactive import page_of, save_page
from sector.figures.panel import Curve, Panel, panel_of
from sector.figures.panels import read_panels
from sector.figures.saving import checked_target, save
from sector.figures.themes import THEMES, Theme, find_theme
from sector.figures.training import draw_training

__all__ = [
    "THEMES",
    "Curve",
    "Panel",
    "Point",
    "Theme",
    "checked_target",
    "draw",
    "draw_comparison",
    "draw_training",
    "find_theme",
    "gold_sections",
    "is_comparison",
    "is_run",
    "page_of",
    "panel_of",
    "read_comparison",
    "read_histories",
    "read_panels",
    "save",
    "save_page",
]
