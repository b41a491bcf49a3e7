"""One file over HTTP: resumed where it stopped, tried again where that helps, checked before it is named."""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

from sector.digests import file_digest
from sector.errors import DownloadError
from sector.http import AGENT, PASSING, PassingError, RequestError, is_address, retried

DownloadProgress = Callable[[int, int | None], None]
"""Called with the bytes there are and, where the server says so, the bytes there will be."""
CHUNK = 1 << 16
MOST = 50_000_000_000
"""Bytes of a file."""
TIMEOUT = 30.0
_UNSATISFIABLE = 416


def download(
    url: str,
    target: Path,
    sha256: str = "",
    *,
    progress: DownloadProgress = lambda done, total: None,
    tries: int = 5,
    wait: float = 1.0,
) -> str:
    """Download ``url`` to ``target`` by way of ``<target>.part`` and return its SHA-256.

    A cut connection is resumed, now and at the next call. ``wait`` seconds pass before the second try, twice
    as many before each further one. A checksum other than ``sha256`` removes the file.
    """
    if not is_address(url):
        raise DownloadError(f"{url} is not an address; it must begin with https:// or http://.")
    part = target.with_name(f"{target.name}.part")
    try:
        retried(lambda: _transfer(url, part, progress), tries, wait)
    except RequestError as error:
        message = f"{url} could not be fetched in {tries} tries ({error}). Check the network and run this again"
        raise DownloadError(f"{message}, or download the file yourself to {target}.") from error
    return _accept(part, target, sha256, url)


def _accept(part: Path, target: Path, sha256: str, url: str) -> str:
    found = file_digest(part)
    if sha256 and found != sha256.lower():
        part.unlink()
        message = f"{url} has the SHA-256 {found}, but {sha256} is expected; the file was removed"
        raise DownloadError(f"{message}. If the new file is right, say so with --sha256 {found}.")
    part.replace(target)
    return found


def _transfer(url: str, part: Path, progress: DownloadProgress) -> None:
    offset = part.stat().st_size if part.exists() else 0
    headers = {"User-Agent": AGENT, "Accept-Encoding": "identity"}
    request = urllib.request.Request(url, headers=headers | ({"Range": f"bytes={offset}-"} if offset else {}))
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            _receive(response, part, offset, progress)
    except urllib.error.HTTPError as error:
        _explain(error, part, offset, url)


def _explain(error: urllib.error.HTTPError, part: Path, offset: int, url: str) -> None:
    """Return where all is there already; else raise what the server's answer means."""
    if error.code == _UNSATISFIABLE and offset:
        if error.headers.get("Content-Range") == f"bytes */{offset}":
            return
        part.unlink()
        raise PassingError("the part that was there does not fit the file") from error
    if error.code in PASSING:
        raise error
    message = f"{url} cannot be fetched: the server answered {error.code} {error.reason}"
    raise DownloadError(f"{message}. The file may have moved; give its new place with --base-url.") from error


def _receive(response: http.client.HTTPResponse, part: Path, offset: int, progress: DownloadProgress) -> None:
    is_resumed = response.status == 206 and _starts_at(response, offset)
    done = offset if is_resumed else 0
    length = response.length
    total = None if length is None else done + length
    with part.open("ab" if is_resumed else "wb") as stream:
        while chunk := response.read(CHUNK):
            stream.write(chunk)
            done += len(chunk)
            if done > MOST:
                raise DownloadError(f"{response.url} has more than {MOST:,} bytes, which no data set has.")
            progress(done, total)
    if total is not None and done < total:
        raise PassingError(f"the connection ended after {done:,} of {total:,} bytes")


def _starts_at(response: http.client.HTTPResponse, offset: int) -> bool:
    if str(response.headers.get("Content-Range", "")).startswith(f"bytes {offset}-"):
        return True
    raise PassingError("the server sent another part than the one asked for")
