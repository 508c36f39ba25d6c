"""Secrets shared with the gate inside Label Studio: both sides derive them from the owner's token."""

from __future__ import annotations

import hashlib
import hmac

# How Attune knows that a call is a hint, and its own webhooks again
HINT_HEADER = "X-Attune-Hint"


def gate_key(token: str) -> str:
    """Signs the tickets that let annotators in."""
    return _derived(token, b"attune gate")


def hint_secret(token: str) -> str:
    """What a webhook must carry to be taken for a hint."""
    return _derived(token, b"attune hint")


def _derived(token: str, purpose: bytes) -> str:
    return hmac.new(token.encode(), purpose, hashlib.sha256).hexdigest()
