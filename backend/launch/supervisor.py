"""Runs the processes under honcho until they are told to stop or one of them ends; leaves none behind."""

from __future__ import annotations

import os
import queue
import shlex
import signal
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from types import FrameType

from honcho.manager import Manager
from honcho.printer import Message
from honcho.process import Process

from backend.launch.errors import LaunchError, ProcessDied, ProcessNotReady
from backend.launch.logs import LAUNCHER, LogPrinter
from backend.launch.processes import ProcessSpec
from backend.launch.workplace import Workplace

_ROUND_SECONDS = 0.2
_GRACE_SECONDS = 5
_FORK_SECONDS = 10


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


class Supervisor(Manager):  # type: ignore[misc]
    """Honcho's manager, which also waits for health and knows why it stopped."""

    def __init__(self, printer: LogPrinter, workplace: Workplace, specs: Sequence[ProcessSpec]) -> None:
        super().__init__(printer)
        self._process_ctor = WholeGroup
        self._workplace = workplace
        self._specs = list(specs)
        self._stop_asked = False
        self.problem: LaunchError | None = None
        for spec in self._specs:
            self.add_process(spec.name, f"exec {shlex.join(spec.command)}", env=dict(spec.environment))

    def supervise(self, patience: float, when_ready: Callable[[], str]) -> None:
        """Blocks until everything has stopped; raises why, unless it was told to."""
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
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        try:
            self._wait_until_ready()
        except LaunchError as problem:
            if not self._terminating:
                self.problem = problem
                os.kill(os.getpid(), signal.SIGTERM)

    def _wait_until_ready(self) -> None:
        started = time.monotonic()
        waiting = list(self._specs)
        while waiting and not self._terminating:
            for spec in [spec for spec in waiting if spec.is_ready()]:
                self.say(f"{spec.name} is ready ({time.monotonic() - started:.1f} s)")
                waiting.remove(spec)
            if waiting and time.monotonic() - started > self._patience:
                slow = waiting[0].name
                raise ProcessNotReady(slow, self._patience, self._workplace.log_of(slow))
            time.sleep(_ROUND_SECONDS)
        if not self._terminating:
            self.say(self._when_ready())

    def _first_death(self) -> ProcessDied | None:
        for name, process in self._processes.items():
            code = process.get("returncode")
            if code is not None:
                return ProcessDied(name, code, self._workplace.log_of(name))
        return None


def _signal_group(leader: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, number)


def _treat_as_termination(number: int, frame: FrameType | None) -> None:
    """A closed terminal stops the instance as Ctrl-C does."""
    os.kill(os.getpid(), signal.SIGTERM)
