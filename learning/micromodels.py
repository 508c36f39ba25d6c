"""What an adapter of micromodels holds, as a file that the ML backend writes and pages read: seeds and curves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from learning.additive_curves import AdditiveModel

MICROMODELS = "micromodels.json"
Groups = tuple[tuple[str, ...], ...]


class CodeMicromodels(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`groups` are the seeds of each micromodel, of which the first stands for the others."""

    groups: Groups
    model: AdditiveModel


def write_micromodels(folder: Path, by_code: Mapping[str, CodeMicromodels]) -> None:
    (folder / MICROMODELS).write_bytes(msgspec.json.encode(by_code, order="deterministic"))


def read_micromodels(folder: Path) -> dict[str, CodeMicromodels]:
    """By code; raises OSError or msgspec.DecodeError."""
    return msgspec.json.decode((folder / MICROMODELS).read_bytes(), type=dict[str, CodeMicromodels])
