"""Starts the ML backend's commands in a fresh process: nothing here imports torch, and its memory comes back.

Nothing here imports Django either: these commands read and write files alone, and begin without an instance.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
ML_COMMANDS = (
    *("train", "evaluate", "predict", "probe", "fewest_seeds"),
    *("simulate_active_learning", "transfer", "cause_table"),
)


def asked_of_ml_backend(arguments: Sequence[str]) -> list[str] | None:
    """What a command line asks of the ML backend, in its own words; None if it is for Django."""
    match list(arguments):
        case [command, *_] if command in ML_COMMANDS:
            return list(arguments)
        case ["help", command] if command in ML_COMMANDS:
            return [command, "--help"]
    return None


def run_ml_backend(arguments: Sequence[str]) -> int:
    """Output and errors go where ours go; paths are those of the caller. Gives back the exit code.

    Whoever stops us stops the process too: it is told, and we end when it has ended.
    """
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    command = [sys.executable, "-m", "ml_backend", *arguments]
    process = subprocess.Popen(command, env=environment)
    earlier = {each: signal.signal(each, lambda *_: process.terminate()) for each in STOPS}
    try:
        code = process.wait()
    finally:
        for each, handler in earlier.items():
            signal.signal(each, handler)
    return code if code >= 0 else 128 - code
