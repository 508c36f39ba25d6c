"""A PostgreSQL database: dumped in its own format from one snapshot, and loaded in one transaction."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import sql

from backend.core.web.formats import filesize
from backend.operate.backups.copying import Report
from backend.operate.backups.errors import DatabaseUnreachable, ProgramTooOld, ServerTooOld, StillInUse
from backend.operate.backups.manifest import DatabaseEntry, Engine
from backend.operate.backups.postgres_pouring import load_script
from backend.operate.backups.postgres_programs import program_version, run_program

OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
"""
TABLES = "SELECT schemaname, tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"
# Tables that the backup does not know go too: an older Attune would stumble over them.
EMPTY = "DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC;"


@dataclass(frozen=True)
class PostgresDatabase:
    name: str
    database: str
    user: str
    password: str
    host: str
    port: str
    ssl_mode: str

    @property
    def engine(self) -> Engine:
        return "postgresql"

    def size(self) -> int:
        with self._session() as session:
            found = session.execute("SELECT pg_database_size(current_database())").fetchone()
        return int(str(found[0])) if found else 0

    def dump(self, folder: Path, report: Report) -> DatabaseEntry:
        """Rows are counted in the very snapshot that pg_dump copies."""
        file = folder / f"{self.database}.pgdump"
        with self._session() as session:
            session.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            session.read_only = True
            version = _version(session)
            if program_version("pg_dump") < version:
                raise ProgramTooOld("pg_dump", program_version("pg_dump"), version)
            snapshot = session.execute("SELECT pg_export_snapshot()").fetchone()
            rows = _rows(session)
            arguments = ["--format=custom", "--no-owner", "--no-privileges", f"--file={file}"]
            report(f"{self.name}: about {filesize(self.size())} to read")
            run_program(
                "pg_dump", [*arguments, f"--snapshot={snapshot[0] if snapshot else ''}"], self._environment
            )
        # Reads it from end to end
        run_program("pg_restore", [f"--file={os.devnull}", str(file)], self._environment)
        return DatabaseEntry(file.name, self.engine, version, rows)

    def refuse_if_in_use(self) -> None:
        with self._session() as session:
            found = session.execute(OTHERS).fetchone()
        if found and found[0]:
            raise StillInUse(f"{found[0]} others are connected to {self.name}.")

    def refuse_if_too_old(self, entry: DatabaseEntry) -> None:
        with self._session() as session:
            version = _version(session)
        if version < entry.version:
            raise ServerTooOld(version, entry.version)
        for name in ("pg_restore", "psql"):
            if program_version(name) < entry.version:
                raise ProgramTooOld(name, program_version(name), entry.version)

    def load(self, file: Path) -> None:
        """psql empties and fills in one transaction, which is ended only when pg_restore has said all and ended well:
        a script that breaks off, or an error in the middle, leaves everything as it was."""
        script = ["--no-owner", "--no-privileges", "--file=-", str(file)]
        strict = ["--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1"]
        load_script(script, strict, self._environment, first=EMPTY)

    def rows(self) -> dict[str, int]:
        with self._session() as session:
            return _rows(session)

    def _session(self) -> psycopg.Connection[tuple[object, ...]]:
        try:
            return psycopg.connect(
                dbname=self.database,
                user=self.user or None,
                password=self.password or None,
                host=self.host or None,
                port=self.port or None,
                sslmode=self.ssl_mode or None,
                connect_timeout=10,
            )
        except psycopg.OperationalError as error:
            raise DatabaseUnreachable(self.name, str(error).splitlines()[0]) from error

    @property
    def _environment(self) -> dict[str, str]:
        given = {
            "PGDATABASE": self.database,
            "PGUSER": self.user,
            "PGPASSWORD": self.password,
            "PGHOST": self.host,
            "PGPORT": self.port,
            "PGSSLMODE": self.ssl_mode,
            # Notices are no errors
            "PGOPTIONS": "-c client_min_messages=warning",
        }
        passed = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        return {**passed, **{name: value for name, value in given.items() if value}}


def _version(session: psycopg.Connection[tuple[object, ...]]) -> int:
    return session.info.server_version // 10_000


def _rows(session: psycopg.Connection[tuple[object, ...]]) -> dict[str, int]:
    counts = {}
    for schema, table in session.execute(TABLES).fetchall():
        query = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(str(schema), str(table)))
        found = session.execute(query).fetchone()
        counts[str(table)] = int(str(found[0])) if found else 0
    return counts
