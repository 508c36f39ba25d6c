"""Runs the processes under honcho until they are told to stop; leaves none behind.

A process that ends by itself is started again, unless it never got ready or does so too often: then all are stopped.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import shlex
import signal
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from types import FrameType

import psutil  # type: ignore[import-untyped]
from honcho.manager import Manager
from honcho.printer import Message
from honcho.process import Process

from backend.operate.instance.workplace import LaunchError, Workplace
from backend.operate.launch.errors import ProcessDied, ProcessNotReady, how_it_ended
from backend.operate.launch.logs import LAUNCHER, LogPrinter
from backend.operate.launch.processes import ProcessSpec

_ROUND_SECONDS = 0.2
_GRACE_SECONDS = 5
_FORK_SECONDS = 10
_TELL_SECONDS = 20
MOST_RESTARTS, WITHIN_SECONDS = 3, 600


class WholeGroup(Process):  # type: ignore[misc]
    """A process with all its descendants: when it ends, or when the launcher is gone, so do they."""

    def run(self, events: object = None, ignore_signals: bool = False) -> None:
        launcher = os.getppid()
        threading.Thread(target=self._end_with, args=(launcher,), daemon=True).start()
        super().run(events, ignore_signals)

    def _end_with(self, launcher: int) -> None:
        grace = int(_GRACE_SECONDS / _ROUND_SECONDS)
        while self._child is None or self._child.poll() is None:
            if os.getppid() != launcher and self._child is not None:
                _signal_group(self._child.pid, signal.SIGTERM if grace > 0 else signal.SIGKILL)
                grace -= 1
            time.sleep(_ROUND_SECONDS)
        # Honcho waits for the end of the output, which a surviving grandchild would hold open.
        _signal_group(self._child.pid, signal.SIGKILL)
        while os.getppid() == launcher:
            time.sleep(_ROUND_SECONDS)
        # A launcher that was killed may have held the lock of the queue, and nobody reads what is in it
        os._exit(1)


class Supervisor(Manager):  # type: ignore[misc]
    """Honcho's manager, which also waits for health, starts again what died and knows why it stopped."""

    def __init__(self, printer: LogPrinter, workplace: Workplace, specs: Sequence[ProcessSpec]) -> None:
        super().__init__(printer)
        self._process_ctor = WholeGroup
        self._workplace = workplace
        self._specs = list(specs)
        self._stop_asked = False
        self._were_ready: set[str] = set()
        self._restarts: defaultdict[str, list[float]] = defaultdict(list)
        self.problem: LaunchError | None = None
        for spec in self._specs:
            self.add_process(spec.name, f"exec {shlex.join(spec.command)}", env=dict(spec.environment))

    def supervise(self, patience: float, when_ready: Callable[[], str]) -> None:
        """Blocks until everything has stopped; raises why, unless it was told to.

        `patience` is for how many seconds a process that is not ready may do nothing at all.
        """
        self._patience, self._when_ready = patience, when_ready
        signal.signal(signal.SIGHUP, _treat_as_termination)
        self.loop()
        if self.problem is not None:
            raise self.problem

    def say(self, text: str) -> None:
        self.events.put(Message("line", text, datetime.now(), LAUNCHER, None))

    def terminate(self) -> None:
        """Honcho calls this for a signal and for a process that ended; only the latter is a problem."""
        if not self._all_started():
            self._stop_asked = True
            return
        if not self._terminating and self.problem is None:
            self.problem = self._first_death()
        super().terminate()

    def _start(self) -> None:
        """Honcho cannot stop a process before it knows its number, so wait for all numbers first."""
        super()._start()
        held = []
        while not self._all_started():
            try:
                message = self.events.get(timeout=_FORK_SECONDS)
            except queue.Empty:
                raise LaunchError("the system did not start the processes in time; try again.") from None
            if message.type == "start":
                self._processes[message.name]["pid"] = message.data["pid"]
            else:
                held.append(message)
        for message in held:
            self.events.put(message)
        if self._stop_asked:
            self.terminate()
        self._watch(self._specs, self._welcome)

    def _all_stopped(self) -> bool:
        """Honcho asks this in every round, before it stops all because one has ended."""
        if self._stop_asked:
            self.terminate()
        if not self._terminating and self.problem is None:
            for name in [name for name, process in self._processes.items() if "returncode" in process]:
                self._start_again(name)
        return bool(super()._all_stopped())

    def _start_again(self, name: str) -> None:
        now, process = time.monotonic(), self._processes[name]
        recent = [moment for moment in self._restarts[name] if now - moment < WITHIN_SECONDS]
        if name not in self._were_ready or len(recent) >= MOST_RESTARTS:
            return
        self._restarts[name] = [*recent, now]
        death = how_it_ended(process["returncode"])
        count = f"{len(recent) + 1} of {MOST_RESTARTS} times in {WITHIN_SECONDS // 60} minutes"
        self.say(f"{name} {death} and is started again ({count}). Its log: {self._workplace.log_of(name)}")
        self._workplace.forget(name)
        process["process"].join(_GRACE_SECONDS)
        del process["returncode"], process["pid"]
        process["process"] = multiprocessing.Process(
            name=name, target=process["obj"].run, args=(self.events, True)
        )
        process["process"].start()
        self._watch([spec for spec in self._specs if spec.name == name], lambda: f"{name} is back")

    def _welcome(self) -> str:
        return self._when_ready()

    def _watch(self, specs: Sequence[ProcessSpec], when_ready: Callable[[], str]) -> None:
        def watch() -> None:
            try:
                self._wait_until_ready(specs, when_ready)
            except LaunchError as problem:
                if not self._terminating:
                    self.problem = problem
                    os.kill(os.getpid(), signal.SIGTERM)

        threading.Thread(target=watch, daemon=True).start()

    def _wait_until_ready(self, specs: Sequence[ProcessSpec], when_ready: Callable[[], str]) -> None:
        started = told = time.monotonic()
        movements = {spec.name: Movement(started) for spec in specs}
        waiting = list(specs)
        while waiting and not self._terminating:
            for spec in [spec for spec in waiting if self._answers(spec)]:
                self.say(f"{spec.name} is ready ({time.monotonic() - started:.1f} s)")
                self._were_ready.add(spec.name)
                waiting.remove(spec)
            now = time.monotonic()
            for spec in waiting:
                idle = movements[spec.name].seconds_idle(self._work_of(spec.name), now)
                if idle > self._patience:
                    raise ProcessNotReady(spec.name, self._patience, self._workplace.log_of(spec.name))
            if waiting and now - told > _TELL_SECONDS:
                told = now
                self.say(self._what_is_waited_for(waiting, now - started))
            time.sleep(_ROUND_SECONDS)
        if not self._terminating:
            self.say(when_ready())

    def _answers(self, spec: ProcessSpec) -> bool:
        """A sign that a process left before it died is none."""
        return self._processes[spec.name].get("pid") is not None and spec.is_ready()

    def _work_of(self, name: str) -> tuple[int, float]:
        """What changes as long as a process moves on: its lines and its processor time, also of what it started."""
        pid = self._processes[name].get("pid")
        return self._printer.lines_of(name), processor_seconds(pid) if pid is not None else 0.0

    def _what_is_waited_for(self, waiting: Sequence[ProcessSpec], seconds: float) -> str:
        names = ", ".join(spec.name for spec in waiting)
        last = self._printer.last_line_of(waiting[0].name)
        says = f" {waiting[0].name} said last: {last}" if last else ""
        return f"Still waiting for {names} ({seconds:.0f} s).{says}"

    def _first_death(self) -> ProcessDied | None:
        for name, process in self._processes.items():
            code = process.get("returncode")
            if code is not None:
                return ProcessDied(name, code, self._workplace.log_of(name))
        return None


class Movement:
    """Since when a process has not moved."""

    def __init__(self, now: float) -> None:
        self._work: object = None
        self._since = now

    def seconds_idle(self, work: object, now: float) -> float:
        if work != self._work:
            self._work, self._since = work, now
        return now - self._since


def processor_seconds(pid: int) -> float:
    """Of a process with its descendants, to a tenth: what merely polls does not count as moving on."""
    with suppress(psutil.Error):
        family = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
        seconds = 0.0
        for process in family:
            with suppress(psutil.Error):
                seconds += sum(process.cpu_times()[:4])
        return round(seconds, 1)
    return 0.0


def _signal_group(leader: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)


def _treat_as_termination(number: int, frame: FrameType | None) -> None:
    """A closed terminal stops the instance as Ctrl-C does."""
    os.kill(os.getpid(), signal.SIGTERM)
