"""The pages of adapters: what they say at each stage, and that their buttons do what they say."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone

from backend.core.jobs.context import JobContext
from backend.core.jobs.leases import claim_job
from backend.core.jobs.models import Job
from backend.core.jobs.pulse import Pulse
from backend.core.ml_tasks.following import TaskFollower
from backend.core.web.formats import within_data
from backend.decide.releases.models import Release
from backend.learn.models.models import Adapter, AdapterComparison, AdapterState, TrainingGrid
from backend.learn.models.selectors import adapter_in_service, promotion_rule_of
from backend.learn.models.services import promote
from learning.additive_curves import AdditiveModel, Curve
from learning.micromodels import CodeMicromodels, write_micromodels
from learning.tasks.progress import ProgressWriter, SaidLine, TrainingPoint
from tests.backend.learn.models.fixtures import (
    ask_for_training,
    examine,
    folder_of,
    release_in,
    run,
    train,
    work_as_ml_backend,
)
from tests.cast import NOW, Cast
from tests.ml_backend.tiny_backbone import make_backbone

pytestmark = pytest.mark.django_db
HERE = "/studies/kind-words/models"


@pytest.fixture
def rosa(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.rosa)
    return client


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def test_without_a_release_it_says_what_to_do(rosa: Client) -> None:
    assert "Nothing to learn from yet" in text(rosa, HERE)
    assert "No release with texts" in text(rosa, f"{HERE}/train")


def test_a_release_without_texts_is_nothing_to_learn_from(rosa: Client, cast: Cast, tmp_path: Path) -> None:
    release_in(cast.study, tmp_path / "made", with_texts=False)
    assert "Include the texts word for word" in text(rosa, HERE)


def test_the_list_says_what_is_in_service_and_goes_back_with_one_click(
    rosa: Client, release: Release
) -> None:
    assert "No model yet" in text(rosa, HERE)
    first, second = (train(release, "random", seed=seed, name=f"Model {seed}") for seed in (1, 2))
    assert "Nothing is in service" in text(rosa, HERE)
    for adapter in (first, second):
        promote(adapter=adapter, report=None, override_reason="To see", actor=None, now=NOW)
    page = text(rosa, HERE)
    assert "Model 2" in page and "Back to 1" in page and "To see" in page
    rosa.post(f"{HERE}/roll-back")
    assert adapter_in_service(release.study) == first
    assert "Nothing was in service before" in rosa.post(f"{HERE}/roll-back", follow=True).content.decode()


def test_an_adapter_goes_through_the_gate_by_buttons(rosa: Client, release: Release) -> None:
    adapter = train(release, "tfidf-logistic")
    page = text(rosa, f"{HERE}/1")
    assert "Examine" in page and "Theme by theme" in page and "not asked yet" in page
    assert "kept with your name" in page
    answer = rosa.post(f"{HERE}/1/promotion")
    job = Job.objects.get(kind="examine_adapter")
    assert answer.headers["Location"] == f"/studies/kind-words/jobs/{job.pk}"
    assert "Examine adapter" in text(rosa, f"{HERE}/1")
    run(job)
    work_as_ml_backend(folder_of(job))
    assert run(job).state == "done"
    report = text(rosa, f"{HERE}/promotion/{adapter.promotion_reports.get().pk}")
    assert "meets the promotion rule" in report and "majority baseline" in report
    assert "It may enter service" in report and "No theme collapses" in report
    rosa.post(f"{HERE}/1/promote")
    adapter.refresh_from_db()
    assert adapter.state == AdapterState.IN_SERVICE
    rosa.post(f"{HERE}/1/retire", {"reason": "Old"})
    adapter.refresh_from_db()
    assert adapter.state == AdapterState.RETIRED
    assert "Old" in text(rosa, f"{HERE}/1")


def test_the_page_of_a_report_enters_by_that_report(rosa: Client, release: Release) -> None:
    adapter = train(release, "tfidf-logistic")
    report = examine(adapter)
    page = text(rosa, f"{HERE}/promotion/{report.pk}")
    assert f'name="report" value="{report.pk}"' in page
    rosa.post(f"{HERE}/1/promote", {"report": report.pk})
    assert release.study.adapter_events.get().promotion_report == report
    assert rosa.post(f"{HERE}/1/promote", {"report": report.pk + 1}).status_code == 404


def test_what_did_not_pass_needs_a_reason(rosa: Client, release: Release) -> None:
    adapter = train(release, "majority")
    report = examine(adapter)
    page = text(rosa, f"{HERE}/promotion/{report.pk}")
    assert "does not meet the promotion rule" in page and "It stays out" in page
    refused = rosa.post(f"{HERE}/1/promote", follow=True).content.decode()
    assert "override it with a reason" in refused
    rosa.post(f"{HERE}/1/promote", {"reason": "For a demonstration"})
    assert adapter_in_service(release.study) == adapter


def test_a_training_is_asked_for_and_followed(rosa: Client, release: Release) -> None:
    assert "Weight of evidence" in text(rosa, f"{HERE}/train")
    asked = {"release": "1", "input": "pair", "seeds": "3", "name": "Words", "strength": "2"}
    answer = rosa.post(f"{HERE}/train?learner=tfidf-logistic", asked)
    job = Job.objects.get()
    assert answer.headers["Location"] == f"{HERE}/trainings/{job.pk}"
    assert job.arguments["request"]["options"] == {"strength": 2.0, "input": "pair"}
    assert job.arguments["request"]["seed"] == 3
    run(job)
    folder = folder_of(job)
    ProgressWriter(folder.progress).write(SaidLine("2026-03-01T12:00:00+00:00", "Reading the release"))
    for step in (10, 20):
        ProgressWriter(folder.progress).write(TrainingPoint(1, step, 40, 1 / step))
    ProgressWriter(folder.progress).write(TrainingPoint(1, 20, 40, 0.05, 0.4))
    page = text(rosa, f"{HERE}/trainings/{job.pk}")
    assert "Reading the release" in page and "Loss" in page and "Score on the validation part" in page
    assert "hx-get" in text(rosa, f"{HERE}/trainings/{job.pk}/progress")
    work_as_ml_backend(folder)
    run(job)
    over = text(rosa, f"{HERE}/trainings/{job.pk}/progress")
    assert "hx-get" not in over and "See the adapter" in over


def test_a_training_does_not_tell_where_the_server_keeps_its_files(rosa: Client, release: Release) -> None:
    """Neither in its log nor in what its job says is being done."""
    rosa.post(f"{HERE}/train?learner=majority", {"release": "1", "seeds": "3"})
    job = Job.objects.get()
    run(job)
    line = SaidLine("2026-03-01T12:00:00+00:00", f"Reading the release {release.folder}")
    ProgressWriter(folder_of(job).progress).write(line)
    claim = claim_job(job_id=job.pk, now=timezone.now())
    assert claim is not None
    pulse = Pulse(claim, interval=timedelta(hours=1), clock=timezone.now)
    TaskFollower(JobContext(claim, pulse, clock=timezone.now), folder_of(job)).report()
    page = text(rosa, f"{HERE}/trainings/{job.pk}")
    assert f"Reading the release {within_data(release.folder)}</code>" in page
    assert Job.objects.get().progress_note == f"Reading the release {within_data(release.folder)}"
    assert str(release.folder) not in page


def test_several_rates_make_a_grid_with_the_best_by_the_validation_part(
    rosa: Client, release: Release
) -> None:
    asked = {"release": "1", "seeds": "1, 2", "learning_rate": "0.001, 0.0003", "name": "Grid"}
    answer = rosa.post(f"{HERE}/train", asked)
    assert answer.headers["Location"] == f"{HERE}/grids/1"
    assert TrainingGrid.objects.count() == 1
    requests = [job.arguments["request"] for job in Job.objects.order_by("pk")]
    assert [(each["options"]["learning_rate"], each["seed"]) for each in requests] == [
        (0.001, 1),
        (0.001, 2),
        (0.0003, 1),
        (0.0003, 2),
    ]
    assert "Grid, rate 0.001, seed 1" in {each["name"] for each in requests}
    for job in Job.objects.order_by("pk")[:2]:
        arguments = job.arguments
        arguments["request"] |= {"learner": "random", "options": {}}
        Job.objects.filter(pk=job.pk).update(arguments=arguments)
        run(job)
        work_as_ml_backend(folder_of(job))
        assert run(job).state == "done"
    page = text(rosa, f"{HERE}/grids/1/progress")
    assert page.count("best") == 1 and "hx-get" in page


def test_a_form_that_asks_for_nonsense_says_so(rosa: Client, release: Release) -> None:
    for asked in ({"release": "1", "seeds": "one"}, {"release": "9", "seeds": "1"}):
        assert rosa.post(f"{HERE}/train", asked).status_code == 200
    many = {"release": "1", "seeds": ",".join(map(str, range(12))), "learning_rate": "1,2,3"}
    assert "ask for 24 at most" in rosa.post(f"{HERE}/train", many).content.decode()
    assert not Job.objects.exists()


def test_a_leaderboard_sets_adapters_and_baselines_side_by_side(rosa: Client, release: Release) -> None:
    assert "Nothing to set side by side yet" in text(rosa, f"{HERE}/leaderboards/1")
    rosa.post(f"{HERE}/leaderboards/1/baselines")
    assert sorted(job.arguments["request"]["learner"] for job in Job.objects.all()) == [
        "majority",
        "random",
        "tfidf-logistic",
    ]
    Job.objects.all().delete()
    for learner, seed in (("majority", 1), ("tfidf-logistic", 1), ("random", 1), ("random", 2)):
        train(release, learner, seed=seed)
    page = text(rosa, f"{HERE}/leaderboards/1")
    assert "TF-IDF + logistic regression" in page and page.count("<strong>") >= 4
    assert "Random (3)" in text(rosa, f"{HERE}/leaderboards/1?every=1&part=validation")
    csv = rosa.get(f"{HERE}/leaderboards/1/export.csv").content.decode()
    assert csv.startswith("learner,input,") and "Majority,alone,false" in csv
    assert r"\textbf{" in rosa.get(f"{HERE}/leaderboards/1/export.tex").content.decode()
    assert rosa.get(f"{HERE}/leaderboards/1/export.doc").status_code == 404


def test_two_adapters_are_compared_once(rosa: Client, release: Release) -> None:
    train(release, "tfidf-logistic", name="Words")
    train(release, "majority", name="Commonest")
    asked = {"first": "1", "second": "2", "part": "test"}
    same = rosa.post(f"{HERE}/leaderboards/1/compare", asked | {"second": "1"}, follow=True)
    assert "two different adapters" in same.content.decode()
    for _ in range(2):
        rosa.post(f"{HERE}/leaderboards/1/compare", asked)
        job = Job.objects.filter(kind="compare_adapters").first()
        assert job is not None
        if run(job).state == "queued":
            work_as_ml_backend(folder_of(job))
            assert run(job).state == "done"
    found = AdapterComparison.objects.get()
    page = text(rosa, f"{HERE}/comparisons/{found.pk}")
    assert "Words against Commonest" in page and "First minus second" in page
    assert "Words against" in text(rosa, f"{HERE}/leaderboards/1").replace("1: ", "")


def test_what_the_model_finds_is_not_counted_as_a_part_of_the_labels(rosa: Client, release: Release) -> None:
    """It may find a theme more often than people do: never “9 of 7”."""
    page = text(rosa, f"{HERE}/{train(release, 'random').number}")
    cells = re.findall(r'nowrap">\s*(\d+)\s+<span class="muted">\(labels:\s+(\d+)\)</span>', page)
    assert cells
    assert not re.search(r">\d+ of \d+<", page)


def test_the_rule_is_given_in_points(rosa: Client, release: Release, cast: Cast) -> None:
    train(release)
    assert "Promotion rule" in text(rosa, HERE)
    rosa.post(
        f"{HERE}/rule", {"least_gain": "1.5", "bound": "value", "largest_drop": "20", "resamples": "500"}
    )
    rule = promotion_rule_of(cast.study)
    assert (rule.least_gain, rule.largest_drop, rule.resamples) == (0.015, 0.2, 500)
    answer = rosa.post(f"{HERE}/rule", {"least_gain": "-1"}, follow=True).content.decode()
    assert "was not changed" in answer


def test_a_training_can_be_stopped_and_gone_on_with(rosa: Client, release: Release) -> None:
    job = ask_for_training(release)
    run(job)
    page = text(rosa, f"{HERE}/trainings/{job.pk}")
    assert "Stop this training" in page
    rosa.post(f"/studies/kind-words/jobs/{job.pk}/cancel")
    assert "Go on" in text(rosa, f"{HERE}/trainings/{job.pk}")
    assert not Adapter.objects.exists()


def of_others(code: str) -> CodeMicromodels:
    heights = ((0.0, -1.0, 0.0), (0.0, 2.0, 1.0))
    names = (f"likeness to {code}", "seeds in the post")
    curves = tuple(Curve(name, (0.5,), heights, (3, 1)) for name in names)
    return CodeMicromodels((), AdditiveModel((0.0, 0.0, 0.0), curves))


def test_what_micromodels_look_for_is_drawn(rosa: Client, release: Release, tmp_path: Path) -> None:
    backbone = make_backbone(tmp_path / "backbone")
    train(release, "micromodels", options={"backbone": backbone, "groups": 2, "bags": 1})
    page = text(rosa, f"{HERE}/1")
    assert "What it looks for" in page and "2 seeds in 2 micromodels" in page
    assert "“sunshine will come again.”" in page and "likeness" in page
    write_micromodels(Adapter.objects.get().folder, {"emotional-reactions": of_others("interpretations")})
    page = text(rosa, f"{HERE}/1")
    assert "Likeness to “Interpretations”" in page and "Seeds in the post" in page
    train(release, "majority", name="Other")
    assert "What it looks for" not in text(rosa, f"{HERE}/2")
