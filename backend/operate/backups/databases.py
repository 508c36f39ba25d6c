"""The two databases of an instance, Attune's own and Label Studio's, each on SQLite or PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import dj_database_url
from django.conf import settings
from django.db import connection

from backend.operate.backups.copying import Report
from backend.operate.backups.manifest import DatabaseEntry, Engine
from backend.operate.backups.postgres import PostgresDatabase
from backend.operate.backups.sqlite import SqliteDatabase


class Database(Protocol):
    """What a backup does with a database, whichever engine it has."""

    @property
    def name(self) -> str: ...

    @property
    def engine(self) -> Engine: ...

    def size(self) -> int:
        """In bytes, about; raises DatabaseUnreachable."""

    def dump(self, folder: Path, report: Report) -> DatabaseEntry:
        """One moment of it, into a file in the folder."""

    def refuse_if_in_use(self) -> None: ...

    def refuse_if_too_old(self, entry: DatabaseEntry) -> None: ...

    def load(self, file: Path) -> None:
        """Whatever is there is replaced, whole or not at all: if it raises, and not OutcomeUnknown, nothing was."""

    def rows(self) -> dict[str, int]:
        """By table; raises DatabaseDamaged if it is not sound."""


def own_database() -> Database:
    return _database("Attune's database", connection.settings_dict)


def label_studio_database() -> Database:
    return _database("Label Studio's database", dj_database_url.parse(settings.LABEL_STUDIO_DATABASE_URL))


def _database(name: str, parts: Mapping[str, Any]) -> Database:
    if str(parts["ENGINE"]).endswith("sqlite3"):
        return SqliteDatabase(name, Path(parts["NAME"]))
    return PostgresDatabase(
        name=name,
        database=str(parts["NAME"]),
        user=str(parts.get("USER") or ""),
        password=str(parts.get("PASSWORD") or ""),
        host=str(parts.get("HOST") or ""),
        port=str(parts.get("PORT") or ""),
        ssl_mode=str((parts.get("OPTIONS") or {}).get("sslmode", "")),
    )
