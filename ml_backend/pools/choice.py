"""Who computes: the processes of this machine, or the workers of a cluster, as the environment of the driver says."""

from __future__ import annotations

from collections.abc import Mapping

from ml_backend.pools.interface import Pool, PoolMisconfigured
from ml_backend.pools.local import LocalPool
from ml_backend.pools.ray import RayPool

POOL, PROCESSES, THREADS = "ML_LABEL_POOL", "ML_LABEL_PROCESSES", "ML_LABEL_THREADS"
LOCAL, RAY = "local", "ray"
MOST = 256


def choose_pool(variables: Mapping[str, str], workers: int, threads: int) -> Pool:
    """So many processes here, or those that the cluster has room for. Raises PoolMisconfigured."""
    return RayPool.from_environment(variables) if uses_cluster(variables) else LocalPool(workers, threads)


def labelling_pool(variables: Mapping[str, str], cores: int) -> Pool:
    """As many processes as there are cores if nothing else is said: two of them outdo one with two threads."""
    processes = _number(variables, PROCESSES, cores)
    return choose_pool(variables, processes, _number(variables, THREADS, max(1, cores // processes)))


def uses_cluster(variables: Mapping[str, str]) -> bool:
    given = variables.get(POOL) or LOCAL
    if given not in (LOCAL, RAY):
        raise PoolMisconfigured(POOL, given, f"{LOCAL} or {RAY}")
    return given == RAY


def _number(variables: Mapping[str, str], name: str, default: int) -> int:
    given = variables.get(name) or str(default)
    if not given.isdecimal() or not 1 <= int(given) <= MOST:
        raise PoolMisconfigured(name, given, f"a whole number from 1 to {MOST}")
    return int(given)
