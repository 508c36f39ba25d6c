"""The whole study, from six dumps to a report that proves itself, timed; the timings are printed with `pytest -s`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from pytest_django.fixtures import Settings

from analysis.report.content import MANIFEST, decode_manifest
from backend.annotate.label_studio.client import HttpLabelStudio
from backend.learn.models.selectors import adapter_in_service
from backend.publish.labelling.models import LabellingRun
from backend.publish.reports.models import Report
from learning.labelling.read import scan_labels, scan_units
from learning.labelling.sealing import verify_run
from tests.cast import Cast
from tests.integration.instance import Instance
from tests.integration.label_studio_server import RunningLabelStudio
from tests.integration.whole_study import WholeStudy

pytestmark = [
    pytest.mark.label_studio,
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def whole(
    cast: Cast, label_studio: RunningLabelStudio, settings: Settings, tmp_path: Path
) -> Iterator[WholeStudy]:
    """Everything lies in one folder, as in an instance of its own."""
    settings.LABEL_STUDIO_URL, settings.LABEL_STUDIO_TOKEN = label_studio.url, label_studio.instance.token
    for name in ("CORPORA", "RELEASES", "ADAPTERS", "ML", "LABELLED", "REPORTS"):
        setattr(settings, f"{name}_DIR", tmp_path / name.lower())
    extra = {
        "ATTUNE_LABEL_STUDIO_URL": label_studio.url,
        "ATTUNE_LABEL_STUDIO_TOKEN": label_studio.instance.token,
    }
    instance = Instance(tmp_path, "filesystem://", lease_seconds=10, extra=extra)
    server = HttpLabelStudio(label_studio.url, label_studio.instance.token)
    with instance.ml(), instance.worker("celery,sync"), instance.beat():
        yield WholeStudy(cast, instance, server)


def test_a_study_goes_from_dumps_to_a_report_by_one_script(whole: WholeStudy) -> None:
    whole.run()
    print(f"\n{whole.timings()}")
    adapter = adapter_in_service(whole.cast.study)
    run, report = LabellingRun.objects.get(), Report.objects.get()
    assert adapter is not None and run.adapter == adapter
    _hold_labels(run)
    _hold_report(report)


def _hold_labels(run: LabellingRun) -> None:
    """Every post and every reply of the corpus has each code of its part, once."""
    assert verify_run(run.folder, run.output_hash) == []
    units, labels = scan_units(run.folder).collect(), scan_labels(run.folder).collect()
    store = run.corpus.store
    n_posts, n_replies = (
        frame.select(pl.len()).collect().item() for frame in (store.scan_posts(), store.scan_replies())
    )
    assert dict(units["part"].value_counts().rows()) == {"post": n_posts, "reply": n_replies}
    per_unit = labels.group_by("item_id", "part").agg(pl.col("code").n_unique().alias("codes"), pl.len())
    assert per_unit.height == units.height == n_posts + n_replies
    assert set(per_unit.select("part", "codes", "len").rows()) == {("post", 6, 6), ("reply", 7, 7)}
    assert set(labels["adapter"]) == {run.adapter.adapter_id}


def _hold_report(report: Report) -> None:
    manifest = decode_manifest((report.folder / MANIFEST).read_bytes())
    found = {
        str(path.relative_to(report.folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in report.folder.rglob("*")
        if path.is_file() and path.name != MANIFEST
    }
    assert found == manifest.files
    endings = {Path(name).suffix for name in found}
    assert {".csv", ".tex", ".pdf", ".svg", ".md", ".json"} <= endings
    tables = [(report.folder / name).read_text() for name in found if name.endswith(".csv")]
    assert any("corrected" in table for table in tables)
