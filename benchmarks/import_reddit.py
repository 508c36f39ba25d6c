"""Compares the whole Reddit import with the bare loop that only decompresses and decodes the same files."""

import tempfile
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import msgspec

from benchmarks.import_dumps import write_reddit_dump
from benchmarks.import_timing import compare
from corpus.lines import line_chunks
from corpus.readers.reddit import import_reddit
from corpus.reddit_frames import Comment, Submission
from corpus.rules import ImportRules
from corpus.sources import ByteSource
from corpus.store import CorpusStore

_COMMENTS = 200_000
_POSTS = 20_000


def bare_loop(submissions: Path, comments: Path, *, whole_chunks: bool = False) -> int:
    """Decompresses and decodes into the fields that the import uses: line by line, or by msgspec's own cutting."""
    limits = ImportRules().limits
    total = 0
    for path, record in ((submissions, Submission), (comments, Comment)):
        decoder = msgspec.json.Decoder(record)
        with ByteSource(path, limits) as source:
            for chunk in line_chunks(source, limits):
                if whole_chunks:
                    decoder.decode_lines(chunk.data)
                else:
                    _decode_each(decoder, chunk.data)
                total += len(chunk.data)
    return total


def _decode_each(decoder: msgspec.json.Decoder[msgspec.Struct], data: bytes) -> None:
    for line in data.split(b"\n"):
        if line:
            decoder.decode(line)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        submissions, comments = write_reddit_dump(folder, posts=_POSTS, comments=_COMMENTS, seed=1)

        imports = count()

        def whole_import() -> None:
            import_reddit(
                CorpusStore(folder / f"corpus-{next(imports)}"),
                submissions=[submissions],
                comments=[comments],
                rules=ImportRules(),
                key=b"benchmark-key-16",
                now=lambda: datetime.now(UTC),
            )

        megabytes = bare_loop(submissions, comments) / 1e6
        print("against decoding line by line")
        compare(megabytes, lambda: bare_loop(submissions, comments), whole_import)
        print("against msgspec's decode_lines, for information")
        compare(megabytes, lambda: bare_loop(submissions, comments, whole_chunks=True), whole_import)


if __name__ == "__main__":
    main()
