"""The rules of the Stack Exchange reader."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

from corpus.progress import Progress
from corpus.readers.stackexchange import import_stackexchange
from corpus.records import ImportRecord
from corpus.rules import ImportRules, ReadLimits
from corpus.store import CorpusStore
from tests.corpus.dumps import KEY, answer, now, one_line_xml, posts_xml, question
from tests.examples import examples


def run(
    folder: Path,
    rows: list[dict[str, str]],
    rules: ImportRules | None = None,
    layout: Callable[[Sequence[dict[str, str]]], bytes] = posts_xml,
) -> tuple[CorpusStore, ImportRecord]:
    path = folder / "Posts.xml"
    path.write_bytes(layout(rows))
    store = CorpusStore(folder / "corpus")
    record = import_stackexchange(
        store, posts=path, community="parenting", rules=rules or ImportRules(), key=KEY, now=now
    )
    return store, record


def test_questions_and_answers_become_posts_and_replies(tmp_path: Path) -> None:
    body = "<p>One &amp; two</p>\n\n<ul>\n<li>three</li>\n</ul>"
    rows = [
        question(1, body, AcceptedAnswerId="3"),
        answer(2, 1),
        answer(3, 1, "<p>Yes</p>", OwnerUserId="8"),
    ]
    store, record = run(tmp_path, rows)
    post = store.scan_posts().collect().row(0, named=True)
    assert (post["title"], post["text"], post["n_replies"], post["score"]) == (
        "Question 1",
        "One & two\n\nthree",
        2,
        4,
    )
    assert post["created"] == datetime(2020, 5, 1, 10, 0, 0, 123_000, tzinfo=UTC)
    replies = (
        store.scan_replies().select("reply_id", "accepted_by_poster", "answered_by_poster").collect().rows()
    )
    assert replies == [("2", False, None), ("3", True, None)]
    assert (record.posts_kept, record.replies_kept, record.drops) == (1, 2, ())


def test_every_dropped_row_is_counted_under_its_reason(tmp_path: Path) -> None:
    rows = [
        question(1),
        question(2, Title="Question 1", CreationDate="2021-01-01T00:00:00.000"),
        question(3, "", Title=""),
        question(4, CreationDate="2023-01-01T00:00:00.000"),
        question(5, PostTypeId="4"),
        question(6, PostTypeId="99"),
        answer(10, 1),
        answer(11, 1, OwnerUserId="1001"),
        answer(12, 2),
        answer(13, 77),
        answer(14, 1, "<p> </p>"),
        answer(15, 1, CreationDate="2023-06-01T00:00:00.000"),
        answer(10, 1),
        {name: value for name, value in answer(16, 1).items() if name != "ParentId"},
    ]
    _, record = run(tmp_path, rows, ImportRules(cutoff=datetime(2023, 1, 1, tzinfo=UTC)))
    assert record.dropped("post") == {
        "duplicate": 1,
        "empty_text": 1,
        "after_cutoff": 1,
        "tag_wiki_excerpt": 1,
        "other_type": 1,
    }
    assert record.dropped("reply") == {
        "by_poster": 1,
        "post_dropped": 1,
        "post_not_in_dump": 1,
        "empty_text": 1,
        "after_cutoff": 1,
        "repeated_id": 1,
        "no_parent": 1,
    }
    assert (record.posts_read, record.posts_kept, record.replies_read, record.replies_kept) == (6, 1, 8, 1)


def test_a_user_without_account_is_known_by_the_display_name(tmp_path: Path) -> None:
    gone = {name: value for name, value in question(1).items() if name != "OwnerUserId"}
    store, _ = run(tmp_path, [gone, {**question(2, "<p>x</p>"), "OwnerDisplayName": "Ada"}])
    authors = store.scan_posts().collect()["author"].to_list()
    assert authors[0] is None
    assert len(authors[1]) == 16


def test_running_it_twice_adds_nothing(tmp_path: Path) -> None:
    run(tmp_path, [question(1)])
    store, again = run(tmp_path, [question(1)])
    assert again.already_imported
    assert store.scan_posts().collect().height == 1


SMALL_CHUNKS = ImportRules(limits=ReadLimits(max_line_bytes=8_192, chunk_bytes=65_536))


@pytest.mark.parametrize("layout", [posts_xml, one_line_xml], ids=["by lines", "by elements"])
def test_a_stopped_import_goes_on_where_it_was(
    tmp_path: Path, layout: Callable[[Sequence[dict[str, str]]], bytes]
) -> None:
    path = tmp_path / "Posts.xml"
    path.write_bytes(layout([question(number, f"<p>Number {number}</p>") for number in range(1, 11_001)]))
    heard: list[int] = []

    def run_until(root: str, last: int) -> ImportRecord:
        def listen(progress: Progress) -> None:
            heard.append(progress.records)
            if progress.records > last:
                raise KeyboardInterrupt

        return import_stackexchange(
            CorpusStore(tmp_path / root),
            posts=path,
            community="parenting",
            rules=SMALL_CHUNKS,
            key=KEY,
            now=now,
            on_progress=listen,
        )

    with pytest.raises(KeyboardInterrupt):
        run_until("stopped", 5_000)
    heard.clear()
    resumed = run_until("stopped", 20_000)
    assert heard[0] > 2_500
    assert heard[-1] == 11_000
    assert resumed == run_until("undisturbed", 20_000)
    stopped, undisturbed = (
        CorpusStore(tmp_path / name).scan_posts().collect() for name in ("stopped", "undisturbed")
    )
    assert_frame_equal(stopped, undisturbed)


values = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]) | st.sampled_from("\n\t&<>\"'é😀")
)


@settings(max_examples=examples(40, soak=2000))
@given(st.lists(st.tuples(values, values), min_size=1, max_size=6))
def test_lines_and_elements_are_read_alike(found: list[tuple[str, str]]) -> None:
    rows = [
        question(number, f"<p>{escape(body)}</p>", Title=title)
        for number, (title, body) in enumerate(found, start=1)
    ]
    frames = []
    for layout in (posts_xml, one_line_xml):
        with TemporaryDirectory() as folder:
            store, _ = run(Path(folder), rows, layout=layout)
            frames.append(store.scan_posts().collect())
    assert_frame_equal(*frames)


def test_a_file_that_stops_being_one_row_a_line_is_read_to_its_end(tmp_path: Path) -> None:
    rows = [question(number, f"<p>Number {number}</p>") for number in range(1, 1_001)]
    data = (
        posts_xml(rows).replace(b'Id="900" ', b'Id="900"\n ').replace(b"<p>Number 950", b"&#60;p>Number 950")
    )
    path = tmp_path / "Posts.xml"
    path.write_bytes(data)
    record = import_stackexchange(
        CorpusStore(tmp_path / "corpus"),
        posts=path,
        community="parenting",
        rules=SMALL_CHUNKS,
        key=KEY,
        now=now,
    )
    assert record.posts_kept == record.posts_read == 1_000
    texts = CorpusStore(tmp_path / "corpus").scan_posts().collect()["text"]
    assert set(texts) == {f"Number {number}" for number in range(1, 1_001)}


def test_numbers_of_users_are_those_of_their_site(tmp_path: Path) -> None:
    store = CorpusStore(tmp_path / "corpus")
    path = tmp_path / "Posts.xml"
    path.write_bytes(
        posts_xml([question(1, OwnerUserId="42"), question(2, OwnerUserId="", OwnerDisplayName="42")])
    )
    for community in ("parenting", "workplace"):
        import_stackexchange(store, posts=path, community=community, rules=ImportRules(), key=KEY, now=now)
    authors = store.scan_posts().collect()["author"].to_list()
    assert len(set(authors)) == len(authors)
