"""Runs side by side."""

import csv
from io import StringIO

import pytest

from codebook.schema import Part
from learning.probe.values import Rate
from learning.scoring.leaderboard import Leaderboard, Run, RunName, RunsDiffer, leaderboard
from learning.scoring.leaderboard_tables import csv_board, latex_board
from learning.scoring.values import Metric
from tests.learning.scoring.gold_fixtures import (
    EPITOME,
    PRACTICES,
    first_code,
    gold_row,
    measured,
    predicted,
    random_study,
)


def board() -> Leaderboard:
    rows, good = random_study(PRACTICES, n=40, seed=1, skill=0.9)
    _, bad = random_study(PRACTICES, n=40, seed=2, skill=0.0)
    runs = [
        Run(RunName("MiniLM", "reply", True), measured(rows, good, PRACTICES)),
        Run(RunName("MiniLM", "post + reply", False), measured(rows, good, PRACTICES)),
        Run(RunName("=majority_", "reply", False), measured(rows, bad, PRACTICES)),
    ]
    return leaderboard(runs, PRACTICES)


def test_every_code_and_mean_has_a_cell_for_each_run_and_the_best_are_marked() -> None:
    found = board()
    assert [row.code_id for row in found.rows if row.code_id] == [
        code.id for _, code in PRACTICES.coded_questions()
    ]
    assert [row.part for row in found.rows if row.code_id is None] == [Part.POST, Part.REPLY, None]
    assert {row.metric for row in found.rows} == {Metric.MACRO_F1}
    for row in found.rows:
        values = [cell.score.value for cell in row.cells if cell.score and cell.score.value is not None]
        best = [cell.score.value for cell in row.cells if cell.is_best and cell.score]
        assert len(values) == 3
        assert best and set(best) == {max(values)}
    assert [cell.is_best for cell in found.rows[-1].cells] == [True, True, False]


def test_the_csv_has_all_numbers_and_runs_no_formula() -> None:
    found = board()
    rows = list(csv.DictReader(StringIO(csv_board(found))))
    assert len(rows) == 3 * len(found.rows)
    assert rows[-1]["learner"] == "'=majority_" and rows[-1]["with_evidence"] == "false"
    score = found.rows[0].cells[0].score
    assert score is not None
    assert float(rows[0]["value"]) == score.value
    assert rows[0]["is_best"] == "true"


def test_the_latex_table_has_spanned_heads_and_bold_bests() -> None:
    lines = latex_board(board()).splitlines()
    assert r" & \multicolumn{2}{c}{MiniLM} & \multicolumn{1}{c}{=majority\_} \\" in lines
    assert (
        r" & \multicolumn{1}{c}{reply} & \multicolumn{1}{c}{post + reply} & \multicolumn{1}{c}{reply} \\"
        in lines
    )
    assert r" & +evidence & class & class \\" in lines
    means = [line for line in lines if line.startswith(r"\emph{Mean}")]
    assert len(means) == 3
    assert all(line.count(r"\textbf") == 2 and line.count(" & ") == 3 for line in means)
    assert lines[-1] == r"\end{table*}"


def test_a_run_that_was_probed_has_its_sensitivities_beside_its_scores() -> None:
    rows, predictions = random_study(EPITOME, n=40, seed=1, skill=0.9)
    evaluation, code = measured(rows, predictions, EPITOME), first_code(EPITOME)
    plain = Run(RunName("a", "reply", False), evaluation)
    probed = Run(RunName("b", "pair", False), evaluation, {code: Rate(0.25, 0.1, 0.4, 12, 9)})
    found = leaderboard([plain, probed], EPITOME)
    assert found.is_probed == (False, True)
    told = [row for row in csv.DictReader(StringIO(csv_board(found))) if row["sensitivity"]]
    assert [(row["learner"], row["code"], row["sensitivity_low"]) for row in told] == [("b", code, "0.1")]
    lines = latex_board(found).splitlines()
    assert r" & class & class & sensitivity \\" in lines
    assert r" & \multicolumn{1}{c}{a} & \multicolumn{2}{c}{b} \\" in lines
    assert [line.count(" & ") for line in lines if line.endswith(r" & 25 \\")] == [3]
    assert "takes back" in latex_board(found) and "takes back" not in latex_board(
        leaderboard([plain], EPITOME)
    )


def test_undefined_scores_are_dashes_and_never_best() -> None:
    one = first_code(EPITOME)
    rows = [gold_row(str(at), {one: at}, EPITOME) for at in (0, 1)]
    predictions = [predicted(str(at), {one: at}, EPITOME) for at in (0, 1)]
    run = Run(RunName("a", "reply", False), measured(rows, predictions, EPITOME))
    found = leaderboard([run], EPITOME)
    assert [row.cells[0].is_best for row in found.rows] == [True, False, False, True]
    assert latex_board(found).count("--") == 2


def test_runs_that_cannot_stand_side_by_side_are_refused() -> None:
    one, other = (measured(*random_study(EPITOME, n=10, seed=seed), EPITOME) for seed in (1, 2))
    name = RunName("a", "reply", False)
    with pytest.raises(RunsDiffer, match="different gold"):
        leaderboard([Run(name, one), Run(RunName("b", "reply", False), other)], EPITOME)
    with pytest.raises(RunsDiffer, match="“a” is there twice"):
        leaderboard([Run(name, one), Run(name, one)], EPITOME)
    with pytest.raises(RunsDiffer, match="no runs"):
        leaderboard([], EPITOME)
