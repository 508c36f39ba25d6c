"""A database is exchanged only if all of it was read and psql said so; who failed is named."""

from __future__ import annotations

import os
from pathlib import Path

import psycopg
import pytest

from backend.operate.backups.errors import OutcomeUnknown, ProgramFailed
from backend.operate.backups.postgres_pouring import load_script
from tests.backend.operate.backups.instances import new_postgres_database
from tests.backend.operate.backups.test_refusals import server


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder before all others on the PATH, for programs of this name that behave otherwise."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", os.pathsep.join((str(folder), os.environ["PATH"])))
    return folder


def poured(programs: Path, *, pg_restore: str, psql: str) -> str:
    """What psql was given, before it ended as it was told to."""
    given = programs / "given"
    for name, does in (("pg_restore", pg_restore), ("psql", psql)):
        (programs / name).write_text(f"#!/bin/sh\n{does}\n".replace("GIVEN", str(given)))
        (programs / name).chmod(0o700)
    load_script([], [], os.environ, first="DROP;")
    return given.read_text()


def test_the_end_is_said_only_after_everything_was(programs: Path) -> None:
    said = poured(programs, pg_restore="echo 'CREATE;'", psql="cat > GIVEN")
    assert said.split() == ["BEGIN;", "DROP;", "CREATE;", "COMMIT;"]


def test_a_script_that_breaks_off_is_never_committed(programs: Path) -> None:
    with pytest.raises(ProgramFailed, match="pg_restore failed: error: the end is missing"):
        poured(
            programs,
            pg_restore="echo 'CREATE;'; echo 'pg_restore: error: the end is missing' >&2; exit 1",
            psql="cat > GIVEN",
        )
    assert "COMMIT" not in (programs / "given").read_text()


@pytest.mark.parametrize("much", ["echo 'CREATE;'", "yes 'CREATE;' | head -c 5000000"])
def test_an_error_in_the_script_is_that_of_psql(programs: Path, much: str) -> None:
    """It stops reading: the other one cannot go on writing, which is no fault of its own."""
    with pytest.raises(ProgramFailed, match="psql failed: ERROR: no such type"):
        poured(programs, pg_restore=much, psql="head -c 10 > GIVEN; echo 'ERROR: no such type' >&2; exit 3")


@pytest.mark.parametrize("code", [2, 137])
def test_psql_that_is_lost_at_the_end_leaves_it_open_what_became_of_it(programs: Path, code: int) -> None:
    with pytest.raises(OutcomeUnknown, match="restore the backup again"):
        poured(programs, pg_restore="echo 'CREATE;'", psql=f"cat > GIVEN; exit {code}")


@pytest.mark.slow
def test_a_postgresql_database_stays_as_it_was_when_loading_fails(postgres_url: str, tmp_path: Path) -> None:
    with (
        new_postgres_database(postgres_url, "dumped") as dumped,
        new_postgres_database(postgres_url, "kept") as kept,
    ):
        with psycopg.connect(dumped) as session:
            session.execute(
                "CREATE TABLE texts AS SELECT n, repeat('x', 500) FROM generate_series(1, 9999) n"
            )
        entry = server(dumped).dump(tmp_path, lambda line: None)
        whole = tmp_path / entry.file
        (tmp_path / "cut.pgdump").write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
        with psycopg.connect(kept) as session:
            session.execute("CREATE TABLE before AS SELECT 1 AS n")
        with pytest.raises(ProgramFailed):
            server(kept).load(tmp_path / "cut.pgdump")
        assert server(kept).rows() == {"before": 1}
        server(kept).load(whole)
        assert server(kept).rows() == entry.rows == {"texts": 9999}
