"""GET /: the page, and the files that it is made of."""

from __future__ import annotations

from pathlib import Path

from fastapi import FastAPI
from starlette.responses import FileResponse
from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).parent.parent / "page"


def mount(app: FastAPI) -> None:
    """Serve the page's files, and nothing else from the disk."""
    app.mount("/page", StaticFiles(directory=FOLDER), name="page")

    @app.head("/", include_in_schema=False)
    @app.get("/", include_in_schema=False)
    async def index() -> FileResponse:
        return FileResponse(FOLDER / "index.html")
