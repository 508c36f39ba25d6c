"""Who computes: the processes of this machine, or the workers of a cluster, as the environment of the driver says."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ml_backend.pools.interface import Pool
from ml_backend.pools.local import LocalPool
from ml_backend.pools.ray import ADDRESS, RayPool

POOL, PROCESSES, THREADS, GPUS_EACH = (
    "ML_LABEL_POOL",
    "ML_LABEL_PROCESSES",
    "ML_LABEL_THREADS",
    "ML_LABEL_GPUS_EACH",
)
LOCAL, RAY = "local", "ray"
MOST, MOST_GPUS = 256, 64


class PoolMisconfigured(ValueError):
    def __init__(self, name: str, given: str, allowed: str) -> None:
        super().__init__(f"{name}={given!r} is not allowed: it takes {allowed}.")


def choose_pool(variables: Mapping[str, str], workers: int, threads: int) -> Pool:
    """So many processes here, or those that the cluster has room for. Raises PoolMisconfigured, as all of these do."""
    return cluster_pool(variables) if uses_cluster(variables) else LocalPool(workers, threads)


def labelling_pool(variables: Mapping[str, str], cores: int) -> Pool:
    """As many processes as there are cores if nothing else is said: two of them outdo one with two threads."""
    processes = _number(variables, PROCESSES, cores)
    return choose_pool(variables, processes, _number(variables, THREADS, max(1, cores // processes)))


def uses_cluster(variables: Mapping[str, str]) -> bool:
    given = variables.get(POOL) or LOCAL
    if given not in (LOCAL, RAY):
        raise PoolMisconfigured(POOL, given, f"{LOCAL} or {RAY}")
    return given == RAY


def cluster_pool(variables: Mapping[str, str]) -> RayPool:
    address, gpus = variables.get(ADDRESS) or "", variables.get(GPUS_EACH) or "0"
    if not re.fullmatch(r"\S+:\d{1,5}", address):
        raise PoolMisconfigured(ADDRESS, address, "the head's host:port, as in 10.0.0.5:6379")
    if not re.fullmatch(r"0?\.\d{1,2}|\d{1,2}", gpus) or float(gpus) > MOST_GPUS:
        allowed = f"0, a share of one as in 0.5, or a whole number to {MOST_GPUS}"
        raise PoolMisconfigured(GPUS_EACH, gpus, allowed)
    return RayPool(address, _number(variables, THREADS, 1), float(gpus))


def _number(variables: Mapping[str, str], name: str, default: int) -> int:
    given = variables.get(name) or str(default)
    if not given.isdecimal() or not 1 <= int(given) <= MOST:
        raise PoolMisconfigured(name, given, f"a whole number from 1 to {MOST}")
    return int(given)
