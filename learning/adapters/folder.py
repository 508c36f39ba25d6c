"""Looks at an adapter's folder without opening what was learned: every file against its hash, and none that could run
code."""

from __future__ import annotations

from pathlib import Path

import msgspec

from annotation.release.manifest import file_entry, file_names
from learning.adapters.card import CARD, Card, content_id, parse_card

SEEN = "seen_items.json"
SAFE = frozenset({".json", ".safetensors"})


class AdapterBroken(ValueError):
    def __init__(self, folder: Path, problem: str) -> None:
        super().__init__(
            f"{folder} is no intact adapter: {problem}. Fetch an intact copy, or train it again."
        )


class PickleRefused(ValueError):
    """A pickle runs whatever its maker wrote as soon as it is opened, so none is ever opened here."""

    def __init__(self, folder: Path, name: str) -> None:
        super().__init__(
            f"{folder} holds {name}: an adapter is made of .json and .safetensors files alone, because others, such as "
            "pickles, can run code when they are opened. Nothing was loaded. Do not trust where it came from."
        )


class SeenItems(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The items whose labels an adapter learned from, and those by which its thresholds were set."""

    train: tuple[str, ...]
    validation: tuple[str, ...]

    def all(self) -> frozenset[str]:
        return frozenset((*self.train, *self.validation))


def read_card(folder: Path) -> Card:
    """Without looking at anything else."""
    try:
        return parse_card((folder / CARD).read_bytes())
    except OSError as error:
        raise AdapterBroken(folder, f"it has no {CARD}") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise AdapterBroken(folder, f"{CARD} is not one that this version reads ({error})") from error


def read_seen(folder: Path) -> SeenItems:
    try:
        return msgspec.json.decode((folder / SEEN).read_bytes(), type=SeenItems)
    except (OSError, msgspec.DecodeError) as error:
        raise AdapterBroken(folder, f"{SEEN} cannot be read") from error


def refuse_pickles(folder: Path) -> None:
    for name in file_names(folder):
        if Path(name).suffix not in SAFE or (folder / name).is_symlink():
            raise PickleRefused(folder, name)


def check_files(folder: Path, card: Card) -> None:
    refuse_pickles(folder)
    there = set(file_names(folder)) - {CARD}
    for name in sorted(there ^ {entry.path for entry in card.files}):
        raise AdapterBroken(folder, f"{name} is {'not on its card' if name in there else 'missing'}")
    for entry in card.files:
        if file_entry(folder, entry.path) != entry:
            raise AdapterBroken(folder, f"{entry.path} is not what was trained")
    if content_id(card) != card.id:
        raise AdapterBroken(folder, "its card was changed")


def checked_card(folder: Path) -> Card:
    """The card of a folder that is intact from end to end."""
    card = read_card(folder)
    check_files(folder, card)
    return card
