"""The rules of the Reddit reader, each on a dump small enough to count by hand."""

import tempfile
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest
from backports import zstd
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.errors import CommunityExists, InvalidName, InvalidRules, StoreBusy
from corpus.progress import Progress, ignore_progress
from corpus.pseudonyms import Pseudonyms
from corpus.readers.reddit import import_reddit
from corpus.records import POST_SCHEMA, REPLY_SCHEMA, ImportRecord
from corpus.rules import ImportRules
from corpus.store import CorpusStore
from tests.corpus.dumps import KEY, LISTENING, comment, now, submission, write_ndjson
from tests.examples import examples

Records = list[dict[str, object]]


def run(
    folder: Path,
    submissions: Records,
    comments: Records,
    rules: ImportRules | None = None,
    *,
    store: CorpusStore | None = None,
    ending: str = "ndjson",
    replace: bool = False,
    communities: frozenset[str] | None = None,
) -> tuple[CorpusStore, ImportRecord]:
    store = store or CorpusStore(folder / "corpus")
    comment_files = [write_ndjson(folder / f"comments.{ending}", comments)] if comments else []
    record = import_reddit(
        store,
        submissions=[write_ndjson(folder / f"submissions.{ending}", submissions)],
        comments=comment_files,
        rules=rules or ImportRules(),
        key=KEY,
        now=now,
        replace=replace,
        communities=communities,
    )
    return store, record


def balanced(record: ImportRecord) -> bool:
    posts = record.posts_kept + sum(record.dropped("post").values())
    replies = record.replies_kept + sum(record.dropped("reply").values())
    return (posts, replies) == (record.posts_read, record.replies_read)


@pytest.mark.parametrize("ending", ["ndjson", "zst", "gz"])
def test_posts_and_direct_replies_are_kept(tmp_path: Path, ending: str) -> None:
    store, record = run(tmp_path, [submission("p1")], [comment("c1", "t3_p1")], ending=ending)
    assert (record.posts_kept, record.replies_kept, record.drops) == (1, 1, ())
    posts, replies = store.scan_posts().collect(), store.scan_replies(LISTENING).collect()
    assert (posts.schema, replies.schema) == (POST_SCHEMA, REPLY_SCHEMA)
    assert posts.row(0, named=True) == {
        "post_id": "p1",
        "community": LISTENING,
        "platform": "reddit",
        "title": "Title of p1",
        "text": "How do I tell them?",
        "author": Pseudonyms(KEY).of("poster_p1"),
        "created": datetime(2020, 9, 13, 12, 26, 40, tzinfo=UTC),
        "score": 3,
        "n_replies": 1,
    }
    assert replies.select("reply_id", "post_id", "answered_by_poster", "accepted_by_poster").row(0) == (
        "c1",
        "p1",
        False,
        None,
    )


def test_several_frames_in_one_zst_are_read_to_the_end(tmp_path: Path) -> None:
    first = write_ndjson(tmp_path / "a.zst", [submission("p1", "one")]).read_bytes()
    second = write_ndjson(tmp_path / "b.zst", [submission("p2", "two")]).read_bytes()
    skippable = b"\x50\x2a\x4d\x18\x04\x00\x00\x00meta"
    both = tmp_path / "both.zst"
    both.write_bytes(skippable + first + zstd.compress(b"") + second)
    record = import_reddit(
        CorpusStore(tmp_path / "corpus"),
        submissions=[both],
        comments=[],
        rules=ImportRules(),
        key=KEY,
        now=now,
    )
    assert record.posts_kept == 2


