"""The invented runs that other tests build on are as whole as real ones."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from backend.design.corpora.models import Corpus
from backend.publish.labelling.selectors import finished_runs, run_numbered
from corpus.sampling.designs import PpsPosts
from corpus.sampling.encoding import item_id
from learning.labelling.facts import RunScope, read_facts
from learning.labelling.read import LABEL_SCHEMA, scan_labels, scan_units
from learning.labelling.sealing import verify_run
from tests.backend.publish.labelling.fixtures import adapter_in, labelled_run
from tests.cast import Cast
from tests.demo_corpus import draw_demo


def test_a_run_labels_each_post_and_each_reply_of_a_corpus(
    cast: Cast, demo_corpus: Corpus, tmp_path: Path
) -> None:
    adapter = adapter_in(cast.study, tmp_path / "made")
    run = labelled_run(cast.study, corpus=demo_corpus, adapter=adapter)
    store = demo_corpus.store
    posts, replies = store.scan_posts().collect(), store.scan_replies().collect()
    units = scan_units(run.folder).collect()
    assert (run.n_posts, run.n_replies) == (posts.height, replies.height)
    assert set(units["item_id"]) == {
        *(item_id(row[0], row[1], None) for row in posts.select("community", "post_id").iter_rows()),
        *(item_id(*row) for row in replies.select("community", "post_id", "reply_id").iter_rows()),
    }
    labels = scan_labels(run.folder).collect()
    facts = read_facts(run.files.facts)
    assert labels.schema == LABEL_SCHEMA
    assert labels.height == facts.n_posts * len(facts.post_codes) + facts.n_replies * len(facts.reply_codes)
    assert labels.filter(part="post")["code"].unique().sort().to_list() == sorted(facts.post_codes)
    assert verify_run(run.folder, run.output_hash) == []
    assert list(finished_runs(cast.study)) == [run] == [run_numbered(cast.study, 1)]


def test_a_run_can_be_on_a_sample_or_on_some_posts(cast: Cast, demo_corpus: Corpus, tmp_path: Path) -> None:
    adapter = adapter_in(cast.study, tmp_path / "made")
    sample = draw_demo(demo_corpus, "Main", PpsPosts(n=8), cast.rosa)
    first = labelled_run(cast.study, corpus=demo_corpus, adapter=adapter, sample=sample)
    own = scan_units(first.folder).filter(part="reply").collect()
    with_reply = sample.draws.filter(item__reply_id__isnull=False).values_list("item__item_id", flat=True)
    assert set(own["item_id"]) == set(with_reply)
    assert first.n_posts == sample.draws.values("item__community", "item__post_id").distinct().count()
    second = labelled_run(
        cast.study, corpus=demo_corpus, adapter=adapter, scope=RunScope(communities=("manners",), n_posts=5)
    )
    posts = scan_units(second.folder).filter(part="post").collect()
    assert (second.number, posts.height, set(posts["community"])) == (2, 5, {"manners"})
    replies = demo_corpus.store.scan_replies("manners").join(posts.lazy(), on="post_id", how="semi")
    assert second.n_replies == replies.select(pl.len()).collect().item()
