"""Secrets shared with the access app inside Label Studio: both sides derive them from the owner's token."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from urllib.parse import urlencode

from django.conf import settings
from django.core import signing

# How Attune knows that a call is a webhook, and its own webhooks again
WEBHOOK_HEADER = "X-Attune-Webhook"


def access_key(token: str) -> str:
    """Signs the tickets that let annotators in."""
    return _derive_key(token, b"attune access")


def webhook_secret(token: str) -> str:
    """What a webhook must carry to be taken for a webhook."""
    return _derive_key(token, b"attune webhook")


def _derive_key(token: str, purpose: bytes) -> str:
    return hmac.new(token.encode(), purpose, hashlib.sha256).hexdigest()


SALT = "attune.sign-in"


def sign_in_url(*, account_id: int | None, next_path: str) -> str:
    """Without an account it is the owner's. Make it when the button is pressed: its minute runs from now."""
    content = {"account": account_id, "next": next_path, "nonce": secrets.token_hex(16)}
    ticket = signing.dumps(content, key=access_key(settings.LABEL_STUDIO_TOKEN), salt=SALT)
    return f"{settings.LABEL_STUDIO_URL}/attune/sign-in?{urlencode({'ticket': ticket})}"
