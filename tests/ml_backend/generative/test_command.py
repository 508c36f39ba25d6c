"""The generative learners by the commands: from a release to an adapter to predictions."""

from __future__ import annotations

from pathlib import Path

import pytest

from codebook.shipped import load_shipped
from learning.predictions.files import read_predictions
from ml_backend.__main__ import main
from ml_backend.adapters.folder import load_adapter
from tests.ml_backend.fixtures import made_release

CAUSES = load_shipped("empathy-cause")


@pytest.mark.parametrize(
    ("learner", "more"),
    [
        (
            "generative-lora",
            ["--learning-rate", "1e-3", "--epochs", "1", "--at-once", "8", "--input", "pair"],
        ),
        ("few-shot", ["--demonstrations", "4", "--no-evidence"]),
    ],
)
def test_a_release_becomes_an_adapter_that_predicts(
    learner: str, more: list[str], tiny_instruct: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = made_release(tmp_path / "release", CAUSES, 20)
    out = str(tmp_path / "adapter")
    options = ["--learner", learner, "--backbone", tiny_instruct, "--four-bit", "no", "--threads", "1", *more]
    assert main(["train", str(release), out, *options]) == 0, capsys.readouterr().err
    card = load_adapter(tmp_path / "adapter").card
    assert card.learner == learner and card.config["backbone"] == tiny_instruct
    assert set(card.measures) == {"validation", "test"}
    (tmp_path / "new.csv").write_text("item_id,post,reply\n1,I fell. It hurts.,Oh\n")
    predictions = tmp_path / "new.jsonl"
    assert main(["predict", out, str(tmp_path / "new.csv"), str(predictions), "--threads", "1"]) == 0
    (found,) = read_predictions(predictions, CAUSES)
    assert found.adapter_id == card.id and found.codes[0].value in (0, 1)


def test_what_a_learner_cannot_be_asked_for_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["train", str(tmp_path), str(tmp_path / "a"), "--learner", "few-shot", "--demonstrations", "9"]
    assert main(asked) == 1
    assert "few-shot cannot be asked for this" in capsys.readouterr().err
