"""Photograph the page of `sector serve` for the documentation: ``python docs/pictures/photograph.py``."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
ADDRESS = "http://127.0.0.1:8765"
SIZE = {"width": 1180, "height": 760}
COLOURS = 256
"""Of a picture's palette; the page has few."""


@contextmanager
def serving() -> Iterator[None]:
    """Run the service with the embedded models."""
    command = [sys.executable, "-c", "from sector.cli import main; main()", "serve", "--port", "8765"]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            try:
                urllib.request.urlopen(f"{ADDRESS}/ready").close()
                break
            except OSError:
                time.sleep(0.2)
        try:
            yield
        finally:
            process.terminate()


def photograph(browser: Any, theme: str) -> None:
    """Show an example, point at the heat map, and write the picture."""
    page = browser.new_context(viewport=SIZE, color_scheme=theme).new_page()
    page.goto(ADDRESS)
    page.click("text=A town")
    page.wait_for_selector(".section")
    page.hover("#plot", position={"x": 300, "y": 60})
    page.wait_for_selector("#status:empty", state="attached", timeout=60_000)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(COLOURS)
    picture.save(HERE / f"page-{theme}.png", optimize=True)


if __name__ == "__main__":
    with serving(), sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for theme in ("light", "dark"):
            photograph(browser, theme)
        browser.close()
