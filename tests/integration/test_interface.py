"""The labelling page of the codebooks as an annotator meets it: Chromium on the running Label Studio."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from label_studio_sdk import LabelStudio
from playwright.sync_api import Browser, Locator, Page, expect

from annotation.label_studio.config import label_config
from codebook.hotkeys import USABLE_KEYS
from codebook.shipped import load_shipped
from tests.integration.access_people import sign_in_address
from tests.integration.label_studio_server import RunningLabelStudio
from tests.labelling_page import WORDS, LabellingPage

pytestmark = pytest.mark.label_studio

TITLE = "How do I talk to her?"
POST = "👩‍👩‍👧‍👦 Hi 🙂 all. My mother forgot me.\n\nHas anyone lived through this? I feel alone."
REPLY = "I am so sorry. My father 🫂 forgot me too."
SENTENCE = "My mother forgot me."


@dataclass(frozen=True)
class Workspace(LabellingPage):
    """One signed-in browser and the owner's client, for as many projects as the tests need."""

    owner: LabelStudio
    url: str

    def open_item(
        self, codebook: str, *, title: str = TITLE, post: str = POST, reply: str | None = REPLY
    ) -> None:
        project = self.owner.projects.create(
            title=codebook,
            label_config=label_config(load_shipped(codebook)),
            enable_empty_annotation=True,
        )
        replies = [] if reply is None else [{"text": reply}]
        data = {"item": "1", "title": title, "post": post, "replies": replies}
        self.owner.tasks.create(project=project.id, data=data)
        self.page.goto(f"{self.url}/projects/{project.id}/data?labeling=1")
        self.wait()

    def stored(self) -> list[dict[str, object]]:
        """Submits, and gives what Label Studio has stored, read back by the owner."""
        return self.owner.annotations.get(id=self.submit()).result or []


@pytest.fixture(scope="module")
def signed_in(chromium: Browser, label_studio: RunningLabelStudio) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto(sign_in_address(label_studio, None, "/projects/"))
    yield page
    context.close()


@pytest.fixture
def workspace(
    signed_in: Page, label_studio: RunningLabelStudio, label_studio_owner: LabelStudio
) -> Workspace:
    return Workspace(signed_in, label_studio_owner, label_studio.url)


def reminder(label: Locator) -> str:
    return str(label.evaluate("label => getComputedStyle(label, '::after').content")).strip('"')


def answers(results: list[dict[str, object]]) -> list[tuple[object, object]]:
    return [(row["from_name"], row["value"]) for row in results]


def test_a_tick_brings_its_label_and_the_highlight_is_stored_in_code_points(workspace: Workspace) -> None:
    workspace.open_item("empathy-practices")
    label = workspace.code("asking-advice").locator(".attune-span")
    expect(label).to_be_hidden()
    workspace.press("1")
    expect(label).to_be_visible()
    assert reminder(label) == "choose this, then select the words"
    workspace.press("Shift+1")
    assert reminder(label) == "now select the words"
    workspace.select(workspace.text(), SENTENCE)
    expect(workspace.page.locator(".htx-highlight")).to_have_text(SENTENCE)
    assert reminder(label) == "none"
    start = POST.index(SENTENCE)
    span = {"start": start, "end": start + len(SENTENCE), "text": SENTENCE, "labels": ["asking-advice"]}
    assert answers(workspace.stored()) == [
        ("ticks_requests", {"choices": ["asking-advice"]}),
        ("span_asking-advice", span),
    ]


def test_a_highlight_whose_box_is_not_ticked_is_called_out_and_can_be_removed(workspace: Workspace) -> None:
    workspace.open_item("empathy-practices")
    workspace.press("a", "Shift+a")
    workspace.select(workspace.text("Please read the reply"), "I am so sorry.")
    workspace.press("a")
    label = workspace.code("emotional-resonance").locator(".attune-span")
    expect(label).to_be_visible()
    assert reminder(label) == "not ticked"
    workspace.page.locator(".htx-highlight").click()
    workspace.page.get_by_label("Delete selected region").click()
    expect(workspace.page.locator(".htx-highlight")).to_have_count(0)
    workspace.press("Shift+a")  # Label Studio has kept the label chosen
    expect(label).to_be_hidden()


def test_no_key_answers_for_a_reply_that_is_not_there(workspace: Workspace) -> None:
    workspace.open_item("empathy-practices", reply=None)
    assert workspace.page.get_by_text("Please read the reply").count() == 0
    workspace.press(*USABLE_KEYS, *(f"Shift+{key}" for key in USABLE_KEYS))
    stored = answers(workspace.stored())
    assert [name for name, _ in stored] == ["ticks_requests", "ticks_self-disclosure", "flag"]


