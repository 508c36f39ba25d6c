"""The card of an adapter: what it was trained on and how, what it reached, and the hash of every file it is made of."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import msgspec

from annotation.release.manifest import FileEntry
from learning.scoring.values import Evaluation

CARD = "card.json"


class ReleaseEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The release that was learned from; `hash` is that of its manifest."""

    name: str
    hash: str
    edition_hash: str


class Card(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`unlearned` are codes without a single training label; `parent` is the adapter that training started from.

    `measures` by part of the split. They and `made_at` are no part of the id: this names what was learned.
    """

    id: str
    learner: str
    release: ReleaseEntry
    config: dict[str, Any]
    seed: int
    threads: int
    codes: tuple[str, ...]
    unlearned: tuple[str, ...]
    versions: dict[str, str]
    files: tuple[FileEntry, ...]
    measures: dict[str, Evaluation]
    made_at: str
    parent: str | None = None
    format: Literal["attune-adapter"] = "attune-adapter"
    version: Literal[1] = 1


def content_id(card: Card) -> str:
    """sha256 over what was learned and from what, as JSON with sorted keys."""
    body = msgspec.to_builtins(card, str_keys=True)
    for name in ("id", "measures", "made_at"):
        del body[name]
    return hashlib.sha256(msgspec.json.encode(body, order="deterministic")).hexdigest()


def card_bytes(card: Card) -> bytes:
    body = msgspec.to_builtins(card, str_keys=True)
    return msgspec.json.format(msgspec.json.encode(body, order="deterministic"), indent=2) + b"\n"


def parse_card(content: bytes) -> Card:
    """Raises msgspec.DecodeError, of which a ValidationError is one."""
    return msgspec.json.decode(content, type=Card)
