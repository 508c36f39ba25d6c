"""Real PostgreSQL and Redis servers as local processes, for the tests that need the true thing."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

START_SECONDS = 30.0
DATABASE_NAME = "attune"


@dataclass(frozen=True)
class Account:
    """Whom a server runs as; None for whoever runs the tests."""

    user: int | None
    group: int | None


OWN_ACCOUNT = Account(None, None)


class MissingProgram(Exception):
    """A server that the tests need is not installed."""


class ServerDidNotStart(Exception):
    """A server process ended, or never answered."""


@contextmanager
def postgres_server() -> Iterator[str]:
    """Yields the URL of an empty database that anybody on this machine may use and nobody else."""
    initdb, postgres = _postgres_program("initdb"), _postgres_program("postgres")
    account = _server_account()
    with _folder_of(account) as folder:
        data = folder / "data"
        subprocess.run(
            [initdb, "-D", data, "-U", DATABASE_NAME, "-A", "trust", "-N", "-E", "UTF8", "--locale=C"],
            user=account.user,
            group=account.group,
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=folder,
        )
        port = free_port()
        options = {
            "port": str(port),
            "listen_addresses": "127.0.0.1",
            "unix_socket_directories": str(folder),
            "fsync": "off",
            "synchronous_commit": "off",
            "full_page_writes": "off",
        }
        command: list[str | Path] = [
            postgres,
            "-D",
            data,
            *[f"--{name}={value}" for name, value in options.items()],
        ]
        address = f"postgresql://{DATABASE_NAME}@127.0.0.1:{port}"
        with _process(command, folder, account, lambda: _create_database(address), signal.SIGINT):
            yield f"{address}/{DATABASE_NAME}"


@contextmanager
def redis_server(port: int | None = None) -> Iterator[str]:
    """Yields the URL of an empty Redis that forgets everything when it stops."""
    program = shutil.which("redis-server")
    if program is None:
        raise MissingProgram("redis-server was not found: install the Debian package redis-server.")
    chosen = port or free_port()
    with _folder_of(OWN_ACCOUNT) as folder:
        command = [program, "--port", str(chosen), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        with _process(command, folder, OWN_ACCOUNT, lambda: _ping_redis(chosen), signal.SIGTERM):
            yield f"redis://127.0.0.1:{chosen}/0"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def _process(
    command: Sequence[str | Path],
    folder: Path,
    account: Account,
    answers: Callable[[], bool],
    stop_signal: signal.Signals,
) -> Iterator[None]:
    log = folder / "log"
    with (
        log.open("wb") as stream,
        subprocess.Popen(
            command,
            cwd=folder,
            stdout=stream,
            stderr=stream,
            start_new_session=True,
            user=account.user,
            group=account.group,
        ) as process,
    ):
        try:
            _wait_until(answers, process, log)
            yield
        finally:
            process.send_signal(stop_signal)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait_until(answers: Callable[[], bool], process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not answers():
        if process.poll() is not None or time.monotonic() > deadline:
            raise ServerDidNotStart(f"{process.args!r} did not start:\n{log.read_text(errors='replace')}")
        time.sleep(0.05)


def _create_database(address: str) -> bool:
    try:
        with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {DATABASE_NAME}")
    except psycopg.errors.DuplicateDatabase:
        return True
    except psycopg.OperationalError:
        return False
    return True


def _ping_redis(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1) as line:
            line.sendall(b"PING\r\n")
            return line.recv(7) == b"+PONG\r\n"
    except OSError:
        return False


def _postgres_program(name: str) -> Path:
    """Debian keeps the server's programs off the PATH, in one folder per version."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_version, reverse=True)
    found = next((folder / name for folder in folders if (folder / name).exists()), None)
    on_path = shutil.which(name)
    if found is None and on_path is None:
        raise MissingProgram(f"PostgreSQL's {name} was not found: install the Debian package postgresql.")
    return found or Path(str(on_path))


def _version(folder: Path) -> int:
    return int(folder.parent.name) if folder.parent.name.isdigit() else 0


def _server_account() -> Account:
    """PostgreSQL refuses to run as root."""
    if os.getuid() != 0:
        return OWN_ACCOUNT
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = known.get("postgres") or known["nobody"]
    return Account(entry.pw_uid, entry.pw_gid)


@contextmanager
def _folder_of(account: Account) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="attune-server-", ignore_cleanup_errors=True) as name:
        if account.user is not None and account.group is not None:
            os.chown(name, account.user, account.group)
        yield Path(name)
