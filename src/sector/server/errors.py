"""What can go wrong with a request; every answer that is none has the JSON ``{"error", "error_type"}``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from sector.errors import SectorError


class ServiceError(SectorError):
    """A request that gets an error instead of a result."""

    status: ClassVar[int] = 500
    error_type: ClassVar[str] = "internal"

    @property
    def headers(self) -> Mapping[str, str]:
        """HTTP headers of the answer."""
        return {}

    @property
    def body(self) -> dict[str, str]:
        """The JSON object of the answer."""
        return {"error": str(self), "error_type": self.error_type}


class InvalidRequestError(ServiceError):
    """The request is not what the OpenAPI document describes, or an option has a value that cannot work."""

    status, error_type = 422, "validation"


class UnauthorizedError(ServiceError):
    """The API key is missing or wrong."""

    status, error_type = 401, "unauthorized"

    @property
    def headers(self) -> Mapping[str, str]:
        """The scheme to use."""
        return {"www-authenticate": "Bearer"}


class UnknownModelError(ServiceError):
    """The request names a model that is not configured."""

    status, error_type = 404, "unknown_model"


class UnsupportedMediaTypeError(ServiceError):
    """The body is neither JSON nor a form with files."""

    status, error_type = 415, "unsupported_media_type"


class TooLargeError(ServiceError):
    """The body, its documents or their characters are above a limit."""

    status, error_type = 413, "too_large"


class SlowBodyError(ServiceError):
    """The body did not arrive in time."""

    status, error_type = 408, "slow_body"


class OverloadedError(ServiceError):
    """The queue is full, or so long that the deadline would pass."""

    status, error_type = 429, "overloaded"

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after

    @property
    def headers(self) -> Mapping[str, str]:
        """Seconds after which it is worth another try."""
        return {"retry-after": str(self.retry_after)}


class DeadlineError(ServiceError):
    """There was no result before the deadline."""

    status, error_type = 504, "deadline"


class ClientGoneError(ServiceError):
    """The client hung up; nobody waits for an answer, and the log has nginx's number for it."""

    status, error_type = 499, "gone"


class DrainingError(ServiceError):
    """The service is about to stop."""

    status, error_type = 503, "draining"

    @property
    def headers(self) -> Mapping[str, str]:
        """Another replica answers at once."""
        return {"retry-after": "1"}


ROUTING: Mapping[int, tuple[str, str]] = {
    404: ("not_found", "There is nothing at this address; /docs lists those that there are."),
    405: ("method_not_allowed", "This address does not take this method; /docs says which ones it takes."),
}
"""Types and messages of the errors that the router raises itself."""
