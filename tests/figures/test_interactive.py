"""The interactive page: self-contained, harmless, and usable with pointer, keyboard and screen reader."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import sector
from sector.document import Document, Section
from sector.errors import ConfigError
from sector.figures import Panel, gold_sections, page_of, read_panels, save_page
from tiny import HELD_OUT

HOSTILE = (
    "</script><script>window.hacked = 1</script> spoke. {{data}} \u202eanswered. <img src=x onerror=hacked=1> fell.\n"
)


@pytest.fixture(scope="module")
def panels(tiny_model: Path) -> list[Panel]:
    text = HELD_OUT + HOSTILE
    gold = (Section(0, 100, "symptom", source=text), Section(100, len(text), "<b>", source=text))
    document = Document(text, title="<i>A & B</i>", sections=gold)
    return list(read_panels(sector.load(tiny_model), document, ["newline", "bemd"], gold=gold_sections(document)))


def data_of(page: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(re.findall(r'<script type="application/json" id="data">(.*?)</script>', page)[0])
    return found


def test_the_page_has_all_the_numbers_and_no_address(panels: list[Panel]) -> None:
    page = page_of(panels)
    record = data_of(page)
    assert record["length"] == len(panels[0].document)
    for panel, drawn in zip(panels, record["panels"], strict=True):
        assert [start for start, _, _ in drawn["sections"]] == panel.starts.tolist()
        assert panel.values is not None and len(drawn["values"][0]) == len(panel.values)
        assert max(abs(v / 100 - x) for v, x in zip(drawn["values"][0], panel.values[:, 0], strict=True)) <= 0.005
        assert [name for _, name, _ in drawn["gold"]] == ["symptom", "<b>"]
    assert "http" not in page.replace("http-equiv", "") and "default-src 'none'" in page


def test_what_documents_contain_is_text(panels: list[Panel]) -> None:
    page = page_of(panels)
    assert page.count("<script") == 2 and page.count("</script>") == 2
    assert "\u202e" not in page and "<img" not in page and "<b>" not in page
    assert "<h1>&lt;i&gt;A &amp; B&lt;/i&gt;</h1>" in page and "{{data}}" in page


def test_panels_of_other_documents_and_of_none_are_refused(panels: list[Panel], tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="different documents"):
        page_of([panels[0], Panel(Document("Another one."))])
    with pytest.raises(ConfigError, match="no sentence"):
        save_page([], tmp_path / "a.html")
    assert not list(tmp_path.iterdir())


@pytest.fixture
def tab(chromium: Any, panels: list[Panel], tmp_path: Path) -> Any:
    save_page(panels, tmp_path / "figure.html")
    context = chromium.new_context(viewport={"width": 1100, "height": 500})
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    page.goto((tmp_path / "figure.html").as_uri())
    yield page
    assert complaints == [] and page.evaluate("window.hacked") is None
    context.close()


def test_pointing_reads_a_sentence_and_clicking_goes_there(tab: Any) -> None:
    first = tab.locator(".plot").first
    box = first.bounding_box()
    length = data_of(tab.content())["length"]
    place = {"x": (length - 0.5) / length * box["width"], "y": 30}
    first.hover(position=place)
    assert tab.inner_text("#caption").startswith(f"{length}:")
    assert tab.locator(".at").count() == 1
    first.click(position=place)
    tab.locator(f"#s{length - 1}").wait_for()
    assert tab.locator(".cursor:not([hidden])").count() == 2


def test_the_keyboard_moves_magnifies_and_jumps(tab: Any) -> None:
    plot = tab.locator(".plot").nth(1)
    plot.focus()
    for key in ("Home", "ArrowRight", "ArrowRight"):
        tab.keyboard.press(key)
    assert plot.get_attribute("aria-valuenow") == "3"
    assert "A doctor should see anyone" in plot.get_attribute("aria-valuetext")
    width = plot.bounding_box()["width"]
    tab.keyboard.press("+")
    assert plot.bounding_box()["width"] == pytest.approx(2 * width)
    tab.keyboard.press("Enter")
    assert plot.get_attribute("aria-valuenow") == "3"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_is_accessible(tab: Any, scheme: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core checks accessibility")
    tab.emulate_media(color_scheme=scheme)
    found = axe.Axe().run(tab)
    assert found.violations_count == 0, found.generate_report()
