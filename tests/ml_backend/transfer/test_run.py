"""A whole study on a tiny backbone: the same numbers again, nothing trained twice, and nothing lost by a kill."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import numpy as np
import pytest

from learning.transfer.cells import CellAnswer, CellRequest, CellStore, grid_of
from learning.transfer.reading import PreparedStudy, prepare_study
from learning.transfer.results import RESULTS, read_results
from learning.transfer.study import Stacking, TransferStudy
from ml_backend.learners.interface import Report
from ml_backend.pools.grid import CellsFailed, GridStopped
from ml_backend.pools.interface import SetupFailed
from ml_backend.processes import ROOT
from ml_backend.transfer.cells import SharedStudy, run_cell, set_up
from ml_backend.transfer.command import run_study
from ml_backend.transfer.run import run_grid
from tests.learning.transfer.studies import table_task, write_study, write_table
from tests.ml_backend.pools.here import HerePool, stop_after


def quiet(line: str) -> None:
    """Nobody listens."""


def write_small_study(folder: Path, backbone: str, **training: object) -> Path:
    first, second = (
        write_table(folder / "first.csv", n=60),
        write_table(folder / "second.csv", n=60, first=200),
    )
    rated = {"definition": 3.0}
    return write_study(
        folder / "study.yaml",
        table_task("Mood", first, context="context", setting="chat", theme="direct", ratings=rated),
        table_task("Level", first, "level", setting="chat", theme="adjacent", ratings=rated),
        table_task("Place", second, "place", setting="essay", theme="direct", ratings=rated),
        seeds=1,
        resamples=200,
        training={"backbone": backbone, "epochs": 1, "frozen_layers": 1, "rank": 4, "alpha": 8, **training},
    )


@pytest.fixture
def study(tmp_path: Path, tiny_backbone: str) -> Path:
    return write_small_study(tmp_path, tiny_backbone)


def run(study: Path, out: Path, report: Report = quiet) -> None:
    run_study(study, out, HerePool(), report)


def test_a_study_gives_its_files_and_the_same_numbers_again(study: Path, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    run(study, one, quiet)
    run(study, other, quiet)
    for name in (
        "matrix.csv",
        "tests.csv",
        "pairs.csv",
        "importance.csv",
        "scores-classification.tex",
        "themes.csv",
    ):
        assert (one / name).read_bytes() == (other / name).read_bytes(), name
    for name in ("heatmap-classification", "heatmap-regression"):
        assert (one / f"{name}.svg").read_bytes()[:5] == b"<?xml"
        assert (one / f"{name}.pdf").read_bytes()[:4] == b"%PDF"
    with (one / "matrix.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 9 and sum(row["is_baseline"] == "true" for row in rows) == 3
    assert {row["metric"] for row in rows} == {"macro_f1", "pearson_r"}
    results = read_results(one / RESULTS)
    assert len(results.pairs) == 6 and len(results.tasks[0].scores) == 1
    assert "Of 6 pairs" in results.conclusion[0]
    assert r"\underline" in (one / "scores-regression.tex").read_text()


def test_what_is_done_is_not_done_again_and_a_seed_more_adds_cells(study: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    run(study, out, quiet)
    before = {path: path.stat().st_mtime_ns for path in (out / "cells").iterdir()}
    lines: list[str] = []
    run(study, out, lines.append)
    assert "9 models for 3 tasks, 9 of them trained already" in lines
    study.write_bytes(study.read_bytes().replace(b"seeds: 1", b"seeds: 2"))
    run(study, out, quiet)
    after = {path: path.stat().st_mtime_ns for path in (out / "cells").iterdir()}
    assert len(after) == 18 and before.items() <= after.items()
    assert len(json.loads((out / RESULTS).read_text())["seeds"]) == 2


def prepared(study: Path) -> PreparedStudy:
    return prepare_study(study)


def answer(study: TransferStudy, ready: PreparedStudy, request: CellRequest) -> CellAnswer:
    bench = set_up(msgspec.msgpack.encode(SharedStudy(study.training, ready.tasks)))
    return msgspec.msgpack.decode(run_cell(bench, msgspec.msgpack.encode(request)), type=CellAnswer)


def test_merged_and_stacked_are_the_same_model(tmp_path: Path, tiny_backbone: str) -> None:
    ready = prepared(write_small_study(tmp_path, tiny_backbone, epochs=2))
    source = answer(ready.study, ready, CellRequest("Mood", 1, describes=True))
    found = []
    for stacking in Stacking:
        training = msgspec.structs.replace(ready.study.training, stacking=stacking)
        study = msgspec.structs.replace(ready.study, training=training)
        found.append(answer(study, ready, CellRequest("Level", 1, "Mood", source.adapter)).predictions)
    alone = answer(ready.study, ready, CellRequest("Level", 1)).predictions
    assert np.allclose(found[0], found[1], atol=1e-3) and not np.allclose(found[0], alone, atol=1e-3)
    assert source.description is not None and len(source.description.embedding) == 32
    assert all(name.startswith("encoder.layer.1.") for name in source.description.fisher)


def test_frozen_layers_change_nothing_but_the_time(tmp_path: Path, tiny_backbone: str) -> None:
    """A cell that reads the lower layers' states from memory predicts as one that reads the texts."""
    ready = prepared(write_small_study(tmp_path, tiny_backbone))
    bench = set_up(msgspec.msgpack.encode(SharedStudy(ready.study.training, ready.tasks)))
    encoded = msgspec.msgpack.encode(CellRequest("Place", 3))
    first = run_cell(bench, encoded)
    for other in ("Mood", "Level"):
        run_cell(bench, msgspec.msgpack.encode(CellRequest(other, 3)))
    assert set(bench.seen) == {"Mood", "Level"} and run_cell(bench, encoded) == first


