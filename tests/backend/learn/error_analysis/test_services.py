"""Tags stand until they are taken off, nothing is written over, and a label held for wrong is adjudicated once."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction

from analysis.error_tags import ErrorTag
from annotation.release.rows import SplitPart
from backend.decide.adjudication.doubting import Asked
from backend.decide.adjudication.models import Suspicion, SuspicionKind
from backend.decide.adjudication.plan_services import dismiss_suspicion
from backend.decide.adjudication.queue import Reason, queue_for
from backend.decide.adjudication.suspicion_words import in_words
from backend.learn.error_analysis.errors import NoSuchError, NothingToUndo, StepElsewhere
from backend.learn.error_analysis.models import ErrorMark
from backend.learn.error_analysis.selectors import Errors, errors_of, tags_of
from backend.learn.error_analysis.services import put_tag, take_tag, undo_last
from backend.learn.models.models import Adapter
from tests.backend.decide.releases.fixtures import ADVICE, EMOTIONS, settle
from tests.backend.learn.error_analysis.fixtures import err_on, first_item
from tests.backend.learn.models.fixtures import train
from tests.batch_fixtures import CastAtWork
from tests.cast import NOW, Cast

pytestmark = pytest.mark.django_db
VALIDATION = SplitPart.VALIDATION
LABEL = ErrorTag.ANNOTATION_ERROR


@pytest.fixture
def errors(adapter: Adapter) -> Errors:
    return errors_of(adapter, VALIDATION)


def tag(
    errors: Errors, wanted: ErrorTag, cast: Cast, *, code: str = EMOTIONS, minutes: int = 1
) -> Asked | None:
    item = first_item(errors.adapter).item.item_id
    now = NOW + timedelta(minutes=minutes)
    return put_tag(errors=errors, item_id=item, code=code, tag=wanted, actor=cast.rosa, now=now)


def untag(errors: Errors, wanted: ErrorTag, cast: Cast, *, minutes: int = 2) -> bool:
    item = first_item(errors.adapter).item.item_id
    now = NOW + timedelta(minutes=minutes)
    return take_tag(adapter=errors.adapter, item_id=item, code=EMOTIONS, tag=wanted, actor=cast.rosa, now=now)


def waiting(cast: Cast, item_id: str) -> bool:
    """Whether the item is in the queue because its label is doubted."""
    pk = cast.study.items.get(item_id=item_id).pk
    entries = queue_for(cast.rosa, cast.study).entries
    return any(entry.item_pk == pk and Reason.SUSPECT in entry.points for entry in entries)


def test_tags_stand_until_they_are_taken_off_and_every_step_is_kept(errors: Errors, cast: Cast) -> None:
    key = (first_item(errors.adapter).item.item_id, EMOTIONS)
    tag(errors, ErrorTag.OVER_INFERENCE, cast)
    tag(errors, ErrorTag.OVER_INFERENCE, cast)
    tag(errors, ErrorTag.QUOTED_SPEECH, cast)
    assert tags_of(errors.adapter) == {key: {ErrorTag.OVER_INFERENCE, ErrorTag.QUOTED_SPEECH}}
    untag(errors, ErrorTag.OVER_INFERENCE, cast)
    assert tags_of(errors.adapter) == {key: {ErrorTag.QUOTED_SPEECH}}
    assert list(ErrorMark.objects.values_list("tag", "is_put")) == [
        ("over-inference", True),
        ("quoted-speech", True),
        ("over-inference", False),
    ]
    with pytest.raises(DatabaseError, match="never change"), transaction.atomic():
        ErrorMark.objects.update(is_put=False)


def test_where_model_and_label_agree_there_is_nothing_to_tag(errors: Errors, cast: Cast) -> None:
    with pytest.raises(NoSuchError):
        tag(errors, ErrorTag.WRONG_SUBJECT, cast, code=ADVICE)
    assert not ErrorMark.objects.exists()


def test_undo_takes_back_the_own_last_step_unless_somebody_changed_it_since(
    errors: Errors, cast: Cast
) -> None:
    tag(errors, ErrorTag.UNSEEN_WORDING, cast)
    undo_last(errors=errors, actor=cast.rosa, now=NOW)
    assert tags_of(errors.adapter) == {}
    undo_last(errors=errors, actor=cast.rosa, now=NOW)
    assert list(tags_of(errors.adapter).values()) == [{ErrorTag.UNSEEN_WORDING}], "what was undone is back"
    item = first_item(errors.adapter).item.item_id
    tag_put = ErrorTag.UNSEEN_WORDING
    take_tag(adapter=errors.adapter, item_id=item, code=EMOTIONS, tag=tag_put, actor=cast.ravi, now=NOW)
    with pytest.raises(NothingToUndo):
        undo_last(errors=errors, actor=cast.rosa, now=NOW)


def test_a_step_on_the_other_part_is_not_undone_from_here(errors: Errors, cast: Cast) -> None:
    tag(errors, ErrorTag.UNSEEN_WORDING, cast)
    untag(errors, ErrorTag.UNSEEN_WORDING, cast)
    elsewhere = replace(errors, part=SplitPart.TEST, codes=(), rows={})
    with pytest.raises(StepElsewhere, match="not on the test part"):
        undo_last(errors=elsewhere, actor=cast.rosa, now=NOW)
    undo_last(errors=errors, actor=cast.rosa, now=NOW)
    assert list(tags_of(errors.adapter).values()) == [{ErrorTag.UNSEEN_WORDING}]


def test_an_annotation_error_is_adjudicated_once_with_the_reason(errors: Errors, cast: Cast) -> None:
    item_id = first_item(errors.adapter).item.item_id
    assert not waiting(cast, item_id)
    assert tag(errors, LABEL, cast) is Asked.IN_QUEUE
    assert tag(errors, LABEL, cast, minutes=3) is Asked.IN_QUEUE
    found = Suspicion.objects.get()
    assert (found.kind, found.code, found.item.item_id) == (SuspicionKind.MODEL_ERROR, EMOTIONS, item_id)
    (words,) = in_words([found], errors.codebook)
    assert "Rosa holds the label" in words.sentence and errors.adapter.name in words.sentence
    assert waiting(cast, item_id)


def test_taking_the_tag_off_withdraws_the_item_and_putting_it_back_brings_it_back(
    errors: Errors, cast: Cast
) -> None:
    item_id = first_item(errors.adapter).item.item_id
    tag(errors, LABEL, cast)
    assert untag(errors, LABEL, cast) is True
    assert not waiting(cast, item_id)
    assert tag(errors, LABEL, cast, minutes=5) is Asked.IN_QUEUE
    assert waiting(cast, item_id) and Suspicion.objects.count() == 1


def test_what_was_decided_since_stays_decided(work: CastAtWork, errors: Errors, cast: Cast) -> None:
    item_id = first_item(errors.adapter).item.item_id
    tag(errors, LABEL, cast, minutes=-1)
    settle(work, cast.study.items.get(item_id=item_id), EMOTIONS)
    assert untag(errors, LABEL, cast) is False
    assert Suspicion.objects.get().gone_at is None and not waiting(cast, item_id)


def test_a_doubt_that_was_dismissed_does_not_come_back(errors: Errors, cast: Cast) -> None:
    tag(errors, LABEL, cast)
    dismiss_suspicion(
        suspicion=Suspicion.objects.get(), reason="The label is right.", actor=cast.ravi, now=NOW
    )
    untag(errors, LABEL, cast)
    assert tag(errors, LABEL, cast, minutes=4) is Asked.DISMISSED_BEFORE
    assert not waiting(cast, first_item(errors.adapter).item.item_id)


def test_another_models_tag_keeps_the_item_in_the_queue(errors: Errors, cast: Cast) -> None:
    item_id = first_item(errors.adapter).item.item_id
    other = train(errors.adapter.release, "tfidf-logistic", options={"strength": 2.0})
    err_on(other, VALIDATION, item_id, EMOTIONS, 1)
    Suspicion.objects.all().delete()
    tag(errors, LABEL, cast)
    tag(errors_of(other, VALIDATION), LABEL, cast)
    assert untag(errors, LABEL, cast) is False
    assert waiting(cast, item_id) and Suspicion.objects.count() == 1
