"""A data card as headings, paragraphs, lists and tables, written as Markdown and read back to be shown on a page."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from codebook.guideline import escape_markdown

_ESCAPED = re.compile(r"\\(.)")
# A bar that ends a cell: not one that is escaped by an odd number of strokes before it.
_CELL = re.compile(r"\|((?:[^|\\]|\\.)*)")


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    entries: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The first column names the row, the others hold numbers from `first_number` on."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    first_number: int = 1


@dataclass(frozen=True, slots=True)
class Command:
    text: str


Block: TypeAlias = Heading | Paragraph | Bullets | Table | Command


def to_markdown(blocks: Iterable[Block]) -> str:
    return "\n\n".join(_markdown(block) for block in blocks) + "\n"


def _markdown(block: Block) -> str:
    match block:
        case Heading(level, text):
            return f"{'#' * level} {_words(text)}"
        case Paragraph(text):
            return _words(text)
        case Bullets(entries):
            return "\n".join(f"- {_words(entry)}" for entry in entries)
        case Table(heads, rows, first):
            rule = "".join("---|" if at < first else "---:|" for at in range(len(heads)))
            return "\n".join([_row(heads), f"|{rule}", *(_row(row) for row in rows)])
        case Command(text):
            return f"    {text}"


def _words(text: str) -> str:
    """On one line, with nothing that Markdown would take for its own."""
    return escape_markdown(" ".join(text.split()))


def _row(cells: Iterable[str]) -> str:
    """With the space in front, no number at a cell's start looks like that of a list."""
    return "".join(f"|{escape_markdown(' ' + ' '.join(cell.split()))} " for cell in cells) + "|"


def from_markdown(text: str) -> tuple[Block, ...]:
    """The blocks of a card as `to_markdown` writes them, without the YAML header; anything else is a paragraph."""
    return tuple(_read(_without_header(text)))


def _without_header(text: str) -> str:
    _, mark, rest = text.removeprefix("---\n").partition("\n---\n")
    return rest if mark and text.startswith("---\n") else text


def _read(text: str) -> Iterator[Block]:
    for piece in re.split(r"\n{2,}", text.strip("\n")):
        lines = piece.split("\n")
        heading = re.fullmatch(r"(#{1,6}) (.*)", piece)
        if heading:
            yield Heading(len(heading[1]), _plain(heading[2]))
        elif all(line.startswith("- ") for line in lines):
            yield Bullets(tuple(_plain(line[2:]) for line in lines))
        elif all(line.startswith("|") for line in lines) and len(lines) > 1:
            yield _table(lines)
        elif piece.startswith("    "):
            yield Command(piece.strip())
        elif piece:
            yield Paragraph(_plain(piece))


def _table(lines: list[str]) -> Table:
    heads, rule, *rows = lines
    first = [mark.endswith(":") for mark in rule.strip("|").split("|")]
    number = first.index(True) if True in first else len(first)
    return Table(_cells(heads), tuple(_cells(row) for row in rows), number)


def _cells(line: str) -> tuple[str, ...]:
    return tuple(_plain(cell.strip()) for cell in _CELL.findall(line)[:-1])


def _plain(text: str) -> str:
    return _ESCAPED.sub(r"\1", text)
