"""The pages of adjudication: they work without scripts, lose nothing that was typed, and stay quick."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotation.answers import Span
from backend.core.accounts.models import User
from backend.core.jobs.models import Job
from backend.core.studies.models import Event
from backend.decide.adjudication.models import (
    AdjudicationPlan,
    Decision,
    DecisionRound,
    Suspicion,
    SuspicionKind,
    Way,
)
from backend.decide.adjudication.queue import queue_for
from backend.decide.adjudication.queue_rows import refresh_queue
from backend.decide.adjudication.selectors import decided_answers
from backend.design.samples.models import Item
from codebook.schema import Part
from tests.backend.annotate.discussions.test_pages import found
from tests.backend.decide.adjudication.fixtures import ADVICE, EMOTIONS, Bench, marked
from tests.backend.decide.adjudication.many import A_YEAR, hand_in_thousands, seconds_for
from tests.cast import NOW
from tests.timing import quickest


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def address(item: Item) -> str:
    return reverse("adjudication:item", args=[item.study.slug, item.item_id])


def filled(bench: Bench, item: Item, *codes: str, **more: str) -> dict[str, str]:
    """What a browser without scripts would send: values, and quotes by their words."""
    answers = bench.answer(item, *codes)
    body = {f"value-{one.code_id}": str(one.value) for one in answers.judgments}
    for span in answers.spans:
        text = item.post_text if span.part is Part.POST else item.reply_text or ""
        body[f"quotes-{span.code_id}"] = text[span.start : span.end]
    return body | {"decision_round": "1", "expected_number": "0"} | more


def test_without_scripts_quotes_are_found_in_the_text(bench: Bench) -> None:
    item = bench.items[0]
    bench.disagree(item)
    body = filled(bench, item, EMOTIONS, reason="So it is.") | {f"quotes-{EMOTIONS}": "I feel lost"}
    answer = client_of(bench.cast.rosa).post(address(item), body)
    decision = Decision.objects.get()
    assert answer.headers["Location"].endswith(f"/adjudication?saved={decision.pk}")
    start = item.post_text.index("I feel lost")
    assert decided_answers(decision).spans == (Span(EMOTIONS, Part.POST, start, start + 11),)
    assert (decision.way, decision.reason) == (Way.WRITTEN, "So it is.")


def test_without_scripts_every_answer_is_reached_by_tab(bench: Bench) -> None:
    bench.disagree(bench.items[0])
    page = client_of(bench.cast.rosa).get(address(bench.items[0])).content
    radios = found(page, "//tr[@data-code]//input[@type='radio']")
    assert radios
    assert [radio for radio in radios if "tabindex" in radio.attrib] == []


def test_what_is_wrong_stands_beside_its_code_and_nothing_is_lost(bench: Bench) -> None:
    item = bench.items[0]
    bench.disagree(item)
    body = filled(bench, item, EMOTIONS, reason="A long thought.") | {f"quotes-{EMOTIONS}": "never said"}
    page = client_of(bench.cast.rosa).post(address(item), body).content.decode()
    assert "“never said” is not in the post" in page
    assert "A long thought." in page
    assert ">never said</textarea>" in page
    assert not Decision.objects.exists()


def test_an_undecided_code_is_asked_for(bench: Bench) -> None:
    item = bench.items[0]
    bench.disagree(item)
    body = filled(bench, item)
    del body[f"value-{EMOTIONS}"]
    page = client_of(bench.cast.rosa).post(address(item), body).content.decode()
    assert "“Sharing emotions” has no answer" in page


@pytest.mark.parametrize(
    ("said", "kept"), [("12.5", 12.5), ("90000", None), ("-1", None), ("nan", None), ("soon", None)]
)
def test_a_decision_is_never_refused_for_its_time(bench: Bench, said: str, kept: float | None) -> None:
    item = bench.items[0]
    bench.disagree(item)
    client_of(bench.cast.rosa).post(address(item), filled(bench, item, EMOTIONS, seconds=said))
    assert Decision.objects.get().seconds == kept


def test_what_is_wrong_with_a_field_is_said(bench: Bench) -> None:
    item = bench.items[0]
    bench.disagree(item)
    body = filled(bench, item, EMOTIONS) | {f"value-{EMOTIONS}": "7", f"spans-{ADVICE}": "0-1 " * 5001}
    page = client_of(bench.cast.rosa).post(address(item), body).content.decode()
    assert "This could not be saved" in page
    assert "Sharing emotions: Select a valid choice. 7 is not one of the available choices." in page
    assert "Offering personalised advice: Ensure this value has at most 20000 characters" in page
    assert not Decision.objects.exists()


def test_only_what_all_agree_on_is_filled_in(bench: Bench) -> None:
    item = bench.items[0]
    bench.all_say(item, [EMOTIONS, ADVICE], [EMOTIONS], [EMOTIONS])
    rows = {row.code.id: row for row in client_of(bench.cast.rosa).get(address(item)).context["rows"]}
    chosen = {code: [value for value, _, is_chosen in row.choices if is_chosen] for code, row in rows.items()}
    assert (chosen[EMOTIONS], chosen[ADVICE]) == ([1], [])
    assert rows[EMOTIONS].places
    assert rows[ADVICE].is_disputed


def test_words_that_differ_are_left_open(bench: Bench) -> None:
    item = bench.items[0]
    for annotator, words in zip(bench.annotators, ["I feel", "today", "I feel"], strict=True):
        bench.hand_in(annotator, item, marked(bench.work, item, EMOTIONS, words))
    client = client_of(bench.cast.rosa)
    rows = {row.code.id: row for row in client.get(address(item)).context["rows"]}
    assert (rows[EMOTIONS].places, rows[EMOTIONS].quotes, rows[EMOTIONS].has_words_left) == ("", "", True)
    assert (1, "Yes", True) in rows[EMOTIONS].choices
    bench.decide(item, bench.cast.rosa, EMOTIONS)
    again = {row.code.id: row for row in client.get(address(item)).context["rows"]}
    assert again[EMOTIONS].places
    assert not again[EMOTIONS].has_words_left


def test_a_conflict_shows_both_answers_and_saving_again_is_knowing(bench: Bench) -> None:
    item = bench.items[0]
    bench.disagree(item)
    bench.decide(item, bench.cast.ravi, EMOTIONS, reason="Ravi thinks so.")
    body = filled(bench, item, ADVICE, reason="Rosa does not.")
    answer = client_of(bench.cast.rosa).post(address(item), body)
    page = answer.content.decode()
    assert "Somebody else was quicker" in page
    assert "Ravi thinks so." in page
    assert "Rosa does not." in page
    assert [column.label for column in answer.context["columns"]] == ["Amal", "Bea", "Chen", "Ravi"]
    assert answer.context["expected_number"] == 1
    client_of(bench.cast.rosa).post(address(item), body | {"expected_number": "1"})
    assert Decision.objects.filter(item=item).values_list("author__username", "number").last() == ("rosa", 2)


def test_a_form_with_a_slip_does_not_hide_a_conflict(bench: Bench) -> None:
    """The form is shown again with the number that it saw first, and not with a newer one."""
    item = bench.items[0]
    bench.disagree(item)
    bench.decide(item, bench.cast.ravi, EMOTIONS)
    body = filled(bench, item, EMOTIONS) | {f"quotes-{EMOTIONS}": "never said"}
    answer = client_of(bench.cast.rosa).post(address(item), body)
    assert answer.context["expected_number"] == "0"


def test_undo_and_restore_lead_back_to_the_item(bench: Bench) -> None:
    item = bench.items[0]
    bench.disagree(item)
    decision = bench.decide(item, bench.cast.rosa, EMOTIONS)
    client = client_of(bench.cast.rosa)
    undone = client.post(reverse("adjudication:undo", args=[bench.study.slug, decision.pk]), follow=True)
    assert "Undone: nothing is decided" in undone.content.decode()
    restore = reverse("adjudication:restore", args=[bench.study.slug, decision.pk])
    again = client.post(restore, {"expected_number": "2"}, follow=True)
    assert "This decision stands again." in again.content.decode()
    assert Decision.objects.count() == 3


def test_the_second_researcher_sees_that_it_is_blind(bench: Bench) -> None:
    bench.plan(second_share=1.0)
    bench.disagree(bench.items[0])
    bench.decide(bench.items[0], bench.cast.rosa, EMOTIONS)
    page = client_of(bench.cast.ravi).get(address(bench.items[0])).content.decode()
    assert "A blind second decision" in page
    assert "Withheld until the blind second decision is made" in page
    client_of(bench.cast.ravi).post(
        address(bench.items[0]), filled(bench, bench.items[0], decision_round="2")
    )
    both = client_of(bench.cast.rosa).get(address(bench.items[0]))
    assert [column.label for column in both.context["columns"]][3:] == ["Rosa", "Ravi"]
    assert both.context["decision_round"] == DecisionRound.RECONCILING


def test_settings_are_saved_with_a_line_in_the_history(bench: Bench) -> None:
    client = client_of(bench.cast.rosa)
    settings = reverse("adjudication:settings", args=[bench.study.slug])
    client.post(settings, {"evidence_threshold": "0.7", "second_share": "0.2", "seed": "7"})
    plan = AdjudicationPlan.objects.get()
    assert (plan.evidence_threshold, plan.second_share, plan.seed) == (0.7, 0.2, 7)
    assert Event.objects.filter(summary__startswith="Set adjudication").count() == 1
    refused = client.post(settings, {"evidence_threshold": "2", "second_share": "0", "seed": "7"})
    assert refused.status_code == 200


def test_a_suspicion_is_dismissed_with_a_reason(bench: Bench) -> None:
    item = bench.items[0]
    bench.all_say(item, [], [], [])
    detail = {"annotator": "amal", "other": item.item_id, "values": [1, 0]}
    suspicion = Suspicion.objects.create(
        item=item, kind=SuspicionKind.RECHECK, code=EMOTIONS, detail=detail, detail_hash="x", found_at=NOW
    )
    client = client_of(bench.cast.rosa)
    assert "Amal said yes first and no when asked again." in client.get(address(item)).content.decode()
    dismiss = reverse("adjudication:dismiss", args=[bench.study.slug, suspicion.pk])
    assert "Give a reason" in client.post(dismiss, {"reason": " "}, follow=True).content.decode()
    client.post(dismiss, {"reason": "A slip of the finger."})
    suspicion.refresh_from_db()
    assert suspicion.dismissed_because == "A slip of the finger."
    assert queue_for(bench.cast.rosa, bench.study).entries == ()


def test_looking_for_suspects_is_left_to_a_worker(bench: Bench) -> None:
    client_of(bench.cast.rosa).post(reverse("adjudication:find_suspects", args=[bench.study.slug]))
    assert Job.objects.get().kind == "find_suspects"


def test_the_models_opinion_is_folded_until_somebody_asks(bench: Bench) -> None:
    """By the browser alone: it needs neither a script nor another page."""
    page = client_of(bench.cast.rosa).get(address(bench.items[0])).content
    (fold,) = found(page, "//details[summary[@data-shortcut='i']]")
    assert "open" not in fold.attrib
    assert "No model is in service yet" in fold.text_content()


def test_an_item_is_called_by_its_title(bench: Bench) -> None:
    item = bench.items[0]
    (heading,) = found(client_of(bench.cast.rosa).get(address(item)).content, "//h1")
    assert heading.text_content().strip().startswith(item.title)


def test_an_item_without_a_title_is_called_by_its_first_words(bench: Bench) -> None:
    item = bench.items[0]
    item.pk, item.item_id, item.title = None, "untitled", ""
    item.post_text = f"Nobody asked. {'So long. ' * 40}"
    item.save()
    (heading,) = found(client_of(bench.cast.rosa).get(address(item)).content, "//h1")
    words = " ".join(heading.text_content().split())
    assert words.startswith("Nobody asked.")
    assert len(words) < 120


@pytest.mark.django_db
@A_YEAR
def test_the_page_of_an_item_is_quick_among_a_years_items(bench: Bench, n: int) -> None:
    items = hand_in_thousands(bench.work, n)
    refresh_queue(bench.study)
    client = client_of(bench.cast.rosa)
    client.get(address(items[0]))
    assert quickest(lambda: client.get(address(items[4]))) < seconds_for(n, 1)
    assert client.get(address(items[5])).context["place"].of > n * 0.4


def test_saving_an_item_with_an_open_flag_says_that_the_flag_is_open(bench: Bench) -> None:
    item = bench.items[0]
    bench.all_say(item, [EMOTIONS], [], [], flag="Is it?")
    client = client_of(bench.cast.rosa)
    page = client.post(address(item), filled(bench, item, EMOTIONS), follow=True).content.decode()
    assert "The flag of Amal on “Question 0” is still open" in page
    settles = filled(bench, item, EMOTIONS, settles="on", reason="Yes.", expected_number="1")
    assert "still open" not in client.post(address(item), settles, follow=True).content.decode()


def test_the_count_of_settled_items_is_the_number_of_them_in_the_list(bench: Bench) -> None:
    for item in bench.items[:3]:
        bench.disagree(item)
        bench.decide(item, bench.cast.rosa, EMOTIONS)
    bench.hand_in(bench.cast.chen, bench.items[1], bench.answer(bench.items[1], ADVICE), minutes=90)
    page = client_of(bench.cast.rosa).get(reverse("adjudication:settled", args=[bench.study.slug]))
    assert page.context["queue"].settled == len(page.context["decisions"]) == 2


def test_a_suspicion_that_was_decided_is_neither_on_the_page_nor_in_the_list_of_the_api(bench: Bench) -> None:
    item = bench.items[0]
    bench.all_say(item, [], [], [])
    detail = {"annotator": "amal", "other": item.item_id, "values": [1, 0]}
    Suspicion.objects.create(
        item=item, kind=SuspicionKind.RECHECK, code=EMOTIONS, detail=detail, detail_hash="x", found_at=NOW
    )
    client = client_of(bench.cast.rosa)
    calls = f"/api/v1/studies/{bench.study.slug}/adjudication/suspects"
    assert "when asked again" in client.get(address(item)).content.decode()
    assert len(client.get(calls).json()) == 1
    bench.decide(item, bench.cast.rosa)
    assert "when asked again" not in client.get(address(item)).content.decode()
    assert client.get(calls).json() == []
