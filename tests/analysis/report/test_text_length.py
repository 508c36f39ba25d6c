"""The section on text length: what it finds in a corpus in which lengths are known."""

import numpy as np
import pytest

from analysis.report.build import build_report
from analysis.report.content import ReportOptions, ReportTable
from analysis.values import Measure, Way
from tests.analysis.report.report_fixtures import given_report

GIVEN = given_report(n_gold=1_200)
REPORT = build_report(GIVEN, ReportOptions(sections=("text-length",)))


def table(name: str) -> ReportTable:
    return next(table for table in REPORT.tables if table.name == name)


def test_quartiles_and_means_are_those_of_the_texts() -> None:
    assert GIVEN.posts
    words = GIVEN.posts.items["words"].to_numpy()
    row = table("text-length-posts").rows[0]
    assert (row.label, row.cells[0].text) == ("All posts", "1,500")
    quartiles = [round(float(np.quantile(words, at))) for at in (0.25, 0.5, 0.75)]
    assert [int(cell.text) for cell in row.cells[1:4]] == quartiles
    assert float(row.cells[4].text) == pytest.approx(words.mean(), abs=0.05)
    assert f"Half of the posts have between {quartiles[0]} and {quartiles[2]} words" in " ".join(
        REPORT.sections[0].sentences
    )


def test_there_is_a_row_for_each_community_and_for_items_with_and_without_each_code() -> None:
    labels = [row.label for row in table("text-length-replies").rows]
    assert labels[0] == "All replies" and "stack/work" in labels
    assert {"Personal concern: with", "Personal concern: without"} <= set(labels)


def test_posts_with_emotions_are_longer_as_the_corpus_was_made_naive_and_corrected() -> None:
    """Their log length is 0.4 higher."""
    for way in (Way.NAIVE, Way.CORRECTED):
        found = [
            each
            for each in table(f"differences-words-posts-{way.value}").findings
            if each.code == "emotions" and each.measure is Measure.DIFFERENCE
        ]
        assert np.mean([each.estimate.value for each in found if each.estimate.value is not None]) > 10
    assert any("words more than those without" in sentence for sentence in REPORT.sections[0].sentences)


def test_means_of_replies_know_that_those_of_one_post_belong_together() -> None:
    assert GIVEN.replies
    mean = next(each for each in table("text-length-replies").findings if each.measure is Measure.MEAN)
    assert mean.basis.n == len(GIVEN.replies) and mean.basis.n_clusters < mean.basis.n
    assert mean.estimate.low and mean.estimate.value and mean.estimate.low < mean.estimate.value
