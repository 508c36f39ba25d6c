"""Secrets shared with the gate inside Label Studio: both sides derive them from the owner's token."""

from __future__ import annotations

import hashlib
import hmac

# How Attune knows that a call is a webhook, and its own webhooks again
WEBHOOK_HEADER = "X-Attune-Webhook"


def gate_key(token: str) -> str:
    """Signs the tickets that let annotators in."""
    return _derived(token, b"attune gate")


def webhook_secret(token: str) -> str:
    """What a webhook must carry to be taken for a webhook."""
    return _derived(token, b"attune webhook")


def _derived(token: str, purpose: bytes) -> str:
    return hmac.new(token.encode(), purpose, hashlib.sha256).hexdigest()
