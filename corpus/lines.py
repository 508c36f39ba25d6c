"""Cuts a byte source into chunks of whole lines whose borders depend only on the content."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from corpus.errors import EmptySource, LineTooLong
from corpus.rules import ReadLimits
from corpus.sources import ByteSource

_NEWLINE = b"\n"


@dataclass(frozen=True)
class LineChunk:
    """`offset` and `consumed` are where the reader stands after this chunk."""

    data: bytes
    offset: int
    consumed: int
    first_line: int
    last_line: int


def line_chunks(
    source: ByteSource, limits: ReadLimits, *, offset: int = 0, lines: int = 0
) -> Iterator[LineChunk]:
    """Starts at `offset`, which is the end of line number `lines`.

    A chunk is the longest run of whole lines within `chunk_bytes` of its start, so reading on from the end
    of a chunk cuts the rest exactly as an undisturbed reading would.
    """
    chunk_bytes, longest = limits.chunk_bytes, limits.max_line_bytes
    source.skip(offset)
    carry = b""
    while True:
        fresh = source.read(chunk_bytes - len(carry))
        if not fresh and not carry:
            if offset == 0:
                raise EmptySource(
                    source.path, "", "there is no record in it.", "Export or download it again."
                )
            return
        full = len(carry) + len(fresh) == chunk_bytes
        end = fresh.rfind(_NEWLINE) + 1 if full else len(fresh)
        if end == 0 and full:
            raise _too_long(source, lines + 1, longest)
        data, carry = b"".join((carry, memoryview(fresh)[:end])), fresh[end:]
        _check_line_lengths(source, data, carry, lines, longest)
        offset += len(data)
        first, lines = lines + 1, lines + data.count(b"\n")
        yield LineChunk(data, offset, source.consumed, first, lines)


def _check_line_lengths(source: ByteSource, data: bytes, carry: bytes, lines: int, longest: int) -> None:
    """Hops from line end to line end, each time as far as one allowed line can reach: nearly free."""
    start = 0
    while len(data) - start > longest:
        end = data.rfind(_NEWLINE, start, start + longest + 1)
        if end < 0:
            raise _too_long(source, lines + data.count(_NEWLINE, 0, start) + 1, longest)
        start = end + 1
    if len(carry) > longest:
        raise _too_long(source, lines + data.count(_NEWLINE) + 1, longest)


def _too_long(source: ByteSource, line: int, longest: int) -> LineTooLong:
    return LineTooLong(
        source.path,
        f"line {line:,}",
        f"the line is longer than {longest:,} bytes.",
        "Nothing was imported. Check that there is one record per line, or raise max_line_bytes in the limits.",
    )


def read_ahead(chunks: Iterator[LineChunk]) -> Iterator[LineChunk]:
    """Decompresses the next chunk in a thread while the caller works on this one."""
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="corpus-read") as pool:
        upcoming = pool.submit(next, chunks, None)
        while (chunk := upcoming.result()) is not None:
            upcoming = pool.submit(next, chunks, None)
            yield chunk
