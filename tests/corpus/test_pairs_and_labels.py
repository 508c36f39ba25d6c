"""Tables of pairs and of existing labels: mapping, evidence, and every row accounted for."""

import json
import re
from pathlib import Path

import polars as pl
import pytest

from corpus import errors
from corpus.labels import LabelColumns, import_labels
from corpus.pairs import PairColumns, import_pairs
from corpus.records import LABEL_SCHEMA, ImportRecord, LabelRecord
from corpus.rules import ImportRules, ReadLimits
from corpus.store import CorpusStore
from corpus.table_columns import table_columns
from tests.corpus.dumps import KEY, now

PAIRS = PairColumns(post_id="pid", reply_id="rid", post_text="post", reply_text="reply")
ROWS: list[dict[str, object]] = [
    {
        "pid": "p1",
        "rid": "r1",
        "post": "I failed,\r\nagain.",
        "reply": "So sorry  to hear\nthat \U0001f642. Rest.",
    },
    {"pid": "p1", "rid": "r2", "post": "I failed,\r\nagain.", "reply": "What happened?"},
    {"pid": "p2", "rid": "", "post": "Nobody answers", "reply": ""},
    {"pid": "p3", "rid": "r4", "post": "Third", "reply": "  "},
]
LABELS = LabelColumns(
    post_id="pid", reply_id="rid", value="level", annotator_is="team", code_is="care", quotes="why"
)


def write(path: Path, rows: list[dict[str, object]]) -> Path:
    if path.suffix == ".csv":
        pl.DataFrame(rows).write_csv(path)
    elif path.suffix == ".parquet":
        pl.DataFrame(rows).write_parquet(path)
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def pairs(
    folder: Path, path: Path, columns: PairColumns = PAIRS, **options: str
) -> tuple[CorpusStore, ImportRecord]:
    store = CorpusStore(folder / "corpus")
    community = options.get("community", "ours") if columns.community is None else None
    record = import_pairs(
        store, path=path, columns=columns, community=community, rules=ImportRules(), key=KEY, now=now
    )
    return store, record


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_pairs_become_posts_and_replies(tmp_path: Path, ending: str) -> None:
    store, record = pairs(tmp_path, write(tmp_path / f"pairs.{ending}", ROWS))
    posts = store.scan_posts("ours").select("post_id", "text", "n_replies").collect().rows()
    assert posts == [("p1", "I failed,\nagain.", 2), ("p2", "Nobody answers", 0), ("p3", "Third", 0)]
    assert store.scan_replies().collect()["reply_id"].to_list() == ["r1", "r2"]
    assert (record.posts_read, record.posts_kept, record.dropped("post")) == (4, 3, {"repeated_id": 1})
    assert (record.replies_read, record.replies_kept, record.dropped("reply")) == (3, 2, {"empty_text": 1})
    assert pairs(tmp_path, tmp_path / f"pairs.{ending}")[1].already_imported


def test_ids_times_authors_and_communities_may_come_from_the_table_or_be_made(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {
            "where": "a",
            "post": "x",
            "reply": "y",
            "by": "ann",
            "from": "bob",
            "at": "2020-01-01T00:00:00",
            "n": 3,
        },
        {"where": "b", "post": "x", "reply": "z", "by": "ann", "from": "Ann", "at": 1577836800, "n": None},
    ]
    columns = PairColumns(
        post_text="post",
        reply_text="reply",
        community="where",
        post_author="by",
        reply_author="from",
        post_created="at",
        reply_score="n",
    )
    store, record = pairs(tmp_path, write(tmp_path / "pairs.jsonl", rows), columns)
    assert store.communities() == ["a", "b"]
    assert record.dropped("reply") == {"by_poster": 1}
    assert store.scan_posts().collect()["created"].n_unique() == 1
    assert store.scan_replies().collect()["score"].to_list() == [3]


