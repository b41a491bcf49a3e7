"""GET /health, /ready and /metrics: what a load balancer and Prometheus ask."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from fastapi import APIRouter, Request, Response

from sector.server.answers import JSON, json_bytes
from sector.server.schemas import Status
from sector.server.service import Service

router = APIRouter(tags=["operation"])
LOG = logging.getLogger("sector.server")
PATIENCE = 10.0
"""Seconds that the model has for a few sentences before the process counts as ill."""
ILL: dict[int | str, dict[str, Any]] = {503: {"model": Status, "description": "Not well."}}


def _answer(status: int, word: str, detail: str = "") -> Response:
    return Response(json_bytes({"status": word, "detail": detail}), status, None, JSON)


@router.head("/health", include_in_schema=False)
@router.get("/health", response_model=Status, responses=ILL)
async def health(request: Request) -> Response:
    """Run the default model: 200 if it answers; otherwise the process should be restarted."""
    service: Service = request.app.state.service
    try:
        seconds = await asyncio.wait_for(service.check(), PATIENCE)
    except Exception:
        LOG.exception("the health check failed")
        return _answer(503, "ill", "The model did not answer; restart the process.")
    return _answer(200, "ok", f"{service.default} answered in {1000 * seconds:.1f} ms.")


@router.head("/ready", include_in_schema=False)
@router.get("/ready", response_model=Status, responses=ILL)
async def ready(request: Request) -> Response:
    """Return whether this process takes requests now: 503 while it stops, or while its queue is full."""
    service: Service = request.app.state.service
    if service.draining or service.batcher.full:
        return _answer(503, "draining" if service.draining else "overloaded")
    return _answer(200, "ok")


@router.get("/metrics", response_class=Response, responses={200: {"content": {"text/plain": {}}}})
async def metrics(request: Request) -> Response:
    """Return this process's figures in Prometheus' text format."""
    service: Service = request.app.state.service
    return Response(service.metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
