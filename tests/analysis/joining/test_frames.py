"""Labels, texts and gold come together in one row a post or reply, and nothing is joined to the wrong one."""

from dataclasses import replace
from datetime import UTC, datetime

import polars as pl
import pytest

from analysis.joining.frames import LabelsMissing, Sources, TextsGone, TopicMissing, joined_part
from analysis.joining.gold import Gold, seen_posts
from analysis.joining.weight_shares import DealtBatch, SampledItem, SampleFacts
from analysis.labelled import PROBABILITY_OF_LEVEL
from analysis.labels import labels_of
from analysis.values import Way
from annotation.release.rows import LabelSource, ReleaseRow, SplitPart
from codebook.schema import Part
from corpus.records import POST_SCHEMA, REPLY_SCHEMA
from learning.labelling.read import LABEL_SCHEMA, UNIT_SCHEMA
from learning.query_strategies.names import Stream
from tests.learning.scoring.gold_fixtures import PRACTICES, gold_row

WHEN = datetime(2024, 5, 1, tzinfo=UTC)
POST_CODES = {"sharing-emotions": "Sharing emotions", "asking-advice": "Asking advice"}
REPLY_CODES = {"offering-advice": "Offering advice"}
# Post 0 has no reply, post 1 one, post 2 two; those of r/home have the same numbers as those of r/work.
PLACES = [(home, number) for home in ("r/work", "r/home") for number in range(3)]
PAIRS = [(home, number, reply) for home, number in PLACES for reply in range(number)]


def says(unit: str, code: str) -> int:
    return (len(unit) + len(code) + int(unit[-1])) % 2


def post_unit(home: str, number: int) -> str:
    return f"{home}-{number}"


def sources(gold: Gold | None = None, topics: dict[str, str] | None = None) -> Sources:
    posts = [(f"p{n}", home, "reddit", "Title", "x" * n, f"by-{n}", WHEN, 1, n) for home, n in PLACES]
    replies = [
        (f"c{n}{r}", f"p{n}", home, "reddit", "y" * (r + 1), "someone", WHEN, 1, r == 0, None)
        for home, n, r in PAIRS
    ]
    units: list[tuple[object, ...]] = [
        (post_unit(home, n), "post", "reddit", home, f"p{n}", None, 0) for home, n in PLACES
    ]
    units += [(f"{home}-{n}{r}", "reply", "reddit", home, f"p{n}", f"c{n}{r}", 0) for home, n, r in PAIRS]
    labels: list[tuple[object, ...]] = [
        (unit, part, code, says(str(unit), code), [], [], "model", 0)
        for unit, part, *_ in units
        for code in (POST_CODES if part == "post" else REPLY_CODES)
    ]
    return Sources(
        labels=pl.LazyFrame(labels, schema=LABEL_SCHEMA, orient="row"),
        units=pl.LazyFrame(units, schema=UNIT_SCHEMA, orient="row"),
        posts=pl.LazyFrame(posts, schema=POST_SCHEMA, orient="row"),
        replies=pl.LazyFrame(replies, schema=REPLY_SCHEMA, orient="row"),
        topics=topics or {},
        gold=gold,
    )


def judged(
    number: int,
    values: dict[str, int],
    *,
    reply: int | None = 0,
    split: SplitPart = SplitPart.TEST,
    source: LabelSource = LabelSource.SINGLE,
    suggested_by: tuple[str, ...] = (),
) -> ReleaseRow:
    """A pair of r/work as a release has it."""
    row = gold_row(f"{number}-{reply}", values, PRACTICES, split=split)
    item = replace(
        row.item,
        community="r/work",
        post_id=f"p{number}",
        reply_id=None if reply is None else f"c{number}{reply}",
        suggested_by=suggested_by,
    )
    labels = tuple(replace(label, source=source) for label in row.labels)
    return replace(row, item=item, labels=labels)


def drawn(*rows: ReleaseRow) -> dict[str, SampledItem]:
    return {
        row.item.item_id: SampledItem(
            row.item.item_id, "r/work", row.item.post_id, row.item.reply_id, 0.2, 0.5, 0.1
        )
        for row in rows
    }


def with_gold(*rows: ReleaseRow, also_dealt: tuple[ReleaseRow, ...] = ()) -> Gold:
    """Drawn for one sample and dealt by chance, as was what nobody has judged yet."""
    items = drawn(*rows, *also_dealt)
    main = SampleFacts("Main", items, (DealtBatch("First", dict.fromkeys(items)),))
    return Gold(rows, {"Main": main}, seen_posts(rows, ("train", "validation")))