@pytest.mark.parametrize(
    ("name", "content", "error", "place"),
    [
        ("a.csv", b"pid,rid,post\n1,2,3\n", errors.MissingColumn, "header"),
        ("a.csv", b"pid,rid,post,reply\n1,2,3\n", errors.BrokenRecord, "row 1"),
        ("a.csv", b"pid,rid,post,reply\n1,2,3,\xff\n", errors.BrokenEncoding, "line 2"),
        ("a.csv", b'pid,rid,post,reply\n1,2,3,4\n1,2,3,"4\n', errors.BrokenRecord, "row 2"),
        ("a.csv", b"pid,rid,post,reply\n,2,3,4\n", errors.WrongType, "row 1, column 'pid'"),
        ("a.csv", b"pid,rid,post,reply\n", errors.EmptySource, ""),
        ("a.csv", b"", errors.EmptySource, ""),
        ("a.jsonl", b'{"pid": "1", "rid": "2", "post": "3"}\n', errors.MissingColumn, "line 1"),
        ("a.jsonl", b'{"pid": "1", "rid": "2", "post": ["3"], "reply": ""}\n', errors.WrongType, "row 1"),
        ("a.jsonl", b"[1]\n", errors.BrokenRecord, "line 1"),
        ("a.parquet", b"no", errors.DamagedSource, ""),
        ("a.xlsx", b"PK", errors.WrongFormat, ""),
    ],
)
def test_bad_tables_give_the_place_and_import_nothing(
    tmp_path: Path, name: str, content: bytes, error: type[errors.InputError], place: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(error) as caught:
        pairs(tmp_path, tmp_path / name)
    assert place in caught.value.place
    assert CorpusStore(tmp_path / "corpus").unfinished() == []


def test_a_community_is_named_once(tmp_path: Path) -> None:
    with pytest.raises(errors.InvalidRules):
        import_pairs(
            CorpusStore(tmp_path), path=tmp_path, columns=PAIRS, rules=ImportRules(), key=KEY, now=now
        )


def labels(
    folder: Path, rows: list[dict[str, object]], columns: LabelColumns = LABELS, *, pairs_too: bool = True
) -> tuple[CorpusStore, LabelRecord]:
    store = CorpusStore(folder / "corpus")
    if pairs_too:
        pairs(folder, write(folder / "pairs.jsonl", ROWS))
    path = write(folder / f"labels-{len(rows)}.jsonl", rows)
    return store, import_labels(store, path=path, name="first", columns=columns, now=now)


def test_quotes_become_spans_and_what_is_not_found_is_kept(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"pid": "p1", "rid": "r1", "level": 2, "why": "sorry to hear that|\U0001f642|never said|"},
        {"pid": "p1", "rid": "r2", "level": 0, "why": None},
        {"pid": "p1", "rid": "r2", "level": 1, "why": ""},
        {"pid": "p9", "rid": "r9", "level": 1, "why": ""},
        {"pid": "p1", "rid": "r2", "level": None, "why": ""},
    ]
    store, record = labels(tmp_path, rows)
    frame = store.scan_labels("first").collect()
    assert frame.schema == LABEL_SCHEMA
    text = store.scan_replies().filter(pl.col("reply_id") == "r1").collect()["text"][0]
    spans = frame["spans"][0].to_list()
    assert [text[span["start"] : span["end"]] for span in spans] == ["sorry  to hear\nthat", "\U0001f642"]
    assert frame["unmatched_quotes"].to_list() == [["never said"], []]
    assert frame["value"].to_list() == ["2", "0"]
    assert record.drops == {"item_not_in_corpus": 1, "incomplete": 1, "repeated_judgment": 1}
    assert record.rows_read == record.rows_kept + sum(record.drops.values())
    assert (record.quotes_matched_exactly, record.quotes_matched_loosely, record.quotes_unmatched) == (
        1,
        1,
        1,
    )
    assert labels(tmp_path, rows)[1].already_imported
    assert store.label_sets() == ["first"]


