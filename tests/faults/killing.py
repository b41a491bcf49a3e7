"""A command that is killed at a chosen moment of its work, and what it leaves: the harness of the fault campaigns."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

KILLER = """
import atexit, os, signal, sys, threading
folder, count, number, pause = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
del sys.argv[1:5]
seen = [0]

def end():
    os.kill(os.getpid(), signal.SIGKILL)

def touched(event, given):
    if event in EVENTS and any(folder in os.fspath(part) for part in given if isinstance(part, (str, os.PathLike))):
        seen[0] += 1
        if seen[0] == number:
            threading.Timer(pause, end).start() if pause else end()

EVENTS = {"open", "os.rename", "os.remove", "os.rmdir", "os.mkdir", "os.truncate", "sqlite3.connect", "shutil.rmtree"}
sys.addaudithook(touched)
atexit.register(lambda: open(count, "w").write(str(seen[0])))
"""
"""Ends its process when it touches a folder for the n-th time, or some time after that."""
MAIN = "from sector.cli import main; main()"
PATIENCE = 300.0


@dataclass(frozen=True)
class Work:
    """A command whose results can be continued."""

    arguments: tuple[str, ...]
    """OUT in them is the place of the results."""
    code: str = MAIN
    before: str = ""
    """Python that runs first."""
    again: tuple[str, ...] = ()
    """Further arguments that continue."""
    result: str = ""
    """Of the place, what is compared; all of it by default."""
    finished: str = ""
    """What the command says in place of continuing where it was killed after its last step."""
    notes: tuple[str, ...] = ()
    """Parts of names of files that say how long something took: they must be there."""

    def run(self, folder: Path, number: int = 0, pause: float = 0.0, *, again: bool = False) -> tuple[int, int, str]:
        """Run it, kill it at its n-th touch; return exit code, how often the folder was touched, and messages.

        The pipes end with the last process that holds them: one that is left over is noticed after `PATIENCE`.
        """
        folder.mkdir(exist_ok=True)
        count = folder.with_suffix(".count")
        count.unlink(missing_ok=True)
        given = [*self.arguments, *(self.again if again else ())]
        own = [part.replace("OUT", str(folder)) for part in given]
        watched = [str(folder), str(count), str(number), str(pause)]
        command = [sys.executable, "-c", f"{KILLER}\n{self.before}\n{self.code}", *watched, *own]
        done = subprocess.run(command, capture_output=True, start_new_session=True, timeout=PATIENCE)
        touched = int(count.read_text()) if count.exists() else 0
        return done.returncode, touched, done.stderr.decode(errors="replace")

    def content(self, folder: Path) -> dict[str, object]:
        """Return what there is, by name: bytes of files, rows of an index."""
        place = folder / self.result
        files = [place] if place.is_file() else [path for path in place.rglob("*") if path.is_file()]
        found = {path.relative_to(folder).as_posix(): path for path in files}
        noted = {name for name in found if any(part in name for part in self.notes)}
        return {name: name in noted or _content(path) for name, path in found.items()}


def _content(path: Path) -> object:
    if path.suffix != ".db":
        return path.read_bytes()
    base = sqlite3.connect(path)
    chunks = base.execute("SELECT id, begin, end, label, text FROM chunks ORDER BY id").fetchall()
    documents = base.execute("SELECT id, digest FROM documents ORDER BY id").fetchall()
    vectors = base.execute("SELECT chunks.id, vector FROM chunks JOIN vectors USING (number) ORDER BY 1").fetchall()
    return [chunks, documents, vectors, base.execute("PRAGMA integrity_check").fetchall()]
