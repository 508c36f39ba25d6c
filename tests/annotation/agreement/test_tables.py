"""Tables for papers and spreadsheets hold the report's numbers and nothing that runs."""

import csv
from dataclasses import replace
from io import StringIO

import pytest

from annotation.agreement.batch import measure_batch
from annotation.agreement.reports import BatchAgreement
from annotation.agreement.tables import csv_table, latex_table
from codebook.schema import Part
from tests.annotation.agreement.batch_cases import SENTENCES, TICK, batch, said

NAMES = {"comfort": "=Comfort & 100% care", "never": "Never"}


@pytest.fixture
def report() -> BatchAgreement:
    never = replace(TICK, code_id="never", part=Part.POST)
    answers = [
        said(str(at), rater, {"comfort": value, "never": 0, "cause": 0})
        for at, row in enumerate([(1, 1), (1, 0), (0, 0), (1, 1)])
        for rater, value in zip(("Ada", "Ben"), row, strict=True)
    ]
    return measure_batch(batch([TICK, never, SENTENCES], answers), resamples=50, seed=1)


def test_csv_has_a_row_for_each_code_and_measure_and_for_the_means(report: BatchAgreement) -> None:
    rows = list(csv.DictReader(StringIO(csv_table(report, NAMES))))
    by_name = {(row["code"], row["measure"]): row for row in rows if row["code"] and not row["rater"]}
    kappa = by_name["comfort", "cohen_kappa_mean"]
    assert float(kappa["value"]) == 0.5
    assert kappa["name"] == "'=Comfort & 100% care"
    assert by_name["never", "fleiss_kappa"]["value"] == ""
    assert by_name["never", "fleiss_kappa"]["note"].startswith("Undefined")
    assert {"token_f1", "token_together"} <= {measure for code, measure in by_name if code == "comfort"}
    assert ("cause", "per_sentence_krippendorff_alpha") in by_name
    assert ("cause", "sentence_f1") in by_name
    assert {row["part"] for row in rows if not row["code"]} == {"post", "reply", "all"}


def test_latex_escapes_names_and_shows_what_is_undefined(report: BatchAgreement) -> None:
    written = latex_table(report, NAMES)
    assert r"=Comfort \& 100\% care & 0.47 [" in written
    assert r"Never & -- & -- & -- & 1.00 & 0.0\% & 4 \\" in written
    assert written.count(r"\emph{Mean}") == 2
    assert r"\emph{Mean over all codes}" in written
    for row in (line for line in written.splitlines() if line.endswith(r"\\") and "multicolumn" not in line):
        assert row.replace(r"\&", "").count("&") == 6


def test_a_name_in_brackets_is_no_length_to_latex(report: BatchAgreement) -> None:
    assert "\n{[}old] Comfort & " in latex_table(report, {"comfort": "[old] Comfort"})


def test_csv_has_the_pairs_and_the_flags_too(report: BatchAgreement) -> None:
    rows = list(csv.DictReader(StringIO(csv_table(report, NAMES))))
    (pair,) = report.codes[0].ratings.pairs
    found = {
        (row["code"], row["measure"]): row for row in rows if (row["rater"], row["other"]) == ("Ada", "Ben")
    }
    assert float(found["comfort", "cohen_kappa"]["value"]) == pair.kappa.value
    assert {"token_f1", "token_together", "raw_agreement"} <= {
        name for code, name in found if code == "comfort"
    }
    assert ("cause", "per_sentence_cohen_kappa") in found
    assert float(found["", "cohen_kappa"]["value"]) == report.pairs[0].kappa.value
    flags = {(row["rater"], row["measure"]): row for row in rows if row["measure"].startswith("flags_")}
    assert len(flags) == 6
    assert float(flags["Ada", "flags_unflagged"]["value"]) == report.flags[0].unflagged.value
