"""The tour of the demo: it leads through its pages by keyboard, stays away once it was put away, and begins again."""

from __future__ import annotations

from django.utils import timezone
from playwright.sync_api import expect
from pytest_django.fixtures import Settings

from backend.core.accounts.models import User
from backend.operate.demo.story.loading import load_story
from tests.browser.conftest import Visit


def test_the_tour_is_taken_ended_and_taken_again(
    transactional_db: None, settings: Settings, logged_in: Visit
) -> None:
    settings.DEMO = "story"
    study = load_story(password="a-demo-password", clock=timezone.now, say=lambda line: None)
    page = logged_in(User.objects.get(username="rosa"))
    page.set_viewport_size({"width": 390, "height": 844})
    overview = page.url.rstrip("/") + f"/studies/{study.slug}"
    page.goto(overview)
    tour = page.locator("[data-tour]")
    expect(tour).to_contain_text("Tour, 1 of 5")
    tour.get_by_role("button", name="Next").click()
    page.wait_for_url("**/agreement/rounds")
    expect(tour).to_contain_text("Tour, 2 of 5")
    expect(tour.get_by_role("button", name="Next")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(overview)
    expect(tour).to_contain_text("Tour, 1 of 5")
    page.goto(f"{overview}/codebook")
    expect(tour.get_by_role("button", name="Go there")).to_be_visible()
    page.goto(overview)
    page.keyboard.press("Escape")
    expect(tour).to_be_hidden()
    page.reload()
    expect(tour).to_be_hidden()
    page.get_by_role("button", name="Take the tour").first.click()
    expect(tour).to_contain_text("Tour, 1 of 5")
    for _ in range(4):
        at = tour.locator("[data-tour-count]").inner_text()
        page.keyboard.press("Enter")
        expect(tour.locator("[data-tour-count]")).not_to_have_text(at)
        expect(tour.locator("[data-tour-next]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(tour).to_be_hidden()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390, f"the page is {width} px wide"
