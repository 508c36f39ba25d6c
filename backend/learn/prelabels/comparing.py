"""What the conditions are compared on: first answers, beside what the model had said before them, shown or not."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import msgspec
from django.db.models import Count, Max, Model, QuerySet, Sum

from annotation.agreement.values import MeasurementLevel
from backend.annotate.batches.models import AssignedItem, Batch
from backend.annotate.judgments.first_answers import FirstAnswer, first_answers
from backend.annotate.judgments.models import AnnotationVersion
from backend.core.jobs.services import enqueue_once
from backend.core.studies.models import Study
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.learn.prelabels.models import ConditionAssignment, KeptComparison, Suggestion
from backend.learn.prelabels.predicting import read_kept
from backend.learn.prelabels.scope import left_out_codes
from backend.learn.prelabels.selectors import conditions_of
from codebook.schema import AnswerKind, Code, Codebook, Question
from learning.prelabel_experiment.compare import RESAMPLES, compare_conditions
from learning.prelabel_experiment.values import (
    CodeContrast,
    Condition,
    ExperimentAnswer,
    ExperimentCode,
    ExperimentReport,
)
from learning.prelabel_experiment.words import Verdict, conclusions, verdict
from learning.suggestions.answers import SuggestionScope, can_be_suggested

COMPARE_CONDITIONS = "compare_conditions"
SEED = 1
# More answers than that are left to a job: nobody should wait for all of them to be read
AT_ONCE = 500
_LEVELS = {AnswerKind.SCALE: MeasurementLevel.INTERVAL, AnswerKind.LEVELS: MeasurementLevel.ORDINAL}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The conditions of all batches under the edition of the newest one: other editions ask something else."""

    edition: Edition
    batches: tuple[Batch, ...]
    codes: tuple[tuple[Question, Code], ...]
    report: ExperimentReport
    resamples: int

    @property
    def themes(self) -> list[tuple[Question, Code, CodeContrast]]:
        found = {each.code_id: each for each in self.report.codes}
        return [(question, code, found[code.id]) for question, code in self.codes]

    @property
    def verdict(self) -> Verdict:
        return verdict(self.report)

    @property
    def conclusions(self) -> list[str]:
        return conclusions(self.report, {code.id: code.name for _, code in self.codes})


@dataclass(frozen=True, slots=True)
class _Basis:
    """What a comparison is made from; `made_from` changes when that does, and nothing is decoded for it."""

    edition: Edition
    batches: tuple[Batch, ...]
    made_from: str
    n_answers: int


def compare_study(study: Study, *, resamples: int = RESAMPLES) -> Comparison | None:
    """None while no batch has conditions. It is kept until there are other answers, suggestions or conditions."""
    basis = _basis(study, resamples)
    if basis is None:
        return None
    kept = KeptComparison.objects.filter(study=study, made_from=basis.made_from).first()
    if kept is not None:
        return _comparison(basis, _decode(kept), resamples)
    answers = [answer for batch in basis.batches for answer in _answers(batch)]
    report = compare_conditions(answers, _codes(codebook_of(basis.edition)), resamples=resamples, seed=SEED)
    values = {
        "made_from": basis.made_from,
        "edition": basis.edition,
        "report": msgspec.json.encode(report).decode(),
    }
    KeptComparison.objects.update_or_create(study=study, defaults=values)
    return _comparison(basis, report, resamples)


def compare_or_enqueue(
    study: Study, *, now: datetime, at_once: int = AT_ONCE
) -> tuple[Comparison | None, bool]:
    """For pages and calls: few answers are compared at once, many are left to a job. Whether they were left; what is
    given then is the comparison from before, if it was under the same edition."""
    basis = _basis(study, RESAMPLES)
    if basis is None:
        return None, False
    kept = KeptComparison.objects.filter(study=study, edition=basis.edition).first()
    if basis.n_answers <= at_once or (kept is not None and kept.made_from == basis.made_from):
        return compare_study(study), False
    enqueue_once(kind=COMPARE_CONDITIONS, study=study, now=now)
    return (_comparison(basis, _decode(kept), RESAMPLES) if kept else None), True