def test_a_second_file_adds_to_the_set(tmp_path: Path) -> None:
    row: dict[str, object] = {"pid": "p1", "rid": "r1", "level": 2, "why": ""}
    labels(tmp_path, [row])
    columns = LabelColumns(post_id="pid", reply_id="rid", value="level", annotator_is="team", code_is="other")
    store, _ = labels(tmp_path, [row], columns)
    assert store.scan_labels("first").collect()["code"].to_list() == ["care", "other"]
    with pytest.raises(errors.UnknownLabelSet, match="first"):
        store.scan_labels("second")


def test_a_judgment_made_twice_is_kept_once_whichever_file_it_comes_in(tmp_path: Path) -> None:
    labels(tmp_path, [{"pid": "p1", "rid": "r1", "level": 2, "why": ""}])
    store, record = labels(tmp_path, [{"pid": "p1", "rid": "r1", "level": 0, "why": ""}])
    assert record.drops == {"repeated_judgment": 1}
    assert store.scan_labels("first").collect()["value"].to_list() == ["2"]


def test_labels_whose_ids_fit_two_communities_are_refused(tmp_path: Path) -> None:
    pairs(tmp_path, write(tmp_path / "other.csv", ROWS), community="theirs")
    with pytest.raises(errors.InvalidRules, match="which community"):
        labels(tmp_path, [{"pid": "p1", "rid": "r1", "level": 2, "why": ""}])


def test_a_text_in_the_column_of_the_community_is_not_repeated_in_the_error(tmp_path: Path) -> None:
    text = "So sorry to hear that. " * 20
    columns = PairColumns(post_text="post", reply_text="reply", community="reply")
    with pytest.raises(errors.CorpusError) as refused:
        pairs(tmp_path, write(tmp_path / "wrong.csv", [{"post": "I failed", "reply": text}]), columns)
    assert "So sorry" not in str(refused.value)


def test_labels_on_posts_with_spans_and_columns_for_everything(tmp_path: Path) -> None:
    columns = LabelColumns(post_id="pid", value="v", annotator="who", code="what", spans="where", part="post")
    rows: list[dict[str, object]] = [
        {"pid": "p2", "v": "yes", "who": "ann", "what": "care", "where": "[[0, 6]]"}
    ]
    store, _ = labels(tmp_path, rows, columns)
    row = store.scan_labels("first").collect().row(0, named=True)
    assert (row["annotator"], row["code"], row["part"], row["reply_id"]) == ("ann", "care", "post", None)
    assert row["spans"] == [{"start": 0, "end": 6}]
    for wrong in ("[[0, 99]]", "nonsense", "[[3, 3]]"):
        with pytest.raises(errors.WrongType, match="row 1"):
            labels(tmp_path, [{**rows[0], "who": "bob", "where": wrong}], columns)


@pytest.mark.parametrize(
    "changes",
    [{"annotator": "a"}, {"code": "c"}, {"spans": "s"}, {"separator": ""}, {"reply_id": None}],
)
def test_mappings_that_contradict_themselves_are_refused(changes: dict[str, str | None]) -> None:
    given_columns = {
        "post_id": "pid",
        "reply_id": "rid",
        "value": "level",
        "annotator_is": "t",
        "code_is": "c",
        "quotes": "why",
    }
    with pytest.raises(errors.InvalidRules):
        LabelColumns(**{**given_columns, **changes})  # type: ignore[arg-type]


def test_labels_that_came_before_their_texts_find_them_later(tmp_path: Path) -> None:
    path = write(tmp_path / "early.jsonl", [{"pid": "p1", "rid": "r1", "level": 2, "why": ""}])
    store = CorpusStore(tmp_path / "corpus")
    early = import_labels(store, path=path, name="first", columns=LABELS, now=now)
    assert (early.rows_kept, early.drops) == (0, {"item_not_in_corpus": 1})
    pairs(tmp_path, write(tmp_path / "pairs.csv", ROWS))
    later = import_labels(store, path=path, name="first", columns=LABELS, now=now)
    assert (later.rows_kept, later.already_imported) == (1, False)
    assert import_labels(store, path=path, name="first", columns=LABELS, now=now).already_imported
    assert store.scan_labels("first").collect().height == 1


