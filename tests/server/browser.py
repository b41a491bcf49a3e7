"""The page in a real browser."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from service import listening

from sector.server import Settings, create_app
from sector.server.routes.page import FOLDER

TOWN = (FOLDER / "examples" / "harbour-town.txt").read_text(encoding="utf-8")
PATIENCE = 20_000
"""Milliseconds: a busy machine is no failure."""


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Give the address of a service with two embedded models."""
    with listening(create_app(Settings(models=("en_city", "en_disease")))) as address:
        yield address


@pytest.fixture
def tab(chromium: Any, site: str) -> Iterator[Any]:
    """Open the page; anything that the browser complains of fails the test."""
    yield from opened(chromium, site)


def opened(chromium: Any, address: str, path: str = "/", **options: Any) -> Iterator[Any]:
    context = chromium.new_context(**{"viewport": {"width": 1280, "height": 900}, "accept_downloads": True} | options)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(address + path)
    page.wait_for_selector("#examples button", state="attached")
    yield page
    context.close()
    assert [text for text in complaints if "Failed to load resource" not in text] == []


def until(page: Any, expression: str) -> None:
    """Wait until an expression is true. Playwright's own way needs `eval`, which the page's policy forbids."""
    end = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(expression):
        assert time.monotonic() < end, expression
        time.sleep(0.03)


def paste(tab: Any, text: str) -> None:
    tab.fill("#text", text)
    tab.click("#go")
    tab.wait_for_selector(".section")


def labels(tab: Any) -> list[str]:
    found: list[str] = tab.locator("#outline .name").all_inner_texts()
    return found


def text_of(tab: Any) -> str:
    parts: list[str] = tab.locator(".section .text").evaluate_all("all => all.map(one => one.textContent)")
    return "\n".join(parts)


def settled(tab: Any) -> None:
    until(tab, "document.body.dataset.busy === undefined")


def slide(tab: Any, name: str, value: int, route: str = "segment") -> None:
    with tab.expect_response(f"**/v1/{route}"):
        tab.locator(f"#{name}").evaluate(
            "(one, value) => { one.value = value; one.dispatchEvent(new Event('input', {bubbles: true})) }", value
        )
    settled(tab)


def downloaded(tab: Any, kind: str) -> str:
    tab.click("#save summary")
    with tab.expect_download() as waiting:
        tab.click(f"[data-save={kind}]")
    return Path(waiting.value.path()).read_text(encoding="utf-8")
