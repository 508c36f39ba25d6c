"""The consensus command, for people who have only a table of votes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.consensus.values import Method

VOTES = """item,annotator,label,comment
post-1,Ada,yes,
post-1,Ben,yes,
post-1,Cy,no,hm
=2+3,Ada,-1,
=2+3,Ben,-1,
=2+3,Cy,-1,
"""


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    path = tmp_path / "votes.csv"
    path.write_text(VOTES)
    return path


def test_csv_has_a_line_for_each_item_and_is_safe_in_a_spreadsheet(
    votes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("consensus", str(votes))
    printed = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(printed.out)))
    assert list(rows[0]) == ["item", "label", "confidence", "n_votes"]
    assert rows[0] == {"item": "'=2+3", "label": "'-1", "confidence": "1.0", "n_votes": "3"}
    assert (rows[1]["item"], rows[1]["label"], rows[1]["n_votes"]) == ("post-1", "yes", "3")
    assert float(rows[1]["confidence"]) == pytest.approx(2 / 3)
    assert "No ties." in printed.err
    assert "Columns not used: comment." in printed.err


@pytest.mark.parametrize("method", [method.value for method in Method])
def test_json_has_items_and_annotators(votes: Path, method: str, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("consensus", str(votes), method=method, format="json", seed=3)
    answer = json.loads(capsys.readouterr().out)
    assert answer["method"] == method
    assert [(row["item"], row["label"], row["n_votes"]) for row in answer["items"]] == [
        ("=2+3", "-1", 3),
        ("post-1", "yes", 3),
    ]
    assert [(row["annotator"], row["n_votes"]) for row in answer["annotators"]] == [
        ("Ada", 2),
        ("Ben", 2),
        ("Cy", 2),
    ]
    is_weighed = [row["competence"] is not None for row in answer["annotators"]]
    assert is_weighed == [method != "majority"] * 3
    assert "Columns not used: comment." in answer["note"]


def test_a_dash_reads_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(VOTES.replace(",", "\t").encode())))
    call_command("consensus", "-")
    assert "post-1,yes," in capsys.readouterr().out


def test_errors_say_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    with pytest.raises(CommandError, match=r"votes.csv cannot be read: No such file"):
        call_command("consensus", str(path))
    path.write_text(VOTES + "post-1,Ada,no,\n")
    with pytest.raises(CommandError, match="Lines 2 and 8: Ada gave item post-1 “no” and “yes”"):
        call_command("consensus", str(path))
    path.write_text("item,annotator,label\n")
    with pytest.raises(CommandError, match="There are no votes"):
        call_command("consensus", str(path))
    with pytest.raises(CommandError, match="invalid choice"):
        call_command("consensus", str(path), "--method", "oracle")


def test_a_negative_seed_is_refused_in_words(tmp_path: Path) -> None:
    file = tmp_path / "votes.csv"
    file.write_text("item,annotator,label\n1,a,x\n1,b,x\n")
    with pytest.raises(CommandError, match="cannot be negative"):
        call_command("consensus", str(file), "--method", "mace", "--seed", "-1")
