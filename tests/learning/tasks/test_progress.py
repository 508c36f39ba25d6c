"""Progress that is only added to, and read on from where one was."""

from __future__ import annotations

from pathlib import Path

from learning.tasks.progress import (
    ProgressLine,
    ProgressWriter,
    SaidLine,
    TrainingPoint,
    loss_curve,
    read_progress,
)


def test_lines_are_read_on_from_an_offset(tmp_path: Path) -> None:
    path = tmp_path / "progress.jsonl"
    assert read_progress(path).lines == ()
    first: ProgressLine = SaidLine("t", "Reading")
    second: ProgressLine = TrainingPoint(1, 10, 100, 0.5)
    ProgressWriter(path).write(first)
    found = read_progress(path)
    assert found.lines == (first,)
    ProgressWriter(path).write(second)
    assert read_progress(path, found.offset).lines == (second,)


def test_a_line_that_a_kill_left_unfinished_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "progress.jsonl"
    ProgressWriter(path).write(SaidLine("t", "Reading"))
    with path.open("ab") as handle:
        handle.write(b'{"type": "said", "at"')
    found = read_progress(path)
    assert [line.text for line in found.lines if isinstance(line, SaidLine)] == ["Reading"]
    with path.open("ab") as handle:
        handle.write(b"\n")
    ProgressWriter(path).write(SaidLine("t", "Going on"))
    later = read_progress(path, found.offset)
    assert [line.text for line in later.lines if isinstance(line, SaidLine)] == ["Going on"]


def test_points_that_were_given_again_after_a_stop_count_once() -> None:
    points = [
        TrainingPoint(1, 10, 40, 0.9),
        TrainingPoint(1, 20, 40, 0.8),
        TrainingPoint(1, 20, 40, 0.8, 0.5),
        TrainingPoint(1, 20, 40, 0.8),
        TrainingPoint(2, 30, 40, 0.7),
    ]
    lines: list[ProgressLine] = [SaidLine("t", "…"), *points]
    assert [(point.step, point.dev_score) for point in loss_curve(lines)] == [
        (10, None),
        (20, 0.5),
        (20, None),
        (30, None),
    ]
