"""From labelled files to scored predictions by commands alone.

What is asked of a learner is asked in this process; that `manage.py` passes it on is shown in processes of their own.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from contextlib import chdir
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command, get_commands, load_command_class

from backend.learn.models.management.ml_command import MlCommand
from backend.learn.models.ml_process import ML_COMMANDS
from codebook.shipped import load_shipped
from learning.predictions.files import read_predictions
from learning.scoring.files import decode_evaluation
from ml_backend.__main__ import main

ROOT = Path(__file__).resolve().parents[4]
SIGNS = ("the shop opens at nine", "heavy clouds stay all day", "sunshine will come again")


def manage(*arguments: object, folder: Path) -> subprocess.CompletedProcess[str]:
    """With paths from where the caller is, as people type them."""
    command = [sys.executable, "-W", "error", str(ROOT / "manage.py"), *map(str, arguments)]
    environment = {**os.environ, "HF_HUB_OFFLINE": "1"}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@dataclass(frozen=True)
class Asked:
    """Asks the ML backend in this process, from the folder where the caller is."""

    folder: Path
    said: pytest.CaptureFixture[str]

    def __call__(self, *arguments: object) -> tuple[int, str, str]:
        """The exit code, and what was said on both ways."""
        with chdir(self.folder):
            code = main(list(map(str, arguments)))
        return (code, *self.said.readouterr())


@pytest.fixture
def asked(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Asked:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return Asked(folder, capsys)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a table of labelled pairs and one of new ones."""
    found = tmp_path_factory.mktemp("researcher")
    for name, numbers in (("labelled", range(60)), ("new", range(60, 70))):
        with (found / f"{name}.csv").open("w", newline="", encoding="utf-8") as handle:
            writer = csv.writer(handle)
            writer.writerow(["item_id", "post", "reply", "level", "quote", "own"])
            for n in numbers:
                sign = SIGNS[n % 3]
                writer.writerow(
                    [f"n{n}", f"Post {n}", f"Hello {n}. I say {sign}.", n % 3, sign if n % 3 else "", f"r{n}"]
                )
    return found


@pytest.fixture(scope="module")
def release(folder: Path) -> str:
    said = StringIO()
    with chdir(folder):
        call_command(
            *("release_from_table", "epitome", "labelled.csv", "release"),
            *("--post-column", "post", "--reply-column", "reply", "--reply-id-column", "own"),
            *("--label", "emotional-reactions=level", "--evidence", "emotional-reactions=quote"),
            stdout=said,
        )
    assert "60 items" in said.getvalue() and "Quotes, exact: 40" in said.getvalue()
    return "release"


