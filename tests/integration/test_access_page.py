"""An annotator works in a browser behind the access app: all of labelling works, and the page is nothing but that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import httpx
import pytest
from playwright.sync_api import Page, Response, expect

from tests.integration.access_people import (
    RETURN_URL,
    new_account,
    new_project,
    owner_client,
    put_seat,
    sign_in_address,
    sorted_tab,
    task_ids,
)
from tests.integration.label_studio_server import RunningLabelStudio

pytestmark = pytest.mark.label_studio

# Every state of a toast that is on the page for however short a time: its words, and whether they are seen.
WATCH_TOASTS = """() => {
  window.toasts = [];
  new MutationObserver(() => {
    for (const toast of document.querySelectorAll("[class*=messageToast]")) {
      const words = toast.querySelector("[class*=toast__content]").textContent;
      window.toasts.push([words, getComputedStyle(toast).visibility]);
    }
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


@dataclass
class Workspace:
    """The browser of one annotator, and what her page was refused."""

    page: Page
    url: str
    project: int
    tasks: tuple[int, ...]
    refused: list[str] = field(default_factory=list)

    def note(self, answer: Response) -> None:
        # Label Studio's own way to say that the stream is over
        is_end = answer.status == 404 and "id=next_task" in answer.url
        if answer.status >= 400 and not is_end:
            self.refused.append(f"{answer.status} {answer.request.method} {answer.url}")

    def press(self, test_id: str, method: str, path: str) -> None:
        with self.page.expect_response(lambda seen: seen.request.method == method and path in seen.url):
            self.page.get_by_test_id(test_id).click()

    def open_item(self, number: int) -> None:
        self.page.goto(f"{self.url}/projects/{self.project}/data?task={self.tasks[number]}")
        self.page.get_by_text(f"workspace-text {number}").first.wait_for()


@pytest.fixture
def owner(label_studio: RunningLabelStudio) -> Iterator[httpx.Client]:
    with owner_client(label_studio) as client:
        yield client


@pytest.fixture
def workspace(label_studio: RunningLabelStudio, owner: httpx.Client, page: Page) -> Workspace:
    account = new_account(owner, "annotator-1041", "Amal Haddad")
    project = new_project(owner, "workspace project", "workspace-text", items=3)
    put_seat(owner, project, account, heading="Kind words · Overlap")
    tasks = task_ids(owner, project)
    # The owner has looked around in the project; that must not change what the annotator is given.
    owner.post("/api/dm/views/", json=sorted_tab(project, tasks)).raise_for_status()
    workspace = Workspace(page, label_studio.url, project, tasks)
    page.on("response", workspace.note)
    page.goto(sign_in_address(label_studio, account, f"/projects/{project}/data?labeling=1"))
    page.get_by_text("workspace-text 0").first.wait_for()
    page.wait_for_load_state("networkidle")
    return workspace


def test_labelling_from_the_first_draft_to_the_last_correction(
    workspace: Workspace, owner: httpx.Client
) -> None:
    page, (first, second, third) = workspace.page, workspace.tasks
    count = page.locator(".attune-bar__count")
    expect(count).to_have_text("0 of 3 done")
    with page.expect_response(lambda seen: f"/api/tasks/{first}/drafts" in seen.url, timeout=20_000):
        page.keyboard.press("2")
    workspace.press("bottombar-submit-button", "POST", f"/api/tasks/{first}/annotations")
    page.get_by_text("workspace-text 1").first.wait_for()
    expect(count).to_have_text("1 of 3 done")
    workspace.press("bottombar-skip-button", "POST", f"/api/tasks/{second}/annotations")
    page.get_by_text("workspace-text 2").first.wait_for()
    expect(count).to_have_text("1 of 3 done, 1 skipped")
    end = page.get_by_role("heading", name="Batch done")
    expect(end).to_be_hidden()
    workspace.press("bottombar-submit-button", "POST", f"/api/tasks/{third}/annotations")
    expect(end).to_be_focused()
    expect(page.get_by_text("You have answered 2 of 3 items. You skipped 1: open it again")).to_be_visible()
    expect(page.locator(".attune-end").get_by_role("link")).to_have_attribute("href", RETURN_URL)
    assert _counts(owner, workspace.project) == [(1, 0), (0, 1), (1, 0)]

    workspace.open_item(0)
    page.locator(".lsf-editor input[type=checkbox]").first.click()
    workspace.press("bottombar-update-button", "PATCH", "/api/annotations/")
    workspace.open_item(1)
    with page.expect_response(lambda seen: seen.request.method == "DELETE"):
        page.get_by_text("Cancel skip").click()
    workspace.open_item(2)
    page.locator(".lsf-annotation-button__trigger").first.click()
    page.get_by_text("Delete Annotation").click()
    with page.expect_response(lambda seen: seen.request.method == "DELETE"):
        page.get_by_role("button", name="Delete").last.click()
    expect(count).to_have_text("1 of 3 done")
    assert _counts(owner, workspace.project) == [(1, 0), (0, 0), (0, 0)]
    assert workspace.refused == []


def test_the_page_is_only_the_labelling(workspace: Workspace) -> None:
    back = workspace.page.get_by_role("link", name="Back to Attune")
    assert back.get_attribute("href") == RETURN_URL
    assert workspace.page.get_by_text("Kind words · Overlap").is_visible()
    assert workspace.page.get_by_text("Amal Haddad").is_visible()
    elsewhere = [link for link in workspace.page.get_by_role("link").all() if link.is_visible()]
    assert [link.get_attribute("href") for link in elsewhere] == [RETURN_URL]
    bar = workspace.page.locator(".attune-bar").bounding_box()
    editor = workspace.page.locator(".lsf-content-wrapper__body").bounding_box()
    assert bar is not None
    assert editor is not None
    assert bar["y"] + bar["height"] <= editor["y"]


def test_the_colours_follow_the_system_and_no_toast_stands_there_empty(workspace: Workspace) -> None:
    page, colours = workspace.page, workspace.page.locator("html")
    expect(colours).to_have_attribute("data-color-scheme", "light")
    page.emulate_media(color_scheme="dark")
    expect(colours).to_have_attribute("data-color-scheme", "dark")
    page.reload()
    page.get_by_text("workspace-text 0").first.wait_for()
    page.wait_for_load_state("networkidle")
    expect(colours).to_have_attribute("data-color-scheme", "dark")
    page.evaluate(WATCH_TOASTS)
    workspace.press("bottombar-skip-button", "POST", "/annotations")
    page.get_by_text("Task skipped successfully").first.wait_for()
    expect(page.get_by_text("workspace-text 1").first).to_be_visible()
    expect(page.locator("[class*=messageToast]")).to_have_count(0)
    toasts = page.evaluate("window.toasts")
    assert {("Task skipped successfully", "visible"), ("", "hidden")} == {tuple(toast) for toast in toasts}


def _counts(owner: httpx.Client, project: int) -> list[tuple[int, int]]:
    rows = owner.get(f"/attune/projects/{project}/tasks").json()["tasks"]
    return [(row["annotations"], row["skipped"]) for row in rows]
