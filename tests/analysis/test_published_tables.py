"""From the published shares and sizes the published χ² and V come out."""

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pytest

from analysis.chi_square import chi_square
from analysis.prevalence import PrevalenceTable, prevalence
from analysis.values import Way
from codebook.schema import Part
from tests.analysis.corpus_fixtures import counted_corpus
from tests.analysis.published_tables import BY_PLATFORM, BY_TOPIC, PLATFORMS, TOPICS, PublishedRow

TABLES = [
    pytest.param(rows, sizes, part, id=f"{name}-{part}")
    for name, rows, sizes in (("platform", BY_PLATFORM, PLATFORMS), ("topic", BY_TOPIC, TOPICS))
    for part in Part
]


def whole_counts(row: PublishedRow, sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """All counts of found items whose mean and deviations are those published, to their two digits."""
    candidates = []
    for size, deviation in zip(sizes, row.deviations, strict=True):
        low, high = ((row.mean + deviation + edge) / 100 * size for edge in (-0.0101, 0.0101))
        candidates.append(range(int(np.ceil(low)), int(np.floor(high)) + 1))
    found = []
    for counts in product(*candidates):
        shares = 100 * np.array(counts) / np.array(sizes)
        apart = np.abs(shares - shares.mean() - row.deviations)
        if abs(shares.mean() - row.mean) <= 0.00501 and (apart <= 0.00501).all():
            found.append(counts)
    return found


def closest_counts(row: PublishedRow, sizes: Mapping[str, int]) -> tuple[int, ...]:
    n = np.array(list(sizes.values()))

    def distance(counts: tuple[int, ...]) -> float:
        return abs((chi_square(np.array(counts, dtype=float), n).statistic or 0) - row.chi_square)

    return min(whole_counts(row, n.tolist()), key=distance)


def reckoned(rows: Sequence[PublishedRow], sizes: Mapping[str, int], part: Part) -> PrevalenceTable:
    found = {row.code: closest_counts(row, sizes) for row in rows if row.part is part}
    return prevalence(counted_corpus(part, "group", sizes, found), by="group", way=Way.NAIVE)


@pytest.mark.parametrize(("rows", "sizes", "part"), TABLES)
def test_published_shares_give_the_published_statistics_to_every_digit(
    rows: Sequence[PublishedRow], sizes: Mapping[Part, Mapping[str, int]], part: Part
) -> None:
    table = reckoned(rows, sizes[part], part)
    published = [row for row in rows if row.part is part]
    assert len(table.rows) == len(published)
    for ours, theirs in zip(table.rows, published, strict=True):
        assert ours.pearson is not None
        assert round(ours.pearson.test.statistic or 0, 2) == theirs.chi_square
        assert round(ours.pearson.estimate.value or 0, 3) == theirs.v
        assert round(100 * (ours.mean.estimate.value or 0), 2) == pytest.approx(theirs.mean, abs=0.0051)
        deviations = [100 * (each.estimate.value or 0) for each in ours.differences]
        assert deviations == pytest.approx(theirs.deviations, abs=0.0051)


def test_posts_by_topic_leave_one_table_of_counts_and_it_is_the_published_one() -> None:
    for row in BY_TOPIC[:5]:
        assert len(whole_counts(row, list(TOPICS[Part.POST].values()))) == 1


def test_without_yates_the_published_numbers_do_not_come_out() -> None:
    """So that the correction for two groups is theirs, and not a choice of ours."""
    missed = 0
    for row in BY_PLATFORM:
        sizes = np.array(list(PLATFORMS[row.part].values()))
        plain = []
        for counts in whole_counts(row, sizes.tolist()):
            shares, overall = np.array(counts) / sizes, sum(counts) / sizes.sum()
            plain.append(float((sizes * (shares - overall) ** 2).sum() / (overall * (1 - overall))))
        missed += all(abs(each - row.chi_square) > 0.0051 for each in plain)
    assert missed == 11


def test_published_stars_follow_from_adjusted_p_values_too() -> None:
    """All but two were below 0.001; Holm's correction over the codes of a part leaves it at that."""
    for part in Part:
        table = reckoned(BY_PLATFORM, PLATFORMS[part], part)
        high = {row.code for row in table.rows if row.pearson and (row.pearson.test.p_holm or 0) >= 0.001}
        assert high == (set() if part is Part.POST else {"validation", "interest"})


def test_a_finding_says_what_it_is_in_plain_words() -> None:
    table = reckoned(BY_PLATFORM, PLATFORMS[Part.POST], Part.POST)
    emotions = table.rows[-1]
    assert emotions.differences[0].sentence == (
        "In Reddit, “emotions” is found 9.2 percentage points more often than on average over the groups"
        " (95% interval 8.6% to 9.9%; n = 10,716; p < 0.001; with 10 tests, p < 0.001 by Holm)."
    )
    assert emotions.pearson is not None
    assert emotions.pearson.sentence == (
        "“emotions” goes with the group weakly (V = 0.19)"
        " (95% interval 0.179 to 0.205; n = 21,432; p < 0.001; with 5 tests, p < 0.001 by Holm)."
    )
