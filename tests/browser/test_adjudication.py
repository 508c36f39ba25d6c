"""A researcher adjudicates ten items by keyboard alone, in a real browser, and another one gets in between."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone
from playwright.sync_api import Dialog, expect
from pytest_django.live_server_helper import LiveServer

from backend.decide.adjudication import queue_rows
from backend.decide.adjudication.models import Decision, DecisionRound, Way
from backend.decide.adjudication.queue import queue_for
from backend.decide.adjudication.queue_rows import refresh_queue
from backend.decide.adjudication.selectors import decided_answers, final_decisions
from backend.decide.adjudication.services import Draft, decide
from backend.design.samples.models import Item
from tests.backend.decide.adjudication.fixtures import EMOTIONS, Bench
from tests.batch_fixtures import CastAtWork
from tests.browser.adjudication_workspace import at_item, disputed, last_of, open_item, press
from tests.browser.conftest import Visit
from tests.browser.fitting import assert_accessible


def test_ten_items_by_keyboard_alone(logged_in: Visit, work: CastAtWork, live_server: LiveServer) -> None:
    """Nothing here moves the mouse: what the keys cannot do would fail."""
    bench = disputed(work, 10)
    queue = [entry.item_pk for entry in queue_for(bench.cast.rosa, bench.study).entries]
    items = [next(item for item in bench.items if item.pk == pk) for pk in queue]
    page = logged_in(bench.cast.rosa)
    page.goto(f"{live_server.url}/studies/{bench.study.slug}/adjudication")
    press(page, "?")
    keys = page.get_by_role("dialog")
    expect(keys.get_by_role("heading", name="Keyboard shortcuts")).to_be_in_viewport()
    expect(keys.get_by_role("button", name="Close")).to_be_in_viewport()
    press(page, "Escape", "j")

    # 1: one side is accepted whole
    at_item(page, items[0])
    press(page, "1", "s")
    at_item(page, items[1])
    assert_accessible(page, "an item to be adjudicated")
    expect(page.get_by_text("Saved.")).to_be_visible()
    assert (last_of(items[0]).way, last_of(items[0]).accepted_from) == (Way.ACCEPTED, bench.cast.amal)

    # 2: the majority's answer, with a reason
    press(page, "m", "r")
    page.keyboard.type("Two of three, and rightly so.")
    press(page, "Control+Enter")
    at_item(page, items[2])
    assert (last_of(items[1]).way, last_of(items[1]).reason) == (
        Way.MAJORITY,
        "Two of three, and rightly so.",
    )

    # 3: a written answer, its snippet chosen word by word behind an emoji: "I feel lost"
    press(page, "Space", "c", "ArrowRight", "ArrowRight", "ArrowLeft", "Shift+ArrowRight", "Shift+ArrowRight")
    press(page, "Enter", "Escape", "s")
    at_item(page, items[3])
    written = decided_answers(last_of(items[2]))
    text = items[2].post_text
    assert [text[span.start : span.end] for span in written.spans] == ["I feel lost"]
    assert last_of(items[2]).way == Way.WRITTEN

    # 4: not there, by one key; 5: for the focused code only, from the third annotator
    press(page, "x", "s")
    at_item(page, items[4])
    assert decided_answers(last_of(items[3])).spans == ()
    press(page, "Shift+Digit3", "s")
    at_item(page, items[5])
    assert sum(one.value for one in decided_answers(last_of(items[4])).judgments) == 0

    # 6: a slip, undone from the next page, decided again
    press(page, "3", "s")
    at_item(page, items[6])
    press(page, "z")
    at_item(page, items[5])
    expect(page.get_by_text("Undone: nothing is decided about this item now.")).to_be_visible()
    assert last_of(items[5]).way == Way.UNDONE
    press(page, "2", "s")
    at_item(page, items[6])
    assert (last_of(items[5]).number, last_of(items[5]).accepted_from) == (3, bench.cast.bea)

    # 7: Ravi is quicker; both answers are shown, nothing is lost, and saving again is a decision
    press(page, "1", "r")
    page.keyboard.type("Mine.")
    _decides(bench, items[6])
    press(page, "Control+Enter")
    expect(page.get_by_text("Somebody else was quicker")).to_be_visible()
    expect(page.get_by_text("Ravi thinks so.").first).to_be_visible()
    expect(page.locator("textarea[name=reason]")).to_have_value("Mine.")
    assert last_of(items[6]).author == bench.cast.ravi
    press(page, "s")
    at_item(page, items[7])
    assert (last_of(items[6]).author, last_of(items[6]).reason) == (bench.cast.rosa, "Mine.")
    assert last_of(items[6]).number == 2

    # 8: skipped, then 9 with a snippet taken over and one removed, 10, and 8 again
    press(page, "n")
    at_item(page, items[8])
    press(page, "t", "1", "Backspace")
    press(page, "s")
    expect(page.get_by_text("This code needs words")).to_be_visible()
    press(page, "t", "1", "s")
    at_item(page, items[9])
    assert decided_answers(last_of(items[8])).spans == bench.answer(items[8], EMOTIONS).spans
    press(page, "m", "s")
    at_item(page, items[7])
    press(page, "1", "s")
    expect(page.get_by_text("Everything is settled")).to_be_visible()
    next_step = page.get_by_role("link", name="Next: freeze a release")
    expect(next_step).to_have_attribute("href", f"/studies/{bench.study.slug}/releases/new")
    assert set(final_decisions(bench.study)) == set(queue)
    own = Decision.objects.filter(author=bench.cast.rosa).exclude(way=Way.UNDONE)
    assert all(decision.seconds is not None and decision.seconds < 60 for decision in own)


def _decides(bench: Bench, item: Item) -> None:
    decide(
        item=item,
        draft=Draft(bench.answer(item), reason="Ravi thinks so."),
        actor=bench.cast.ravi,
        decision_round=DecisionRound.FIRST,
        expected_number=0,
        now=timezone.now(),
    )


def test_leaving_asks_only_if_there_is_something_to_lose(
    logged_in: Visit, work: CastAtWork, live_server: LiveServer
) -> None:
    bench = disputed(work, 2)
    page = logged_in(bench.cast.rosa)
    asked: list[str] = []

    def accept(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", accept)
    open_item(page, live_server, bench.items[0])
    press(page, "j", "c", "Escape", "n")
    at_item(page, bench.items[1])

    press(page, "r")
    page.keyboard.type("A long thought.")
    press(page, "Escape", "n")
    question = page.get_by_role("dialog", name="Leave without saving?")
    expect(question).to_be_visible()
    question.get_by_role("button", name="Cancel").click()
    at_item(page, bench.items[1])
    expect(page.locator("textarea[name=reason]")).to_have_value("A long thought.")
    press(page, "u")
    question.get_by_role("button", name="Leave").click()
    expect(page).to_have_url(re.compile(r"/adjudication$"))
    assert asked == []

    open_item(page, live_server, bench.items[1])
    press(page, "1")
    page.goto(live_server.url)
    assert asked == ["beforeunload"]
    assert not Decision.objects.exists()


def test_one_key_undoes_only_what_was_just_saved(
    logged_in: Visit, work: CastAtWork, live_server: LiveServer
) -> None:
    bench = disputed(work, 3)
    page = logged_in(bench.cast.rosa)
    open_item(page, live_server, bench.items[0])
    press(page, "1", "s")
    expect(page.get_by_text("Saved.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Your last decision:")).to_be_visible()
    press(page, "z")
    page.get_by_role("button", name="Undo").click()
    assert last_of(bench.items[0]).way == Way.ACCEPTED
    page.get_by_role("dialog").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("Undone: nothing is decided")).to_be_visible()
    assert last_of(bench.items[0]).way == Way.UNDONE


def test_the_queue_shows_its_new_numbers_by_itself(
    logged_in: Visit, work: CastAtWork, live_server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue_rows, "CHUNK", 1)
    bench = disputed(work, 3)
    page = logged_in(bench.cast.rosa)
    for item in bench.items[:2]:
        bench.decide(item, bench.cast.rosa, EMOTIONS)
    page.goto(f"{live_server.url}/studies/{bench.study.slug}/adjudication")
    settled = page.get_by_role("link", name=re.compile("^Settled"))
    expect(page.get_by_text("The queue is being counted again")).to_be_visible()
    expect(settled).to_have_text(re.compile("0$"))
    page.wait_for_timeout(2500)
    refresh_queue(bench.study)
    expect(settled).to_have_text(re.compile("2$"))
    expect(page.get_by_text("The queue is being counted again")).to_have_count(0)
