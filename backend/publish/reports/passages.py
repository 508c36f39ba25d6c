"""The sentences of a labelled corpus, and which of them the model marked for each code that it marks words of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from analysis.collected_passages import CollectedPassages
from analysis.marked_passages import MarkedPassages
from analysis.values import Way
from annotation.sentences import sentences
from backend.design.codebooks.selectors import codebook_of
from backend.publish.labelling.models import LabellingRun
from codebook.schema import Part
from learning.labelling.read import scan_labels, scan_units

# Of longer runs as many items drawn at random are enough, and fit into memory.
MOST_ITEMS = 20_000
SEED = 1


def marked_passages(run: LabellingRun) -> tuple[MarkedPassages, ...]:
    """In the codebook's order; without codes of which nothing is marked."""
    known = tuple(codebook_of(run.edition).coded_questions())
    found: dict[str, CollectedPassages] = {}
    kinds = {(question.once_for, question.part) for question, _ in known}
    for unit, part in sorted(kinds):
        asked = [code.id for question, code in known if (question.once_for, question.part) == (unit, part)]
        found |= _passages(run, unit, part, asked)
    return tuple(
        found[code.id].passages(code.id, code.name, Way.NAIVE) for _, code in known if code.id in found
    )


def _passages(
    run: LabellingRun, unit: Part, part: Part, codes: Sequence[str]
) -> Iterator[tuple[str, CollectedPassages]]:
    """Of codes that have one answer for each `unit`, and mark words of its `part`."""
    labels = scan_labels(run.folder).filter(pl.col("part") == unit.value, pl.col("code").is_in(codes))
    labels = labels.select("item_id", "code", "spans")
    marking = (
        labels.filter(pl.col("spans").list.len() > 0)
        .select(pl.col("code").unique())
        .collect()["code"]
        .to_list()
    )
    if not marking:
        return
    items = _items(run, unit, part)
    texts = {item: (text, post) for item, text, post in items.select("item_id", "text", "post").rows()}
    wanted = labels.filter(
        pl.col("code").is_in(marking) & pl.col("item_id").is_in(items["item_id"].to_list())
    )
    collected: dict[str, CollectedPassages] = {}
    for item, code, spans in wanted.sort("code", "item_id").collect(engine="streaming").rows():
        text, post = texts[item]
        marks = [(span["start"], span["end"]) for span in spans]
        collected.setdefault(code, CollectedPassages()).add(text, sentences(text), post, marks)
    yield from collected.items()


def _items(run: LabellingRun, unit: Part, part: Part) -> pl.DataFrame:
    """With the text of this part; which post they belong to is named over all communities."""
    keys = ["community", "post_id", *(["reply_id"] if part is Part.REPLY else [])]
    units = scan_units(run.folder).filter(pl.col("part") == unit.value).select("item_id", *keys)
    items = units.sort("item_id").collect(engine="streaming")
    if items.height > MOST_ITEMS:
        drawn = np.random.default_rng(SEED).choice(items.height, MOST_ITEMS, replace=False)
        items = items[np.sort(drawn).tolist()]
    store = run.corpus.store
    corpus = store.scan_posts() if part is Part.POST else store.scan_replies()
    texts = corpus.select(*keys, pl.col("text").fill_null("")).join(
        items.lazy().select(keys), on=keys, how="semi"
    )
    found = items.join(texts.collect(engine="streaming"), on=keys, how="inner", maintain_order="left")
    return found.with_columns(pl.concat_str("community", pl.lit("/"), "post_id").alias("post"))
