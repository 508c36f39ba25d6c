"""Once a model has passed the promotion rule: labels that it did not learn from and contradicts with confidence."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import numpy as np

from annotation.release.rows import ReleaseRow, SplitPart
from backend.core.studies.models import Study
from backend.decide.adjudication.models import Suspicion, SuspicionKind
from backend.decide.adjudication.rounds import side_of
from backend.decide.adjudication.selectors import decided_answers, final_decisions, open_suspicions
from backend.decide.adjudication.suspects import suspect_predictions
from backend.decide.releases.selectors import codebook_in, rows_of
from backend.design.samples.models import Item
from backend.learn.models.held_out import why_withheld
from backend.learn.models.models import Adapter
from backend.learn.models.selectors import reports_of
from learning.learners.registry import READ_NOTHING
from learning.predictions.files import predictions_file, read_predictions
from learning.predictions.rows import ItemPrediction, answer_values


def doubt_labels(adapter: Adapter, *, now: datetime) -> int:
    """How many are newly suspected, on the validation part of its release. A model that has not passed the promotion
    rule is not listened to. What was decided since the release is doubted only if the label is still the one that the
    model contradicts.

    Nothing that measures models is doubted: if only labels that a model contradicts were looked at again, the measure
    would drift towards the model. What was suspected there before it was frozen or dealt goes.
    """
    _forget_withheld(adapter.study, now=now)
    if not _is_worth_hearing(adapter):
        return 0
    codebook = codebook_in(adapter.release)
    predictions = _on_validation(adapter)
    rows = {row.item.item_id: row for row in rows_of(adapter.release) if row.item.item_id in predictions}
    found = list(adapter.study.items.filter(item_id__in=rows))
    withheld = why_withheld(adapter.study, found)
    items = {item.item_id: item for item in found if item.pk not in withheld}
    decided = _decided_values(adapter.study)
    return sum(
        _doubt(adapter, code.id, answer_values(question), predictions, rows, items, decided, now)
        for question, code in codebook.coded_questions()
    )


def _is_worth_hearing(adapter: Adapter) -> bool:
    if adapter.learner in READ_NOTHING:
        return False
    report = reports_of(adapter.study).filter(candidate=adapter).first()
    return report is not None and report.passed


def _on_validation(adapter: Adapter) -> dict[str, ItemPrediction]:
    path = adapter.measured / predictions_file(SplitPart.VALIDATION)
    found = read_predictions(path, codebook_in(adapter.release)) if path.exists() else ()
    return {each.item_id: each for each in found}


def _forget_withheld(study: Study, *, now: datetime) -> None:
    suspected = open_suspicions(study).filter(kind=SuspicionKind.PREDICTION).select_related("item")
    withheld = why_withheld(study, [each.item for each in suspected])
    Suspicion.objects.filter(pk__in=[each.pk for each in suspected if each.item_id in withheld]).update(
        gone_at=now
    )


def _decided_values(study: Study) -> dict[int, Mapping[str, int]]:
    return {pk: side_of(decided_answers(row)).values for pk, row in final_decisions(study).items()}


def _doubt(
    adapter: Adapter,
    code_id: str,
    values: tuple[int, ...],
    predictions: Mapping[str, ItemPrediction],
    rows: Mapping[str, ReleaseRow],
    items: Mapping[str, Item],
    decided: Mapping[int, Mapping[str, int]],
    now: datetime,
) -> int:
    chosen, labels, probabilities = [], [], []
    for item_id in sorted(items):
        said = predictions[item_id].of(code_id)
        label = next((each.value for each in rows[item_id].labels if each.code == code_id), None)
        stands = decided.get(items[item_id].pk, {}).get(code_id, label)
        if said is not None and said.probabilities and label is not None and stands == label:
            chosen.append(items[item_id])
            labels.append(values.index(label))
            probabilities.append([probability for _, probability in said.probabilities])
    if not chosen:
        return 0
    return suspect_predictions(
        study=adapter.study,
        code_id=code_id,
        items=chosen,
        labels=np.array(labels, dtype=np.int64),
        probabilities=np.array(probabilities, dtype=np.float64),
        now=now,
        values=values,
        reopens=f"the model “{adapter.name}” has passed the promotion rule and contradicts the decision.",
    )
