"""The page in a real browser: paste, drop, slide, hover, correct, download, errors, phone, accessibility."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import TOWN, downloaded, labels, opened, paste, settled, site, slide, tab, text_of, until
from service import listening

import sector
from sector.datasets import read
from sector.server import Settings, create_app, write_page

__all__ = ["site", "tab"]
HOSTILE = (
    "<script>window.hacked = 1</script> <img src=x onerror='window.hacked = 1'> ended the talk. "
    "\u202eBackwards\u202c came the answer. &amp; &lt;b&gt; 😀 followed. \u200f\u05e9\u05dc\u05d5\u05dd. \x07 rang.\n"
)


def test_a_pasted_text_is_shown_with_its_sections(tab: Any) -> None:
    paste(tab, TOWN)
    expected = sector.load("en_city").segment(TOWN)
    assert tab.locator(".section").count() == len(expected.sections)
    assert labels(tab)[0] == "History"
    assert text_of(tab) == "\n".join(section.text.rstrip() for section in expected.sections)
    assert f"{len(TOWN):,} characters" in tab.inner_text("#facts")


def test_a_file_is_dropped(tab: Any) -> None:
    tab.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], "town.txt", {type: "text/plain"}));
          window.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
        }""",
        TOWN,
    )
    tab.wait_for_selector(".section")
    assert tab.inner_text("#facts").startswith("town.txt · ")


def test_a_file_is_opened(tab: Any, tmp_path: Path) -> None:
    path = tmp_path / "town.txt"
    path.write_text(TOWN, encoding="utf-8")
    tab.set_input_files("#file", path)
    tab.wait_for_selector(".section")
    assert labels(tab)[1] == "Geography"


def test_sliding_decodes_again_and_stands_in_the_address(tab: Any) -> None:
    paste(tab, TOWN)
    before = tab.locator(".section").count()
    slide(tab, "granularity", -6)
    fewer = tab.locator(".section").count()
    assert fewer <= before
    assert "granularity=0.125" in tab.url
    assert "settlers" not in tab.url
    slide(tab, "granularity", 0)
    assert tab.locator(".section").count() == before
    assert "granularity" not in tab.url


def test_the_address_sets_the_controls(chromium: Any, site: str) -> None:
    for page in opened(chromium, site, "/#model=en_disease&granularity=0.5&merge=true"):
        assert page.input_value("#model") == "en_disease"
        assert page.input_value("#granularity") == "-2"
        assert page.is_checked("#merge")


def test_another_model(tab: Any) -> None:
    tab.click("text=An illness")
    tab.wait_for_selector(".section")
    with tab.expect_response("**/v1/segment"):
        tab.select_option("#model", "en_disease")
    settled(tab)
    assert labels(tab)[0] == "Symptom"
    assert "model=en_disease" in tab.url


def test_the_heat_map_is_linked_to_the_sentences(tab: Any) -> None:
    paste(tab, TOWN)
    tab.hover("#plot", position={"x": 3, "y": 40})
    assert tab.inner_text("#caption").startswith("1: History")
    assert tab.inner_text(".here").startswith("The first settlers")
    tab.focus("#plot")
    tab.keyboard.press("End")
    assert tab.get_attribute("#plot", "aria-valuenow") == tab.get_attribute("#plot", "aria-valuemax")
    assert "football" in str(tab.get_attribute("#plot", "aria-valuetext"))
    tab.keyboard.press("Enter")
    tab.wait_for_selector(".jumped")
    until(tab, "scrollY > 200")


def test_the_outline_jumps(tab: Any) -> None:
    paste(tab, TOWN)
    tab.click("#outline li:last-child a")
    until(tab, "scrollY > 200")
    assert tab.evaluate("document.activeElement.dataset.number") == str(tab.locator(".section").count() - 1)


def test_corrections_become_training_data(tab: Any, tmp_path: Path) -> None:
    paste(tab, "😀 " + TOWN)
    tab.click("#correct")
    count = tab.locator(".section").count()
    tab.click("#s1 [data-act=rename]")
    tab.fill("#s1 input.label", "city.site")
    tab.keyboard.press("Enter")
    assert tab.inner_text("#s1 .title bdi").lower().endswith("site")
    tab.focus("#s2 [data-act=move]")
    tab.keyboard.press("ArrowUp")
    assert tab.evaluate("document.activeElement.dataset.act") == "move"
    tab.locator("#s0 [data-sentence]").nth(2).click()
    assert tab.locator(".section").count() == count + 1
    tab.click("#s1 [data-act=join]")
    assert tab.locator(".section").count() == count
    path = tmp_path / "train.jsonl"
    path.write_text(downloaded(tab, "training"), encoding="utf-8")
    (document,) = read(path)
    assert document.text == "😀 " + TOWN
    assert document.is_covered()
    assert document.sections[1].label == "city.site"
    assert document.sections[2].text.startswith("The municipal area covers")


def test_a_boundary_is_dragged_and_undone(tab: Any) -> None:
    paste(tab, TOWN)
    tab.click("#correct")
    tab.locator("#s1 [data-act=move]").hover()
    tab.mouse.down()
    tab.locator("#s0 [data-sentence]").nth(3).hover()
    tab.mouse.up()
    assert tab.inner_text("#s1 .text").startswith("During the nineteenth century")
    tab.click("#status button")
    assert tab.inner_text("#s1 .text").startswith("The town lies")