def test_a_study_can_be_stopped_and_a_cell_that_fails_is_named(study: Path, tmp_path: Path) -> None:
    ready = prepared(study)
    out = tmp_path / "out"
    with pytest.raises(GridStopped, match="Stopped with 2 of 9"):
        run_grid(
            ready.study,
            ready.tasks,
            out,
            HerePool(),
            report=quiet,
            on_progress=stop_after(2),
        )
    assert len(list((out / "cells").glob("*.cell"))) == 2
    baseline = next(cell for cell in grid_of(ready.study, ready.tasks) if CellStore(out).has(cell))
    spoiled = msgspec.structs.replace(CellStore(out).read(baseline), adapter=b"no tensors")
    CellStore(out).keep(baseline, msgspec.msgpack.encode(spoiled))
    with pytest.raises(
        CellsFailed, match=r"of 9 models could not be trained: Mood → .*goes? on|tries these again"
    ):
        run_grid(ready.study, ready.tasks, out, HerePool(), report=quiet)


def test_a_backbone_that_is_not_there_is_refused(tmp_path: Path) -> None:
    ready = prepared(write_small_study(tmp_path, "./no-such-folder"))
    with pytest.raises(SetupFailed, match="no such folder"):
        run_grid(ready.study, ready.tasks, tmp_path / "out", HerePool(), report=quiet)


def test_a_kill_loses_no_finished_cell(study: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    command = [
        sys.executable,
        "-m",
        "ml_backend",
        "transfer",
        str(study),
        "--out",
        str(out),
        "--workers",
        "1",
    ]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 180
    while len(list(out.glob("cells/*.cell"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    kept = {path: path.read_bytes() for path in out.glob("cells/*.cell")}
    assert 2 <= len(kept) < 9
    lines: list[str] = []
    run(study, out, lines.append)
    assert f"9 models for 3 tasks, {len(kept)} of them trained already" in lines
    assert all(path.read_bytes() == content for path, content in kept.items())
    assert len(list(out.glob("cells/*.cell"))) == 9 and (out / RESULTS).is_file()
