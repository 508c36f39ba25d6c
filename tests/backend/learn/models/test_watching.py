"""A training can be watched: its curve, its scores and what it said, while it writes and afterwards."""

from __future__ import annotations

from pathlib import Path

from backend.learn.models.watching import POINTS_SHOWN, watch_tasks
from learning.tasks.folder import TaskFolder
from learning.tasks.progress import ProgressWriter, SaidLine, TrainingPoint

AT = "2026-03-01T12:00:00+00:00"


def folder_in(path: Path) -> TaskFolder:
    path.mkdir()
    return TaskFolder(path)


def point(step: int, loss: float, score: float | None = None) -> TrainingPoint:
    return TrainingPoint(1, step, 1000, loss, score)


def test_a_folder_that_is_not_there_yet_shows_nothing(tmp_path: Path) -> None:
    found = watch_tasks(TaskFolder(tmp_path / "nowhere"))
    assert (found.charts, found.log) == ((), ())


def test_loss_score_and_words_of_several_tasks_are_shown_in_order(tmp_path: Path) -> None:
    train, gate = folder_in(tmp_path / "train"), folder_in(tmp_path / "gate")
    for line in (SaidLine(AT, "Reading"), point(1, 0.9), point(2, 0.5), point(2, 0.5, 0.6)):
        ProgressWriter(train.progress).write(line)
    ProgressWriter(gate.progress).write(SaidLine(AT, "Comparing"))
    found = watch_tasks(train, gate)
    assert [chart.title for chart in found.charts] == ["Loss", "Score on the validation part"]
    assert [line.text for line in found.log] == ["Reading", "Comparing"]


def test_long_curves_are_thinned_and_lost_losses_left_out(tmp_path: Path) -> None:
    folder = folder_in(tmp_path / "train")
    for step in range(1000):
        ProgressWriter(folder.progress).write(point(step, float("nan") if step == 10 else 1.0))
    rows = watch_tasks(folder).charts[0].table.rows
    assert len(rows) <= POINTS_SHOWN
    assert rows[-1][0] == "999"
