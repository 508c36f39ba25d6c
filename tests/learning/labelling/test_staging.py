"""Staging: each unit once, in shards that stay within bounds, the same for the same seed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.errors import UnknownCommunity
from corpus.sampling.encoding import item_id
from learning.labelling.facts import RunScope
from learning.labelling.folder import RunFolder, ShardTexts, shards_in
from learning.labelling.sharding import make_shards, units_per_shard
from learning.labelling.staging import read_texts, write_texts
from learning.labelling.units import DRAWN_SCHEMA, NothingToLabel, TooFewPosts, UnitsGone, units_of
from tests.examples import examples
from tests.learning.labelling.corpora import written_corpus

BOTH = frozenset({"post", "reply"})
SIZES = {"lane": [3, 0, 7, 1], "yard": [2, 2]}
corpora = st.dictionaries(
    st.sampled_from(("lane", "yard", "hill")), st.lists(st.integers(0, 9), min_size=1, max_size=8), min_size=1
)


@settings(max_examples=examples(10, soak=500))
@given(corpora, st.integers(1, 7), st.integers(10, 900), st.integers(0, 9), st.booleans())
def test_every_unit_is_staged_once_in_bounded_shards(
    sizes: dict[str, list[int]], per_shard: int, most_chars: int, seed: int, with_context: bool
) -> None:
    with TemporaryDirectory() as home:
        store = written_corpus(Path(home) / "corpus", sizes, seed=seed)
        found = units_of(store, RunScope(), parts=BOTH, seed=seed)
        units = make_shards(
            found, seed=seed, with_context=with_context, per_shard=per_shard, most_chars=most_chars
        )
        laid, run = ShardTexts(Path(home) / "work"), RunFolder(Path(home) / "run")
        write_texts(laid, run, store, units, at_once=500)
        staged = []
        numbers = sorted(units["shard"].unique())
        assert numbers == list(range(len(numbers)))
        for shard in numbers:
            part, texts = read_texts(laid.of(shard).read_bytes())
            of_shard = units.filter(shard=shard)
            chars = int((of_shard["n_chars"] + of_shard["n_context"]).sum())
            assert len(texts) <= per_shard and (chars <= most_chars or len(texts) == 1)
            assert [text.item_id for text in texts] == of_shard["item_id"].to_list()
            staged += [(text.item_id, part) for text in texts]
            assert all((text.reply is None) == (part == "post") for text in texts)
        expected = {(item_id(*key, None), "post") for key in _posts(sizes)} | {
            (item_id(*key), "reply") for key in _replies(sizes)
        }
        assert len(staged) == len(set(staged)) and set(staged) == expected


def _posts(sizes: dict[str, list[int]]) -> list[tuple[str, str]]:
    return [(name, f"p{at}") for name, counts in sizes.items() for at in range(len(counts))]


def _replies(sizes: dict[str, list[int]]) -> list[tuple[str, str, str]]:
    return [
        (name, f"p{at}", f"p{at}r{n}")
        for name, counts in sizes.items()
        for at, count in enumerate(counts)
        for n in range(count)
    ]


def test_a_unit_brings_its_own_text_and_a_reply_its_post(tmp_path: Path) -> None:
    store = written_corpus(tmp_path / "corpus", SIZES)
    units = make_shards(
        units_of(store, RunScope(), parts=BOTH, seed=1), seed=1, with_context=True, per_shard=4
    )
    laid = ShardTexts(tmp_path / "work")
    write_texts(laid, RunFolder(tmp_path / "run"), store, units)
    posts = {row["post_id"]: row for row in store.scan_posts("yard").collect().iter_rows(named=True)}
    replies = {row["reply_id"]: row for row in store.scan_replies("yard").collect().iter_rows(named=True)}
    wanted = {item_id("yard", row["post_id"], row["reply_id"]): row for row in replies.values()}
    found = [
        text
        for shard in units["shard"].unique()
        for text in read_texts(laid.of(shard).read_bytes())[1]
        if text.item_id in wanted
    ]
    assert len(found) == len(replies) == 4
    for text in found:
        row = wanted[text.item_id]
        assert (text.title, text.post) == ("A title", posts[row["post_id"]]["text"])
        assert text.reply == row["text"]


def test_the_same_seed_gives_the_same_shards_and_another_one_others(tmp_path: Path) -> None:
    store = written_corpus(tmp_path / "corpus", {"lane": [3] * 20})
    first, again, other = (
        make_shards(
            units_of(store, RunScope(n_posts=10), parts=BOTH, seed=seed),
            seed=seed,
            with_context=False,
            per_shard=5,
        )
        for seed in (1, 1, 2)
    )
    assert first.equals(again) and not first.equals(other)
    assert first.filter(part="post").height == 10 and first.filter(part="reply").height == 30


def test_like_lengths_lie_together(tmp_path: Path) -> None:
    store = written_corpus(tmp_path / "corpus", {"lane": [4] * 30})
    units = make_shards(
        units_of(store, RunScope(), parts=BOTH, seed=1), seed=1, with_context=False, per_shard=10
    )
    spans = units.group_by("shard").agg(
        low=pl.col("n_chars").min(), high=pl.col("n_chars").max(), part=pl.col("part").first()
    )
    for _, of_part in spans.sort("part", "low", "high").group_by("part"):
        assert (of_part["high"].head(-1) <= of_part["low"].tail(-1)).all()


def test_only_what_is_missing_is_staged(tmp_path: Path) -> None:
    store = written_corpus(tmp_path / "corpus", SIZES)
    units = make_shards(
        units_of(store, RunScope(), parts=BOTH, seed=1), seed=1, with_context=False, per_shard=3
    )
    laid, run = ShardTexts(tmp_path / "work"), RunFolder(tmp_path / "run")
    run.labels.mkdir(parents=True)
    run.labels_of(0).touch()
    write_texts(laid, run, store, units)
    assert not laid.of(0).exists() and laid.of(1).exists() and laid.staged.exists()
    laid.of(1).write_text("left by an earlier attempt")
    write_texts(laid, run, store, units)
    assert laid.of(1).read_text() == "left by an earlier attempt"
    laid.remove()
    assert not laid.staged.exists() and not laid.folder.exists()


def test_a_folder_of_shards_is_listed_once_however_many_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = written_corpus(tmp_path / "corpus", {"lane": [3] * 20})
    units = make_shards(
        units_of(store, RunScope(), parts=BOTH, seed=1), seed=1, with_context=False, per_shard=2
    )
    listed, glob = [], Path.glob

    def counted(folder: Path, pattern: str) -> Iterator[Path]:
        listed.append(folder)
        return glob(folder, pattern)

    monkeypatch.setattr(Path, "glob", counted)
    laid, run = ShardTexts(tmp_path / "work"), RunFolder(tmp_path / "run")
    write_texts(laid, run, store, units)
    assert sorted(each for each in listed if each in (run.labels, laid.folder)) == [run.labels, laid.folder]
    assert shards_in(laid.folder) == set(units["shard"])


def test_reaches_that_cannot_be(tmp_path: Path) -> None:
    store = written_corpus(tmp_path / "corpus", SIZES)
    with pytest.raises(UnknownCommunity, match="hill"):
        units_of(store, RunScope(communities=("hill",)), parts=BOTH, seed=1)
    with pytest.raises(TooFewPosts, match="7 posts cannot be drawn from 6"):
        units_of(store, RunScope(n_posts=7), parts=BOTH, seed=1)
    with pytest.raises(NothingToLabel):
        units_of(store, RunScope(), parts=frozenset(), seed=1)
    drawn = pl.DataFrame([("yard", "p0", "p0r9")], schema=DRAWN_SCHEMA, orient="row")
    with pytest.raises(UnitsGone, match="1 posts or replies"):
        units_of(store, RunScope(sample="Main"), parts=BOTH, seed=1, drawn=drawn)


def test_a_post_that_was_drawn_with_two_replies_is_one_unit(tmp_path: Path) -> None:
    store = written_corpus(tmp_path / "corpus", SIZES)
    rows = [("yard", "p0", "p0r0"), ("yard", "p0", "p0r1"), ("lane", "p1", None)]
    drawn = pl.DataFrame(rows, schema=DRAWN_SCHEMA, orient="row")
    units = units_of(store, RunScope(sample="Main"), parts=BOTH, seed=1, drawn=drawn)
    assert sorted(units["part"]) == ["post", "post", "reply", "reply"]
    only = units_of(store, RunScope(sample="Main"), parts=frozenset({"reply"}), seed=1, drawn=drawn)
    assert set(only["item_id"]) == {item_id("yard", "p0", f"p0r{n}") for n in (0, 1)}


def test_models_that_write_get_small_shards() -> None:
    assert (units_per_shard("encoder-lora", 512), units_per_shard("generative-lora", 512)) == (512, 16)
    assert units_per_shard("few-shot", 4) == 4