def test_lists_of_sentences_and_their_marks_need_no_options(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, group in (("train", "a"), ("valid", "b")):
        with (tmp_path / f"{name}.csv").open("w", newline="", encoding="utf-8") as handle:
            writer = csv.writer(handle)
            writer.writerow(["group", "item", "emotion", "target", "utterances", "causes"])
            writer.writerow([group, f"{group}1", "joy", "Oh!", '["A: I won.", "B: Oh!"]', "[1, 0]"])
    tables = (tmp_path / "train.csv", tmp_path / "out", "--validation", tmp_path / "valid.csv")
    call_command("release_from_table", "empathy-cause", *map(str, tables))
    out, err = capsys.readouterr()
    assert "2 items (train 1, validation 1)" in out
    assert (
        "post utterances; reply target; group group; item item; features emotion; label empathy-cause causes"
        in err
    )
    call_command("release_from_table", "from-table", str(tmp_path / "train.csv"), str(tmp_path / "made"))
    assert "label causes causes" in capsys.readouterr().err
    with pytest.raises(CommandError, match="No column is surely that of a code"):
        call_command("release_from_table", "epitome", str(tmp_path / "train.csv"), str(tmp_path / "wrong"))


@pytest.mark.slow
def test_from_files_to_adapter_to_scored_predictions(folder: Path, release: str, asked: Asked) -> None:
    trained = manage("train", release, "adapter", "--learner", "tfidf-logistic", folder=folder)
    assert trained.returncode == 0, trained.stderr
    assert "emotional-reactions  macro-F1 1.000" in trained.stdout
    assert "not predicted: interpretations, explorations" in trained.stderr
    assert "gives no evidence" in trained.stdout and "token F1" not in trained.stdout

    code, _, problem = asked(
        "evaluate", "adapter", release, "--out", "scores.json", "--predictions", "test.jsonl"
    )
    assert code == 0, problem
    card = json.loads((folder / "adapter" / "card.json").read_text())
    evaluation = decode_evaluation((folder / "scores.json").read_bytes())
    assert evaluation.adapters == (card["id"],)
    assert len(read_predictions(folder / "test.jsonl", load_shipped("epitome"))) == evaluation.n_items == 12
    line = json.loads((folder / "test.jsonl").read_text().splitlines()[0])
    assert line["reply_id"] in {f"r{n}" for n in range(60)}

    code, _, problem = asked("predict", "adapter", "new.csv", "new.parquet")
    assert code == 0, problem
    found = read_predictions(folder / "new.parquet", load_shipped("epitome"))
    assert [each.item_id for each in found] == [f"n{n}" for n in range(60, 70)]
    assert [each.codes[0].value for each in found] == [n % 3 for n in range(60, 70)]
    assert {each.adapter_id for each in found} == {card["id"]}


def test_scores_on_what_was_learned_from_come_with_a_warning(release: str, asked: Asked) -> None:
    assert asked("train", release, "by-share", "--learner", "random")[0] == 0
    code, _, told = asked("evaluate", "by-share", release, "--split", "train")
    assert code == 0
    assert "36 of these 36 items were used in training" in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("train", "nowhere", "out"), "nowhere is no release: there is no such folder. Check the path."),
        (("train", ".", "out"), "is no release: it has no manifest.json"),
        (
            ("predict", "release", "new.csv", "out.jsonl", "--post-column", "text"),
            "Name them with --id-column",
        ),
        (("train", "release", "new.csv", "--learner", "majority"), "name a new folder"),
        (("train", "release", "out", "--learner", "majority", "--epochs", "3"), "cannot be asked for this"),
        (("train", "release", "out", "--learner", "majority", "--input", "pair"), "choose --input"),
        (("train", "release", "out", "--backbone", "/nowhere"), "no such folder"),
        (("evaluate", "release", "release"), "no intact adapter"),
        (("predict", "release", "new.csv", "out.txt"), ".jsonl or .parquet"),
    ],
)
def test_what_went_wrong_is_told_in_a_line(
    release: str, asked: Asked, arguments: tuple[str, ...], message: str
) -> None:
    code, _, told = asked(*arguments)
    assert code == 1
    assert message in told and "Traceback" not in told
    assert not (asked.folder / "out").exists()


def test_a_command_that_fails_ends_with_its_line_alone(folder: Path, release: str) -> None:
    found = manage("predict", release, "new.csv", "out.txt", folder=folder)
    assert found.returncode == 1
    assert len(found.stderr.splitlines()) == 1 and ".jsonl or .parquet" in found.stderr


@pytest.mark.parametrize("command", ML_COMMANDS)
def test_every_command_explains_itself(command: str, tmp_path: Path) -> None:
    for line in ((command, "--help"), ("help", command)):
        shown = manage(*line, folder=tmp_path)
        assert shown.returncode == 0, shown.stderr
        assert f"manage.py {command}" in shown.stdout


def test_django_lists_the_same_commands_and_passes_them_on(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """For whoever starts them with django-admin."""
    monkeypatch.delenv("PYTHONPATH", raising=False)
    found = {}
    for name, app in get_commands().items():
        if app.startswith("backend."):
            command = load_command_class(app, name)
            if isinstance(command, MlCommand):
                found[name] = command
    assert {name: command.ml_command for name, command in found.items()} == {
        each: each for each in ML_COMMANDS
    }
    with pytest.raises(SystemExit) as ended:
        found["train"].run_from_argv(["django-admin", "train", "--help"])
    assert ended.value.code == 0 and "manage.py train" in capfd.readouterr().out
    found["predict"].print_help("django-admin", "predict")
    assert "manage.py predict" in capfd.readouterr().out