def test_an_item_on_which_nothing_can_be_answered_is_submitted_empty(workspace: Workspace) -> None:
    workspace.open_item("epitome", reply=None)
    workspace.press(*(key for key in USABLE_KEYS if key != "n"))
    assert workspace.stored() == []


def in_view(element: Locator) -> bool:
    """Whether a good part of it shows between Label Studio's bars."""
    box = element.bounding_box()
    assert box is not None
    return min(box["y"] + box["height"], 750) - max(box["y"], 48) > 60


@pytest.mark.parametrize(("codebook", "texts"), [("empathy-practices", 1), ("epitome", 2)])
def test_a_long_post_stays_in_view_beside_its_last_question(
    workspace: Workspace, codebook: str, texts: int
) -> None:
    workspace.open_item(codebook, post="\n\n".join(["I have not slept for many nights now."] * 430))
    section = workspace.page.locator(".attune-section").first
    for header in section.locator(".ant-collapse-header").all():
        header.click()
    last = section.locator(".attune-question").last
    last.locator(".lsf-choice").last.scroll_into_view_if_needed()
    scrolled = section.bounding_box()
    assert scrolled is not None and scrolled["y"] < -200
    shown = section.locator(".attune-text").all()
    assert [in_view(text) for text in shown] == [True] * texts
    assert in_view(last)


def test_each_line_runs_in_its_own_direction(workspace: Workspace) -> None:
    arabic, english = "أمي لم تعد تعرفني.", "She was a teacher."
    workspace.open_item("empathy-practices", title="كيف أتحدث معها؟", post=f"{arabic}\n{english}")
    box = workspace.text().bounding_box()
    assert box is not None
    left, _, right, _ = workspace.text().evaluate(WORDS, arabic)
    assert max(left, right) == pytest.approx(box["x"] + box["width"], abs=2)
    assert min(left, right) > box["x"] + 100
    assert workspace.text().evaluate(WORDS, english)[0] == pytest.approx(box["x"], abs=2)
    title_left, _, title_right, _ = workspace.page.locator(".attune-text h2").evaluate(
        WORDS, "كيف أتحدث معها؟"
    )
    assert max(title_left, title_right) == pytest.approx(box["x"] + box["width"], abs=2)


def test_a_level_must_be_chosen_and_asks_for_words_unless_absent(workspace: Workspace) -> None:
    workspace.open_item("epitome")
    workspace.press("3", "4")
    workspace.page.get_by_test_id("bottombar-submit-button").click()
    warning = workspace.page.get_by_text("Please choose an answer for “Explorations”.")
    warning.wait_for()
    workspace.dismiss_warning()
    expect(warning).to_be_hidden()
    workspace.press("7", "Shift+1")
    expect(workspace.code("emotional-reactions").locator(".attune-span")).to_be_visible()
    expect(workspace.code("interpretations").locator(".attune-span")).to_be_hidden()
    words = "My father 🫂 forgot me too."
    workspace.select(workspace.text("Please read the reply"), words)
    start = REPLY.index(words)
    span = {"start": start, "end": len(REPLY), "text": words, "labels": ["emotional-reactions"]}
    assert answers(workspace.stored()) == [
        ("level_emotional-reactions_0", {"choices": ["2"]}),
        ("level_interpretations_0", {"choices": ["0"]}),
        ("level_explorations_0", {"choices": ["0"]}),
        ("span_emotional-reactions_0", span),
    ]


def test_a_few_words_mark_the_whole_sentence(workspace: Workspace) -> None:
    workspace.open_item("empathy-cause")
    workspace.press("1")
    workspace.select(workspace.text(), "anyone lived")
    ((name, value),) = answers(workspace.stored())
    assert name == "sentence_empathy-cause"
    assert isinstance(value, dict)
    assert POST[value["start"] : value["end"]].strip() == "Has anyone lived through this?"


def test_a_scale_is_answered_and_a_doubt_told(workspace: Workspace) -> None:
    workspace.open_item("construct-ratings")
    workspace.press("2", "r", "g", "n")
    workspace.page.get_by_placeholder("What are you unsure about?").fill("Which task\nis meant?")
    stored = answers(workspace.stored())
    assert [value for _, value in stored] == [
        {"choices": ["2"]},
        {"choices": ["4"]},
        {"choices": ["5"]},
        {"choices": ["discuss"]},
        {"text": ["Which task\nis meant?"]},
    ]
