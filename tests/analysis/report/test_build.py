"""A report says what can be said of a corpus, and of the rest what is missing."""

from dataclasses import replace
from functools import partial

import msgspec
import numpy as np
import polars as pl
import pytest

from analysis.labelled import LabelledCorpus, labelled_corpus
from analysis.outcomes import Outcome
from analysis.prevalence import prevalence
from analysis.regressions import regressions
from analysis.report.build import build_report
from analysis.report.charts import HeatmapChart
from analysis.report.content import Report, ReportOptions
from analysis.report.facts import GoldFacts, GoldLeftOut
from analysis.report.material import ReportInput
from analysis.report.registry import section_titles
from analysis.values import Way
from codebook.schema import Part
from tests.analysis.report.report_fixtures import BARE_FACTS, FACTS, built_report, given_report

GIVEN = given_report()
whole_report = partial(built_report, n_posts=1_500, n_gold=400)
SECTIONS = tuple(section_titles())


def without(corpus: LabelledCorpus | None, *columns: str) -> LabelledCorpus:
    assert corpus
    return labelled_corpus(corpus.items.drop(columns), part=corpus.part, codes=corpus.codes)


def missing_in(report: Report, name: str) -> str:
    section = report.section(name)
    assert section
    return " ".join(section.missing)


def test_every_question_has_its_section_with_sentences_tables_and_charts() -> None:
    assert tuple(section.name for section in whole_report().sections) == SECTIONS
    assert whole_report().ways == tuple(Way)
    for section in whole_report().sections:
        assert (section.tables and section.charts) or section.missing
    assert missing_in(whole_report(), "accepted").endswith("Take communities of a platform that has this.")


@pytest.mark.parametrize("name", SECTIONS)
def test_only_the_sections_asked_for_are_made_and_told_of(name: str) -> None:
    report = build_report(GIVEN, ReportOptions(sections=(name,)))
    assert report.sections == tuple(section for section in whole_report().sections if section.name == name)
    assert set(report.summary) <= set(whole_report().summary)
    others = {
        section.sentences[0]
        for section in whole_report().sections
        if section.sentences and section.name != name
    }
    assert not others & set(report.summary)


def test_tables_of_each_way_stand_together() -> None:
    ways: dict[str, set[Way | None]] = {}
    for table in whole_report().tables:
        ways.setdefault(table.pair, set()).add(table.way)
    assert all(found in ({None}, set(Way)) for found in ways.values())
    assert ways["shares-by-platform"] == set(Way)


def test_cells_have_the_numbers_of_the_analyses() -> None:
    assert GIVEN.posts
    row = prevalence(GIVEN.posts, by="platform", way=Way.NAIVE).rows[0]
    table = next(table for table in whole_report().tables if table.name == "shares-by-platform-naive")
    assert [column.title for column in table.columns] == ["Mean (%)", "reddit", "stack", "Cramér's V", "χ²"]
    assert row.pearson and row.mean.estimate.value and row.pearson.test.statistic
    cells = table.rows[0].cells
    assert table.rows[0].label == "Sharing emotions" and table.rows[0].group == "Posts: Self-disclosure"
    assert float(cells[0].text) == pytest.approx(100 * row.mean.estimate.value, abs=0.005)
    assert float(cells[4].text) == pytest.approx(row.pearson.test.statistic, abs=0.005)
    assert cells[4].stars == "***" and cells[1].tip.startswith("In reddit, “Sharing emotions”")


def test_regressions_stand_beside_welch_and_say_what_they_hold_equal() -> None:
    names = [table.name for table in whole_report().tables]
    assert {"differences-replies-naive", "regressions-replies-naive"} <= set(names)
    table = next(table for table in whole_report().tables if table.name == "regressions-replies-naive")
    assert "length, time and community held equal" in table.caption
    assert GIVEN.posts
    found = regressions(GIVEN.posts, outcome=Outcome.N_REPLIES, way=Way.NAIVE)[0]
    assert found.estimate.value and float(table.rows[0].cells[0].text) == pytest.approx(
        found.estimate.value, abs=0.005
    )
    answered = next(
        table for table in whole_report().tables if table.name == "regressions-answered-corrected"
    )
    assert "Odds ratio" in [column.title for column in answered.columns]


