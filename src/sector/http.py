"""Requests over HTTP, tried again where that helps: the network is left for data sets, lexicons and titles alone."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import TypeVar

from sector import __version__
from sector.files import read_stream

AGENT = f"sector/{__version__}"
PASSING = (408, 425, 429, 500, 502, 503, 504)
"""Answers of a server that is busy: the same request may be served the next time."""
_NO_ANSWER = (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError)
Result = TypeVar("Result")


class RequestError(Exception):
    """A request failed, in the words of the last try; whoever asked says what to do next."""


class PassingError(RequestError):
    """A try failed in a way that the next one may not."""


def is_address(url: str) -> bool:
    """Whether this is the address of something on the web."""
    return url.startswith(("https://", "http://"))


def retried(attempt: Callable[[], Result], tries: int, wait: float) -> Result:
    """Return what ``attempt`` does, calling it up to ``tries`` times.

    ``wait`` seconds pass before the second try, twice as many before each further one. Raises RequestError when the
    tries are used up, and at once where the server's answer is final.
    """
    failure = RequestError("nothing was tried")
    for number in range(tries):
        time.sleep(wait * 2 ** (number - 1) if number else 0)
        try:
            return attempt()
        except PassingError as error:
            failure = error
        except urllib.error.HTTPError as error:
            failure = RequestError(f"the server answered {error.code} {error.reason}")
            if error.code not in PASSING:
                break
        except _NO_ANSWER as error:
            failure = RequestError(f"{getattr(error, 'reason', error)}")
        except ValueError as error:
            failure = RequestError(f"this is no address that can be asked: {error}")
            break
    raise failure


def request(url: str, timeout: float, *, data: bytes | None = None, headers: Mapping[str, str] | None = None) -> bytes:
    """Return the body of one answer; raises what ``urllib`` does."""
    asked = urllib.request.Request(url, data=data, headers={"User-Agent": AGENT, **(headers or {})})
    with urllib.request.urlopen(asked, timeout=timeout) as response:
        return read_stream(response, url)
