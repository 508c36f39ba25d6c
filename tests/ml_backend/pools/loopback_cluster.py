"""A Ray cluster of this machine that listens on 127.0.0.1 alone, of any number of nodes that can be killed.

Ray takes another address of the machine when it is given 127.0.0.1, unless it is told that there is no other machine;
and then `ray start` adds no nodes. So a process of its own holds the cluster and is told what to do by lines.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]

from ml_backend.processes import ROOT

OBJECT_STORE_BYTES = 80_000_000


@dataclass(frozen=True, slots=True)
class LoopbackCluster:
    address: str
    variables: Mapping[str, str]
    process: subprocess.Popen[str]

    def add_node(self, cpus: int, gpus: int = 0) -> int:
        return int(self._ask("add", cpus, gpus))

    def kill_node(self, node: int) -> None:
        """With everything on it, at once."""
        self._ask("kill", node)

    def _ask(self, *command: object) -> str:
        return _ask(self.process, *command)

    def processes(self) -> list[psutil.Process]:
        found: list[psutil.Process] = psutil.Process(self.process.pid).children(recursive=True)
        return found


def _ask(process: subprocess.Popen[str], *command: object) -> str:
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(json.dumps(command) + "\n")
    process.stdin.flush()
    answer = process.stdout.readline()
    assert answer, "the cluster's process has ended"
    return str(json.loads(answer))


def loopback_variables(folder: Path, mode: str) -> dict[str, str]:
    """With a token that this user alone can read."""
    token = folder / "token"
    token.touch(mode=0o600)
    token.write_text(secrets.token_hex(32))
    return {
        "RAY_AUTH_MODE": mode,
        "RAY_AUTH_TOKEN_PATH": str(token),
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
        "RAY_USAGE_STATS_ENABLED": "0",
        # Where it notes the newest cluster of the machine
        "RAY_TMPDIR": str(folder),
        # Whatever else runs here, workers are not kept waiting for it, and a node may take its time to start
        "RAY_worker_niceness": "0",
        "RAY_NUM_REDIS_GET_RETRIES": "120",
        "RAY_gcs_server_port_wait_time_s": "120",
        # What else runs here may fill the memory
        "RAY_memory_monitor_refresh_ms": "0",
    }


@contextmanager
def loopback_cluster(cpus: int = 0, mode: str = "token") -> Iterator[LoopbackCluster]:
    """A head with so many CPUs, on which drivers run. Whoever uses it sets its `variables` before Ray is loaded."""
    # Sockets lie there, whose paths must be short
    with tempfile.TemporaryDirectory(prefix="attune-ray-", dir="/tmp", ignore_cleanup_errors=True) as folder:
        variables = loopback_variables(Path(folder), mode)
        with subprocess.Popen(
            [sys.executable, "-m", __name__, folder],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
            env={**os.environ, **variables},
        ) as process:
            try:
                yield LoopbackCluster(_ask(process, "head", cpus), variables, process)
            finally:
                left = psutil.Process(process.pid).children(recursive=True)
                process.kill()
                for each in left:
                    try:
                        each.kill()
                    except psutil.NoSuchProcess:
                        continue


def _added(cluster: Any, **asked: Any) -> Any:
    """Ray gives a node thirty seconds to start, which a busy machine may not have."""
    for left in reversed(range(4)):
        try:
            return cluster.add_node(wait=False, **asked)
        except Exception:
            if not left:
                raise


def main(folder: str) -> None:
    """Holds the nodes until its input ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    from ray.cluster_utils import Cluster

    cluster = Cluster()
    nodes = []
    more: dict[str, Any] = {
        "node_ip_address": "127.0.0.1",
        "object_store_memory": OBJECT_STORE_BYTES,
        "include_log_monitor": False,
    }
    for line in sys.stdin:
        match json.loads(line):
            case ["head", cpus]:
                cluster.add_node(num_cpus=cpus, include_dashboard=False, temp_dir=f"{folder}/ray", **more)
                answer = cluster.address
            case ["add", cpus, gpus]:
                nodes.append(_added(cluster, num_cpus=cpus, num_gpus=gpus, **more))
                answer = len(nodes) - 1
            case ["kill", node]:
                cluster.remove_node(nodes[node], allow_graceful=False)
                answer = node
            case other:
                raise ValueError(f"{other} is no command.")
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    main(sys.argv[1])
