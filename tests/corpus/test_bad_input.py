"""Broken and hostile files: each gives its named error with the place, and nothing is half-imported."""

import gzip
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import py7zr
import pytest
from backports import zstd

from corpus import errors
from corpus.readers.reddit import import_reddit
from corpus.readers.stackexchange import import_stackexchange
from corpus.rules import MIB, ImportRules, ReadLimits
from corpus.store import CorpusStore
from tests.corpus.dumps import KEY, answer, now, posts_xml, question, submission, write_ndjson

GOOD = json.dumps(submission("p1")).encode() + b"\n"
LIMITS = ReadLimits(ratio_after_bytes=MIB)


def reddit(folder: Path, name: str, content: bytes, rules: ImportRules | None = None) -> CorpusStore:
    path = folder / name
    path.write_bytes(content)
    store = CorpusStore(folder / "corpus")
    import_reddit(store, submissions=[path], comments=[], rules=rules or ImportRules(), key=KEY, now=now)
    return store


def stackexchange(folder: Path, name: str, content: bytes, rules: ImportRules | None = None) -> CorpusStore:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_bytes(content)
    store = CorpusStore(folder / "corpus")
    import_stackexchange(
        store, posts=path, community="beer", rules=rules or ImportRules(limits=LIMITS), key=KEY, now=now
    )
    return store


def seven_zip(folder: Path, members: dict[str, bytes]) -> bytes:
    path = folder / "made.7z"
    with py7zr.SevenZipFile(path, "w") as archive:
        for name, content in members.items():
            archive.writestr(content, name)
    return path.read_bytes()


Reader = Callable[[Path, str, bytes], CorpusStore]
XML = posts_xml([question(1), answer(2, 1)])


@pytest.mark.parametrize(
    ("read", "name", "content", "error", "place"),
    [
        (reddit, "s.zst", zstd.compress(GOOD * 100)[:-9], errors.TruncatedSource, "byte"),
        (reddit, "s.gz", gzip.compress(GOOD * 100)[:-12], errors.TruncatedSource, "byte"),
        (reddit, "s.zst", zstd.compress(GOOD) + b"rubbish", errors.DamagedSource, "byte"),
        (reddit, "s.ndjson", GOOD + GOOD[:40] + b"\n", errors.BrokenRecord, "line 2"),
        (reddit, "s.ndjson", GOOD + b"\n" + b'{"id": 7}\n', errors.WrongType, "line 3"),
        (reddit, "s.ndjson", GOOD + b'{"id": "\xff"}\n', errors.BrokenEncoding, "line 2"),
        (reddit, "s.ndjson", GOOD * 3 + b'{"id": "' + b"a" * 10_000_000, errors.LineTooLong, "line 4"),
        (reddit, "s.ndjson", b"", errors.EmptySource, ""),
        (reddit, "s.zst", zstd.compress(b""), errors.EmptySource, ""),
        (reddit, "s.ndjson", zstd.compress(GOOD), errors.WrongFormat, "byte 0"),
        (reddit, "s.zst", GOOD, errors.WrongFormat, "byte 0"),
        (stackexchange, "Posts.xml", XML[:-40], errors.BrokenXml, "row element"),
        (
            stackexchange,
            "Posts.xml",
            XML.replace(b"How?", b"\xff\xfe"),
            errors.BrokenEncoding,
            "row element 1",
        ),
        (
            stackexchange,
            "Posts.xml",
            XML.replace(b"<posts>", b"<!DOCTYPE a>\n<posts>"),
            errors.DoctypeRefused,
            "",
        ),
        (stackexchange, "Posts.xml", b"<users><row/></users>", errors.WrongFormat, "<users>"),
        (stackexchange, "Posts.xml", b"<posts></posts>", errors.EmptySource, ""),
        (
            stackexchange,
            "Posts.xml",
            posts_xml([question(1), question(2, Score="x")]),
            errors.WrongType,
            "element 2",
        ),
        (stackexchange, "Posts.7z", b"7z\xbc\xaf\x27\x1cnothing", errors.DamagedSource, "archive"),
    ],
)
def test_named_error_with_place_and_nothing_imported(
    tmp_path: Path, read: Reader, name: str, content: bytes, error: type[errors.InputError], place: str
) -> None:
    with pytest.raises(error) as caught:
        read(tmp_path, name, content)
    assert place in caught.value.place
    assert str(caught.value).startswith(name) and str(tmp_path) not in str(caught.value)
    assert caught.value.path == tmp_path / name
    store = CorpusStore(tmp_path / "corpus")
    assert (store.exists, store.communities(), store.unfinished()) == (False, [], [])


def test_entities_of_a_doctype_are_never_expanded(tmp_path: Path) -> None:
    bomb = b'<!DOCTYPE p [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><posts><row Id="&b;"/></posts>'
    with pytest.raises(errors.DoctypeRefused):
        stackexchange(tmp_path, "Posts.xml", bomb)


@pytest.mark.parametrize(
    ("name", "pack"), [("s.zst", zstd.compress), ("s.gz", lambda data: gzip.compress(data, compresslevel=9))]
)
def test_a_bomb_is_stopped_early_in_little_memory(
    tmp_path: Path, name: str, pack: Callable[[bytes], bytes]
) -> None:
    content = pack(b"\n" * (96 * MIB))
    tracemalloc.start()
    with pytest.raises(errors.OutputLimitExceeded, match="max_ratio"):
        reddit(tmp_path, name, content)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 120 * MIB


