"""Every page and every call that reads, opened in a study that has nothing and in one that has something of all."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from backend.core.jobs.models import Job
from backend.design.corpora.models import Corpus
from backend.learn.models.models import AdapterComparison
from tests.backend.core.studies.test_access import ALL_ADDRESSES, LivingStudy, client_of, living
from tests.backend.learn.models.fixtures import examine, folder_of, run, train, work_as_ml_backend
from tests.backend.publish.reports.fixtures import finished_run, made_report
from tests.cast import NOW, Cast

__all__ = ["living"]

# What there is nothing of is missing, or refused with a reason; a fault would raise in the test's client
FINE = {200, 204, 302, 400, 401, 404, 405, 409, 422}
LOGS_OUT = "/log-out"
HERE, CALLS = "/studies/kind-words", "/api/v1/studies/kind-words"
NEEDS_A_MODEL = {
    *(f"{HERE}/labelling/1{page}" for page in ("", "/progress", "/labels.csv", "/labels.zip")),
    *(
        f"{HERE}/models/{page}"
        for page in (
            *("1", "1/probe", "1/annotator-test", "1/errors", "1/errors/export.csv"),
            *("comparisons/COMPARISON", "promotion/PROMOTION", "test-sets/1"),
        )
    ),
    *(f"{HERE}/models/{page}" for page in ("grids/1", "grids/1/progress")),
    *(f"{HERE}/models/trainings/JOB{page}" for page in ("", "/progress")),
    *(f"{HERE}/reports/1{page}" for page in ("", "/report.zip")),
    *(f"{CALLS}/labelling/1{page}" for page in ("", "/labels.csv", "/labels.zip")),
    *(
        f"{CALLS}/models/{page}"
        for page in ("1", "1/errors", "1/errors/tags", "1/promotion-reports", "1/probes")
    ),
    *(f"{CALLS}/models/{page}" for page in ("comparisons/COMPARISON", "grids/1")),
    *(f"{CALLS}/reports/1{page}" for page in ("", "/report.zip")),
    f"{CALLS}/gold-plan",
}
NEVER_THERE = {
    # No such form, file, label set, shipped codebook or page
    "/api/v1/",
    "/invitations/TOKEN",
    # No deletion, and no provider of log-in
    "/deletions/JOB",
    "/sign-in",
    "/sign-in/done",
    # The site of the docs is not built for tests, and competence has tests of its own, as has adaptive overlap
    "/docs/index.html",
    f"{CALLS}/competence",
    f"{CALLS}/batches/BATCH/adaptive-overlap",
    "/api/v1/codebooks/dump.ndjson",
    *(f"{where}/corpora/texts/labels/dump.ndjson" for where in (HERE, CALLS)),
    *(f"{where}/reports/1/files/dump.ndjson" for where in (HERE, CALLS)),
    f"{HERE}/samples/SAMPLE/items.json",
    f"{HERE}/batches/BATCH/digest.json",
    f"{HERE}/models/leaderboards/1/export.json",
    f"{CALLS}/models/leaderboards/1/json",
    f"{HERE}/models/annotator-test/table.json",
    f"{CALLS}/models/annotator-tests/table/json",
    # A plan is frozen before there are labels; tests/backend/publish/preregistration has some
    f"{HERE}/preregistration/1.json",
    *(f"{CALLS}/plans/1{page}" for page in ("", "/comparison")),
    # Transfer studies have tests of their own, in tests/backend/learn/transfer
    *(f"{HERE}/transfer/1{page}" for page in ("", "/progress", "/files.zip", "/files/dump.ndjson")),
    *(f"{CALLS}/transfer/1{page}" for page in ("", "/files/dump.ndjson")),
    # Tests of the alternative annotator have tests of their own, in tests/backend/learn/alternative_annotator
    f"{HERE}/models/annotator-test/imported/1",
    f"{CALLS}/models/annotator-tests/1",
    # Two releases are to be named
    f"{HERE}/releases/compare",
    # The job of another kind, a report without themes, the gold answer that was replaced, a version of an answer
    f"{HERE}/agreement/batches/BATCH/measuring/JOB",
    *(f"{where}/agreement/reports/REPORT/themes/CODE" for where in (HERE, CALLS)),
    f"{CALLS}/gold/ITEM",
    f"{CALLS}/judgments/versions/1",
    # Batches that active learning chose have tests of their own, in tests/backend/learn/active_learning
    f"{HERE}/active-learning/jobs/JOB",
    f"{CALLS}/active-learning/batches/BATCH",
    f"{CALLS}/active-learning/meter",
}
ABOUT_MODELS = [
    address
    for address in ALL_ADDRESSES
    if any(
        f"/{room}" in address
        for room in ("models", "labelling", "reports", "active", "feedback", "prelabels")
    )
]
PLACES = (
    *("GOLD", "DECISION", "SUSPICION", "SAMPLE", "JOB", "USER", "BATCH", "ASSIGNMENT", "DISCUSSION"),
    *("PROJECT", "REPORT", "NOTICE", "PROMOTION", "COMPARISON"),
)


def opened(client: Client, addresses: list[str]) -> dict[str, int]:
    return {address: client.get(address).status_code for address in addresses if address != LOGS_OUT}


def test_a_study_that_has_nothing(cast: Cast) -> None:
    addresses = []
    for address in ALL_ADDRESSES:
        for place in PLACES:
            address = address.replace(place, "1")
        addresses.append(address)
    found = opened(client_of(cast.ada), addresses)
    assert {address: status for address, status in found.items() if status not in FINE} == {}
    pages = [status for address, status in found.items() if address.startswith("/studies/kind-words")]
    assert sum(status == 200 for status in pages) > 20
    calls = [status for address, status in found.items() if address.startswith("/api/v1/studies/kind-words")]
    assert sum(status == 200 for status in calls) > 20


def test_a_study_that_has_something_of_all(living: LivingStudy) -> None:
    found = opened(client_of(living.cast.ada), [living.address(address) for address in ALL_ADDRESSES])
    assert {address: status for address, status in found.items() if status not in FINE} == {}
    assert sum(status == 200 for status in found.values()) > 80
    missing = {address for address in ALL_ADDRESSES if found.get(living.address(address)) == 404}
    assert missing == NEEDS_A_MODEL | NEVER_THERE


@pytest.fixture
def modelled(cast: Cast, demo_corpus: Corpus, tmp_path: Path, settings: Settings) -> LivingStudy:
    """A study that went on to models, a labelled corpus and a report."""
    for name in ("RELEASES", "ADAPTERS", "LABELLED", "REPORTS", "ML"):
        setattr(settings, f"{name}_DIR", tmp_path / name.lower())
    settings.ML_PATIENCE = timedelta(0)
    release = finished_run(cast, demo_corpus).adapter.release
    examine(train(release, "tfidf-logistic"))
    # So few posts begin none
    cast.study.promotion_ledgers.get_or_create(number=1, defaults={"posts": ["a"], "opened_at": NOW})
    rosa, models = client_of(cast.rosa), f"{HERE}/models"
    rosa.post(f"{models}/leaderboards/1/compare", {"first": "1", "second": "2", "part": "test"})
    comparing = Job.objects.filter(kind="compare_adapters").latest("pk")
    run(comparing)
    work_as_ml_backend(folder_of(comparing))
    assert run(comparing).state == "done"
    rosa.post(f"{models}/train", {"release": "1", "seeds": "1, 2", "name": "Grid"})
    made_report(cast)
    training = Job.objects.filter(kind="train_adapter").latest("pk")
    rows = {
        "JOB": training,
        "SAMPLE": cast.study.samples.get(),
        "PROMOTION": cast.study.promotion_reports.latest("pk"),
        "COMPARISON": AdapterComparison.objects.latest("pk"),
    }
    return LivingStudy(cast, {place: str(row.pk) for place, row in rows.items()})


def test_what_needs_a_model_or_a_report_is_there_in_a_study_that_has_them(modelled: LivingStudy) -> None:
    boards = [f"{HERE}/models/leaderboards/1", f"{HERE}/models/leaderboards/1/export.csv"]
    calls = [f"{CALLS}/models/leaderboards/1/{form}" for form in ("csv", "tex")]
    wanted = [*(modelled.address(address) for address in sorted(NEEDS_A_MODEL)), *boards, *calls]
    found = opened(client_of(modelled.cast.rosa), wanted)
    assert {address: status for address, status in found.items() if status != 200} == {}
    every = opened(client_of(modelled.cast.rosa), [modelled.address(each) for each in ABOUT_MODELS])
    assert {address: status for address, status in every.items() if status not in FINE} == {}


@pytest.mark.parametrize("page", ["history", "compare"])
def test_the_history_of_a_codebook_that_has_no_edition_says_so(cast: Cast, page: str) -> None:
    shown = client_of(cast.rosa).get(f"/studies/kind-words/codebook/{page}", follow=True)
    assert shown.status_code == 200 and "No edition yet" in shown.content.decode()


def test_a_trailing_slash_leads_to_the_page(cast: Cast) -> None:
    client = client_of(cast.rosa)
    answer = client.get("/studies/kind-words/members/?page=2")
    assert (answer.status_code, answer.headers["Location"]) == (301, "/studies/kind-words/members?page=2")
    assert client.get("/api/v1/studies/").status_code == 301
    assert client.get("/no-such-page/").status_code == 404
    assert client.get("/").status_code == 200


def test_a_refusal_is_one_line_in_the_log(cast: Cast, caplog: pytest.LogCaptureFixture) -> None:
    assert client_of(cast.amal).get("/studies/kind-words/members").status_code == 403
    (record,) = [each for each in caplog.records if each.name == "django.request"]
    assert "Forbidden" in record.getMessage() and record.exc_info is None
    assert "Traceback" not in caplog.text
