"""A connection to PostgreSQL: its address, transactions, and what goes wrong in one sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Any

from sector.errors import ConfigError, DataError, MissingExtraError

if TYPE_CHECKING:
    import psycopg

PREFIXES = ("postgresql://", "postgres://")
PLACE = re.compile(r"(.*?)(?:#([^#@/]*))?", re.DOTALL)
"""An address, and a schema after ``#``."""
SCHEMA = "sector"
PATIENCE = 20
"""Seconds that a server may take to answer."""


class PostgresSession:
    """Transactions in a schema. Threads take turns."""

    def __init__(self, place: str) -> None:
        """Connect; raises ConfigError where there is no server."""
        found = PLACE.fullmatch(place)
        assert found
        self._address, self.schema = found[1], found[2] or SCHEMA
        self.name, self._lock = without_password(place), RLock()
        with self._told():
            self._base = self._connect()

    @contextmanager
    def transaction(self) -> Iterator[psycopg.Connection[Any]]:
        """Run a transaction; reconnect first if the connection was lost."""
        with self._lock, self._told():
            if self._base.closed:
                self._base = self._connect()
            with self._base.transaction():
                yield self._base

    def close(self) -> None:
        """Close the connection."""
        self._base.close()

    def _connect(self) -> psycopg.Connection[Any]:
        import psycopg

        base = psycopg.connect(self._address, autocommit=True, connect_timeout=PATIENCE, application_name="sector")
        path = "SELECT set_config('search_path', quote_ident(%s) || ', ' || current_setting('search_path'), false)"
        base.execute(path, (self.schema,))
        return base

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turn errors of PostgreSQL into one sentence."""
        try:
            from psycopg import Error, OperationalError, ProgrammingError, errors
        except ImportError as error:
            raise MissingExtraError("psycopg", "postgres") from error
        try:
            yield
        except errors.UndefinedTable as error:
            raise DataError(f"The index {self.name} is not whole: {_first_line(error)}") from error
        except (OperationalError, ProgrammingError, errors.FeatureNotSupported) as error:
            raise ConfigError(f"The index {self.name} cannot be used: {_first_line(error)}") from error
        except (Error, ValueError) as error:
            raise DataError(f"The index {self.name} cannot hold this: {_first_line(error)}") from error


def without_password(place: str) -> str:
    """Return an address as it may be printed."""
    return re.sub(r"([?&]password=)[^&#]*", r"\1…", re.sub(r"(://[^:/@]*):[^@]*@", r"\1@", place))


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".") + "."
