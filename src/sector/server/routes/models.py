"""GET /v1/models: what is configured."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from sector.runtime import Model
from sector.server.schemas import ChunkOptions, ErrorOut, ModelLabels, ModelOut, ModelsOut, Options
from sector.server.service import Service

router = APIRouter(tags=["models"])
ERRORS: dict[int | str, dict[str, Any]] = {
    401: {"model": ErrorOut, "description": "The API key is missing or wrong."},
    422: {"model": ErrorOut, "description": "The request does not fit its description."},
}


def described(name: str, model: Model) -> ModelOut:
    """Return what a client may know of a model."""
    config = model.config
    method = str(config.segmentation.get("name", ""))
    return ModelOut(
        name=name, task=config.task, language=config.language, labels=len(model.labels), segmentation=method
    )


@router.get("/v1/models", responses=ERRORS)
async def list_models(request: Request) -> ModelsOut:
    """List the models that a request may name."""
    service: Service = request.app.state.service
    listed = [described(*pair) for pair in service.models.items()]
    return ModelsOut(
        default=service.default,
        models=listed,
        options=list(Options.model_fields),
        chunk_options=list(ChunkOptions.model_fields),
    )


@router.get("/v1/models/{name}", responses={**ERRORS, 404: {"model": ErrorOut, "description": "No such model."}})
async def show_model(request: Request, name: str) -> ModelLabels:
    """Show one model with its labels."""
    service: Service = request.app.state.service
    model = service.model(name)
    return ModelLabels(**described(name, model).model_dump(), label_names=list(model.labels))
