"""Webhooks are answered at once and only with the secret; the way in is one's own; the sync page tells the truth."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from django.conf import settings
from django.core import signing
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from backend.annotate.batches.models import BatchState
from backend.annotate.label_studio.keys import SALT, access_key, webhook_secret
from backend.annotate.sync.models import Project
from backend.annotate.sync.seats import entrance_for
from backend.annotate.sync.webhooks import messenger
from backend.core.jobs.models import Job
from backend.design.samples.models import Item
from tests.backend.annotate.sync.sync_bench import Bench
from tests.cast import Cast
from tests.page_text import page_text


def client_of(user: object) -> Client:
    client = Client()
    client.force_login(user)  # type: ignore[arg-type]
    return client


@pytest.fixture
def pushed(bench: Bench) -> Bench:
    bench.push()
    return bench


def ticket_in(location: str) -> dict[str, object]:
    ticket = parse_qs(urlsplit(location).query)["ticket"][0]
    content: dict[str, object] = signing.loads(
        ticket, key=access_key(settings.LABEL_STUDIO_TOKEN), salt=SALT, max_age=60
    )
    return content


def test_a_webhook_needs_the_secret(pushed: Bench) -> None:
    address = f"/label-studio/webhook/{pushed.project(pushed.work.cast.amal).marker}"
    assert Client().post(address).status_code == 403
    assert Client().post(address, headers={"X-Attune-Webhook": "wrong"}).status_code == 403
    secret = webhook_secret(settings.LABEL_STUDIO_TOKEN)
    assert Client().get(address, headers={"X-Attune-Webhook": secret}).status_code == 405
    assert Client().post(address, headers={"X-Attune-Webhook": secret}).status_code == 204


def test_a_webhook_is_small(pushed: Bench) -> None:
    address = f"/label-studio/webhook/{pushed.project(pushed.work.cast.amal).marker}"
    secret = {"X-Attune-Webhook": webhook_secret(settings.LABEL_STUDIO_TOKEN)}

    def sent(body: bytes, **more: str) -> int:
        return (
            Client()
            .post(address, body, content_type="application/json", headers={**secret, **more})
            .status_code
        )

    assert sent(b'{"action": "ANNOTATION_CREATED"}') == 204
    assert sent(b" " * 20_000) == 413
    assert sent(b"", **{"Transfer-Encoding": "chunked"}) == 411


def test_an_admin_opens_label_studio_as_its_owner_and_nobody_else_does(cast: Cast) -> None:
    address = "/label-studio/open"
    opened = client_of(cast.ada).post(address)
    assert opened.status_code == 302
    assert opened["Location"].startswith(f"{settings.LABEL_STUDIO_URL}/attune/sign-in?")
    content = ticket_in(opened["Location"])
    assert (content["account"], content["next"]) == (None, "/projects/")
    assert client_of(cast.ada).get(address).status_code == 405
    for user in (cast.rosa, cast.amal, cast.otto):
        assert client_of(user).post(address).status_code == 403
    assert "/log-in" in Client().post(address)["Location"]
    assert "Label Studio" in page_text(client_of(cast.ada).get("/"))
    assert "label-studio/open" not in client_of(cast.rosa).get("/").content.decode()


def test_a_webhook_wakes_the_sync_without_touching_the_database(
    pushed: Bench, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    marker = pushed.project(pushed.work.cast.amal).marker
    secret = webhook_secret(settings.LABEL_STUDIO_TOKEN)
    messenger.submit(int).result()
    before = set(settings.BROKER_DIR.glob("*.sync.msg"))
    with django_assert_num_queries(0):
        Client().post(f"/label-studio/webhook/{marker}", headers={"X-Attune-Webhook": secret})
    messenger.submit(int).result()
    (message,) = set(settings.BROKER_DIR.glob("*.sync.msg")) - before
    assert json.loads(message.read_text())["headers"]["task"] == "sync.take_webhook"
    message.unlink()


def test_the_button_leads_into_the_annotator_s_own_project(pushed: Bench) -> None:
    amal = pushed.work.cast.amal
    share = pushed.share(amal)
    answer = client_of(amal).post(f"/studies/kind-words/work/{share.pk}/enter")
    assert answer.status_code == 302
    content = ticket_in(answer.headers["Location"])
    assert content["account"] == pushed.account(amal)
    assert content["next"] == f"/projects/{pushed.number(amal)}/data?labeling=1"


def test_the_button_of_an_item_leads_to_that_item(pushed: Bench) -> None:
    amal = pushed.work.cast.amal
    share = pushed.share(amal)
    place = share.assigned_items.get(position=2)
    link = entrance_for(share, place, pushed.server)
    task = pushed.tasks(amal)[place.item.item_id][0]
    assert ticket_in(link)["next"] == f"/projects/{pushed.number(amal)}/data?task={task}"
    foreign = pushed.share(pushed.work.cast.bea).assigned_items.get(position=2)
    for wrong in (str(foreign.pk), "x", "99999999"):
        assert (
            client_of(amal).post(f"/studies/kind-words/work/{share.pk}/enter", {"item": wrong}).status_code
            == 404
        )


def test_nobody_gets_into_another_s_project(pushed: Bench) -> None:
    address = f"/studies/kind-words/work/{pushed.share(pushed.work.cast.amal).pk}/enter"
    for other in (pushed.work.cast.bea, pushed.work.cast.rosa, pushed.work.cast.otto, pushed.work.cast.ada):
        assert client_of(other).post(address).status_code == 404
    assert Client().post(address).headers["Location"].startswith("/log-in")


@pytest.mark.parametrize("state", [BatchState.PAUSED, BatchState.CLOSED])
def test_a_batch_that_is_not_open_has_no_way_in(pushed: Bench, state: BatchState) -> None:
    pushed.batch.state = state
    pushed.batch.save()
    amal = pushed.work.cast.amal
    client = client_of(amal)
    answer = client.post(f"/studies/kind-words/work/{pushed.share(amal).pk}/enter", follow=True)
    assert answer.redirect_chain == [("/studies/kind-words/work", 302)]
    assert "is not open for you" in answer.content.decode()


def test_before_it_is_prepared_the_annotator_is_told_to_wait(bench: Bench) -> None:
    amal = bench.work.cast.amal
    answer = client_of(amal).post(f"/studies/kind-words/work/{bench.share(amal).pk}/enter", follow=True)
    assert "still being prepared" in answer.content.decode()


def test_the_sync_page_shows_what_is_where(pushed: Bench) -> None:
    amal = pushed.work.cast.amal
    pushed.submit(amal, pushed.work.items[0], "asking-advice")
    pushed.server.submit(
        pushed.tasks(amal)[pushed.work.items[1].item_id][0], pushed.account(amal), [{"a": 1}]
    )
    pushed.poll()
    page = client_of(pushed.work.cast.rosa).get("/studies/kind-words/sync").content.decode()
    assert "In line, open" in page
    assert "On hold" in page
    rows = client_of(pushed.work.cast.rosa).get("/api/v1/studies/kind-words/sync").json()
    own = next(row for row in rows if row["annotator"] == "amal")
    assert (own["items"], own["tasks_there"], own["submitted"], own["quarantined"]) == (5, 5, 1, 1)
    assert own["needs_repair"] is False
    doubts = client_of(pushed.work.cast.rosa).get("/api/v1/studies/kind-words/sync/quarantine").json()
    assert [row["item_id"] for row in doubts] == [pushed.work.items[1].item_id]


def test_the_sync_page_asks_the_database_the_same_whatever_there_is(pushed: Bench) -> None:
    rosa = client_of(pushed.work.cast.rosa)

    def asked_after(items: list[Item]) -> int:
        for item in items:
            pushed.submit(pushed.work.cast.amal, item, "asking-advice")
        pushed.poll()
        with CaptureQueriesContext(connection) as queries:
            rosa.get("/studies/kind-words/sync")
        return len(queries)

    few, many = asked_after(pushed.work.items[:1]), asked_after(pushed.work.items[1:4])
    # What the menu counts is remembered, so that the first page asks a little more.
    assert many <= few


def test_a_repair_is_a_job(pushed: Bench) -> None:
    project = Project.objects.first()
    assert project is not None
    answer = client_of(pushed.work.cast.rosa).post(f"/studies/kind-words/sync/{project.pk}/repair")
    job = Job.objects.get(kind="repair_project")
    assert answer.headers["Location"] == f"/studies/kind-words/jobs/{job.pk}"
    assert (
        client_of(pushed.work.cast.amal).post(f"/studies/kind-words/sync/{project.pk}/repair").status_code
        == 403
    )


def test_the_sync_page_of_a_new_study_explains_itself(bench: Bench) -> None:
    page = client_of(bench.work.cast.rosa).get("/studies/kind-words/sync").content.decode()
    assert "Nothing in Label Studio yet" in page
