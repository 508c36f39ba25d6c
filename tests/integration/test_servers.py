"""The servers that other tests rely on: real, local, gone afterwards, and missed loudly when not there."""

from __future__ import annotations

import socket
import sys

import psycopg
import pytest
import redis

from tests.servers import MissingProgram, free_port, redis_server
from tests.with_servers import main


def test_postgresql_answers_on_this_machine_only(postgres_url: str) -> None:
    with psycopg.connect(postgres_url) as connection:
        row = connection.execute("SELECT current_database(), current_setting('listen_addresses')").fetchone()
    assert row == ("attune", "127.0.0.1")


def test_redis_answers_and_keeps_nothing(redis_url: str) -> None:
    client = redis.Redis.from_url(redis_url)
    assert client.ping()
    assert client.config_get("save") == {"save": ""}
    client.close()


def test_a_server_is_gone_when_its_block_ends() -> None:
    port = free_port()
    with redis_server(port), socket.create_connection(("127.0.0.1", port), timeout=5):
        pass
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=5)


def test_a_missing_server_names_the_package_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(MissingProgram, match="install the Debian package redis-server"), redis_server():
        pass
    assert main(["--redis", "--", "true"]) == 1


def test_a_command_gets_the_addresses_and_its_exit_code_counts() -> None:
    script = (
        "import os; assert os.environ['BROKER_URL'].startswith('redis://127.0.0.1:'); raise SystemExit(7)"
    )
    assert main(["--redis", "--", sys.executable, "-c", script]) == 7
