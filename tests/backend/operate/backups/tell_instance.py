"""Prints what an instance holds, as JSON: a hash of each table's rows and of each file; run as a process of its own."""

from __future__ import annotations

import hashlib
import json

import django


def main() -> None:
    django.setup()
    from django.db import connection

    from annotation.release.manifest import file_entry
    from backend.operate.backups.copying import folder_files
    from backend.operate.backups.sources import kept_folders

    told: dict[str, str] = {}
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names()):
            cursor.execute(f'SELECT * FROM "{table}"')
            rows = sorted(repr(row) for row in cursor.fetchall())
            told[f"table {table}"] = hashlib.sha256("\n".join(rows).encode()).hexdigest()
    for name, folder in kept_folders().items():
        for path in folder_files(folder):
            relative = path.relative_to(folder).as_posix()
            told[f"{name}/{relative}"] = file_entry(folder, relative).sha256
            told[f"mode of {name}/{relative}"] = oct(path.stat().st_mode)
    print(json.dumps(told))


if __name__ == "__main__":
    main()