def test_every_dropped_record_is_counted_under_its_reason(tmp_path: Path) -> None:
    late = 1_700_000_000
    submissions = [
        submission("kept", "Some words"),
        submission("copy", "some  WORDS", title="title of KEPT", created_utc=1_600_000_500),
        submission("gone", "[removed]"),
        submission("gone2", "text stays", removed_by_category="moderator"),
        submission("gone3", "", title="[deleted by user]"),
        submission("late", "late", created_utc=late),
        submission("undated", "undated", created_utc=None),
        submission("blank", " \n", title=""),
        submission("kept", "Some words"),
        submission("", "no id"),
        submission("trick", "trick", subreddit="../../etc"),
    ]
    comments = [
        comment("good", "t3_kept"),
        comment("good", "t3_kept"),
        comment("self", "t3_kept", author="poster_kept"),
        comment("oncopy", "t3_copy"),
        comment("ongone", "t3_gone"),
        comment("orphan", "t3_nowhere"),
        comment("nested", "t1_good", link_id="t3_kept"),
        comment("removed", "t3_kept", body="[removed]"),
        comment("reddit", "t3_kept", body="[ Removed by Reddit ]"),
        comment("empty", "t3_kept", body=" "),
        comment("late", "t3_kept", created_utc=late),
        comment("lost", "", parent_id=None),
    ]
    rules = ImportRules(cutoff=datetime(2023, 1, 1, tzinfo=UTC))
    store, record = run(tmp_path, submissions, comments, rules)
    assert balanced(record)
    assert record.dropped("post") == {
        "duplicate": 1,
        "removed": 3,
        "after_cutoff": 1,
        "no_date": 1,
        "empty_text": 1,
        "repeated_id": 1,
        "no_id": 1,
        "no_community": 1,
    }
    assert record.dropped("reply") == {
        "repeated_id": 1,
        "by_poster": 1,
        "post_dropped": 2,
        "post_not_in_dump": 1,
        "nested_comment": 1,
        "removed": 2,
        "empty_text": 1,
        "after_cutoff": 1,
        "no_parent": 1,
    }
    assert store.scan_posts().select("post_id", "n_replies").collect().rows() == [("kept", 1)]


def test_the_earliest_of_duplicates_stays_whatever_its_place_in_the_file(tmp_path: Path) -> None:
    late, early = (
        submission("a", "Same", title="T"),
        submission("b", "same", title="t", created_utc=1_500_000_000),
    )
    store, _ = run(tmp_path, [late, early], [comment("c", "t3_b")])
    assert store.scan_posts().collect()["post_id"].to_list() == ["b"]


def test_duplicates_stay_when_the_rules_say_so(tmp_path: Path) -> None:
    posts = [submission("a", "Same", title="T"), submission("b", "Same", title="T")]
    _, record = run(tmp_path, posts, [], ImportRules(drop_duplicate_posts=False))
    assert record.posts_kept == 2


def test_a_reply_is_answered_when_the_poster_comments_under_it(tmp_path: Path) -> None:
    posts = [submission("p1", "one"), submission("p2", "two", author="[deleted]")]
    comments = [
        comment("yes", "t3_p1"),
        comment("no", "t3_p1"),
        comment("unknown", "t3_p2"),
        comment("n1", "t1_yes", link_id="t3_p1", author="Poster_P1"),
        comment("n2", "t1_no", link_id="t3_p1", author="somebody"),
        comment("n3", "t1_unknown", link_id="t3_p2", author="[deleted]"),
    ]
    store, _ = run(tmp_path, posts, comments)
    answered = dict(store.scan_replies().select("reply_id", "answered_by_poster").collect().iter_rows())
    assert answered == {"yes": True, "no": False, "unknown": None}
    assert store.scan_posts().filter(pl.col("post_id") == "p2").collect()["author"].to_list() == [None]


def test_names_inside_texts_become_pseudonyms_and_entities_are_decoded_once(tmp_path: Path) -> None:
    body = "thanks /u/Ada and User/ada!\r\nyou/me &lt;3 &amp;lt; \U0001f642"
    store, _ = run(tmp_path, [submission("p")], [comment("c", "t3_p", body=body)])
    ada = Pseudonyms(KEY).of("ada")
    expected = f"thanks /u/{ada} and User/{ada}!\nyou/me <3 &lt; \U0001f642"
    assert store.scan_replies().collect()["text"].to_list() == [expected]
    assert b"poster_p" not in b"".join(path.read_bytes() for path in store.root.rglob("*.*"))


def test_only_the_communities_asked_for_are_kept_under_the_name_asked_for(tmp_path: Path) -> None:
    posts = [submission("p1", "one"), submission("p2", "two", subreddit="other")]
    store, record = run(
        tmp_path, posts, [comment("c", "t3_p2", subreddit="other")], communities=frozenset({"Listening"})
    )
    assert store.communities() == ["Listening"]
    assert (record.dropped("post"), record.dropped("reply")) == (
        {"other_community": 1},
        {"other_community": 1},
    )


