"""The pages of reports: from the form to the download, and what they say when something is missing."""

from __future__ import annotations

import hashlib
import json
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from analysis.report.registry import section_titles
from backend.core.jobs.models import Job
from backend.core.jobs.runner import run_job
from backend.publish.labelling.models import LabellingRun
from backend.publish.reports.models import Report
from tests.backend.publish.reports.fixtures import made_report
from tests.cast import Cast

pytestmark = pytest.mark.django_db
HERE = "/studies/kind-words/reports"


@pytest.fixture
def rosa(cast: Cast) -> Client:
    client = Client()
    client.force_login(cast.rosa)
    return client


def text(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return " ".join(answer.content.decode().split())


def work_off(client: Client, address: str, given: dict[str, object]) -> Job:
    answer = client.post(address, given)
    assert answer.status_code == 302 and "/jobs/" in answer["Location"], answer.content.decode()[-3000:]
    job = Job.objects.latest("pk")
    run_job(job_id=job.pk, clock=timezone.now)
    job.refresh_from_db()
    assert job.state == "done", job.error
    return job


FILLED: dict[str, object] = {
    "title": "What people do",
    "release": "1",
    "topic-0": "Work",
    "topic-1": "Manners",
    "sections": ["overall"],
}


def test_without_a_finished_run_it_says_what_to_do(rosa: Client) -> None:
    assert "Nothing to report yet" in text(rosa, HERE)
    assert rosa.get(f"{HERE}/new").status_code == 302


def test_from_the_form_to_the_page_and_the_download(rosa: Client, run: LabellingRun) -> None:
    assert "No report yet" in text(rosa, HERE)
    form = text(rosa, f"{HERE}/new")
    assert (
        "NineToFive" in form
        and "manners" in form
        and all(title in form for title in section_titles().values())
    )
    lexicon = SimpleUploadedFile("mine.csv", b"word,joy\nsun,1\n")
    job = work_off(rosa, f"{HERE}/new?run=1", FILLED | {"lexicon": lexicon})
    kept = {"name": "mine.csv", "categories": ["joy"], "scores": {"sun": [1.0]}}
    assert Report.objects.get().request["lexicon"] == kept
    assert job.result and job.result["url"] == f"{HERE}/1"
    page = text(rosa, f"{HERE}/1")
    assert "What people do" in page and "How often each code is found" in page
    assert 'id="figure-shares"' in page and f"{HERE}/1/files/figures/shares.pdf" in page
    assert "Naive" in page and "Corrected" in page and "Fleiss" not in page
    answer = rosa.get(f"{HERE}/1/report.zip")
    content = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    assert content == b"".join(rosa.get(f"{HERE}/1/report.zip").streaming_content)  # type: ignore[attr-defined]
    with ZipFile(BytesIO(content)) as archive:
        top = "kind-words-report-1"
        manifest = json.loads(archive.read(f"{top}/manifest.json"))
        names = {name.removeprefix(f"{top}/") for name in archive.namelist()}
        assert names == {"manifest.json", *manifest["files"]}
        for name, digest in manifest["files"].items():
            assert hashlib.sha256(archive.read(f"{top}/{name}")).hexdigest() == digest
    assert text(rosa, f"{HERE}/new").count('value="Manners"') == 1, "topics are remembered"


def test_single_files_are_those_of_the_manifest_and_no_others(
    rosa: Client, run: LabellingRun, cast: Cast
) -> None:
    report = made_report(cast)
    tables = rosa.get(f"{HERE}/1/files/tables/shares.csv")
    assert tables.status_code == 200 and tables["Content-Type"].startswith("text/csv")
    assert tables.content == (report.folder / "tables/shares.csv").read_bytes()
    for name in ("../report-1/report.json", "tables/none.csv", "../../1-kind-words/.lock"):
        assert rosa.get(f"{HERE}/1/files/{name}").status_code == 404
    assert rosa.get(f"{HERE}/1/files/figures/shares.svg")["Content-Type"] == "image/svg+xml"


def test_making_it_again_says_whether_the_bytes_are_the_same(
    rosa: Client, run: LabellingRun, cast: Cast
) -> None:
    made_report(cast)
    assert "byte for byte" in text_after(rosa, f"{HERE}/1/verify")
    job = work_off(rosa, f"{HERE}/1/check", {})
    assert job.result and job.result["is_same"] is True
    assert "The same bytes" in text(rosa, f"{HERE}/1")


def test_a_report_says_whether_it_is_corrected(rosa: Client, run: LabellingRun, cast: Cast) -> None:
    made_report(cast)
    assert "from labelling run 1, corrected with release 1." in text(rosa, f"{HERE}/1")
    made_report(cast, with_corrected=False)
    assert "from labelling run 1, beside release 1, uncorrected." in text(rosa, f"{HERE}/2")


def text_after(client: Client, address: str) -> str:
    return " ".join(client.post(address, follow=True).content.decode().split())


def test_damaged_files_are_told_of_and_never_sent(rosa: Client, run: LabellingRun, cast: Cast) -> None:
    report = made_report(cast)
    (report.folder / "methods.md").write_text("We did nothing.")
    assert "methods.md was changed" in text_after(rosa, f"{HERE}/1/verify")
    answer = rosa.get(f"{HERE}/1/report.zip")
    assert answer.status_code == 302
    assert rosa.get(f"{HERE}/1/files/methods.md").status_code == 404
    (report.folder / "report.json").unlink()
    assert "The report cannot be shown" in text(rosa, f"{HERE}/1")


def test_the_form_says_what_is_wrong(rosa: Client, run: LabellingRun) -> None:
    answer = rosa.post(f"{HERE}/new?run=1", FILLED | {"topic-1": ""})
    assert "Without one: manners" in answer.content.decode()
    no_lexicon = SimpleUploadedFile("mine.csv", b"text,joy\nsun,1\n")
    answer = rosa.post(f"{HERE}/new?run=1", FILLED | {"lexicon": no_lexicon})
    assert "the first column is &#x27;text&#x27; and not “word”" in answer.content.decode()
    answer = rosa.post(f"{HERE}/new?run=1", FILLED | {"sections": []})
    assert answer.status_code == 200 and not Job.objects.filter(kind="make_report").exists()


def test_annotators_and_outsiders_see_nothing(run: LabellingRun, cast: Cast) -> None:
    made_report(cast)
    for user, status in ((cast.amal, 403), (cast.otto, 404)):
        client = Client()
        client.force_login(user)
        for address in ("", "/new", "/1", "/1/report.zip", "/1/files/report.json"):
            assert client.get(f"{HERE}{address}").status_code == status, address
        for address in ("/new", "/1/check", "/1/verify"):
            assert client.post(f"{HERE}{address}").status_code == status, address
    assert Report.objects.count() == 1
