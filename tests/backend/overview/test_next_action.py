"""The overview names one next action, from an empty study to a report, and shows how things moved."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import timedelta
from pathlib import Path

from pytest_django.fixtures import Settings

from backend.annotate.batches.models import Batch, BatchState
from backend.decide.adjudication.queue import count_queue
from backend.decide.agreement.verdicts import Headline, study_headline
from backend.design.corpora.models import Corpus
from backend.learn.models.services import promote
from backend.overview.charts import agreement_chart, model_chart
from backend.overview.next_action import next_action
from backend.overview.steps import Steps, StepState, steps_of
from backend.publish.reports.models import Report
from tests.backend.core.studies.test_access import keep_some_report
from tests.backend.decide.adjudication.conftest import bench
from tests.backend.decide.adjudication.fixtures import EMOTIONS, Bench
from tests.backend.decide.adjudication.test_views import client_of
from tests.backend.learn.models.fixtures import train
from tests.backend.publish.reports.fixtures import finished_run, judged_release, measured_overlap
from tests.cast import NOW, Cast
from tests.page_text import page_text

__all__ = ["bench"]


def next_heading(cast: Cast) -> str:
    headline, queue = study_headline(cast.study), count_queue(cast.rosa, cast.study)
    found = next_action(cast.study, steps_of(cast.study, headline, queue), headline, queue)
    assert found is None or client_of(cast.rosa).get(found.url).status_code == 200
    return found.heading if found else ""


def test_a_new_study_begins_with_a_codebook(cast: Cast) -> None:
    assert next_heading(cast) == "Choose a codebook"
    assert "Choose a codebook" in page_text(client_of(cast.rosa).get("/studies/kind-words"))


def reached(cast: Cast, n_done: int, *current: str, headline: Headline | None = None) -> str:
    """What is next when so many steps are done and these can be worked on, where nothing waits to be settled."""
    states = [StepState.DONE] * n_done + [StepState.LATER] * (len(fields(Steps)) - n_done)
    steps = replace(Steps(*states), **dict.fromkeys(current, StepState.CURRENT))
    found = next_action(cast.study, steps, headline, count_queue(cast.rosa, cast.study))
    assert found is not None
    assert client_of(cast.rosa).get(found.url).status_code == 200
    return found.heading


def test_every_step_leads_to_its_page(cast: Cast, bench: Bench) -> None:
    assert reached(cast, 1, "corpus") == "Import the texts"
    assert reached(cast, 2, "sample") == "Draw a sample"
    assert reached(cast, 3, "agreement", "batches") == "Annotators are at work"
    Batch.objects.all().delete()
    assert reached(cast, 3, "agreement", "batches") == "Open a batch"
    assert reached(cast, 4, "agreement", "release") == "Freeze a release"


def test_themes_that_are_not_trusted_come_before_a_release(cast: Cast, bench: Bench) -> None:
    headline = Headline(keep_some_report(bench.batch), 9, 4, 0)
    assert reached(cast, 4, "agreement", "release", headline=headline) == (
        "Look at the themes that need another round"
    )


def test_what_waits_for_researchers_comes_before_what_waits_for_annotators(cast: Cast, bench: Bench) -> None:
    bench.disagree(bench.items[0])
    assert next_heading(cast) == "Settle 1 item"
    bench.decide(bench.items[0], bench.cast.rosa, EMOTIONS)
    assert next_heading(cast) == "Annotators are at work"


def test_a_release_leads_to_a_model_a_labelled_corpus_and_a_report(
    cast: Cast, demo_corpus: Corpus, tmp_path: Path, settings: Settings
) -> None:
    for name in ("RELEASES", "ADAPTERS", "LABELLED", "ML"):
        setattr(settings, f"{name}_DIR", tmp_path / name.lower())
    settings.ML_PATIENCE = timedelta(0)
    run = finished_run(cast, demo_corpus)
    Batch.objects.update(state=BatchState.CLOSED)
    assert next_heading(cast) == "Train a model"
    promote(adapter=run.adapter, report=None, override_reason="Tests", actor=cast.rosa, now=NOW)
    assert next_heading(cast) == "Make a report"
    Report.objects.create(
        study=cast.study,
        number=1,
        title="First tables",
        labelling_run=run,
        request={},
        manifest_hash="0" * 64,
        created_by=cast.rosa,
        created_at=NOW,
    )
    assert next_heading(cast) == ""
    page = page_text(client_of(cast.rosa).get("/studies/kind-words"))
    assert "First tables" in page and "In service:" in page
    assert model_chart(cast.study) is None
    train(run.adapter.release, "tfidf-logistic")
    chart = model_chart(cast.study)
    assert chart is not None and [row[0] for row in chart.table.rows] == [
        "1. Majority",
        "2. TF-IDF + logistic regression",
    ]


def test_rounds_stand_side_by_side(
    cast: Cast, demo_corpus: Corpus, tmp_path: Path, settings: Settings
) -> None:
    settings.RELEASES_DIR = tmp_path / "releases"
    judged_release(cast, demo_corpus)
    measured_overlap(cast, "First round", disagreeing=6)
    assert agreement_chart(cast.study) is None
    measured_overlap(cast, "Second round", disagreeing=1)
    chart = agreement_chart(cast.study)
    assert chart is not None
    assert [row[0] for row in chart.table.rows] == ["First round", "Second round"]
    first, second = (float(row[1]) for row in chart.table.rows)
    assert first < second
    assert "Agreement by round" in page_text(client_of(cast.rosa).get("/studies/kind-words"))
