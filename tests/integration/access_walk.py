"""Fills Label Studio's whole URL table with somebody's ids, and compares its database before and after."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx

from backend.annotate.label_studio.process import LabelStudioInstance, process_environment
from tests.integration.access_people import Work

SCRIPT = Path(__file__).with_name("label_studio_urls.py")
# Moves with every request, whoever makes it
VOLATILE = {"last_activity", "activity_at", "last_login", "session_data", "expire_date"}


def run_inside(instance: LabelStudioInstance, script: Path) -> Any:
    """What a script prints that runs in Label Studio's own environment."""
    environment = process_environment(instance, os.environ)
    label_studio = next(instance.venv.glob("lib/python3*/site-packages/label_studio"))
    environment["PYTHONPATH"] += f":{label_studio}"
    command = [str(instance.venv / "bin" / "python"), str(script)]
    done = subprocess.run(
        command, env=environment, cwd=instance.data_dir, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout.splitlines()[-1])


def url_table(instance: LabelStudioInstance) -> dict[str, Any]:
    """Every address of Label Studio's, and every rule of the access app's."""
    table: dict[str, Any] = run_inside(instance, SCRIPT)
    return table


@contextmanager
def pinned(session: httpx.Client) -> Iterator[httpx.Client]:
    """Sends the same cookies each time: what one answer does to them must not make the rest easy."""
    cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in session.cookies.jar)
    with httpx.Client(
        base_url=session.base_url, trust_env=False, timeout=60, headers={"Cookie": cookies}
    ) as client:
        yield client


def filled(address: str, work: Work) -> str:
    """The holes of an address, with the ids of this person's work."""
    kinds = {
        "projects": work.project,
        "tasks": work.tasks[0],
        "annotations": work.annotation,
        "drafts": work.draft,
        "predictions": work.prediction,
        "views": work.view,
        "webhooks": work.webhook,
        "users": work.user,
        "memberships": work.user,
    }
    named = {
        "annotation_id": work.annotation,
        "user_pk": work.user,
        "format": "json",
        "action_id": "delete_tasks",
    }
    parts: list[str] = []
    for part in address.split("/"):
        kind = kinds.get(parts[-1] if parts else "", work.project)
        parts.append(re.sub(r"\{(\w+)\}", lambda hole: str(named.get(hole[1], kind)), part))  # noqa: B023
    return "/".join(parts)


def contents(instance: LabelStudioInstance) -> dict[str, list[str]]:
    """Every row of every table."""
    database = f"file:{instance.data_dir / 'label_studio.sqlite3'}?mode=ro"
    with closing(sqlite3.connect(database, uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: _rows(connection, name) for name in names}


def _rows(connection: sqlite3.Connection, table: str) -> list[str]:
    rows = connection.execute(f'SELECT * FROM "{table}"')
    return sorted(repr({name: row[name] for name in row.keys() if name not in VOLATILE}) for row in rows)  # noqa: SIM118


def changed_tables(before: dict[str, list[str]], after: dict[str, list[str]]) -> set[str]:
    return {table for table in before if before[table] != after[table]}
