"""Whatever ends an instance, nothing of it is left running, and the reason is told."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = "tests.integration.launch_little_instance"
FAMILY = 6  # two of honcho's forks, the two processes, and a child of each


class LittleInstance:
    def __init__(self, data_dir: Path, patience: float, behaviour: str) -> None:
        command = [sys.executable, "-m", PROGRAM, str(data_dir), str(patience), behaviour]
        self.popen = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.family: list[psutil.Process] = []

    def wait_for(self, text: str) -> None:
        if self.popen.stdout is None:
            raise RuntimeError("the program has no output")
        for line in self.popen.stdout:
            if text in line:
                self.family = psutil.Process(self.popen.pid).children(recursive=True)
                return
        raise RuntimeError(f"the program ended without saying {text!r}")

    def process_of(self, name: str) -> psutil.Process:
        return next(process for process in self.family if f"{name}.ready" in " ".join(process.cmdline()))

    def end(self) -> tuple[int, str]:
        output, _ = self.popen.communicate(timeout=60)
        return self.popen.returncode, output

    def survivors(self) -> list[psutil.Process]:
        """What only waits to be counted by whoever adopted it has ended."""
        _, alive = psutil.wait_procs(self.family, timeout=30)
        return [process for process in alive if process.is_running() and not _has_ended(process)]


def _has_ended(process: psutil.Process) -> bool:
    return bool(process.status() == psutil.STATUS_ZOMBIE)


@pytest.fixture
def started(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[LittleInstance]:
    patience, behaviour = request.param
    instance = LittleInstance(tmp_path, patience, behaviour)
    yield instance
    if instance.popen.poll() is None:
        instance.popen.kill()
        instance.popen.wait()
    for process in instance.survivors():
        process.kill()
    if instance.popen.stdout is not None:
        instance.popen.stdout.close()


@pytest.mark.parametrize("started", [(20, "live")], indirect=True)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_stops_every_process_and_is_no_failure(
    started: LittleInstance, number: signal.Signals
) -> None:
    started.wait_for("WELCOME")
    assert len(started.family) == FAMILY
    started.popen.send_signal(number)
    code, _ = started.end()
    assert code == 0
    assert started.survivors() == []


@pytest.mark.parametrize("started", [(20, "live")], indirect=True)
def test_a_signal_during_the_start_is_kept_until_it_can_be_obeyed(started: LittleInstance) -> None:
    deadline = time.monotonic() + 10
    while not started.family and time.monotonic() < deadline:
        started.family = psutil.Process(started.popen.pid).children(recursive=True)
    started.popen.send_signal(signal.SIGINT)
    code, output = started.end()
    assert (code, "Traceback" in output) == (0, False)
    assert started.survivors() == []


@pytest.mark.parametrize("started", [(20, "live")], indirect=True)
def test_nothing_survives_a_launcher_that_is_killed_outright(started: LittleInstance) -> None:
    started.wait_for("WELCOME")
    started.popen.kill()
    assert started.survivors() == []


@pytest.mark.parametrize("started", [(20, "die")], indirect=True)
def test_a_process_that_ends_too_often_stops_all_and_is_named(
    started: LittleInstance, tmp_path: Path
) -> None:
    started.wait_for("second is ready")
    code, output = started.end()
    assert code == 1
    log = f"Its log: {tmp_path}/logs/second.log"
    for times in (1, 2, 3):
        again = f"({times} of 3 times in 10 minutes). {log}"
        assert f"second ended with exit code 7 and is started again {again}" in output
    assert f"second ended with exit code 7, so everything was stopped. {log}" in output
    assert started.survivors() == []


@pytest.mark.parametrize("started", [(20, "live")], indirect=True)
def test_a_process_that_is_killed_is_started_again_although_its_child_held_the_output(
    started: LittleInstance,
) -> None:
    started.wait_for("WELCOME")
    steady, victim = (started.process_of(name) for name in ("steady", "second"))
    victim.kill()
    started.wait_for("second was killed by signal 9 and is started again")
    started.wait_for("second is back")
    assert len(started.family) == FAMILY
    assert started.process_of("steady") == steady
    assert started.process_of("second") != victim
    started.popen.send_signal(signal.SIGINT)
    code, _ = started.end()
    assert code == 0
    assert started.survivors() == []


@pytest.mark.parametrize("started", [(3, "hang")], indirect=True)
def test_a_process_that_never_gets_ready_and_does_nothing_is_named(
    started: LittleInstance, tmp_path: Path
) -> None:
    started.wait_for("steady is ready")
    code, output = started.end()
    assert code == 1
    assert f"second is not ready and has done nothing for 3 s. Its log: {tmp_path}/logs/second.log" in output
    assert started.survivors() == []


@pytest.mark.parametrize("started", [(2, "work")], indirect=True)
def test_a_process_that_moves_on_is_waited_for(started: LittleInstance) -> None:
    started.wait_for("WELCOME")
    started.popen.send_signal(signal.SIGINT)
    assert started.end()[0] == 0


@pytest.mark.parametrize("started", [(20, "live")], indirect=True)
def test_lines_are_shown_with_their_process_and_kept_in_its_file(
    started: LittleInstance, tmp_path: Path
) -> None:
    started.wait_for("second | INFO    here: working")
    started.popen.send_signal(signal.SIGTERM)
    _, output = started.end()
    kept = (tmp_path / "logs" / "second.log").read_text()
    assert kept == "2026-01-05 10:11:12,345 INFO    here: working\n"
    assert "/health" not in output


@pytest.mark.parametrize("started", [(20, "live")], indirect=True)
def test_a_second_instance_on_the_same_data_is_refused(started: LittleInstance, tmp_path: Path) -> None:
    started.wait_for("WELCOME")
    second = LittleInstance(tmp_path, 20, "live")
    code, output = second.end()
    assert (code, f"another Attune is running on {tmp_path}" in output) == (1, True)
