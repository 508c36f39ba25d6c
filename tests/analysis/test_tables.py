"""Tables for papers and spreadsheets."""

import csv
from io import StringIO

import polars as pl
import pytest

from analysis.co_occurrence import co_occurrence
from analysis.differences import differences
from analysis.labelled import labelled_corpus
from analysis.outcomes import Outcome
from analysis.prevalence import prevalence
from analysis.regressions import regressions
from analysis.tables import (
    csv_findings,
    latex_correlations,
    latex_differences,
    latex_findings,
    latex_prevalence,
)
from analysis.values import MODEL_WAYS, Way
from codebook.schema import Part
from tests.analysis.corpus_fixtures import counted_corpus
from tests.analysis.simulated_corpus import POST_CODES, simulated

TABLE = prevalence(
    counted_corpus(Part.POST, "platform", {"R&D": 200, "Q": 100}, {"=worry": (60, 10), "always": (200, 100)}),
    by="platform",
    way=Way.NAIVE,
)
SIMULATED = simulated(n_posts=1_500, n_gold=400, seed=3)


def test_the_csv_has_every_number_and_runs_no_formula() -> None:
    rows = list(csv.DictReader(StringIO(csv_findings(TABLE.findings, {"=worry": "=Worry"}))))
    assert len(rows) == len(TABLE.findings) == 14
    pearson = next(row for row in rows if row["test"] == "Pearson χ²")
    assert pearson["code"] == "'=worry" and pearson["name"] == "'=Worry"
    found = TABLE.rows[0].pearson
    assert found is not None
    assert float(pearson["statistic"]) == found.test.statistic
    assert float(pearson["p_holm"]) == found.test.p_holm
    assert pearson["sentence"] == found.sentence
    assert pearson["n"] == "300" and pearson["n_gold"] == ""


def test_what_does_not_vary_has_no_test_and_says_nothing_false() -> None:
    always = TABLE.rows[1]
    assert always.pearson is not None
    assert always.pearson.test.p is None and always.wald.test.p is None
    assert always.mean.estimate.value == 1.0
    assert always.pearson.sentence.startswith("“always” goes with the group to an extent that is not defined")


def test_shares_in_latex_are_those_of_a_paper() -> None:
    text = latex_prevalence(TABLE)
    assert r"Code & Mean (\%) & Q & R\&D & Cramér's $V$ & $\chi^2$ \\" in text
    assert r"=worry & 20.00 & $-$10.00*** & 10.00*** & 0.215 & 13.81*** \\" in text
    assert r"always & 100.00 & 0.00 & 0.00 & -- & -- \\" in text
    assert text.count("&") % 5 == 1  # five a line, and one in “R&D”
    assert "as they are" in text


def test_corrected_shares_in_latex_have_wald_and_say_that_they_are_corrected() -> None:
    text = latex_prevalence(prevalence(SIMULATED.replies, by="platform", way=Way.CORRECTED))
    assert "& $W$ " in text and "corrected with gold" in text


@pytest.mark.parametrize("way", MODEL_WAYS)
def test_differences_in_latex_have_a_pair_of_columns_for_each_community(way: Way) -> None:
    table = differences(SIMULATED.replies, outcome=Outcome.ANSWERED, way=way, by="platform")
    lines = latex_differences(table).splitlines()
    assert r" & \multicolumn{2}{c}{reddit} & \multicolumn{2}{c}{stack} \\" in lines
    row = next(line for line in lines if line.startswith("Personal concern"))
    found = (table.rows[1].welch or table.rows[1].clustered).estimate.value
    assert found is not None and f"{100 * found:.2f}" in row


def test_correlations_in_latex_have_each_pair_on_both_sides() -> None:
    (first, *_) = co_occurrence(SIMULATED.posts, way=Way.NAIVE, by="platform")
    lines = latex_correlations(first, POST_CODES).splitlines()
    emotions = next(line for line in lines if line.startswith("Sharing emotions &"))
    advice = next(line for line in lines if line.startswith("Asking for advice &"))
    assert emotions.split(" & ")[1] == "1" and advice.split(" & ")[2].startswith("1")
    assert emotions.split(" & ")[2].removesuffix(r" \\") == advice.split(" & ")[1]


def test_any_findings_can_be_printed() -> None:
    found = regressions(SIMULATED.posts, outcome=Outcome.N_REPLIES, way=Way.NAIVE)
    text = latex_findings(found, POST_CODES, caption="Replies, other things equal.")
    assert text.count(r"Sharing emotions &") == 1 and "Replies, other things equal." in text


def test_a_group_without_gold_has_no_corrected_estimate_and_says_why() -> None:
    items = SIMULATED.replies.items
    for code in SIMULATED.replies.codes:
        items = items.with_columns(
            pl.when(pl.col("platform") == "stack")
            .then(None)
            .otherwise(pl.col(f"gold.{code}"))
            .alias(f"gold.{code}")
        )
    items = items.with_columns(pl.col("drawn") & (pl.col("platform") != "stack"))
    half = labelled_corpus(items, part=Part.REPLY, codes=SIMULATED.replies.codes)
    row = prevalence(half, by="platform", way=Way.CORRECTED).rows[0]
    assert row.shares[0].estimate.value is not None
    for found in (row.mean, row.shares[1], *row.differences, row.wald):
        assert found.estimate.value is None and found.note.startswith("Undefined: no gold")
        assert "is not known (n = " in found.sentence and "%" not in found.sentence
    table = differences(half, outcome=Outcome.ANSWERED, way=Way.CORRECTED, by="platform")
    assert [each.clustered.estimate.value is None for each in table.rows] == [False, False, True, True]
    _, stack = co_occurrence(half, way=Way.CORRECTED, by="platform")
    assert stack.findings[0].estimate.value is None
