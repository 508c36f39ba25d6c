"""The link that takes somebody from Attune into Label Studio: signed, good once, for a minute."""

from __future__ import annotations

import secrets
from urllib.parse import urlencode

from django.conf import settings
from django.core import signing

from backend.annotate.label_studio.keys import gate_key

SALT = "attune.sign-in"


def sign_in_url(*, account_id: int | None, next_path: str) -> str:
    """Without an account it is the owner's. Make it when the button is pressed: its minute runs from now."""
    content = {"account": account_id, "next": next_path, "nonce": secrets.token_hex(16)}
    ticket = signing.dumps(content, key=gate_key(settings.LABEL_STUDIO_TOKEN), salt=SALT)
    return f"{settings.LABEL_STUDIO_URL}/attune/sign-in?{urlencode({'ticket': ticket})}"
