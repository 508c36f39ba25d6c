"""The link into Label Studio: signed with the access app's key, another one each time."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from django.core import signing
from pytest_django.fixtures import Settings

from backend.annotate.label_studio.keys import SALT, access_key, sign_in_url


def _content(url: str, token: str) -> dict[str, object]:
    ticket = parse_qs(urlsplit(url).query)["ticket"][0]
    content: dict[str, object] = signing.loads(ticket, key=access_key(token), salt=SALT, max_age=60)
    return content


def test_it_names_the_account_and_the_path(settings: Settings) -> None:
    settings.LABEL_STUDIO_URL = "https://label.example.org"
    url = sign_in_url(account_id=7, next_path="/projects/3/data?labeling=1")
    assert url.startswith("https://label.example.org/attune/sign-in?ticket=")
    content = _content(url, settings.LABEL_STUDIO_TOKEN)
    assert (content["account"], content["next"]) == (7, "/projects/3/data?labeling=1")


def test_no_two_links_are_the_same(settings: Settings) -> None:
    first, second = (sign_in_url(account_id=7, next_path="/") for _ in range(2))
    nonces = {_content(url, settings.LABEL_STUDIO_TOKEN)["nonce"] for url in (first, second)}
    assert len(nonces) == 2
    assert all(len(str(nonce)) == 32 for nonce in nonces)
