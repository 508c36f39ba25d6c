"""Nothing that one task tests on is learned in another."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.release.rows import SplitPart
from corpus.errors import InputError
from learning.transfer.reading import prepare_study
from learning.transfer.splitting import Task
from learning.transfer.tasks import TaskUnusable
from tests.learning.transfer.studies import table_task, write_study, write_table

EVERYTHING = {"limits": {"train": 0, "validation": 0, "test": 0}}


def tasks_of(folder: Path, *tasks: dict[str, object], **more: object) -> tuple[Task, ...]:
    return prepare_study(write_study(folder / "study.yaml", *tasks, **{**EVERYTHING, **more})).tasks


def texts(task: Task, part: SplitPart) -> set[str]:
    return {item.text for item in task.part(part)}


def groups(task: Task, part: SplitPart) -> set[str]:
    return {item.group for item in task.part(part)}


def test_tables_with_the_same_texts_are_split_alike(tmp_path: Path) -> None:
    one, other = write_table(tmp_path / "one.csv"), write_table(tmp_path / "other.csv", n=40)
    first, second = tasks_of(tmp_path, table_task("mood", one), table_task("place", other, "place"))
    for learned in (SplitPart.TRAIN, SplitPart.VALIDATION):
        assert not texts(first, learned) & texts(second, SplitPart.TEST)
        assert not texts(second, learned) & texts(first, SplitPart.TEST)
    assert len(first.all_items) == 60 and len(second.all_items) == 40
    assert texts(second, SplitPart.TEST) <= texts(first, SplitPart.TEST)


def test_a_group_is_in_one_part_and_a_seed_gives_the_same_split(tmp_path: Path) -> None:
    path = write_table(tmp_path / "one.csv")
    tasks = (table_task("mood", path), table_task("level", path, "level"))
    first, second = tasks_of(tmp_path, *tasks)
    for task in (first, second):
        by_part = [groups(task, part) for part in SplitPart]
        assert sum(map(len, by_part)) == len(set.union(*by_part)) == 30
    assert tasks_of(tmp_path, *tasks) == (first, second)
    assert tasks_of(tmp_path, *tasks, first_seed=2) != (first, second)
    assert first.classes == ("calm", "eager", "merry") and second.classes == ()


def test_a_test_file_is_tested_on_and_nothing_else_is(tmp_path: Path) -> None:
    path, held = write_table(tmp_path / "one.csv", n=60), write_table(tmp_path / "held.csv", n=30, first=50)
    own = table_task("mood", path, test_file=str(held))
    first, second = tasks_of(tmp_path, own, table_task("place", path, "place"))
    # Ten rows of the first table are in the held one too
    assert len(first.test) == 30 and first.n_left_out == 10
    held_texts = texts(first, SplitPart.TEST)
    assert not held_texts & (texts(second, SplitPart.TRAIN) | texts(second, SplitPart.VALIDATION))
    assert len(first.train) + len(first.validation) == 50


def test_limits_are_kept_by_drawing(tmp_path: Path) -> None:
    path = write_table(tmp_path / "one.csv")
    tasks = (table_task("mood", path), table_task("place", path, "place"))
    first, _ = tasks_of(tmp_path, *tasks, limits={"train": 10, "validation": 5, "test": 4})
    assert (len(first.train), len(first.validation), len(first.test)) == (10, 5, 4)


def test_short_texts_hold_nothing_together(tmp_path: Path) -> None:
    path = tmp_path / "short.csv"
    path.write_text("text,mood\n" + "".join(f"Thank you,{mood}\n" for mood in ["calm", "merry"] * 20))
    task = {"file": str(path), "label": "mood", "kind": "classification"}
    first, _ = tasks_of(tmp_path, {"name": "a", **task}, {"name": "b", **task})
    assert len({item.group for item in first.all_items}) == 40


def test_what_cannot_be_learned_or_measured_is_refused(tmp_path: Path) -> None:
    path, tiny = write_table(tmp_path / "one.csv"), write_table(tmp_path / "tiny.csv", n=2)
    with pytest.raises(TaskUnusable, match="“tiny”: nothing is left in its"):
        tasks_of(tmp_path, table_task("mood", path), table_task("tiny", tiny))
    same = tmp_path / "same.csv"
    same.write_text("group,text,mood\n" + "".join(f"{n},Day {n} was fine,calm\n" for n in range(20)))
    with pytest.raises(TaskUnusable, match="same class"):
        tasks_of(tmp_path, table_task("mood", path), table_task("same", same))
    with pytest.raises(InputError, match="'calm' is no number"):
        tasks_of(tmp_path, table_task("mood", path), {**table_task("x", path), "kind": "regression"})