def test_running_the_same_import_twice_adds_nothing(tmp_path: Path) -> None:
    store, first = run(tmp_path, [submission("p")], [comment("c", "t3_p")])
    before = sorted(store.root.rglob("*"))
    _, second = run(tmp_path, [submission("p")], [comment("c", "t3_p")], store=store)
    assert second == replace(first, already_imported=True)
    assert sorted(store.root.rglob("*")) == before


def test_a_community_from_another_import_is_replaced_only_on_request(tmp_path: Path) -> None:
    store, _ = run(tmp_path, [submission("p")], [comment("c", "t3_p")])
    with pytest.raises(CommunityExists, match=r"listening.*replace"):
        run(tmp_path, [submission("q")], [], store=store)
    assert store.scan_posts().collect()["post_id"].to_list() == ["p"]
    run(tmp_path, [submission("q")], [], store=store, replace=True)
    assert store.scan_posts().collect()["post_id"].to_list() == ["q"]
    assert store.scan_replies().collect().is_empty()
    _, again = run(tmp_path, [submission("p")], [comment("c", "t3_p")], store=store, replace=True)
    assert not again.already_imported
    assert store.scan_posts().collect()["post_id"].to_list() == ["p"]
    assert store.unfinished() == []


def test_two_writers_do_not_meet(tmp_path: Path) -> None:
    store = CorpusStore(tmp_path / "corpus")
    with store.locked(), pytest.raises(StoreBusy):
        run(tmp_path, [submission("p")], [], store=store)


def test_requests_that_cannot_work_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(InvalidName):
        run(tmp_path, [submission("p")], [], communities=frozenset({"../up"}))
    with pytest.raises(InvalidRules):
        import_reddit(
            CorpusStore(tmp_path), submissions=[], comments=[], rules=ImportRules(), key=KEY, now=now
        )


def test_progress_reaches_the_end(tmp_path: Path) -> None:
    heard: list[Progress] = []
    path = write_ndjson(tmp_path / "s.zst", [submission("p")])
    import_reddit(
        CorpusStore(tmp_path / "corpus"),
        submissions=[path],
        comments=[],
        rules=ImportRules(),
        key=KEY,
        now=now,
        on_progress=heard.append,
    )
    assert (heard[-1].done_bytes, heard[-1].total_bytes, heard[-1].records) == (path.stat().st_size,) * 2 + (
        1,
    )
    ignore_progress(heard[-1])


texts = st.sampled_from(["", "[removed]", "words", "Words", "other words", "u/someone said", "x"])
ids = st.sampled_from(["a", "b", "c", "d"])
people = st.sampled_from(["ann", "bob", "[deleted]"])
times = st.sampled_from([1_500_000_000, 1_600_000_000, 1_700_000_000, None])
some_posts = st.lists(
    st.builds(
        lambda post_id, text, author, created: submission(
            post_id, text, title="", author=author, created_utc=created
        ),
        ids,
        texts,
        people,
        times,
    ),
    min_size=1,
    max_size=8,
)
some_comments = st.lists(
    st.builds(
        lambda name, post, nested, text, author, created: comment(
            name,
            f"t1_{nested}" if nested else f"t3_{post}",
            link_id=f"t3_{post}",
            body=text,
            author=author,
            created_utc=created,
        ),
        ids,
        ids,
        st.sampled_from(["", "a", "b"]),
        texts,
        people,
        times,
    ),
    max_size=8,
)


@settings(max_examples=examples(25), deadline=None)
@given(some_posts, some_comments, st.booleans())
def test_read_is_kept_plus_dropped_and_replies_belong_to_posts(
    posts: Records, comments: Records, cut: bool
) -> None:
    rules = ImportRules(cutoff=datetime(2022, 1, 1, tzinfo=UTC) if cut else None)
    with tempfile.TemporaryDirectory() as folder:
        store, record = run(Path(folder), posts, comments, rules)
        kept_posts, kept_replies = store.scan_posts().collect(), store.scan_replies().collect()
    assert balanced(record)
    assert (kept_posts.height, kept_replies.height) == (record.posts_kept, record.replies_kept)
    assert kept_posts["post_id"].is_unique().all() and kept_replies["reply_id"].is_unique().all()
    counts = Counter(kept_replies["post_id"])
    assert dict(kept_posts.select("post_id", "n_replies").iter_rows()) == {
        post_id: counts[post_id] for post_id in kept_posts["post_id"]
    }
    assert set(counts) <= set(kept_posts["post_id"])
