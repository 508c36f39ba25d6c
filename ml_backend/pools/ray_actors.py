"""The workers of a Ray cluster as a crew: an actor each, which Ray neither restarts nor gives a cell twice.

Who replaces them, and who tries a cell again, is the dispatcher, as for processes of one machine.
"""

from __future__ import annotations

import hashlib
import logging
import socket
import time
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import ray
from ray.exceptions import RayActorError, RayError

from ml_backend.failures import reason_of
from ml_backend.pools.dispatch import Died, Event
from ml_backend.pools.interface import Cell, SetupFailed, Work
from ml_backend.pools.local import THREAD_VARIABLES, event_of
from ml_backend.pools.ray import ClusterNotReached
from ml_backend.pools.worker import CellRunner, worker_name
from ml_backend.pools.worker_process import DoneMessage, FromWorker, RaisedMessage, ReadyMessage

RECOUNT_SECONDS = 3.0
# Ray's types say less than is so
ObjectRef = Any
ActorHandle = Any
Node = Mapping[str, Any]


class NoRoom(SetupFailed):
    def __init__(self, seconds: float, threads: int, gpus: float) -> None:
        super().__init__(
            f"For {seconds:.0f} seconds no node of the cluster had {threads} CPUs and {gpus:g} GPUs for a "
            "worker: see `ray status`, and whether nodes have joined."
        )


class SharedBytesDiffer(ValueError):
    def __init__(self) -> None:
        super().__init__("What all workers share came to this node with another hash. Start again.")


class ActorWorker:
    """What lives on a node; it answers as a process of `LocalPool` does."""

    def __init__(self) -> None:
        self._runner: CellRunner | None = None

    def start(self, work: Work, shared: bytes, digest: str) -> FromWorker:
        try:
            if hashlib.sha256(shared).hexdigest() != digest:
                raise SharedBytesDiffer
            self._runner = CellRunner(replace(work, shared=shared))
        except Exception as problem:
            return RaisedMessage(reason_of(problem))
        return ReadyMessage(worker_name(), socket.gethostname())

    def run(self, payload: bytes) -> FromWorker:
        assert self._runner is not None, "a worker gets cells once it is ready"
        try:
            return DoneMessage(*self._runner.run(payload))
        except Exception as problem:
            return RaisedMessage(reason_of(problem))


def join(address: str) -> None:
    """Makes this process a driver of the cluster until it ends. Raises ClusterNotReached."""
    try:
        ray.init(address, log_to_driver=False, logging_level=logging.WARNING, namespace="attune")
    except (ConnectionError, RuntimeError, RayError) as problem:
        raise ClusterNotReached(address, problem) from problem


@dataclass(slots=True)
class _Actor:
    handle: ActorHandle
    asked: deque[ObjectRef]


@dataclass(slots=True)
class Actors:
    """`shared` is one object of the cluster, which each node fetches once."""

    work: Work
    shared: ObjectRef
    digest: str
    threads: int
    gpus: float
    patience_seconds: float
    _actors: dict[int, _Actor] = field(default_factory=dict)
    _n_slots: int = 0
    _counted: float = float("-inf")
    _had_room: float = field(default_factory=time.monotonic)

    @classmethod
    def of(cls, work: Work, threads: int, gpus: float, patience_seconds: float) -> Actors:
        digest = hashlib.sha256(work.shared).hexdigest()
        shared = ray.put(work.shared)
        return cls(replace(work, shared=b""), shared, digest, threads, gpus, patience_seconds)

    def slots(self) -> int:
        """Nodes join and leave. Raises NoRoom if there is none for long."""
        now = time.monotonic()
        if now - self._counted >= RECOUNT_SECONDS:
            self._counted = now
            nodes: Sequence[Node] = ray.nodes()  # type: ignore[no-untyped-call]
            self._n_slots = sum(slots_of(node, self.threads, self.gpus) for node in nodes)
        if self._n_slots:
            self._had_room = now
        elif now - self._had_room >= self.patience_seconds:
            raise NoRoom(self.patience_seconds, self.threads, self.gpus)
        return self._n_slots

    def start(self, worker: int) -> None:
        variables = dict.fromkeys(THREAD_VARIABLES, str(self.threads))
        variables |= {"OMP_WAIT_POLICY": "PASSIVE", "TOKENIZERS_PARALLELISM": "false"}
        kind: Any = ray.remote(ActorWorker)
        handle = kind.options(
            num_cpus=self.threads,
            num_gpus=self.gpus,
            max_restarts=0,
            max_task_retries=0,
            enable_task_events=False,
            scheduling_strategy="SPREAD",
            runtime_env={"env_vars": variables},
        ).remote()
        started = handle.start.remote(self.work, self.shared, self.digest)
        self._actors[worker] = _Actor(handle, deque([started]))

    def send(self, worker: int, cell: Cell) -> None:
        actor = self._actors[worker]
        actor.asked.append(actor.handle.run.remote(cell.payload))

    def poll(self, seconds: float) -> Sequence[Event]:
        asked = [ref for actor in self._actors.values() for ref in actor.asked]
        if not asked:
            time.sleep(seconds)
            return []
        if not ray.wait(asked, timeout=seconds)[0]:
            return []
        answered = set(ray.wait(asked, num_returns=len(asked), timeout=0)[0])
        return [event for worker in self._actors for event in self._events(worker, answered)]

    def _events(self, worker: int, answered: set[ObjectRef]) -> Sequence[Event]:
        """In the order in which it was asked, whatever came first."""
        events: list[Event] = []
        asked = self._actors[worker].asked
        while asked and asked[0] in answered:
            try:
                answer: FromWorker = ray.get(asked.popleft())  # type: ignore[assignment]
                events.append(event_of(worker, answer))
            except RayError as problem:
                return [*events, Died(worker, _how(problem))]
        return events

    def end(self, worker: int) -> None:
        with suppress(RayError):
            ray.kill(self._actors.pop(worker).handle)

    def close(self) -> None:
        for worker in list(self._actors):
            self.end(worker)


def slots_of(node: Node, threads: int, gpus: float) -> int:
    """
    >>> node = {"Alive": True, "Resources": {"CPU": 8.0, "GPU": 2.0}}
    >>> slots_of(node, 2, 0), slots_of(node, 2, 1), slots_of(node, 1, 0.5), slots_of({"Alive": False}, 1, 0)
    (4, 2, 4, 0)
    """
    if not node["Alive"]:
        return 0
    resources: Mapping[str, float] = node["Resources"]
    by_cpus = int(resources.get("CPU", 0) // threads)
    return min(by_cpus, int(resources.get("GPU", 0) / gpus + 1e-9)) if gpus else by_cpus


def _how(problem: RayError) -> str:
    """Ray's own words go on for a page."""
    lines = [line.strip() for line in str(problem).splitlines() if line.strip()]
    if isinstance(problem, RayActorError) and len(lines) > 1:
        return f"{lines[0].rstrip('.:')}: {lines[-1]}"
    return lines[0] if lines else type(problem).__name__
