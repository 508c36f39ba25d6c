"""Stores what simulated annotators say as the sync stores what comes from Label Studio, and adjudicates it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import partial
from random import Random

from django.db import transaction

from annotation.label_studio.encoding import encode_answers
from backend.annotate.batches.models import Assignment, Batch
from backend.annotate.judgments.derivation import derive_items
from backend.annotate.judgments.models import Change
from backend.annotate.judgments.version_store import Arrival, keep_arrivals
from backend.annotate.sync.completion import tell_that_answers_arrived
from backend.core.accounts.models import User
from backend.decide.adjudication.models import Decision, DecisionRound, Way
from backend.decide.adjudication.services import Draft, decide
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from backend.operate.demo.story.annotators import Known, seconds_on, simulated_answers, true_answers
from backend.operate.demo.story.texts import Truth

MARKER = "simulated:"
CARE = (1.5, 1.0, 0.8)
REASON = "Settled by the simulated researcher: the theme counts only where the words themselves show it."
Truths = Mapping[tuple[str, str], tuple[Truth, Truth]]


def known_item(item: Item, truths: Truths) -> Known:
    text = item_text(item)
    post, reply = truths[text.post, text.reply or ""]
    return Known(text, post, reply)


def answer_batch(
    batch: Batch, truths: Truths, hardness: Mapping[str, float], *, seed: int, now: datetime
) -> None:
    """Whole, in the caller's transaction; the answers are in no project of Label Studio, and their marker says so."""
    shares = batch.assignments.select_related("annotator", "batch__edition").order_by("annotator__username")
    for share, care in zip(shares, CARE, strict=False):
        arrivals = list(_arrivals(share, truths, hardness, care, Random(f"{seed} {share.annotator}"), now))
        versions = keep_arrivals(assignment=share, arrivals=arrivals, now=now)
        derive_items(assignment=share, item_keys={version.item_key for version in versions}, now=now)
    transaction.on_commit(partial(tell_that_answers_arrived, batch.pk, now))


def _arrivals(
    share: Assignment, truths: Truths, hardness: Mapping[str, float], care: float, rng: Random, now: datetime
) -> Iterator[Arrival]:
    codebook = codebook_of(share.batch.edition)
    places = share.assigned_items.select_related("item").order_by("position")
    began = now - timedelta(days=1)
    for number, place in enumerate(places, start=1):
        known = known_item(place.item, truths)
        answers = simulated_answers(codebook, known, hardness, care, rng)
        seconds = seconds_on(known, care, rng)
        began += timedelta(seconds=seconds)
        yield Arrival(
            project_marker=f"{MARKER}{share.pk}",
            project_id=0,
            task_id=number,
            annotation_id=number,
            account_id=0,
            made_by_id=share.annotator_id,
            item_key=place.item.item_id,
            change=Change.SUBMITTED,
            body=json.dumps({"id": number, "result": encode_answers(codebook, known.text, answers)}),
            lead_seconds=round(seconds, 1),
            from_prediction=False,
            created_there_at=began,
            changed_there_at=began,
        )


def adjudicate(
    batch: Batch, truths: Truths, actor: User, *, leave_flagged: bool, now: datetime
) -> Iterator[Decision]:
    """Every item that is not decided yet, by the truth; `leave_flagged` leaves flags for people to settle."""
    codebook = codebook_of(batch.edition)
    items = Item.objects.filter(assigned_items__assignment__batch=batch, decisions=None).distinct()
    if leave_flagged:
        items = items.exclude(assigned_items__submission__is_flagged=True)
    flagged = set(items.filter(assigned_items__submission__is_flagged=True).values_list("pk", flat=True))
    for item in items.order_by("pk"):
        draft = Draft(
            true_answers(codebook, known_item(item, truths)),
            reason=REASON if item.pk in flagged else "",
            way=Way.MAJORITY,
            settles_discussions=item.pk in flagged,
        )
        yield decide(
            item=item,
            draft=draft,
            actor=actor,
            decision_round=DecisionRound.FIRST,
            expected_number=0,
            now=now,
        )
