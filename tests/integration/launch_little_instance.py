"""An instance of two tiny processes, run as a program so that tests can send it signals.

Arguments: a data directory, a patience in seconds, and what the second process does: live, die, hang, work.
Each process starts a child of its own, as web servers and workers do.
"""

from __future__ import annotations

import os
import sys
import textwrap
from pathlib import Path

from backend.operate.instance.workplace import LaunchError, Workplace, take_possession
from backend.operate.launch.logs import LogPrinter
from backend.operate.launch.processes import ProcessSpec
from backend.operate.launch.supervisor import Supervisor

BODY = textwrap.dedent(
    """
    import pathlib, subprocess, sys, time
    sign, behaviour = pathlib.Path(sys.argv[1]), sys.argv[2]
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    if behaviour == "work":
        ends = time.monotonic() + 4
        while time.monotonic() < ends:
            pass
    if behaviour != "hang":
        sign.touch()
    print("GET /health 200 1 ms", flush=True)
    print("2026-01-05 10:11:12,345 INFO    here: working", flush=True)
    if behaviour == "die":
        time.sleep(1)
        sys.exit(7)
    time.sleep(600)
    """
)


def main() -> int:
    workplace = Workplace(Path(sys.argv[1]))
    patience, behaviour = float(sys.argv[2]), sys.argv[3]
    take_possession(workplace)
    specs = [_spec(workplace, "steady", "live"), _spec(workplace, "second", behaviour)]
    try:
        Supervisor(LogPrinter(sys.stdout, workplace.logs, shows=True), workplace, specs).supervise(
            patience, lambda: "WELCOME"
        )
    except LaunchError as problem:
        print(problem)
        return 1
    return 0


def _spec(workplace: Workplace, name: str, behaviour: str) -> ProcessSpec:
    sign = workplace.data_dir / f"{name}.ready"
    command = (sys.executable, "-c", BODY, str(sign), behaviour)
    return ProcessSpec(name, command, os.environ, sign.exists)


if __name__ == "__main__":
    sys.exit(main())