def _basis(study: Study, resamples: int) -> _Basis | None:
    sealed = (
        study.batches.filter(condition_assignments__isnull=False)
        .distinct()
        .select_related("study", "edition")
    )
    newest = sealed.order_by("-opened_at", "-pk").first()
    if newest is None:
        return None
    batches = tuple(sealed.filter(edition=newest.edition_id).order_by("opened_at", "pk"))
    answers = AnnotationVersion.objects.filter(assignment__batch__in=batches)
    return _Basis(newest.edition, batches, _made_from(batches, answers, resamples), answers.count())


def _comparison(basis: _Basis, report: ExperimentReport, resamples: int) -> Comparison:
    codes = tuple(codebook_of(basis.edition).coded_questions())
    return Comparison(basis.edition, basis.batches, codes, report, resamples)


def _decode(kept: KeptComparison) -> ExperimentReport:
    return msgspec.json.decode(kept.report, type=ExperimentReport)


def _made_from(batches: Sequence[Batch], answers: QuerySet[AnnotationVersion], resamples: int) -> str:
    """Suggestions can be taken back and come again, which the time of the last one tells."""
    seen = _seen_suggestions(batches)
    parts = (
        [batch.pk for batch in batches],
        _rows(ConditionAssignment.objects.filter(batch__in=batches)),
        _rows(seen.filter(taken_back_at=None)),
        seen.aggregate(last=Max("taken_back_at"))["last"],
        _rows(answers),
        resamples,
    )
    return hashlib.sha256(msgspec.json.encode(parts)).hexdigest()


def _rows(rows: QuerySet[Model]) -> list[object]:
    """Of rows that are added and deleted but never changed: their numbers tell whether they are the same."""
    return list(rows.order_by().aggregate(n=Count("pk"), last=Max("pk"), sum=Sum("pk")).values())


def _seen_suggestions(batches: Sequence[Batch]) -> QuerySet[Suggestion]:
    """Those that Label Studio has shown or withheld."""
    prepared = Suggestion.objects.filter(assigned_item__assignment__batch__in=batches)
    return prepared.exclude(shown_at=None, withheld_at=None)


def _codes(codebook: Codebook) -> list[ExperimentCode]:
    return [
        ExperimentCode(
            code.id,
            frozenset(question.present_values),
            _LEVELS.get(question.answer, MeasurementLevel.NOMINAL),
        )
        for question, code in codebook.coded_questions()
    ]


def _answers(batch: Batch) -> list[ExperimentAnswer]:
    """Only to items that nobody had begun when the model had spoken: before that, the conditions did not differ."""
    said = _said_before(batch)
    if not said:
        return []
    conditions = conditions_of(batch)
    places = AssignedItem.objects.filter(assignment__batch=batch).select_related(
        "item", "assignment__annotator"
    )
    compared = [place for place in places.order_by("assignment", "position") if place.pk in said]
    firsts = first_answers(compared, codebook_of(batch.edition), sound_only=False)
    rows = AnnotationVersion.objects.filter(pk__in=[first.version_id for first in firsts])
    seconds = dict(rows.values_list("pk", "lead_seconds"))
    return [
        _answer(first, conditions[first.place.item_id], said[first.place.pk], seconds[first.version_id])
        for first in firsts
    ]


def _said_before(batch: Batch) -> dict[int, dict[str, int]]:
    """By place: what was shown or withheld when it was begun; without codes that are never shown to anybody."""
    rows = _seen_suggestions([batch]).filter(taken_back_at=None)
    codebook, scopes = codebook_of(batch.edition), {}
    found = {}
    for row in rows.select_related("prediction__adapter__edition").order_by("prepared_at", "pk"):
        prediction, adapter = read_kept(row.prediction), row.prediction.adapter
        if adapter.pk not in scopes:
            left_out = frozenset(code.id for code in left_out_codes(adapter))
            scopes[adapter.pk] = SuggestionScope(left_out)
        if prediction is not None:
            found[row.assigned_item_id] = can_be_suggested(codebook, prediction, scopes[adapter.pk])
    return found


def _answer(
    first: FirstAnswer, condition: Condition, model: dict[str, int], seconds: float | None
) -> ExperimentAnswer:
    item = first.place.item
    return ExperimentAnswer(
        item_id=item.item_id,
        post=f"{item.platform}:{item.post_id}",
        annotator=first.place.assignment.annotator.username,
        condition=condition,
        values={judgment.code_id: judgment.value for judgment in first.answers.judgments},
        model=model,
        seconds=seconds,
        is_sound=first.is_sound,
    )
