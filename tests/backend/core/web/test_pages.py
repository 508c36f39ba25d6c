"""The health check answers without a log-in; the style page shows every component to those who have one."""

import pytest
from django.contrib.auth import get_user_model
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse
from lxml import html


@pytest.mark.database
@pytest.mark.django_db
def test_health_needs_no_log_in(client: Client) -> None:
    answer = client.get("/health")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "database": True}
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_health_says_when_the_database_does_not_answer(client: Client) -> None:
    def refuse(*query: object) -> None:
        raise OperationalError("the server closed the connection")

    with connection.execute_wrapper(refuse):
        answer = client.get("/health")
    assert answer.status_code == 503
    assert answer.json() == {"status": "no database", "database": False}


@pytest.mark.django_db
def test_the_style_page_is_for_people_who_logged_in(client: Client) -> None:
    answer = client.get(reverse("web:style"))
    assert answer.status_code == 302


@pytest.mark.django_db
def test_the_style_page_is_whole(client: Client) -> None:
    client.force_login(get_user_model().objects.create_user(username="ada"))
    answer = client.get(reverse("web:style"))
    assert answer.status_code == 200
    page = html.fromstring(answer.content)
    assert len(page.findall(".//h1")) == 1
    assert len(page.findall(".//figure")) == 12
    assert len(page.findall(".//figure//svg[@role='img']")) == 13
    assert [link.get("href") for link in page.iterfind(".//a[@class='skip-link']")] == ["#main"]
    assert page.findall(".//form[@method='post']//input[@name='csrfmiddlewaretoken']")


@pytest.mark.django_db
def test_an_unknown_address_is_explained(client: Client) -> None:
    client.force_login(get_user_model().objects.create_user(username="ada"))
    answer = client.get("/no/such/page")
    assert answer.status_code == 404
    assert "There is no such page" in answer.content.decode()
