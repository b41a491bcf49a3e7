"""The application: routes, middleware from the outside in, and one look for every error."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware

from sector import __version__
from sector.errors import SectorError
from sector.server.access import ApiKey
from sector.server.answers import JSON, error_response, json_bytes
from sector.server.body import BODIES, BodyLimit, HeldBytes
from sector.server.errors import ROUTING, InvalidRequestError, ServiceError
from sector.server.headers import SecurityHeaders
from sector.server.observing import Observing
from sector.server.routes import chunk, docs, health, models, page, segment
from sector.server.schemas import ChunkRequest, SegmentRequest
from sector.server.service import Service
from sector.server.settings import Settings

LOG = logging.getLogger("sector.server")
ROUTERS = (segment.router, chunk.router, models.router, health.router)
REFERENCE = "#/components/schemas/{model}"


def create_app(settings: Settings) -> FastAPI:
    """Return the application with its models loaded.

    Raises ModelError or ConfigError for models that cannot be loaded.
    """
    service = Service(settings)
    app = FastAPI(
        title="sector",
        version=__version__,
        summary="Split documents into labelled topical sections.",
        docs_url=None,
        redoc_url=None,
        swagger_ui_oauth2_redirect_url=None,
        lifespan=_lifespan,
    )
    app.state.service = service
    for router in ROUTERS:
        app.include_router(router)
    if settings.page:
        page.mount(app)
    docs.mount(app)
    _handle_errors(app)
    _wrap(app, service)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    LOG.info("ready", extra={"fields": {"models": list(app.state.service.models)}})
    yield
    app.state.service.close()
    LOG.info("stopped")


def _wrap(app: FastAPI, service: Service) -> None:
    """Add the middleware; what is added last sees a request first."""
    settings = service.settings
    held = HeldBytes(BODIES * settings.max_body_bytes)
    app.add_middleware(BodyLimit, most_bytes=settings.max_body_bytes, seconds=settings.deadline, held=held)
    if settings.api_key:
        app.add_middleware(ApiKey, key=settings.api_key)
    if settings.cors_origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.cors_origins),
            allow_methods=["GET", "POST"],
            allow_headers=["authorization", "content-type", "x-api-key", "x-request-id"],
            expose_headers=["retry-after", "x-inference-time", "x-queue-time", "x-request-id", "x-total-time"],
        )
    paths = frozenset(path for router in ROUTERS for path in (getattr(route, "path", "") for route in router.routes))
    app.add_middleware(Observing, metrics=service.metrics, paths=paths)
    app.add_middleware(SecurityHeaders)


def _handle_errors(app: FastAPI) -> None:
    async def typed(request: Request, error: SectorError) -> Response:
        return error_response(error if isinstance(error, ServiceError) else InvalidRequestError(str(error)))

    async def from_router(request: Request, error: HTTPException) -> Response:
        kind, message = ROUTING.get(error.status_code, ("http", str(error.detail)))
        body = json_bytes({"error": message, "error_type": kind})
        return Response(body, error.status_code, error.headers, JSON)

    async def invalid(request: Request, error: RequestValidationError) -> Response:
        return error_response(InvalidRequestError("The request does not fit its description; see /docs."))

    async def unexpected(request: Request, error: Exception) -> Response:
        LOG.error("unexpected error", exc_info=error)
        return error_response(ServiceError("Something went wrong inside the service; its log says what."))

    app.add_exception_handler(SectorError, typed)  # type: ignore[arg-type]
    app.add_exception_handler(HTTPException, from_router)  # type: ignore[arg-type]
    app.add_exception_handler(RequestValidationError, invalid)  # type: ignore[arg-type]
    app.add_exception_handler(Exception, unexpected)


def _openapi(app: FastAPI) -> dict[str, Any]:
    """Return the OpenAPI document, with the schemas of the bodies that routes read themselves."""
    if app.openapi_schema is None:
        found = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
        parts = found["components"]["schemas"]
        for body in (SegmentRequest, ChunkRequest):
            schema = body.model_json_schema(ref_template=REFERENCE)
            parts.update(schema.pop("$defs", {}))
            parts[body.__name__] = schema
        app.openapi_schema = found
    return app.openapi_schema
