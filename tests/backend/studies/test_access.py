"""Every address of Attune, asked for by everybody: outsiders see nothing, annotators only what is theirs."""

from __future__ import annotations

from collections.abc import Iterator

from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from backend.accounts.models import User
from tests.cast import Cast

ARGUMENTS = {
    "slug": "kind-words",
    "number": "1",
    "form": "json",
    "corpus_slug": "texts",
    "kind": "reddit",
    "name": "dump.ndjson",
    "sample_id": "1",
    "item_id": "abc",
    "job_id": "1",
    "user_id": "1",
    "token_id": "1",
    "username": "rosa",
    "old": "1",
    "new": "1",
}
OPEN_TO_ALL = {"/health", "/log-in"}
OPEN_TO_EVERY_ACCOUNT = {
    "/",
    "/log-out",
    "/account",
    "/account/password",
    "/account/tokens",
    "/account/tokens/1/revoke",
    "/style",
    "/api/v1/docs",
    "/api/v1/openapi.json",
    "/api/v1/",
    "/api/v1/me",
    "/api/v1/studies",
}
OPEN_TO_ANNOTATORS = {
    "/studies/kind-words",
    "/studies/kind-words/codebook",
    "/studies/kind-words/codebook/history",
    "/studies/kind-words/codebook/compare",
    "/studies/kind-words/codebook/editions/1",
    "/studies/kind-words/codebook/editions/1/file.json",
    "/api/v1/studies/kind-words",
    "/api/v1/studies/kind-words/codebook/editions",
    "/api/v1/studies/kind-words/codebook/editions/1",
    "/api/v1/studies/kind-words/codebook/editions/1/source",
    "/api/v1/studies/kind-words/codebook/editions/1/canonical",
    "/api/v1/studies/kind-words/codebook/editions/1/guideline",
    "/api/v1/studies/kind-words/codebook/compare/1/1",
}
REFUSED = {401, 403, 404, 405}


def addresses(resolver: URLResolver | None = None, prefix: str = "/") -> Iterator[str]:
    for entry in (resolver or get_resolver()).url_patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from addresses(entry, route)
        elif isinstance(entry, URLPattern):
            yield _filled(route)


def _filled(route: str) -> str:
    filled = route.replace("^", "").replace("$", "")
    for name, value in ARGUMENTS.items():
        for converter in ("", "int:", "slug:", "str:"):
            filled = filled.replace(f"<{converter}{name}>", value)
    return filled


ALL_ADDRESSES = sorted(set(addresses()))


def test_every_address_is_filled_in() -> None:
    assert len(ALL_ADDRESSES) > 50
    assert [address for address in ALL_ADDRESSES if "<" in address] == []


def answers(user: User | None, address: str) -> list[tuple[int, str]]:
    """Status and where it sends one, for a GET and a POST."""
    client = Client()
    if user is not None:
        client.force_login(user)
    given = (client.get(address), client.post(address))
    return [(answer.status_code, answer.headers.get("Location", "")) for answer in given]


def let_through(user: User | None, addresses: set[str], refused: set[int]) -> dict[str, list[int]]:
    """The addresses that answered otherwise than by refusing."""
    found = {address: [status for status, _ in answers(user, address)] for address in sorted(addresses)}
    return {address: codes for address, codes in found.items() if not set(codes) <= refused}


def test_a_stranger_is_sent_to_log_in_or_refused(cast: Cast) -> None:
    closed = set(ALL_ADDRESSES) - OPEN_TO_ALL
    assert let_through(None, closed, REFUSED | {302}) == {}
    for address in closed:
        for status, location in answers(None, address):
            assert status != 302 or location.startswith("/log-in"), address


def test_an_outsider_sees_nothing_of_a_study(cast: Cast) -> None:
    of_the_study = {address for address in ALL_ADDRESSES if "kind-words" in address}
    assert len(of_the_study) > 50
    assert let_through(cast.otto, of_the_study, {404, 405}) == {}


def test_an_annotator_sees_only_what_annotators_need(cast: Cast) -> None:
    closed = set(ALL_ADDRESSES) - OPEN_TO_ALL - OPEN_TO_EVERY_ACCOUNT - OPEN_TO_ANNOTATORS
    assert let_through(cast.amal, closed, REFUSED) == {}


def test_a_researcher_is_let_through(cast: Cast) -> None:
    """The walk can fail: the same addresses are open to the people they are for."""
    assert (
        len(let_through(cast.rosa, {"/studies/kind-words/members", "/studies/kind-words/jobs"}, REFUSED)) == 2
    )


def test_the_lists_above_name_only_addresses_that_exist() -> None:
    known = set(ALL_ADDRESSES)
    assert known >= OPEN_TO_ALL | OPEN_TO_EVERY_ACCOUNT | OPEN_TO_ANNOTATORS
