"""The pages show each person what is theirs, and every text as text."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from lxml import html

from backend.annotate.discussions.models import Discussion, DiscussionState
from backend.annotate.discussions.services import reply, settle, share_with_team
from backend.core.accounts.models import User
from codebook.schema import Part
from tests.backend.annotate.discussions.fixtures import Bench, minutes

EVIL = "<script>alert(1)</script> שלום"
ADVICE = "asking-advice"


def as_person(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def found(page: bytes, path: str) -> list[html.HtmlElement]:
    """The elements at an XPath."""
    nodes = html.fromstring(page).xpath(path)
    assert isinstance(nodes, list)
    return [node for node in nodes if isinstance(node, html.HtmlElement)]


def url(name: str, *args: object) -> str:
    return reverse(f"discussions:{name}", args=["kind-words", *args])


@pytest.fixture
def flagged(bench: Bench) -> Discussion:
    """Amal's doubt about an item whose title, text and comment try to be markup."""
    item = bench.item("evil", title=EVIL, post=f"Before {EVIL}", reply=EVIL)
    assigned = bench.assign(bench.batch(), bench.cast.amal, item)
    bench.hand_in(assigned, flag=EVIL, judgments={ADVICE: 1}, spans=[(ADVICE, Part.POST, 7, 32)])
    return Discussion.objects.get(assigned_item=assigned)


def test_markup_in_texts_stays_text_and_finds_its_direction(bench: Bench, flagged: Discussion) -> None:
    client = as_person(bench.cast.rosa)
    settle(discussion=flagged, actor=bench.cast.rosa, reason=EVIL, proposed_change=EVIL, now=minutes(1))
    batch = flagged.assigned_item.assignment.batch_id
    pages = (
        f"{url('list')}?state=settled",
        url("detail", flagged.pk),
        url("digest", batch),
        url("proposals"),
    )
    for page in pages:
        shown = client.get(page)
        assert shown.status_code == 200
        assert not [script for script in found(shown.content, "//script") if "alert" in (script.text or "")]
        holders = [node for node in found(shown.content, "//body//*") if EVIL in (node.text or "")]
        assert holders, page
        for node in holders:
            assert node.xpath("ancestor-or-self::*[@dir='auto' or self::bdi]"), (page, node.tag)


def test_the_annotators_marks_and_codes_are_shown_to_them_and_to_researchers(
    bench: Bench, flagged: Discussion
) -> None:
    for person in (bench.cast.rosa, bench.cast.amal):
        page = as_person(person).get(url("detail", flagged.pk)).content
        (mark,) = found(page, "//mark")
        assert mark.get("title") == "Asking for advice or opinions"
        assert "<script>alert(1)</script>" in mark.text_content()
        assert found(page, "//a[contains(@href, '#code-asking-advice')]")


def test_who_only_shares_a_discussion_sees_no_answers(bench: Bench, flagged: Discussion) -> None:
    bea = as_person(bench.cast.bea)
    assert bea.get(url("detail", flagged.pk)).status_code == 404
    assert bea.post(url("detail", flagged.pk), {"body": "Hello"}).status_code == 404
    assert "alert" not in bea.get(url("list")).content.decode()
    share_with_team(discussion=flagged, actor=bench.cast.rosa, now=minutes(1))
    page = bea.get(url("detail", flagged.pk))
    assert page.status_code == 200
    assert not found(page.content, "//mark")
    assert "Asking for advice" not in page.content.decode()
    assert "Batch 1" not in page.content.decode()
    assert f"discussions/{flagged.pk}" in bea.get(url("list")).content.decode()
    assert bea.post(url("detail", flagged.pk), {"body": "Me too"}).status_code == 302
    assert flagged.messages.last().body == "Me too"  # type: ignore[union-attr]


def test_a_filter_tells_an_annotator_nothing(bench: Bench, flagged: Discussion) -> None:
    share_with_team(discussion=flagged, actor=bench.cast.rosa, now=minutes(1))
    bea = as_person(bench.cast.bea)
    for code in (ADVICE, "seeking-similar-experiences"):
        assert f"discussions/{flagged.pk}" in bea.get(f"{url('list')}?code={code}").content.decode()


def test_researchers_filter_the_queue(bench: Bench, flagged: Discussion) -> None:
    rosa, assigned = as_person(bench.cast.rosa), flagged.assigned_item.assignment
    link = f"discussions/{flagged.pk}"
    matches = {
        query: link in rosa.get(f"{url('list')}?{query}").content.decode()
        for query in (
            f"batch={assigned.batch_id}",
            f"batch={assigned.batch_id + 1}",
            f"annotator={assigned.annotator_id}",
            f"annotator={bench.cast.bea.pk}",
            f"code={ADVICE}",
            "code=seeking-similar-experiences",
            "state=settled",
            "state=nonsense&order=x&batch=x",
        )
    }
    assert list(matches.values()) == [True, False, True, False, True, False, False, True]


