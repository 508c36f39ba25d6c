"""An annotator finds boxes ticked and words highlighted where a model suggests, and nothing where an item is blind."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, expect
from pytest_django.fixtures import Settings

from annotation.arms.names import Arm
from annotation.predictions.rows import CodePrediction, ItemPrediction, PredictedSpan
from backend.adapters.models import Adapter
from backend.adapters.services import promote
from backend.batches.models import BatchKind
from backend.batches.queue import enqueue_preparation
from backend.judgments.models import Submission
from backend.prelabels.choices import PrelabelChoice
from backend.prelabels.models import SealedArm, Suggestion
from backend.prelabels.predicting import keep_predictions
from backend.prelabels.services import change_choice
from backend.releases.importing import import_release
from backend.samples.models import Item
from codebook.schema import Part
from tests.backend.adapters.scene import answer_as_ml_backend, ask_for_training, folder_of, run
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
from tests.cast import NOW
from tests.given_work import CastAtWork
from tests.labelling_page import LabellingPage
from tests.ml_backend.scene import made_release

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
    answer_as_ml_backend(folder_of(job))
    assert run(job).state == "done"
    return Adapter.objects.get()


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
    arms = {arm.item_id: Arm(arm.arm) for arm in SealedArm.objects.filter(batch=batch)}
    assert sorted(arms.values()) == [Arm.BLIND, Arm.SUGGESTED]
    assert Suggestion.objects.filter(shown_at__isnull=False).count() == 1

    page = visit(work.cast.amal)
    page.get_by_role("button", name="Start").click()
    labelling = LabellingPage(page)
    for item in items:
        labelling.wait()
        expect(labelling.text()).to_contain_text(f"number {work.items.index(item)}")
        if arms[item.pk] is Arm.BLIND:
            expect(box(labelling, ADVICE)).not_to_be_checked()
            expect(box(labelling, EMOTIONS)).not_to_be_checked()
            assert highlighted(labelling) == []
        else:
            expect(box(labelling, ADVICE)).to_be_checked()
            expect(box(labelling, EMOTIONS)).to_be_checked()
            assert sorted(highlighted(labelling)) == sorted([ASKING, FEELING])
            # No feeling, thinks Amal: the words go, then the box.
            labelling.text().locator(".htx-highlight", has_text=FEELING).click()
            labelling.press("Backspace")
            expect(labelling.text().locator(".htx-highlight")).to_have_count(1)
            labelling.press("6")
            expect(box(labelling, EMOTIONS)).not_to_be_checked()
        labelling.submit()
    read_label_studio()
    by_arm = {
        arms[one.assigned_item.item_id]: one for one in Submission.objects.select_related("assigned_item")
    }
    suggested, blind = by_arm[Arm.SUGGESTED], by_arm[Arm.BLIND]
    assert (ticked(suggested), suggested.from_prediction) == ({ADVICE}, True)
    assert (ticked(blind), blind.from_prediction) == (set(), False)
