"""The savings meter from the study's labels to a kept reading."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import IntegrityError, transaction

from backend.annotate.batches.models import Batch
from backend.annotate.judgments.models import Submission
from backend.learn.active_learning.errors import LookTaken, ReadingUnsound
from backend.learn.active_learning.job_handlers import _content
from backend.learn.active_learning.labels import meter_inputs
from backend.learn.active_learning.models import SavingsReading
from backend.learn.active_learning.selectors import latest_reading, next_meter_look
from backend.learn.active_learning.services import keep_reading, open_chosen_batch
from backend.learn.active_learning.staging import stage
from backend.learn.active_learning.words import reading_lines
from learning.learning_curves.intervals import Interval
from learning.learning_curves.meter import MeterLook, MeterReading, decode_reading, encode_reading
from learning.learning_curves.stopping import Advice, StoppingAdvice
from learning.learning_curves.study_labels import decode_study_labels
from learning.query_strategies.names import StrategyName
from tests.backend.learn.active_learning.fixtures import Pooled
from tests.cast import NOW

pytestmark = pytest.mark.django_db


def opened(pooled: Pooled, strategy: StrategyName, name: str, n: int) -> Batch:
    asked = pooled.request(strategy, name=name, n=n)
    return open_chosen_batch(study=pooled.study, request=asked, actor=pooled.cast.rosa, now=NOW)


@pytest.fixture
def annotated(pooled: Pooled) -> Pooled:
    """Ten by chance, then ten of which seven were chosen; the sample's own probability is a half."""
    pooled.annotate(opened(pooled, StrategyName.RANDOM, "First", 10))
    pooled.model_in_service()
    pooled.predicted()
    pooled.annotate(opened(pooled, StrategyName.ENTROPY, "Second", 10))
    return pooled


def test_labels_are_weighted_by_both_draws(annotated: Pooled) -> None:
    labelled = frozenset(annotated.study.items.values_list("item_id", flat=True))
    found = stage(annotated.study, labelled)
    assert len(found.weights) == 20 and len(found.chosen) == 7
    rows = annotated.study.batches.get(name="Second").choice.items.select_related("item")
    for row in rows:
        expected = 1 / row.inclusion_probability / 2 / 0.5
        assert found.weights[row.item.item_id] == pytest.approx(expected)
    first = annotated.study.batches.get(name="First").choice.items.select_related("item").first()
    assert first is not None
    # One of ten in sixty, known from then on, of two batches; and a half into the sample.
    assert found.weights[first.item.item_id] == pytest.approx((6 + 1) / 2 / 0.5)


def test_what_is_sent_has_every_label_and_where_it_came_from(annotated: Pooled) -> None:
    labels = decode_study_labels(meter_inputs(annotated.study, NOW).content)
    assert len(labels.items) == 20 and sum(not item.is_random for item in labels.items) == 7
    assert all(item.gold_weight > 0 and len(item.answers) == 3 for item in labels.items)
    shown = (
        Submission.objects.filter(assigned_item__assignment__batch__name="First")
        .select_related("assigned_item__item", "assigned_item__assignment__batch")
        .first()
    )
    assert shown is not None
    Submission.objects.filter(pk=shown.pk).update(from_prediction=True)
    labels = decode_study_labels(meter_inputs(annotated.study, NOW).content)
    silent = [item.text.item_id for item in labels.items if not item.gold_weight]
    assert silent == [shown.assigned_item.item.item_id]
    # The other nine of its batch stand for it too, as chance decided who is shown a suggestion.
    weights = {item.text.item_id: item.gold_weight for item in labels.items}
    others = [
        row.item.item_id for row in shown.assigned_item.assignment.batch.choice.items.select_related("item")
    ]
    assert sum(weights[item] for item in others) == pytest.approx(10 * (9 * 6 + 10) / 19 / 0.5)


def test_a_reading_is_kept_once_for_the_same_labels(annotated: Pooled) -> None:
    done = annotated.read_meter()
    assert done.state == "done", done.error
    row, reading = latest_reading(annotated.study) or pytest.fail("no reading")
    assert (reading.n_random, reading.n_chosen, reading.n_gold) == (13, 7, 20)
    assert reading.savings is None and "13 labelled items of the random stream" in reading.savings_reason
    assert reading.savings_reason in reading_lines(reading)
    again = annotated.read_meter()
    assert again.result and again.result["reading"] == row.pk
    assert "Nothing has changed" in str(again.result["summary"])
    assert SavingsReading.objects.count() == 1
    assert decode_reading(row.content) == reading


def reading(*, with_advice: bool = True) -> str:
    """As the ML backend writes it."""
    advice = (
        StoppingAdvice(100, 50, Interval(0.01, 0.0, 0.02), 0.01, Advice.CANNOT_SAY) if with_advice else None
    )
    return encode_reading(
        MeterReading(
            learner="latent-logistic",
            n_items=100,
            n_random=60,
            n_chosen=40,
            n_gold=90,
            n_effective=80.0,
            n_codes=3,
            n_trials=20,
            seed=1,
            savings=None,
            savings_reason="Too few.",
            advice=advice,
            advice_reason="",
        )
    ).decode()


def kept(pooled: Pooled, name: str, look: MeterLook, **asked: bool) -> SavingsReading:
    content = reading(**asked)
    return keep_reading(study=pooled.study, inputs_hash=name, content=content, look=look, actor=None, now=NOW)


def test_readings_share_a_level_until_there_are_twice_as_many_labels(pooled: Pooled) -> None:
    for name, n in (("a", 100), ("b", 150), ("c", 199), ("d", 200), ("e", 250)):
        kept(pooled, name, next_meter_look(pooled.study, n))
    found = SavingsReading.objects.order_by("pk").values_list("series", "look")
    assert list(found) == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)]


def test_a_look_is_spent_once_and_only_by_what_can_claim_something(pooled: Pooled) -> None:
    first = next_meter_look(pooled.study, 100)
    silent = kept(pooled, "silent", first, with_advice=False)
    assert (silent.series, silent.look) == (None, None) and next_meter_look(pooled.study, 100) == first
    spent = kept(pooled, "a", first)
    assert kept(pooled, "a", first) == spent, "the same labels are read once"
    with pytest.raises(LookTaken, match="measured again"):
        kept(pooled, "b", first)
    with pytest.raises(IntegrityError), transaction.atomic():
        SavingsReading.objects.create(
            study=pooled.study, inputs_hash="c", content="", series=1, look=1, n_items=100, measured_at=NOW
        )
    assert "This is reading 1" in reading_lines(decode_reading(spent.content))[-1]


def test_without_labels_the_job_says_so(pooled: Pooled) -> None:
    done = pooled.read_meter()
    assert done.state == "failed" and "Annotate first" in done.error


def test_an_unsound_reading_is_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "reading.json"
    path.write_text('{"format": 1}')
    with pytest.raises(ReadingUnsound, match="same version"):
        _content(path)
    assert not path.exists()
