"""Only what trusted proxies wrote decides where a request comes from."""

from __future__ import annotations

import pytest
from django.test import RequestFactory
from pytest_django.fixtures import Settings

from backend.core.accounts.login_limits import client_address


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, "6.6.6.6", "10.0.0.1"),
        (1, "6.6.6.6, 1.2.3.4", "1.2.3.4"),
        (2, "6.6.6.6, 1.2.3.4, 10.1.1.1", "1.2.3.4"),
        (1, "", "10.0.0.1"),
        (2, "1.2.3.4", "10.0.0.1"),
    ],
)
def test_the_address(settings: Settings, proxies: int, forwarded: str, expected: str) -> None:
    settings.TRUSTED_PROXIES = proxies
    request = RequestFactory().get("/", headers={"X-Forwarded-For": forwarded}, REMOTE_ADDR="10.0.0.1")
    assert client_address(request) == expected
