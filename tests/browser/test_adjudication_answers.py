"""Words, levels and sentences at the workspace end up as the researcher chose them."""

from __future__ import annotations

from playwright.sync_api import expect
from pytest_django.live_server_helper import LiveServer

from annotation.answers import Answers, Judgment, Span
from backend.decide.adjudication.selectors import decided_answers
from codebook.schema import Part
from tests.backend.decide.adjudication.fixtures import ADVICE, EMOTIONS, Bench, marked
from tests.batch_fixtures import CastAtWork
from tests.browser.adjudication_workspace import at_item, bench_of, last_of, open_item, press
from tests.browser.conftest import Visit
from tests.cast import Cast


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
