"""What went into a report and what came out, by hashes. Light to import: pages read it, and draw nothing."""

from __future__ import annotations

import msgspec

REPORT, MANIFEST = "report.json", "manifest.json"


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Hashes are sha256 in hex: of what went in by its name, and of every other file of the folder by its path."""

    inputs: dict[str, str]
    files: dict[str, str]


def encode_manifest(manifest: Manifest) -> bytes:
    return msgspec.json.format(msgspec.json.encode(manifest, order="sorted"), indent=2) + b"\n"


def decode_manifest(content: bytes) -> Manifest:
    return msgspec.json.decode(content, type=Manifest)
