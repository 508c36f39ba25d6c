"""A SQLite database: copied while others write to it, by SQLite's own backup interface."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from backend.operate.backups.copying import Progress, Report, copy_file
from backend.operate.backups.errors import DatabaseDamaged, DatabaseUnreachable
from backend.operate.backups.manifest import DatabaseEntry, Engine
from corpus.atomic_files import sync_directory

PAGES_AT_ONCE = 2_000
PATIENCE_SECONDS = 60.0


@dataclass(frozen=True)
class SqliteDatabase:
    name: str
    path: Path

    @property
    def engine(self) -> Engine:
        return "sqlite"

    def size(self) -> int:
        try:
            return self.path.stat().st_size
        except FileNotFoundError:
            raise DatabaseUnreachable(self.name, f"there is no {self.path}") from None

    def dump(self, folder: Path, report: Report) -> DatabaseEntry:
        file = f"{self._stem}.sqlite3"
        with closing(_open(self.path)) as source, closing(sqlite3.connect(folder / file)) as copy:
            # Reading once opens a transaction: all pages are then those of this moment, however long it takes.
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            page_size = int(source.execute("PRAGMA page_size").fetchone()[0])
            progress = Progress(report, self.name, self.size())
            source.backup(
                copy,
                pages=PAGES_AT_ONCE,
                progress=lambda status, left, total: progress.add(PAGES_AT_ONCE * page_size),
                sleep=0,
            )
            # One file, without the log of what is not yet in it
            copy.execute("PRAGMA journal_mode=DELETE")
            rows = _rows(copy, self.name)
        return DatabaseEntry(file, self.engine, sqlite3.sqlite_version_info[0], rows)

    def refuse_if_in_use(self) -> None:
        """Whoever runs an embedded instance holds the lock of its data directory, which is looked at elsewhere."""

    def refuse_if_too_old(self, entry: DatabaseEntry) -> None:
        """Its file format has not changed since 2004."""

    def load(self, file: Path) -> None:
        draft = self.path.with_name(f"{self.path.name}.restoring")
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            copy_file(file, draft, heard=lambda n_bytes: None)
            draft.chmod(0o600)
            # The log belongs to the old file and would be read into the new one
            for log in ("-wal", "-shm"):
                self.path.with_name(self.path.name + log).unlink(missing_ok=True)
            os.replace(draft, self.path)
        finally:
            draft.unlink(missing_ok=True)
        sync_directory(self.path.parent)

    def rows(self) -> dict[str, int]:
        with closing(_open(self.path)) as database:
            return _rows(database, self.name)

    @property
    def _stem(self) -> str:
        return self.path.stem


def _open(path: Path) -> sqlite3.Connection:
    """Never makes a file that is not there."""
    address = f"file:{quote(str(path))}?mode=rw"
    return sqlite3.connect(address, uri=True, timeout=PATIENCE_SECONDS, isolation_level=None)


def _rows(database: sqlite3.Connection, name: str) -> dict[str, int]:
    try:
        found = [str(problem) for (problem,) in database.execute("PRAGMA integrity_check(3)")]
    except sqlite3.DatabaseError as error:
        raise DatabaseDamaged(name, str(error)) from error
    if found != ["ok"]:
        raise DatabaseDamaged(name, "; ".join(found))
    tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    counts = {}
    for (table,) in tables:
        quoted = str(table).replace('"', '""')
        counts[str(table)] = int(database.execute(f'SELECT count(*) FROM "{quoted}"').fetchone()[0])
    return counts
