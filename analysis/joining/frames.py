"""From the files of a labelling run to the columns of `analysis.labelled`, without a text and in bounded memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import polars as pl

from analysis.errors import NotAnalysable
from analysis.joining.gold import Gold, GoldCounts, gold_frame
from analysis.labelled import PROBABILITY_OF_LEVEL, LabelledCorpus, labelled_corpus
from codebook.schema import Part

POST = ["community", "post_id"]
REPLY = ["community", "post_id", "reply_id"]


@dataclass(frozen=True, slots=True)
class Sources:
    """Labels and units as a run wrote them, posts and replies as the corpus keeps them; topics by community."""

    labels: pl.LazyFrame
    units: pl.LazyFrame
    posts: pl.LazyFrame
    replies: pl.LazyFrame
    topics: Mapping[str, str]
    gold: Gold | None = None


@dataclass(frozen=True, slots=True, eq=False)
class JoinedPart:
    corpus: LabelledCorpus
    gold: GoldCounts


def joined_part(sources: Sources, part: Part, codes: Mapping[str, str]) -> JoinedPart | None:
    """`codes` have the names of those that the run asked of this part; None where it labelled none of it."""
    units = sources.units.filter(pl.col("part") == part.value).select("item_id", "platform", *REPLY)
    items = units.sort("item_id").collect(engine="streaming")
    if items.is_empty() or not codes:
        return None
    things = "posts" if part is Part.POST else "replies"
    items = _with_labels(items, sources.labels, part, codes, things)
    items = _with_texts(items, sources, part, things)
    items = _with_topics(items, sources.topics)
    items, counts = _with_gold(items, sources.gold, part, codes)
    post = pl.concat_str("community", pl.lit("/"), "post_id").alias("post")
    kept = items.with_columns(post).drop("post_id", "reply_id")
    return JoinedPart(labelled_corpus(kept, part=part, codes=codes), counts)


def _with_labels(
    items: pl.DataFrame, labels: pl.LazyFrame, part: Part, codes: Mapping[str, str], things: str
) -> pl.DataFrame:
    """Columns for each code: values, and what the model's probabilities expect, small numbers all. Evidence stays in
    the files."""
    own = labels.filter(pl.col("part") == part.value)
    columns = [
        _of_code(code, pl.col("value").cast(pl.Int16)).alias(f"model.{code}") for code in codes
    ] + _expected_values(own, codes)
    wide = own.group_by("item_id").agg(columns).collect(engine="streaming")
    found = items.join(wide, on="item_id", how="left", maintain_order="left")
    missing = found.select(pl.any_horizontal(pl.col([f"model.{code}" for code in codes]).is_null()))
    if n := int(missing.to_series().sum()):
        raise LabelsMissing(n, things)
    return found


def _of_code(code: str, value: pl.Expr) -> pl.Expr:
    return value.filter(pl.col("code") == code).first()


def _expected_values(own: pl.LazyFrame, codes: Mapping[str, str]) -> list[pl.Expr]:
    """Of codes with probabilities on every item: the value to be expected, and of levels the probability of each."""
    answers, chances = _inside("value"), pl.col("probabilities").list.len()
    highest = own.group_by("code").agg(answers.list.max().max(), chances.min().alias("least"))
    found = {code: most for code, most, least in highest.collect(engine="streaming").rows() if least}
    columns = []
    for code in codes:
        most = found.get(code)
        if most is None:
            continue
        mean = pl.col("probabilities").list.eval(_field("value") * _field("probability")).list.sum()
        columns.append(_of_code(code, mean.clip(0, most).cast(pl.Float32)).alias(f"probability.{code}"))
        columns += [
            _of_code(code, _chance(level).cast(pl.Float32)).alias(f"{PROBABILITY_OF_LEVEL}.{level}.{code}")
            for level in (range(most + 1) if most > 1 else ())
        ]
    return columns


def _field(name: str) -> pl.Expr:
    return pl.element().struct.field(name)


def _inside(name: str) -> pl.Expr:
    return pl.col("probabilities").list.eval(_field(name))


def _chance(level: int) -> pl.Expr:
    is_level = _field("value") == level
    return pl.col("probabilities").list.eval(_field("probability").filter(is_level)).list.sum()


def _with_texts(items: pl.DataFrame, sources: Sources, part: Part, things: str) -> pl.DataFrame:
    if part is Part.POST:
        about = sources.posts.select(*POST, "author", "created", "n_replies", *_lengths("title", "text"))
        return _join(items, about, POST, things)
    about = sources.replies.select(
        *REPLY,
        "author",
        "created",
        *_lengths("text"),
        answered="answered_by_poster",
        accepted="accepted_by_poster",
    )
    return _join(items, about, REPLY, things)


def _lengths(*columns: str) -> tuple[pl.Expr, pl.Expr]:
    """Characters, and words as what lies between white space."""
    texts = [pl.col(column).fill_null("") for column in columns]
    length = pl.sum_horizontal(text.str.len_chars() for text in texts)
    words = pl.concat_str(texts, separator=" ").str.count_matches(r"\S+")
    return length.cast(pl.Int64).alias("length"), words.cast(pl.Int64).alias("words")


def _join(items: pl.DataFrame, about: pl.LazyFrame, on: list[str], things: str) -> pl.DataFrame:
    wanted = about.join(items.lazy().select(on), on=on, how="semi").collect(engine="streaming")
    found = items.join(wanted, on=on, how="inner", maintain_order="left")
    if n := items.height - found.height:
        raise TextsGone(n, things)
    return found


def _with_topics(items: pl.DataFrame, topics: Mapping[str, str]) -> pl.DataFrame:
    if not any(topics.values()):
        return items
    without = sorted({name for name in items["community"].unique() if not topics.get(name)})
    if without:
        raise TopicMissing(without)
    return items.with_columns(
        pl.col("community").replace_strict(topics, return_dtype=pl.String).alias("topic")
    )


def _with_gold(
    items: pl.DataFrame, gold: Gold | None, part: Part, codes: Mapping[str, str]
) -> tuple[pl.DataFrame, GoldCounts]:
    """Without any, the columns are not there at all."""
    if gold is None:
        return items, GoldCounts()
    found, counts = gold_frame(gold, part, codes, items)
    if found.is_empty():
        return items, counts
    on = POST if part is Part.POST else REPLY
    marked = found.drop([name for name in ("reply_id",) if part is Part.POST]).with_columns(drawn=True)
    joined = items.join(marked, on=on, how="left", maintain_order="left")
    return joined.with_columns(pl.col("drawn").fill_null(value=False)), counts


class TextsGone(NotAnalysable):
    def __init__(self, n: int, things: str) -> None:
        super().__init__(
            f"{n:,} labelled {things} are not in the corpus any more, which was changed since: label it again."
        )


class LabelsMissing(NotAnalysable):
    def __init__(self, n: int, things: str) -> None:
        super().__init__(f"{n:,} {things} lack a label: let the run finish, or start it again.")


class TopicMissing(NotAnalysable):
    def __init__(self, communities: Sequence[str]) -> None:
        super().__init__(
            f"No topic is given for {', '.join(communities)}: give each community one, or none to any."
        )
