"""The story from its beginning to its report, in small: what it promises is there, and nothing is done twice."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from analysis.report.figures.style import PRINT_STYLE
from backend.annotate.batches.models import AssignedItem, BatchState
from backend.annotate.judgments.models import AnnotationVersion
from backend.annotate.sync.push import shares_to_bring
from backend.core.accounts.models import User
from backend.core.jobs.models import Job, JobState
from backend.core.jobs.services import request_cancel
from backend.core.studies.models import Study
from backend.decide.adjudication.models import Decision
from backend.decide.agreement.models import AgreementReport
from backend.learn.models.models import AdapterState
from backend.operate.demo.models import Story
from backend.operate.demo.queue import RESET_DEMO, TELL_STORY
from backend.operate.demo.story.loading import StorySize, load_story
from backend.operate.demo.story.steps import GOLD, OWN, REFUSED, ROUND_1, ROUND_2, SERVING, STEPS
from learning.tasks.folder import TaskFolder
from tests.backend.learn.models.fixtures import run, work_as_ml_backend
from tests.backend.publish.labelling.fixtures import label_as_ml_backend
from tests.cast import Cast

SMALL = StorySize(
    posts_each=24, sampled_each=16, overlap=24, chosen=12, gold=6, own=6, sections=("overall", "platforms")
)


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("RELEASES", "ADAPTERS", "LABELLED", "CORPORA", "ML", "REPORTS", "AGREEMENT"):
        setattr(settings, f"{name}_DIR", tmp_path / name.lower())
    settings.ML_PATIENCE, settings.DEMO = timedelta(0), "story"
    # Fonts for print take most of the time of a report
    monkeypatch.setitem(PRINT_STYLE, "pdf.fonttype", 3)


def begin() -> Study:
    return load_story(
        password="a-demo-password", clock=timezone.now, say=lambda line: None, size=SMALL, seed=1
    )


def work_on_what_waits(folder: Path) -> None:
    """As the ML backend would, between two attempts at the story."""
    for request in folder.rglob("request.json"):
        task = TaskFolder(request.parent)
        if task.result.exists():
            continue
        if labelling := Study.objects.get().labelling_runs.first():
            label_as_ml_backend(labelling)
        else:
            work_as_ml_backend(task)


def test_the_story_is_told_however_often_it_is_cut_off(db: None, client: Client, settings: Settings) -> None:
    study = begin()
    assert begin() == study
    job, attempts = Job.objects.get(kind=TELL_STORY), 0
    while not run(job).is_over:
        work_on_what_waits(Path(settings.ML_DIR))
        attempts += 1
        assert attempts < 20, Job.objects.get(pk=job.pk).progress_note
    told = Job.objects.get(pk=job.pk)
    assert (told.state, told.error) == (JobState.DONE, "")
    assert (told.progress_done, Story.objects.get().steps_done) == (len(STEPS), len(STEPS))
    assert attempts > 5, "the ML backend had something to do between the attempts"
    assert_as_promised(study)
    assert not Job.objects.exclude(kind="prepare_batch").exclude(state=JobState.DONE).exists()
    before = {model: model.objects.count() for model in (AnnotationVersion, Decision, AgreementReport, Job)}
    Story.objects.update(steps_done=0)
    Job.objects.filter(pk=job.pk).update(state=JobState.QUEUED, finished_at=None, result=None)
    assert run(job).state == JobState.DONE
    assert {model: model.objects.count() for model in before} == before
    assert_shown(study, client)


def assert_as_promised(study: Study) -> None:
    batches = {batch.name: batch for batch in study.batches.all()}
    assert {batch.state for name, batch in batches.items() if name != OWN} == {BatchState.CLOSED}
    assert batches[OWN].state == BatchState.OPEN
    assert {share.annotator.username for share in batches[OWN].assignments.all()} == {"amal", "bea", "chen"}
    assert not AssignedItem.objects.filter(assignment__batch=batches[OWN], submission__isnull=False).exists()
    assert not any(
        AssignedItem.objects.filter(assignment__batch=batches[name], submission=None).exists()
        for name in (ROUND_1, ROUND_2, GOLD)
    )
    # What never was in Label Studio and is over need not go there
    assert [len(shares_to_bring(batches[name])) for name in (ROUND_1, OWN)] == [0, 3]
    assert set(AgreementReport.objects.values_list("batch__name", flat=True)) == {ROUND_1, ROUND_2}
    assert Decision.objects.filter(item__assigned_items__assignment__batch=batches[ROUND_1]).exists()
    adapters = {adapter.name: adapter for adapter in study.adapters.all()}
    assert adapters[SERVING].state == AdapterState.IN_SERVICE
    refusal = study.promotion_reports.get(candidate=adapters[REFUSED])
    assert (adapters[REFUSED].state, refusal.passed) == (AdapterState.CANDIDATE, False)
    assert (study.releases.count(), study.savings_readings.count()) == (2, 1)
    assert study.labelling_runs.get().n_labelled == sum(corpus_size(study))
    assert study.reports.get().release == study.releases.get(number=2)
    played = User.objects.filter(username__startswith="sim-")
    assert [user.has_usable_password() for user in played] == [False] * 4


def corpus_size(study: Study) -> tuple[int, int]:
    store = study.corpora.get(name="Made by a script").store
    return store.scan_posts().collect().height, store.scan_replies().collect().height


def assert_shown(study: Study, client: Client) -> None:
    """To researchers with the button that resets it, to annotators without, and each with their tour."""
    address = f"/studies/{study.slug}"
    client.force_login(User.objects.get(username="rosa"))
    page = client.get(address).content.decode()
    assert "Simulated annotators 1 to 3" in page and "Reset the demo" in page
    assert f"{address}/reports/1" in page and page.count("<li data-title") == 5
    client.force_login(User.objects.get(username="amal"))
    page = client.get(f"{address}/work").content.decode()
    assert "Simulated annotators 1 to 3" in page and "Reset the demo" not in page
    assert page.count("<li data-title") == 5


def test_its_making_is_shown_and_can_be_gone_on_with(db: None, client: Client) -> None:
    study = begin()
    client.force_login(User.objects.get(username="rosa"))
    address = f"/studies/{study.slug}/demo/progress"
    job = Job.objects.get(kind=TELL_STORY)
    assert "Waiting for a worker" in client.get(address).content.decode()
    Job.objects.filter(pk=job.pk).update(progress_done=2, progress_total=9, progress_note="Annotating")
    Story.objects.update(steps_done=2)
    page = client.get(address).content.decode()
    assert "The demo is being made" in page and "3 of 9 · Annotating" in page and "every 2s" in page
    request_cancel(job_id=job.pk, now=timezone.now())
    page = client.get(address).content.decode()
    assert "The demo could not be made" in page and f"/jobs/{job.pk}/retry" in page and "every 2s" not in page


def test_a_researcher_resets_it_and_it_is_made_anew(db: None, client: Client, settings: Settings) -> None:
    study = begin()
    story = Story.objects.get()
    address = f"/studies/{study.slug}/demo/reset"
    client.force_login(User.objects.get(username="amal"))
    assert client.post(address).status_code == 403
    client.force_login(User.objects.get(username="rosa"))
    for _ in range(2):
        assert client.post(address).status_code == 302
    job = Job.objects.get(kind=RESET_DEMO)
    assert "The demo is being reset" in client.get(f"/studies/{study.slug}").content.decode()
    assert run(job).state == JobState.DONE
    again = Story.objects.get()
    assert (again.study.slug, again.size, again.seed) == (study.slug, story.size, story.seed)
    assert again.pk != story.pk and again.job == Job.objects.get(kind=TELL_STORY)


def test_another_study_is_no_demo(cast: Cast, client: Client) -> None:
    client.force_login(cast.rosa)
    assert client.post(f"/studies/{cast.study.slug}/demo/reset").status_code == 404
    assert "Take the tour" not in client.get(f"/studies/{cast.study.slug}").content.decode()
