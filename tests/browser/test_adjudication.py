"""A researcher adjudicates ten items by keyboard alone, in a real browser, and another one gets in between."""

from __future__ import annotations

import re

from django.utils import timezone
from playwright.sync_api import Dialog, Locator, Page, expect
from pytest_django.live_server_helper import LiveServer

from annotation.answers import Answers, Judgment, Span
from backend.adjudication.models import Decision, Sitting, Suspicion, SuspicionKind, Way
from backend.adjudication.queue import queue_for
from backend.adjudication.selectors import decided_answers, final_decisions
from backend.adjudication.services import Draft, decide
from backend.codebooks.services import add_edition
from backend.samples.models import Item
from codebook.schema import Part
from codebook.shipped import shipped_path
from tests.backend.adjudication.scene import ADVICE, EMOTIONS, Bench, marked
from tests.browser.conftest import Visit
from tests.cast import NOW, Cast
from tests.given_work import CastAtWork, made_items


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def at_item(page: Page, item: Item) -> None:
    expect(page).to_have_url(re.compile(rf"/items/{item.item_id}(\?|$)"))
    expect(page.locator("tr[aria-current]")).to_have_count(1)


def last_of(item: Item) -> Decision:
    decision = Decision.objects.filter(item=item).order_by("pk").last()
    assert decision is not None
    return decision


def test_ten_items_by_keyboard_alone(logged_in: Visit, work: CastAtWork, live_server: LiveServer) -> None:
    """Nothing here moves the mouse: what the keys cannot do would fail."""
    bench = Bench(work, n_items=10)
    for item in bench.items:
        bench.disagree(item)
    queue = [entry.item_pk for entry in queue_for(bench.cast.rosa, bench.study).entries]
    items = [next(item for item in bench.items if item.pk == pk) for pk in queue]
    page = logged_in(bench.cast.rosa)
    page.goto(f"{live_server.url}/studies/{bench.study.slug}/adjudication")
    press(page, "j")

    # 1: one side is accepted whole
    at_item(page, items[0])
    press(page, "1", "s")
    at_item(page, items[1])
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
    assert set(final_decisions(bench.study)) == set(queue)
    own = Decision.objects.filter(author=bench.cast.rosa).exclude(way=Way.UNDONE)
    assert all(0 < (decision.seconds or 0) < 60 for decision in own)


def _decides(bench: Bench, item: Item) -> None:
    decide(
        item=item,
        draft=Draft(bench.answer(item), reason="Ravi thinks so."),
        actor=bench.cast.ravi,
        sitting=Sitting.FIRST,
        expected_number=0,
        now=timezone.now(),
    )


def test_words_selected_with_the_mouse_snap_to_whole_words(
    logged_in: Visit, work: CastAtWork, live_server: LiveServer
) -> None:
    bench = Bench(work, n_items=1)
    item = bench.items[0]
    bench.disagree(item, ADVICE)
    page = logged_in(bench.cast.rosa)
    page.goto(f"{live_server.url}/studies/{bench.study.slug}/adjudication/items/{item.item_id}")
    words = page.locator("[data-part=reply] span[data-s]")
    first, last = words.filter(has_text="talk").bounding_box(), words.filter(has_text="number").bounding_box()
    assert first is not None
    assert last is not None
    page.mouse.move(first["x"] + 6, first["y"] + 10)
    page.mouse.down()
    page.mouse.move(last["x"] + 12, last["y"] + 10, steps=4)
    page.mouse.up()
    press(page, "e", "s")
    expect(page.get_by_text("Everything is settled")).to_be_visible()
    reply = item.reply_text or ""
    start = reply.index("talk to number")
    assert decided_answers(last_of(item)).spans == (
        Span(ADVICE, Part.REPLY, start, start + len("talk to number")),
    )


def bench_of(
    cast: Cast, codebook: str, *, n_items: int = 1, change: tuple[str, str] = ("evidence", "evidence")
) -> Bench:
    """The same people under another codebook, or under one that is changed a little."""
    path = shipped_path(codebook)
    edition = add_edition(
        study=cast.study,
        source=path.read_text().replace(*change),
        file_name=path.name,
        note="First",
        actor=cast.rosa,
        now=NOW,
    )
    items = made_items(cast.study, n_items)
    return Bench(CastAtWork(cast.study, cast.rosa, edition, items, cast), n_items=n_items)


def test_levels_are_set_by_their_numbers(logged_in: Visit, cast: Cast, live_server: LiveServer) -> None:
    bench = bench_of(cast, "epitome")
    item = bench.items[0]
    bench.disagree(item, "emotional-reactions")
    page = logged_in(bench.cast.rosa)
    page.goto(f"{live_server.url}/studies/{bench.study.slug}/adjudication/items/{item.item_id}")
    press(page, "v", "2", "t", "1", "s")
    expect(page.get_by_text("Everything is settled")).to_be_visible()
    values = {one.code_id: one.value for one in decided_answers(last_of(item)).judgments}
    assert values == {"emotional-reactions": 2, "interpretations": 0, "explorations": 0}


