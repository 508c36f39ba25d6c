"""The rules of the Mastodon reader, on invented threads."""

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from corpus.errors import BrokenRecord, InvalidRules, WrongType
from corpus.pseudonyms import Pseudonyms
from corpus.readers.mastodon import import_mastodon
from corpus.records import ImportRecord
from corpus.rules import ImportRules, ReadLimits
from corpus.store import CorpusStore
from tests.corpus.dumps import KEY, now

NAMES = Pseudonyms(KEY)


def status(id: str, parent: str | None = None, **changes: object) -> dict[str, object]:
    """Of somebody of its own on another server."""
    return {
        "id": id,
        "in_reply_to_id": parent,
        "account": {"acct": f"person{id}@far.example", "username": f"person{id}"},
        "created_at": f"2022-11-05T10:00:{len(id):02}.000Z",
        "content": f"<p>Words of {id}</p>",
        "spoiler_text": "",
        "language": "en",
        "visibility": "public",
        "favourites_count": 2,
        "mentions": [],
        "reblog": None,
        **changes,
    }


ME = {"acct": "me", "username": "me"}
THREAD = [
    status("1", account=ME, content="<p>My cat died.<br />I am lost &amp; tired.</p>", spoiler_text="grief"),
    status(
        "2",
        "1",
        content='<p><a href="https://here.example/@me" class="u-url">@<span>me</span></a> I am so sorry.</p>',
    ),
    status("3", "2", account=ME, content="<p>Thank you.</p>"),
    status("4", "1", language="de", content="<p>Das tut mir leid.</p>"),
    status("5", "3", content="<p>Always.</p>"),
    status("6", "1", visibility="private"),
    status("7", "1", account=ME, content="<p>More of me.</p>"),
    status("8", "99"),
    status("9", visibility="direct", content="<p>Secret</p>"),
    status("10", "9"),
    status("11", reblog={"id": "1"}, content="<p>My cat died.</p>"),
    status("12", visibility="unlisted", content="<p></p>"),
]


def run(
    folder: Path,
    statuses: list[dict[str, object]],
    rules: ImportRules | None = None,
    languages: tuple[str, ...] = (),
) -> tuple[CorpusStore, ImportRecord]:
    path = folder / "statuses.jsonl"
    path.write_text("".join(f"{json.dumps(each)}\n" for each in statuses))
    store = CorpusStore(folder / "corpus")
    record = import_mastodon(
        store,
        statuses=[path],
        community="here.example",
        rules=rules or ImportRules(),
        key=KEY,
        now=now,
        languages=languages,
    )
    return store, record


def test_threads_become_posts_and_replies_and_every_record_is_accounted_for(tmp_path: Path) -> None:
    store, record = run(tmp_path, THREAD)
    post = store.scan_posts().collect().row(0, named=True)
    assert (post["post_id"], post["title"], post["text"], post["n_replies"], post["score"]) == (
        "1",
        "grief",
        "My cat died.\nI am lost & tired.",
        2,
        2,
    )
    assert post["created"] == datetime(2022, 11, 5, 10, 0, 1, tzinfo=UTC) and post["platform"] == "mastodon"
    replies = store.scan_replies().select("reply_id", "post_id", "answered_by_poster").collect().rows()
    assert replies == [("2", "1", True), ("4", "1", False)]
    assert record.dropped("post") == {"boost": 1, "empty_text": 1, "not_public": 1}
    assert record.dropped("reply") == {
        "by_poster": 1,
        "nested_comment": 2,
        "not_public": 1,
        "post_dropped": 1,
        "post_not_in_dump": 1,
    }
    assert record.posts_read == record.posts_kept + sum(record.dropped("post").values()) == 4
    assert record.replies_read == record.replies_kept + sum(record.dropped("reply").values()) == 8


def test_names_become_the_same_pseudonyms_in_columns_and_texts(tmp_path: Path) -> None:
    said = "<p>@ada @bob@far.example see https://far.example/@bob/17, not bob@far.example</p>"
    mentions = [{"acct": "ada@near.example", "username": "ada"}]
    rows = [status("1", account=ME), status("2", "1", content=said, mentions=mentions)]
    store, _ = run(tmp_path, rows)
    assert store.scan_posts().collect()["author"].to_list() == [NAMES.of("me@here.example")]
    ada, bob = NAMES.of("ada@near.example"), NAMES.of("bob@far.example")
    text = store.scan_replies().collect()["text"][0]
    assert text == f"@{ada} @{bob} see @{bob}/17, not bob@far.example"


