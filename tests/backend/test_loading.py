"""What a command of Django loads: most need no job, and what jobs need takes seconds."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NEEDED_BY_JOBS = frozenset(
    {"httpx", "scipy", "sklearn", "matplotlib", "statsmodels", "torch", "transformers"}
)


def test_a_command_that_explains_itself_loads_nothing_that_jobs_need(tmp_path: Path) -> None:
    code = (
        "import sys\nfrom django.core.management import execute_from_command_line\n"
        "try:\n    execute_from_command_line(['manage.py', 'agreement', '--help'])\n"
        "finally:\n    print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    environment = {
        **os.environ,
        "ATTUNE_DATA_DIR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "backend.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    found = frozenset(done.stdout.splitlines()[-1].split())
    assert "django" in found and not found & NEEDED_BY_JOBS
