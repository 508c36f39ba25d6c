"""Pages and messages name files from the data directory on: where that lies is for whoever runs the server."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings

ROOTS = ("CORPORA_DIR", "FILES_DIR", "RELEASES_DIR", "ADAPTERS_DIR", "LABELLED_DIR", "REPORTS_DIR", "ML_DIR")


def within_data(path: Path) -> str:
    """Such as files/my-study."""
    return without_server_paths(str(path))


def without_server_paths(text: str) -> str:
    """Cuts what stands before the data directory, and before a folder of its that lies elsewhere."""
    for folder in (Path(getattr(settings, name)).parent for name in ROOTS):
        text = re.sub(rf"(?<![\w/]){re.escape(str(folder))}/", "", text)
    return re.sub(rf"(?<![\w/]){re.escape(str(settings.DATA_DIR))}(?![\w/])", "the data directory", text)