def test_the_output_cap_holds_whatever_the_ratio(tmp_path: Path) -> None:
    rules = ImportRules(limits=ReadLimits(max_output_bytes=500))
    with pytest.raises(errors.OutputLimitExceeded, match="max_output_bytes"):
        reddit(tmp_path, "s.zst", zstd.compress(GOOD * 10), rules)


def test_a_bomb_in_a_7z_is_stopped_also_when_it_lies_before_the_posts(tmp_path: Path) -> None:
    for members in ({"Posts.xml": b" " * 8 * MIB}, {"Badges.xml": b" " * 8 * MIB, "Posts.xml": XML}):
        with pytest.raises(errors.OutputLimitExceeded):
            stackexchange(tmp_path, "site.7z", seven_zip(tmp_path, members))


def test_a_7z_is_read_from_its_posts_only(tmp_path: Path) -> None:
    store = stackexchange(tmp_path, "site.7z", seven_zip(tmp_path, {"Badges.xml": b"<x/>", "Posts.xml": XML}))
    assert store.scan_replies().collect().height == 1


def test_a_damaged_7z_is_named_whatever_byte_is_wrong(tmp_path: Path) -> None:
    good = seven_zip(tmp_path, {"Posts.xml": posts_xml([question(n, "<p>Why?</p>" * 9) for n in range(60)])})
    for place in range(32, len(good), 29):
        bad = bytearray(good)
        bad[place] ^= 0x5A
        try:
            stackexchange(tmp_path / str(place), "site.7z", bytes(bad))
        except errors.InputError as error:
            assert "site.7z" in str(error)


def test_absurd_numbers_and_depths_are_named_or_taken_for_no_date(tmp_path: Path) -> None:
    deep = b'{"id": "a", "x": ' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
    for line in (b'{"id": "a", "score": 9223372036854775808}\n', deep):
        with pytest.raises(errors.InputError, match="line 1"):
            reddit(tmp_path, "s.ndjson", line)
    times = [10**13, 10**30, 9 * 10**18, -5, "1e300", "soon"]
    records = [submission(f"p{number}", created_utc=time) for number, time in enumerate(times)]
    store = reddit(tmp_path, "t.ndjson", b"".join(json.dumps(record).encode() + b"\n" for record in records))
    assert store.scan_posts().collect()["created"].null_count() == store.scan_posts().collect().height > 0


def test_a_file_in_too_many_pieces_is_refused_in_time(tmp_path: Path) -> None:
    with pytest.raises(errors.DamagedSource, match="pieces"):
        reddit(tmp_path, "s.zst", zstd.compress(b"") * 20_000)


def test_a_7z_without_posts_is_refused(tmp_path: Path) -> None:
    with pytest.raises(errors.WrongFormat, match=r"no Posts\.xml"):
        stackexchange(tmp_path, "other.7z", seven_zip(tmp_path, {"Badges.xml": b"<x/>"}))


def test_broken_lines_can_be_counted_instead(tmp_path: Path) -> None:
    store = reddit(tmp_path, "s.ndjson", GOOD + b"{broken\n", ImportRules(skip_broken_lines=True))
    record = store.imports()[0]
    assert (record.posts_read, record.posts_kept, record.dropped("post")) == (2, 1, {"broken_line": 1})


def test_an_earlier_import_survives_a_later_error(tmp_path: Path) -> None:
    store = reddit(tmp_path, "good.ndjson", GOOD)
    before = store.manifest()
    with pytest.raises(errors.BrokenRecord):
        reddit(tmp_path, "bad.ndjson", GOOD + b"{\n")
    assert store.manifest() == before
    assert store.scan_posts().collect().height == 1


def test_missing_files_and_unreadable_manifests_are_named(tmp_path: Path) -> None:
    store = CorpusStore(tmp_path / "corpus")
    with pytest.raises(errors.SourceMissing, match="nowhere"):
        import_reddit(
            store, submissions=[tmp_path / "nowhere.zst"], comments=[], rules=ImportRules(), key=KEY, now=now
        )
    store.root.mkdir(exist_ok=True)
    store.manifest_path.write_text("{")
    with pytest.raises(errors.ManifestBroken):
        store.communities()


def test_limits_and_cutoffs_that_make_no_sense_are_refused() -> None:
    with pytest.raises(errors.InvalidRules, match="max_ratio"):
        ReadLimits(max_ratio=0)
    with pytest.raises(errors.InvalidRules, match="chunk_bytes"):
        ReadLimits(chunk_bytes=MIB)
    with pytest.raises(errors.InvalidRules, match="time zone"):
        ImportRules(cutoff=now().replace(tzinfo=None))


def test_a_good_dump_compresses_far_below_the_ratio(tmp_path: Path) -> None:
    records = [submission(f"p{number}", "the same words again and again " * 20) for number in range(3_000)]
    path = write_ndjson(tmp_path / "s.zst", records)
    rules = ImportRules(drop_duplicate_posts=False, limits=ReadLimits(ratio_after_bytes=MIB // 2))
    store = CorpusStore(tmp_path / "corpus")
    record = import_reddit(store, submissions=[path], comments=[], rules=rules, key=KEY, now=now)
    assert record.posts_kept == 3_000
