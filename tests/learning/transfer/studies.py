"""Small tables of invented texts, and studies of them."""

from __future__ import annotations

import csv
from pathlib import Path

import msgspec

# A word that gives the label away, and one that has nothing to do with it.
MOODS = {"calm": 0.2, "eager": 0.5, "merry": 0.9}
PLACES = ("harbour", "market", "library", "station", "garden", "bakery", "museum")


def write_table(path: Path, *, n: int = 60, first: int = 0, per_group: int = 2) -> Path:
    """Groups of two items; mood (three classes), level (a number) and place (another class) of each."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "group", "context", "text", "mood", "level", "place"])
        for number in range(first, first + n):
            mood, level = list(MOODS.items())[number % len(MOODS)]
            place = PLACES[number % len(PLACES)]
            text = f"Number {number} waited at the {place} and felt quite {mood} about it"
            asked = f"What did traveller number {number} see on the way today?"
            group = number // per_group
            writer.writerow([number, group, asked, text, mood, level + number % 5 / 50, place])
    return path


def table_task(name: str, path: Path, label: str = "mood", **more: object) -> dict[str, object]:
    kind = "regression" if label == "level" else "classification"
    return {"name": name, "file": str(path), "label": label, "kind": kind, "group": "group", **more}


def write_study(path: Path, *tasks: dict[str, object], **more: object) -> Path:
    path.write_bytes(msgspec.yaml.encode({"tasks": list(tasks), **more}))
    return path
