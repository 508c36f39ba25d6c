"""The database of a test process: a copy of one that was migrated once, and emptied by what is in it.

Migrating takes seconds, for each process of each run; copying takes none. The template is named after everything
that decides what it looks like, so a new migration makes a new one. With SQLite it is a file in pytest's cache,
with PostgreSQL a database on the server.
"""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import django
from django.apps import apps
from django.conf import settings
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection, transaction
from filelock import FileLock

from backend.core import database
from backend.decide.adjudication import queue_marks
from backend.decide.adjudication.models import QueueMark

CACHE = Path(settings.ROOT) / ".pytest_cache" / "databases"
# Rows of the schema: Django writes them after migrating, and would write the same ones again after a flush
KEPT_TABLES = frozenset({"django_migrations", ContentType._meta.db_table, Permission._meta.db_table})


@contextmanager
def copied_database() -> Iterator[None]:
    """While it lasts, Django's connection leads to a database of this process with every table and no work in it."""
    before = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        _copy_file(Path(connection.settings_dict["TEST"]["NAME"]))
        yield
        connection.close()
    else:
        name = str(connection.settings_dict["TEST"]["NAME"] or f"test_{connection.settings_dict['NAME']}")
        _copy_on_server(name)
        yield
        _on_server(f"DROP DATABASE {_quoted(name)} WITH (FORCE)")
    _lead_to(before)


def schema_hash() -> str:
    """Of every migration, of the operations that ours use, of what carries them out, and of the triggers that are
    made after them."""
    found = hashlib.sha256(f"{django.VERSION} {sqlite3.sqlite_version}".encode())
    found.update(Path(queue_marks.__file__).read_bytes())
    folders = [Path(config.path) / "migrations" for config in apps.get_app_configs()]
    for folder in sorted([*folders, Path(database.__file__).parent]):
        for path in sorted(folder.glob("*.py")):
            found.update(f"{folder.parent.name}/{path.name}".encode() + path.read_bytes())
    return found.hexdigest()[:16]


def empty_tables() -> list[str]:
    """Deletes all rows but the schema's, and says which tables had any.

    Django's own flush goes through every table and then writes the schema's rows again. Rows refer to each other
    by constraints that are checked when the transaction ends, so the order does not matter.
    """
    tables = sorted(set(connection.introspection.table_names()) - KEPT_TABLES)
    quoted = {table: connection.ops.quote_name(table) for table in tables}
    asked = " UNION ALL ".join(
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {name})" for table, name in quoted.items()
    )
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(asked)
        filled = [table for (table,) in cursor.fetchall()]
        for table in filled:
            cursor.execute(f"DELETE FROM {quoted[table]}")
        # What was deleted after them has left some again
        cursor.execute(f"DELETE FROM {quoted[QueueMark._meta.db_table]}")
    return filled


def _copy_file(target: Path) -> None:
    template = CACHE / f"{schema_hash()}.sqlite3"
    with _alone():
        if not template.exists():
            for old in CACHE.glob("*.sqlite3*"):
                old.unlink()
            making = template.with_suffix(".sqlite3.making")
            _migrate(str(making))
            making.rename(template)
        shutil.copyfile(template, target)
    _lead_to(str(target))


def _copy_on_server(name: str) -> None:
    template = f"attune_template_{schema_hash()}"
    with _alone():
        if not _on_server(f"SELECT 1 FROM pg_database WHERE datname = '{template}'"):
            making = f"{template}_making"
            _migrate(making)
            _on_server(f"ALTER DATABASE {_quoted(making)} RENAME TO {_quoted(template)}")
        _on_server(f"DROP DATABASE IF EXISTS {_quoted(name)}")
        _on_server(f"CREATE DATABASE {_quoted(name)} TEMPLATE {_quoted(template)}")
    _lead_to(name)


def _migrate(name: str) -> None:
    """Into a database of this name, which is made for it."""
    wanted = connection.settings_dict["TEST"]["NAME"]
    connection.settings_dict["TEST"]["NAME"] = name
    connection.creation.create_test_db(verbosity=0, autoclobber=True, serialize=False)
    connection.close()
    connection.settings_dict["TEST"]["NAME"] = wanted


def _lead_to(name: str) -> None:
    connection.close()
    settings.DATABASES[connection.alias]["NAME"] = connection.settings_dict["NAME"] = name


def _on_server(statement: str) -> bool:
    """Whether it found a row."""
    connection.close()
    with connection.creation._nodb_cursor() as cursor:  # type: ignore[attr-defined]
        cursor.execute(statement)
        return cursor.description is not None and cursor.fetchone() is not None


def _quoted(name: str) -> str:
    return str(connection.ops.quote_name(name))


@contextmanager
def _alone() -> Iterator[None]:
    """One process at a time makes the template or copies it."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with FileLock(CACHE / "lock"):
        yield