def test_labels_on_replaced_texts_disappear_until_they_are_matched_anew(tmp_path: Path) -> None:
    store, _ = labels(tmp_path, [{"pid": "p1", "rid": "r1", "level": 2, "why": "Rest."}])
    path = write(tmp_path / "new.csv", [{**ROWS[0], "reply": "Take a Rest."}])
    import_pairs(
        store, path=path, columns=PAIRS, community="ours", rules=ImportRules(), key=KEY, now=now, replace=True
    )
    assert store.label_sets() == []
    store, record = labels(
        tmp_path, [{"pid": "p1", "rid": "r1", "level": 2, "why": "Rest."}], pairs_too=False
    )
    assert not record.already_imported
    assert store.scan_labels("first").collect()["spans"].to_list() == [[{"start": 7, "end": 12}]]


def test_removed_texts_and_names_are_hidden_in_tables_too(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"pid": "p1", "rid": "r1", "post": "[removed]", "reply": "Gone"},
        {"pid": "p2", "rid": "r2", "post": "Ask u/ann_b", "reply": "[deleted]"},
        {"pid": "p3", "rid": "r3", "post": "Third", "reply": "As u/ann\\_b said, see r/u_ann_b"},
    ]
    store, record = pairs(tmp_path, write(tmp_path / "pairs.jsonl", rows))
    assert (record.dropped("post"), record.dropped("reply")) == (
        {"removed": 1},
        {"post_dropped": 1, "removed": 1},
    )
    texts = [*store.scan_posts().collect()["text"], *store.scan_replies().collect()["text"]]
    assert "ann" not in " ".join(texts)
    hidden = set(re.findall(r"u/([0-9a-f]{16})", " ".join(texts)))
    assert len(hidden) == 1


def test_blank_lines_and_a_byte_order_mark_are_no_rows(tmp_path: Path) -> None:
    table = tmp_path / "pairs.csv"
    table.write_text("pid,rid,post,reply\n\np1,r1,How?,Like this.\n\n")
    assert pairs(tmp_path, table)[1].posts_kept == 1
    lines = tmp_path / "pairs.jsonl"
    lines.write_bytes(b"\xef\xbb\xbf" + json.dumps(ROWS[0]).encode() + b"\n")
    assert table_columns(lines, ReadLimits())[0] == "pid"
    assert pairs(tmp_path, lines, community="theirs")[1].posts_kept == 1


def test_numbers_and_cells_beyond_all_bounds_are_named(tmp_path: Path) -> None:
    scored = PairColumns(post_text="post", reply_text="reply", post_score="score")
    huge = write(tmp_path / "huge.csv", [{"post": "How?", "reply": "So.", "score": "9" * 20}])
    with pytest.raises(errors.WrongType, match="row 1"):
        pairs(tmp_path, huge, scored)
    long = tmp_path / "long.parquet"
    pl.DataFrame({"post": ["x" * 5_000_000], "reply": ["So."]}).write_parquet(long)
    with pytest.raises(errors.LineTooLong, match="row 1, column 'post'"):
        pairs(tmp_path, long, PairColumns(post_text="post", reply_text="reply"))
    damaged = tmp_path / "damaged.parquet"
    pl.DataFrame({"post": ["x" * 1000] * 99, "reply": ["So."] * 99}).write_parquet(
        damaged, compression="zstd"
    )
    content = bytearray(damaged.read_bytes())
    content[8:40] = bytes(32)
    damaged.write_bytes(content)
    with pytest.raises(errors.DamagedSource):
        pairs(tmp_path, damaged, PairColumns(post_text="post", reply_text="reply"))