def test_the_queue_is_walked_in_order(bench: Bench, flagged: Discussion) -> None:
    batch = flagged.assigned_item.assignment.batch
    for name in ("two", "three"):
        bench.flagged(bench.cast.bea, bench.item(name), batch)
    first, second, third = Discussion.objects.order_by("pk")
    rosa = as_person(bench.cast.rosa)

    def keys(discussion: Discussion, query: str = "?state=open") -> list[str]:
        page = rosa.get(url("detail", discussion.pk) + query).content
        links = [node for key in ("k", "j") for node in found(page, f"//a[@data-shortcut='{key}']")]
        return [str(link.get("href")).partition("?")[0].rpartition("/")[2] for link in links]

    assert keys(first) == [str(second.pk)]
    assert keys(second) == [str(first.pk), str(third.pk)]
    assert keys(second, "?state=open&order=newest") == [str(third.pk), str(first.pk)]
    reply(discussion=second, author=bench.cast.rosa, body="Hm.", now=minutes(1))
    assert keys(second) == [str(first.pk)]


def test_replying_and_settling_by_form(bench: Bench, flagged: Discussion) -> None:
    rosa = as_person(bench.cast.rosa)
    empty = rosa.post(url("detail", flagged.pk), {"body": " "})
    assert "This field is required" in empty.content.decode()
    kept = rosa.post(url("detail", flagged.pk) + "?state=open", {"body": "Look at the end."})
    assert kept.headers["Location"] == url("detail", flagged.pk) + "?state=open"
    lacking = rosa.post(url("settle", flagged.pk), {"reason": "So.", "proposed_code": ADVICE})
    assert "Say how the code&#x27;s text should change" in lacking.content.decode()
    done = rosa.post(url("settle", flagged.pk) + "?state=open", {"reason": "So."})
    assert done.headers["Location"] == url("detail", flagged.pk) + "?state=open"
    flagged.refresh_from_db()
    assert flagged.state == DiscussionState.SETTLED
    assert "Re-open" in rosa.get(url("detail", flagged.pk)).content.decode()
    rosa.post(url("reopen", flagged.pk))
    flagged.refresh_from_db()
    assert flagged.state == DiscussionState.OPEN


def test_sharing_by_form_says_why_not(bench: Bench, flagged: Discussion) -> None:
    rosa = as_person(bench.cast.rosa)
    bench.assign(flagged.assigned_item.assignment.batch, bench.cast.bea, flagged.assigned_item.item)
    refused = rosa.post(url("share", flagged.pk), follow=True)
    assert "Bea still has this item to judge" in refused.content.decode()
    assert "It can be shared when Bea has judged the item too." in " ".join(refused.content.decode().split())


def test_empty_pages_explain_themselves(bench: Bench) -> None:
    batch = bench.batch()
    rosa = as_person(bench.cast.rosa)
    assert "No flag yet" in rosa.get(url("list")).content.decode()
    assert "Nothing fits" in rosa.get(f"{url('list')}?batch={batch.pk}").content.decode()
    assert "Nothing proposed yet" in rosa.get(url("proposals")).content.decode()
    assert "Nothing was flagged" in rosa.get(url("digest", batch.pk)).content.decode()
    assert "No flag yet" in as_person(bench.cast.amal).get(url("list")).content.decode()


def test_proposals_stand_beside_the_codebook_and_age_with_it(bench: Bench, flagged: Discussion) -> None:
    settle(
        discussion=flagged,
        actor=bench.cast.rosa,
        reason="Unclear.",
        proposed_code=ADVICE,
        proposed_change="Say more.",
        now=minutes(5),
    )
    page = as_person(bench.cast.rosa).get(url("proposals")).content.decode()
    assert "For the next edition" in page
    assert "The poster asks what to do" in page
    assert reverse("codebooks:add_edition", args=["kind-words"]) in page


def test_exports_are_files(bench: Bench, flagged: Discussion) -> None:
    rosa, batch = as_person(bench.cast.rosa), flagged.assigned_item.assignment.batch
    for form, kind in (("md", "text/markdown"), ("csv", "text/csv")):
        bare, whole = (rosa.get(url("export", batch.pk, form) + query) for query in ("", "?text=1"))
        assert bare.headers["Content-Type"].startswith(kind)
        assert f'filename="kind-words-digest-{batch.pk}.{form}"' in bare.headers["Content-Disposition"]
        assert "Before" not in bare.content.decode()
        assert "Before" in whole.content.decode()
    assert rosa.get(url("export", batch.pk, "pdf")).status_code == 404
    assert rosa.get(url("digest", batch.pk + 99)).status_code == 404
