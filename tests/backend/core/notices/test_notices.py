"""Notices are told once, to researchers alone, and each reads them for themselves."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.test import Client

from backend.core.accounts.models import User
from backend.core.notices.models import Notice, NoticeKind
from backend.core.notices.selectors import notices_for, unread_notices
from backend.core.notices.services import LONGEST, mark_all_read, mark_read, tell_researchers
from tests.cast import NOW, Cast
from tests.page_text import page_text

PAGE = "/studies/kind-words/notices"
CALLS = "/api/v1/studies/kind-words/notices"


def tell(cast: Cast, key: str = "retraining 1", text: str = "It is better.", url: str = "") -> Notice:
    return tell_researchers(study=cast.study, key=key, kind=NoticeKind.GOOD, text=text, url=url, now=NOW)


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_the_same_happening_is_told_once(cast: Cast) -> None:
    assert tell(cast).pk == tell(cast, text="It is better, again.").pk
    assert [notice.text for notice in notices_for(cast.rosa, cast.study)] == ["It is better."]


def test_a_long_text_is_cut_and_a_foreign_address_refused(cast: Cast) -> None:
    assert len(tell(cast, text="x" * 900).text) == LONGEST
    with pytest.raises(IntegrityError):
        tell(cast, key="elsewhere", url="https://elsewhere.example/")


def test_each_reads_for_themselves_and_twice_is_once(cast: Cast) -> None:
    first, second = tell(cast), tell(cast, key="retraining 2")
    mark_read(notices=[first], reader=cast.rosa, now=NOW)
    mark_read(notices=[first], reader=cast.rosa, now=NOW + timedelta(days=1))
    assert list(unread_notices(cast.rosa, cast.study)) == [second]
    assert unread_notices(cast.ravi, cast.study).count() == 2
    mark_all_read(study=cast.study, reader=cast.rosa, now=NOW)
    assert not unread_notices(cast.rosa, cast.study).exists()


def test_the_bell_counts_and_the_overview_shows_what_is_unread(cast: Cast) -> None:
    notice = tell(cast, url="/studies/kind-words/jobs")
    rosa = client_of(cast.rosa)
    overview = page_text(rosa.get("/studies/kind-words"))
    assert "It is better." in overview
    assert "(1 not read)" in overview
    answer = rosa.post(f"{PAGE}/{notice.pk}/read")
    assert answer.headers["Location"] == "/studies/kind-words/jobs"
    overview = page_text(rosa.get("/studies/kind-words"))
    assert "It is better." not in overview
    assert "not read)" not in overview
    assert "It is better." in rosa.get(PAGE).content.decode()


def test_all_can_be_marked_at_once(cast: Cast) -> None:
    tell(cast)
    rosa = client_of(cast.rosa)
    assert "Mark all as read" in rosa.get(PAGE).content.decode()
    rosa.post(f"{PAGE}/read")
    assert "Mark all as read" not in rosa.get(PAGE).content.decode()


def test_an_empty_page_explains_itself(cast: Cast) -> None:
    assert "Nothing to tell yet" in client_of(cast.rosa).get(PAGE).content.decode()


def test_annotators_and_outsiders_have_no_notices(cast: Cast) -> None:
    notice = tell(cast)
    for user, status in ((cast.amal, 403), (cast.otto, 404)):
        client = client_of(user)
        assert client.get(PAGE).status_code == status
        assert client.post(f"{PAGE}/{notice.pk}/read").status_code == status
        assert client.get(CALLS).status_code == status
    assert f'href="{PAGE}"' not in client_of(cast.amal).get("/studies/kind-words/work").content.decode()
    assert client_of(cast.otto).post(f"/studies/elsewhere/notices/{notice.pk}/read").status_code == 404


def test_calls_list_and_mark(cast: Cast) -> None:
    notice = tell(cast)
    rosa = client_of(cast.rosa)
    assert [found["is_read"] for found in rosa.get(CALLS).json()] == [False]
    assert rosa.post(f"{CALLS}/{notice.pk}/read").status_code == 204
    assert rosa.get(f"{CALLS}?unread=true").json() == []
    assert [found["is_read"] for found in rosa.get(CALLS).json()] == [True]
