"""The table from a small release: its numbers, its files, and going on after a stop."""

from __future__ import annotations

import csv
import json
from argparse import Namespace
from pathlib import Path

import pytest
from sklearn.metrics import accuracy_score, roc_auc_score

from annotation.release.read import read_release
from annotation.release.rows import SplitPart
from codebook.questions import model_questions
from codebook.schema import Part
from codebook.shipped import load_shipped
from learning.cause_table.cells import cells_of
from learning.cause_table.results import ACCURACY, AUC, F1, TableRow
from learning.cause_table.variants import Variant, choose_variants
from ml_backend.cause_table.cells import measure
from ml_backend.cause_table.command import NoSentences, OptionUnreadable, cause_table, make_table, read_option
from ml_backend.examples import examples_of
from ml_backend.learners.positions import Positions, PositionsConfig
from ml_backend.learners.registry import InvalidOption
from ml_backend.learners.scores import Rule, sigmoid
from ml_backend.learners.sentence_labels import marked_sentences
from ml_backend.pools.grid import GridStopped
from tests.ml_backend.fixtures import made_release, quiet
from tests.ml_backend.pools.here import HerePool

CAUSES = load_shipped("empathy-cause")
QUICK = ("default", "simple", "positions", "random", "majority")


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_release(tmp_path_factory.mktemp("causes") / "release", CAUSES, 40, parts=(Part.POST,))


@pytest.fixture
def variants(tiny_backbone: str) -> tuple[Variant, ...]:
    options = {"backbone": tiny_backbone, "epochs": 1}
    return choose_variants(QUICK, of_co_attention=options)


def make(release: Path, out: Path, variants: tuple[Variant, ...], n_seeds: int = 2) -> tuple[TableRow, ...]:
    return make_table(release, out, variants, n_seeds, HerePool(), quiet)


def test_rows_have_every_seed_and_the_files_say_the_same(
    release: Path, tmp_path: Path, variants: tuple[Variant, ...]
) -> None:
    rows = make(release, tmp_path, variants)
    assert [row.variant.name for row in rows] == [*QUICK]
    assert rows[0].ahead is None and all(row.ahead for row in rows[1:])
    majority = rows[-1].scores
    assert majority[F1].values == (0.0, 0.0) and majority[AUC].values == (0.5, 0.5) and majority[F1].sd == 0
    with (tmp_path / "table.csv").open() as file:
        written = list(csv.DictReader(file))
    assert [row["variant"] for row in written] == [*QUICK]
    for row, line in zip(rows, written, strict=True):
        assert row.scores[F1].mean == pytest.approx(float(line["f1"]))
        assert float(line["accuracy"]) == pytest.approx(sum(map(float, row.scores[ACCURACY].values)) / 2)  # type: ignore[arg-type]
    printed = (tmp_path / "table.tex").read_text()
    assert r"\textbf" in printed and "Positions alone" in printed and "means of 2 seeds" in printed


def test_scores_are_those_of_scikit_learn_over_all_sentences(release: Path) -> None:
    read = read_release(release)
    questions = model_questions(CAUSES)
    learner = Positions(questions, PositionsConfig(trees=3))
    by_part = {part: examples_of(read, part) for part in SplitPart}
    learner.fit(by_part[SplitPart.TRAIN], by_part[SplitPart.VALIDATION], seed=1, report=quiet)
    test = by_part[SplitPart.TEST]
    answer = measure(learner, test, questions)
    gold, scores = [], []
    for example, said in zip(test, learner.scores(test), strict=True):
        labelled, marks = marked_sentences(questions[0], example), said["empathy-cause"].marks
        assert labelled is not None and marks is not None
        gold += labelled.marked.tolist()
        scores += sigmoid(marks / learner.rules.get("empathy-cause", Rule()).temperature).tolist()
    marked = [score >= learner.rules.get("empathy-cause", Rule()).mark_threshold for score in scores]
    assert answer.roc_auc["empathy-cause"] == pytest.approx(roc_auc_score(gold, scores))
    assert answer.accuracy["empathy-cause"] == pytest.approx(accuracy_score(gold, marked))
    assert answer.predictions == learner.predict(test, adapter_id="", report=quiet)


def test_what_is_done_is_not_done_again_and_a_stop_loses_nothing(
    release: Path, tmp_path: Path, variants: tuple[Variant, ...]
) -> None:
    done: list[str] = []

    def stop_after_two(line: str) -> None:
        done.append(line)
        if len(done) > 2:
            raise KeyboardInterrupt

    few = variants[2:]
    with pytest.raises(GridStopped, match=r"Stopped with 2 of 6 models\. The same command goes on"):
        make_table(release, tmp_path, few, 2, HerePool(), stop_after_two)
    cells = cells_of(tmp_path, read_release(release).manifest.hash, few, 2)
    before = {cell.path: cell.path.stat().st_mtime_ns for cell in cells if cell.is_done}
    assert len(before) == 2
    make(release, tmp_path, few)
    assert all(cell.is_done for cell in cells)
    assert all(path.stat().st_mtime_ns == at for path, at in before.items())
    lines: list[str] = []
    make_table(release, tmp_path, few, 3, HerePool(), lines.append)
    assert lines[0] == "9 models, 6 of them trained already"


def test_what_cannot_be_asked_is_refused_before_anything_is_trained(release: Path, tmp_path: Path) -> None:
    wrong = choose_variants(("focal",), of_co_attention={"gamma": "much"})
    with pytest.raises(InvalidOption, match="co-attention cannot be asked for this"):
        make(release, tmp_path, wrong)
    with pytest.raises(OptionUnreadable, match="OPTION=VALUE"):
        read_option("train_backbone")
    without = made_release(tmp_path / "levels", load_shipped("epitome"), 12)
    with pytest.raises(NoSentences, match="such as empathy-cause"):
        make(without, tmp_path, choose_variants(("positions",)))


def test_the_command_runs_in_processes_and_prompts_a_model(
    release: Path, tmp_path: Path, tiny_instruct: str, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    options = Namespace(
        release=release,
        out=out,
        variant=["positions", "qa"],
        option=[],
        prompt_backbone=tiny_instruct,
        seeds=1,
        workers=1,
        threads=1,
    )
    cause_table(options, quiet)
    printed = capsys.readouterr().out
    assert "A question for each sentence" in printed and "Positions alone" in printed
    assert len(list((out / "cells").iterdir())) == 2 and json.dumps(str(out))[1:-1] in printed
