"""A digest as files: Markdown for the meeting's notes, CSV for a spreadsheet. Texts go along only when asked for."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO

from backend.annotate.discussions.answers import MarkedText
from backend.annotate.discussions.digest import Digest, DigestEntry, DigestGroup
from codebook.guideline import escape_markdown
from corpus.delimited import safe_cell

COLUMNS = (
    "item_id",
    "community",
    "annotator",
    "state",
    "codes",
    "comment",
    "discussion",
    "reason",
    "settled_by",
    "proposed_code",
    "proposed_change",
)
TEXT_COLUMNS = ("title", "post_text", "reply_text")


def digest_csv(digest: Digest, *, with_text: bool) -> str:
    """One line a flag."""
    buffer = StringIO()
    writer = csv.DictWriter(buffer, COLUMNS + (TEXT_COLUMNS if with_text else ()))
    writer.writeheader()
    for entry in digest.entries:
        row = _row(entry) | (_texts(entry) if with_text else {})
        writer.writerow({name: safe_cell(value) for name, value in row.items()})
    return buffer.getvalue()


def _row(entry: DigestEntry) -> dict[str, str]:
    return {
        "item_id": entry.item_id,
        "community": entry.community,
        "annotator": entry.annotator,
        "state": entry.state.value,
        "codes": "; ".join(code.name for code in entry.codes),
        "comment": entry.comment,
        "discussion": "\n".join(f"{saying.author}: {saying.body}" for saying in entry.sayings),
        "reason": entry.reason,
        "settled_by": entry.settled_by,
        "proposed_code": entry.proposed_code,
        "proposed_change": entry.proposed_change,
    }


def _texts(entry: DigestEntry) -> dict[str, str]:
    texts = {text.part: text for text in entry.texts}
    cells = dict.fromkeys(TEXT_COLUMNS, "")
    for part, text in texts.items():
        cells[f"{part.value}_text"] = text.words
        cells["title"] = cells["title"] or text.title
    return cells


def digest_markdown(digest: Digest, *, with_text: bool) -> str:
    blocks = [
        f"# {escape_markdown(digest.batch.name)}: uncertain examples and explanations",
        f"{len(digest.entries)} flagged, {digest.unsettled} not settled, {digest.withdrawn} taken back.",
    ]
    for group in digest.groups:
        blocks.extend(_group_blocks(group, with_text=with_text))
    return "\n\n".join(blocks) + "\n"


def _group_blocks(group: DigestGroup, *, with_text: bool) -> Iterator[str]:
    yield f"## {escape_markdown(group.code.name) if group.code else 'No code found'}"
    for entry in group.entries:
        yield from _entry_blocks(entry, with_text=with_text)
    if group.elsewhere:
        lines = (
            f"- `{entry.item_id}` under {escape_markdown(entry.codes[0].name)}" for entry in group.elsewhere
        )
        yield "Also found in:\n\n" + "\n".join(lines)


def _entry_blocks(entry: DigestEntry, *, with_text: bool) -> Iterator[str]:
    yield f"### `{entry.item_id}`, {escape_markdown(entry.community)}"
    others = entry.codes[1:]
    if others:
        yield "Also found: " + ", ".join(escape_markdown(code.name) for code in others) + "."
    if with_text:
        yield from (_quote(text) for text in entry.texts)
    yield f"**{escape_markdown(entry.annotator)} is not sure:** {_flat(entry.comment) or '(no comment)'}"
    if entry.sayings:
        yield "\n".join(f"- {escape_markdown(said.author)}: {_flat(said.body)}" for said in entry.sayings)
    if entry.reason:
        yield f"**Settled by {escape_markdown(entry.settled_by)}:** {_flat(entry.reason)}"
    else:
        yield f"**Not settled:** {entry.state.label.lower()}"
    if entry.proposed_change:
        about = f" for {escape_markdown(entry.proposed_code)}" if entry.proposed_code else ""
        yield f"**Proposed{about}:** {_flat(entry.proposed_change)}"


def _quote(text: MarkedText) -> str:
    whole = f"{text.title}\n\n{text.words}" if text.title else text.words
    lines = [
        f"**{text.part.value.capitalize()}**",
        "",
        *(escape_markdown(line) for line in whole.splitlines()),
    ]
    return "\n".join(f"> {line}".rstrip() for line in lines)


def _flat(text: str) -> str:
    """One paragraph: a line of its own could begin a heading or a list."""
    return escape_markdown(" ".join(text.split()))
