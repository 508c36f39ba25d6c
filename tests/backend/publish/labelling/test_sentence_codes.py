"""A model of sentences in a study: trained, examined, put in service, its errors read; it labels a corpus once
for each reply, and reports read that."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from annotation.release.rows import SplitPart
from annotation.sentences import sentences
from backend.decide.releases.importing import import_release
from backend.design.corpora.models import Corpus
from backend.learn.error_analysis.selectors import errors_of
from backend.learn.models.models import Adapter
from backend.learn.models.selectors import adapter_in_service
from backend.learn.models.services import promote
from backend.publish.feedback.errors import NothingToJudge
from backend.publish.feedback.reading import read_texts
from backend.publish.labelling.exports import csv_pieces, label_counts
from backend.publish.reports.making import Asked, write_files
from backend.publish.reports.passages import marked_passages
from codebook.shipped import load_shipped
from learning.labelling.read import scan_labels, scan_units
from learning.scoring.values import Metric
from learning.suggestions.asking import TextAsked
from tests.backend.learn.models.fixtures import examine, train
from tests.backend.publish.labelling.fixtures import assert_whole, label_as_ml_backend, look, started
from tests.backend.publish.reports.fixtures import wanted
from tests.cast import NOW, Cast
from tests.ml_backend.fixtures import made_release

pytestmark = pytest.mark.django_db
CODE, POST = "empathy-cause", ["community", "post_id", "text"]


@pytest.fixture
def adapter(cast: Cast, tmp_path: Path) -> Adapter:
    folder = made_release(tmp_path / "made", load_shipped(CODE), 60)
    release = import_release(study=cast.study, folder=folder, actor=cast.rosa, now=NOW)
    return train(release, "positions")


def test_a_model_of_causes_is_examined_and_serves(cast: Cast, adapter: Adapter) -> None:
    scores = adapter.read_card().measures["test"].code(CODE)
    assert scores is not None and scores.headline.value == scores.scores[Metric.SENTENCE_F1].value
    report = examine(adapter)
    assert report.candidate == adapter and Metric.SENTENCE_F1.value in report.content
    promote(adapter=adapter, report=None, override_reason="Tests", actor=cast.rosa, now=NOW)
    assert adapter_in_service(cast.study) == adapter
    with pytest.raises(NothingToJudge, match="paste a reply too"):
        read_texts(study=cast.study, asked=TextAsked("", "I fell.", None), user=cast.rosa)
    errors = list(errors_of(adapter, SplitPart.VALIDATION).all())
    assert all(error.code == CODE and (error.gold or error.model) for error in errors)
    assert errors, "every third item marks nothing, and positions cannot tell which"


def test_a_post_is_labelled_once_for_each_of_its_replies(
    cast: Cast, demo_corpus: Corpus, adapter: Adapter, tmp_path: Path
) -> None:
    run = look(started(cast.study, demo_corpus, adapter))
    label_as_ml_backend(run)
    run = look(run)
    assert_whole(run)
    replies = demo_corpus.store.scan_replies().collect()
    assert (run.n_posts, run.n_replies) == (0, replies.height)
    labels = scan_labels(run.folder).join(scan_units(run.folder), on=["item_id", "part"]).collect()
    assert set(labels["part"]) == {"reply"} and set(labels["reply_id"]) == set(replies["reply_id"])
    posts = {row[:2]: row[2] for row in demo_corpus.store.scan_posts().collect()[POST].iter_rows()}
    marked = labels.explode("spans").drop_nulls("spans").unnest("spans", separator="_")
    for community, post, part, start, end in marked.select(
        "community", "post_id", "spans_part", "spans_start", "spans_end"
    ).iter_rows():
        assert part == "post" and (start, end) in sentences(posts[community, post])
    (count,) = label_counts(run)
    assert (count.code, count.part, count.n) == (CODE, "reply", replies.height)
    table = pl.read_csv(b"".join(csv_pieces(run)))
    assert table["reply_id"].null_count() == 0 and table["spans"].str.contains('"part":"post"').any()
    (passages,) = marked_passages(run)
    n_sentences = sum(len(sentences(posts[row])) for row in labels[["community", "post_id"]].iter_rows())
    assert len(passages.texts) == n_sentences and passages.is_marked.sum() == marked.height
    request = wanted(release=None, topics={}, sections=["overall"])
    write_files(tmp_path / "report", Asked(run, None, request))
    shares = pl.read_csv(tmp_path / "report" / "tables" / "shares.csv")
    assert shares["code"].to_list() == [CODE] and shares["n"].to_list() == [replies.height]
