"""A study is read as it is written, or refused with what to mend."""

from __future__ import annotations

from pathlib import Path

import pytest

from learning.transfer.study import Limits, StudyUnreadable, TaskKind, read_study, with_paths
from tests.learning.transfer.studies import write_study

TABLE = {"file": "a.csv", "label": "mood", "kind": "classification"}
YAML = """
name: Moods
seeds: 2
limits: {train: 50}
training: {epochs: 3, stacking: stacked}
tasks:
  - {name: mood, file: a.csv, label: mood, kind: classification, setting: chat}
  - {name: worry, release: releases/first, code: worry, ratings: {definition: 4}}
"""


def test_a_study_is_read_with_defaults_for_the_rest(tmp_path: Path) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(YAML)
    study = read_study(path)
    assert study.limits == Limits(train=50) and study.every_seed == (1, 2)
    assert [task.kind for task in study.tasks] == [TaskKind.CLASSIFICATION, None]
    assert [task.origin for task in study.tasks] == ["a", "first"]
    found = with_paths(study, tmp_path / "elsewhere")
    assert found.tasks[0].file == str(tmp_path / "elsewhere" / "a.csv") and found.tasks[0].release == ""


@pytest.mark.parametrize(
    ("tasks", "more", "message"),
    [
        ([{"name": "a", **TABLE}], {}, "length >= 2"),
        ([{"name": "a", **TABLE}, {"name": "A", **TABLE}], {}, "two tasks are called “a”"),
        ([{"name": "a", **TABLE}, {"name": "b"}], {}, "“b” needs either `release` and `code`, or `file`"),
        ([{"name": "a", **TABLE}, {"name": "b", "release": "r"}], {}, "not which `code`"),
        ([{"name": "a", **TABLE}, {"name": "b", **TABLE, "label": ""}], {}, "add `label`"),
        ([{"name": "a", **TABLE}, {"name": "b", "file": "x.csv", "label": "y"}], {}, "its `kind`"),
        (
            [{"name": "a", **TABLE}, {"name": "b", **TABLE, "kind": "ranking"}],
            {},
            "choose from classification, regression",
        ),
        ([{"name": "a", **TABLE}, {"name": "b", **TABLE, "colour": "red"}], {}, "colour"),
        ([{"name": "a", **TABLE}, {"name": "b", **TABLE}], {"ratio": "1:0:1"}, "leaves a part empty"),
        ([{"name": "a", **TABLE}, {"name": "b", **TABLE}], {"ratio": "half"}, "half"),
        ([{"name": "a", **TABLE}, {"name": "b", **TABLE}], {"training": {"epochs": 0}}, "epochs"),
        (
            [{"name": "a", **TABLE, "ratings": {"x": 1}}, {"name": "b", **TABLE, "ratings": {"y": 1}}],
            {},
            "different aspects",
        ),
    ],
)
def test_a_study_that_makes_no_sense_is_refused(
    tmp_path: Path, tasks: list[dict[str, object]], more: dict[str, object], message: str
) -> None:
    with pytest.raises(StudyUnreadable, match=r"docs/transfer\.md") as refused:
        read_study(write_study(tmp_path / "study.yaml", *tasks, **more))
    assert message in str(refused.value)


def test_what_is_no_study_is_refused(tmp_path: Path) -> None:
    (tmp_path / "broken.yaml").write_text("tasks: [")
    for name in ("broken.yaml", "absent.yaml"):
        with pytest.raises(StudyUnreadable, match=name):
            read_study(tmp_path / name)
