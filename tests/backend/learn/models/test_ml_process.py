"""Whoever stops a command of the ML backend stops its process too."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from ml_backend.__main__ import stopping_cleanly

ROOT = Path(__file__).resolve().parents[4]
# Holds the ML backend's process right at its start, with a pipe open that tells whether it lives.
HELD = """
import os, signal, sys
if "ml_backend" in sys.orig_argv:
    held = os.open(os.environ["HELD"], os.O_RDONLY)
    signal.pause()
"""


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_no_process_outlives_the_command(tmp_path: Path, stop: signal.Signals) -> None:
    (tmp_path / "sitecustomize.py").write_text(HELD)
    pipe = tmp_path / "held"
    os.mkfifo(pipe)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "HELD": str(pipe)}
    command = [sys.executable, str(ROOT / "manage.py"), "train", "release", "out"]
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        os.close(os.open(pipe, os.O_WRONLY))  # waits until the process is there
        process.send_signal(stop)
        assert process.wait(30) == 128 + signal.SIGTERM
        with pytest.raises(OSError) as nobody:
            os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        assert nobody.value.errno == errno.ENXIO
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def test_a_stop_is_like_ctrl_c_and_comes_once() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), stopping_cleanly():
        try:
            signal.raise_signal(signal.SIGTERM)
        finally:
            signal.raise_signal(signal.SIGINT)  # while what was begun is put away
    assert signal.getsignal(signal.SIGTERM) is before
