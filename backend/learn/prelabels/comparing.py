"""What the arms are compared on: first answers, beside what the model had said before them, shown or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Max, QuerySet

from annotation.agreement.values import MeasurementLevel
from backend.annotate.batches.models import AssignedItem, Batch
from backend.annotate.judgments.first_answers import FirstAnswer, first_answers
from backend.annotate.judgments.models import AnnotationVersion
from backend.core.studies.models import Study
from backend.decide.adjudication.memory import Fingerprint, LruCache, fingerprint
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.learn.prelabels.models import SealedArm, Suggestion
from backend.learn.prelabels.predicting import read_kept
from backend.learn.prelabels.scope import left_out_codes
from backend.learn.prelabels.selectors import arms_of
from codebook.schema import AnswerKind, Code, Codebook, Question
from learning.prelabel_experiment.compare import RESAMPLES, compare_arms
from learning.prelabel_experiment.values import Arm, ArmAnswer, ArmCode, ArmsReport, CodeContrast
from learning.prelabel_experiment.words import Verdict, conclusions, verdict
from learning.suggestions.answers import SuggestionScope, can_be_suggested

SEED = 1
_LEVELS = {AnswerKind.SCALE: MeasurementLevel.INTERVAL, AnswerKind.LEVELS: MeasurementLevel.ORDINAL}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The arms of all batches under the edition of the newest one: other editions ask something else."""

    edition: Edition
    batches: tuple[Batch, ...]
    codes: tuple[tuple[Question, Code], ...]
    report: ArmsReport
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


_memories: LruCache[tuple[int, int], tuple[Fingerprint, ArmsReport]] = LruCache()


def compared_arms(study: Study, *, resamples: int = RESAMPLES) -> Comparison | None:
    """None while no batch has arms. The report is kept until there are other answers, suggestions or arms."""
    sealed = study.batches.filter(sealed_arms__isnull=False).distinct().select_related("study", "edition")
    newest = sealed.order_by("-opened_at", "-pk").first()
    if newest is None:
        return None
    batches = tuple(sealed.filter(edition=newest.edition_id).order_by("opened_at", "pk"))
    codebook = codebook_of(newest.edition)
    key, now = (study.pk, resamples), _made_from(batches)
    known = _memories.recall(key)
    if known is None or known[0] != now:
        answers = [answer for batch in batches for answer in _answers(batch)]
        known = now, compare_arms(answers, _codes(codebook), resamples=resamples, seed=SEED)
        _memories.keep(key, known)
    return Comparison(newest.edition, batches, tuple(codebook.coded_questions()), known[1], resamples)


def _made_from(batches: Sequence[Batch]) -> Fingerprint:
    """Nothing is decoded. Suggestions can be taken back and come again, which the time of the last one tells."""
    seen = _seen_suggestions(batches)
    return (
        tuple(batch.pk for batch in batches),
        fingerprint(SealedArm.objects.filter(batch__in=batches)),
        fingerprint(seen.filter(taken_back_at=None)),
        seen.aggregate(last=Max("taken_back_at"))["last"],
        fingerprint(AnnotationVersion.objects.filter(assignment__batch__in=batches)),
    )


def _seen_suggestions(batches: Sequence[Batch]) -> QuerySet[Suggestion]:
    """Those that Label Studio has shown or withheld."""
    prepared = Suggestion.objects.filter(assigned_item__assignment__batch__in=batches)
    return prepared.exclude(shown_at=None, withheld_at=None)


def _codes(codebook: Codebook) -> list[ArmCode]:
    return [
        ArmCode(
            code.id,
            frozenset(question.present_values),
            _LEVELS.get(question.answer, MeasurementLevel.NOMINAL),
        )
        for question, code in codebook.coded_questions()
    ]


def _answers(batch: Batch) -> list[ArmAnswer]:
    """Only to items that nobody had begun when the model had spoken: before that, the arms did not differ."""
    said = _said_before(batch)
    if not said:
        return []
    arms = arms_of(batch)
    places = AssignedItem.objects.filter(assignment__batch=batch).select_related(
        "item", "assignment__annotator"
    )
    compared = [place for place in places.order_by("assignment", "position") if place.pk in said]
    firsts = first_answers(compared, codebook_of(batch.edition), sound_only=False)
    rows = AnnotationVersion.objects.filter(pk__in=[first.version_id for first in firsts])
    seconds = dict(rows.values_list("pk", "lead_seconds"))
    return [
        _answer(first, arms[first.place.item_id], said[first.place.pk], seconds[first.version_id])
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


def _answer(first: FirstAnswer, arm: Arm, model: dict[str, int], seconds: float | None) -> ArmAnswer:
    item = first.place.item
    return ArmAnswer(
        item_id=item.item_id,
        post=f"{item.platform}:{item.post_id}",
        annotator=first.place.assignment.annotator.username,
        arm=arm,
        values={judgment.code_id: judgment.value for judgment in first.answers.judgments},
        model=model,
        seconds=seconds,
        is_sound=first.is_sound,
    )
