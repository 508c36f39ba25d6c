"""Opens the folder of a release as its readers do: with Hugging Face's library, and without a network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

_ASKED = """
import sys, json, datasets
found = datasets.load_dataset(sys.argv[1])
train = found["train"]
print(json.dumps({
    "rows": {name: part.num_rows for name, part in found.items()},
    "label_type": train.features["label__asking-advice"].dtype,
    "has_text": train[0]["post_text"] is not None,
}))
"""


@dataclass(frozen=True)
class Opened:
    rows: dict[str, int]
    label_type: str
    has_text: bool


def hugging_face(folder: Path, cache: Path) -> Opened:
    """In a process of its own: the library holds on to its settings, and has warnings of its own."""
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_HOME": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", _ASKED, str(folder)],
        env=os.environ | offline,
        capture_output=True,
        text=True,
        check=True,
    )
    return Opened(**json.loads(done.stdout.strip().splitlines()[-1]))
