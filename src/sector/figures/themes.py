"""Colours for a light page, a dark one, and print; heat maps grow steadily in lightness, for any eye and printer."""

from __future__ import annotations

from dataclasses import dataclass

from sector.errors import ConfigError


@dataclass(frozen=True, slots=True)
class Theme:
    """What a figure is drawn with."""

    paper: str
    ink: str
    quiet: str
    """Axes and minor text."""
    heat: tuple[str, ...]
    """The heat map from 0 to the highest value."""
    sections: tuple[str, ...]
    """Backgrounds of section names, in turns; ``on_section`` can be read on each."""
    on_section: str
    gold: str
    """The gold standard: boxes and boundaries."""
    curves: tuple[str, ...]
    """Lines, told apart by their dashes too."""


LIGHT = Theme(
    paper="#ffffff",
    ink="#1c2330",
    quiet="#5b6675",
    heat=("#f6f8fb", "#cfe3c9", "#62b6b7", "#2a6fa8", "#14225c"),
    sections=("#9fc5e8", "#f2a98c", "#efe09a", "#a8ddc3", "#f6bccb", "#c9c3ec", "#cfd977", "#d9dce1"),
    on_section="#1c2330",
    gold="#c2410c",
    curves=("#0b63b0", "#a8480a", "#00704f"),
)
DARK = Theme(
    paper="#12171e",
    ink="#e6eaf0",
    quiet="#9aa5b4",
    heat=("#1a212b", "#1f4e6e", "#1f8a85", "#8fcf7f", "#fbf3a6"),
    sections=LIGHT.sections,
    on_section="#12171e",
    gold="#ff9d5c",
    curves=("#7cc4ff", "#ffb27a", "#5fd6ab"),
)
PRINT = Theme(
    paper="#ffffff",
    ink="#000000",
    quiet="#404040",
    heat=("#ffffff", "#bdbdbd", "#737373", "#1a1a1a"),
    sections=("#ffffff", "#e2e2e2"),
    on_section="#000000",
    gold="#000000",
    curves=("#000000", "#595959", "#8c8c8c"),
)
THEMES = {"light": LIGHT, "dark": DARK, "print": PRINT}


def find_theme(name: str) -> Theme:
    """Return the theme with this name; raise ConfigError for others."""
    if name not in THEMES:
        raise ConfigError(f"There is no theme '{name}'; choose one of: {', '.join(THEMES)}.")
    return THEMES[name]