@pytest.mark.parametrize(
    ("column", "section", "what_to_do"),
    (
        ("platform", "platforms", "Import the corpus with its platforms."),
        ("topic", "topics", "Say which topic each community has"),
        ("created", "over-time", "Import the corpus with its dates."),
        ("n_replies", "replies", "Label posts of a corpus that has its replies."),
        ("answered", "answered", "Import the corpus with authors and threads."),
    ),
)
def test_a_missing_column_is_said_and_stops_nothing_else(column: str, section: str, what_to_do: str) -> None:
    posts, replies = (
        without(part, column) if part and column in part.items.columns else part
        for part in (GIVEN.posts, GIVEN.replies)
    )
    report = build_report(replace(GIVEN, posts=posts, replies=replies))
    found = report.section(section)
    assert found and not found.tables and what_to_do in " ".join(found.missing)
    others = [each for each in report.sections if each.name not in (section, "accepted")]
    assert all(each.tables for each in others)


def test_without_length_regressions_hold_the_rest_equal_and_say_so() -> None:
    report = build_report(ReportInput(without(GIVEN.posts, "length"), GIVEN.replies, FACTS))
    assert "Regressions do not hold length equal" in missing_in(report, "replies")
    table = next(table for table in report.tables if table.name == "regressions-replies-naive")
    assert "time and community held equal" in table.caption and "length" not in table.caption


def test_items_without_a_topic_are_left_out_and_counted() -> None:
    assert GIVEN.posts
    gaps = np.arange(len(GIVEN.posts)) < 50
    items = GIVEN.posts.items.with_columns(
        pl.when(pl.Series(gaps)).then(None).otherwise(pl.col("topic")).alias("topic")
    )
    posts = labelled_corpus(items, part=Part.POST, codes=GIVEN.posts.codes)
    report = build_report(ReportInput(posts, GIVEN.replies, FACTS))
    assert "50 posts without a topic are left out." in missing_in(report, "topics")


def test_without_gold_all_is_naive_and_the_report_says_what_to_do() -> None:
    gold = ("gold.emotions", "gold.advice", "drawn", "gold_probability")
    report = build_report(ReportInput(without(GIVEN.posts, *gold), None, FACTS))
    assert report.ways == (Way.NAIVE,)
    assert any("Name a release whose items were drawn from this corpus" in note for note in report.notes)
    assert any(note.startswith("No replies were labelled") for note in report.notes)
    assert "All estimates are naive" in report.methods[-2].text
    assert "not both labelled" in missing_in(report, "post-to-reply")


def test_where_all_gold_was_left_out_the_report_says_why() -> None:
    left_out = GoldLeftOut(part=Part.POST, n_seen=30, n_suggested=4)
    facts = msgspec.structs.replace(FACTS, gold=GoldFacts(left_out=(left_out,)))
    gold = ("gold.emotions", "gold.advice", "drawn", "gold_probability")
    notes = " ".join(build_report(ReportInput(without(GIVEN.posts, *gold), None, facts)).notes)
    assert (
        "gold for 34 posts: 30 that the model had learned from and 4 judged with a model's suggestions"
        in notes
    )
    assert "Name a release whose items were drawn" not in notes
    unlike = msgspec.structs.replace(FACTS, gold=GoldFacts(unlike=("advice", "emotions")))
    notes = " ".join(build_report(ReportInput(without(GIVEN.posts, *gold), None, unlike)).notes)
    assert "was not used: the release's edition" in notes and "drawn" not in notes


def test_gold_for_some_codes_corrects_those() -> None:
    report = build_report(ReportInput(without(GIVEN.posts, "gold.advice"), GIVEN.replies, FACTS))
    assert any("There is no gold for “Asking for advice” in posts" in note for note in report.notes)
    table = next(table for table in report.tables if table.name == "shares-by-platform-corrected")
    assert [row.label for row in table.rows] == [
        "Sharing emotions",
        "Emotional resonance",
        "Personal concern",
    ]
    shares = next(table for table in report.tables if table.name == "shares")
    assert [cell.text for cell in shares.rows[1].cells[2:]] == [""] * 5
    assert "need gold for all codes" in missing_in(report, "distribution")


