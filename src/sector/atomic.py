"""All or nothing: a file or folder is written beside its place under another name, then moved there."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from secrets import token_hex

from sector.errors import ConfigError
from sector.files import special

_LONGEST = 150
"""Bytes of a target's name that its draft's name repeats; the system allows 255 for the whole."""
_HOST = re.sub(r"[^\w-]", "", platform.node())[:40]
_LEFT = re.compile(rf"\.(.*)\.{_HOST}-(\d+)-[0-9a-f]+\.(part|old)", re.DOTALL)


@contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Return a path to write a file or a folder to; it takes the target's place unless something is raised.

    Raises OSError where the folder of the target does not exist or cannot be written to. What a process that was
    killed left in this folder is removed. Raises ConfigError for a device, and for what has no name, such as ``.``.
    """
    if target.name in ("", ".."):
        raise ConfigError(f"Nothing can be written to '{target}'; name a file or a folder.")
    if kind := special(target):  # root could put a file in the place of /dev/null
        raise ConfigError(f"{target} is {kind}, and nothing can be put in its place; name a file.")
    _sweep(target.parent)
    draft = _beside(target, "part")
    try:
        yield draft
        _move(draft, target)
    finally:
        _remove(draft)


def write_text(target: Path, text: str) -> None:
    """Write a text as UTF-8, with ``\\n`` at the ends of lines, whole or not at all; lone surrogates become ``?``."""
    with replacing(target) as draft:
        draft.write_bytes(text.encode("utf-8", "replace"))


def write_json(target: Path, record: object) -> None:
    """Write a JSON value for people to read, one key a line, whole or not at all."""
    write_text(target, json.dumps(record, ensure_ascii=False, indent=1) + "\n")


def _beside(target: Path, ending: str) -> Path:
    name = target.name
    if len(name.encode("utf-8", "surrogateescape")) > _LONGEST:
        name = hashlib.sha256(name.encode("utf-8", "surrogateescape")).hexdigest()
    return target.with_name(f".{name}.{_HOST}-{os.getpid()}-{token_hex(4)}.{ending}")


def _move(draft: Path, target: Path) -> None:
    if not (target.is_dir() and draft.is_dir()):
        draft.replace(target)  # a file never takes the place of a folder: the system refuses
        return
    old = _beside(target, "old")
    target.replace(old)
    try:
        draft.replace(target)
    except BaseException:
        old.replace(target)
        raise
    shutil.rmtree(old)


def _remove(draft: Path) -> None:
    if draft.is_dir() and not draft.is_symlink():
        shutil.rmtree(draft)
    draft.unlink(missing_ok=True)


@lru_cache(maxsize=1024)
def _sweep(folder: Path) -> None:
    """Clear away what processes of this machine that are gone left in a folder; done once per folder."""
    with suppress(OSError):
        for entry in os.scandir(folder):
            found = _LEFT.fullmatch(entry.name)
            if found and not _is_running(int(found[2])):
                with suppress(OSError):
                    _clear(Path(entry.path), folder / found[1], is_draft=found[3] == "part")


def _clear(left: Path, target: Path, *, is_draft: bool) -> None:
    """Remove what was left, but put an old folder back whose successor did not get to its place."""
    if is_draft or target.exists():
        _remove(left)
    else:
        left.replace(target)


def _is_running(process: int) -> bool:
    if os.name != "posix":
        return True  # signal 0 asks nothing elsewhere
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        pass
    return True
