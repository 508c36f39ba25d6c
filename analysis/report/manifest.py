"""The manifest of a report, in a module that draws nothing: whoever reads one need not load what makes one."""

import msgspec

REPORT, MANIFEST = "report.json", "manifest.json"


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Hashes are sha256 in hex: of what went in by its name, and of every other file of the folder by its path."""

    inputs: dict[str, str]
    files: dict[str, str]


def encode_manifest(manifest: Manifest) -> bytes:
    return msgspec.json.format(msgspec.json.encode(manifest, order="sorted"), indent=2) + b"\n"
