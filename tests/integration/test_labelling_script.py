"""What Attune's script adds to the labelling page of an annotator: nothing is accepted there that is refused later."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import httpx
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from annotation.answers import ItemText
from annotation.label_studio.config import label_config
from codebook.schema import Part
from codebook.shipped import load_shipped
from learning.predictions.rows import CodePrediction, ItemPrediction, PredictedSpan
from learning.suggestions.encoding import encode_prediction
from tests.integration.access_people import new_account, owner_client, put_seat, sign_in_address, task_ids
from tests.integration.label_studio_server import RunningLabelStudio
from tests.labelling_page import LabellingPage

pytestmark = pytest.mark.label_studio

TITLE = "How do I talk to her?"
POST = "My mother forgot me. I feel alone. What would you do?"
REPLY = "I am so sorry."
ADVICE, EMOTIONS = "asking-advice", "sharing-emotions"
ITEM = ItemText("1", TITLE, POST, REPLY)


@dataclass(frozen=True)
class Workspace(LabellingPage):
    """An annotator's browser, what its console said, and the owner's client."""

    owner: httpx.Client
    url: str
    account: int
    errors: list[str] = field(default_factory=list)

    def open_item(self, codebook: str, *predicted: CodePrediction) -> int:
        """The number of the project, with one item in it."""
        config = label_config(load_shipped(codebook))
        made = self.owner.post("/api/projects/", json={"title": codebook, "label_config": config}).json()
        project = int(made["id"])
        data = {"item": "1", "title": TITLE, "post": POST, "replies": [{"text": REPLY}]}
        self.owner.post(f"/api/projects/{project}/import", json=[data]).raise_for_status()
        put_seat(self.owner, project, self.account)
        if predicted:
            self._suggest(project, codebook, predicted)
        self.page.goto(f"{self.url}/projects/{project}/data?labeling=1")
        self.wait()
        return project

    def _suggest(self, project: int, codebook: str, predicted: Sequence[CodePrediction]) -> None:
        prediction = ItemPrediction("1", tuple(predicted), "0f3c9a6be1d25577aa")
        suggestion = encode_prediction(load_shipped(codebook), ITEM, prediction)
        (task,) = task_ids(self.owner, project)
        rows = {"task": task, "result": list(suggestion.rows), "score": suggestion.score}
        body = {"model_version": suggestion.version, "predictions": [rows], "without": []}
        self.owner.put(f"/attune/projects/{project}/predictions", json=body).raise_for_status()

    def refused(self, message: str) -> None:
        """Pressing Submit says so, and sends nothing."""
        self.page.get_by_test_id("bottombar-submit-button").click()
        warning = self.page.get_by_text(message)
        warning.wait_for()
        self.dismiss_warning()
        expect(warning).to_be_hidden()

    def annotations(self, project: int) -> int:
        (task,) = self.owner.get(f"/attune/projects/{project}/tasks").json()["tasks"]
        return int(task["annotations"])

    def suggested(self) -> list[str]:
        """What is marked as a suggestion, in words."""
        marked = self.page.locator("[data-attune-suggested]").all_inner_texts()
        return [" ".join(words.split()) for words in marked]


@pytest.fixture(scope="module")
def owner(label_studio: RunningLabelStudio) -> Iterator[httpx.Client]:
    with owner_client(label_studio) as client:
        yield client


@pytest.fixture(scope="module")
def account(owner: httpx.Client) -> int:
    return new_account(owner, "annotator-2041", "Amal Haddad")


@pytest.fixture(scope="module")
def signed_in(chromium: Browser, label_studio: RunningLabelStudio, account: int) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(sign_in_address(label_studio, account, "/"))
    yield page
    context.close()


@pytest.fixture
def workspace(
    signed_in: Page, label_studio: RunningLabelStudio, owner: httpx.Client, account: int
) -> Iterator[Workspace]:
    workspace = Workspace(signed_in, owner, label_studio.url, account)

    def note(message: ConsoleMessage) -> None:
        # Label Studio's own way to say that the stream is over
        is_end = "id=next_task" in message.location["url"]
        if message.type == "error" and not is_end:
            workspace.errors.append(message.text)

    def note_exception(problem: Exception) -> None:
        workspace.errors.append(str(problem))

    signed_in.on("console", note)
    signed_in.on("pageerror", note_exception)
    yield workspace
    signed_in.remove_listener("console", note)
    signed_in.remove_listener("pageerror", note_exception)


def _said(code: str, *spans: tuple[int, int], value: int = 1, part: Part = Part.POST) -> CodePrediction:
    return CodePrediction(code, value, (), tuple(PredictedSpan(part, *span, 0.9) for span in spans))


def test_a_box_without_its_words_is_not_submitted(workspace: Workspace) -> None:
    project = workspace.open_item("empathy-practices")
    workspace.press("1")
    workspace.refused("Please highlight the words for “Asking for advice or opinions”")
    assert workspace.annotations(project) == 0
    workspace.press("Shift+1")
    workspace.select(workspace.text(), "What would you do?")
    workspace.submit()
    assert workspace.annotations(project) == 1


def test_a_level_without_its_words_is_not_submitted(workspace: Workspace) -> None:
    project = workspace.open_item("epitome")
    workspace.press("3", "4", "7")
    workspace.refused("Please highlight the words for “Emotional reactions”")
    workspace.press("1")
    workspace.submit()
    assert workspace.annotations(project) == 1


def test_unticking_takes_the_highlights_along(workspace: Workspace) -> None:
    start = POST.index("What")
    workspace.open_item("empathy-practices", _said(ADVICE, (start, len(POST))))
    highlight = workspace.page.locator(".htx-highlight")
    expect(highlight).to_have_count(1)
    workspace.press("1")
    expect(highlight).to_have_count(0)
    # Words that were drawn by hand go in the same way; those of another box stay.
    workspace.press("1", "Shift+1")
    workspace.select(workspace.text(), "What would you do?")
    workspace.press("6", "Shift+6")
    workspace.select(workspace.text(), "I feel alone.")
    expect(highlight).to_have_count(2)
    workspace.press("1")
    expect(highlight).to_have_text("I feel alone.")
    number = workspace.submit()
    stored = workspace.owner.get(f"/api/annotations/{number}/").json()["result"]
    assert [row["from_name"] for row in stored] == ["ticks_self-disclosure", f"span_{EMOTIONS}"]


def test_undo_brings_the_highlights_of_an_unticked_box_back(workspace: Workspace) -> None:
    start = POST.index("What")
    workspace.open_item("empathy-practices", _said(ADVICE, (start, len(POST))))
    highlight = workspace.page.locator(".htx-highlight")
    expect(highlight).to_have_count(1)
    workspace.press("1")
    expect(highlight).to_have_count(0)
    workspace.press("Control+z")
    expect(highlight).to_have_count(1)
    workspace.press("Control+z")
    expect(workspace.code(ADVICE).locator("input[type=checkbox]").first).to_be_checked()
    expect(highlight).to_have_count(1)


def test_highlights_without_their_box_are_not_submitted(workspace: Workspace) -> None:
    project = workspace.open_item("empathy-practices")
    workspace.press("Shift+1")
    workspace.select(workspace.text(), "What would you do?")
    workspace.refused(
        "There are highlighted words for “Asking for advice or opinions”, but it is not chosen."
    )
    assert workspace.annotations(project) == 0


def test_what_was_suggested_can_be_told_until_it_is_touched(workspace: Workspace) -> None:
    feeling, asking = POST.index("I feel"), POST.index("What")
    workspace.open_item(
        "empathy-practices",
        _said(ADVICE, (asking, len(POST))),
        _said(EMOTIONS, (feeling, asking - 1)),
    )
    expect(workspace.page.locator("[data-attune-suggested]")).to_have_count(4)
    assert "I feel alone." in workspace.suggested()
    box = workspace.code(ADVICE).locator(".lsf-choice")
    said = box.evaluate("box => getComputedStyle(box, '::after').content")
    assert said == '"suggested"'
    workspace.press("1")
    expect(workspace.page.locator("[data-attune-suggested]")).to_have_count(2)
    workspace.press("1")
    expect(workspace.code(EMOTIONS).locator("[data-attune-suggested]")).to_have_count(1)
    expect(workspace.code(ADVICE).locator("[data-attune-suggested]")).to_have_count(0)


def test_a_suggested_level_can_be_told_too(workspace: Workspace) -> None:
    workspace.open_item("epitome", _said("explorations", value=0))
    marked = workspace.code("explorations").locator("[data-attune-suggested]")
    expect(marked).to_have_count(1)
    expect(marked.locator("input")).to_be_checked()
    workspace.press("8")
    expect(marked).to_have_count(0)


def test_a_cut_network_is_said_and_the_work_goes_on_when_it_is_back(workspace: Workspace) -> None:
    project = workspace.open_item("empathy-practices")
    workspace.press("6", "Shift+6")
    workspace.select(workspace.text(), "I feel alone.")
    workspace.page.context.set_offline(True)
    workspace.page.get_by_test_id("bottombar-submit-button").click()
    expect(workspace.page.get_by_text("Annotation is not saved").first).to_be_visible()
    workspace.page.context.set_offline(False)
    # What was said is still there, and the page takes it.
    expect(workspace.page.locator(".htx-highlight")).to_have_text("I feel alone.")
    number = workspace.submit()
    assert workspace.annotations(project) == 1
    stored = workspace.owner.get(f"/api/annotations/{number}/").json()["result"]
    assert [row["from_name"] for row in stored] == ["ticks_self-disclosure", f"span_{EMOTIONS}"]


def test_the_next_item_is_asked_for_again_when_the_network_was_cut_for_a_moment(workspace: Workspace) -> None:
    workspace.open_item("empathy-practices")
    workspace.press("6", "Shift+6")
    workspace.select(workspace.text(), "I feel alone.")
    workspace.page.route("**/api/dm/actions**", lambda route: route.abort(), times=1)
    with workspace.page.expect_response("**/api/dm/actions**") as asked_again:
        workspace.submit()
    assert asked_again.value.status == 404
    workspace.page.get_by_role("heading", name="Batch done").wait_for()
    expect(workspace.page.get_by_text("Runtime error")).to_have_count(0)


def test_the_console_has_nothing_to_say(workspace: Workspace) -> None:
    workspace.open_item("empathy-practices")
    assert workspace.errors == []
