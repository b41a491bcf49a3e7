"""The page in a real browser: how the text of a document is shown, and what stays when another one cannot be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from browser import TOWN, downloaded, labels, paste, settled, site, slide, tab, text_of

__all__ = ["site", "tab"]


def drop(tab: Any, name: str, content: str) -> None:
    with tab.expect_response("**/v1/segment"):
        tab.evaluate(
            """([name, content]) => {
              const data = new DataTransfer();
              data.items.add(new File([content], name));
              window.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
            }""",
            [name, content],
        )
    settled(tab)


def test_a_document_that_cannot_be_read_leaves_the_one_before(tab: Any) -> None:
    paste(tab, TOWN)
    before = labels(tab)
    drop(tab, "broken.pdf", "%PDF-1.7 broken")
    assert "PDF is broken" in tab.inner_text("#problem")
    assert tab.inner_text("#facts").startswith("Pasted text")
    assert json.loads(downloaded(tab, "json"))["sections"][0]["text"].startswith("The first")
    tab.click("#correct")
    tab.click("#s1 [data-act=join]")
    assert tab.locator(".section").count() == len(before) - 1
    slide(tab, "granularity", 2)
    assert tab.is_hidden("#problem")
    assert tab.inner_text("#facts").startswith("Pasted text")


def test_the_keyboard_goes_on_in_the_document(tab: Any) -> None:
    paste(tab, TOWN)
    assert tab.evaluate("document.activeElement.id") == "document"
    tab.keyboard.press("Tab")
    tab.keyboard.press("Shift+Tab")
    slide(tab, "granularity", 2)
    tab.click("#new")
    assert tab.evaluate("document.activeElement.id") == "text"


def test_a_heading_that_is_the_title_already_is_quiet(tab: Any, tmp_path: Path) -> None:
    path = tmp_path / "guide.md"
    path.write_text("# Guide\n\nRead this first.\n\n## The pump\n\nThe pump is blue. It hums.\n", encoding="utf-8")
    tab.set_input_files("#file", path)
    tab.wait_for_selector(".section")
    assert tab.locator(".text .heading").all_inner_texts() == ["# Guide", "## The pump"]
    assert "".join(text_of(tab).split()) == "".join(path.read_text(encoding="utf-8").split())
    colour = "getComputedStyle(document.querySelector('.text .heading')).color"
    assert tab.evaluate(colour) == "rgb(88, 98, 115)"


def test_long_paragraphs_stand_apart_and_wrapped_lines_do_not(tab: Any) -> None:
    paragraph = "The town lies on the river. " * 12
    paste(tab, f"{paragraph}\n{paragraph}\n{paragraph}")
    assert tab.locator(".text .paragraph").count() == 2 - (tab.locator(".section").count() - 1)
    tab.click("#new")
    paste(tab, "The town lies on the river.\nThe river is wide.\nShips come and go.\n")
    assert tab.locator(".text .paragraph").count() == 0


def test_sections_unlike_what_the_model_knows_are_marked(tab: Any) -> None:
    def unlike(route: Any) -> None:
        answer = route.fetch()
        record = answer.json()
        for number, section in enumerate(record["sections"]):
            section["in_domain"] = 0.1 if number == 1 else 0.9
        route.fulfill(response=answer, json=record)

    tab.route("**/v1/segment", unlike)
    paste(tab, TOWN)
    assert tab.locator(".unfamiliar").count() == 1
    assert tab.inner_text("#s1 .unfamiliar") == "unfamiliar"
    assert "10 % like" in str(tab.get_attribute("#s1 .sure", "title"))


def test_chunks_of_one_title_are_told_apart_by_how_they_begin(tab: Any) -> None:
    tab.click("text=A lease")
    tab.wait_for_selector(".section")
    tab.click("[data-view=chunks]")
    tab.wait_for_selector(".chunk")
    settled(tab)
    hints = tab.locator("#outline .name .path").all_inner_texts()
    assert hints[0].startswith("This agreement is made")
    assert len(set(hints)) == len(hints) > 1


def test_the_first_count_covers_no_text(tab: Any) -> None:
    paste(tab, TOWN)
    assert tab.locator("#status.quiet").count() == 1
    slide(tab, "granularity", -6)
    assert tab.locator("#status.quiet").count() == 0
