"""An overlap batch that annotators of known quality have judged, as their answers would have come in."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from annotation.answers import Answers, Flag, Judgment, Span
from annotation.label_studio.encoding import encode_answers
from backend.annotate.batches.models import AssignedItem, Assignment, Batch, BatchKind
from backend.annotate.judgments.derivation import derive_items
from backend.annotate.judgments.models import Change
from backend.annotate.judgments.version_store import Arrival, keep_arrivals
from backend.core.accounts.models import User
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from tests.batch_fixtures import Work
from tests.cast import NOW

Answering = Callable[[Item], Answers | None]


@dataclass(frozen=True)
class Quality:
    """How often somebody misses a theme that is there, and sees one that is not; None: they skip the item."""

    misses: float
    invents: float
    flags: float = 0.05


STEADY, ORDINARY, HASTY = Quality(0.03, 0.01), Quality(0.1, 0.03), Quality(0.3, 0.08, 0.2)
# How often each theme is there; the last of posts is rare, so that kappa misleads.
SHARES = (0.5, 0.35, 0.3, 0.4, 0.25, 0.02, 0.45, 0.3, 0.35, 0.2, 0.25, 0.4, 0.15)


@dataclass
class Team:
    """Hands in answers to a batch, one after the other by the clock."""

    work: Work
    clock: datetime = NOW
    numbers: dict[str, int] = field(default_factory=dict)

    def answer(self, share: Assignment, item: Item, answers: Answers | None) -> None:
        """None is a skip. A second answer to the same item is an edit."""
        arrival = self._arrival(share, item, answers)
        keep_arrivals(assignment=share, arrivals=[arrival], now=self.clock)
        derive_items(assignment=share, item_keys={item.item_id}, now=self.clock)

    def answer_all(self, batch: Batch, by: Mapping[User, Answering]) -> None:
        for share in batch.assignments.select_related("annotator", "batch__edition"):
            answering = by.get(share.annotator)
            if answering is None:
                continue
            places = AssignedItem.objects.filter(assignment=share).select_related("item")
            arrivals = [self._arrival(share, place.item, answering(place.item)) for place in places]
            keep_arrivals(assignment=share, arrivals=arrivals, now=self.clock)
            derive_items(assignment=share, item_keys=None, now=self.clock)

    def _arrival(self, share: Assignment, item: Item, answers: Answers | None) -> Arrival:
        self.clock += timedelta(seconds=30)
        number = self.numbers.setdefault(f"{share.pk} {item.item_id}", len(self.numbers) + 1)
        rows = encode_answers(self.work.codebook, item_text(item), answers) if answers else []
        return Arrival(
            project_marker=f"attune:{share.pk}",
            project_id=share.pk,
            task_id=number,
            annotation_id=number,
            account_id=share.annotator_id,
            made_by_id=share.annotator_id,
            item_key=item.item_id,
            change=Change.SUBMITTED if answers else Change.SKIPPED,
            body=json.dumps({"id": number, "result": rows, "at": self.clock.isoformat()}),
            lead_seconds=30.0,
            from_prediction=False,
            created_there_at=self.clock,
            changed_there_at=self.clock,
        )


def truths(work: Work, items: Sequence[Item], seed: int = 1) -> dict[str, Answers]:
    """What is really in each item, by its id."""
    draw = random.Random(seed)
    return {
        item.item_id: work.answers(
            item,
            *(
                code.id
                for (_, code), share in zip(work.codebook.coded_questions(), SHARES, strict=True)
                if draw.random() < share
            ),
        )
        for item in items
    }


def annotator(work: Work, truth: Mapping[str, Answers], quality: Quality, seed: int) -> Answering:
    """Somebody who sees the truth as well as their quality allows."""
    draw = random.Random(seed)

    def answering(item: Item) -> Answers:
        found = [
            judgment.code_id
            for judgment in truth[item.item_id].judgments
            if draw.random() > (quality.misses if judgment.value else 1 - quality.invents)
        ]
        flag = Flag("Not sure") if draw.random() < quality.flags else None
        answers = work.answers(item, *found)
        return Answers(answers.judgments, _shaken(answers.spans, draw), flag)

    return answering


def _shaken(spans: Sequence[Span], draw: random.Random) -> tuple[Span, ...]:
    """Marks that end a little earlier now and then, at a sound place."""
    return tuple(
        Span(span.code_id, span.part, span.start, span.start + 6)
        if draw.random() < 0.3 and span.end - span.start > 8
        else span
        for span in spans
    )


def judged_batch(
    work: Work,
    items: Sequence[Item],
    people: Mapping[User, Quality],
    *,
    name: str = "Overlap 1",
    seed: int = 1,
) -> Batch:
    """An overlap batch that everybody has finished."""
    batch = work.batch(*people, items=items, name=name, kind=BatchKind.OVERLAP)
    truth = truths(work, items, seed)
    by = {
        user: annotator(work, truth, quality, seed * 100 + place)
        for place, (user, quality) in enumerate(people.items())
    }
    Team(work).answer_all(batch, by)
    return batch


def with_value(answers: Answers, code_id: str, value: int) -> Answers:
    """The same answers but for one code, which needs no evidence at this value."""
    judgments = tuple(
        Judgment(code_id, value) if judgment.code_id == code_id else judgment
        for judgment in answers.judgments
    )
    spans = tuple(span for span in answers.spans if span.code_id != code_id)
    return Answers(judgments, spans, answers.flag)