def test_downloads(tab: Any) -> None:
    paste(tab, TOWN)
    found = json.loads(downloaded(tab, "json"))
    expected = json.loads(sector.load("en_city").segment(TOWN).to_json())
    assert [(part["begin"], part["end"], part["label"], part["text"]) for part in found["sections"]] == [
        (part["begin"], part["end"], part["label"], part["text"]) for part in expected["sections"]
    ]
    assert "## History\n\nThe first settlers" in downloaded(tab, "markdown")


def test_the_downloaded_page_stands_alone(tab: Any, tmp_path: Path) -> None:
    paste(tab, TOWN)
    path = tmp_path / "town.html"
    path.write_text(downloaded(tab, "html"), encoding="utf-8")
    found = tab.context.new_page()
    found.goto(path.as_uri())
    assert found.locator("nav a").all_inner_texts() == labels(tab)
    assert found.locator("h2").first.inner_text().startswith("History")
    assert found.locator("section div").first.inner_text().startswith("The first settlers")
    colour = "getComputedStyle(document.querySelector('section')).borderLeftColor"
    assert found.evaluate(colour) == "rgb(51, 34, 136)"


def test_hostile_text_is_text(tab: Any) -> None:
    paste(tab, HOSTILE * 3)
    assert "".join(text_of(tab).split()) == "".join((HOSTILE * 3).split())
    assert tab.evaluate("window.hacked") is None
    assert tab.locator(".section img, .section script").count() == 0
    assert "<script>" not in downloaded(tab, "html")


def test_a_long_line_and_nothing(tab: Any) -> None:
    tab.click("#go")
    tab.wait_for_selector(".empty")
    tab.click("#new")
    tab.evaluate("document.getElementById('text').value = 'x'.repeat(900000)")
    tab.click("#go")
    tab.wait_for_selector(".section")
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert len(text_of(tab)) == 900_000


def test_errors_are_said(tab: Any) -> None:
    tab.evaluate("document.getElementById('text').value = 'x. '.repeat(400000)")
    tab.click("#go")
    tab.wait_for_selector("#problem:not([hidden])")
    assert "1,048,576" in tab.inner_text("#problem")
    tab.click("#problem-close")
    assert tab.is_hidden("#problem")
    tab.route("**/v1/segment", lambda route: route.abort())
    tab.fill("#text", "One. Two.")
    tab.click("#go")
    tab.wait_for_selector("#problem:not([hidden])")
    assert "does not answer" in tab.inner_text("#problem")


def test_a_key_is_asked_for(chromium: Any) -> None:
    with listening(create_app(Settings(models=("en_city",), api_key="sesame"))) as address:
        context = chromium.new_context()
        tab = context.new_page()
        tab.goto(address)
        tab.fill("#key-value", "sesame")
        tab.keyboard.press("Enter")
        tab.wait_for_selector("#examples button")
        paste(tab, "One. Two.")
        context.close()


@pytest.mark.parametrize(
    "options",
    [{}, {"color_scheme": "dark"}, {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}],
    ids=["light", "dark", "phone"],
)
def test_accessible(chromium: Any, site: str, options: dict[str, Any]) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe checks accessibility").Axe()
    context = chromium.new_context(**options)
    tab = context.new_page()
    tab.goto(site)
    tab.wait_for_selector("#examples button")
    assert problems(axe, tab) == []
    paste(tab, TOWN)
    tab.click("#correct")
    assert problems(axe, tab) == []
    tab.click("#save summary")
    assert problems(axe, tab) == []
    assert tab.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tab.keyboard.press("Escape")
    tab.click("#new")
    tab.click("text=A lease")  # several chunks of one title
    tab.wait_for_selector(".section")
    tab.click("[data-view=chunks]")
    tab.wait_for_selector(".chunk")
    assert problems(axe, tab) == []
    context.close()


def problems(axe: Any, tab: Any) -> list[str]:
    found = axe.run(tab).response["violations"]
    return [f"{entry['id']}: {entry['help']} {[node['html'][:120] for node in entry['nodes']]}" for entry in found]


@pytest.fixture(scope="session")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of the exported page, on a server that knows files only."""
    from fastapi import FastAPI
    from starlette.staticfiles import StaticFiles

    folder = tmp_path_factory.mktemp("site") / "pages"
    write_page(folder, Settings(models=("en_city",)))
    files = FastAPI()
    files.mount("/", StaticFiles(directory=folder, html=True))
    with listening(files) as address:
        yield address


def test_the_exported_page_needs_no_service(chromium: Any, exported: str) -> None:
    for page in opened(chromium, exported):
        page.wait_for_selector(".section")
        page.click("#new")
        assert page.is_hidden("#text")
        page.click("text=A town")
        page.wait_for_selector(".section")
        before = page.locator(".section").count()
        assert labels(page)[0] == "History"
        page.locator("#granularity").press("Home")
        until(page, "location.hash.includes('0.125')")
        settled(page)
        assert page.locator(".section").count() <= before
