"""Looks for labels that may be wrong, and puts what it finds into the queue."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from annotation.compare_answers import OneSide
from annotation.label_errors.confident_learning import label_doubts
from annotation.label_errors.inconsistencies import (
    Inconsistency,
    Said,
    inconsistencies,
    self_contradictions,
)
from annotation.label_errors.near_identical import near_identical
from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.decide.adjudication.annotator_answers import GivenAnswer, answers_of_study, rechecks_of_study
from backend.decide.adjudication.models import Suspicion, SuspicionKind
from backend.decide.adjudication.rounds import side_of
from backend.decide.adjudication.selectors import decided_answers, final_decisions
from backend.decide.adjudication.suspicion_rows import store_suspicions
from backend.design.codebooks.selectors import codebook_of, edition_in_force
from backend.design.samples.models import Item
from codebook.schema import Codebook, Part

Detail = Mapping[str, object]
CONTRADICTED = "the decision on nearly the same words elsewhere says otherwise."


def find_suspects(
    *,
    study: Study,
    now: datetime,
    report: Callable[[int, int], None] = lambda done, total: None,
    writing: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> int:
    """How many are new: annotators who judged nearly the same words differently, or answered otherwise when asked
    again, and final labels that differ on nearly the same words.

    Only what is stored is written under `writing`; comparing takes long, and nobody should wait for it.
    """
    codebook = codebook_of(edition_in_force(study))
    given = answers_of_study(study)
    final = {pk: side_of(decided_answers(row)) for pk, row in final_decisions(study).items()}
    items = {item.pk: item for item in study.items.filter(pk__in=[*given, *final])}
    names = dict(User.objects.values_list("pk", "username"))
    keys = {item.item_id: pk for pk, item in items.items()}
    found: list[Suspicion] = []
    steps = 2 * len(codebook.parts) + 1
    for rank, part in enumerate(codebook.parts):
        report(2 * rank, steps)
        near = near_identical(_texts(items.values(), part))
        report(2 * rank + 1, steps)
        said = [*_answers(given, items, names), *_labels(final, items)]
        odd = inconsistencies(near, _on_part(said, codebook, part))
        found += _suspicions(odd, SuspicionKind.NEAR_IDENTICAL, keys, final, now)
    report(steps - 1, steps)
    again = _answers(rechecks_of_study(study), items, names)
    contradicted = self_contradictions(_answers(given, items, names), again)
    found += _suspicions(contradicted, SuspicionKind.RECHECK, keys, final, now)
    kinds = [SuspicionKind.NEAR_IDENTICAL, SuspicionKind.RECHECK]
    with writing():
        searched = Suspicion.objects.filter(item__study=study, kind__in=kinds)
        return store_suspicions(study, searched, found, now=now)


def suspect_predictions(
    *,
    study: Study,
    code_id: str,
    items: Sequence[Item],
    labels: NDArray[np.int64],
    probabilities: NDArray[np.float64],
    now: datetime,
    values: Sequence[int] = (),
    reopens: str = "",
) -> int:
    """How many are new, by probabilities of a model that was trained without these items (confident learning).

    Labels are places among the answers; `values` are the answers themselves, where these are others than their places.
    `reopens` says why items that were decided since should be looked at again; without it they are not.
    """
    doubts = label_doubts(labels, probabilities)
    answers = list(values) or list(range(probabilities.shape[1]))
    found = [
        _suspicion(
            items[at].pk,
            SuspicionKind.PREDICTION,
            code_id,
            {"label": answers[int(labels[at])], "confident": answers[int(doubts.confident[at])]},
            now,
            reopens,
        )
        for at in doubts.ranked.tolist()
    ]
    searched = Suspicion.objects.filter(
        item__in=items, item__study=study, kind=SuspicionKind.PREDICTION, code=code_id
    )
    return store_suspicions(study, searched, found, now=now)


def _answers(
    given: Mapping[int, list[GivenAnswer]], items: Mapping[int, Item], names: Mapping[int, str]
) -> Iterator[Said]:
    for pk, answers in given.items():
        for answer in answers:
            if pk in items and not answer.is_skip:
                yield from _answers_said(items[pk], names[answer.annotator_id], answer.side)


def _labels(final: Mapping[int, OneSide], items: Mapping[int, Item]) -> Iterator[Said]:
    for pk, side in final.items():
        yield from _answers_said(items[pk], None, side)


def _answers_said(item: Item, annotator: str | None, side: OneSide) -> Iterator[Said]:
    for code, value in side.values.items():
        yield Said(code, item.item_id, annotator, value)


def _texts(items: Iterable[Item], part: Part) -> Iterator[tuple[str, str]]:
    for item in items:
        text = item.post_text if part is Part.POST else item.reply_text
        if text:
            yield item.item_id, text


def _on_part(said: Iterable[Said], codebook: Codebook, part: Part) -> list[Said]:
    codes = {code.id for question, code in codebook.coded_questions() if question.part is part}
    return [one for one in said if one.code_id in codes]


def _suspicions(
    odd: Iterable[Inconsistency],
    kind: SuspicionKind,
    keys: Mapping[str, int],
    final: Mapping[int, OneSide],
    now: datetime,
) -> Iterator[Suspicion]:
    for one in odd:
        pk = keys[one.items[0]]
        # Where a researcher has decided, what an annotator said is no label any more
        if one.annotator is not None and pk in final:
            continue
        detail = {"annotator": one.annotator, "other": one.items[1], "values": list(one.values)}
        yield _suspicion(pk, kind, one.code_id, detail, now, "" if one.annotator else CONTRADICTED)


def _suspicion(
    item_pk: int, kind: SuspicionKind, code: str, detail: Detail, now: datetime, reopens: str
) -> Suspicion:
    digest = hashlib.sha256(json.dumps(detail, sort_keys=True).encode()).hexdigest()
    return Suspicion(
        item_id=item_pk,
        kind=kind,
        code=code,
        detail=detail,
        detail_hash=digest,
        found_at=now,
        reopens=reopens,
    )
