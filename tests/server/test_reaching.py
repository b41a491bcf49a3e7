"""The page in a real browser with a long document: what takes time is said, and every place is reached."""

from __future__ import annotations

from typing import Any

from browser import TOWN, paste, settled, site, tab, until

__all__ = ["site", "tab"]
LONG = (TOWN.strip() + "\n\n") * 15
"""More sections than are laid out at once."""
TOP = "document.querySelector('{0}').getBoundingClientRect().top"


def test_a_click_on_the_heat_map_reaches_its_sentence(tab: Any) -> None:
    paste(tab, LONG)
    settled(tab)
    assert tab.locator(".long").count() == 1
    tab.locator("#plot").click(position={"x": 700, "y": 40})
    tab.wait_for_selector(".jumped")
    until(tab, f"{TOP.format('.jumped')} > document.getElementById('figure').getBoundingClientRect().bottom")
    until(tab, f"{TOP.format('.jumped')} < innerHeight * 0.75")


def test_the_outline_follows_in_a_box_of_its_own(tab: Any) -> None:
    paste(tab, LONG)
    settled(tab)
    tab.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
    until(tab, "document.getElementById('contents').scrollTop > 300")
    assert tab.locator("#outline [aria-current]").bounding_box()["y"] > tab.locator("#options").bounding_box()["y"]
    assert tab.is_visible("#granularity")
    tab.locator("#outline a").nth(30).click()
    until(tab, "document.querySelector('#outline [aria-current]').dataset.number === '30'")


def test_what_takes_long_is_said(tab: Any) -> None:
    held: list[Any] = []
    tab.route("**/v1/segment", lambda route: held.append(route))
    tab.fill("#text", TOWN)
    tab.click("#go")
    until(tab, "document.getElementById('status').textContent.startsWith('Reading')")
    assert tab.evaluate("getComputedStyle(document.body, '::before').position") == "fixed"
    held[0].continue_()
    tab.wait_for_selector(".section")
    assert tab.evaluate("getComputedStyle(document.body, '::before').content") == "none"
