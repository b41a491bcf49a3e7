"""A real browser for the page: Debian's or anybody's Chromium, driven by Playwright; tests skip where there is none."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from typing import Any

import pytest
from service import listening

from sector.server import Settings, create_app

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 20_000
"""Milliseconds: a busy machine is no failure."""


@pytest.fixture(scope="session")
def site() -> Iterator[str]:
    """Give the address of a service with two embedded models."""
    with listening(create_app(Settings(models=("en_city", "en_disease")))) as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """Start the browser in SECTOR_CHROMIUM, or one on the path."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
    path = os.environ.get("SECTOR_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if not path:
        pytest.skip("there is no Chromium here; install it, or name it in SECTOR_CHROMIUM")
    with sync_api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium: Any, site: str) -> Iterator[Any]:
    """Open the page; anything that the browser complains of fails the test."""
    yield from opened(chromium, site)


def opened(chromium: Any, address: str, path: str = "/", **options: Any) -> Iterator[Any]:
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True, **options)
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