def test_each_post_and_reply_has_its_own_row_with_what_the_corpus_knows() -> None:
    given = sources(topics={"r/work": "Work", "r/home": "Home"})
    posts, replies = joined_part(given, Part.POST, POST_CODES), joined_part(given, Part.REPLY, REPLY_CODES)
    assert posts and replies
    items = posts.corpus.items
    assert items.height == 6 and replies.corpus.items.height == 6
    row = items.row(by_predicate=pl.col("item_id") == "r/home-2", named=True)
    assert (row["post"], row["topic"], row["n_replies"], row["length"], row["author"]) == (
        "r/home/p2",
        "Home",
        2,
        7,
        "by-2",
    )
    assert row["words"] == 2
    for unit, found in items.select("item_id", "model.asking-advice").iter_rows():
        assert found == says(unit, "asking-advice")
    reply = replies.corpus.items.row(by_predicate=pl.col("item_id") == "r/work-21", named=True)
    assert (reply["post"], reply["length"], reply["answered"], reply["accepted"]) == (
        "r/work/p2",
        2,
        False,
        None,
    )
    assert "drawn" not in items.columns and not any(name.startswith("gold") for name in items.columns)


def test_what_the_model_expects_comes_along_and_of_levels_how_probable_each_is() -> None:
    given = sources()
    emotions, advice = "sharing-emotions", "asking-advice"
    chances = {emotions: [(0, 0.25), (1, 0.75)], advice: [(0, 0.5), (1, 0.25), (2, 0.25)]}
    rows = [
        row | {"probabilities": [{"value": value, "probability": p} for value, p in chances[row["code"]]]}
        for row in given.labels.filter(pl.col("part") == "post").collect().to_dicts()
    ]
    posts = joined_part(replace(given, labels=pl.LazyFrame(rows, schema=LABEL_SCHEMA)), Part.POST, POST_CODES)
    assert posts
    items = posts.corpus.items
    assert set(items[f"probability.{emotions}"]) == {0.75} and set(items[f"probability.{advice}"]) == {0.75}
    assert set(items[f"{PROBABILITY_OF_LEVEL}.1.{advice}"]) == {0.25}
    assert f"{PROBABILITY_OF_LEVEL}.1.{emotions}" not in items.columns
    without = joined_part(given, Part.POST, POST_CODES)
    assert without and not any(name.startswith("probability") for name in without.corpus.items.columns)


def test_gold_stands_on_the_post_and_reply_that_was_judged_with_its_own_probability() -> None:
    gold = with_gold(judged(1, {"sharing-emotions": 1, "asking-advice": 0, "offering-advice": 1}))
    given = sources(gold)
    posts, replies = joined_part(given, Part.POST, POST_CODES), joined_part(given, Part.REPLY, REPLY_CODES)
    assert posts and replies
    drawn = posts.corpus.items.filter("drawn")
    assert drawn.select("item_id", "gold.sharing-emotions", "gold.asking-advice", "gold_weight").rows() == [
        ("r/work-1", 1, 0, 5.0)
    ], "that of the post"
    assert replies.corpus.items.filter("drawn").select(
        "item_id", "gold.offering-advice", "gold_weight"
    ).rows() == [("r/work-10", 1, 10.0)], "that of the pair"
    labels = labels_of(posts.corpus, "sharing-emotions", Way.CORRECTED)
    assert labels.weight.tolist() == [5.0] and labels.gold.tolist() == [1.0]


def test_a_post_judged_in_several_pairs_has_one_label() -> None:
    emotions, advice = "sharing-emotions", "asking-advice"
    gold = with_gold(
        judged(2, {emotions: 1, advice: 1}, reply=0),
        judged(2, {emotions: 0, advice: 1}, reply=1),
        judged(1, {emotions: 0, advice: 0}, reply=0, source=LabelSource.ADJUDICATED),
        judged(1, {emotions: 1, advice: 0}, reply=None),
    )
    posts = joined_part(sources(gold), Part.POST, POST_CODES)
    assert posts and posts.gold.n == 2
    found = posts.corpus.items.filter("drawn").sort("item_id")
    assert found["gold.sharing-emotions"].to_list() == [0, None], "adjudicated goes first; a tie is no gold"
    assert found["gold.asking-advice"].to_list() == [0, 1]


