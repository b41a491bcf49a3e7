"""The page in a real browser: chunks, labels of one's own, links between heat map and text, the address."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import TOWN, downloaded, labels, opened, paste, settled, slide, tab, text_of, until
from browser import site as labelled_site
from service import listening

import sector
from sector.server import Settings, create_app
from tiny_open import PHRASES, make_open

__all__ = ["labelled_site", "tab"]
OWN = "history, climate, money"


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of a service with a model of open vocabulary beside one with labels."""
    folder = make_open(tmp_path_factory.mktemp("page"))
    with listening(create_app(Settings(models=("en_city", str(folder))))) as address:
        yield address


def type_labels(tab: Any, names: str) -> None:
    with tab.expect_response("**/v1/segment"):
        tab.fill("#labels", names)
    settled(tab)


def test_chunks_have_token_counts(tab: Any) -> None:
    paste(tab, TOWN)
    with tab.expect_response("**/v1/chunk"):
        tab.click("[data-view=chunks]")
    settled(tab)
    slide(tab, "max_tokens", 2, "chunk")
    expected = list(sector.load("en_city").chunk(TOWN, max_tokens=128))
    assert tab.locator(".chunk").count() == len(expected)
    assert tab.inner_text("#s0 .sure") == f"{expected[0].tokens} of 128 tokens"
    assert text_of(tab) == "\n".join(chunk.text.rstrip() for chunk in expected)
    assert tab.url.endswith("#view=chunks&max_tokens=128")
    assert tab.is_hidden("#figure")
    assert tab.is_hidden("#granularity")
    lines = [json.loads(line) for line in downloaded(tab, "chunks").splitlines()]
    assert [line["tokens"] for line in lines] == [chunk.tokens for chunk in expected]


def test_repeated_sentences_are_marked(tab: Any) -> None:
    paste(tab, "😀 " + TOWN)
    tab.click("[data-view=chunks]")
    slide(tab, "max_tokens", 1, "chunk")
    slide(tab, "overlap", 1, "chunk")
    before, after = tab.inner_text("#s0 .text"), tab.inner_text("#s1 .repeated")
    assert before.endswith(after.strip())
    assert len(after) > 20


def test_sections_are_as_they_were_after_a_look_at_chunks(tab: Any) -> None:
    paste(tab, TOWN)
    tab.click("#correct")
    tab.click("#s1 [data-act=join]")
    count = tab.locator(".section").count()
    tab.click("[data-view=chunks]")
    tab.wait_for_selector(".chunk")
    assert tab.is_hidden("#correct")
    tab.click("[data-view=sections]")
    tab.wait_for_selector("#figure:not([hidden])")
    assert tab.locator(".section").count() == count


def test_labels_of_ones_own(tab: Any) -> None:
    paste(tab, TOWN)
    type_labels(tab, OWN)
    found = set(labels(tab))
    assert found <= {"History", "Climate", "Money", "Other"}
    assert len(found) > 1
    assert "labelled by open" in tab.inner_text("#facts")
    assert tab.locator("#outline .again").count() == 0
    assert "labels=history%2Cclimate%2Cmoney" in tab.url
    type_labels(tab, "")
    assert labels(tab)[1] == "Geography"


def test_a_model_that_gives_titles_of_its_own(tab: Any) -> None:
    paste(tab, TOWN)
    assert "open · titles of its own" in tab.inner_text("#model")
    with tab.expect_response("**/v1/segment"):
        tab.select_option("#model", "open")
    settled(tab)
    assert set(labels(tab)) <= set(PHRASES)
    assert set(tab.locator("#figure-rows span").all_inner_texts()) <= set(PHRASES)


def test_a_new_document_has_the_first_colours(tab: Any) -> None:
    paste(tab, TOWN)
    tab.click("#new")
    paste(tab, "Football is played on Saturdays. The team won the cup. The stadium seats two thousand.")
    assert "c0" in str(tab.get_attribute("#s0", "class")).split()


def test_no_labels_without_a_model_that_takes_them(chromium: Any, labelled_site: str) -> None:
    for page in opened(chromium, labelled_site, f"/#labels={OWN}"):
        paste(page, TOWN)
        assert page.is_disabled("#labels")
        assert "open vocabulary" in page.inner_text("#labels-help")
        assert labels(page)[1] == "Geography"


def test_a_sentence_shows_its_column(tab: Any) -> None:
    paste(tab, TOWN)
    tab.hover("#s1 [data-sentence] >> nth=0")
    assert tab.is_visible("#cursor")
    assert tab.inner_text("#caption").startswith("6: Geography")
    assert tab.locator(".here").count() == 0


