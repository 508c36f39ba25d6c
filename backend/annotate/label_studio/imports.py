"""Cuts an import into requests that Label Studio takes in whole: each is one transaction of its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

MOST_TASKS = 5_000
# Label Studio takes up to 200 MB; a tenth keeps its memory small.
MOST_BYTES = 20_000_000


def import_bodies(
    tasks: Sequence[Mapping[str, object]], *, most_tasks: int = MOST_TASKS, most_bytes: int = MOST_BYTES
) -> Iterator[bytes]:
    """JSON arrays of tasks, in order.

    >>> [body.decode() for body in import_bodies([{"item": "a"}, {"item": "b"}, {"item": "c"}], most_tasks=2)]
    ['[{"data":{"item":"a"}},{"data":{"item":"b"}}]', '[{"data":{"item":"c"}}]']
    """
    encoder = msgspec.json.Encoder()
    chunk: list[bytes] = []
    size = 0
    for task in tasks:
        encoded = encoder.encode({"data": task})
        if chunk and (len(chunk) == most_tasks or size + len(encoded) > most_bytes):
            yield _array(chunk)
            chunk, size = [], 0
        chunk.append(encoded)
        size += len(encoded)
    if chunk:
        yield _array(chunk)


def _array(encoded: list[bytes]) -> bytes:
    return b"[" + b",".join(encoded) + b"]"
