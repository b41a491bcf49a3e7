"""A real browser: Debian's or anybody's Chromium, driven by Playwright; tests skip where there is none.

The fixture stands in conftest.py. It ends with the tests of a file: a running Playwright occupies the event loop,
and every `asyncio.run` of another test would be refused.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

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


@pytest.fixture(scope="module")
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
