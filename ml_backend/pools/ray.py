"""A pool on a Ray cluster, for those who have more than one machine: docs/scaling.md says how to start one.

The driver runs on a node of the cluster. Nodes need the same version of Attune, the base models in their own cache and
the network to each other, but no shared folder.
"""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ml_backend.pools.dispatch import CrewPool
from ml_backend.pools.interface import Work

if TYPE_CHECKING:
    from ml_backend.pools.ray_actors import Actors

ADDRESS = "ML_RAY_ADDRESS"
# Ray's own
AUTH_MODE, TOKEN, TOKEN_PATH = "RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"
CONNECT_SECONDS, HEALTH_CHECK_SECONDS = 10, 60
PATIENCE_SECONDS = 120.0


class RayNotInstalled(RuntimeError):
    def __init__(self) -> None:
        super().__init__(
            "Ray is not installed here: pip install -r requirements/cluster.txt, on every machine."
        )


class ClusterNotReached(RuntimeError):
    def __init__(self, address: str, why: object) -> None:
        super().__init__(
            f"No Ray cluster answers at {address} ({why}): run `ray start` on its machines and on this one, then see "
            f"{ADDRESS}."
        )


class TokenNotKept(RuntimeError):
    """Whoever reaches an open cluster runs what they like on its machines."""

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"{problem} Attune uses a Ray cluster only with a token that nobody else can read: set {AUTH_MODE}=token "
            "on every machine before `ray start`, and give each the same token in ~/.ray/auth_token, which "
            "`(umask 077 && ray get-auth-token --generate)` makes on the first."
        )


class ClusterOpen(RuntimeError):
    def __init__(self, address: str) -> None:
        super().__init__(
            f"The Ray cluster at {address} lets everybody in: set {AUTH_MODE}=token on each of its machines, and start "
            "it again."
        )


def require_token(variables: Mapping[str, str], home: Path) -> None:
    """Raises TokenNotKept unless Ray will use a token, and one that this user alone can read."""
    if variables.get(AUTH_MODE, "").lower() != "token":
        raise TokenNotKept(f"{AUTH_MODE} is not `token`.")
    if variables.get(TOKEN, "").strip():
        return
    path = Path(variables.get(TOKEN_PATH) or home / ".ray/auth_token")
    try:
        mode, is_empty = path.stat().st_mode, not path.read_text().strip()
    except OSError as problem:
        raise TokenNotKept(f"The token cannot be read: {problem}.") from problem
    if is_empty:
        raise TokenNotKept(f"{path} is empty.")
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise TokenNotKept(f"Others can read {path}, or write it: make a new token, and `chmod 600 {path}`.")


def require_closed_cluster(address: str, variables: Mapping[str, str]) -> None:
    """Raises ClusterNotReached, for which Ray itself waits for minutes, and ClusterOpen if no token is asked for."""
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS).close()
    except OSError as problem:
        raise ClusterNotReached(address, problem) from problem
    asked = subprocess.run(
        [sys.executable, "-m", "ray.scripts.scripts", "health-check", "--address", address],
        env={**variables, AUTH_MODE: "disabled", TOKEN: ""},
        capture_output=True,
        timeout=HEALTH_CHECK_SECONDS,
    )
    if asked.returncode == 0:
        raise ClusterOpen(address)


@dataclass(frozen=True, slots=True)
class RayPool(CrewPool):
    """Each worker has so many `threads`, taken as CPUs of its node, and so many `gpus`, or a share of one."""

    address: str
    threads: int = 1
    gpus: float = 0.0
    patience_seconds: float = PATIENCE_SECONDS

    def crew(self, work: Work) -> Actors:
        """A process stays with one cluster until it ends. Raises RayNotInstalled, TokenNotKept, ClusterNotReached and
        ClusterOpen, and so does `run`."""
        require_token(os.environ, Path.home())
        try:
            import ray
        except ImportError as problem:
            raise RayNotInstalled from problem
        from ml_backend.pools.ray_actors import Actors, join

        if not ray.is_initialized():
            require_closed_cluster(self.address, os.environ)
            join(self.address)
        return Actors.of(work, self.threads, self.gpus, self.patience_seconds)
