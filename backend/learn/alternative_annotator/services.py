"""Takes labels from outside, and puts what gives labels to the test."""

from __future__ import annotations

from datetime import datetime

import msgspec
from django.db import transaction
from django.db.models import Max

from backend.core.accounts.models import User
from backend.core.studies.models import Study
from backend.core.studies.services import record_event
from backend.decide.releases.models import Release
from backend.decide.releases.selectors import read_frozen
from backend.design.codebooks.models import Edition
from backend.design.codebooks.selectors import codebook_of
from backend.learn.alternative_annotator.errors import (
    ColumnsRefused,
    EpsilonOutOfReach,
    NameTaken,
    NothingToTestOn,
    OtherEdition,
)
from backend.learn.alternative_annotator.models import AlternativeTest, LabelColumns
from backend.learn.alternative_annotator.selectors import Alternative, basis_of
from backend.learn.alternative_annotator.words import missing_words
from backend.learn.models.models import Adapter
from corpus.delimited import TableUnreadable
from learning.alternative_annotator.columns import read_label_columns
from learning.alternative_annotator.releases import encode_test, run_release_test
from learning.learners.spec import learns_evidence


def import_columns(
    *,
    study: Study,
    edition: Edition,
    name: str,
    content: bytes,
    has_learned: bool,
    actor: User,
    now: datetime,
) -> LabelColumns:
    """Raises what says why the table cannot be taken."""
    named = name.strip()
    try:
        labels = read_label_columns(content, codebook_of(edition), name=named)
    except TableUnreadable as error:
        raise ColumnsRefused(str(error)) from error
    with transaction.atomic():
        Study.objects.select_for_update().get(pk=study.pk)
        if study.label_columns.filter(name=named).exists():
            raise NameTaken(named)
        columns = LabelColumns.objects.create(
            study=study,
            number=_next(study.label_columns.aggregate(newest=Max("number"))["newest"]),
            name=named,
            edition=edition,
            has_learned=has_learned,
            labels=msgspec.json.encode(labels).decode(),
            created_by=actor,
            created_at=now,
        )
        summary = f"Imported labels of “{named}” on {len(labels):,} items"
        record_event(study=study, actor=actor, summary=summary, now=now)
    return columns


def put_to_the_test(
    *, alternative: Alternative, release: Release, epsilon: float, actor: User, now: datetime
) -> AlternativeTest:
    """Each test is kept, with the ε that it was run with: who tries several is seen to have done so."""
    if not 0 <= epsilon < 1:
        raise EpsilonOutOfReach
    if release.edition_id != alternative.edition_id:
        raise OtherEdition(alternative.name, alternative.edition.number)
    frozen = read_frozen(release)
    basis = basis_of(alternative, release)
    if not basis.items.rows:
        raise NothingToTestOn(missing_words(basis.items.overlap))
    found = run_release_test(
        basis.items,
        basis.predictions,
        frozen.codebook,
        epsilon=epsilon,
        marks_words=isinstance(alternative, Adapter) and learns_evidence(alternative.read_card().config),
    )
    study = alternative.study
    with transaction.atomic():
        Study.objects.select_for_update().get(pk=study.pk)
        test = AlternativeTest.objects.create(
            study=study,
            number=_next(study.alternative_tests.aggregate(newest=Max("number"))["newest"]),
            adapter=alternative if isinstance(alternative, Adapter) else None,
            columns=alternative if isinstance(alternative, LabelColumns) else None,
            release=release,
            epsilon=epsilon,
            content=encode_test(found),
            created_by=actor,
            created_at=now,
        )
        summary = f"Tested whether “{alternative.name}” may take an annotator's place (ε = {epsilon:g})"
        record_event(study=study, actor=actor, summary=summary, now=now)
    return test


def _next(newest: int | None) -> int:
    return (newest or 0) + 1
