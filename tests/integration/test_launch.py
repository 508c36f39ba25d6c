"""A whole embedded instance, started as `make run` starts it: up, down without a trace, and up again fast."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from backend.operate.launch.health import answers
from tests.integration.label_studio_server import free_port

pytestmark = pytest.mark.label_studio

ROOT = Path(__file__).resolve().parents[2]
PROCESSES = ("web", "worker", "sync", "ml", "ml-server", "beat", "label-studio")


class Instance:
    """One run of the launcher; its output is read along, so that its pipe never fills up."""

    def __init__(self, data_dir: Path, web_port: int, label_studio_port: int) -> None:
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ATTUNE_")}
        environment |= {
            "ATTUNE_DATA_DIR": str(data_dir),
            "ATTUNE_WEB_PORT": str(web_port),
            "ATTUNE_LABEL_STUDIO_PORT": str(label_studio_port),
            "ATTUNE_ML_SERVER_PORT": str(free_port()),
            "ATTUNE_DEMO": "small",
        }
        self.begun = time.monotonic()
        self.popen = subprocess.Popen(
            [sys.executable, "-m", "backend.operate.launch"],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.output = ""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        if self.popen.stdout is not None:
            with self.popen.stdout as lines:
                for line in lines:
                    self.output += line

    def wait_until_up(self, patience: float) -> None:
        self.wait_for("Ctrl-C stops everything", patience)

    def wait_for(self, text: str, patience: float) -> None:
        deadline = time.monotonic() + patience
        while text not in self.output:
            if self.popen.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(self.output[-4000:])
            time.sleep(0.1)

    def processor_seconds(self) -> float:
        """Of all its processes so far, those that are over included: what no other load on the machine changes."""
        launcher = psutil.Process(self.popen.pid)
        seconds = 0.0
        for process in (launcher, *launcher.children(recursive=True)):
            with suppress(psutil.NoSuchProcess):
                seconds += sum(process.cpu_times()[:4])
        return seconds

    def stop(self, number: signal.Signals) -> tuple[int, list[psutil.Process]]:
        """The exit code, and whatever still lives of it."""
        family = psutil.Process(self.popen.pid).children(recursive=True)
        self.popen.send_signal(number)
        code = self.finish()
        _, alive = psutil.wait_procs(family, timeout=10)
        return code, list(alive)

    def finish(self) -> int:
        code = self.popen.wait(timeout=60)
        self._reader.join(timeout=10)
        return code


@pytest.fixture(
    scope="module", params=["Label Studio is migrated", pytest.param("empty", marks=pytest.mark.soak)]
)
def data_dir(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nothing is there; or nothing but the tables of Label Studio, which takes a minute to make them."""
    folder = tmp_path_factory.mktemp("instance")
    if request.param != "empty":
        migrated: Path = request.getfixturevalue("migrated_label_studio")
        shutil.copytree(migrated, folder / "label-studio")
    return folder


@pytest.fixture
def instance(data_dir: Path) -> Iterator[Instance]:
    running = Instance(data_dir, free_port(), free_port())
    yield running
    if running.popen.poll() is None:
        running.stop(signal.SIGTERM)


def test_a_first_start_welcomes_and_ctrl_c_leaves_nothing(instance: Instance, data_dir: Path) -> None:
    instance.wait_until_up(patience=300)
    addresses = re.findall(r"http://127\.0\.0\.1:\d+(?= )", instance.output)
    assert len(addresses) >= 2
    assert all(answers(f"{address}/health") for address in addresses)
    for name in PROCESSES:
        assert f"{name} is ready" in instance.output
    assert instance.output.count("Attune is running") == 1
    assert "/health" not in (data_dir / "logs" / "web.log").read_text()
    assert (data_dir / "secrets.json").stat().st_mode & 0o077 == 0
    assert instance.stop(signal.SIGINT) == (0, [])


def test_a_second_start_takes_less_than_15_seconds_of_two_cores_and_a_dead_process_is_started_again(
    instance: Instance, data_dir: Path
) -> None:
    instance.wait_until_up(patience=120)
    assert instance.processor_seconds() < 2 * 15
    beat = psutil.Process(int((data_dir / "run" / "beat.pid").read_text()))
    beat.kill()
    instance.wait_for("beat is back", patience=120)
    assert (
        f"beat was killed by signal 9 and is started again (1 of 3 times in 10 minutes). Its log: {data_dir}"
        in (instance.output)
    )
    assert int((data_dir / "run" / "beat.pid").read_text()) != beat.pid
    assert "jobs.sweep" not in instance.output
    assert "jobs.sweep" in (data_dir / "logs" / "worker.log").read_text()
    assert instance.stop(signal.SIGTERM) == (0, [])


def test_a_taken_port_is_named_before_anything_starts(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as squatter:
        port = squatter.getsockname()[1]
        refused = Instance(tmp_path / "data", port, free_port())
        assert refused.finish() == 1
    assert f"port {port}, meant for the web pages, is already used" in refused.output
    assert "ATTUNE_WEB_PORT=" in refused.output
    assert not (tmp_path / "data" / "label-studio").exists()


def test_a_bad_setting_is_named(tmp_path: Path) -> None:
    refused = Instance(tmp_path / "data", 0, free_port())
    assert refused.finish() == 1
    assert "ATTUNE_WEB_PORT='0' is not allowed" in refused.output
    assert "Traceback" not in refused.output
