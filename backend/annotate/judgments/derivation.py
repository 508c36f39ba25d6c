"""Makes judgments, spans and flags of what Label Studio said; writes only what differs, so twice is once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from django.db import connection, transaction
from django.db.models import Model

from annotation.answers import Flag, ItemText
from backend.annotate.batches.models import AssignedItem, Assignment
from backend.annotate.hooks import flag_derived, judgments_derived
from backend.annotate.judgments.current_answer import CurrentAnswer, Doubt, SoundAnswer, current_answer_of
from backend.annotate.judgments.models import AnnotationVersion, Judgment, Quarantined, Span, Submission
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.selectors import item_text

CHUNK = 500


@dataclass(frozen=True, slots=True)
class Changes:
    """What a derivation wrote; both are zero when everything was as it should be."""

    answers: int
    doubts: int

    def __add__(self, other: Changes) -> Changes:
        return Changes(self.answers + other.answers, self.doubts + other.doubts)


NO_CHANGES = Changes(0, 0)


def derive_items(*, assignment: Assignment, item_keys: Iterable[str] | None, now: datetime) -> Changes:
    """Derives these items of a share, or all of them."""
    if item_keys is None:
        item_keys = AnnotationVersion.objects.filter(assignment=assignment).values_list("item_key", flat=True)
    keys = sorted(set(item_keys))
    changes = NO_CHANGES
    for start in range(0, len(keys), CHUNK):
        with transaction.atomic():
            changes += _derive_chunk(assignment, keys[start : start + CHUNK], now)
    judgments_derived(assignment.batch.study)
    return changes


def _derive_chunk(assignment: Assignment, keys: Sequence[str], now: datetime) -> Changes:
    # Whoever derives the same share at the same time waits here, and then finds nothing left to do.
    Assignment.objects.select_for_update().get(pk=assignment.pk)
    versions = defaultdict(list)
    for version in AnnotationVersion.objects.filter(assignment=assignment, item_key__in=keys):
        versions[version.item_key].append(version)
    places = {
        place.item.item_id: place
        for place in assignment.assigned_items.filter(item__item_id__in=keys).select_related("item")
    }
    codebook = codebook_of(assignment.batch.edition)
    standings = {
        key: current_answer_of(codebook, _text(places.get(key)), assignment.annotator_id, versions[key])
        for key in keys
    }
    answers = _write_answers([(places[key], standings[key].answer) for key in keys if key in places])
    doubts = _write_doubts([(places.get(key), standings[key]) for key in keys], versions)
    _follow_flags([(places[key], standings[key].flag) for key in keys if key in places], now)
    return Changes(answers, doubts)


def _text(place: AssignedItem | None) -> ItemText | None:
    return item_text(place.item) if place else None


def _write_answers(wanted: Sequence[tuple[AssignedItem, SoundAnswer | None]]) -> int:
    stored = {
        submission.assigned_item_id: submission
        for submission in Submission.objects.filter(
            assigned_item__in=[place.pk for place, _ in wanted]
        ).prefetch_related("judgments", "spans")
    }
    stale = [
        (place, answer) for place, answer in wanted if _as_stored(stored.get(place.pk)) != _as_wanted(answer)
    ]
    Submission.objects.filter(assigned_item__in=[place.pk for place, _ in stale]).delete()
    fresh = [(place, answer) for place, answer in stale if answer is not None]
    submissions = Submission.objects.bulk_create([_submission(place, answer) for place, answer in fresh])
    written = [
        (submission.pk, answer.answers) for submission, (_, answer) in zip(submissions, fresh, strict=True)
    ]
    insert_rows(
        Judgment,
        ("submission_id", "code", "value"),
        ((pk, judgment.code_id, judgment.value) for pk, answers in written for judgment in answers.judgments),
    )
    insert_rows(
        Span,
        ("submission_id", "code", "part", "start", "end"),
        (
            (pk, span.code_id, span.part.value, span.start, span.end)
            for pk, answers in written
            for span in answers.spans
        ),
    )
    return len(stale)


def _submission(place: AssignedItem, answer: SoundAnswer) -> Submission:
    version, flag = answer.version, answer.answers.flag
    return Submission(
        assigned_item=place,
        version=version,
        state=answer.state,
        submitted_at=version.created_there_at,
        changed_at=version.changed_there_at,
        edits=answer.edits,
        lead_seconds=version.lead_seconds,
        from_prediction=version.from_prediction,
        is_flagged=flag is not None,
        flag_comment=flag.comment if flag else "",
    )


def _as_wanted(answer: SoundAnswer | None) -> object:
    if answer is None:
        return None
    flag = answer.answers.flag
    return (
        (answer.version.pk, answer.state.value, answer.edits, flag.comment if flag else None),
        {(judgment.code_id, judgment.value) for judgment in answer.answers.judgments},
        {(span.code_id, span.part.value, span.start, span.end) for span in answer.answers.spans},
    )


def _as_stored(submission: Submission | None) -> object:
    if submission is None:
        return None
    comment = submission.flag_comment if submission.is_flagged else None
    return (
        (submission.version_id, submission.state, submission.edits, comment),
        {(judgment.code, judgment.value) for judgment in submission.judgments.all()},
        {(span.code, span.part, span.start, span.end) for span in submission.spans.all()},
    )


def _write_doubts(
    wanted: Sequence[tuple[AssignedItem | None, CurrentAnswer]], versions: dict[str, list[AnnotationVersion]]
) -> int:
    known = [version.pk for history in versions.values() for version in history]
    stored = {row.version_id: row for row in Quarantined.objects.filter(version__in=known)}
    fresh = {
        doubt.version.pk: _quarantine(place, doubt) for place, standing in wanted for doubt in standing.doubts
    }
    stale = [row for key, row in stored.items() if key not in fresh or _differs(row, fresh[key])]
    Quarantined.objects.filter(pk__in=[row.pk for row in stale]).delete()
    missing = [row for key, row in fresh.items() if key not in stored or _differs(stored[key], row)]
    Quarantined.objects.bulk_create(missing)
    return len({row.version_id for row in [*stale, *missing]})


def _quarantine(place: AssignedItem | None, doubt: Doubt) -> Quarantined:
    return Quarantined(
        version=doubt.version,
        assigned_item=place,
        problems=[asdict(problem) for problem in doubt.problems],
        is_fixable=all(problem.fixable for problem in doubt.problems),
    )


def _differs(stored: Quarantined, wanted: Quarantined) -> bool:
    return (stored.problems, stored.is_fixable, stored.assigned_item_id) != (
        wanted.problems,
        wanted.is_fixable,
        wanted.assigned_item_id,
    )


def _follow_flags(wanted: Sequence[tuple[AssignedItem, Flag | None]], now: datetime) -> None:
    """Only where the flag is not what the discussion says already, or where none was opened yet."""
    discussed = {
        pk: comment if is_flagged else None
        for pk, is_flagged, comment in AssignedItem.objects.filter(
            pk__in=[place.pk for place, _ in wanted], discussion__isnull=False
        ).values_list("pk", "discussion__is_flagged", "discussion__comment")
    }
    for place, flag in wanted:
        comment = flag.comment.strip() if flag else None
        if comment != discussed.get(place.pk):
            flag_derived(place, flag is not None, comment or "", now)


Value = bool | int | float | str | datetime | None


def insert_rows(model: type[Model], columns: Sequence[str], rows: Iterable[Sequence[Value]]) -> None:
    """Columns by their names in the database, values as it takes them; constraints hold as ever."""
    quote = connection.ops.quote_name
    names = ", ".join(quote(column) for column in columns)
    places = ", ".join(["%s"] * len(columns))
    with connection.cursor() as cursor:
        cursor.executemany(
            f"INSERT INTO {quote(model._meta.db_table)} ({names}) VALUES ({places})", list(rows)
        )
