"""A pytest plugin (`-p`) that gives each test process an empty instance before Django reads its settings.

A conftest would be too late: pytest-django loads the settings before pytest loads any conftest.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile


def use_empty_instance() -> None:
    """Whatever the shell exports, tests never touch a real instance's data or wake its workers."""
    for name in [name for name in os.environ if name.startswith("ATTUNE_")]:
        del os.environ[name]
    folder = tempfile.mkdtemp(prefix="attune-tests-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    os.environ["ATTUNE_DATA_DIR"] = folder
    # The demo that tells a story takes a minute to make; its own tests make a small one
    os.environ["ATTUNE_DEMO"] = "small"


use_empty_instance()
