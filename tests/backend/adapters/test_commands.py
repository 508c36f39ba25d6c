"""From labelled files to scored predictions by commands alone, each in a process of its own."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from annotation.predictions.files import read_predictions
from annotation.scoring.files import decode_evaluation
from codebook.shipped import load_shipped

ROOT = Path(__file__).resolve().parents[3]
SIGNS = ("the shop opens at nine", "heavy clouds stay all day", "sunshine will come again")


def manage(*arguments: object, folder: Path) -> subprocess.CompletedProcess[str]:
    """With paths from where the caller is, as people type them."""
    command = [sys.executable, "-W", "error", str(ROOT / "manage.py"), *map(str, arguments)]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a table of labelled pairs and one of new ones."""
    found = tmp_path_factory.mktemp("researcher")
    for name, numbers in (("labelled", range(60)), ("new", range(60, 70))):
        with (found / f"{name}.csv").open("w", newline="", encoding="utf-8") as handle:
            writer = csv.writer(handle)
            writer.writerow(["item_id", "post", "reply", "level", "quote"])
            for n in numbers:
                sign = SIGNS[n % 3]
                writer.writerow(
                    [f"n{n}", f"Post {n}", f"Hello {n}. I say {sign}.", n % 3, sign if n % 3 else ""]
                )
    return found


@pytest.fixture(scope="module")
def release(folder: Path) -> str:
    made = manage(
        *("release_from_table", "epitome", "labelled.csv", "release"),
        *("--post-column", "post", "--reply-column", "reply"),
        *("--label", "emotional-reactions=level", "--evidence", "emotional-reactions=quote"),
        folder=folder,
    )
    assert made.returncode == 0, made.stderr
    assert "60 items" in made.stdout and "Quotes, exact: 40" in made.stdout
    return "release"


@pytest.mark.slow
def test_from_files_to_adapter_to_scored_predictions(folder: Path, release: str) -> None:
    trained = manage("train", release, "adapter", "--learner", "tfidf-logistic", folder=folder)
    assert trained.returncode == 0, trained.stderr
    assert "emotional-reactions  macro-F1 1.000" in trained.stdout
    assert "not predicted: interpretations, explorations" in trained.stderr

    scored = manage(
        *("evaluate", "adapter", release, "--out", "scores.json", "--predictions", "test.jsonl"),
        folder=folder,
    )
    assert scored.returncode == 0, scored.stderr
    card = json.loads((folder / "adapter" / "card.json").read_text())
    evaluation = decode_evaluation((folder / "scores.json").read_bytes())
    assert evaluation.adapters == (card["id"],)
    assert len(read_predictions(folder / "test.jsonl", load_shipped("epitome"))) == evaluation.n_items == 12

    predicted = manage("predict", "adapter", "new.csv", "new.parquet", folder=folder)
    assert predicted.returncode == 0, predicted.stderr
    found = read_predictions(folder / "new.parquet", load_shipped("epitome"))
    assert [each.item_id for each in found] == [f"n{n}" for n in range(60, 70)]
    assert [each.codes[0].value for each in found] == [n % 3 for n in range(60, 70)]
    assert {each.adapter_id for each in found} == {card["id"]}


@pytest.mark.slow
def test_scores_on_what_was_learned_from_come_with_a_warning(folder: Path, release: str) -> None:
    assert manage("train", release, "by-share", "--learner", "random", folder=folder).returncode == 0
    scored = manage("evaluate", "by-share", release, "--split", "train", folder=folder)
    assert scored.returncode == 0
    assert "36 of these 36 items were used in training" in scored.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("train", "nowhere", "out"), "no release"),
        (("train", "release", "new.csv", "--learner", "majority"), "name a new folder"),
        (("train", "release", "out", "--learner", "majority", "--epochs", "3"), "cannot be asked for this"),
        (("train", "release", "out", "--learner", "majority", "--input", "pair"), "choose --input"),
        (("train", "release", "out", "--backbone", "/nowhere"), "no such folder"),
        (("evaluate", "release", "release"), "no intact adapter"),
        (("predict", "release", "new.csv", "out.txt"), ".jsonl or .parquet"),
    ],
)
def test_what_went_wrong_is_told_in_a_line(
    folder: Path, release: str, arguments: tuple[str, ...], message: str
) -> None:
    found = manage(*arguments, folder=folder)
    assert found.returncode == 1
    assert message in found.stderr and "Traceback" not in found.stderr
    assert not (folder / "out").exists()


@pytest.mark.parametrize("command", ["train", "evaluate", "predict"])
def test_every_command_explains_itself(command: str, tmp_path: Path) -> None:
    for asked in ((command, "--help"), ("help", command)):
        shown = manage(*asked, folder=tmp_path)
        assert shown.returncode == 0, shown.stderr
        assert f"ml_backend {command}" in shown.stdout
