"""The agreement command serves people who have only a table of ratings."""

from __future__ import annotations

import csv
import json
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.agreement import alpha_check
from annotation.agreement.registry import statistic_names
from annotation.agreement.values import MeasurementLevel
from backend.annotate.batches.models import Batch
from backend.design.codebooks.selectors import codebook_of
from tests.annotation.agreement.published_tables import GWET
from tests.backend.decide.agreement.conftest import Measuring

MEASURES = list(statistic_names())


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "ratings.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["item", "Ada", "Ben", "Cleo", "Dora"])
        rows.writerows([at, *row] for at, row in enumerate(GWET, start=1))
    return path


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command("agreement", *arguments, stdout=out)
    return out.getvalue()


def test_json_has_every_measure_with_its_interval_and_note(table: Path) -> None:
    found = json.loads(printed(str(table), "--format", "json"))
    for name in MEASURES:
        assert set(found[name]) == {"value", "low", "high", "n_items", "n_raters", "note"}
        assert found[name]["low"] < found[name]["value"] < found[name]["high"]
        assert (found[name]["n_items"], found[name]["n_raters"]) == (11, 4)
        assert "1 of 12 items has fewer than two ratings and is left out" in found[name]["note"]
    assert found["gwet_ac1"]["value"] == pytest.approx(0.77544, abs=5e-6)
    assert found["level"] == "nominal"
    assert [pair["raters"] for pair in found["pairs"]][:2] == [["Ada", "Ben"], ["Ada", "Cleo"]]
    assert [(each["label"], each["n"]) for each in found["prevalence"]][:2] == [("1", 9), ("2", 13)]


@pytest.mark.parametrize(("level", "alpha"), [("ordinal", 0.815), ("interval", 0.849)])
def test_the_level_is_alphas(table: Path, level: str, alpha: float) -> None:
    found = json.loads(printed(str(table), "--format", "json", "--level", level))
    assert found["krippendorff_alpha"]["value"] == pytest.approx(alpha, abs=5e-4)


def test_the_same_seed_prints_the_same(table: Path) -> None:
    once, again, other = (printed(str(table), "--seed", seed) for seed in ("1", "1", "2"))
    assert once == again != other


def test_undefined_is_null_with_a_reason(tmp_path: Path) -> None:
    path = tmp_path / "same.csv"
    path.write_text("Ada,Ben\nyes,yes\nyes,yes\n")
    found = json.loads(printed(str(path), "--format", "json"))
    assert found["fleiss_kappa"]["value"] is None
    assert found["fleiss_kappa"]["note"].startswith("Undefined: all ratings")
    assert "undefined" in printed(str(path))


def test_text_csv_and_latex(table: Path) -> None:
    text = printed(str(table))
    assert "Fleiss' kappa" in text and "substantial" in text and "Notes" in text
    rows = list(csv.DictReader(StringIO(printed(str(table), "--format", "csv"))))
    assert [row["measure"] for row in rows[: len(MEASURES)]] == MEASURES
    assert sum(row["measure"] == "cohen_kappa" for row in rows) == 6
    assert r"Gwet's AC1 & 0.78 & [" in printed(str(table), "--format", "latex")


def test_standard_input_and_clusters(monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"id;post;Ada;Ben\n1;p;1;1\n2;p;0;1\n3;q;0;0\n4;r;1;1\n"
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(content)))
    found = json.loads(printed("-", "--format", "json", "--cluster", "post"))
    assert found["raw_agreement"]["value"] == 0.75
    assert found["raw_agreement"]["n_raters"] == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("missing.csv",), "missing.csv cannot be read: No such file"),
        (("{table}", "--cluster", "post"), "There is no column"),
        (("{table}", "--resamples", "-1"), "cannot be negative"),
    ],
)
def test_errors_say_what_to_do(table: Path, arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        printed(*(argument.format(table=table) for argument in arguments))


@pytest.mark.parametrize("content", ["id,Ada\n1,yes\n2,no\n", "id,Ada,Ben\n"])
def test_too_little_to_compare_is_null_with_a_reason(tmp_path: Path, content: str) -> None:
    path = tmp_path / "short.csv"
    path.write_text(content)
    found = json.loads(printed(str(path), "--format", "json"))
    for name in MEASURES:
        assert (found[name]["value"], found[name]["low"]) == (None, None)
        assert found[name]["note"].startswith("Undefined: fewer than two raters")
    for form in ("text", "csv", "latex"):
        assert printed(str(path), "--format", form)


def test_gaps_in_words_and_perfect_agreement_are_noted(tmp_path: Path) -> None:
    path = tmp_path / "perfect.csv"
    path.write_text("Ada,Ben\n1,1\n0,0\nNA,1\n1,1\n")
    found = json.loads(printed(str(path), "--format", "json"))
    assert found["notes"] == ["1 cell says NA, N/A or NaN: read as gaps."]
    assert "No two ratings differ; by the exact bound" in found["fleiss_kappa"]["note"]
    assert found["notes"][0] in printed(str(path))


def test_it_lists_the_statistics_without_a_table() -> None:
    found = printed("--statistics")
    assert all(f"(`{name}`)" in found for name in MEASURES)
    with pytest.raises(CommandError, match="Give a table of ratings"):
        printed()


@pytest.mark.parametrize("level", MeasurementLevel)
def test_alpha_can_be_checked(table: Path, level: MeasurementLevel) -> None:
    said = printed(str(table), "--check", "--level", level.value)
    assert said == "checked against krippendorff 0.9.0: equal to 1e-12\n"


def test_an_alpha_that_differs_is_an_error(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alpha_check, "theirs", lambda ratings, level: 0.5)
    with pytest.raises(CommandError, match=r"alpha differs from krippendorff .*: .*ratings\.csv"):
        printed(str(table), "--check")


def test_all_measured_batches_can_be_checked(
    overlap: Batch, measured: Measuring, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(CommandError, match="No batch was measured yet"):
        printed("--check")
    measured(overlap)
    assert printed("--check") == (
        "kind-words, “Overlap 1”: checked against krippendorff 0.9.0: equal to 1e-12\n"
    )
    monkeypatch.setattr(alpha_check, "theirs", lambda ratings, level: 2.0)
    codes = [code.id for _, code in codebook_of(overlap.edition).coded_questions()]
    with pytest.raises(CommandError, match=codes[0]):
        printed("--check")


@pytest.mark.parametrize(("n_found", "is_warned"), [(2, True), (30, False)])
def test_a_kappa_on_a_rare_answer_is_not_given_without_a_warning(
    tmp_path: Path, n_found: int, is_warned: bool
) -> None:
    path = tmp_path / "rare.csv"
    rows = [f"{int(at < n_found)},{int(at < n_found and at != 1)}" for at in range(100)]
    path.write_text("\n".join(["Ada,Ben", *rows]))
    said = "a kappa or alpha from so few is to be read by its interval"
    assert (said in printed(str(path))) is is_warned
    found = json.loads(printed(str(path), "--format", "json"))
    assert any(said in note for note in found["notes"]) is is_warned
    assert found["fleiss_kappa"]["low"] is not None


def test_numbers_and_unanimous_answers_have_no_such_warning(tmp_path: Path, table: Path) -> None:
    path = tmp_path / "same.csv"
    path.write_text("Ada,Ben\n" + "no,no\n" * 20)
    for arguments in ([str(path)], [str(table), "--level", "interval"]):
        assert "true value" not in printed(*arguments)
