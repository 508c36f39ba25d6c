"""A page that is open fits, wide and narrow, light and dark, and axe finds nothing serious; it is not loaded again."""

from __future__ import annotations

from typing import Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect

WIDTHS = (1440, 390)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
# Only colours depend on the scheme: in the dark, axe is asked about contrast alone.
_AXE = """async (contrastOnly) => {
  document.getAnimations().filter((each) => each instanceof CSSTransition).forEach((each) => each.finish());
  const options = { resultTypes: ["violations"], elementRef: false };
  if (contrastOnly) options.runOnly = ["color-contrast"];
  const { violations } = await axe.run(document, options);
  return violations
    .filter((each) => ["serious", "critical"].includes(each.impact))
    .flatMap((each) => each.nodes.map((node) => `${each.id}: ${node.target.join(" ")} ${node.failureSummary ?? ""}`));
}"""


def assert_fits(page: Page, address: str) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (address, width, scheme)
    page.set_viewport_size({"width": WIDTHS[0], "height": 900})
    assert_accessible(page, address)


def assert_accessible(page: Page, address: str) -> None:
    """Axe finds nothing serious or critical in what is open."""
    page.evaluate(AXE_SCRIPT)
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate(_AXE, scheme == "dark")
        assert found == [], (address, scheme, found)
