"""Writes the story's threads as the dumps that a team would bring: Reddit's and Stack Exchange's own formats."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from xml.sax.saxutils import quoteattr

from backend.design.corpora.import_requests import ImportRequest, dump_import
from backend.operate.demo.story.texts import Thread, sentences

POST_KIND, COMMENT_KIND = "t3_", "t1_"


def write_dumps(threads: Sequence[Thread], folder: Path) -> list[ImportRequest]:
    """What to import, by names of files in the folder."""
    requests: list[ImportRequest] = []
    for community, place in sentences().communities.items():
        own = [thread for thread in threads if thread.community == community]
        if place.platform == "reddit":
            names = (f"{community}.submissions.ndjson", f"{community}.comments.ndjson")
            for name, lines in zip(names, (_submissions(own), _comments(own)), strict=True):
                (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))
            requests.append(dump_import("reddit", submissions=[names[0]], comments=[names[1]]))
        else:
            posts = f"{community}.Posts.xml"
            (folder / posts).write_text("\n".join(_posts_xml(own)), encoding="utf-8")
            requests.append(dump_import("stackexchange", posts=posts, community=community))
    return requests


def _post_id(thread: Thread) -> str:
    return f"{thread.community.lower()[:4]}{thread.number:05d}"


def _submissions(threads: Sequence[Thread]) -> Iterator[dict[str, object]]:
    for thread in threads:
        yield {
            "id": _post_id(thread),
            "subreddit": thread.community,
            "author": thread.author,
            "title": thread.title,
            "selftext": thread.text,
            "created_utc": int(thread.created.timestamp()),
            "score": 1 + thread.number % 40,
            "num_comments": len(thread.replies),
            "is_self": True,
        }


def _comments(threads: Sequence[Thread]) -> Iterator[dict[str, object]]:
    for thread in threads:
        for number, reply in enumerate(thread.replies):
            yield {
                "id": f"{_post_id(thread)}r{number}",
                "subreddit": thread.community,
                "author": reply.author,
                "body": reply.text,
                "created_utc": int(reply.created.timestamp()),
                "score": 1 + (thread.number + number) % 15,
                "parent_id": f"{POST_KIND}{_post_id(thread)}",
                "link_id": f"{POST_KIND}{_post_id(thread)}",
            }


def _posts_xml(threads: Sequence[Thread]) -> Iterator[str]:
    number = count(1)
    yield '<?xml version="1.0" encoding="utf-8"?>'
    yield "<posts>"
    for thread in threads:
        post = next(number)
        answers = [(next(number), reply) for reply in thread.replies]
        accepted = {"AcceptedAnswerId": answers[0][0]} if thread.number % 3 == 0 else {}
        asked = {"Id": post, "PostTypeId": 1, **accepted, "Title": thread.title}
        yield _row(asked, thread.text, thread.author, thread.created.isoformat()[:19] + ".000")
        for answer, reply in answers:
            given: dict[str, object] = {"Id": answer, "PostTypeId": 2, "ParentId": post}
            yield _row(given, reply.text, reply.author, reply.created.isoformat()[:19] + ".000")
    yield "</posts>"


def _row(attributes: dict[str, object], text: str, author: str, created: str) -> str:
    owner = "".join(character for character in author if character.isdigit())
    offset = 1000 if author.startswith("replier") else 1
    found = {**attributes, "Body": f"<p>{text}</p>", "OwnerUserId": int(owner) + offset}
    found |= {"CreationDate": created, "Score": 1 + len(text) % 20}
    return "  <row " + " ".join(f"{name}={quoteattr(str(value))}" for name, value in found.items()) + " />"
