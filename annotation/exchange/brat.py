"""The standoff format of brat: a .txt with the words and an .ann with what is marked, for each item.

Labels of a whole document have no place in it: they go into labels.csv. https://brat.nlplab.org/standoff.html
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from annotation.exchange.documents import Document, documents, values_of
from annotation.release.rows import ReleaseRow
from codebook.schema import Codebook
from corpus.delimited import safe_cell


def brat_files(codebook: Codebook, rows: Iterable[ReleaseRow]) -> Iterator[tuple[str, bytes]]:
    rows = list(rows)
    codes = [code.id for _, code in codebook.coded_questions()]
    sections = ["[entities]", *codes, "", "[relations]", "", "[events]", "", "[attributes]", ""]
    yield "annotation.conf", "\n".join(sections).encode()
    yield "labels.csv", label_table(codes, rows)
    for document in documents(rows):
        yield f"{document.name}.txt", document.text.encode()
        yield f"{document.name}.ann", standoff(document).encode()


def standoff(document: Document) -> str:
    r"""A line for each highlight. What goes on over a line break has a piece on each line, as brat asks for.

    >>> from annotation.exchange.documents import Mark
    >>> found = standoff(Document("i1", "So sorry.\nReally so.", {}, (Mark("warmth", 3, 16),)))
    >>> print(found.replace("\t", " | "), end="")
    T1 | warmth 3 9;10 16 | sorry. Really
    """
    lines = []
    for number, mark in enumerate(document.marks, start=1):
        pieces = list(_pieces(document.text, mark.start, mark.end))
        if not pieces:
            continue
        places = ";".join(f"{start} {end}" for start, end in pieces)
        words = " ".join(document.text[start:end] for start, end in pieces)
        lines.append(f"T{number}\t{mark.code} {places}\t{words}\n")
    return "".join(lines)


def _pieces(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for line in text[start:end].split("\n"):
        if line.strip():
            yield at, at + len(line)
        at += len(line) + 1


def label_table(codes: Sequence[str], rows: Iterable[ReleaseRow]) -> bytes:
    """A row for each item, a column for each code, empty where there is no label; and the part of the split."""
    written = StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(("item", "split", *codes))
    for row in rows:
        values = values_of(row)
        table.writerow(
            (safe_cell(row.item.item_id), row.split.value, *(values.get(code, "") for code in codes))
        )
    return written.getvalue().encode()
