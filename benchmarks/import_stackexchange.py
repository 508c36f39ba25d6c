"""Compares the whole Stack Exchange import with a bare lxml pass that only reads the same attributes."""

import tempfile
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import cast

from lxml import etree

from benchmarks.import_dumps import write_posts_xml
from benchmarks.import_timing import compare
from corpus.readers.stackexchange import import_stackexchange
from corpus.rules import ImportRules
from corpus.store import CorpusStore

_ROWS = 120_000
_BLOCK = 2**18
_ATTRIBUTES = ("Id", "PostTypeId", "ParentId", "AcceptedAnswerId", "CreationDate", "Score", "Title", "Body")


class _Touch:
    """Reads the attributes and forgets them."""

    def __init__(self) -> None:
        self.characters = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        for name in _ATTRIBUTES:
            self.characters += len(attributes.get(name) or "")

    def close(self) -> int:
        return self.characters


def bare_pass(path: Path) -> None:
    parser = etree.XMLParser(target=cast("etree.ParserTarget", _Touch()), encoding="utf-8")
    with path.open("rb") as handle:
        while block := handle.read(_BLOCK):
            parser.feed(block)
    parser.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = write_posts_xml(folder, rows=_ROWS, seed=1)

        imports = count()

        def whole_import() -> None:
            import_stackexchange(
                CorpusStore(folder / f"corpus-{next(imports)}"),
                posts=path,
                community="listening",
                rules=ImportRules(),
                key=b"benchmark-key-16",
                now=lambda: datetime.now(UTC),
            )

        compare(path.stat().st_size / 1e6, lambda: bare_pass(path), whole_import)


if __name__ == "__main__":
    main()
