"""Log-in closes after too many failures of a name, and of an address whatever the names."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from tests.cast import Cast

PASSWORD = "long enough for Rosa"


@pytest.fixture
def limits(settings: Settings, cast: Cast) -> Settings:
    cast.rosa.set_password(PASSWORD)
    cast.rosa.save()
    settings.AXES_ENABLED = True
    settings.AXES_FAILURE_LIMIT = 3
    settings.LOGIN_ATTEMPTS_PER_ADDRESS = 6
    settings.TRUSTED_PROXIES = 1
    return settings


def tried(username: str, password: str = "wrong", address: str = "1.2.3.4", claimed: str = "") -> int:
    """Each from a browser of its own, behind a front that adds the true address."""
    forwarded = ", ".join(filter(None, [claimed, address]))
    answer = Client().post(
        reverse("accounts:log_in"),
        {"username": username, "password": password},
        headers={"X-Forwarded-For": forwarded, "User-Agent": username},
    )
    return answer.status_code


@pytest.mark.usefixtures("limits")
def test_one_password_with_many_names_is_stopped() -> None:
    assert [tried(f"name-{n}") for n in range(5)] == [200] * 5
    assert tried("name-5") == 429
    assert tried("rosa", PASSWORD) == 429
    assert tried("rosa", PASSWORD, claimed="9.9.9.9") == 429
    assert tried("rosa", PASSWORD, address="5.6.7.8") == 302


@pytest.mark.usefixtures("limits")
def test_a_name_is_locked_where_it_failed_and_its_neighbours_are_not() -> None:
    assert [tried("amal") for _ in range(3)] == [200, 200, 429]
    assert tried("rosa", PASSWORD) == 302
    assert tried("amal") == 429