def test_a_mention_of_the_poster_is_the_poster(tmp_path: Path) -> None:
    store, _ = run(tmp_path, THREAD)
    poster = store.scan_posts().collect()["author"][0]
    assert store.scan_replies().collect()["text"][0] == f"@{poster} I am so sorry."


def test_nothing_of_a_status_that_is_not_public_reaches_the_corpus(tmp_path: Path) -> None:
    for visibility in ("private", "direct", None, "new-kind"):
        folder = tmp_path / str(visibility)
        folder.mkdir()
        store, record = run(
            folder, [status("1"), status("2", content="<p>Secret</p>", visibility=visibility)]
        )
        assert record.dropped("post") == {"not_public": 1}
        assert store.scan_posts().collect()["post_id"].to_list() == ["1"]


def test_only_the_languages_and_the_time_asked_for(tmp_path: Path) -> None:
    rules = ImportRules(cutoff=datetime(2022, 11, 6, tzinfo=UTC))
    rows = [status("1", language="en-GB"), status("2", language=None), status("3", language="de")]
    rows += [
        status("4", created_at="2022-11-06T00:30:00+01:00"),
        status("5", created_at="2022-11-06T00:00:00Z"),
    ]
    _, record = run(tmp_path, rows, rules, ("en",))
    assert (record.posts_kept, record.dropped("post")) == (2, {"after_cutoff": 1, "other_language": 2})


def test_small_chunks_give_the_same_whatever_the_order_of_lines(tmp_path: Path) -> None:
    """A reply may come before its post, and an answer before what it answers."""
    limits = ReadLimits(max_line_bytes=600, chunk_bytes=1_200)
    for name, rows in (("as-it-was", THREAD), ("backwards", THREAD[::-1])):
        folder = tmp_path / name
        folder.mkdir()
        store, record = run(folder, rows, ImportRules(limits=limits))
        assert (record.posts_kept, record.replies_kept) == (1, 2)
        found = (
            store.scan_replies().select("reply_id", "answered_by_poster").collect().sort("reply_id").rows()
        )
        assert found == [("2", True), ("4", False)]


def test_numbers_as_ids_and_fields_that_are_not_there(tmp_path: Path) -> None:
    bare = {"id": 5, "content": "<p>Hello there</p>", "visibility": "public"}
    answer = {"id": 6, "in_reply_to_id": 5, "content": "<p>Hello to you</p>", "visibility": "public"}
    store, record = run(tmp_path, [bare, answer])
    assert (record.posts_kept, record.replies_kept) == (1, 1)
    assert store.scan_replies().collect().row(0, named=True)["answered_by_poster"] is None


def test_bad_lines_stop_the_import_or_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(json.dumps(status("1")) + "\nno json\n")
    store = CorpusStore(tmp_path / "corpus")
    given = {"statuses": [path], "community": "here.example", "key": KEY, "now": now}
    with pytest.raises(BrokenRecord, match="line 2"):
        import_mastodon(store, rules=ImportRules(), **given)  # type: ignore[arg-type]
    record = import_mastodon(store, rules=ImportRules(skip_broken_lines=True), **given)  # type: ignore[arg-type]
    assert (record.posts_read, record.dropped("post")) == (2, {"broken_line": 1})
    path.write_text(json.dumps(status("1", created_at="yesterday")) + "\n")
    with pytest.raises(WrongType, match="line 1"):
        import_mastodon(store, rules=ImportRules(), replace=True, **given)  # type: ignore[arg-type]
    with pytest.raises(InvalidRules, match="at least one file"):
        import_mastodon(store, rules=ImportRules(), **given | {"statuses": []})  # type: ignore[arg-type]


def test_the_same_import_again_adds_nothing(tmp_path: Path) -> None:
    run(tmp_path, THREAD)
    _, again = run(tmp_path, THREAD)
    assert again.already_imported
