"""The workers of a Ray cluster as a crew: an actor each, which Ray neither restarts nor gives a cell twice.

Who replaces them, and who tries a cell again, is the dispatcher, as for processes of one machine.
"""

from __future__ import annotations

import hashlib
import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

import ray
from ray.exceptions import RayActorError, RayError

from ml_backend.pools.dispatch import Died, Event
from ml_backend.pools.interface import Cell, SetupFailed, Work
from ml_backend.pools.local import worker_variables
from ml_backend.pools.ray import ClusterNotReached
from ml_backend.pools.worker import Message, Raised, Ready, Told, Worker

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


class ActorWorker(Worker):
    """What lives on a node."""

    def load_shared(self, work: Work, shared: bytes, digest: str) -> Ready | Raised:
        if hashlib.sha256(shared).hexdigest() != digest:
            return Raised("What all workers share came to this node with another hash. Start again.")
        return self.load(replace(work, shared=shared))

    def run_alone(self, payload: bytes) -> Message:
        return self.run(payload, lambda told: None)

    def run_telling(self, payload: bytes) -> Iterator[Message]:
        """What is told as it comes, and at the end what came of the cell."""
        messages: queue.SimpleQueue[Message] = queue.SimpleQueue()
        threading.Thread(target=lambda: messages.put(self.run(payload, messages.put)), daemon=True).start()
        while isinstance(message := messages.get(), Told):
            yield message
        yield message


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
        kind: Any = ray.remote(ActorWorker)
        handle = kind.options(
            num_cpus=self.threads,
            num_gpus=self.gpus,
            max_restarts=0,
            max_task_retries=0,
            enable_task_events=False,
            scheduling_strategy="SPREAD",
            runtime_env={"env_vars": worker_variables(self.threads)},
        ).remote()
        started = handle.load_shared.remote(self.work, self.shared, self.digest)
        self._actors[worker] = _Actor(handle, deque([started]))

    def send(self, worker: int, cell: Cell) -> None:
        actor = self._actors[worker]
        streaming = actor.handle.run_telling.options(num_returns="streaming")
        run = streaming if self.work.tells else actor.handle.run_alone
        actor.asked.append(run.remote(cell.payload))

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
                message: Message = ray.get(
                    next(asked[0]) if isinstance(asked[0], ray.ObjectRefGenerator) else asked[0]
                )
            except RayError as problem:
                return [*events, (worker, Died(_how(problem)))]
            events.append((worker, message))
            if isinstance(message, Told):
                break
            asked.popleft()
        return events

    def end(self, worker: int) -> None:
        with suppress(RayError):
            ray.kill(self._actors.pop(worker).handle)


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