def test_what_the_model_learned_from_or_suggested_is_left_out_and_made_up_for() -> None:
    values = {"sharing-emotions": 1}
    gold = with_gold(
        judged(1, values),
        judged(2, values, split=SplitPart.TRAIN),
        judged(0, values, reply=None, suggested_by=("model",)),
        also_dealt=(judged(7, values),),
    )
    posts = joined_part(sources(gold), Part.POST, POST_CODES)
    assert posts
    drawn = posts.corpus.items.filter("drawn")
    assert drawn.select("item_id", "gold_weight").rows() == [("r/work-1", 20.0)], (
        "one of four, drawn with 0.2"
    )
    assert (posts.gold.n, posts.gold.n_seen, posts.gold.n_suggested) == (1, 1, 1)


def test_gold_that_no_sample_drew_has_no_probability() -> None:
    gold = replace(with_gold(judged(1, {"sharing-emotions": 1})), samples={})
    posts = joined_part(sources(gold), Part.POST, POST_CODES)
    assert posts and posts.gold.n == 0 and posts.gold.n_undrawn == 1
    assert "drawn" not in posts.corpus.items.columns


def test_of_a_labelled_sample_its_own_items_are_certain() -> None:
    gold = replace(with_gold(judged(1, {"sharing-emotions": 1})), labelled_sample="Main")
    posts = joined_part(sources(gold), Part.POST, POST_CODES)
    assert posts and posts.corpus.items.filter("drawn")["gold_weight"].to_list() == [1.0]


def test_what_does_not_fit_together_is_refused() -> None:
    given = sources()
    with pytest.raises(TextsGone, match="1 labelled posts"):
        joined_part(replace(given, posts=given.posts.slice(1)), Part.POST, POST_CODES)
    with pytest.raises(LabelsMissing, match="1 posts"):
        joined_part(replace(given, labels=given.labels.slice(1)), Part.POST, POST_CODES)
    with pytest.raises(TopicMissing, match="r/home"):
        joined_part(replace(given, topics={"r/work": "Work"}), Part.POST, POST_CODES)
    assert joined_part(given, Part.POST, {}) is None
    assert joined_part(replace(given, units=given.units.filter(part="post")), Part.REPLY, REPLY_CODES) is None


def test_what_active_learning_chose_stands_beside_what_was_judged_before() -> None:
    """Post 1 was dealt as one of four, post 2 then chosen from the three that were left, with one half."""
    values = {"sharing-emotions": 1}
    rows = (judged(1, values), judged(2, values))
    items = drawn(*rows, judged(7, values), judged(8, values))
    batches = (
        DealtBatch("First", {"1-0": None}),
        DealtBatch("Doubtful", {"2-0": (Stream.STRATEGY, 0.5)}, is_chosen=True),
    )
    gold = Gold(rows, {"Main": SampleFacts("Main", items, batches)}, frozenset())
    posts = joined_part(sources(gold), Part.POST, POST_CODES)
    assert posts and posts.gold.samples == ("Main", "Main · Doubtful") and posts.gold.drawn_from == ("Main",)
    found = dict(posts.corpus.items.filter("drawn").select("item_id", "gold_weight").iter_rows())
    # Half of the gold is of each stage: four for post 1 in its own and one in the next, two for post 2
    assert found == pytest.approx({"r/work-1": (4 + 1) / 2 / 0.2, "r/work-2": 2 / 2 / 0.2})
    of_sample = joined_part(sources(replace(gold, labelled_sample="Main")), Part.POST, POST_CODES)
    assert of_sample
    found = dict(of_sample.corpus.items.filter("drawn").select("item_id", "gold_weight").iter_rows())
    assert found == pytest.approx({"r/work-1": 2.5, "r/work-2": 1.0})


def test_a_code_that_was_asked_otherwise_has_no_gold() -> None:
    gold = with_gold(judged(1, {"sharing-emotions": 1, "asking-advice": 0}))
    posts = joined_part(sources(replace(gold, unlike=frozenset({"sharing-emotions"}))), Part.POST, POST_CODES)
    assert posts
    found = posts.corpus.items.filter("drawn")
    assert found.select("gold.sharing-emotions", "gold.asking-advice").rows() == [(None, 0)]
