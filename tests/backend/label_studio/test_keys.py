"""Both sides derive the same secrets from the owner's token, a different one for each purpose."""

from __future__ import annotations

import hashlib
import hmac

from backend.label_studio.keys import gate_key, hint_secret

TOKEN = "0123456789abcdef0123456789abcdef01234567"


def test_the_keys_are_what_the_gate_computes() -> None:
    for derived, purpose in ((gate_key, b"attune gate"), (hint_secret, b"attune hint")):
        assert derived(TOKEN) == hmac.new(TOKEN.encode(), purpose, hashlib.sha256).hexdigest()


def test_neither_key_tells_the_token_or_the_other() -> None:
    assert len({TOKEN, gate_key(TOKEN), hint_secret(TOKEN), gate_key(TOKEN[::-1])}) == 4
