"""What annotators answered first, before anything could change their minds; every version of an answer is kept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from django.db.models import F

from annotation.answers import Answers
from backend.annotate.batches.models import AssignedItem, Batch
from backend.annotate.judgments.current_answer import decoded_version
from backend.annotate.judgments.models import AnnotationVersion, Change
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.selectors import item_text
from codebook.schema import Codebook

CHUNK = 500


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """`place` tells the item and whose it is; `version_id` is the version that the answers were read from.

    An answer that is not sound has what could be read of it.
    """

    place: AssignedItem
    version_id: int
    answers: Answers
    is_sound: bool = True


def first_answers_of_batch(batch: Batch) -> list[FirstAnswer]:
    """Each annotator's first sound answer to each item of theirs, in the order in which items were given out.

    It stays the first whatever becomes of it: changed, deleted, taken back or put in quarantine later. What was never
    answered soundly, or only skipped, is not here.
    Two queries, however many annotators and items there are.
    """
    places = (
        AssignedItem.objects.filter(assignment__batch=batch)
        .select_related("item", "assignment__annotator")
        .order_by("assignment", "position")
    )
    return first_answers(places, codebook_of(batch.edition))


def first_answers(
    places: Iterable[AssignedItem], codebook: Codebook, *, sound_only: bool = True
) -> list[FirstAnswer]:
    """The same for some assigned items, which come with their items and assignments.

    Without `sound_only` the first answer counts as it was submitted.
    """
    wanted = {(place.assignment_id, place.item.item_id): place for place in places}
    found: dict[int, FirstAnswer] = {}
    for version in _versions(wanted):
        place = wanted.get((version.assignment_id, version.item_key))
        if place is None or place.pk in found:
            continue
        decoding = decoded_version(codebook, item_text(place.item), version)
        is_sound = not decoding.problems
        if is_sound or not sound_only:
            found[place.pk] = FirstAnswer(place, version.pk, decoding.answers, is_sound)
    return [found[place.pk] for place in wanted.values() if place.pk in found]


def _versions(wanted: Collection[tuple[int, str]]) -> Iterator[AnnotationVersion]:
    """What the annotators of these shares submitted themselves, oldest first by Label Studio's clock."""
    submitted = AnnotationVersion.objects.filter(
        assignment__in={assignment for assignment, _ in wanted},
        made_by=F("assignment__annotator"),
        change=Change.SUBMITTED,
    )
    if len(wanted) <= CHUNK:
        submitted = submitted.filter(item_key__in={key for _, key in wanted})
    needed = submitted.only("assignment_id", "item_key", "body")
    return needed.order_by("changed_there_at", "pk").iterator(chunk_size=CHUNK)
