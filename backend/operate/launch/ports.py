"""Finds out before anything starts whether the ports are free, and who sits on one that is not."""

from __future__ import annotations

import errno
import socket

import psutil  # type: ignore[import-untyped]

from backend.operate.launch.errors import PortTaken

LOOPBACK = "127.0.0.1"


def require_free_port(port: int, *, purpose: str, variable: str) -> None:
    """Raises PortTaken, with the name of the setting that moves the port."""
    if not is_free(port):
        raise PortTaken(port, purpose, variable, listener_of(port))


def is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # As the servers do: a port that was closed a moment ago counts as free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as problem:
            if problem.errno in (errno.EADDRINUSE, errno.EACCES):
                return False
            raise
    return True


def listener_of(port: int) -> str | None:
    """The program that listens there, when the system tells without special rights."""
    try:
        for connection in psutil.net_connections(kind="tcp"):
            if connection.status == psutil.CONN_LISTEN and connection.laddr.port == port and connection.pid:
                return f"{psutil.Process(connection.pid).name()} (process {connection.pid})"
    except psutil.Error:
        return None
    return None
