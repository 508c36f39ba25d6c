"""What a new model contradicts is suspected, and what the one in service says is shown to researchers alone."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from django.test import Client

from annotation.answers import Answers, Judgment
from annotation.release.rows import SplitPart
from annotation.stored_answers import stored_answers
from backend.annotate.batches.models import Batch
from backend.decide.adjudication.models import Decision, DecisionRound, Suspicion, SuspicionKind, Way
from backend.decide.adjudication.selectors import open_suspicions
from backend.decide.adjudication.suspicion_words import in_words
from backend.decide.releases.models import Release
from backend.decide.releases.selectors import rows_of
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Item
from backend.learn.models.doubting import doubt_labels
from backend.learn.models.models import Adapter
from backend.learn.models.services import promote
from backend.learn.models.suggesting import opinion_on
from backend.learn.prelabels.models import ConditionAssignment
from backend.learn.prelabels.predicting import keep_predictions, kept_prediction
from learning.predictions.files import predictions_file
from learning.predictions.rows import CodePrediction, ItemPrediction
from learning.prelabel_experiment.values import Condition
from tests.backend.learn.models.fixtures import examine, train
from tests.backend.learn.models.test_services import report_on
from tests.cast import NOW, Cast
from tests.page_text import page_text

pytestmark = pytest.mark.django_db


def contradict(path: Path, item_id: str, code: str, value: int) -> None:
    """As if the model were sure of this answer."""
    frame = pl.read_parquet(path)
    rows = frame.to_dicts()
    for row in rows:
        if (row["item_id"], row["code"]) == (item_id, code):
            row["value"], row["spans"] = value, []
            for each in row["probabilities"]:
                each["probability"] = 1.0 if each["value"] == value else 0.0
    pl.DataFrame(rows, schema=frame.schema).write_parquet(path)


def an_item(adapter: Adapter, part: SplitPart = SplitPart.VALIDATION) -> tuple[str, int]:
    """With its label of emotional reactions."""
    row = next(row for row in rows_of(adapter.release) if row.split is part)
    label = next(each.value for each in row.labels if each.code == "emotional-reactions")
    assert label is not None
    return row.item.item_id, label


def an_asked_item(adapter: Adapter, **place: str) -> Item:
    """In no release yet; the adapter was asked about it for a batch."""
    source = adapter.study.items.filter(reply_id__isnull=False).first()
    assert source is not None
    fields = {"community": "lane", "post_id": "fresh"} | place
    item = Item.objects.create(
        study=adapter.study,
        item_id="fresh",
        platform=source.platform,
        reply_id="r",
        post_text="Oh.",
        reply_text="Ah.",
        **fields,
    )
    spread = ((0, 0.2), (1, 0.6), (2, 0.2))
    codes = [code.id for _, code in codebook_of(adapter.edition).coded_questions()]
    said = ItemPrediction(
        "fresh",
        tuple(CodePrediction(code, 1, probabilities=spread) for code in codes),
        adapter.adapter_id,
    )
    keep_predictions(adapter=adapter, items=[item], found=[said], now=NOW)
    return item


def seal_blind(item: Item, cast: Cast) -> None:
    edition = item.study.releases.get().edition
    batch = Batch.objects.create(
        study=item.study, name="One", kind="main", edition=edition, seed=1, opened_by=cast.rosa, opened_at=NOW
    )
    ConditionAssignment.objects.create(batch=batch, item=item, condition=Condition.BLIND, drawn_at=NOW)


def test_a_label_that_a_model_contradicts_with_confidence_is_suspected(release: Release) -> None:
    adapter = train(release, "tfidf-logistic")
    assert not Suspicion.objects.exists(), "the words give every label away"
    item_id, label = an_item(adapter)
    other = (label + 1) % 3
    contradict(
        adapter.measured / predictions_file(SplitPart.VALIDATION), item_id, "emotional-reactions", other
    )
    report_on(adapter, None)
    assert doubt_labels(adapter, now=NOW) == 1
    found = Suspicion.objects.get()
    assert (found.item.item_id, found.kind, found.code) == (
        item_id,
        SuspicionKind.PREDICTION,
        "emotional-reactions",
    )
    assert found.detail == {"label": label, "confident": other}
    words = in_words([found], codebook_of(release.edition))[0].sentence
    assert "a model that has not seen the item is sure of" in words
    assert doubt_labels(adapter, now=NOW) == 0, "the same again is nothing new"


def test_labels_that_measure_models_are_not_doubted_by_one(release: Release, cast: Cast) -> None:
    """If only those that a model contradicts were looked at again, the measure would drift towards the model."""
    adapter = train(release, "tfidf-logistic")
    for part in (SplitPart.TEST, SplitPart.VALIDATION):
        item_id, label = an_item(adapter, part)
        contradict(adapter.measured / predictions_file(part), item_id, "emotional-reactions", (label + 1) % 3)
    doubted = release.study.items.get(item_id=an_item(adapter)[0])
    report_on(adapter, None)
    assert doubt_labels(adapter, now=NOW) == 1
    assert Suspicion.objects.get().item == doubted
    seal_blind(doubted, cast)
    assert doubt_labels(adapter, now=NOW) == 0
    assert not open_suspicions(release.study).exists(), "what became blind since is doubted no longer"


def test_one_that_answers_without_reading_is_not_listened_to(release: Release) -> None:
    for learner in ("majority", "random"):
        adapter = train(release, learner)
        report_on(adapter, None)
        assert doubt_labels(adapter, now=NOW) == 0
    assert not Suspicion.objects.exists()


def test_one_that_has_not_passed_the_promotion_rule_is_not_listened_to(release: Release) -> None:
    adapter = train(release, "tfidf-logistic")
    item_id, label = an_item(adapter)
    path = adapter.measured / predictions_file(SplitPart.VALIDATION)
    contradict(path, item_id, "emotional-reactions", (label + 1) % 3)
    assert doubt_labels(adapter, now=NOW) == 0, "nobody has examined it"
    report_on(adapter, None, passed=False)
    assert doubt_labels(adapter, now=NOW) == 0
    promote(adapter=adapter, report=None, override_reason="So", actor=None, now=NOW)
    assert doubt_labels(adapter, now=NOW) == 0, "in service against the rule"
    report_on(adapter, None)
    assert doubt_labels(adapter, now=NOW) == 1


def test_the_promotion_rule_decides_when_labels_are_doubted(release: Release) -> None:
    """Weak models used to raise suspicions as soon as they were trained."""
    adapter = train(release, "tfidf-logistic")
    item_id, label = an_item(adapter)
    path = adapter.measured / predictions_file(SplitPart.VALIDATION)
    contradict(path, item_id, "emotional-reactions", (label + 1) % 3)
    assert not Suspicion.objects.exists()
    report = examine(adapter)
    assert Suspicion.objects.exists() is report.passed


def test_a_label_that_was_decided_otherwise_since_is_not_doubted(release: Release, cast: Cast) -> None:
    adapter = train(release, "tfidf-logistic")
    item_id, label = an_item(adapter)
    other = (label + 1) % 3
    contradict(
        adapter.measured / predictions_file(SplitPart.VALIDATION), item_id, "emotional-reactions", other
    )
    report_on(adapter, None)
    decision = Decision(
        item=release.study.items.get(item_id=item_id),
        edition=release.edition,
        decision_round=DecisionRound.FIRST,
        way=Way.WRITTEN,
        judgments_hash="",
        author=cast.rosa,
        made_at=NOW,
    )
    for number, value, doubted in ((1, other, 0), (2, label, 1)):
        decision.pk, decision.number = None, number
        decision.answers = stored_answers(Answers((Judgment("emotional-reactions", value),), (), None))
        decision.save(force_insert=True)
        assert doubt_labels(adapter, now=NOW) == doubted
    assert "has passed the promotion rule" in Suspicion.objects.get().reopens


@pytest.mark.parametrize("kind", ["test part", "blind", "post in the test part"])
def test_no_model_says_anything_on_what_measures_models(release: Release, cast: Cast, kind: str) -> None:
    adapter = train(release, "tfidf-logistic")
    promote(adapter=adapter, report=None, override_reason="So", actor=None, now=NOW)
    tested = release.study.items.get(item_id=an_item(adapter, SplitPart.TEST)[0])
    if kind == "test part":
        item = tested
    elif kind == "blind":
        item = an_asked_item(adapter)
        seal_blind(item, cast)
    else:
        item = an_asked_item(adapter, community=tested.community, post_id=tested.post_id)
    opinion = opinion_on(item)
    assert opinion is not None and opinion.said == ()
    assert "decided without the word of one" in opinion.withheld
    client = Client()
    client.force_login(cast.rosa)
    page = client.get(f"/studies/kind-words/adjudication/items/{item.item_id}").content.decode()
    assert "decided without the word of one" in page and "% sure" not in page


def test_researchers_see_what_the_one_in_service_says(release: Release, cast: Cast) -> None:
    adapter = train(release, "tfidf-logistic", name="Words")
    item = an_asked_item(adapter)
    assert opinion_on(item) is None
    promote(adapter=adapter, report=None, override_reason="So", actor=None, now=NOW)
    opinion = opinion_on(item)
    assert opinion is not None and len(opinion.said) == 3
    assert opinion.said[0].name == "Emotional reactions" and (opinion.said[0].probability or 0) > 0.3
    learned = next(row for row in rows_of(release) if row.split is SplitPart.TRAIN).item.item_id
    known = release.study.items.get(item_id=learned)
    said = ItemPrediction(learned, (CodePrediction("emotional-reactions", 1),), adapter.adapter_id)
    keep_predictions(adapter=adapter, items=[known], found=[said], now=NOW)
    assert kept_prediction(adapter, known) == said
    unasked = opinion_on(known)
    assert unasked is not None and unasked.said == (), "what it learned is no opinion"
    client = Client()
    client.force_login(cast.rosa)
    page = client.get(f"/studies/kind-words/adjudication/items/{item.item_id}")
    assert page.status_code == 200
    assert "which did not learn from this item" in page_text(page)
