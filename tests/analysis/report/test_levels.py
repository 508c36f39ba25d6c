"""Codebooks with levels and ratings: what counts as found is said, and nothing else changes."""

import numpy as np
import polars as pl
import pytest
from numpy.typing import NDArray

from analysis.labelled import labelled_corpus
from analysis.report.build import build_report
from analysis.report.codes import codes_of
from analysis.report.facts import CodebookFacts, CodeFacts, ReportFacts
from analysis.report.material import ReportInput
from analysis.values import Way
from benchmarks.report import invented_input
from codebook.schema import Part
from codebook.shipped import load_shipped, shipped_codebooks

N = 400


def given(code: CodeFacts, labels: NDArray[np.int64]) -> ReportInput:
    """Half of the replies in each of two communities, each to a post of its own."""
    ids = [str(at) for at in range(N)]
    items = pl.DataFrame(
        {
            "item_id": ids,
            "post": ids,
            "community": ["a"] * (N // 2) + ["b"] * (N // 2),
            f"model.{code.id}": labels,
        }
    )
    corpus = labelled_corpus(items, part=Part.REPLY, codes={code.id: code.name})
    codebook = CodebookFacts(title="Levels", codes=(code,) if code.levels else ())
    return ReportInput(None, corpus, ReportFacts(study="Levels", codebook=codebook))


def shares(report_input: ReportInput) -> list[str]:
    table = next(table for table in build_report(report_input).tables if table.name == "shares")
    return [row.cells[0].text for row in table.rows]


def test_levels_that_the_codebook_calls_present_count_as_found() -> None:
    code = codes_of(load_shipped("epitome"))[0]
    labels = np.repeat([0, 1, 2, 0], N // 4)
    report_input = given(code, labels)
    assert shares(report_input) == ["50.00"]
    (note, *_) = build_report(report_input).notes
    assert "0 = " in note and "; found is “" in note and "use the levels as numbers" in note
    assert (
        note in build_report(report_input).methods[1].text
        or note in build_report(report_input).methods[2].text
    )


def test_a_rating_has_no_shares_and_a_report_all_the_same() -> None:
    code = next(code for code in codes_of(load_shipped("construct-ratings")) if code.is_rating)
    labels = 1 + np.arange(N) % 5
    report = build_report(given(code, labels))
    assert any("of which no point says that something is there" in note for note in report.notes)
    overall = report.section("overall")
    assert overall and not overall.tables and "No code can be counted as found or not" in overall.missing[0]


def test_levels_nobody_described_count_from_one_up() -> None:
    code = CodeFacts(id="depth", name="Depth", part=Part.REPLY)
    report_input = given(code, np.repeat([0, 3, 2, 1], N // 4))
    assert shares(report_input) == ["75.00"]
    assert any("all above 0 counts as found" in note for note in build_report(report_input).notes)


@pytest.mark.slow
@pytest.mark.parametrize("name", shipped_codebooks())
def test_every_shipped_codebook_makes_a_report(name: str) -> None:
    made = invented_input(n_posts=400, n_replies=1_200, n_gold=300, seed=4, codebook=name)
    report = build_report(made)
    assert report.ways == tuple(Way)
    assert report.charts
    for code in made.facts.codebook.codes:
        about = [found.code for table in report.tables for found in table.findings]
        assert code.id in about
