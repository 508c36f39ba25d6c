"""The labelling page in a browser, as an annotator works on it: keys, boxes, words drawn over with the mouse."""

from __future__ import annotations

from dataclasses import dataclass

from playwright.sync_api import Locator, Page, expect

# Where the words begin and end on the screen, so that a mouse can be drawn over them.
WORDS = """(text, words) => {
  const walk = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const at = node.data.indexOf(words);
    if (at < 0) continue;
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + words.length);
    const [first, last] = [range.getClientRects()[0], [...range.getClientRects()].at(-1)];
    return [first.left, first.top + first.height / 2, last.right, last.top + last.height / 2];
  }
}"""


@dataclass(frozen=True)
class LabellingPage:
    page: Page

    def wait(self) -> None:
        """Until an item is there to be worked on: the page draws a text before it listens to keys."""
        self.text().wait_for()
        self.page.wait_for_load_state("networkidle")

    def text(self, heading: str = "Please read the post") -> Locator:
        return self.page.locator(".attune-text").filter(has_text=heading).locator(".lsf-htx-richtext")

    def code(self, code_id: str) -> Locator:
        return self.page.locator(f".attune-code-{code_id}")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def select(self, text: Locator, words: str) -> None:
        left, top, right, bottom = text.evaluate(WORDS, words)
        self.page.mouse.move(left + 1, top)
        self.page.mouse.down()
        self.page.mouse.move(right - 1, bottom, steps=5)
        self.page.mouse.up()

    def dismiss_warning(self) -> None:
        """A click while the dialog still grows to its place would miss its button."""
        button = self.page.get_by_role("button", name="OK")
        button.wait_for()
        expect(self.page.locator(".ant-modal[class*=zoom-]")).to_have_count(0)
        button.click()
        expect(button).to_be_hidden()

    def submit(self) -> int:
        """The number of the annotation that Label Studio acknowledged."""
        return self._acknowledged("POST", "bottombar-submit-button")

    def update(self) -> int:
        return self._acknowledged("PATCH", "bottombar-update-button")

    def _acknowledged(self, method: str, button: str) -> int:
        with self.page.expect_response(
            lambda response: response.request.method == method and "/annotations" in response.url
        ) as answer:
            self.page.get_by_test_id(button).click()
        return int(answer.value.json()["id"])
