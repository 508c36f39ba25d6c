"""The pages of releases, as a researcher uses them."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.test import Client
from django.urls import reverse

from annotation.release.verify import verify_release
from backend.core.jobs.models import Job
from backend.decide.releases.models import Release
from backend.decide.releases.services import FREEZE_RELEASE
from tests.backend.decide.releases.fixtures import (
    EMOTIONS,
    asked,
    frozen,
    judged_study,
    next_edition,
    opened,
    settle,
)
from tests.batch_fixtures import CastAtWork
from tests.page_text import page_text

FORM = {
    "name": "First",
    "consensus": "majority",
    "spans": "majority",
    "superseded": "keep",
    "ratio": "6:2:2",
    "seed": "3",
    "edition": "1",
    "singles": "on",
}


@pytest.fixture
def rosa(work: CastAtWork) -> Client:
    client = Client()
    client.force_login(work.cast.rosa)
    return client


def _page(client: Client, name: str, *args: object) -> str:
    answer = client.get(reverse(f"releases:{name}", args=["kind-words", *args]))
    assert answer.status_code == 200
    return answer.content.decode()


def test_without_a_release_the_page_explains_what_one_is(rosa: Client) -> None:
    assert "No release yet" in _page(rosa, "list")


def test_the_preview_says_what_goes_in_and_what_stays_out(work: CastAtWork, rosa: Client) -> None:
    judged_study(work)
    page = rosa.post(
        reverse("releases:preview", args=["kind-words"]), FORM | {"consensus": "none"}
    ).content.decode()
    assert "With a disagreement that nobody adjudicated" in page
    assert "Asking for advice" in page or "dvice" in page
    assert Release.objects.count() == Job.objects.count() == 0


def test_the_preview_comes_by_itself_and_without_scripts_by_the_button(
    work: CastAtWork, rosa: Client
) -> None:
    judged_study(work)
    page = _page(rosa, "freeze")
    assert 'hx-trigger="load, click, change from:#freeze delay:400ms"' in page
    address = reverse("releases:preview", args=["kind-words"])
    assert f'formaction="{address}"' in page
    whole = rosa.post(address, FORM | {"seed": "77"}).content.decode()
    assert "<html" in whole and "What this freezes" in whole and 'value="77"' in whole
    fragment = rosa.post(address, FORM, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in fragment and "What this freezes" in fragment


def test_the_preview_warns_of_a_test_part_that_measures_nothing(work: CastAtWork, rosa: Client) -> None:
    judged_study(work)
    page = page_text(rosa.post(reverse("releases:preview", args=["kind-words"]), FORM))
    assert "A small test part" in page and "too few to tell how good a model is" in page


def test_the_preview_warns_of_an_older_edition(work: CastAtWork, rosa: Client) -> None:
    judged_study(work)
    next_edition(work, "language: en", "language: en-GB")
    page = rosa.post(reverse("releases:preview", args=["kind-words"]), FORM).content.decode()
    assert "An older codebook" in page
    newest = rosa.post(
        reverse("releases:preview", args=["kind-words"]), FORM | {"edition": "2"}
    ).content.decode()
    assert "An older codebook" not in newest
    assert "Changed definitions" in newest


def test_what_cannot_be_is_said_at_the_field(work: CastAtWork, rosa: Client) -> None:
    judged_study(work)
    address = reverse("releases:freeze", args=["kind-words"])
    wrong = rosa.post(address, FORM | {"ratio": "6:2", "superseded": "weight", "superseded_weight": "1"})
    page = wrong.content.decode()
    assert "is no ratio of three parts" in page
    assert "Give a weight above 0 and below 1." in page
    assert Job.objects.count() == 0


def test_freezing_starts_a_job_and_a_taken_name_is_refused(work: CastAtWork, rosa: Client) -> None:
    judged_study(work)
    frozen(work, asked("Taken"))
    address = reverse("releases:freeze", args=["kind-words"])
    assert (
        "already has a release" in rosa.post(address, FORM | {"name": "Taken", "seed": "9"}).content.decode()
    )
    answer = rosa.post(address, FORM)
    job = Job.objects.get()
    assert job.kind == FREEZE_RELEASE
    assert answer.headers["Location"] == reverse("jobs:detail", args=["kind-words", job.pk])


def test_the_page_of_a_release_shows_its_card_and_verifies_it(work: CastAtWork, rosa: Client) -> None:
    judged_study(work)
    release = frozen(work)
    page = _page(rosa, "detail", 1)
    assert release.hash[:10] in page
    assert "Data card" in page
    assert "No licence was given" in page
    verify = reverse("releases:verify", args=["kind-words", 1])
    assert "byte for byte" in rosa.post(verify, follow=True).content.decode()
    (opened(release) / "labels.csv").write_text("mine")
    assert "labels.csv: its content is not what was frozen" in rosa.post(verify, follow=True).content.decode()


def test_a_release_is_downloaded_whole(
    work: CastAtWork, rosa: Client, tmp_path_factory: pytest.TempPathFactory
) -> None:
    judged_study(work)
    frozen(work)
    address = reverse("releases:download", args=["kind-words", 1])
    content = b"".join(rosa.get(address).streaming_content)  # type: ignore[attr-defined]
    assert content == b"".join(rosa.get(address).streaming_content)  # type: ignore[attr-defined]
    target = tmp_path_factory.mktemp("download")
    ZipFile(BytesIO(content)).extractall(target)
    assert verify_release(target / "kind-words-release-1") == []


def test_a_release_with_texts_is_written_for_other_tools(work: CastAtWork, rosa: Client) -> None:
    judged_study(work)
    frozen(work)
    frozen(work, asked("With texts", texts=True))
    assert "freeze one with texts" in _page(rosa, "detail", 1)
    assert "UIMA CAS XMI" in _page(rosa, "detail", 2)

    def export(number: int, name: str) -> str:
        return reverse("releases:export", args=["kind-words", number, name])

    answer = rosa.get(export(2, "brat"))
    assert "item-00000.ann" in ZipFile(BytesIO(answer.content)).namelist()
    call = rosa.get("/api/v1/studies/kind-words/releases/2/exchange/brat")
    assert call.content == answer.content
    for number, name, said in ((1, "brat", "has no texts"), (2, "word", "choose one of label-studio")):
        assert said in rosa.get(export(number, name), follow=True).content.decode()
        refused = rosa.get(f"/api/v1/studies/kind-words/releases/{number}/exchange/{name}")
        assert refused.status_code == 422 and said in refused.json()["detail"]


def test_every_label_leads_to_what_is_behind_it(work: CastAtWork, rosa: Client) -> None:
    judged_study(work)
    settle(work, work.items[1], EMOTIONS)
    frozen(work)
    assert "item-00001" in _page(rosa, "items", 1)
    page = _page(rosa, "label_trace", 1, "item-00001")
    for said in ("Amal", "Chen", "adjudicated", "by Rosa", "Read again.", "I feel lost at"):
        assert said in page
    assert page.count("/judgments/versions/") == 3
    assert rosa.get(reverse("releases:label_trace", args=["kind-words", 1, "item-9"])).status_code == 404


def test_items_can_be_found_by_how_their_labels_came_about(work: CastAtWork, rosa: Client) -> None:
    judged_study(work)
    frozen(work)
    address = reverse("releases:items", args=["kind-words", 1])
    page = rosa.get(address, {"source": "majority"}).content.decode()
    assert "item-00001" in page
    assert "item-00002" not in page
    found = rosa.get(address, {"code": "asking-advice"}).content.decode()
    assert "item-00003" in found
    assert "item-00001" not in found


def test_two_releases_are_compared_label_by_label(work: CastAtWork, rosa: Client) -> None:
    judged_study(work)
    frozen(work)
    settle(work, work.items[3], EMOTIONS)
    frozen(work, asked("Second"))
    page = rosa.get(reverse("releases:compare", args=["kind-words"]), {"old": 2, "new": 1}).content.decode()
    assert "What changed from release 1 to release 2" in page
    assert "item-00003" in page
    assert rosa.get(reverse("releases:compare", args=["kind-words"])).status_code == 404


@pytest.mark.parametrize("tamper", ["file", "link", "other"])
def test_what_was_not_frozen_is_not_handed_out(
    work: CastAtWork, rosa: Client, tmp_path: Path, tamper: str
) -> None:
    judged_study(work)
    release = frozen(work)
    folder = opened(release)
    if tamper == "file":
        (folder / "notes.txt").write_text("mine")
    elif tamper == "link":
        (folder / "split.csv").rename(tmp_path / "secret")
        (folder / "split.csv").symlink_to(tmp_path / "secret")
    else:
        frozen(work, asked("Second")).folder.rename(folder.with_name("aside"))
        folder.rename(folder.with_name("old"))
        folder.with_name("aside").rename(folder)
    answer = rosa.get(reverse("releases:download", args=["kind-words", 1]), follow=True)
    assert "not as it was frozen" in answer.content.decode()


def test_pages_of_a_damaged_release_say_so(work: CastAtWork, rosa: Client) -> None:
    judged_study(work)
    release = frozen(work)
    items = opened(release) / "items.jsonl"
    first, _, rest = items.read_text().partition("\n")
    items.write_text(first.replace("asking-advice", "astrology") + "\n" + rest)
    assert "Sharing emotions" in _page(rosa, "label_trace", 1, "item-00000")
    (release.folder / "items.jsonl").write_text("{")
    for name, *args in (("items", 1), ("label_trace", 1, "item-00000")):
        page = rosa.get(reverse(f"releases:{name}", args=["kind-words", *args]), follow=True)
        assert "items.jsonl: it cannot be read" in page.content.decode()
    (release.folder / "codebook.json").write_text("{}")
    (release.folder / "items.jsonl").write_text("")
    page = rosa.get(reverse("releases:items", args=["kind-words", 1]), follow=True)
    assert "codebook.json: it cannot be read" in page.content.decode()
