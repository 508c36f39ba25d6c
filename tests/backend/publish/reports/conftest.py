"""Everything that a report touches goes into folders of the test's own, and nobody waits for an ML backend."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from analysis.report.figures.style import PRINT_STYLE
from backend.design.corpora.models import Corpus
from backend.publish.labelling.models import LabellingRun
from tests.backend.publish.reports.fixtures import finished_run
from tests.cast import Cast


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, settings: Settings) -> None:
    for name in ("RELEASES", "ADAPTERS", "LABELLED", "REPORTS", "CORPORA", "ML"):
        setattr(settings, f"{name}_DIR", tmp_path / name.lower())
    settings.ML_PATIENCE = timedelta(0)


@pytest.fixture(autouse=True)
def quick_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fonts for print take most of the time of a report; `tests/analysis/report` holds that figures have them."""
    monkeypatch.setitem(PRINT_STYLE, "pdf.fonttype", 3)


@pytest.fixture
def run(cast: Cast, demo_corpus: Corpus) -> LabellingRun:
    return finished_run(cast, demo_corpus)
