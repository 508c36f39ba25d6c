"""Every address and call, asked for by a researcher who still has to judge an item: nothing tells what others said."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from typing import cast as typed

import pytest
from django.http import HttpResponse, StreamingHttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from analysis.error_tags import ErrorTag
from backend.annotate.batches.errors import MayHaveRead
from backend.annotate.batches.models import Batch, BatchKind
from backend.annotate.batches.planning import plan_batch
from backend.annotate.batches.requests import BatchRequest
from backend.annotate.batches.services import (
    close_batch,
    reassign_items,
    reopen_batch,
    restore_annotator,
    withdraw_annotator,
)
from backend.annotate.discussions.models import Discussion
from backend.annotate.discussions.services import settle as settle_discussion
from backend.annotate.practice.models import GoldAnswer
from backend.core.accounts.models import User
from backend.core.studies.models import Membership, StudyRole
from backend.core.studies.services import set_member
from backend.decide.adjudication.models import Decision
from backend.design.samples.models import Item
from backend.learn.error_analysis.models import ErrorMark
from tests.backend.core.studies.test_access import ALL_ADDRESSES, LivingStudy, client_of, suspected
from tests.backend.decide.agreement.conftest import Measuring, measured, quick
from tests.backend.decide.releases.fixtures import EMOTIONS, answer, settle, skip, spoil
from tests.backend.learn.error_analysis.fixtures import erring_adapter, first_item
from tests.backend.learn.models.conftest import own_folders
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW

__all__ = ["measured", "own_folders", "quick"]
pytestmark = pytest.mark.django_db
FLAG, REASON, PROPOSAL, GOLD = (
    "Sarcasm perhaps?",
    "Sarcasm is no comfort.",
    "Say it of sarcasm.",
    "Golden remark.",
)
# These may name an item that is hidden: they hold bare texts, who has which share, the person's own work, or that
# something was done about an item but not what
NAME_ITEMS = {
    "/studies/kind-words",
    "/api/v1/studies/kind-words/history",
    "/studies/kind-words/batches/BATCH",
    "/studies/kind-words/work",
    "/studies/kind-words/gold/choose",
    "/studies/kind-words/items/ITEM",
    "/studies/kind-words/sync",
    "/api/v1/studies/kind-words/batches/BATCH/items",
    "/api/v1/studies/kind-words/items/ITEM",
}

BASE, CALLS = "/studies/kind-words", "/api/v1/studies/kind-words"
# These tell it as soon as it may be told, so that the walk can fail
TELLING = {
    f"{BASE}/adjudication/items/ITEM",
    f"{BASE}/agreement/reports/REPORT/report.json",
    f"{BASE}/agreement/reports/REPORT/themes/CODE",
    f"{BASE}/batches/BATCH/digest",
    f"{BASE}/discussions",
    f"{BASE}/discussions/DISCUSSION",
    f"{BASE}/discussions/proposals",
    f"{BASE}/gold",
    f"{BASE}/gold/ITEM",
    f"{BASE}/models/1/errors",
    f"{BASE}/models/1/errors/export.csv",
    f"{BASE}/releases/1/items",
    f"{BASE}/releases/1/items/ITEM",
    f"{BASE}/releases/1/release.zip",
    f"{BASE}/releases/1/exchange/brat.zip",
    f"{CALLS}/adjudication/decisions",
    f"{CALLS}/adjudication/items/ITEM",
    f"{CALLS}/adjudication/items/ITEM/decisions",
    f"{CALLS}/agreement/reports/REPORT",
    f"{CALLS}/agreement/reports/REPORT/themes/CODE",
    f"{CALLS}/discussions",
    f"{CALLS}/discussions/DISCUSSION",
    f"{CALLS}/discussions/DISCUSSION/messages",
    f"{CALLS}/discussions/digests/BATCH",
    f"{CALLS}/discussions/proposals",
    f"{CALLS}/gold",
    f"{CALLS}/gold/ITEM",
    f"{CALLS}/gold/export",
    f"{CALLS}/judgments",
    f"{CALLS}/judgments/versions/1",
    f"{CALLS}/models/1/errors",
    f"{CALLS}/models/1/errors/tags",
    f"{CALLS}/releases/1/items/ITEM",
    f"{CALLS}/releases/1/release.zip",
    f"{CALLS}/releases/1/exchange/brat",
    f"{CALLS}/sync/quarantine",
}


@dataclass(frozen=True)
class Scene:
    """Ravi researches and annotates. He still has to judge one item, about which everybody else has said something."""

    living: LivingStudy
    work: CastAtWork
    batch: Batch
    item: Item

    @property
    def ravi(self) -> User:
        return self.living.cast.ravi

    def secrets(self) -> set[str]:
        return {FLAG, REASON, PROPOSAL, GOLD}

    def sees_the_flag(self) -> bool:
        address = self.living.address("/studies/kind-words/discussions/DISCUSSION")
        return FLAG in words_of(client_of(self.ravi), address)

    def told(self) -> dict[str, set[str]]:
        """By address: which words of others about the item stand in the answer, or that it is named there."""
        client, found = client_of(self.ravi), {}
        for pattern in ALL_ADDRESSES:
            if "kind-words" in pattern:
                address = self.living.address(pattern)
                said = words_of(client, f"{address}?text=1&words=1&part=validation&state=settled")
                told = {secret for secret in self.secrets() if secret in said}
                if pattern not in NAME_ITEMS and self.item.item_id in said:
                    told.add("its id")
                if told:
                    found[pattern] = told
        return found


def words_of(client: Client, address: str) -> str:
    """What is read there, in files within an archive too; nothing if it is refused."""
    answer = client.get(address)
    if answer.status_code != 200:
        assert answer.status_code < 500, address
        return ""
    if answer.streaming:
        body = b"".join(typed(StreamingHttpResponse, answer).streaming_content)  # type: ignore[arg-type]
    else:
        body = typed(HttpResponse, answer).content
    if body[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            body = b"\n".join(archive.read(name) for name in archive.namelist())
    return body.decode(errors="replace")


def scene_of(work: CastAtWork, item: Item) -> Scene:
    """Overlap in which all but Ravi have answered, with a flag, a decision, gold and what could not be counted."""
    cast = work.cast
    set_member(study=work.study, user=cast.ravi, role=StudyRole.BOTH, actor=cast.rosa, now=NOW)
    other = work.study.items.exclude(pk=item.pk)[0]
    batch = work.batch(cast.amal, cast.bea, cast.chen, cast.ravi, items=[item, other], name="Again")
    for annotator, codes in ((cast.amal, [EMOTIONS]), (cast.chen, [])):
        answer(work, batch, annotator, other, *codes)
        answer(work, batch, annotator, item, *codes, flag=FLAG if annotator == cast.amal else None)
    spoil(work, batch, cast.bea, item)
    answer(work, batch, cast.ravi, other)
    discussion = Discussion.objects.get()
    settle_discussion(
        discussion=discussion,
        actor=cast.rosa,
        reason=REASON,
        proposed_code=EMOTIONS,
        proposed_change=PROPOSAL,
        now=timezone.now(),
    )
    gold = GoldAnswer.objects.create(
        item=item,
        edition=work.edition,
        answers={"judgments": [], "spans": []},
        reasons={"codes": {}, "remark": GOLD},
        written_by=cast.rosa,
        written_at=NOW,
    )
    share = batch.assignments.get(annotator=cast.amal)
    version = share.annotation_versions.get(item_key=item.item_id)
    places = {
        "GOLD": str(gold.pk),
        "DECISION": str(settle(work, item).pk),
        "SUSPICION": str(suspected(item).pk),
        "ITEM": item.item_id,
        "USER": str(cast.bea.pk),
        "BATCH": str(batch.pk),
        "ASSIGNMENT": str(share.pk),
        "DISCUSSION": str(discussion.pk),
        "CODE": EMOTIONS,
        "versions/1": f"versions/{version.pk}",
        **dict.fromkeys(("SAMPLE", "JOB", "PROJECT", "REPORT", "PROMOTION", "COMPARISON", "NOTICE"), "1"),
    }
    return Scene(LivingStudy(cast, places), work, batch, item)


@pytest.fixture
def scene(work: CastAtWork) -> Scene:
    return scene_of(work, work.items[0])


def test_nothing_tells_what_others_said_until_ones_own_answer_is_in(
    work: CastAtWork, measured: Measuring
) -> None:
    """In a study that has a release, a model with errors and a report on agreement too."""
    adapter = erring_adapter(work)
    scene = scene_of(work, work.study.items.get(item_id=first_item(adapter).item.item_id))
    report = measured(scene.batch)
    scene.living.places["REPORT"] = str(report.pk)
    mark = ErrorMark(adapter=adapter, release=adapter.release, item=scene.item, code=EMOTIONS, is_put=True)
    mark.tag, mark.author, mark.made_at = ErrorTag.ANNOTATION_ERROR, work.cast.rosa, NOW
    mark.save()
    assert scene.told() == {}
    skip(work, scene.batch, scene.ravi, scene.item)
    assert scene.told() == {}, "a skip is no answer"
    answer(work, scene.batch, scene.ravi, scene.item)
    told = scene.told()
    assert set.union(*told.values()) == scene.secrets() | {"its id"}
    assert TELLING - told.keys() == set()


def test_whatever_is_done_about_the_item_is_refused_with_the_reason(scene: Scene) -> None:
    client = client_of(scene.ravi)
    client.raise_request_exception = False
    for pattern in ALL_ADDRESSES:
        if "kind-words" in pattern and "/ITEM" in pattern and pattern not in NAME_ITEMS:
            answers = [
                client.generic(method, scene.living.address(pattern)) for method in ("POST", "PUT", "DELETE")
            ]
            assert {answer.status_code for answer in answers} <= {403, 405}, pattern
    assert Decision.objects.count() == GoldAnswer.objects.count() == 1
    page = client.get(scene.living.address("/studies/kind-words/adjudication/items/ITEM"))
    assert "You still have to judge this item" in page.content.decode()


def test_colleagues_who_only_research_see_it_all_the_while(scene: Scene) -> None:
    rosa = client_of(scene.living.cast.rosa)
    assert FLAG in words_of(rosa, scene.living.address("/studies/kind-words/discussions/DISCUSSION"))


def test_the_batch_hides_what_others_did_with_the_item(scene: Scene) -> None:
    address = scene.living.address("/api/v1/studies/kind-words/batches/BATCH/items")

    def states() -> dict[str, str]:
        rows = {row["item"]: row["states"] for row in client_of(scene.ravi).get(address).json()}
        return {name: cell["state"] for name, cell in rows[scene.item.item_id].items()}

    assert states() == {"amal": "hidden", "bea": "hidden", "chen": "hidden", "ravi": "to do"}
    answer(scene.work, scene.batch, scene.ravi, scene.item)
    assert states() == {"amal": "submitted", "bea": "in quarantine", "chen": "submitted", "ravi": "submitted"}


def test_an_admin_with_an_open_seat_does_not_open_label_studio_as_its_owner(scene: Scene) -> None:
    User.objects.filter(pk=scene.ravi.pk).update(role="admin")
    assert client_of(scene.ravi).post(reverse("sync:enter_as_owner")).status_code == 403


def test_losing_the_role_opens_nothing_but_leaving_the_batch_does(scene: Scene) -> None:
    Membership.objects.filter(user=scene.ravi).update(role=StudyRole.RESEARCHER)
    assert not scene.sees_the_flag()
    rosa = scene.living.cast.rosa
    withdraw_annotator(batch=scene.batch, annotator=scene.ravi, actor=rosa, now=NOW)
    assert scene.sees_the_flag()


def test_who_could_read_the_answers_is_not_asked_again(scene: Scene) -> None:
    Membership.objects.filter(user=scene.ravi).update(role=StudyRole.BOTH)
    rosa, chen = scene.living.cast.rosa, scene.living.cast.chen
    withdraw_annotator(batch=scene.batch, annotator=scene.ravi, actor=rosa, now=NOW)
    with pytest.raises(MayHaveRead, match="Ravi could read"):
        restore_annotator(batch=scene.batch, annotator=scene.ravi, actor=rosa, now=NOW)
    others = scene.work.batch(chen, items=[scene.item], name="Third", kind=BatchKind.MAIN)
    with pytest.raises(MayHaveRead):
        reassign_items(batch=others, annotator=chen, to=[scene.ravi], actor=rosa, now=NOW)
    recheck = BatchRequest(
        name="Drift", kind="recheck", annotators=["ravi"], n=1, seed=1, submitted_days_ago=0
    )
    with pytest.raises(MayHaveRead):
        plan_batch(study=scene.work.study, request=recheck, now=timezone.now())


def test_a_closed_batch_is_open_to_read_and_goes_on_without_who_read_it(scene: Scene) -> None:
    rosa = scene.living.cast.rosa
    close_batch(batch=scene.batch, actor=rosa, now=NOW)
    assert scene.sees_the_flag()
    reopen_batch(batch=scene.batch, actor=rosa, now=NOW)
    gone = scene.batch.assignments.filter(withdrawn_at__isnull=False)
    assert [share.annotator.username for share in gone] == ["ravi"]
