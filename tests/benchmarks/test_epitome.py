"""The table of what was tried on EPITOME, on a made-up little one."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import f1_score

from benchmarks.epitome import CODES, run
from benchmarks.epitome_published import batched_macro_f1
from benchmarks.epitome_tried import TRIED

QUICK = [tried for tried in TRIED if tried.name in ("majority", "random")]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("epitome")
    for code in CODES:
        with (folder / f"{code}-reddit.csv").open("w", newline="", encoding="utf-8") as handle:
            writer = csv.writer(handle)
            writer.writerow(["sp_id", "rp_id", "seeker_post", "response_post", "level", "rationales"])
            for n in range(60):
                reply = f"I hear you, number {n}, and I am sorry."
                writer.writerow(
                    [f"p{n}", f"r{n}", f"Post number {n}", reply, n % 3, "I am sorry" if n % 3 else ""]
                )
    return folder


def test_scores_of_every_split_and_their_means_are_written(data: Path, tmp_path: Path) -> None:
    run(data, tmp_path, QUICK, [1, 2], with_test=False)
    with (tmp_path / "scores.csv").open(encoding="utf-8") as handle:
        rows = list(csv.DictReader(handle))
    assert {(row["configuration"], row["seed"]) for row in rows} == {
        (tried.name, seed) for tried in QUICK for seed in ("1", "2")
    }
    assert {row["part"] for row in rows} == {"validation"}
    table = (tmp_path / "table.md").read_text(encoding="utf-8")
    assert "| majority | 2 |" in table and "test part" not in table
    assert "macro-F1 as published: mean over batches of 32" in table and "F1 of level 1 (weak)" in table
    found = {row["measure"] for row in rows if row["value"]}
    assert {"macro_f1", "macro_f1_batches_of_32", "f1_level_0", "f1_level_1", "f1_level_2"} <= found


def test_the_published_measure_is_that_of_scikit_learn_batch_by_batch() -> None:
    rng = np.random.default_rng(1)
    gold, said = rng.choice(3, 100, p=[0.6, 0.05, 0.35]), rng.choice(3, 100, p=[0.6, 0.05, 0.35])
    parts = [slice(at, at + 32) for at in range(0, 100, 32)]
    theirs = np.mean([f1_score(gold[each], said[each], average="macro") for each in parts])
    assert batched_macro_f1(gold.tolist(), said.tolist()) == pytest.approx(theirs)


def test_what_is_there_is_not_trained_again_and_test_scores_come_on_demand(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(data, tmp_path, QUICK, [1], with_test=False)
    assert "== majority, seed 1" in capsys.readouterr().out
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "adapters").rglob("*")}
    run(data, tmp_path, QUICK, [1], with_test=True)
    assert "==" not in capsys.readouterr().out
    assert before == {path: path.stat().st_mtime_ns for path in (tmp_path / "adapters").rglob("*")}
    assert "macro-F1, pooled over the part, test part" in (tmp_path / "table.md").read_text(encoding="utf-8")
