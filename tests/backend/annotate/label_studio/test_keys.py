"""Both sides derive the same secrets from the owner's token, a different one for each purpose."""

from __future__ import annotations

import hashlib
import hmac
from runpy import run_path

from pytest_django.fixtures import Settings

from backend.annotate.label_studio.keys import access_key, webhook_secret
from backend.annotate.label_studio.process import OVERLAY

TOKEN = "0123456789abcdef0123456789abcdef01234567"


def test_the_gate_computes_the_same_key(settings: Settings) -> None:
    settings.ATTUNE_OWNER_TOKEN = TOKEN
    gates_own = run_path(str(OVERLAY / "attune_access" / "owner.py"))["access_key"]
    assert gates_own() == access_key(TOKEN)


def test_a_key_is_the_purpose_signed_with_the_token() -> None:
    for derived, purpose in ((access_key, b"attune access"), (webhook_secret, b"attune webhook")):
        assert derived(TOKEN) == hmac.new(TOKEN.encode(), purpose, hashlib.sha256).hexdigest()


def test_every_purpose_and_every_token_has_a_key_of_its_own() -> None:
    assert len({TOKEN, access_key(TOKEN), webhook_secret(TOKEN), access_key(TOKEN[::-1])}) == 4
