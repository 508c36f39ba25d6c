"""An annotator finds boxes ticked and words highlighted where a model suggests, and nothing where an item is blind."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import msgspec
import pytest
from django.utils import timezone
from playwright.sync_api import Locator, expect
from pytest_django.fixtures import Settings

from backend.annotate.batches.models import BatchKind
from backend.annotate.batches.queue import enqueue_preparation
from backend.annotate.judgments.models import Quarantined, Submission
from backend.core.jobs.models import Job, JobState
from backend.decide.releases.importing import import_release
from backend.design.codebooks.services import add_edition
from backend.design.samples.models import Item
from backend.learn.models.models import Adapter
from backend.learn.models.services import promote
from backend.learn.prelabels.models import ConditionAssignment, PrelabelChoice, Suggestion
from backend.learn.prelabels.predicting import keep_predictions
from backend.learn.prelabels.queue import PUSH_PRELABELS
from backend.learn.prelabels.services import change_choice
from codebook.schema import Part
from codebook.shipped import shipped_path
from learning.adapters.card import card_bytes
from learning.predictions.rows import CodePrediction, ItemPrediction, PredictedSpan
from learning.prelabel_experiment.values import Condition
from tests.backend.learn.models.fixtures import ask_for_training, folder_of, run, train, work_as_ml_backend
from tests.batch_fixtures import CastAtWork, Work
from tests.browser import test_annotators_at_work as at_work
from tests.browser.conftest import run_waiting_jobs
from tests.browser.test_annotators_at_work import (
    ADVICE,
    ASKING,
    EMOTIONS,
    FEELING,
    Visit,
    read_label_studio,
    ticked,
)
from tests.cast import NOW, Cast
from tests.labelling_page import LabellingPage
from tests.ml_backend.fixtures import example, made_release

pytestmark = pytest.mark.label_studio
# pytest looks for fixtures here
visit = at_work.visit


@pytest.fixture
def adapter(work: CastAtWork, settings: Settings, tmp_path: Path) -> Adapter:
    settings.RELEASES_DIR, settings.ADAPTERS_DIR = tmp_path / "releases", tmp_path / "adapters"
    settings.ML_DIR = tmp_path / "ml"
    folder = made_release(tmp_path / "made", work.codebook, 20)
    release = import_release(study=work.study, folder=folder, actor=work.cast.rosa, now=NOW)
    job = ask_for_training(release, "majority")
    run(job)
    work_as_ml_backend(folder_of(job))
    assert run(job).state == "done"
    adapter = Adapter.objects.get()
    # It stands for one that marks words; what it says is written by hand below.
    card = adapter.read_card()
    card = msgspec.structs.replace(card, config={**card.config, "evidence": True})
    adapter.card = card_bytes(card).decode()
    adapter.save(update_fields=["card"])
    return adapter


def predicted(adapter: Adapter, item: Item) -> ItemPrediction:
    """Advice and emotions, each with its words."""
    codes = []
    for code, words in ((ADVICE, ASKING), (EMOTIONS, FEELING)):
        start = item.post_text.index(words)
        span = PredictedSpan(Part.POST, start, start + len(words), 0.9)
        codes.append(CodePrediction(code, 1, ((0, 0.25), (1, 0.75)), (span,)))
    return ItemPrediction(item.item_id, tuple(codes), adapter.adapter_id)


def box(labelling: LabellingPage, code: str) -> Locator:
    return labelling.code(code).locator("input[type=checkbox]").first


def highlighted(labelling: LabellingPage) -> list[str]:
    marks = labelling.text().locator(".htx-highlight")
    return [words.strip() for words in marks.all_inner_texts()]


def test_suggestions_are_filled_in_changed_and_told_apart(
    work: CastAtWork, adapter: Adapter, visit: Visit, transactional_db: None
) -> None:
    choice = PrelabelChoice(blind_share=0.5)
    change_choice(study=work.study, choice=choice, actor=work.cast.rosa, now=timezone.now())
    items = work.items[:2]
    batch = work.batch(work.cast.amal, items=items, kind=BatchKind.MAIN)
    found = [predicted(adapter, item) for item in items]
    keep_predictions(adapter=adapter, items=items, found=found, now=timezone.now())
    enqueue_preparation(batch=batch, actor=work.cast.rosa, now=timezone.now())
    run_waiting_jobs()
    promote(adapter=adapter, report=None, override_reason="Tests", actor=work.cast.rosa, now=timezone.now())
    run_waiting_jobs()
    conditions = {
        condition.item_id: Condition(condition.condition)
        for condition in ConditionAssignment.objects.filter(batch=batch)
    }
    assert sorted(conditions.values()) == [Condition.BLIND, Condition.SUGGESTED]
    assert Suggestion.objects.filter(shown_at__isnull=False).count() == 1

    page = visit(work.cast.amal)
    page.get_by_role("button", name="Start").click()
    labelling = LabellingPage(page)
    for item in items:
        labelling.wait()
        expect(labelling.text()).to_contain_text(f"number {work.items.index(item)}")
        if conditions[item.pk] is Condition.BLIND:
            expect(box(labelling, ADVICE)).not_to_be_checked()
            expect(box(labelling, EMOTIONS)).not_to_be_checked()
            assert highlighted(labelling) == []
        else:
            expect(box(labelling, ADVICE)).to_be_checked()
            expect(box(labelling, EMOTIONS)).to_be_checked()
            assert sorted(highlighted(labelling)) == sorted([ASKING, FEELING])
            # No feeling, thinks Amal: the words go with the box.
            labelling.press("6")
            expect(box(labelling, EMOTIONS)).not_to_be_checked()
            expect(labelling.text().locator(".htx-highlight")).to_have_count(1)
        labelling.submit()
    read_label_studio()
    by_condition = {
        conditions[one.assigned_item.item_id]: one
        for one in Submission.objects.select_related("assigned_item")
    }
    suggested, blind = by_condition[Condition.SUGGESTED], by_condition[Condition.BLIND]
    assert (ticked(suggested), suggested.from_prediction) == ({ADVICE}, True)
    assert (ticked(blind), blind.from_prediction) == (set(), False)


def mixed_codebook(cast: Cast) -> CastAtWork:
    """Requests need highlighted words; the other themes may have some."""
    path = shipped_path("empathy-practices")
    first, *others = path.read_text().split("evidence: required")
    source = f"{first}evidence: required{'evidence: optional'.join(others)}"
    add_edition(study=cast.study, source=source, file_name=path.name, note="First", actor=cast.rosa, now=NOW)
    given = Work.of(cast.study, cast.rosa, [])
    return CastAtWork(given.study, given.researcher, given.edition, given.items, cast)


def telling_items(work: CastAtWork, n: int) -> list[Item]:
    """Texts whose words give their labels away, as in the release that the model learned from."""
    texts = [example(work.codebook, number + 500).text for number in range(n)]
    return Item.objects.bulk_create(
        Item(
            study=work.study,
            item_id=text.item_id,
            platform="reddit",
            community="lane",
            post_id=f"p-{text.item_id}",
            reply_id=f"r-{text.item_id}",
            title=text.title,
            post_text=text.post,
            reply_text=text.reply,
        )
        for text in texts
    )


def push_with_ml_backend() -> None:
    """As a worker and the ML backend do it together."""
    run_waiting_jobs()
    job = Job.objects.filter(kind=PUSH_PRELABELS, state=JobState.QUEUED).latest("pk")
    run(job)
    work_as_ml_backend(folder_of(job, "predict"))
    assert run(job).state == "done"


def test_three_with_counted_suggestions_submit_nothing_that_is_refused(
    cast: Cast, visit: Visit, settings: Settings, tmp_path: Path, transactional_db: None
) -> None:
    settings.RELEASES_DIR, settings.ADAPTERS_DIR = tmp_path / "releases", tmp_path / "adapters"
    settings.ML_DIR, settings.ML_PATIENCE = tmp_path / "ml", timedelta(0)
    work = mixed_codebook(cast)
    folder = made_release(tmp_path / "made", work.codebook, 40)
    adapter = train(
        import_release(study=work.study, folder=folder, actor=cast.rosa, now=NOW), "tfidf-logistic"
    )
    choice = PrelabelChoice(blind_share=0)
    change_choice(study=work.study, choice=choice, actor=cast.rosa, now=timezone.now())
    items = telling_items(work, 2)
    batch = work.batch(cast.amal, cast.bea, cast.chen, items=items, kind=BatchKind.MAIN)
    promote(adapter=adapter, report=None, override_reason="Tests", actor=cast.rosa, now=timezone.now())
    Job.objects.filter(state=JobState.QUEUED).delete()
    enqueue_preparation(batch=batch, actor=cast.rosa, now=timezone.now())
    push_with_ml_backend()
    assert Suggestion.objects.filter(shown_at__isnull=False).count() == 6

    n_suggested = 0
    for annotator in (cast.amal, cast.bea, cast.chen):
        page = visit(annotator)
        page.get_by_role("button", name="Start").click()
        labelling = LabellingPage(page)
        for item in items:
            expect(labelling.text()).to_contain_text(item.post_text[:30])
            labelling.wait()
            suggested = page.locator(".lsf-choice[data-attune-suggested] input")
            n_suggested += suggested.count()
            expect(box(labelling, ADVICE)).not_to_be_checked()
            if annotator == cast.bea and suggested.count():
                suggested.first.click()
            if annotator == cast.chen:
                labelling.press("1")
                page.get_by_test_id("bottombar-submit-button").click()
                labelling.dismiss_warning()
                labelling.press("Shift+1")
                labelling.select(labelling.text(), item.post_text[:12])
            labelling.submit()
    assert n_suggested > 0
    read_label_studio()
    assert Submission.objects.count() == 6
    assert not Quarantined.objects.exists()
