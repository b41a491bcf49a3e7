"""From the bytes of a request to documents and options: JSON, or a form with files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ValidationError
from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException
from starlette.requests import Request

from sector.server.errors import InvalidRequestError, TooLargeError, UnsupportedMediaTypeError
from sector.server.own_labels import labels_of_field
from sector.server.schemas import DocumentIn, Documents
from sector.server.settings import Settings
from sector.server.sources import RequestDocument, Uploads, text_source

FORM = "multipart/form-data"
LONGEST_NAME = 200


Chosen = TypeVar("Chosen", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Asked(Generic[Chosen]):
    """What a request asks for."""

    documents: list[RequestDocument]
    options: Chosen
    single: bool
    """Whether the answer is one object, and no list."""

    @property
    def characters(self) -> int:
        """How much text it is."""
        return sum(document.characters for document in self.documents)


async def parse(
    request: Request, settings: Settings, uploads: Uploads, body: type[Documents], options: type[Chosen]
) -> Asked[Chosen]:
    """Return what a request asks for: ``body`` is the model of JSON, ``options`` that of the other fields of a form.

    Raises InvalidRequestError, TooLargeError or UnsupportedMediaTypeError, and what `Uploads.source` raises.
    """
    kind = request.headers.get("content-type", "application/json").partition(";")[0].strip().lower()
    if kind == FORM:
        asked = await _from_form(request, settings, uploads, options)
    elif kind == "application/json":
        asked = _from_json(await request.body(), body, options)
    else:
        raise UnsupportedMediaTypeError(f"The body is '{kind}'; send application/json, or {FORM} with files.")
    _check_size(asked, settings)
    return asked


def _from_json(content: bytes, body: type[Documents], options: type[Chosen]) -> Asked[Chosen]:
    try:
        found = body.model_validate_json(content)
    except ValidationError as error:
        raise InvalidRequestError(_explained(error)) from None
    chosen = options.model_validate(found.model_dump(include=set(options.model_fields)))
    if found.text is not None:
        return Asked([text_source(found.text)], chosen, single=True)
    return Asked([_document(entry) for entry in found.documents or ()], chosen, single=False)


def _document(entry: str | DocumentIn) -> RequestDocument:
    if isinstance(entry, str):
        return text_source(entry)
    return text_source(entry.text, entry.id, entry.title, entry.language)


async def _from_form(request: Request, settings: Settings, uploads: Uploads, options: type[Chosen]) -> Asked[Chosen]:
    try:
        form = await request.form(max_files=settings.max_documents, max_fields=50)
    except MultiPartException as error:
        raise InvalidRequestError(f"The form cannot be read: {error.message}") from None
    except Exception as error:  # Starlette turns the parser's errors into an HTTPException inside an application
        raise InvalidRequestError(f"The form cannot be read: {getattr(error, 'detail', error)}") from None
    try:
        fields: dict[str, Any] = {name: value for name, value in form.items() if isinstance(value, str) and value}
        if "labels" in fields:
            fields["labels"] = labels_of_field(fields["labels"])
        chosen = options.model_validate(fields)
        keep = bool(getattr(chosen, "keep", False))
        documents = [await _uploaded(file, uploads, keep) for file in _files(form)]
    except ValidationError as error:
        raise InvalidRequestError(_explained(error)) from None
    finally:
        await form.close()
    if not documents:
        raise InvalidRequestError("The form has no file; send one or more as 'file'.")
    return Asked(documents, chosen, single=len(documents) == 1)


def _files(form: FormData) -> Iterator[UploadFile]:
    return (value for _, value in form.multi_items() if isinstance(value, UploadFile))


async def _uploaded(file: UploadFile, uploads: Uploads, keep: bool) -> RequestDocument:
    return await uploads.source(await file.read(), _base_name(file.filename or ""), keep)


def _base_name(name: str) -> str:
    """Return the last part of a file's name on any system: a name, never a place."""
    return PureWindowsPath(PurePosixPath(name).name).name[:LONGEST_NAME]


def _check_size(asked: Asked[Chosen], settings: Settings) -> None:
    if len(asked.documents) > settings.max_documents:
        raise TooLargeError(
            f"The request has {len(asked.documents)} documents; at most {settings.max_documents} may be in one."
        )
    if asked.characters > settings.max_characters:
        raise TooLargeError(
            f"The documents have {asked.characters:,} characters; at most {settings.max_characters:,} may be in one."
        )


def _explained(error: ValidationError) -> str:
    """Return what is wrong first, with the field, and how much more there is; never a value of the caller's."""
    first, *others = error.errors(include_url=False, include_context=False, include_input=False)
    place = ".".join(map(str, first["loc"]))
    message = first["msg"].removeprefix("Value error, ")
    more = f" ({len(others)} more)" if others else ""
    return f"{place or 'body'}: {message}{more}."
