"""CoNLL: a token a line, with a column of B, I and O for each code, because highlights of codes may overlap.

Lines that begin with # name the columns, and for each item its id and labels. An empty line ends an item.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from annotation.exchange.documents import Document, documents
from annotation.release.rows import ReleaseRow
from annotation.tokens import covered_tokens, tokens
from codebook.schema import Codebook


def conll_files(codebook: Codebook, rows: Iterable[ReleaseRow]) -> Iterator[tuple[str, bytes]]:
    """A file for each part of the split."""
    codes = [code.id for _, code in codebook.coded_questions()]
    by_part: dict[str, list[ReleaseRow]] = {}
    for row in rows:
        by_part.setdefault(row.split.value, []).append(row)
    for part, own in by_part.items():
        written = [
            f"# columns = token {' '.join(codes)}\n\n",
            *(token_lines(each, codes) for each in documents(own)),
        ]
        yield f"{part}.conll", "".join(written).encode()


def token_lines(document: Document, codes: Sequence[str]) -> str:
    r"""
    >>> from annotation.exchange.documents import Mark
    >>> found = Document("i1", "So very sorry!", {"warmth": 1}, (Mark("warmth", 3, 13),))
    >>> print(token_lines(found, ["warmth"]).replace("\t", " | "), end="")
    # item = i1
    # labels = warmth=1
    So | O
    very | B-warmth
    sorry | I-warmth
    ! | O
    <BLANKLINE>
    """
    places = tokens(document.text)
    columns = {code: ["O"] * len(places) for code in codes}
    for mark in document.marks:
        for number, at in enumerate(covered_tokens(document.text, [(mark.start, mark.end)])):
            columns[mark.code][at] = f"{'I' if number else 'B'}-{mark.code}"
    labels = " ".join(f"{code}={value}" for code, value in document.labels.items())
    lines = [f"# item = {document.name}", f"# labels = {labels}"]
    lines += [
        "\t".join((document.text[start:end], *(columns[code][at] for code in codes)))
        for at, (start, end) in enumerate(places)
    ]
    return "\n".join(lines) + "\n\n"
