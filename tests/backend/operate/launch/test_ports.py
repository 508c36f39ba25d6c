"""A taken port is found before anything starts, and the message says what to change."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator

import pytest

from backend.operate.launch.errors import PortTaken
from backend.operate.launch.ports import is_free, require_free_port


@pytest.fixture(params=["127.0.0.1", "0.0.0.0"])
def listening_port(request: pytest.FixtureRequest) -> Iterator[int]:
    with socket.create_server((request.param, 0)) as server:
        yield server.getsockname()[1]


def test_the_error_names_the_port_its_user_and_the_setting(listening_port: int) -> None:
    with pytest.raises(PortTaken) as caught:
        require_free_port(listening_port, purpose="the web pages", variable="ATTUNE_WEB_PORT")
    message = str(caught.value)
    assert f"port {listening_port}, meant for the web pages, is already used" in message
    assert f"(process {os.getpid()})" in message
    assert f"ATTUNE_WEB_PORT={listening_port + 1} make run" in message


def test_a_port_is_free_again_as_soon_as_its_server_has_gone() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)):
            accepted, _ = server.accept()
            accepted.close()
        assert not is_free(port)
    assert is_free(port)
