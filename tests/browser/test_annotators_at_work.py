"""Three annotators and a researcher in their browsers, on the real Label Studio; a fourth person sees nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect
from pytest_django.fixtures import Settings
from pytest_django.live_server_helper import LiveServer

from backend.annotate.batches.models import Batch, BatchKind
from backend.annotate.batches.queue import enqueue_preparation
from backend.annotate.discussions.models import Discussion
from backend.annotate.judgments.models import Judgment, Span, Submission
from backend.annotate.label_studio.client import connect
from backend.annotate.practice.gold import Reasons
from backend.annotate.practice.services import write_gold
from backend.annotate.sync.models import Project
from backend.annotate.sync.polling import poll_all
from backend.core.accounts.models import User
from tests.batch_fixtures import CastAtWork
from tests.browser.conftest import run_waiting_jobs
from tests.cast import NOW
from tests.integration.label_studio_server import RunningLabelStudio
from tests.labelling_page import LabellingPage

pytestmark = pytest.mark.label_studio

Visit = Callable[[User], Page]
ADVICE, EMOTIONS = "asking-advice", "sharing-emotions"
ASKING, FEELING = "What would you do?", "I feel lost at work today"


@pytest.fixture
def visit(
    chromium: Browser,
    live_server: LiveServer,
    label_studio: RunningLabelStudio,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Visit]:
    """Each person has a browser of their own, logged in to Attune."""
    settings.PUBLIC_URL = live_server.url
    settings.LABEL_STUDIO_URL = label_studio.url
    settings.LABEL_STUDIO_TOKEN = label_studio.instance.token
    directives = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    monkeypatch.setitem(directives, "form-action", ["'self'", label_studio.url])
    contexts: list[BrowserContext] = []

    def open_browser(user: User) -> Page:
        context = chromium.new_context(viewport={"width": 1280, "height": 900})
        contexts.append(context)
        client = Client()
        client.force_login(user)
        cookie = client.cookies["attune_session"]
        context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": live_server.url}])
        page = context.new_page()
        page.goto(f"{live_server.url}/studies/kind-words/work")
        return page

    yield open_browser
    for context in contexts:
        context.close()


def give_out(work: CastAtWork, *annotators: User, kind: BatchKind, name: str, n: int) -> Batch:
    batch = work.batch(*annotators, items=work.items[:n], name=name, kind=kind)
    enqueue_preparation(batch=batch, actor=work.cast.rosa, now=timezone.now())
    run_waiting_jobs()
    assert set(Project.objects.values_list("state", flat=True)) == {"ready"}
    return batch


def read_label_studio() -> None:
    """What the sync's worker does at every webhook."""
    poll_all(connect(), clock=timezone.now)


def label(page: Page, *codes: tuple[str, str, str]) -> LabellingPage:
    """Ticks each code by its key and draws over its words."""
    labelling = LabellingPage(page)
    labelling.wait()
    for key, code, words in codes:
        labelling.press(key)
        expect(labelling.code(code).locator(".attune-span")).to_be_visible()
        labelling.press(f"Shift+{key}")
        labelling.select(labelling.text(), words)
    return labelling


def submit_unchecked(page: Page) -> None:
    """What stands on the page, past the page's own checks."""
    sent = page.evaluate(
        """async () => {
          const { task, annotationStore } = window.Htx;
          const result = annotationStore.selected.serializeAnnotation();
          const answer = await fetch(`/api/tasks/${task.id}/annotations/`, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ result, lead_time: 5 }),
          });
          return answer.status;
        }"""
    )
    assert sent == 201


def ticked(submission: Submission) -> set[str]:
    return set(Judgment.objects.filter(submission=submission, value=1).values_list("code", flat=True))


def test_practice_shows_what_matched_what_did_not_and_why(
    work: CastAtWork, visit: Visit, transactional_db: None
) -> None:
    item = work.items[0]
    gold = work.answers(item, ADVICE, EMOTIONS)
    reasons = Reasons({EMOTIONS: "Feeling lost is a feeling, even if it is said in passing."}, "")
    write_gold(item=item, edition=work.edition, answers=gold, reasons=reasons, actor=work.cast.rosa, now=NOW)
    give_out(work, work.cast.amal, kind=BatchKind.PRACTICE, name="Warm-up", n=1)
    page = visit(work.cast.amal)
    page.get_by_role("button", name="Start").click()
    label(page, ("1", ADVICE, ASKING)).submit()
    read_label_studio()
    page.get_by_role("link", name="Back to Attune").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Your work")
    page.get_by_role("link", name="See what matched").click()
    expect(page.get_by_text("Feeling lost is a feeling")).to_be_visible()
    expect(page.get_by_text("12 of 13").first).to_be_visible()


