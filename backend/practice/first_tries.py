"""What annotators answered before any feedback could tell them what is right; every version of an answer is kept."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable

from annotation.answers import Answers, ItemText
from annotation.decoding import Decoding, decode_results
from backend.batches.models import Assignment
from backend.judgments.models import AnnotationVersion, Change, Submission
from backend.samples.selectors import item_text
from codebook.schema import Codebook


def first_tries(
    assignment: Assignment, codebook: Codebook, submissions: Iterable[Submission]
) -> dict[int, Answers]:
    """By assigned item: the first sound answer, where another one stands by now.

    An answer in quarantine shows nothing of the gold, so mending it is no second try. One that was deleted did.
    """
    submitted = list(submissions)
    keys = [submission.assigned_item.item.item_id for submission in submitted]
    versions: dict[str, list[AnnotationVersion]] = defaultdict(list)
    for version in AnnotationVersion.objects.filter(
        assignment=assignment, made_by=assignment.annotator_id, item_key__in=keys, change=Change.SUBMITTED
    ).order_by("changed_there_at", "pk"):
        versions[version.item_key].append(version)
    found = {}
    for submission in submitted:
        text = item_text(submission.assigned_item.item)
        first = _first_sound(codebook, text, submission, versions[text.item_id])
        if first is not None:
            found[submission.assigned_item_id] = first
    return found


def _first_sound(
    codebook: Codebook, text: ItemText, submission: Submission, versions: Iterable[AnnotationVersion]
) -> Answers | None:
    for version in versions:
        if version.pk == submission.version_id:
            return None
        decoding = _decoded(codebook, text, version)
        if not decoding.problems:
            return decoding.answers
    return None


def _decoded(codebook: Codebook, text: ItemText, version: AnnotationVersion) -> Decoding:
    body = json.loads(version.body)
    return decode_results(codebook, text, body.get("result") if isinstance(body, dict) else None)
