"""Holds the demo corpus to what its README promises, without using the importers that will read it."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path

import pytest
from lxml import etree

DEMO = Path(__file__).parents[3] / "corpus" / "demo"
REDDIT = ("RaisingThem", "SmallTalkClub", "NineToFive")
STACK_EXCHANGE = ("caregivers", "manners", "workfloor")
COMMUNITIES = REDDIT + STACK_EXCHANGE
CUT_OFF = datetime(2023, 1, 1, tzinfo=UTC)
GONE = {"[removed]", "[deleted]"}


@dataclass(frozen=True)
class Record:
    """One post, or one comment or answer with the ids it hangs from."""

    id: str
    author: str
    text: str
    written: datetime
    title: str = ""
    parent: str = ""
    post: str = ""
    accepted: str = ""


@dataclass(frozen=True)
class Dump:
    posts: tuple[Record, ...]
    replies: tuple[Record, ...]
    other_rows: int = 0


def _lines(path: Path) -> Iterator[dict[str, object]]:
    for line in path.read_bytes().decode("utf-8").removesuffix("\n").split("\n"):
        yield json.loads(line)


def _reddit_record(raw: dict[str, object]) -> Record:
    return Record(
        id=str(raw["id"]),
        author=str(raw["author"]),
        text=str(raw["selftext"] if "selftext" in raw else raw["body"]),
        written=datetime.fromtimestamp(int(str(raw["created_utc"])), UTC),
        title=str(raw.get("title", "")),
        parent=str(raw.get("parent_id", "")),
        post=str(raw.get("link_id", "")).removeprefix("t3_"),
    )


def _read_reddit(name: str) -> Dump:
    posts = tuple(_reddit_record(raw) for raw in _lines(DEMO / f"{name}.submissions.ndjson"))
    return Dump(posts, tuple(_reddit_record(raw) for raw in _lines(DEMO / f"{name}.comments.ndjson")))


def _stack_exchange_record(row: dict[str, str]) -> Record:
    return Record(
        id=row["Id"],
        author=row.get("OwnerUserId") or row["OwnerDisplayName"],
        text=row["Body"],
        written=datetime.fromisoformat(row["CreationDate"]).replace(tzinfo=UTC),
        title=row.get("Title", ""),
        parent="t3_" + row.get("ParentId", ""),
        post=row.get("ParentId", ""),
        accepted=row.get("AcceptedAnswerId", ""),
    )


def _read_stack_exchange(name: str) -> Dump:
    kinds: dict[str, list[Record]] = {"1": [], "2": [], "4": [], "5": []}
    for element in etree.parse(DEMO / f"{name}.Posts.xml").getroot():
        row = {str(key): str(value) for key, value in element.attrib.items()}
        kinds[row["PostTypeId"]].append(_stack_exchange_record(row))
    return Dump(tuple(kinds["1"]), tuple(kinds["2"]), len(kinds["4"]) + len(kinds["5"]))


@cache
def dump(name: str) -> Dump:
    return _read_reddit(name) if name in REDDIT else _read_stack_exchange(name)


def kept_posts(name: str) -> dict[str, Record]:
    seen: set[tuple[str, str]] = set()
    kept: dict[str, Record] = {}
    for post in dump(name).posts:
        fresh = (post.title, post.text) not in seen
        seen.add((post.title, post.text))
        if fresh and post.text not in GONE and post.written < CUT_OFF:
            kept[post.id] = post
    return kept


def kept_replies(name: str) -> list[Record]:
    posts = kept_posts(name)
    return [
        reply
        for reply in dump(name).replies
        if reply.parent == f"t3_{reply.post}"
        and reply.post in posts
        and reply.author != posts[reply.post].author
        and reply.text not in GONE
        and reply.written < CUT_OFF
    ]


def replies_per_post(name: str) -> list[int]:
    counts = Counter(reply.post for reply in kept_replies(name))
    return [counts[post] for post in kept_posts(name)]


def every_text() -> list[str]:
    return [record.text for name in COMMUNITIES for record in (*dump(name).posts, *dump(name).replies)]


def nested_and_own(name: str) -> tuple[int, int]:
    """Nested comments, and how many of them the original poster wrote."""
    authors = {post.id: post.author for post in dump(name).posts}
    nested = [reply for reply in dump(name).replies if reply.parent.startswith("t1_")]
    return len(nested), sum(reply.author == authors[reply.post] for reply in nested)


@pytest.mark.parametrize("name", COMMUNITIES)
def test_each_community_has_about_twenty_posts_and_fifty_replies(name: str) -> None:
    assert 19 <= len(kept_posts(name)) <= 23
    assert 42 <= len(kept_replies(name)) <= 72
    assert max(replies_per_post(name)) <= 8


def test_totals_and_posts_without_replies() -> None:
    per_post = [count for name in COMMUNITIES for count in replies_per_post(name)]
    assert 115 <= len(per_post) <= 125
    assert 280 <= sum(per_post) <= 350
    assert per_post.count(0) >= 12


@pytest.mark.parametrize("name", COMMUNITIES)
def test_ids_are_unique_and_records_come_in_order_of_time(name: str) -> None:
    for records in (dump(name).posts, dump(name).replies):
        assert len({record.id for record in records}) == len(records)
        assert [r.written for r in records] == sorted(r.written for r in records)


def test_one_comment_alone_is_an_orphan() -> None:
    orphans = []
    for name in COMMUNITIES:
        posts = {f"t3_{post.id}" for post in dump(name).posts}
        known = posts | {f"t1_{reply.id}" for reply in dump(name).replies}
        orphans += [r for r in dump(name).replies if f"t3_{r.post}" not in posts or r.parent not in known]
    assert [orphan.author for orphan in orphans] == ["fuzzy_lanyard"]


def test_every_text_is_written_once_but_for_the_deliberate_duplicates() -> None:
    counts = Counter(text for text in every_text() if text not in GONE)
    repeated = {text for text, count in counts.items() if count > 1}
    reposted = {
        post.text
        for name in COMMUNITIES
        for post in dump(name).posts
        if post.id not in kept_posts(name) and post.written < CUT_OFF and post.text not in GONE
    }
    assert repeated == reposted
    assert len(reposted) == 4


def test_no_long_sentence_occurs_in_two_texts() -> None:
    """A corpus put together from stock phrases would repeat its sentences."""
    seen = Counter(
        sentence
        for text in set(every_text())
        for sentence in {part.strip() for part in re.split(r"(?<=[.!?])\s|\n", text)}
        if len(sentence.split()) >= 6
    )
    assert [sentence for sentence, count in seen.items() if count > 1] == []


def test_lengths_go_from_a_few_words_to_several_hundred() -> None:
    posts = [len(post.text.split()) for name in COMMUNITIES for post in kept_posts(name).values()]
    replies = [len(reply.text.split()) for name in COMMUNITIES for reply in kept_replies(name)]
    assert min(posts) <= 8 and max(posts) >= 350
    assert min(replies) <= 3 and max(replies) >= 150


@pytest.mark.parametrize(
    "pattern",
    [
        "[\U00010000-\U0010ffff]",
        "\U0001f468\u200d\U0001f469\u200d",  # a family joined by zero-width joiners
        "[\U0001f1e6-\U0001f1ff]{2}",  # a flag
        "[\U0001f3fb-\U0001f3ff]",  # a skin tone
        "\U00020bb7",  # a kanji outside the basic plane
        "\n\n",
        "\r\n",
        "&amp;",
        "&gt; ",
        "<blockquote>",
        "<ul>",
        "<code>",
        "<em>",
        "<a href=",
    ],
)
def test_the_characters_and_markup_that_trip_importers_are_there(pattern: str) -> None:
    assert any(re.search(pattern, text) for text in every_text())


@pytest.mark.parametrize("direction", ["R", "AL"])
def test_hebrew_and_arabic_are_there(direction: str) -> None:
    assert any(unicodedata.bidirectional(char) == direction for text in every_text() for char in text)


def test_reddit_holds_what_importers_must_drop() -> None:
    dumps = [dump(name) for name in REDDIT]
    assert 10 <= sum(r.text in GONE for d in dumps for r in (*d.posts, *d.replies)) <= 14
    assert sum(r.written >= CUT_OFF for d in dumps for r in (*d.posts, *d.replies)) >= 5
    authors = {post.id: post.author for d in dumps for post in d.posts}
    direct = [r for d in dumps for r in d.replies if r.parent == f"t3_{r.post}" and r.text not in GONE]
    assert sum(r.author == authors.get(r.post) for r in direct) == 6
    nested, own = map(sum, zip(*map(nested_and_own, REDDIT), strict=True))
    assert 45 <= nested <= 75
    assert nested // 3 < own < nested


def test_stack_exchange_holds_what_importers_must_drop() -> None:
    dumps = [dump(name) for name in STACK_EXCHANGE]
    asked_by = {(i, post.id): post.author for i, d in enumerate(dumps) for post in d.posts}
    own = [r for i, d in enumerate(dumps) for r in d.replies if r.author == asked_by[i, r.post]]
    assert 4 <= len(own) <= 10
    assert all(d.other_rows for d in dumps)
    assert any(r.written >= CUT_OFF for d in dumps for r in (*d.posts, *d.replies))


@pytest.mark.parametrize("name", STACK_EXCHANGE)
def test_accepted_answers_belong_to_their_question(name: str) -> None:
    answers = {reply.id: reply.post for reply in dump(name).replies}
    accepted = [post for post in dump(name).posts if post.accepted]
    assert all(answers[post.accepted] == post.id for post in accepted)
    assert 0.4 <= len(accepted) / len(set(answers.values())) <= 0.65


def readme_figures(name: str) -> tuple[int, ...]:
    per_post = replies_per_post(name)
    return len(dump(name).posts), len(dump(name).replies), len(per_post), sum(per_post), per_post.count(0)


def test_the_readme_states_the_counts() -> None:
    figures = {f"`{name}`": readme_figures(name) for name in COMMUNITIES}
    figures["all"] = tuple(map(sum, zip(*figures.values(), strict=True)))
    rows = [f"| {label} | " + " | ".join(map(str, row)) + " |" for label, row in figures.items()]
    assert "\n".join(rows) in (DEMO / "README.md").read_text(encoding="utf-8")
