"""Drawing: reproducible to the item, complete in what it records, and clear about what it refuses."""

from fractions import Fraction
from math import comb

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corpus.sampling.designs import Design, PpsPosts, UniformPairs, WholePosts
from corpus.sampling.draw import chance_of_any, draw_sample
from corpus.sampling.errors import SampleTooLarge, UnknownCommunity
from corpus.sampling.frame import Frame, build_frame
from corpus.sampling.sample import CommunitySummary, Sample
from tests.examples import examples

Replies = dict[str, list[int]]
CORPUS: Replies = {"r/work": [9, 3, 2, 1, 1, 0, 0, 0], "Workplace SE": [0, 4, 1, 2, 0]}
Kind = type[PpsPosts] | type[UniformPairs] | type[WholePosts]
KINDS: list[Kind] = [PpsPosts, UniformPairs, WholePosts]


def frame_of(corpus: Replies = CORPUS, *, backwards: bool = False) -> Frame:
    """Posts p0, p1, … of each community with the given numbers of replies."""
    posts = [(name, f"p{i}", n) for name, counts in corpus.items() for i, n in enumerate(counts)]
    replies = [(name, post, f"{post}-c{j}") for name, post, n in posts for j in range(n)]
    step = -1 if backwards else 1
    text = {"community": pl.String, "post_id": pl.String}
    return build_frame(
        pl.LazyFrame(posts[::step], text | {"n_replies": pl.Int64}, orient="row"),
        pl.LazyFrame(replies[::step], text | {"reply_id": pl.String}, orient="row"),
    )


def drawn(sample: Sample) -> list[str]:
    return [f"{item.community}/{item.post_id}/{item.reply_id}" for item in sample.items]


GOLDEN: list[tuple[Design, list[str]]] = [
    (
        PpsPosts(n=3),
        [
            "r/work/p3/p3-c0",
            "Workplace SE/p1/p1-c3",
            "r/work/p0/p0-c7",
            "r/work/p1/p1-c0",
            "Workplace SE/p4/None",
            "Workplace SE/p2/p2-c0",
        ],
    ),
    (
        UniformPairs(n=3),
        [
            "r/work/p0/p0-c8",
            "r/work/p2/p2-c0",
            "r/work/p3/p3-c0",
            "Workplace SE/p1/p1-c3",
            "Workplace SE/p1/p1-c1",
            "Workplace SE/p1/p1-c2",
        ],
    ),
    (WholePosts(n=2), ["Workplace SE/p2/p2-c0", "Workplace SE/p0/None", "r/work/p3/p3-c0", "r/work/p5/None"]),
]


@pytest.mark.parametrize(("design", "expected"), GOLDEN, ids=lambda value: getattr(value, "kind", ""))
def test_the_same_seed_draws_the_same_items_on_every_machine(design: Design, expected: list[str]) -> None:
    assert drawn(draw_sample(frame_of(), design, seed=20)) == expected


