"""From a release to explained predictions and the smallest sets of seeds, by commands."""

from __future__ import annotations

import csv
from pathlib import Path

import msgspec
import pytest

from codebook.shipped import load_shipped
from learning.predictions.explanations import ItemExplanation
from ml_backend.__main__ import main
from tests.ml_backend.fixtures import SIGNS, made_release


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_release(tmp_path_factory.mktemp("made") / "release", load_shipped("epitome"), 60)


def test_predictions_are_explained_in_a_file(release: Path, tiny_backbone: str, tmp_path: Path) -> None:
    texts, out, why = tmp_path / "new.csv", tmp_path / "new.jsonl", tmp_path / "why.jsonl"
    texts.write_text(f"item_id,post,reply\nn1,Hello.,I say {SIGNS[2]}.\nn2,Hello.,\n", encoding="utf-8")
    adapter = tmp_path / "adapter"
    options = ["--learner", "micromodels", "--backbone", tiny_backbone, "--groups", "2", "--bags", "1"]
    assert main(["train", str(release), str(adapter), *options]) == 0
    assert main(["predict", str(adapter), str(texts), str(out), "--explain", str(why)]) == 0
    (line,) = why.read_bytes().splitlines()
    explained = msgspec.json.decode(line, type=ItemExplanation)
    assert explained.item_id == "n1" and len(explained.codes) == 3
    assert explained.codes[0].fired[0].seed == f"{SIGNS[2]}."


def test_one_that_cannot_say_why_predicts_nothing(
    release: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    adapter, texts = tmp_path / "adapter", tmp_path / "new.csv"
    texts.write_text("item_id,post,reply\nn1,Hello.,Oh.\n", encoding="utf-8")
    assert main(["train", str(release), str(adapter), "--learner", "majority"]) == 0
    why = ["--explain", str(tmp_path / "why.jsonl")]
    assert main(["predict", str(adapter), str(texts), str(tmp_path / "out.jsonl"), *why]) == 1
    assert "leave out --explain" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.jsonl"))


def test_the_smallest_set_that_keeps_the_score_is_found(
    release: Path, tiny_backbone: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "seeds.csv"
    options = ["--sizes", "1", "--backbone", tiny_backbone, "--out", str(out)]
    assert main(["fewest_seeds", str(release), *options]) == 0
    _, _, said = capsys.readouterr().out.partition("interpretations\n")
    said, _, _ = said.partition("explorations\n")
    with out.open(encoding="utf-8") as handle:
        rows = [row for row in csv.DictReader(handle) if row["code"] == "interpretations"]
    assert [(row["seeds"], row["part"]) for row in rows] == [
        (size, part) for size in ("1", "2") for part in ("validation", "test")
    ]
    few, all_of_them = (float(row["score"]) for row in rows if row["part"] == "validation")
    n_kept = 1 if few >= all_of_them - 0.01 else 2
    assert f"{n_kept} keep the score on the validation part, within 1.0 points:" in said
    quoted = [sign for sign in SIGNS if f"    {sign}." in said]
    assert len(quoted) == n_kept and all_of_them > 0.5
