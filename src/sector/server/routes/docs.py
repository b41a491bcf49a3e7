"""GET /docs: Swagger's page of the OpenAPI document, offline, and at whatever address a proxy gives it."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.openapi.docs import get_swagger_ui_html
from starlette.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

from sector.server.headers import DOCS

OPTIONS = {"tryItOutEnabled": True, "persistAuthorization": True, "displayRequestDuration": True}


def mount(app: FastAPI) -> None:
    """Serve the page and its files; all addresses in it are relative."""
    app.mount("/swagger", StaticFiles(packages=[("fastapi_swagger", "resources")]), name="swagger")

    @app.get(DOCS, include_in_schema=False)
    async def docs() -> HTMLResponse:
        return get_swagger_ui_html(
            openapi_url="openapi.json",
            title=f"{app.title}: API",
            swagger_js_url="swagger/swagger-ui-bundle.js",
            swagger_css_url="swagger/swagger-ui.css",
            swagger_favicon_url="swagger/favicon-32x32.png",
            swagger_ui_parameters=OPTIONS,
        )
