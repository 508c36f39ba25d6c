"""The workspace's keys do what they say, on any keyboard, and nothing where another form has them."""

from __future__ import annotations

from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from backend.decide.adjudication.models import Decision, Suspicion, SuspicionKind
from tests.backend.decide.adjudication.fixtures import ADVICE, EMOTIONS, Bench
from tests.batch_fixtures import CastAtWork
from tests.browser.adjudication_workspace import (
    at_item,
    bench_of,
    disputed,
    last_of,
    open_item,
    press,
    tab_to,
)
from tests.browser.conftest import Visit
from tests.cast import NOW, Cast


def test_enter_presses_the_button_or_link_in_focus(
    logged_in: Visit, work: CastAtWork, live_server: LiveServer
) -> None:
    bench = disputed(work, 2)
    page = logged_in(bench.cast.rosa)
    open_item(page, live_server, bench.items[0])
    page.locator("a[data-shortcut=n]").focus()
    press(page, "Enter")
    at_item(page, bench.items[1])
    press(page, "1")
    tab_to(page, page.locator("[data-save]"))
    press(page, "Enter")
    at_item(page, bench.items[0])
    assert last_of(bench.items[1]).accepted_from == bench.cast.amal
    press(page, "?")
    expect(page.locator("dialog dt").filter(has_text="Enter")).to_have_count(1)
    expect(page.get_by_text("Add the selected words to the focused code")).to_be_visible()


def test_the_final_answers_are_reached_by_tab(
    logged_in: Visit, work: CastAtWork, live_server: LiveServer
) -> None:
    bench = Bench(work, n_items=1)
    item = bench.items[0]
    bench.all_say(item, [ADVICE], [], [])
    page = logged_in(bench.cast.rosa)
    open_item(page, live_server, item)
    row = page.locator("tr[aria-current]")
    tab_to(page, row.get_by_label("No"))
    press(page, "Space")
    expect(row.get_by_label("No")).to_be_checked()
    press(page, "o", "j")
    expect(page.locator("tr[aria-current]")).not_to_have_attribute("data-code", ADVICE)
    stops = "input[type=radio]:not([tabindex='-1'])"
    expect(page.locator(f"tr[data-code] {stops}")).to_have_count(2)
    expect(page.locator(f"tr[aria-current] {stops}")).to_have_count(2)


def press_on_azerty(page: Page, *keys: dict[str, object]) -> None:
    """Digits are written with Shift there; without it the same keys write signs and accented letters."""
    down = "(node, key) => node.dispatchEvent(new KeyboardEvent('keydown', {bubbles: true, cancelable: true, ...key}))"
    for key in keys:
        page.locator(":focus").evaluate(down, key)


SHIFT = {"key": "Shift", "code": "ShiftLeft", "shiftKey": True}


def test_keyboards_that_write_digits_with_shift(
    logged_in: Visit, cast: Cast, live_server: LiveServer
) -> None:
    bench = bench_of(cast, "epitome")
    item = bench.items[0]
    bench.disagree(item, "emotional-reactions")
    page = logged_in(bench.cast.rosa)
    open_item(page, live_server, item)
    row = page.locator("tr[aria-current]")
    press_on_azerty(
        page, {"key": "v", "code": "KeyV"}, SHIFT, {"key": "2", "code": "Digit2", "shiftKey": True}
    )
    expect(row.locator("input:checked")).to_have_value("2")
    press_on_azerty(page, {"key": "v", "code": "KeyV"}, {"key": "&", "code": "Digit1"})
    expect(row.locator("input:checked")).to_have_value("1")
    press_on_azerty(page, SHIFT, {"key": "3", "code": "Digit3", "shiftKey": True})
    expect(row.locator("input:checked")).to_have_value("0")
    expect(page.locator("[data-take='3']")).to_have_attribute("aria-pressed", "true")
    press_on_azerty(page, {"key": "é", "code": "Digit2"})
    expect(row.locator("input:checked")).not_to_have_value("0")
    press_on_azerty(page, {"key": "-", "code": "Digit6"})
    expect(row.locator("input:checked")).to_have_value("0")
    expect(page.locator("[data-take='3']")).to_have_attribute("aria-pressed", "true")


def test_ctrl_enter_in_another_form_is_not_the_workspaces(
    logged_in: Visit, work: CastAtWork, live_server: LiveServer
) -> None:
    bench = Bench(work, n_items=1)
    item = bench.items[0]
    bench.disagree(item)
    detail = {"annotator": "amal", "other": item.item_id, "values": [1, 0]}
    Suspicion.objects.create(
        item=item, kind=SuspicionKind.RECHECK, code=EMOTIONS, detail=detail, detail_hash="x", found_at=NOW
    )
    page = logged_in(bench.cast.rosa)
    open_item(page, live_server, item)
    press(page, "1")
    page.get_by_placeholder("Why the labels are right").fill("A slip of the finger.")
    press(page, "Control+Enter")
    page.wait_for_timeout(300)
    assert not Decision.objects.exists()
    at_item(page, item)