def test_another_address_sets_the_controls_and_reads_again(tab: Any) -> None:
    paste(tab, TOWN)
    with tab.expect_response("**/v1/segment"):
        tab.evaluate("location.hash = '#model=open&headings=ignore'")
    settled(tab)
    assert (tab.input_value("#model"), tab.input_value("#headings")) == ("open", "ignore")
    assert set(labels(tab)) <= set(PHRASES)
    tab.focus("#skip")
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "document"
    assert "model=open" in tab.url


def test_a_drag_is_one_correction(tab: Any) -> None:
    paste(tab, TOWN)
    tab.click("#correct")
    tab.locator("#s1 [data-act=move]").hover()
    tab.mouse.down()
    for number in (4, 3, 2):
        tab.locator("#s0 [data-sentence]").nth(number).hover()
    tab.mouse.up()
    assert tab.inner_text("#s1 .text").startswith("Fire destroyed")
    assert tab.inner_text("#status").startswith("1 correction.")
    tab.click("#s2 [data-act=join]")
    assert tab.inner_text("#status").startswith("2 corrections.")
    tab.keyboard.press("Control+z")
    tab.keyboard.press("Control+z")
    assert tab.inner_text("#s1 .text").startswith("The town lies")


def test_a_title_that_is_left_as_it_was(tab: Any) -> None:
    paste(tab, TOWN)
    tab.click("#correct")
    tab.click("#s1 [data-act=rename]")
    tab.keyboard.press("Escape")
    assert tab.inner_text("#s1 .title") == "Geography"
    assert tab.locator("input.label").count() == 0


def test_on_a_phone_the_document_comes_first(chromium: Any, site: str) -> None:
    phone: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
    for page in opened(chromium, site, **phone):
        paste(page, TOWN)
        assert page.is_hidden("#granularity")
        assert page.locator("#s0 .text").bounding_box()["y"] < 700
        page.tap("#controls summary")
        assert page.is_visible("#granularity")
        page.tap("[data-view=chunks]")
        page.wait_for_selector(".chunk")
        until(page, "document.documentElement.scrollWidth <= innerWidth")


def test_files_of_many_formats(tab: Any, tmp_path: Path) -> None:
    files = {
        "a.md": "# Guide\n\nOne sentence here.\n\n## Install\n\nRun the command.\n",
        "b.html": "<h1>Guide</h1><p>One sentence here.</p><script>window.hacked = 1</script>",
        "c.eml": "Subject: Guide\nFrom: a@example.org\n\nOne sentence here.\n",
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
        tab.set_input_files("#file", tmp_path / name)
        tab.wait_for_selector(".section")
        assert tab.inner_text("#facts").startswith(name)
        assert "One sentence here." in text_of(tab)
        assert tab.evaluate("window.hacked") is None
        tab.click("#new")
    (tmp_path / "d.pdf").write_bytes(b"%PDF-1.7 broken")
    tab.set_input_files("#file", tmp_path / "d.pdf")
    tab.wait_for_selector("#problem:not([hidden])")
    assert "PDF" in tab.inner_text("#problem")


def test_the_number_of_sections_is_chosen_and_given_back(tab: Any) -> None:
    paste(tab, TOWN)
    found = tab.locator(".section").count()
    assert tab.inner_text("#sections-shown") == "as found"
    assert tab.input_value("#sections") == str(found)
    slide(tab, "granularity", 2)
    slide(tab, "sections", 3)
    assert tab.locator(".section").count() == 3
    assert (tab.inner_text("#sections-shown"), tab.input_value("#granularity")) == ("3", "0")
    assert tab.url.endswith("#sections=3")
    with tab.expect_response("**/v1/segment"):
        tab.click("#sections-auto")
    settled(tab)
    assert tab.locator(".section").count() == found
    assert "sections" not in tab.url


def test_headings_of_the_author_may_be_more_than_were_asked_for(tab: Any, tmp_path: Path) -> None:
    path = tmp_path / "guide.md"
    path.write_text("".join(f"# Part {number}\n\nOne sentence here. Another one.\n\n" for number in range(4)))
    tab.set_input_files("#file", path)
    tab.wait_for_selector(".section")
    slide(tab, "sections", 2)
    assert tab.locator(".section").count() == 4
    assert tab.inner_text("#sections-shown") == "2 asked, 4 found"