def test_marked_sentences_are_whole_ones(logged_in: Visit, cast: Cast, live_server: LiveServer) -> None:
    bench = bench_of(cast, "empathy-cause")
    item = bench.items[0]
    (code,) = [code.id for _, code in bench.work.codebook.coded_questions()][:1]
    text = item.post_text
    last = Span(code, Part.POST, text.index("What"), len(text))
    bench.hand_in(bench.cast.amal, item, Answers((Judgment(code, 1),), (last,), None))
    for annotator in bench.annotators[1:]:
        bench.hand_in(annotator, item, Answers((Judgment(code, 0),), (), None))
    page = logged_in(bench.cast.rosa)
    page.goto(f"{live_server.url}/studies/{bench.study.slug}/adjudication/items/{item.item_id}")
    press(page, "c", "End", "Enter", "Escape", "s")
    expect(page.get_by_text("Everything is settled")).to_be_visible()
    assert decided_answers(last_of(item)).spans == (last,)


def open_item(page: Page, live_server: LiveServer, item: Item) -> None:
    page.goto(f"{live_server.url}/studies/{item.study.slug}/adjudication/items/{item.item_id}")
    at_item(page, item)


def tab_to(page: Page, target: Locator) -> None:
    """By the keyboard, as somebody does who knows no shortcut."""
    for _ in range(60):
        if target.evaluate("node => node === document.activeElement"):
            return
        press(page, "Tab")
    raise AssertionError("The tab key does not lead there.")


def test_enter_presses_the_button_or_link_in_focus(
    logged_in: Visit, work: CastAtWork, live_server: LiveServer
) -> None:
    bench = Bench(work, n_items=2)
    for item in bench.items:
        bench.disagree(item)
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


def test_words_that_differ_are_open_until_somebody_chose_or_confirmed(
    logged_in: Visit, cast: Cast, live_server: LiveServer
) -> None:
    bench = bench_of(
        cast, "empathy-practices", n_items=2, change=("evidence: required", "evidence: optional")
    )
    for item in bench.items:
        for annotator, words in zip(bench.annotators, ["I feel", "today", "I feel"], strict=True):
            bench.hand_in(annotator, item, marked(bench.work, item, EMOTIONS, words))
    page = logged_in(bench.cast.rosa)
    open_item(page, live_server, bench.items[0])
    expect(page.locator("[data-status]")).to_have_text("1 code still open")
    press(page, "s")
    expect(page.get_by_text("Others’ words differ")).to_be_visible()
    press(page, "v", "1", "s")
    at_item(page, bench.items[1])
    assert decided_answers(last_of(bench.items[0])).spans == ()
    press(page, "t", "2", "s")
    expect(page.get_by_text("Everything is settled")).to_be_visible()
    assert (
        decided_answers(last_of(bench.items[1])).spans
        == marked(bench.work, bench.items[1], EMOTIONS, "today").spans
    )


def test_taking_another_column_keeps_nothing_of_the_first(
    logged_in: Visit, work: CastAtWork, live_server: LiveServer
) -> None:
    """Bea's cell is made as empty as it is for a code that her older edition does not have."""
    bench = Bench(work, n_items=1)
    item = bench.items[0]
    bench.all_say(item, [EMOTIONS, ADVICE], [EMOTIONS], [ADVICE])
    page = logged_in(bench.cast.rosa)
    open_item(page, live_server, item)
    advice = page.locator(f"tr[data-code={ADVICE}]")
    advice.locator("[data-column='2']").evaluate(
        "cell => { cell.dataset.value = ''; cell.dataset.spans = ''; }"
    )
    press(page, "1")
    expect(advice.get_by_label("Yes")).to_be_checked()
    press(page, "2")
    expect(advice.locator("input:checked")).to_have_count(0)
    expect(advice.locator(".snippet")).to_have_count(0)
    expect(page.locator("[data-status]")).to_have_text("1 code still open")
    press(page, "Shift+Digit3", "2")
    expect(advice.get_by_label("Yes")).to_be_checked()


def test_three_clicks_select_a_line(logged_in: Visit, work: CastAtWork, live_server: LiveServer) -> None:
    bench = Bench(work, n_items=1)
    item = bench.items[0]
    bench.disagree(item)
    page = logged_in(bench.cast.rosa)
    open_item(page, live_server, item)
    page.locator("[data-part=post] span[data-s]").filter(has_text="would").click(click_count=3)
    press(page, "e")
    expect(page.locator(".snippet")).to_have_count(1)
    press(page, "s")
    expect(page.get_by_text("Everything is settled")).to_be_visible()
    (span,) = decided_answers(last_of(item)).spans
    assert item.post_text[span.start : span.end].endswith("What would you do?")


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


def test_ctrl_enter_in_another_form_is_not_the_desks(
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


def test_leaving_asks_only_if_there_is_something_to_lose(
    logged_in: Visit, work: CastAtWork, live_server: LiveServer
) -> None:
    bench = Bench(work, n_items=2)
    for item in bench.items:
        bench.disagree(item)
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
    bench = Bench(work, n_items=3)
    for item in bench.items:
        bench.disagree(item)
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
