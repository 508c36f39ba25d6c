"""Every page and every call that reads, opened in a study that has nothing and in one that has something of all."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.backend.core.studies.test_access import ALL_ADDRESSES, LivingStudy, client_of, living
from tests.cast import Cast

__all__ = ["living"]

# What there is nothing of is missing, or refused with a reason; a fault would raise in the test's client
FINE = {200, 204, 302, 400, 401, 404, 405, 409, 422}
LOGS_OUT = "/log-out"
PLACES = (
    *("GOLD", "DECISION", "SUSPICION", "SAMPLE", "JOB", "USER", "BATCH", "ASSIGNMENT", "DISCUSSION"),
    *("PROJECT", "REPORT", "NOTICE"),
)


def opened(client: Client, addresses: list[str]) -> dict[str, int]:
    return {address: client.get(address).status_code for address in addresses if address != LOGS_OUT}


def test_a_study_that_has_nothing(cast: Cast) -> None:
    addresses = []
    for address in ALL_ADDRESSES:
        for place in PLACES:
            address = address.replace(place, "1")
        addresses.append(address)
    found = opened(client_of(cast.ada), addresses)
    assert {address: status for address, status in found.items() if status not in FINE} == {}
    pages = [status for address, status in found.items() if address.startswith("/studies/kind-words")]
    assert sum(status == 200 for status in pages) > 20
    calls = [status for address, status in found.items() if address.startswith("/api/v1/studies/kind-words")]
    assert sum(status == 200 for status in calls) > 20


def test_a_study_that_has_something_of_all(living: LivingStudy) -> None:
    found = opened(client_of(living.cast.ada), [living.address(address) for address in ALL_ADDRESSES])
    assert {address: status for address, status in found.items() if status not in FINE} == {}
    assert sum(status == 200 for status in found.values()) > 80


@pytest.mark.parametrize("page", ["history", "compare"])
def test_the_history_of_a_codebook_that_has_no_edition_says_so(cast: Cast, page: str) -> None:
    shown = client_of(cast.rosa).get(f"/studies/kind-words/codebook/{page}", follow=True)
    assert shown.status_code == 200 and "No edition yet" in shown.content.decode()


def test_a_trailing_slash_leads_to_the_page(cast: Cast) -> None:
    client = client_of(cast.rosa)
    answer = client.get("/studies/kind-words/members/?page=2")
    assert (answer.status_code, answer.headers["Location"]) == (301, "/studies/kind-words/members?page=2")
    assert client.get("/api/v1/studies/").status_code == 301
    assert client.get("/no-such-page/").status_code == 404
    assert client.get("/").status_code == 200


def test_a_refusal_is_one_line_in_the_log(cast: Cast, caplog: pytest.LogCaptureFixture) -> None:
    assert client_of(cast.amal).get("/studies/kind-words/members").status_code == 403
    (record,) = [each for each in caplog.records if each.name == "django.request"]
    assert "Forbidden" in record.getMessage() and record.exc_info is None
    assert "Traceback" not in caplog.text
