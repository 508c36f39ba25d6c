"""Small dumps of our own making for the tests of the readers."""

import gzip
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from xml.sax.saxutils import escape

from backports import zstd

KEY = b"a key for testing only"
LISTENING = "listening"


def now() -> datetime:
    return datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def submission(post_id: str, text: str = "How do I tell them?", **changes: object) -> dict[str, object]:
    return {
        "id": post_id,
        "subreddit": LISTENING,
        "title": f"Title of {post_id}",
        "selftext": text,
        "author": f"poster_{post_id}",
        "created_utc": 1_600_000_000,
        "score": 3,
        **changes,
    }


def comment(comment_id: str, parent: str, **changes: object) -> dict[str, object]:
    """`parent` is t3_<post> or t1_<comment>; a nested comment has to name its post in link_id."""
    return {
        "id": comment_id,
        "subreddit": LISTENING,
        "body": f"Reply {comment_id}: that sounds hard.",
        "author": f"replier_{comment_id}",
        "created_utc": 1_600_000_100,
        "score": 1,
        "link_id": parent,
        "parent_id": parent,
        **changes,
    }


def write_ndjson(path: Path, records: Sequence[dict[str, object]]) -> Path:
    data = b"".join(json.dumps(record).encode() + b"\n" for record in records)
    if path.suffix == ".zst":
        data = zstd.compress(data)
    elif path.suffix == ".gz":
        data = gzip.compress(data)
    path.write_bytes(data)
    return path


def posts_xml(rows: Sequence[dict[str, str]]) -> bytes:
    """As Stack Exchange writes it: a byte order mark, one row a line, attributes in double quotes."""
    lines = [f"  {_row(row)}" for row in rows]
    return "\n".join(['\ufeff<?xml version="1.0" encoding="utf-8"?>', "<posts>", *lines, "</posts>"]).encode()


def one_line_xml(rows: Sequence[dict[str, str]]) -> bytes:
    """The same document as another program might write it."""
    return f"<posts>{''.join(_row(row) for row in rows)}</posts>".encode()


def _row(row: dict[str, str]) -> str:
    quoted = {'"': "&quot;", "\n": "&#xA;", "\r": "&#xD;", "\t": "&#x9;"}
    return "<row " + " ".join(f'{name}="{escape(value, quoted)}"' for name, value in row.items()) + " />"


def question(post_id: int, body: str = "<p>How?</p>", **changes: str) -> dict[str, str]:
    row = {
        "Id": str(post_id),
        "PostTypeId": "1",
        "CreationDate": "2020-05-01T10:00:00.123",
        "Score": "4",
        "Body": body,
        "OwnerUserId": str(post_id + 1000),
        "Title": f"Question {post_id}",
    }
    return {**row, **changes}


def answer(answer_id: int, parent: int, body: str = "<p>Like this.</p>", **changes: str) -> dict[str, str]:
    row = {
        "Id": str(answer_id),
        "PostTypeId": "2",
        "ParentId": str(parent),
        "CreationDate": "2020-05-02T10:00:00.000",
        "Score": "2",
        "Body": body,
        "OwnerUserId": "7",
    }
    return {**row, **changes}
