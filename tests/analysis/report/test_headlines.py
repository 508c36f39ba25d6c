"""What stands at the top of a report: how the model entered service, and no finding that cannot be supported."""

import re
from dataclasses import replace

import msgspec
import polars as pl
import pytest

from analysis.report.build import build_report
from analysis.report.content import Report, ReportOptions
from analysis.report.facts import ReportFacts
from analysis.report.files import markdown_methods
from tests.analysis.report.report_fixtures import BARE_FACTS, FACTS, given_report

SOME = ReportOptions(sections=("overall", "platforms", "replies", "answered"))
CODES = ("emotions", "advice", "resonance", "concern")
WHY = "it was measured on 2 items with it, and 5 are needed"


def report(facts: ReportFacts = FACTS, *, n_gold: int = 900) -> Report:
    return build_report(given_report(n_posts=1_200, n_gold=n_gold, facts=facts), SOME)


def with_model(**changed: object) -> ReportFacts:
    assert FACTS.model
    return msgspec.structs.replace(FACTS, model=msgspec.structs.replace(FACTS.model, **changed))


def numbers(made: Report) -> list[str]:
    return [sentence for sentence in made.summary if "; n = " in sentence]


def test_with_enough_gold_and_a_model_that_was_measured_findings_stand_at_the_top() -> None:
    assert numbers(report()) and all("corrected with" in sentence for sentence in numbers(report()))


def test_little_gold_makes_no_headline_and_the_minimum_is_stated() -> None:
    made = report(n_gold=20)
    assert not numbers(made)
    (said,) = (sentence for sentence in made.summary if sentence.startswith("No finding stands at the top"))
    assert "as much as 50 labels drawn evenly" in said and "at least 5 test items with the code" in said
    assert any("too little to correct by" in sentence for sentence in made.summary)


def test_gold_that_is_too_little_for_one_part_takes_nothing_from_the_other() -> None:
    given = given_report(n_posts=1_200, n_gold=900)
    drawn = pl.col("drawn") & (pl.col("drawn").cum_sum() <= 20)
    assert given.replies
    items = given.replies.items
    gold = [pl.when(drawn).then(name).alias(name) for name in items.columns if name.startswith("gold.")]
    few = replace(given.replies, items=items.with_columns(*gold, drawn))
    made = build_report(replace(given, replies=few), SOME)
    (said,) = (sentence for sentence in made.summary if sentence.startswith("Estimates are naive"))
    assert re.search(
        r"corrected with gold on [\d,]+ posts.*; where they differ, believe the corrected ones\. Gold on 20 replies",
        said,
    )
    assert said.endswith(
        "is too little to correct by: label more before you believe either estimate of them."
    )
    assert numbers(made), "the posts' finding still stands at the top"


def test_a_code_that_the_model_is_not_shown_to_find_is_in_no_sentence_about_differences() -> None:
    made = report(with_model(unproven=dict.fromkeys(CODES, WHY)))
    assert not numbers(made)
    section = made.section("platforms")
    assert section and section.tables
    assert not any("; n = " in sentence for sentence in section.sentences)
    assert f"“Sharing emotions” ({WHY})" in section.sentences[-1]
    one = report(with_model(unproven={"emotions": WHY}))
    assert numbers(one) and not any("Sharing emotions" in sentence for sentence in numbers(one))


def test_where_the_model_is_not_known_nothing_is_put_first() -> None:
    assert not numbers(report(BARE_FACTS))


def test_naive_findings_are_no_headlines() -> None:
    naive = msgspec.structs.replace(SOME, with_corrected=False)
    made = build_report(given_report(n_posts=1_200, n_gold=900), naive)
    assert not numbers(made) and any("; n = " in each for each in made.sections[1].sentences)


@pytest.mark.parametrize("sections", [("overall",), ("topics",), ()])
def test_how_the_model_entered_service_comes_first_and_stands_in_the_methods(
    sections: tuple[str, ...],
) -> None:
    said = "The model did not pass the promotion rule. It was used all the same: “For the demo”."
    given = given_report(n_posts=300, n_gold=100, facts=with_model(promotion=said, has_passed=False))
    made = build_report(given, ReportOptions(sections=sections))
    assert made.summary[0] == said and said in markdown_methods(made)
