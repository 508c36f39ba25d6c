"""The alt_test command serves people who have only tables of labels."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

NAMES = ("Ada", "Ben", "Cleo")


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command("alt_test", *arguments, stdout=out)
    return out.getvalue()


def written(folder: Path, rows: Iterable[tuple[str, ...]]) -> tuple[str, str]:
    """Each row has a post, the labels of Ada, Ben and Cleo, and the model's."""
    annotations, model = folder / "annotations.csv", folder / "model.csv"
    with annotations.open("w", newline="") as people, model.open("w", newline="") as machine:
        of_people, of_machine = csv.writer(people), csv.writer(machine)
        of_people.writerow(["item", "post", "annotator", "label"])
        of_machine.writerow(["item", "label"])
        for at, (post, *labels, said) in enumerate(rows):
            of_people.writerows([at, post, name, label] for name, label in zip(NAMES, labels, strict=True))
            of_machine.writerow([at, said])
    return str(annotations), str(model)


def table(folder: Path) -> tuple[str, str]:
    rows = [("p", "yes", "yes", "yes", "yes")] * 30 + [("q", "no", "yes", "yes", "yes")] * 4
    rows += [("r", "yes", "no", "yes", "yes")] * 4 + [("s", "yes", "yes", "yes", "no")] * 2
    return written(folder, rows)


def test_json_has_the_rates_and_every_annotator(tmp_path: Path) -> None:
    annotations, model = table(tmp_path)
    found = json.loads(printed(annotations, "--model", model, "--epsilon", "0.1", "--format", "json"))
    assert found["winning_rate"] == pytest.approx(2 / 3)
    assert found["advantage_probability"] == pytest.approx(0.95)
    assert found["passes"] is True
    assert (found["score"], found["epsilon"], found["left_out"]) == ("accuracy", 0.1, [])
    assert [each["annotator"] for each in found["annotators"]] == list(NAMES)
    assert [each["n"] for each in found["annotators"]] == [40, 40, 40]
    assert [each["rejected"] for each in found["annotators"]] == [True, True, False]
    assert all(each["p"] < each["p_adjusted"] for each in found["annotators"])
    assert found["notes"] == ["Annotators: Columns not used: post."]


def test_the_second_line_takes_the_items_of_a_post_together(tmp_path: Path) -> None:
    annotations, model = table(tmp_path)
    found = json.loads(
        printed(annotations, "--model", model, "--epsilon", "0.1", "--cluster", "post", "--format", "json")
    )
    assert [each["n_clusters"] for each in found["clustered"]["annotators"]] == [4, 4, 4]
    assert found["clustered"]["advantage_probability"] == found["advantage_probability"]
    assert found["notes"] == []


@pytest.mark.parametrize(
    ("score", "rows", "advantages"),
    [
        # 3 and 3.0 are one label where all labels are numbers.
        ("accuracy", [("p", "3", "3.0", "3", "3")] * 30, [1, 1, 1]),
        # 2 is nearer to (1, 3) than 1 is to (2, 3), as near as the other pairs, and 3 is Ben's mirror.
        ("rmse", [("p", "1", "2", "3", "2")] * 30, [1, 1, 1]),
        ("rmse", [("p", "1", "2", "3", "5")] * 30, [0, 0, 0]),
        # Cleo marks nothing, which is a label: the model marks what Ada marks, and ties with her.
        ("token-f1", [("p", "so sorry", "so sorry to hear", "", "SORRY, so")] * 30, [1, 1, 1]),
        ("token-f1", [("p", "4 5", "4 5", "4 5", "")] * 30, [0, 0, 0]),
    ],
)
def test_scores(tmp_path: Path, score: str, rows: list[tuple[str, ...]], advantages: list[int]) -> None:
    annotations, model = written(tmp_path, rows)
    found = json.loads(
        printed(annotations, "--model", model, "--epsilon", "0.1", "--score", score, "--format", "json")
    )
    assert [each["advantage_probability"] for each in found["annotators"]] == advantages


def test_who_has_too_few_items_is_named_in_every_form(tmp_path: Path) -> None:
    annotations, model = written(tmp_path, [("p", "a", "a", "a" if at < 12 else "", "a") for at in range(40)])
    asked = (annotations, "--model", model, "--epsilon", "0.2")
    found = json.loads(printed(*asked, "--format", "json"))
    assert found["left_out"] == [{"annotator": "Cleo", "n": 12}]
    assert "Left out for too few items: Cleo (12)." in found["notes"]
    assert "With fewer than three annotators" in " ".join(found["notes"])
    assert "Cleo (12)" in printed(*asked)


def test_text_csv_and_latex_say_the_same(tmp_path: Path) -> None:
    annotations, model = table(tmp_path)
    asked = (annotations, "--model", model, "--epsilon", "0.1", "--cluster", "post")
    assert "The model passes: it wins against 2 of 3 annotators (winning rate 0.67" in printed(*asked)
    rows = list(csv.DictReader(StringIO(printed(*asked, "--format", "csv"))))
    assert [(row["annotator"], row["n"], row["rejected"]) for row in rows] == [
        ("Ada", "40", "True"),
        ("Ben", "40", "True"),
        ("Cleo", "40", "False"),
    ]
    latex = printed(*asked, "--format", "latex")
    assert r"Cleo & 40 & 0.95" in latex
    assert r"$\omega = 0.67$, $\rho = 0.95$" in latex


def test_nobody_to_test_is_said(tmp_path: Path) -> None:
    annotations, model = written(tmp_path, [("p", "a", "a", "a", "a")] * 5)
    asked = (annotations, "--model", model, "--epsilon", "0.1")
    assert "cannot be made" in printed(*asked)
    found = json.loads(printed(*asked, "--format", "json"))
    assert (found["winning_rate"], found["passes"], found["annotators"]) == (None, None, [])


def test_what_is_wrong_is_named(tmp_path: Path) -> None:
    annotations, model = table(tmp_path)
    with pytest.raises(CommandError, match=r"label “(yes|no)” is no number, and rmse needs numbers"):
        printed(annotations, "--model", model, "--epsilon", "0.1", "--score", "rmse")
    with pytest.raises(CommandError, match="no column “community”"):
        printed(annotations, "--model", model, "--epsilon", "0.1", "--cluster", "community")
    with pytest.raises(CommandError, match="lies between 0 and 1"):
        printed(annotations, "--model", model, "--epsilon", "10")
    with pytest.raises(CommandError, match="cannot be read"):
        printed(annotations, "--model", str(tmp_path / "none.csv"), "--epsilon", "0.1")
    twice = tmp_path / "twice.csv"
    twice.write_text("item,post,annotator,label\n1,p,Ada,yes\n1,q,Ben,yes\n")
    with pytest.raises(CommandError, match="Line 3: item 1 belongs to “p” and to “q”"):
        printed(str(twice), "--model", model, "--epsilon", "0.1", "--cluster", "post")
