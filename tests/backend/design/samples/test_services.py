"""A sample is stored whole and once; items drawn again are the same items."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import IntegrityError, transaction

from backend.design.corpora.models import Corpus
from backend.design.corpora.services import create_corpus
from backend.design.samples import services
from backend.design.samples.exports import csv_lines, json_lines
from backend.design.samples.models import Draw, Item, Sample
from backend.design.samples.selectors import draws_by_community
from corpus.sampling.designs import PpsPosts, UniformPairs, WholePosts
from corpus.sampling.errors import SampleTooLarge
from tests.cast import NOW, Cast
from tests.demo_corpus import STACK_EXCHANGE, draw_demo, import_demo


def test_items_bring_their_texts_and_probabilities(cast: Cast, demo_corpus: Corpus) -> None:
    sample = draw_demo(demo_corpus, "Main", PpsPosts(n=8), cast.rosa)
    assert sample.n_items == sample.draws.count() == 16
    posts = {row["post_id"]: row for row in demo_corpus.store.scan_posts().collect().iter_rows(named=True)}
    replies = {
        row["reply_id"]: row for row in demo_corpus.store.scan_replies().collect().iter_rows(named=True)
    }
    for draw in sample.draws.select_related("item"):
        item = draw.item
        assert (item.title, item.post_text) == (posts[item.post_id]["title"], posts[item.post_id]["text"])
        assert item.reply_text == (replies[item.reply_id]["text"] if item.reply_id else None)
        assert draw.inclusion_probability == pytest.approx(draw.post_probability * draw.reply_probability)


def test_the_preview_is_the_sample(cast: Cast, demo_corpus: Corpus) -> None:
    preview = services.preview_sample(corpus=demo_corpus, design=PpsPosts(n=8), seed=5, disjoint_from=[])
    sample = draw_demo(demo_corpus, "Main", PpsPosts(n=8), cast.rosa, seed=5)
    stored = [draw.item.item_id for draw in sample.draws.select_related("item")]
    assert stored == [item.item_id for item in preview.items]
    assert sample.frame_hash == preview.frame_hash


def test_drawing_the_same_again_gives_back_the_sample(cast: Cast, demo_corpus: Corpus) -> None:
    first = draw_demo(demo_corpus, "Main", PpsPosts(n=8), cast.rosa)
    assert draw_demo(demo_corpus, "Main", PpsPosts(n=8), cast.rosa) == first
    assert Draw.objects.count() == 16


def test_another_design_under_a_taken_name_is_refused(cast: Cast, demo_corpus: Corpus) -> None:
    draw_demo(demo_corpus, "Main", PpsPosts(n=8), cast.rosa)
    with pytest.raises(services.SampleError, match="choose another name"):
        draw_demo(demo_corpus, "Main", PpsPosts(n=9), cast.rosa)


def test_an_item_in_two_samples_is_one_item(cast: Cast, demo_corpus: Corpus) -> None:
    draw_demo(demo_corpus, "All", WholePosts(n=20), cast.rosa)
    items = Item.objects.count()
    draw_demo(demo_corpus, "Some", UniformPairs(n=10), cast.rosa)
    assert Item.objects.count() == items
    assert Draw.objects.count() == items + 20


def test_a_disjoint_sample_shares_no_post(cast: Cast, demo_corpus: Corpus) -> None:
    first = draw_demo(demo_corpus, "First", PpsPosts(n=8), cast.rosa)
    second = draw_demo(demo_corpus, "Second", PpsPosts(n=8), cast.rosa, disjoint_from=[first])
    posts = [set(sample.draws.values_list("item__post_id", flat=True)) for sample in (first, second)]
    assert posts[0].isdisjoint(posts[1])
    assert list(second.disjoint_from.all()) == [first]


def test_a_disjoint_sample_of_another_corpus_shares_no_post_either(cast: Cast, demo_corpus: Corpus) -> None:
    first = draw_demo(demo_corpus, "First", PpsPosts(n=8), cast.rosa)
    second_corpus = create_corpus(study=cast.study, name="Again", description="", actor=cast.rosa, now=NOW)
    import_demo(second_corpus, STACK_EXCHANGE, cast.rosa)
    second = draw_demo(second_corpus, "Second", PpsPosts(n=8), cast.rosa, disjoint_from=[first])
    posts = [set(sample.draws.values_list("item__community", "item__post_id")) for sample in (first, second)]
    assert posts[0].isdisjoint(posts[1])


def test_the_same_request_with_other_samples_to_avoid_is_another_sample(
    cast: Cast, demo_corpus: Corpus
) -> None:
    first = draw_demo(demo_corpus, "First", PpsPosts(n=8), cast.rosa)
    draw_demo(demo_corpus, "Second", PpsPosts(n=8), cast.rosa, seed=2)
    with pytest.raises(services.SampleError, match="choose another name"):
        draw_demo(demo_corpus, "Second", PpsPosts(n=8), cast.rosa, seed=2, disjoint_from=[first])


def test_a_deleted_sample_takes_along_only_its_own_items(cast: Cast, demo_corpus: Corpus) -> None:
    every = draw_demo(demo_corpus, "All", WholePosts(n=20), cast.rosa)
    some = draw_demo(demo_corpus, "Some", UniformPairs(n=10), cast.rosa)
    kept = set(some.draws.values_list("item__item_id", flat=True))
    services.delete_sample(sample=every, actor=cast.ravi, now=NOW)
    assert set(Item.objects.values_list("item_id", flat=True)) == kept
    assert "Deleted the sample “All”" in cast.study.events.order_by("-pk")[0].summary


def test_a_draw_that_dies_before_its_end_leaves_no_sample_and_can_be_repeated(
    cast: Cast, demo_corpus: Corpus
) -> None:
    @contextmanager
    def dying() -> Iterator[None]:
        with transaction.atomic():
            yield
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        services.draw_into_study(
            corpus=demo_corpus,
            name="Main",
            design=PpsPosts(n=8),
            seed=1,
            disjoint_from=[],
            actor=cast.rosa,
            now=NOW,
            writing=dying,
        )
    assert not Sample.objects.exists()
    assert not Draw.objects.exists()
    assert (
        draw_demo(demo_corpus, "Main", PpsPosts(n=8), cast.rosa).draws.count() == Item.objects.count() == 16
    )


def test_what_cannot_be_drawn_leaves_nothing_behind(cast: Cast, demo_corpus: Corpus) -> None:
    with pytest.raises(SampleTooLarge):
        draw_demo(demo_corpus, "Huge", PpsPosts(n=5000), cast.rosa)
    assert not Sample.objects.exists()
    assert not Item.objects.exists()


@pytest.mark.parametrize("model", [Sample, Item, Draw])
def test_the_database_refuses_to_change_what_was_drawn(
    cast: Cast, demo_corpus: Corpus, model: type[Sample | Item | Draw]
) -> None:
    draw_demo(demo_corpus, "Main", PpsPosts(n=2), cast.rosa)
    field = {Sample: "seed", Item: "community", Draw: "position"}[model]
    with pytest.raises(IntegrityError, match="never change"), transaction.atomic():
        model.objects.update(**{field: 7})


def test_exports_hold_texts_only_when_asked(cast: Cast, demo_corpus: Corpus) -> None:
    sample = draw_demo(demo_corpus, "Main", PpsPosts(n=8), cast.rosa)
    rows = [json.loads(line) for line in json_lines(sample, with_text=False)]
    assert len(rows) == 16
    assert not {"title", "post_text", "reply_text"} & set(rows[0])
    assert all(row["post_text"] for row in map(json.loads, json_lines(sample, with_text=True)))
    header = next(csv_lines(sample, with_text=False)).splitlines()[0]
    assert header.startswith("item_id,position,platform")


def test_communities_are_summed_up(cast: Cast, demo_corpus: Corpus) -> None:
    sample = draw_demo(demo_corpus, "Main", PpsPosts(n=8), cast.rosa)
    rows = draws_by_community(sample)
    assert [(row.community, row.items) for row in rows] == [("NineToFive", 8), ("manners", 8)]
    assert all(0 < row.lowest <= row.mean <= row.highest <= 1 for row in rows)
