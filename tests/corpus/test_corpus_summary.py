"""The numbers of a corpus page, counted by hand on a small corpus."""

from datetime import date
from pathlib import Path

import pytest

from corpus.errors import UnknownCommunity
from corpus.readers.reddit import import_reddit
from corpus.rules import ImportRules
from corpus.store import CorpusStore
from corpus.summary import Bin, Lengths, Month, summarise_corpus
from tests.corpus.dumps import KEY, comment, now, submission, write_ndjson


def test_an_empty_corpus_has_an_empty_summary(tmp_path: Path) -> None:
    store = CorpusStore(tmp_path / "none")
    summary = summarise_corpus(store)
    assert (summary.posts, summary.replies, summary.communities, store.exists) == (0, 0, (), False)
    with pytest.raises(UnknownCommunity, match="none yet"):
        store.scan_posts("listening")


def test_counts_lengths_and_time_line(tmp_path: Path) -> None:
    posts = [submission("a", "one two three"), submission("b", "one", created_utc=1_577_836_800)]
    comments = [
        comment("c1", "t3_a", body="a b c d e f", created_utc=1_600_000_000),
        comment("c2", "t3_a", body="a b", created_utc=None),
        comment("n", "t1_c1", link_id="t3_a", author="poster_a"),
    ]
    store = CorpusStore(tmp_path / "corpus")
    import_reddit(
        store,
        submissions=[write_ndjson(tmp_path / "s.ndjson", posts)],
        comments=[write_ndjson(tmp_path / "c.ndjson", comments)],
        rules=ImportRules(),
        key=KEY,
        now=now,
    )
    summary = summarise_corpus(store)
    (listening,) = summary.communities
    assert (listening.posts, listening.replies, listening.posts_without_replies) == (2, 2, 1)
    assert (listening.answered, listening.accepted, listening.platform) == (0.5, None, "reddit")
    assert listening.post_words == Lengths(1.5, 2.0, 2.5)
    assert listening.reply_lengths[1:3] == (Bin(2, 5, 1), Bin(5, 10, 1))
    assert sum(bin.count for bin in listening.replies_per_post) == 2
    assert listening.replies_per_post[2] == Bin(2, 3, 1)
    assert listening.months == (Month(date(2020, 1, 1), 1, 0), Month(date(2020, 9, 1), 1, 1))
    assert [(drop.kind, drop.reason, drop.count) for drop in summary.drops] == [
        ("reply", "nested_comment", 1)
    ]
