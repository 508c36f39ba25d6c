"""What pages, calls and commands read about judgments."""

from __future__ import annotations

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from annotation.answers import Answers, Flag, ItemText, Span, canonical_answers
from backend.annotate.batches.blindness import hidden_items, refuse_hidden
from backend.annotate.judgments.models import AnnotationVersion, Submission
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from codebook.schema import Codebook, Part


def submissions(
    study: Study, *, batch_id: int | None = None, viewer: User | None = None
) -> QuerySet[Submission]:
    """With judgments and spans, in the order in which they were given out; of what the viewer may read."""
    found = Submission.objects.filter(assigned_item__assignment__batch__study=study)
    if batch_id is not None:
        found = found.filter(assigned_item__assignment__batch=batch_id)
    return (
        found.exclude(assigned_item__item__in=hidden_items(viewer, study))
        .select_related(
            "assigned_item__item",
            "assigned_item__assignment__annotator",
            "assigned_item__assignment__batch__edition",
        )
        .prefetch_related("judgments", "spans")
        .order_by("assigned_item__assignment", "assigned_item__position")
    )


def version_of(study: Study, version_id: int, viewer: User) -> AnnotationVersion:
    """Raises StillToJudge."""
    version = get_object_or_404(AnnotationVersion, pk=version_id, assignment__batch__study=study)
    if version.made_by_id != viewer.pk:
        refuse_hidden(viewer, study, [version.item_key])
    return version


def annotator_answers(codebook: Codebook, item: ItemText, submission: Submission) -> Answers:
    """The answers that the rows of a submission stand for."""
    values = {judgment.code: judgment.value for judgment in submission.judgments.all()}
    spans = [Span(row.code, Part(row.part), row.start, row.end) for row in submission.spans.all()]
    flag = Flag(submission.flag_comment) if submission.is_flagged else None
    return canonical_answers(codebook, item, values, spans, flag)
