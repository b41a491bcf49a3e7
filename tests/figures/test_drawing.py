"""Drawn figures: where boundaries, boxes and names stand, and which files come of them."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sector.document import Document, Section
from sector.errors import ConfigError, DataError
from sector.figures import (
    THEMES,
    Curve,
    Panel,
    Point,
    draw,
    draw_comparison,
    draw_training,
    find_theme,
    read_comparison,
    read_histories,
    save,
)
from sector.figures.comparison import best_of

pytest.importorskip("matplotlib", reason="figures need matplotlib")


def panel(sentences: int = 12, labels: tuple[str, ...] = ("a.pump", "a.valve", "a.hose"), **others: Any) -> Panel:
    """Return a panel of sections of four sentences, the labels in turns."""
    text = "Water. " * sentences
    edges = [*range(0, 7 * sentences, 28), 7 * sentences]
    sections = [Section(*pair, labels[i % len(labels)], source=text) for i, pair in enumerate(pairwise(edges))]
    values = np.eye(len(labels), dtype=np.float32)[np.arange(sentences) // 4 % len(labels)]
    document = Document(text, sections=tuple(sections), labels=labels, model="m")
    curve = Curve("deviation emd", np.linspace(0, 0.5, sentences, dtype=np.float32), chosen=True)
    return Panel(document, "m, emd", labels, values, curves=(curve,), **others)


def lines_of(axes: Any) -> list[float]:
    """Return where boundaries stand on the heat map."""
    vertical = [c for c in axes.collections if all(s[0][0] == s[1][0] for s in c.get_segments())]
    return [float(segment[0][0]) for found in vertical for segment in found.get_segments()]


def test_boundaries_stand_before_the_first_sentences_of_sections_and_gold_in_boxes() -> None:
    gold = panel(8).document.sections
    drawn: Any = draw([panel(gold=gold)])
    strip, middle, below, *_ = drawn.axes
    assert lines_of(middle) == [4, 8]
    boxes = [(patch.get_x(), patch.get_width(), round(patch.get_y() + 0.46)) for patch in middle.patches]
    assert boxes == [(0, 4, 0), (4, 8, 1)]
    (top,) = strip.child_axes
    assert [label.get_text() for label in top.get_xticklabels(minor=True)] == ["pump", "valve"]
    assert [label.get_text() for label in middle.get_yticklabels()] == ["pump", "valve", "hose"]
    assert below.get_xlim() == (0, 12)


def test_the_chosen_curve_carries_the_cuts() -> None:
    drawn: Any = draw([panel()])
    below = drawn.axes[2]
    (marks,) = [c for c in below.collections if type(c).__name__ == "PathCollection"]
    (line,) = below.lines
    assert marks.get_offsets()[:, 0].tolist() == [4, 8]
    np.testing.assert_allclose(marks.get_offsets()[:, 1], np.interp([4, 8], line.get_xdata(), line.get_ydata()))


def test_a_window_shows_its_sentences_alone() -> None:
    drawn: Any = draw([panel(40)], sentences=(10, 22))
    _, middle, below, *_ = drawn.axes
    assert below.get_xlim() == (10, 22) and lines_of(middle) == [12, 16, 20]
    assert middle.images[0].get_array().shape == (3, 12)
    with pytest.raises(ConfigError, match="the document has 12"):
        draw([panel()], sentences=(12, 20))


def test_panels_stand_in_one_grid_whatever_their_names_are() -> None:
    gold = panel(12, ("short", "A very long name of a section", "b")).document.sections
    drawn: Any = draw([panel(12), panel(12, ("a label with a long name", "b", "c"), gold=gold)])
    drawn.draw_without_rendering()
    edges = {tuple(np.round(place.get_position().intervalx, 6)) for place in drawn.axes[:6] if not place.images}
    assert len(edges) == 1


def test_names_do_not_leave_the_figure() -> None:
    text = "Water. " * 40
    last = "The very last section of it"
    gold = (Section(0, 266, "a", source=text), Section(266, 280, last, source=text))
    drawn: Any = draw([panel(40, gold=gold)])
    drawn.draw_without_rendering()
    (top,) = drawn.axes[0].child_axes
    names = top.get_xticklabels(minor=True)
    assert names[-1].get_text().endswith("…")
    assert all(name.get_window_extent().x1 <= drawn.bbox.x1 for name in names)


def test_the_colours_of_large_vocabularies_show_small_probabilities() -> None:
    labels = tuple(f"label {number}" for number in range(120))
    for one, shade in ((panel(12), 0.09), (panel(12, candidates=labels), 0.3)):
        drawn: Any = draw([one])
        assert drawn.axes[1].images[0].norm(0.09) == pytest.approx(shade)


def test_long_documents_go_on_below_and_are_pressed_together() -> None:
    drawn: Any = draw([panel(6000)])
    axes = drawn.axes
    strips = [place for place in axes if [label.get_text() for label in place.get_yticklabels()] == ["predicted"]]
    assert len(strips) == 6
    maps = [place for place in axes if place.images]
    assert {place.images[0].get_array().shape for place in maps} == {(3, 900)}
    assert [place.get_xlim() for place in maps][:2] == [(0, 1000), (1000, 2000)]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_files_of_every_kind_are_the_same_each_time(tmp_path: Path, theme: str, ending: str) -> None:
    heads = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    for name in ("a", "b"):
        save(draw([panel()], find_theme(theme), columns=2), tmp_path / f"{name}.{ending}", title="Pumps")
    content = (tmp_path / f"a.{ending}").read_bytes()
    assert content.startswith(heads[ending]) and content == (tmp_path / f"b.{ending}").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"a.{ending}", f"b.{ending}"]


def test_names_are_text_and_nothing_in_them_is_obeyed(tmp_path: Path) -> None:
    labels = ("cost in $ and more $x^{", "<script>", "line\nbreak\x1b[31m", "ﷺ العربية")
    assert save(draw([panel(16, labels)]), tmp_path / "a.svg", title="<b>") == ""
    svg = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "cost in $ and more $x^{" in svg and "&lt;script&gt;" in svg and "<script>" not in svg and "\x1b" not in svg


def test_letters_that_no_font_has_are_told(tmp_path: Path) -> None:
    assert save(draw([panel(8, ("\U00013000", "b"))]), tmp_path / "a.png").startswith("\U00013000")


def test_what_cannot_be_drawn_or_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no sentence"):
        draw([Panel(Document(""))])
    with pytest.raises(ConfigError, match=r"'a.gif'.*\.png"):
        save(draw([panel()]), tmp_path / "a.gif")
    with pytest.raises(ConfigError, match="no folder"):
        save(draw([panel()]), tmp_path / "none" / "a.png")
    with pytest.raises(ConfigError, match="light, dark, print"):
        find_theme("sepia")
    assert list(tmp_path.iterdir()) == []


def luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return float(np.dot([0.2126, 0.7152, 0.0722], linear))


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("name", THEMES)
def test_colours_can_be_read_and_heat_grows_in_lightness(name: str) -> None:
    theme = THEMES[name]
    for text in (theme.ink, theme.quiet, theme.gold):
        assert contrast(text, theme.paper) >= 4.5
    assert all(contrast(theme.on_section, colour) >= 4.5 for colour in theme.sections)
    assert all(contrast(colour, theme.paper) >= 3 for colour in theme.curves)
    steps = np.diff([luminance(colour) for colour in theme.heat])
    assert (steps > 0).all() or (steps < 0).all()


def test_a_training_run_has_its_loss_and_its_best_epoch() -> None:
    entries = [{"epoch": float(i), "loss": 1 / i, "map": score} for i, score in ((1, 0.4), (2, 0.7), (3, 0.6))]
    drawn: Any = draw_training({"a": entries, "b": [{"epoch": 1.0, "loss": 2.0, "map": 0.1}]})
    loss, score = drawn.axes
    assert loss.lines[0].get_ydata().tolist() == [1, 0.5, 1 / 3]
    assert score.collections[0].get_offsets().tolist() == [[2, 0.7]]
    assert [text.get_text() for text in score.get_legend().get_texts()] == ["a", "b"]
    assert len(draw_training({"a": [{"epoch": 1.0, "loss": 2.0, "map": 0.0}]}).axes) == 1


def test_runs_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    entries = json.dumps({"history": [{"epoch": 1, "loss": 0.5}]}).encode()
    for folder in ("small", "large"):
        run = tmp_path / folder / "model.work"
        run.mkdir(parents=True)
        np.savez(run / "weights.npz", __header__=np.frombuffer(entries, np.uint8))
    runs = [tmp_path / folder / "model.work" for folder in ("small", "large")]
    assert list(read_histories(runs)) == ["small/model.work", "large/model.work"]
    assert list(read_histories(runs[:1])) == ["model.work"]


POINTS = [Point("slow", 5, 8, has_labels=True), Point("worse", 4, 9), Point("fast", 90, 20), Point("equal", 90, 21)]


def test_a_comparison_names_its_systems_and_joins_the_best() -> None:
    assert [point.name for point in best_of(POINTS)] == ["slow", "fast"]
    drawn: Any = draw_comparison(POINTS)
    (axes,) = drawn.axes
    assert {text.get_text() for text in axes.texts} == {"slow", "worse", "fast", "equal"}
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["labels its sections", "boundaries only"]
    assert {text.get_bbox_patch().get_facecolor() for text in axes.texts} == {(1.0, 1.0, 1.0, 1.0)}, (
        "no line strikes it"
    )


def test_results_of_a_comparison_are_read_or_refused(tmp_path: Path) -> None:
    row = {"segmentation": "max", "pk": 12.5, "f1": None, "documents_per_second": 40}
    record = {"title": "X", "data": "d", "protocol": "sector", "rows": [row]}
    (tmp_path / "a.json").write_text(json.dumps([record]))
    assert read_comparison(tmp_path) == [Point("X max", 40.0, 12.5, "d", "sector")]
    (tmp_path / "b.json").write_text("{")
    with pytest.raises(DataError, match="sector compare"):
        read_comparison(tmp_path)
    with pytest.raises(DataError, match="run `sector compare` again"):
        read_comparison(tmp_path / "c.txt")