def test_item_ids_are_the_same_on_every_machine() -> None:
    items = draw_sample(frame_of(), PpsPosts(n=3), seed=20).items
    assert [item.item_id for item in items[:2]] == [
        "b67f6d669abb454869094c4a36db3256",
        "b498b26420b7b2dc09ce4c08a29ce723",
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_order_of_rows_is_irrelevant(kind: Kind) -> None:
    assert draw_sample(frame_of(), kind(n=3), seed=5) == draw_sample(
        frame_of(backwards=True), kind(n=3), seed=5
    )


@pytest.mark.parametrize("kind", KINDS)
def test_other_seeds_draw_other_items(kind: Kind) -> None:
    samples = {tuple(drawn(draw_sample(frame_of(), kind(n=3), seed=seed))) for seed in range(20)}
    assert len(samples) > 15


@pytest.mark.parametrize("kind", KINDS)
def test_another_community_changes_nothing_in_this_one(kind: Kind) -> None:
    alone = frame_of({"r/work": CORPUS["r/work"]})
    both = draw_sample(frame_of(), kind(n=3), seed=5).items
    assert draw_sample(alone, kind(n=3), seed=5).items == tuple(i for i in both if i.community == "r/work")


def test_items_are_in_random_order() -> None:
    items = draw_sample(frame_of({"a": [0] * 200, "b": [0] * 200}), WholePosts(n=200), seed=1).items
    first_half = [item.community for item in items[:200]]
    assert 70 < first_half.count("a") < 130
    again = draw_sample(frame_of({"a": [0] * 200, "b": [0] * 200}), WholePosts(n=200), seed=2).items
    assert set(again) == set(items) and again != items


def test_a_unit_has_one_id_in_every_sample() -> None:
    everything = draw_sample(frame_of(), WholePosts(n=5), seed=1).items
    ids = {(i.community, i.post_id, i.reply_id): i.item_id for i in everything}
    assert len(set(ids.values())) == len(everything)
    for item in draw_sample(frame_of(), PpsPosts(n=5), seed=9).items:
        unit = (item.community, item.post_id, item.reply_id)
        assert ids.setdefault(unit, item.item_id) == item.item_id


def test_records_design_seed_frame_and_summary() -> None:
    design = PpsPosts(n=4, n_by_community=(("Workplace SE", 2),))
    sample = draw_sample(frame_of(), design, seed=3)
    assert (sample.design, sample.seed, sample.frame_hash) == (design, 3, frame_of().hash)
    without = [
        sum(i.reply_id is None for i in sample.items if i.community == c.community) for c in sample.summary
    ]
    assert sample.summary == (
        CommunitySummary("Workplace SE", 5, 7, 5, 2, 2, 0, 2, without[0]),
        CommunitySummary("r/work", 8, 16, 8, 4, 4, 1, 4, without[1]),
    )


def test_whole_posts_take_every_reply_and_posts_without_any() -> None:
    sample = draw_sample(frame_of({"a": [2, 0]}), WholePosts(n=2), seed=1)
    assert sorted(drawn(sample)) == ["a/p0/p0-c0", "a/p0/p0-c1", "a/p1/None"]
    assert sample.summary == (CommunitySummary("a", 2, 2, 2, 2, 2, 2, 3, 1),)


@pytest.mark.parametrize(("kind", "available"), [(PpsPosts, 5), (UniformPairs, 7), (WholePosts, 5)])
def test_refuses_more_than_there_is(kind: Kind, available: int) -> None:
    with pytest.raises(SampleTooLarge, match=f"'Workplace SE' has {available} .* the 8 asked for") as caught:
        draw_sample(frame_of(), kind(n=8), seed=1)
    error = caught.value
    assert (error.community, error.available, error.requested) == ("Workplace SE", available, 8)
    sample = draw_sample(frame_of(), kind(n=8, take_all_if_smaller=True), seed=1)
    assert [(s.requested, s.drawn) for s in sample.summary] == [(8, available), (8, 8)]
    assert all(
        i.inclusion_probability == i.reply_probability for i in sample.items if i.post_probability == 1
    )


def test_a_community_can_be_left_out() -> None:
    for kind in KINDS:
        sample = draw_sample(frame_of(), kind(n=3, n_by_community=(("r/work", 0),)), seed=1)
        assert {item.community for item in sample.items} == {"Workplace SE"}


def test_a_community_without_any_reply_has_no_pairs() -> None:
    design = UniformPairs(n=1, take_all_if_smaller=True)
    assert draw_sample(frame_of({"a": [0, 0]}), design, seed=1).items == ()


def test_refuses_an_override_for_an_unknown_community() -> None:
    with pytest.raises(UnknownCommunity, match=r"'r/wrok'.*'Workplace SE', 'r/work'"):
        draw_sample(frame_of(), PpsPosts(n=1, n_by_community=(("r/wrok", 2),)), seed=1)


@pytest.mark.parametrize("kind", KINDS)
def test_a_second_sample_is_disjoint_and_names_the_reduced_frame(kind: Kind) -> None:
    first = draw_sample(frame_of(), kind(n=2), seed=1)
    second = draw_sample(frame_of(), kind(n=2, exclude=first.posts, take_all_if_smaller=True), seed=1)
    assert second.items and not first.posts & second.posts
    assert second.frame_hash == frame_of().without(first.posts).hash != first.frame_hash


@settings(max_examples=examples(60), deadline=None)
@given(
    st.dictionaries(st.sampled_from("abc"), st.lists(st.integers(0, 6), min_size=1, max_size=8), min_size=1),
    st.integers(1, 9),
    st.integers(0, 2**63 - 1),
    st.sampled_from(KINDS),
)
def test_any_sample_keeps_its_promises(corpus: Replies, n: int, seed: int, kind: Kind) -> None:
    sample = draw_sample(frame_of(corpus), kind(n=n, take_all_if_smaller=True), seed=seed)
    assert len({item.item_id for item in sample.items}) == len(sample.items)
    for item in sample.items:
        product = item.post_probability * item.reply_probability
        assert 0 < item.inclusion_probability <= 1
        assert item.inclusion_probability == pytest.approx(product)
        assert (item.reply_id is None) == (corpus[item.community][int(item.post_id[1:])] == 0)
    for part in sample.summary:
        of_community = [item for item in sample.items if item.community == part.community]
        units = {(i.post_id, i.reply_id if kind is UniformPairs else None) for i in of_community}
        assert len(units) == part.drawn == min(n, part.units)


@given(st.integers(1, 40), st.integers(0, 10), st.integers(1, 12))
def test_pair_probabilities_are_exact(total: int, marked: int, n: int) -> None:
    marked, n = min(marked, total), min(n, total)
    assert chance_of_any(marked, total, n) == 1 - Fraction(comb(total - marked, n), comb(total, n))
