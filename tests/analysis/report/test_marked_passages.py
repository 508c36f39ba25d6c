"""The section on marked sentences: what it finds where it is known what sets them apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analysis.marked_passages import Trait, compare_passages
from analysis.report.build import build_report
from analysis.report.content import Report, ReportOptions
from analysis.report.material import ReportInput
from tests.analysis.report.report_fixtures import FACTS, LEXICON, given_passages, given_report

ASKED = ReportOptions(sections=("marked-sentences",))
PASSAGES = given_passages()


def report_of(**changed: object) -> Report:
    given = replace(given_report(n_posts=40, n_gold=0), **changed)  # type: ignore[arg-type]
    return build_report(given, ASKED)


def test_words_pairs_scores_and_topics_are_those_of_the_sentences() -> None:
    found = {table.trait: table for table in compare_passages(PASSAGES, LEXICON)}
    assert [*found] == [Trait.WORDS, Trait.PAIRS, Trait.LEXICON]
    words = {row.label: row for row in found[Trait.WORDS].rows}
    assert (words["died"].n_marked, words["died"].marked, words["died"].unmarked) == (30, 1.0, 0.0)
    assert words["old"].difference.estimate.value == pytest.approx(0) and "rain" not in words
    assert {row.label for row in found[Trait.PAIRS].rows} >= {"old dog", "dog died"}
    scores = {row.label: row for row in found[Trait.LEXICON].rows}
    assert scores["sadness"].marked == pytest.approx(1 / 6) and scores["sadness"].unmarked == 0
    assert scores["calm"].unmarked == pytest.approx(0.5 / 8) and scores["calm"].marked == 0


def test_topics_tell_marked_sentences_apart_where_there_are_enough() -> None:
    texts = ["My dog died, my poor dog", "The cream burned my skin", "Rain fell on the roof"] * 60
    marked = np.array([True, True, False] * 60)
    posts = tuple(str(at // 3) for at in range(180))
    passages = replace(PASSAGES, texts=tuple(texts), posts=posts, is_marked=marked)
    (topics,) = [table for table in compare_passages(passages, None) if table.trait is Trait.TOPICS]
    shares = np.array([[row.marked, row.unmarked] for row in topics.rows])
    assert shares.sum(axis=0) == pytest.approx([1, 1])
    assert any({"dog", "died", "poor"} <= set(row.label.split(", ")) for row in topics.rows)


def test_differences_are_clustered_by_post_and_corrected_for_many() -> None:
    noisy = replace(PASSAGES, is_marked=np.random.default_rng(1).random(90) < 0.4)
    (words, *_) = compare_passages(noisy, None)
    one_a_post = replace(noisy, posts=tuple(map(str, range(90))))
    (apart, *_) = compare_passages(one_a_post, None)
    errors = [
        next(row.difference.test.statistic for row in table.rows if row.label == "died")
        for table in (words, apart)
    ]
    assert errors[0] != errors[1]
    p_values = [(row.difference.test.p, row.difference.test.p_holm) for row in words.rows]
    assert all(p is None or (holm is not None and holm >= p) for p, holm in p_values)


def test_the_section_has_tables_and_figures_and_says_what_it_lacks() -> None:
    section = report_of().sections[0]
    assert {table.name for table in section.tables} == {
        "words-emotions",
        "pairs-emotions",
        "lexicon-emotions",
    }
    assert {chart.name for chart in section.charts} == {table.name for table in section.tables}
    assert "feelings.csv" in " ".join(paragraph.text for paragraph in report_of().methods)
    without = report_of(lexicon=None).sections[0]
    assert any("No lexicon was given" in each for each in without.missing)
    assert "lexicon-emotions" not in {table.name for table in without.tables}
    nothing = report_of(passages=()).sections[0]
    assert not nothing.tables and any(
        "no code of this run marks any words" in each for each in nothing.missing
    )
    all_marked = report_of(passages=(replace(PASSAGES, is_marked=np.ones(90, dtype=bool)),)).sections[0]
    assert not all_marked.tables and any("marks all sentences or none" in each for each in all_marked.missing)


def test_a_report_without_texts_is_made_all_the_same() -> None:
    given = given_report(n_posts=40, n_gold=0)
    report = build_report(ReportInput(given.posts, None, FACTS), ASKED)
    assert report.sections[0].missing and not report.sections[0].tables