@pytest.mark.parametrize(
    ("made", "why"),
    (
        (pl.lit(None, dtype=pl.Float64()).alias("gold_probability"), "no probability above 0"),
        (pl.lit(True).alias("seen_in_training"), "The model was trained on"),
        (pl.lit(0.0).alias("gold_probability"), "no chance of being drawn"),
    ),
)
def test_gold_that_cannot_stand_for_the_rest_is_refused_with_its_reason(made: pl.Expr, why: str) -> None:
    assert GIVEN.posts
    posts = labelled_corpus(GIVEN.posts.items.with_columns(made), part=Part.POST, codes=GIVEN.posts.codes)
    report = build_report(ReportInput(posts, GIVEN.replies, FACTS))
    assert any("posts could not be corrected" in note and why in note for note in report.notes)
    corrected = next(table for table in report.tables if table.name == "shares-by-platform-corrected")
    assert {row.group.split(":")[0] for row in corrected.rows} == {"Replies"}
    assert "Estimates on posts are naive only." in report.methods[-2].text


def test_who_wants_no_correction_gets_none() -> None:
    report = build_report(GIVEN, ReportOptions(with_corrected=False))
    assert report.ways == (Way.NAIVE,) and not report.notes
    assert all(table.way in (None, Way.NAIVE) for table in report.tables)


def test_one_community_with_one_code_has_little_to_say_and_says_so() -> None:
    assert GIVEN.replies
    alone = replace(GIVEN.replies, codes={"concern": "Personal concern"})
    one = alone.where((alone.items["community"] == "stack/work").to_numpy())
    report = build_report(ReportInput(None, one, BARE_FACTS))
    assert "All replies are of one platform, stack" in missing_in(report, "platforms")
    assert "nothing to go together with" in missing_in(report, "together-replies")
    assert report.section("overall") and report.section("replies") is None


def test_a_handful_of_items_still_makes_a_report() -> None:
    assert GIVEN.posts and GIVEN.replies
    kept = {"0", "1", "2"}
    posts, replies = (
        part.where(part.items["post"].is_in(kept).to_numpy()) for part in (GIVEN.posts, GIVEN.replies)
    )
    report = build_report(ReportInput(posts, replies, FACTS))
    assert report.tables and report.charts


def test_figures_show_the_largest_communities_and_say_so() -> None:
    report = build_report(GIVEN, ReportOptions(most_panels=2))
    chart = next(chart for chart in report.charts if chart.name == "together-posts-naive")
    assert isinstance(chart, HeatmapChart) and len(chart.panels) == 2
    assert "The 2 largest of 6 communities are shown." in chart.caption
    table = next(table for table in report.tables if table.name == "together-posts-naive")
    assert len(table.columns) == 6


def test_change_since_joining_is_there_when_asked_for() -> None:
    created = GIVEN.posts.items["created"] if GIVEN.posts else None
    assert created is not None
    first, last = created.min(), created.max()
    assert whole_report().section("since-joining") is None
    report = build_report(GIVEN, ReportOptions(joined=(first, last)))  # type: ignore[arg-type]
    section = report.section("since-joining")
    assert section and section.tables and "clustered by author" in section.charts[0].caption


def test_few_posts_are_said_for_all_or_for_the_communities_that_have_them() -> None:
    assert GIVEN.posts and GIVEN.replies
    few = GIVEN.posts.where(np.arange(len(GIVEN.posts)) < 20)
    (note,) = (note for note in build_report(ReportInput(few, None, FACTS)).notes if "clustered" in note)
    assert note.startswith("The posts come from only 20 posts") and note.endswith("Label more.")
    is_small = (GIVEN.replies.items["community"] == "stack/work").to_numpy()
    kept = ~is_small | (np.cumsum(is_small) <= 25)
    report = build_report(ReportInput(GIVEN.posts, GIVEN.replies.where(kept), FACTS))
    assert any(
        note.startswith("The replies of stack/work come from fewer than 30 posts") for note in report.notes
    )
    assert not any("fewer than 30" in note for note in whole_report().notes)


def test_tables_of_shares_have_the_notes_of_their_cells() -> None:
    assert GIVEN.posts
    gold = pl.when(pl.col("platform") == "reddit").then(pl.col("gold.emotions")).alias("gold.emotions")
    items = GIVEN.posts.items.with_columns(gold).drop("drawn")
    posts = labelled_corpus(items, part=Part.POST, codes={"emotions": "Sharing emotions"})
    report = build_report(ReportInput(posts, None, FACTS))
    table = next(table for table in report.tables if table.name == "shares-by-platform-corrected")
    assert any("no gold was drawn here" in note and "in stack" in note for note in table.notes)
    assert [cell.text for cell in table.rows[0].cells] == ["–"] * 5
