"""The corrected command serves people who have only a table of labels."""

from __future__ import annotations

import csv
import json
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

COLUMNS = ("gold", "prediction", "inclusion_probability", "cluster", "group", "outcome", "weight")
FIELDS = {"value", "low", "high", "lambda", "n_gold", "effective_gold", "note"}
WAYS = {"naive", "gold_only", "corrected"}
Row = dict[str, object]


def rows(n: int = 2_000, n_gold: int = 400) -> list[Row]:
    rng = np.random.default_rng(1)
    truth = rng.random(n) < 0.3
    said = rng.random(n) < np.where(truth, 0.9, 0.1)
    drawn = rng.permutation(n) < n_gold
    return [
        {
            "gold": int(truth[at]) if drawn[at] else "",
            "prediction": int(said[at]),
            "inclusion_probability": n_gold / n,
            "cluster": at // 4,
            "group": "left" if at % 2 else "right",
            "outcome": round(float(truth[at] + rng.normal()), 3),
            "weight": 1 + at % 2,
        }
        for at in range(n)
    ]


def written(folder: Path, given: list[Row], columns: tuple[str, ...] = COLUMNS) -> str:
    path = folder / "labels.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore")
        writer.writeheader()
        writer.writerows(given)
    return str(path)


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command("corrected", *arguments, stdout=out)
    return out.getvalue()


def test_json_has_every_estimate_in_three_ways(tmp_path: Path) -> None:
    found = json.loads(printed(written(tmp_path, rows()), "--format", "json"))
    assert set(found["groups"]) == {"left", "right"}
    for ways in (found["mean"], found["difference"], found["slope"], *found["groups"].values()):
        assert set(ways) == WAYS
        for way in ways.values():
            assert set(way) == FIELDS
            assert way["low"] < way["value"] < way["high"]
    naive, gold, corrected = (found["mean"][way] for way in ("naive", "gold_only", "corrected"))
    assert (naive["lambda"], gold["lambda"], naive["n_gold"]) == (None, 0, 0)
    assert 0 < corrected["lambda"] <= 1
    assert gold["n_gold"] == corrected["n_gold"] == 400
    assert corrected["effective_gold"] == pytest.approx(360, rel=0.02)  # weights of 1 and 2
    assert corrected["high"] - corrected["low"] < gold["high"] - gold["low"]
    assert found["between"] == ["left", "right"]
    shares = [found["groups"][name]["corrected"]["value"] for name in found["between"]]
    assert found["difference"]["corrected"]["value"] == pytest.approx(shares[0] - shares[1])


def test_a_table_of_three_columns_has_a_mean_alone(tmp_path: Path) -> None:
    found = json.loads(printed(written(tmp_path, rows(), COLUMNS[:3]), "--format", "json"))
    assert found["groups"] == {}
    assert found["difference"] is None and found["slope"] is None
    assert found["mean"]["corrected"]["effective_gold"] == 400


def test_groups_are_told_apart_by_name(tmp_path: Path) -> None:
    given = [{**row, "group": "abc"[at % 3]} for at, row in enumerate(rows())]
    table = written(tmp_path, given)
    without = json.loads(printed(table, "--format", "json"))
    assert without["difference"] is None and "--between" in without["notes"][0]
    found = json.loads(printed(table, "--format", "json", "--between", "c", "a"))
    assert found["between"] == ["c", "a"]
    with pytest.raises(CommandError, match="There is no group “d”; the groups are a, b, c"):
        printed(table, "--between", "a", "d")


def test_where_gold_is_too_little_there_is_no_interval(tmp_path: Path) -> None:
    given = rows(n_gold=40)
    mean = json.loads(printed(written(tmp_path, given), "--format", "json"))["groups"]["left"]["corrected"]
    assert (mean["low"], mean["high"]) == (None, None)
    assert mean["value"] is not None
    assert "an interval needs 30" in mean["note"]


def test_a_group_without_gold_has_the_models_number_alone(tmp_path: Path) -> None:
    given = [{**row, "gold": "" if row["group"] == "left" else row["gold"]} for row in rows()]
    found = json.loads(printed(written(tmp_path, given), "--format", "json"))
    left = found["groups"]["left"]
    assert left["naive"]["value"] is not None
    assert left["corrected"]["value"] is None and "no gold" in left["corrected"]["note"]
    assert found["difference"]["corrected"]["value"] is None


def test_units_without_an_outcome_are_left_out_of_the_slope(tmp_path: Path) -> None:
    given = [{**row, "outcome": "" if at < 100 else row["outcome"]} for at, row in enumerate(rows())]
    found = json.loads(printed(written(tmp_path, given), "--format", "json"))
    assert "100 units have no outcome" in found["notes"][0]
    assert found["slope"]["corrected"]["n_gold"] < 400


def test_text_is_for_reading(tmp_path: Path) -> None:
    said = printed(written(tmp_path, rows()))
    assert "mean, corrected" in said
    assert "left less right, gold alone" in said


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"gold": ""}, "“gold” is blank in every row"),
        ({"gold": "yes"}, "The column “gold” holds “yes” in row 1"),
        ({"inclusion_probability": 0}, "no chance of being drawn"),
        ({"inclusion_probability": ""}, "no probability above 0 and up to 1"),
        ({"prediction": ""}, "“prediction” is blank in 2,000 rows"),
        ({"weight": -1}, "not above 0"),
        ({"group": ""}, "“group” has gaps"),
        ({"cluster": ""}, "“cluster” has gaps"),
    ],
)
def test_what_is_wrong_is_said(tmp_path: Path, change: Row, says: str) -> None:
    given = [{**row, **change} for row in rows()]
    with pytest.raises(CommandError, match=says):
        printed(written(tmp_path, given))


def test_a_column_that_must_be_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="The column “inclusion_probability” is missing"):
        printed(written(tmp_path, rows(), COLUMNS[:2]))
    with pytest.raises(CommandError, match="cannot be read"):
        printed(str(tmp_path / "nothing.csv"))
