"""POST /v1/segment: documents in, sections out."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel

from sector.server.answers import JSON, json_list
from sector.server.leaving import unless_gone
from sector.server.requests import FORM, parse
from sector.server.schemas import DocumentOut, ErrorOut, Options, SegmentRequest
from sector.server.service import Answer, Service

router = APIRouter(tags=["documents"])
ERRORS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorOut, "description": "The request is not HTTP as it should be."},
    401: {"model": ErrorOut, "description": "The API key is missing or wrong."},
    404: {"model": ErrorOut, "description": "No such model."},
    408: {"model": ErrorOut, "description": "The body did not arrive in time."},
    413: {"model": ErrorOut, "description": "Too many bytes, documents or characters."},
    415: {"model": ErrorOut, "description": "Neither JSON nor a form."},
    422: {"model": ErrorOut, "description": "The request does not fit its description."},
    429: {"model": ErrorOut, "description": "The queue is full; Retry-After says when to try again."},
    503: {"model": ErrorOut, "description": "The service is about to stop."},
    504: {"model": ErrorOut, "description": "No result before the deadline."},
}


def form_schema(options: type[BaseModel]) -> dict[str, Any]:
    """Return the schema of a form with files and these options."""
    properties = dict(options.model_json_schema()["properties"])
    properties["labels"] = {"type": "string", "description": "Names with commas between them, or {name: description}."}
    files = {"type": "array", "items": {"type": "string", "format": "binary"}, "minItems": 1}
    return {"type": "object", "properties": {"file": files, **properties}, "required": ["file"]}


BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {
                "schema": {"$ref": f"#/components/schemas/{SegmentRequest.__name__}"},
                "examples": {
                    "one": {"value": {"text": "The harbour froze. Doctors treat the fever with rest."}},
                    "labels": {"value": {"text": "The harbour froze. Ferries wait.", "labels": ["weather", "traffic"]}},
                    "several": {"value": {"documents": [{"id": "a", "text": "One text."}, "Another text."]}},
                },
            },
            FORM: {"schema": form_schema(Options)},
        },
    }
}


@router.post("/v1/segment", openapi_extra=BODY, response_model=DocumentOut | list[DocumentOut], responses=ERRORS)
async def segment(request: Request) -> Response:
    """Split documents into labelled sections.

    One `text`, or a form with one file, gives an object; `documents`, or several files, give a list. The objects are
    those of `sector segment --format json`.
    """
    service: Service = request.app.state.service
    asked = await parse(request, service.settings, service.uploads, SegmentRequest, Options)
    request.state.noted = {"documents": len(asked.documents), "characters": asked.characters}
    answer = await unless_gone(request, service.segment(asked))
    request.state.noted |= {"model": answer.model}
    return answered(answer, asked.single)


def answered(answer: Answer, single: bool) -> Response:
    """Return the response with one object, or the list of them, and how long it took."""
    headers = {
        "x-queue-time": f"{1000 * answer.timing.queue:.1f}",
        "x-inference-time": f"{1000 * answer.timing.inference:.1f}",
    }
    return Response(answer.records[0] if single else json_list(answer.records), 200, headers, JSON)