def test_an_overlap_item_is_judged_by_three_and_none_sees_another(
    work: CastAtWork, visit: Visit, transactional_db: None
) -> None:
    cast = work.cast
    batch = give_out(work, cast.amal, cast.bea, cast.chen, kind=BatchKind.OVERLAP, name="Batch 1", n=2)
    for annotator, codes in (
        (cast.amal, (("1", ADVICE, ASKING),)),
        (cast.bea, (("1", ADVICE, ASKING), ("6", EMOTIONS, FEELING))),
        (cast.chen, ()),
    ):
        page = visit(annotator)
        page.get_by_role("button", name="Start").click()
        labelling = label(page, *codes)
        if annotator == cast.chen:
            labelling.press("n")
            page.get_by_placeholder("What are you unsure about?").fill("Is this a question at all?")
        labelling.submit()
    read_label_studio()
    submissions = {
        one.assigned_item.assignment.annotator: one
        for one in Submission.objects.select_related(
            "assigned_item__assignment__annotator", "assigned_item__item"
        )
    }
    assert {who: ticked(one) for who, one in submissions.items()} == {
        cast.amal: {ADVICE},
        cast.bea: {ADVICE, EMOTIONS},
        cast.chen: set(),
    }
    assert len({one.assigned_item.item_id for one in submissions.values()}) == 1
    text = submissions[cast.bea].assigned_item.item.post_text
    spans = Span.objects.filter(submission=submissions[cast.bea]).order_by("start")
    assert [text[span.start : span.end] for span in spans] == [FEELING, ASKING]
    assert Discussion.objects.get().comment == "Is this a question at all?"
    _nobody_else_gets_in(work, batch, visit)


def _nobody_else_gets_in(work: CastAtWork, batch: Batch, visit: Visit) -> None:
    """Bea asks for Amal's project, and Otto, who is in no study of ours, for anything at all."""
    page = visit(work.cast.bea)
    page.get_by_role("button", name="Continue").click()
    LabellingPage(page).wait()
    theirs = Project.objects.get(assignment__batch=batch, assignment__annotator=work.cast.amal)
    server = page.url.split("/projects/")[0]
    for path in (f"/projects/{theirs.label_studio_id}/data?labeling=1", "/projects/", "/api/projects/"):
        answer = page.goto(server + path)
        assert answer is not None
        assert answer.status in (403, 404), path
        assert "lost at work" not in page.content()
    outsider = visit(work.cast.otto)
    assert "Kind words" not in outsider.content()
    for path in (f"/projects/{theirs.label_studio_id}/data", "/api/tasks/", "/"):
        outsider.goto(server + path)
        assert "lost at work" not in outsider.content()


def test_an_edit_after_submit_is_seen_as_one(work: CastAtWork, visit: Visit, transactional_db: None) -> None:
    give_out(work, work.cast.amal, kind=BatchKind.MAIN, name="Batch 1", n=1)
    page = visit(work.cast.amal)
    page.get_by_role("button", name="Start").click()
    label(page, ("1", ADVICE, ASKING)).submit()
    read_label_studio()
    assert ticked(Submission.objects.get()) == {ADVICE}
    page.get_by_role("link", name="Back to Attune").first.click()
    page.get_by_role("button", name="Look at it again").click()
    page.wait_for_url("**/projects/**")
    label(page, ("6", EMOTIONS, FEELING)).update()
    read_label_studio()
    submission = Submission.objects.get()
    assert (ticked(submission), submission.edits) == ({ADVICE, EMOTIONS}, 1)


def test_a_box_without_its_words_comes_back_to_the_annotator(
    work: CastAtWork, visit: Visit, transactional_db: None
) -> None:
    give_out(work, work.cast.amal, kind=BatchKind.MAIN, name="Batch 1", n=1)
    page = visit(work.cast.amal)
    page.get_by_role("button", name="Start").click()
    labelling = LabellingPage(page)
    labelling.wait()
    labelling.press("1")
    page.get_by_test_id("bottombar-submit-button").click()
    expect(page.get_by_text("Please highlight the words for")).to_be_visible()
    # A page that was open from before this was checked, or a script of somebody's own, still gets it through.
    submit_unchecked(page)
    read_label_studio()
    assert not Submission.objects.exists()
    page.reload()
    page.get_by_role("link", name="Back to Attune").first.click()
    expect(page.get_by_role("heading", name="Needs fixing")).to_be_visible()
    page.get_by_role("button", name="Go to this item").click()
    labelling.wait()
    labelling.press("Shift+1")
    labelling.select(labelling.text(), ASKING)
    labelling.update()
    read_label_studio()
    assert ticked(Submission.objects.get()) == {ADVICE}
    page.get_by_role("link", name="Back to Attune").first.click()
    expect(page.get_by_role("heading", name="Needs fixing")).to_have_count(0)
