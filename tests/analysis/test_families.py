"""Which tests are corrected for together, and that captions, sentences and methods say just that."""

from functools import partial

import numpy as np
import polars as pl
import pytest

from analysis.co_occurrence import across_parts, co_occurrence, pair_replies_with_posts
from analysis.labelled import LabelledCorpus, labelled_corpus
from analysis.report.build import build_report
from analysis.report.content import Report, ReportOptions, ReportTable
from analysis.values import MODEL_WAYS, Finding, Way
from codebook.schema import Part
from tests.analysis.report.report_fixtures import built_report, given_report
from tests.analysis.simulated_corpus import POST_CODES, REPLY_CODES, simulated

whole_report = partial(built_report, n_posts=1_200, n_gold=800)
SIMULATED = simulated(n_posts=2_000, n_gold=1_800, seed=5)


def noise(seed: int, n: int = 1_500, n_communities: int = 30) -> LabelledCorpus:
    rng = np.random.default_rng(seed)
    ids = [str(at) for at in range(n)]
    labels = {f"model.k{code}": (rng.random(n) < 0.4).astype(np.uint8) for code in range(5)}
    items = pl.DataFrame(
        {"item_id": ids, "post": ids, "community": [f"c{at % n_communities}" for at in range(n)]} | labels
    )
    return labelled_corpus(items, part=Part.POST, codes={f"k{code}": f"k{code}" for code in range(5)})


def test_correlations_of_nothing_seldom_stand_in_any_of_thirty_communities() -> None:
    """Adjusted community by community, one stood in more than half of such tables."""
    wrong = 0
    for seed in range(20):
        findings = [
            found for matrix in co_occurrence(noise(seed), way=Way.NAIVE) for found in matrix.findings
        ]
        assert {found.test.n_tests for found in findings if found.test.p is not None} == {300}
        wrong += any(found.test.p_holm is not None and found.test.p_holm < 0.05 for found in findings)
    assert wrong <= 4


@pytest.mark.parametrize("way", MODEL_WAYS)
def test_correlations_are_adjusted_over_all_pairs_and_communities(way: Way) -> None:
    inside = co_occurrence(SIMULATED.replies, way=way)
    across = across_parts(
        pair_replies_with_posts(SIMULATED.posts, SIMULATED.replies),
        list(POST_CODES),
        list(REPLY_CODES),
        way=way,
    )
    for matrices in (inside, across):
        findings = [found for matrix in matrices for found in matrix.findings]
        tested = [found.test for found in findings if found.test.p is not None]
        assert {test.n_tests for test in tested} == {len(tested)}
        least = min(tested, key=lambda test: test.p or 0)
        assert least.p_holm == pytest.approx(min(1, (least.p or 0) * len(tested)))


def test_sentences_count_what_was_adjusted_together() -> None:
    section = whole_report().section("together-replies")
    assert section and "after Holm's correction over all pairs and communities" in section.sentences[0]
    table = next(table for table in section.tables if table.way is Way.CORRECTED)
    tested = [found for found in table.findings if found.test.p is not None]
    assert f"of {len(tested)} correlations" in section.sentences[0]
    assert {found.test.n_tests for found in tested} == {len(tested)}


def test_captions_name_the_tests_that_were_adjusted_together() -> None:
    for name, family in (
        ("together-posts-naive", "over all pairs and communities."),
        ("post-to-reply-corrected", "over all pairs and communities."),
        (
            "shares-by-platform-naive",
            "over all codes and platforms, posts and replies apart (of χ²: over the codes).",
        ),
        ("differences-answered-naive", "over all codes and communities."),
        ("over-time-posts", "over the codes, each way apart."),
    ):
        assert table_of(whole_report(), name).caption.endswith(f"after Holm's correction {family}")
    caption = table_of(whole_report(), "regressions-answered-naive").caption
    assert (
        "over the codes for all communities together, of odds ratios apart, and over all codes and" in caption
    )


def test_regressions_are_adjusted_as_their_caption_says() -> None:
    findings = table_of(whole_report(), "regressions-answered-naive").findings
    n_codes, n_communities = len(REPLY_CODES), 6
    for found in findings:
        assert found.test.n_tests == (n_codes * n_communities if found.where else n_codes)


def test_methods_say_which_tests_were_adjusted_together_and_no_others() -> None:
    assert "correlations over all pairs and communities" in methods(whole_report())
    assert "naive estimates, those from gold alone and corrected ones apart" in methods(whole_report())
    some = ReportOptions(sections=("over-time",), with_corrected=False)
    only = methods(build_report(given_report(n_posts=300, n_gold=100), some))
    assert "trends over the codes" in only and "correlations" not in only and "corrected" not in only


def table_of(report: Report, name: str) -> ReportTable:
    return next(table for table in report.tables if table.name == name)


def methods(report: Report) -> str:
    text = next(each.text for each in report.methods if "adjusted by Holm" in each.text)
    return text[text.index("p-values were adjusted") :]


def test_no_two_findings_of_one_kind_have_other_families() -> None:
    """Of each measure and test of a part, way by way."""
    kinds: dict[tuple[str, ...], set[int]] = {}
    for table in whole_report().tables:
        for found in table.findings:
            if found.test.p is not None:
                kinds.setdefault((table.name, *kind(found)), set()).add(found.test.n_tests)
    assert all(len(sizes) == 1 for sizes in kinds.values())


def kind(found: Finding) -> tuple[str, ...]:
    of_part = "posts" if found.code in POST_CODES else "replies"
    return found.measure.value, found.test.name, found.way.value, of_part, str(bool(found.where))
