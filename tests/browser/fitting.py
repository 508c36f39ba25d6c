"""A page that is open fits, wide and narrow, light and dark; it is resized and not loaded again."""

from __future__ import annotations

from typing import Literal

from playwright.sync_api import Page, expect

WIDTHS = (1440, 390)
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def assert_fits(page: Page, address: str) -> None:
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth") <= width, (address, width, scheme)
