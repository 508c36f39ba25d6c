"""Annotating works in a browser under the enforced content policy, and nothing is fetched from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from label_studio_sdk import LabelStudio
from label_studio_sdk.types import RoleBasedTask
from playwright.sync_api import ConsoleMessage, Page

from tests.integration.access_people import sign_in_address
from tests.integration.label_studio_server import RunningLabelStudio

pytestmark = pytest.mark.label_studio

CONFIG = """
<View>
  <Labels name="evidence" toName="post"><Label value="here" hotkey="1"/></Labels>
  <Text name="post" value="$post" granularity="symbol"/>
  <Choices name="thanks" toName="post"><Choice value="yes" hotkey="2"/></Choices>
</View>
"""


def test_an_item_is_judged(
    label_studio: RunningLabelStudio, label_studio_owner: LabelStudio, page: Page
) -> None:
    project = label_studio_owner.projects.create(title="one item", label_config=CONFIG)
    label_studio_owner.tasks.create(project=project.id, data={"post": "Thank you all 🙂 for listening"})
    blocked: list[str] = []
    elsewhere: list[str] = []

    def note_block(message: ConsoleMessage) -> None:
        if "Content Security Policy" in message.text:
            blocked.append(message.text)

    page.on("console", note_block)
    page.on("request", lambda request: elsewhere.append(request.url))

    page.goto(sign_in_address(label_studio, None, "/projects/"))
    page.goto(f"{label_studio.url}/projects/{project.id}/data?labeling=1")
    page.get_by_text("Thank you all").wait_for()
    page.wait_for_load_state("networkidle")
    page.keyboard.press("2")
    with page.expect_response(
        lambda response: response.request.method == "POST" and "annotations" in response.url
    ):
        page.get_by_test_id("bottombar-submit-button").click()

    tasks: Iterable[RoleBasedTask] = label_studio_owner.tasks.list(project=project.id, fields="all")
    assert [task.total_annotations for task in tasks] == [1]
    assert blocked == []
    local = (label_studio.url, "data:", f"blob:{label_studio.url}")
    assert [url for url in elsewhere if not url.startswith(local)] == []
