"""The texts that a model is to read, as a file with an item a line; it lies where the study's texts may lie."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from annotation.answers import ItemText
from corpus.atomic_files import replace_file


class TextsUnreadable(ValueError):
    def __init__(self, path: Path, number: int) -> None:
        super().__init__(f"{path}, line {number}: this is no item with its texts. Ask for it again.")


def write_texts(path: Path, texts: Iterable[ItemText]) -> None:
    replace_file(path, b"".join(msgspec.json.encode(text) + b"\n" for text in texts))


def read_texts(path: Path) -> tuple[ItemText, ...]:
    """In the order of the file. Raises TextsUnreadable."""
    decoder = msgspec.json.Decoder(ItemText)
    found = []
    for number, line in enumerate(path.read_bytes().splitlines(), start=1):
        try:
            found.append(decoder.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise TextsUnreadable(path, number) from error
    return tuple(found)
