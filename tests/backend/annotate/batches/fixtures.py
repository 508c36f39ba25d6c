"""A study with a codebook and a sample of made-up items, and what annotators did with some of them."""

from __future__ import annotations

from datetime import datetime, timedelta

from backend.annotate.batches.models import AssignedItem, Batch
from backend.annotate.batches.requests import BatchRequest, Kind
from backend.annotate.batches.services import open_batch
from backend.annotate.judgments.models import AnnotationVersion, Change, Quarantined, Submission
from backend.annotate.practice.models import GoldAnswer
from backend.core.accounts.models import User
from backend.design.codebooks.models import Edition
from backend.design.codebooks.services import add_edition
from backend.design.corpora.services import create_corpus
from backend.design.samples.models import Draw, Item, Sample
from codebook.shipped import shipped_path
from tests.cast import NOW, Cast

EVERYBODY = ["amal", "bea", "chen"]


def add_codebook(cast: Cast, title: str = "Communication of empathy") -> Edition:
    """Another title makes another edition."""
    source = shipped_path("epitome").read_text().replace("Communication of empathy", title)
    return add_edition(
        study=cast.study, source=source, file_name="e.yaml", note="First", actor=cast.rosa, now=NOW
    )


def add_sample(cast: Cast, name: str, numbers: range, *, replies: bool = True) -> Sample:
    corpus = cast.study.corpora.first() or create_corpus(
        study=cast.study, name="Texts", description="", actor=cast.rosa, now=NOW
    )
    Item.objects.bulk_create([_item(cast, number, replies) for number in numbers], ignore_conflicts=True)
    keys = [f"item-{number}" for number in numbers]
    items = {item.item_id: item for item in cast.study.items.filter(item_id__in=keys)}
    sample = Sample.objects.create(
        study=cast.study,
        corpus=corpus,
        name=name,
        design={"kind": "uniform_pairs", "n": len(numbers)},
        seed=1,
        frame_hash="0" * 64,
        n_items=len(numbers),
        created_by=cast.rosa,
        created_at=NOW,
    )
    Draw.objects.bulk_create(
        Draw(
            sample=sample,
            item=items[key],
            position=position,
            post_probability=0.5,
            reply_probability=1,
            inclusion_probability=0.5,
        )
        for position, key in enumerate(keys)
    )
    return sample


def _item(cast: Cast, number: int, has_reply: bool) -> Item:
    return Item(
        study=cast.study,
        item_id=f"item-{number}",
        platform="reddit",
        community="lane",
        post_id=f"p{number}",
        reply_id=f"r{number}" if has_reply else None,
        title=f"A made-up title {number}",
        post_text="I stood in the hall.",
        reply_text="I know that hall." if has_reply else None,
    )


def add_gold(cast: Cast, edition: Edition, *numbers: int) -> None:
    GoldAnswer.objects.bulk_create(
        GoldAnswer(
            item=cast.study.items.get(item_id=f"item-{number}"),
            edition=edition,
            answers={"judgments": [], "spans": []},
            reasons={},
            written_by=cast.rosa,
            written_at=NOW,
        )
        for number in numbers
    )


def asked(
    kind: Kind,
    *,
    name: str = "Batch 1",
    annotators: list[str] | None = None,
    n: int | None = None,
    samples: list[str] | None = None,
    seed: int = 7,
    days: int = 0,
) -> BatchRequest:
    return BatchRequest(
        name=name,
        kind=kind,
        annotators=EVERYBODY if annotators is None else annotators,
        n=n,
        samples=["Main"] if samples is None else samples,
        seed=seed,
        submitted_days_ago=days,
    )


def opened(cast: Cast, request: BatchRequest) -> Batch:
    return open_batch(study=cast.study, request=request, actor=cast.rosa, now=NOW)


def places(batch: Batch, annotator: User) -> list[AssignedItem]:
    share = AssignedItem.objects.filter(assignment__batch=batch, assignment__annotator=annotator)
    return list(share.filter(taken_back_at=None).select_related("item", "assignment"))


def given(batch: Batch) -> dict[str, list[str]]:
    """Item ids by log-in name, as they stand now."""
    shares: dict[str, list[str]] = {}
    for row in AssignedItem.objects.filter(assignment__batch=batch, taken_back_at=None).order_by("position"):
        shares.setdefault(row.assignment.annotator.username, []).append(row.item.item_id)
    return shares


def version_of(place: AssignedItem, *, at: datetime = NOW, number: int = 1) -> AnnotationVersion:
    return AnnotationVersion.objects.create(
        assignment=place.assignment,
        project_id=1,
        task_id=place.pk,
        annotation_id=1000 * number + place.pk,
        account_id=place.assignment.annotator_id,
        item_key=place.item.item_id,
        change=Change.SUBMITTED,
        body="{}",
        sha256=f"{place.pk}-{number}",
        lead_seconds=None,
        from_prediction=False,
        created_there_at=at,
        changed_there_at=at,
        seen_at=at,
    )


def submit(
    place: AssignedItem,
    *,
    state: str = "submitted",
    seconds: float | None = 60,
    flagged: bool = False,
    days_ago: int = 0,
) -> Submission:
    at = NOW - timedelta(days=days_ago)
    return Submission.objects.create(
        assigned_item=place,
        version=version_of(place, at=at),
        state=state,
        submitted_at=at,
        changed_at=at,
        edits=0,
        lead_seconds=seconds,
        from_prediction=False,
        is_flagged=flagged,
    )


def quarantine(place: AssignedItem, *, fixable: bool = True, message: str = "Mark the words.") -> Quarantined:
    problem = {"kind": "missing-evidence", "subject": "x", "message": message, "fixable": fixable}
    return Quarantined.objects.create(
        version=version_of(place, number=2), assigned_item=place, problems=[problem], is_fixable=fixable
    )
