"""Pages show what there is and do what they say; who may not see something is not shown it."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from lxml import html

from backend.annotate.batches.models import Assignment, Batch
from backend.annotate.discussions.models import Discussion
from backend.annotate.discussions.services import follow_flag, reply, settle, share_with_team
from backend.core.accounts.models import User
from tests.backend.annotate.batches.fixtures import (
    add_codebook,
    add_gold,
    add_sample,
    asked,
    given,
    opened,
    places,
    quarantine,
    submit,
)
from tests.cast import NOW, Cast
from tests.page_text import page_text

HERE = "/studies/kind-words/batches"
PLAN = f"{HERE}/new?kind=main"
WORK = "/studies/kind-words/work"


def parsed(content: bytes) -> Any:
    return html.fromstring(content)


def browser(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def rosa(ready: Cast) -> Client:
    return browser(ready.rosa)


def filled(**changes: object) -> dict[str, object]:
    return {
        "name": "Batch 1",
        "samples": ["Main"],
        "n": 4,
        "annotators": ["amal", "bea"],
        "seed": 7,
        "due_on": "",
    } | changes


def test_a_batch_is_planned_seen_and_opened(rosa: Client) -> None:
    page = rosa.post(PLAN, filled())
    assert not Batch.objects.exists()
    seen = parsed(page.content).find(".//button[@name='seen']").get("value")
    planned = [share.n_items for share in page.context["shares"]]
    answer = rosa.post(PLAN, filled(seen=seen))
    batch = Batch.objects.get()
    assert answer.headers["Location"] == f"{HERE}/{batch.pk}"
    assert [len(items) for items in given(batch).values()] == planned == [4, 4]


def test_the_plan_says_what_is_left_out(ready: Cast, rosa: Client) -> None:
    add_sample(ready, "Silent", range(40, 41), replies=False)
    page = page_text(rosa.post(PLAN, filled(samples=["Main", "Silent"])))
    assert "1 item without a reply is left out: the codebook asks about replies alone." in page
    assert "Silent (0 left)" in page


def test_a_plan_that_changed_is_shown_again_and_not_opened(ready: Cast, rosa: Client) -> None:
    seen = rosa.post(PLAN, filled()).context["plan"].hash
    opened(ready, asked("overlap", n=10, name="In between"))
    page = rosa.post(PLAN, filled(seen=seen))
    assert "The study changed since you looked" in page.content.decode()
    assert page.context["plan"].hash != seen
    assert Batch.objects.count() == 1


def test_what_is_wrong_is_said_on_the_page(ready: Cast, rosa: Client) -> None:
    assert "Only 30 items are left" in rosa.post(PLAN, filled(n=20)).content.decode()
    opened(ready, asked("overlap", n=1))
    assert "already has a batch named" in rosa.post(PLAN, filled()).content.decode()
    missing = rosa.post(PLAN, filled(annotators=[], name="B"))
    assert missing.context["form"].errors["annotators"] == ["This field is required."]


@pytest.mark.parametrize(
    ("kind", "there", "missing"),
    [
        ("practice", "n", "samples"),
        ("overlap", "samples", "submitted_days_ago"),
        ("main", "samples", "submitted_days_ago"),
        ("recheck", "submitted_days_ago", "samples"),
        ("active", "samples", "submitted_days_ago"),
    ],
)
def test_each_kind_asks_for_what_it_needs(rosa: Client, kind: str, there: str, missing: str) -> None:
    page = parsed(rosa.get(f"{HERE}/new?kind={kind}").content)
    assert page.findall(f".//*[@name='{there}']")
    assert not page.findall(f".//*[@name='{missing}']")


def test_the_form_suggests_a_name_that_tells_nothing(ready: Cast, rosa: Client) -> None:
    opened(ready, asked("overlap", n=1, name="Batch 1"))
    page = parsed(rosa.get(f"{HERE}/new?kind=recheck").content)
    assert page.find(".//input[@name='name']").get("value") == "Batch 2"


def test_the_list_and_the_batch_show_progress(ready: Cast, rosa: Client) -> None:
    batch = opened(ready, asked("overlap", n=5))
    submit(places(batch, ready.amal)[0], seconds=95, flagged=True)
    listed = rosa.get(HERE).content.decode()
    assert "1 of 15" in listed
    assert "1 min 35 s" in listed
    page = rosa.get(f"{HERE}/{batch.pk}").content.decode()
    assert "1 of 5" in page
    assert "A made-up title" in page
    assert batch.plan_hash in page
    assert "amal, bea, chen" in page


def test_a_study_without_batches_or_codebook_says_what_to_do(cast: Cast) -> None:
    client = browser(cast.rosa)
    assert "Go to the codebook" in client.get(HERE).content.decode()
    assert "Go to the codebook" in client.get(PLAN).content.decode()


def test_a_batch_is_changed_from_its_page(ready: Cast, rosa: Client) -> None:
    batch = opened(ready, asked("main", n=4))
    here = f"{HERE}/{batch.pk}"

    def told(path: str, **data: object) -> str:
        return rosa.post(f"{here}/{path}", data, follow=True).content.decode()

    assert "is paused: nobody" in told("state/pause")
    assert "“Batch 1” is paused: resume it first" in told("state/pause")
    assert "goes on" in told("state/resume")
    assert "The due date is changed" in told("due-date", due_on="2999-01-01")
    assert "Due date: Enter a valid date" in told("due-date", due_on="soon")
    assert "2 items changed hands" in told("reassign", annotator="amal", to=["bea"], n=2)
    assert "Amal has 2 unfinished items in this batch, fewer" in told(
        "reassign", annotator="amal", to=["bea"], n=9
    )
    assert "Amal is withdrawn. What they did stays. 2 items went" in told(
        "withdraw", annotator="amal", to=["chen"]
    )
    assert "Amal is back in this batch" in told("restore", annotator="amal")
    assert "is closed. Everything" in told("state/close")
    assert "Amal is withdrawn. What they did stays." in told("withdraw", annotator="amal")
    assert "is open again" in told("state/reopen")
    assert rosa.post(f"{here}/state/forget").status_code == 404


def test_a_batch_is_renamed_and_discarded_from_its_page(ready: Cast, rosa: Client) -> None:
    batch = opened(ready, asked("main", n=4))
    here = f"{HERE}/{batch.pk}"
    told = rosa.post(f"{here}/name", {"name": "First"}, follow=True).content.decode()
    assert "The batch is named “First” now" in told
    assert "Discard “First”?" in told
    told = rosa.post(f"{here}/state/discard", follow=True).content.decode()
    assert "This batch is being discarded" in told
    assert "Being discarded" in rosa.get(HERE).content.decode()
    assert "The researchers take it back" in browser(ready.amal).get(WORK).content.decode()
    assert "is kept as it was" in rosa.post(f"{here}/state/keep", follow=True).content.decode()
    submit(places(batch, ready.amal)[0])
    assert "Discard “First”?" not in rosa.get(here).content.decode()


def test_who_reopens_or_takes_back_is_told_what_may_have_been_read(ready: Cast, rosa: Client) -> None:
    batch = opened(ready, asked("overlap", n=3))
    here = f"{HERE}/{batch.pk}"
    place = places(batch, ready.amal)[0]
    submit(place, flagged=True)
    follow_flag(assigned_item=place, is_flagged=True, comment="Is it?", now=NOW)
    rosa.post(f"{here}/state/close")
    rosa.post(f"{here}/withdraw", {"annotator": "chen"})
    quiet = rosa.get(here).content.decode()
    assert "Discussions of" not in quiet
    share_with_team(discussion=Discussion.objects.get(), actor=ready.rosa, now=NOW)
    page = rosa.get(here).content.decode()
    assert "Discussions of 1 unfinished item in it are shared: whoever has to judge it may" in page
    assert "Discussions of 1 of these items are shared: Chen may have read" in page


def test_another_studys_batch_is_not_found(ready: Cast) -> None:
    batch = opened(ready, asked("main", n=4))
    otto = browser(ready.otto)
    assert otto.get(f"/studies/elsewhere/batches/{batch.pk}").status_code == 404
    assert otto.post(f"/studies/elsewhere/batches/{batch.pk}/state/close").status_code == 404
    batch.refresh_from_db()
    assert batch.state == "open"


def test_annotators_are_led_to_their_work(ready: Cast, rosa: Client) -> None:
    amal = browser(ready.amal)
    assert amal.get("/studies/kind-words").headers["Location"] == WORK
    assert amal.get("/work").headers["Location"] == WORK
    assert rosa.get("/work").headers["Location"] == "/"
    assert "Give items to annotators" in rosa.get("/studies/kind-words").content.decode()


def test_the_home_of_an_annotator_leads_into_the_work(ready: Cast) -> None:
    batch = opened(ready, asked("overlap", n=3))
    amal = browser(ready.amal)
    share = Assignment.objects.get(batch=batch, annotator=ready.amal)
    page = parsed(amal.get(WORK).content)
    enter = reverse("sync:enter", args=["kind-words", share.pk])
    (form,) = page.xpath(f"//form[@action='{enter}']")
    assert form.find(".//button").text_content().strip() == "Start"
    place = places(batch, ready.amal)[1]
    quarantine(place, message="Mark the words that show it.")
    submit(places(batch, ready.amal)[0])
    page = parsed(amal.get(WORK).content)
    mend, go_on, *opening = page.xpath(f"//form[@action='{enter}']")
    assert [form.find(".//input[@name='item']").get("value") for form in opening] == [
        str(place.pk),
        str(places(batch, ready.amal)[0].pk),
    ]
    assert go_on.find(".//input[@name='item']") is None
    assert mend.find(".//input[@name='item']").get("value") == str(place.pk)
    assert go_on.find(".//button").text_content().strip() == "Continue"
    assert "Mark the words that show it." in page.text_content()


def test_the_button_lands_where_there_is_something_to_do(ready: Cast) -> None:
    batch = opened(ready, asked("overlap", n=2))
    first, second = places(batch, ready.amal)

    def button() -> tuple[str, str | None]:
        page = parsed(browser(ready.amal).get(WORK).content)
        (form,) = page.xpath("//form[.//button[@data-shortcut='s']]")
        item = form.find(".//input[@name='item']")
        return " ".join(form.find(".//button").text_content().split()), None if item is None else item.get(
            "value"
        )

    assert button() == ("Start", None)
    submit(first)
    assert button() == ("Continue", None)
    doubt = quarantine(second)
    assert button() == ("Fix your answers", str(second.pk))
    doubt.delete()
    submit(second, state="skipped")
    assert button() == ("Look at it again", str(first.pk))


def test_the_card_leads_to_the_guideline_of_its_own_edition(ready: Cast) -> None:
    opened(ready, asked("overlap", n=2))
    add_codebook(ready, "Shown empathy")
    page = page_text(browser(ready.amal).get(WORK))
    assert '/codebook/editions/1"> Its guideline (edition 1)' in page


def test_the_home_betrays_neither_kind_nor_others(ready: Cast) -> None:
    main = opened(ready, asked("main", n=3, name="Batch 1"))
    for place in places(main, ready.amal):
        submit(place)
    opened(ready, asked("recheck", n=2, annotators=["amal"], name="Batch 2"))
    text = browser(ready.amal).get(WORK).content.decode()
    assert "Batch 2" in text
    for word in ("recheck", "Recheck", "Overlap", "Main", "Bea", "Chen", "drift"):
        assert word not in text


def test_the_home_shows_ones_open_questions(ready: Cast) -> None:
    batch = opened(ready, asked("overlap", n=2))
    for user, comment in ((ready.amal, "mine"), (ready.bea, "hers")):
        place = places(batch, user)[0]
        follow_flag(assigned_item=place, is_flagged=True, comment=comment, now=NOW)
    page = parsed(browser(ready.amal).get(WORK).content)
    own = Discussion.objects.get(comment="mine")
    links = [link.get("href") for link in page.iterfind(".//a") if "/discussions/" in link.get("href", "")]
    assert links == [f"/studies/kind-words/discussions/{own.pk}"]


def test_the_home_tells_what_was_decided_lately(ready: Cast) -> None:
    place = places(opened(ready, asked("overlap", n=2)), ready.amal)[0]
    follow_flag(assigned_item=place, is_flagged=True, comment="Is it?", now=NOW)
    discussion = Discussion.objects.get()
    long_ago, lately = timezone.now() - timedelta(days=15), timezone.now() - timedelta(days=13)
    settle(discussion=discussion, actor=ready.rosa, reason="It is advice: it asks.", now=long_ago)
    assert "It is advice" not in browser(ready.amal).get(WORK).content.decode()
    Discussion.objects.update(settled_at=lately)
    assert "It is advice: it asks." in browser(ready.amal).get(WORK).content.decode()
    assert "It is advice" not in browser(ready.bea).get(WORK).content.decode()


def test_the_home_explains_what_is_not_open(ready: Cast) -> None:
    amal = browser(ready.amal)
    assert "No work for you yet" in amal.get(WORK).content.decode()
    add_gold(ready, ready.study.editions.get(), 1)
    batch = opened(ready, asked("practice", name="Warm-up"))
    browser(ready.rosa).post(f"{HERE}/{batch.pk}/state/pause")
    paused = amal.get(WORK).content.decode()
    assert "The researchers paused this batch" in paused
    assert "/enter" not in paused
    browser(ready.rosa).post(f"{HERE}/{batch.pk}/state/close")
    closed = page_text(amal.get(WORK))
    assert "The researchers closed it" in closed
    assert "Nothing to do at the moment" in closed


def test_navigation_fits_the_role(ready: Cast, rosa: Client) -> None:
    def entries(client: Client, address: str) -> list[str]:
        page = parsed(client.get(address).content)
        return [link.text.strip() for link in page.iterfind(".//nav[@id='sidenav']//a/span[1]")]

    assert entries(browser(ready.amal), WORK) == ["Your work", "Codebook", "Discussions", "Feedback"]
    assert {"Batches", "Discussions", "Gold", "Sync"} <= set(entries(rosa, HERE))


def test_the_menu_says_how_many_discussions_wait(ready: Cast, rosa: Client) -> None:
    def entry(client: Client, address: str) -> str:
        (link,) = parsed(client.get(address).content).xpath(
            "//nav[@id='sidenav']//a[contains(., 'Discussions')]"
        )
        return " ".join(link.text_content().split())

    assert entry(rosa, HERE) == "Discussions needs a batch"
    for place in places(opened(ready, asked("overlap", n=2)), ready.amal):
        follow_flag(assigned_item=place, is_flagged=True, comment="Is it?", now=NOW)
    assert entry(rosa, HERE) == "Discussions 2 (2 wait for you)"
    assert entry(browser(ready.amal), WORK) == "Discussions"
    reply(discussion=Discussion.objects.all()[0], author=ready.rosa, body="What else?", now=NOW)
    assert entry(rosa, HERE) == "Discussions 1 (1 waits for you)"
    assert entry(browser(ready.amal), WORK) == "Discussions 1 (1 waits for you)"
