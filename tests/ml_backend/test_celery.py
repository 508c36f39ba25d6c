"""The ML backend's app: looked at without a broker, and configured as carefully as Attune's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SHOW = """
import json
from ml_backend.celery import app
names = ("broker_url", "accept_content", "task_acks_late", "worker_pool", "worker_concurrency", "task_default_queue")
app.loader.import_default_modules()
tasks = sorted(name for name in app.tasks if name.startswith("ml."))
print(json.dumps({name: app.conf[name] for name in names} | {"tasks": tasks}))
"""


def run(program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], **variables}
    return subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_takes_json_only_and_one_message_at_a_time() -> None:
    shown = json.loads(run(SHOW, BROKER_URL="redis://127.0.0.1:1/0").stdout)
    assert shown == {
        "broker_url": "redis://127.0.0.1:1/0",
        "accept_content": ["json"],
        "task_acks_late": True,
        "worker_pool": "threads",
        "worker_concurrency": 4,
        "task_default_queue": "ml",
        "tasks": ["ml.measure_agreement", "ml.work"],
    }


def test_it_can_be_looked_at_without_a_broker_but_not_used() -> None:
    assert run("import ml_backend.tasks").returncode == 0
    used = run(SHOW)
    assert used.returncode != 0
    assert "BROKER_URL is missing" in used.stderr


def test_it_knows_nothing_of_the_backend() -> None:
    program = (
        "import sys, ml_backend.tasks; print([name for name in sys.modules if name.startswith('backend')])"
    )
    assert run(program).stdout == "[]\n"
