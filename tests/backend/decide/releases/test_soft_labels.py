"""Soft labels chosen by the form, the API and the commands."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from annotation.release.read import read_release
from annotation.release.soft_labels import ANNOTATOR_LABELS, SOFT_LABELS
from backend.annotate.batches.models import BatchKind
from backend.decide.releases.errors import InvalidRequest
from backend.decide.releases.models import Release
from backend.decide.releases.people import People
from backend.decide.releases.selectors import problems_of
from tests.backend.decide.releases.fixtures import EMOTIONS, answer, asked, frozen, judged_study
from tests.batch_fixtures import CastAtWork


@pytest.fixture
def rosa(work: CastAtWork) -> Client:
    client = Client()
    client.force_login(work.cast.rosa)
    return client


def test_a_release_carries_every_annotator_by_pseudonym(work: CastAtWork, rosa: Client) -> None:
    judged_study(work)
    release = frozen(work, asked(soft_labels=True))
    assert release.request["soft_labels"] is True and problems_of(release) == []
    with (release.folder / ANNOTATOR_LABELS).open(newline="") as handle:
        said = [row for row in csv.DictReader(handle) if row["item_id"] == "item-00001"]
    cast = work.cast
    people = {People(work.study).pseudonym(user.pk) for user in (cast.amal, cast.bea, cast.chen)}
    emotions = {row["annotator"]: row["value"] for row in said if row["code"] == EMOTIONS}
    assert set(emotions) == people
    assert emotions[People(work.study).pseudonym(cast.chen.pk)] == "1" and sorted(emotions.values()) == [
        "0",
        "0",
        "1",
    ]
    assert cast.chen.username not in (release.folder / ANNOTATOR_LABELS).read_text()
    page = rosa.get(reverse("releases:detail", args=["kind-words", 1])).content.decode()
    assert "Each annotator’s labels and the share behind each answer" in page
    assert "Two say the same" in page and SOFT_LABELS in page


def test_one_annotator_an_item_is_refused_in_preview_and_freezing(work: CastAtWork, rosa: Client) -> None:
    batch = work.batch(work.cast.amal, items=work.items[:2], kind=BatchKind.MAIN)
    for item in work.items[:2]:
        answer(work, batch, work.cast.amal, item)
    with pytest.raises(InvalidRequest, match="no item here has answers of two"):
        frozen(work, asked(soft_labels=True))
    preview = rosa.post(
        "/api/v1/studies/kind-words/releases/preview",
        json.dumps({"name": "x", "soft_labels": True}),
        content_type="application/json",
    )
    assert preview.status_code == 422 and "freeze without soft labels" in preview.content.decode()
    form = {"seed": "1", "edition": "1", "consensus": "majority", "spans": "union", "superseded": "keep"}
    form |= {"ratio": "6:2:2", "singles": "on", "soft_labels": "on"}
    page = rosa.post(reverse("releases:preview", args=["kind-words"]), form).content.decode()
    assert "freeze without soft labels" in page
    assert Release.objects.count() == 0


def test_the_command_freezes_them(work: CastAtWork, capsys: pytest.CaptureFixture[str]) -> None:
    judged_study(work)
    call_command("freeze_release", "kind-words", "--name", "Soft", "--soft-labels")
    release = Release.objects.get()
    assert (release.folder / SOFT_LABELS).is_file() and release.hash in capsys.readouterr().out


def test_labels_of_annotators_need_no_study(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Texts in one table, labels in another, and no codebook."""
    texts, labels = tmp_path / "texts.csv", tmp_path / "annotations.csv"
    texts.write_text("item,text\n" + "".join(f"i{n},Words number {n}\n" for n in range(9)))
    labels.write_text(
        "item,annotator,label\n"
        + "".join(f"i{n},{who},{int(n % 3 > at)}\n" for n in range(9) for at, who in enumerate("AB"))
    )
    command = ["release_from_table", "from-table", str(texts), str(tmp_path / "out")]
    call_command(*command, "--label", f"anger={labels}:label", "--soft-labels", "--ties", "none")
    assert "6 items" in capsys.readouterr().out
    found = read_release(tmp_path / "out")
    assert {code.id for _, code in found.codebook.coded_questions()} == {"anger"}
    assert {row.labels[0].shares for row in found.rows} == {((0, 1.0), (1, 0.0)), ((0, 0.0), (1, 1.0))}
    assert found.manifest.counts.left_out == {"unlabelled": 3}
    alone = tmp_path / "alone.csv"
    alone.write_text("text,anger\nI won,0\nI lost,1\n")
    with pytest.raises(CommandError, match="no item here has answers of two"):
        call_command("release_from_table", "from-table", str(alone), str(tmp_path / "no"), "--soft-labels")
