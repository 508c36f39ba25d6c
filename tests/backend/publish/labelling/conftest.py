"""Everything that a labelling run touches goes into folders of the test's own, and nobody waits for an ML backend."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, settings: Settings) -> None:
    for name in ("RELEASES", "ADAPTERS", "LABELLED", "CORPORA", "ML"):
        setattr(settings, f"{name}_DIR", tmp_path / name.lower())
    settings.ML_PATIENCE = timedelta(0)
