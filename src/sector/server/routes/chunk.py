"""POST /v1/chunk: documents in, chunks for retrieval out."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from sector.server.leaving import unless_gone
from sector.server.requests import FORM, parse
from sector.server.routes.segment import ERRORS, answered, form_schema
from sector.server.schemas import ChunkedOut, ChunkOptions, ChunkRequest
from sector.server.service import Service

router = APIRouter(tags=["documents"])
BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {"$ref": f"#/components/schemas/{ChunkRequest.__name__}"},
                "examples": {"one": {"value": {"text": "The harbour froze. Ferries wait.", "max_tokens": 256}}},
            },
            FORM: {"schema": form_schema(ChunkOptions)},
        },
    }
}


@router.post("/v1/chunk", openapi_extra=BODY, response_model=ChunkedOut | list[ChunkedOut], responses=ERRORS)
async def chunk(request: Request) -> Response:
    """Divide documents into chunks for retrieval.

    One `text`, or a form with one file, gives an object; `documents`, or several files, give a list. The chunks are
    those of `sector chunk`.
    """
    service: Service = request.app.state.service
    asked = await parse(request, service.settings, service.uploads, ChunkRequest, ChunkOptions)
    request.state.noted = {"documents": len(asked.documents), "characters": asked.characters}
    answer = await unless_gone(request, service.chunk(asked))
    request.state.noted |= {"model": answer.model}
    return answered(answer, asked.single)
