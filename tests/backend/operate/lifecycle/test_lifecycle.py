"""A study is archived and restored, copied without its texts, and deleted with a line that stays."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotation.agreement.trust_rule import Bound, Rule
from backend.annotate.sync.seats import may_work
from backend.core.accounts.services import create_token
from backend.core.jobs.models import Job, JobState
from backend.core.jobs.runner import run_job
from backend.core.studies.access import role_in
from backend.core.studies.models import Study, StudyRole
from backend.core.studies.services import StudyError
from backend.decide.agreement.selectors import rule_of
from backend.decide.agreement.services import change_rule
from backend.design.codebooks.selectors import latest_edition
from backend.design.corpora.files import files_folder
from backend.operate.erasure.models import StudyDeletion
from backend.operate.lifecycle.services import (
    archive_study,
    ask_for_deletion,
    copy_study,
    keep_study,
    restore_study,
)
from tests.backend.core.studies.test_access import client_of
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW, Cast
from tests.page_text import page_text

pytestmark = pytest.mark.django_db
STUDY = "/studies/kind-words"


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, settings: Settings) -> None:
    settings.FILES_DIR = tmp_path / "files"


def finish(job: Job) -> Job:
    run_job(job_id=job.pk, clock=timezone.now)
    job.refresh_from_db()
    return job


def test_an_archived_study_is_read_and_not_changed(cast: Cast) -> None:
    rosa = client_of(cast.rosa)
    rosa.post(f"{STUDY}/archive")
    assert "Kind words" not in page_text(rosa.get("/"))
    assert "Kind words" in page_text(rosa.get("/?archived=1"))
    assert "It can be read and not changed" in page_text(rosa.get(f"{STUDY}/members"))
    refused = rosa.post(f"{STUDY}/edit", {"name": "Other", "description": ""})
    assert refused.status_code == 403 and "is archived" in page_text(refused)
    rosa.post(f"{STUDY}/restore")
    assert rosa.post(f"{STUDY}/edit", {"name": "Other", "description": ""}).status_code == 302
    assert [event.summary for event in cast.study.events.order_by("pk")][-3:] == [
        "Archived the study",
        "Restored the study from the archive",
        "Changed the study's name or description",
    ]


def test_calls_archive_restore_and_copy(cast: Cast) -> None:
    _, token = create_token(user=cast.rosa, name="t", now=timezone.now())
    client, calls = Client(headers={"Authorization": f"Bearer {token}"}), "/api/v1/studies"
    assert client.put(f"{calls}/kind-words/archive").json()["archived_at"]
    assert client.get(calls).json() == []
    assert [study["slug"] for study in client.get(f"{calls}?archived=true").json()] == ["kind-words"]
    change = {"name": "Other", "description": ""}
    assert client.put(f"{calls}/kind-words", change, content_type="application/json").status_code == 403
    assert client.put(f"{calls}/kind-words/archive").status_code == 422
    assert client.delete(f"{calls}/kind-words/archive").json()["archived_at"] is None
    made = client.post(f"{calls}/kind-words/copies", {"name": "Second"}, content_type="application/json")
    assert (made.status_code, made.json()["slug"]) == (201, "second")
    assert client.get(f"{calls}/kind-words/deletion").json()["counts"]["members"] == 5
    asked = client.post(f"{calls}/kind-words/deletion", {"name": "Kind"}, content_type="application/json")
    assert asked.status_code == 422
    asked = client.post(
        f"{calls}/kind-words/deletion", {"name": "Kind words"}, content_type="application/json"
    )
    assert (asked.status_code, asked.json()["kind"]) == (202, "delete_study")
    assert client.get(f"{calls}/kind-words").status_code == 404


def test_annotators_cannot_go_on_in_an_archived_study(work: CastAtWork) -> None:
    batch = work.batch(work.cast.amal, items=work.items[:1])
    assert may_work(batch.assignments.get())
    archive_study(study=work.study, actor=work.cast.rosa, now=NOW)
    assert not may_work(batch.assignments.select_related("batch__study").get())
    assert Job.objects.filter(kind="prepare_batch").count() == 1, "Label Studio's seats follow"
    restore_study(study=work.study, actor=work.cast.rosa, now=NOW)
    assert may_work(batch.assignments.select_related("batch__study").get())


def test_a_busy_study_is_neither_archived_nor_deleted(cast: Cast) -> None:
    Job.objects.create(kind="draw_sample", study=cast.study, arguments={}, created_at=NOW)
    with pytest.raises(StudyError, match="queued or running"):
        archive_study(study=cast.study, actor=cast.rosa, now=NOW)
    with pytest.raises(StudyError, match="queued or running"):
        ask_for_deletion(study=cast.study, confirmed_name="Kind words", actor=cast.rosa, now=NOW)


def test_a_copy_has_the_codebook_and_the_settings_and_no_texts(work: CastAtWork) -> None:
    cast, rule = work.cast, Rule("krippendorff_alpha", Bound.VALUE, 0.5)
    change_rule(study=work.study, rule=rule, actor=cast.rosa, now=NOW)
    copy = copy_study(study=work.study, name="Second", with_members=False, actor=cast.ravi, now=NOW)
    edition = latest_edition(copy)
    assert edition is not None and edition.hash == work.edition.hash
    assert (rule_of(copy), rule_of(work.study)) == (rule, rule)
    assert (copy.items.count(), copy.batches.count(), copy.memberships.count()) == (0, 0, 1)
    whole = copy_study(study=work.study, name="Third", with_members=True, actor=cast.ravi, now=NOW)
    roles = {user: role_in(user, whole) for user in (cast.ravi, cast.rosa, cast.amal)}
    assert list(roles.values()) == [StudyRole.RESEARCHER, StudyRole.RESEARCHER, StudyRole.ANNOTATOR]


def test_deleting_asks_for_the_name_and_shows_what_goes(work: CastAtWork) -> None:
    rosa = client_of(work.cast.rosa)
    page = page_text(rosa.get(f"{STUDY}/delete"))
    assert "<dt>Items</dt> <dd>12</dd>" in page and "Every answer" in page
    assert "Nothing is deleted" in page_text(rosa.post(f"{STUDY}/delete", {"name": "Kind word"}))
    files_folder(work.study).mkdir(parents=True)
    answer = rosa.post(f"{STUDY}/delete", {"name": "Kind words"})
    job = Job.objects.get(kind="delete_study")
    assert answer.headers["Location"] == f"/deletions/{job.pk}"
    assert rosa.get(STUDY).status_code == 404, "nobody gets in any more"
    assert "Waiting for a worker" in page_text(rosa.get(f"/deletions/{job.pk}"))
    assert client_of(work.cast.ravi).get(f"/deletions/{job.pk}").status_code == 404
    assert finish(job).state == JobState.DONE, job.error
    assert "Kind words is deleted." in page_text(rosa.get(f"/deletions/{job.pk}"))
    assert not Study.objects.filter(pk=work.study.pk).exists() and not files_folder(work.study).exists()
    line = StudyDeletion.objects.get()
    assert (line.name, line.deleted_by, line.counts["items"]) == ("Kind words", work.cast.rosa, 12)
    assert "12 items" in page_text(client_of(work.cast.ada).get("/deletions"))
    assert "12 items" not in page_text(client_of(work.cast.ravi).get("/deletions"))
    with pytest.raises(DatabaseError), transaction.atomic():
        StudyDeletion.objects.update(name="Nothing")


def test_who_did_not_start_the_study_does_not_delete_it(cast: Cast) -> None:
    assert client_of(cast.ravi).get(f"{STUDY}/delete").status_code == 403
    assert client_of(cast.ada).get(f"{STUDY}/delete").status_code == 200
    assert "Only admins, and Rosa" in page_text(client_of(cast.ravi).get(f"{STUDY}/life"))


def test_a_deletion_that_was_stopped_can_be_called_off_or_tried_again(cast: Cast) -> None:
    job = ask_for_deletion(study=cast.study, confirmed_name="Kind words", actor=cast.rosa, now=NOW)
    rosa, change = client_of(cast.rosa), f"/deletions/{job.pk}"
    with pytest.raises(StudyError, match="under way"):
        keep_study(job=job, actor=cast.rosa, now=NOW)
    rosa.post(f"{change}/stop")
    assert "Keep the study" in page_text(rosa.get(change))
    rosa.post(f"{change}/again")
    rosa.post(f"{change}/stop")
    assert rosa.post(f"{change}/keep").headers["Location"] == STUDY
    assert rosa.get(STUDY).status_code == 200
    assert finish(Job.objects.get(pk=job.pk)).state == JobState.CANCELLED
    assert not StudyDeletion.objects.exists()


def test_commands(cast: Cast) -> None:
    said = StringIO()
    call_command("archive_study", "kind-words", stdout=said)
    call_command("archive_study", "kind-words", "--restore", stdout=said)
    call_command("copy_study", "kind-words", "Second", "--by", "ravi", "--members", stdout=said)
    assert said.getvalue().splitlines() == [
        "Kind words is archived.",
        "Kind words is restored.",
        "Second is there, as second.",
    ]
    with pytest.raises(CommandError, match="not archived"):
        call_command("archive_study", "kind-words", "--restore")
    with pytest.raises(CommandError, match="logs in as"):
        call_command("copy_study", "kind-words", "Third", "--by", "nobody")
