"""Instances for tests of backups: a data directory and a database each, used by real commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg

ROOT = Path(__file__).resolve().parents[4]
KEY = "k" * 40


@dataclass(frozen=True)
class InstanceForBackups:
    data_dir: Path
    database_url: str
    pseudonym_key: str = KEY

    def environment(self, **variables: str) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ATTUNE_")}
        ours = {"DATABASE_URL": self.database_url, "ATTUNE_DATA_DIR": str(self.data_dir)}
        key = {"ATTUNE_PSEUDONYM_KEY": self.pseudonym_key} if self.pseudonym_key else {}
        return {**kept, "DJANGO_SETTINGS_MODULE": "backend.settings", **ours, **key, **variables}

    def run(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment(**variables),
            capture_output=True,
            text=True,
            check=False,
        )

    def manage(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return self.run("manage.py", *arguments, **variables)

    def back_up(self, target: Path, *options: str) -> Path:
        """The folder of the new backup."""
        before = set(target.glob("attune-*"))
        done = self.manage("back_up", str(target), *options)
        assert done.returncode == 0, done.stderr
        (made,) = set(target.glob("attune-*")) - before
        return made

    def holds(self) -> dict[str, str]:
        done = self.run("-m", "tests.backend.operate.backups.tell_instance")
        assert done.returncode == 0, done.stderr
        told: dict[str, str] = json.loads(done.stdout)
        return told


def make_instance(data_dir: Path, database_url: str) -> InstanceForBackups:
    instance = InstanceForBackups(data_dir, database_url)
    done = instance.run("-m", "tests.backend.operate.backups.make_instance")
    assert done.returncode == 0, done.stderr
    return instance


def sqlite_url(data_dir: Path) -> str:
    return f"sqlite:///{data_dir / 'attune.sqlite3'}"


@contextmanager
def new_postgres_database(server_url: str, name: str) -> Iterator[str]:
    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            yield urlunsplit(urlsplit(server_url)._replace(path=f"/{name}"))
        finally:
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
