"""Guesses which column of a table of pairs holds what, and says what looks wrong about a choice.

A guess needs both a name that people use for the role and cells that fit it. What is not sure is left open: a
column of ids that is taken for texts is worse than a question.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from pathlib import Path

from corpus.cells import text_cells, time_cells, whole_cells
from corpus.errors import WrongType
from corpus.pairs import PairColumns
from corpus.tables import TableBatch

Head = TableBatch

POST = ("post", "question", "submission", "seeker", "op", "thread", "ask")
REPLY = ("reply", "response", "answer", "comment", "responder")
_PARTS: dict[str, tuple[str, ...]] = {"post": POST, "reply": REPLY}
_KINDS: dict[str, tuple[str, ...]] = {
    "text": ("text", "body", "content", "message", "post"),
    "id": ("id", "key", "uid", "number", "no"),
    "author": ("author", "user", "username", "name", "by"),
    "created": ("created", "created_at", "created_utc", "time", "date", "timestamp"),
    "score": ("score", "votes", "upvotes", "points"),
}
_OTHER_NAMES: dict[str, tuple[str, ...]] = {
    "post_text": (*POST, "asked", "selftext", "original_post", "prompt"),
    "reply_text": (*REPLY, "answered"),
    "post_id": ("sp_id", "link_id", *POST),
    "reply_id": ("rp_id", *REPLY),
    "post_author": ("op", "poster"),
    "reply_author": ("responder",),
    "title": ("title", "post_title", "question_title", "subject"),
    "community": ("community", "subreddit", "site", "forum", "board"),
}
_WITHOUT_SPACES = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
ROLE_NAMES = {
    field.name: field.name.replace("post_", "the post’s ")
    .replace("reply_", "the reply’s ")
    .replace("created", "time")
    for field in fields(PairColumns)
} | {"title": "the post’s title", "community": "the community"}


def guess_pair_columns(path: Path, head: Head) -> dict[str, str]:
    """The column of each role that is sure, by the first rows of the table; no column gets two roles."""
    guesses: dict[str, str] = {}
    for role in ("post_text", "reply_text", "post_id", "reply_id", *ROLE_NAMES):
        if role in guesses:
            continue
        fitting = (
            name
            for name in _by_name(role, list(head.columns))
            if name not in guesses.values() and _fits(path, head, role, name)
        )
        if (found := next(fitting, None)) is not None:
            guesses[role] = found
    return guesses | _the_only_other_text(path, head, guesses)


def _the_only_other_text(path: Path, head: Head, guesses: Mapping[str, str]) -> dict[str, str]:
    """Where one of the two texts is known by name and one column of texts is left, it is the other."""
    open_roles = [role for role in ("post_text", "reply_text") if role not in guesses]
    left = [
        name for name in head.columns if name not in guesses.values() and _fits(path, head, "post_text", name)
    ]
    return {open_roles[0]: left[0]} if len(open_roles) == len(left) == 1 else {}


def _by_name(role: str, columns: Sequence[str]) -> list[str]:
    part, _, kind = role.partition("_")
    wanted = [role]
    wanted += [f"{word}_{ending}" for word in _PARTS.get(part, ()) for ending in _KINDS.get(kind, ())]
    wanted += _OTHER_NAMES.get(role, ())
    plain = {_plain(column): column for column in reversed(columns)}
    return list(dict.fromkeys(plain[name] for name in wanted if name in plain))


def _plain(name: str) -> str:
    """
    >>> _plain("Post ID"), _plain("replyText")
    ('post_id', 'reply_text')
    """
    split = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return re.sub(r"[\W_]+", "_", split).strip("_").lower()


def _fits(path: Path, head: Head, role: str, column: str) -> bool:
    kind = role.rpartition("_")[2]
    readers: dict[str, Callable[..., Sequence[object | None]]] = {"created": time_cells, "score": whole_cells}
    try:
        cells = readers.get(kind, text_cells)(path, head, column)
    except WrongType:
        return False
    texts = [str(cell) for cell in cells if cell is not None]
    match kind:
        case "text":
            return bool(texts) and not _mostly_one_word(texts)
        case "id":
            return len(texts) == (head.height if role == "post_id" else len(texts)) and _mostly_one_word(
                texts
            )
        case _:
            return bool(texts)


def _mostly_one_word(texts: Sequence[str]) -> bool:
    """More than half of them; scripts that are written without spaces are left alone."""
    words = sum(not re.search(r"\s", text.strip()) and not _WITHOUT_SPACES.search(text) for text in texts)
    return bool(texts) and words * 2 > len(texts)


def pair_warnings(path: Path, head: Head, columns: PairColumns) -> list[str]:
    """What a person should look at before (or, at the latest, after) the table comes in."""
    roles: dict[str, list[str]] = {}
    for field in fields(columns):
        if (column := getattr(columns, field.name)) is not None:
            roles.setdefault(column, []).append(ROLE_NAMES[field.name])
    shared = [
        f"The column “{column}” is read as {' and as '.join(names)}."
        for column, names in roles.items()
        if len(names) > 1
    ]
    short = [
        f"Most of {ROLE_NAMES[role]}s in the column “{column}” are a single word: is it the right column?"
        for role, column in (("post_text", columns.post_text), ("reply_text", columns.reply_text))
        if _mostly_one_word([text for text in text_cells(path, head, column) if text])
    ]
    return shared + short
