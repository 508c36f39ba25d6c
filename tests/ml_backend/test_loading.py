"""What a process loads: libraries that take seconds come where they are used, and nowhere before."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from codebook.shipped import load_shipped
from learning.tasks.folder import TaskFolder
from tests.ml_backend.fixtures import made_release
from tests.ml_backend.worker.test_process import train_request

ROOT = Path(__file__).resolve().parents[2]
OF_NETWORKS = frozenset({"torch", "transformers", "peft", "bitsandbytes", "tokenizers"})
OF_WORDS = frozenset({"sklearn", "pandas"})
# Of scipy every interval of a score needs the quantile of Student's t
OF_TABLES = frozenset({"numpy", "polars", "pyarrow", "scipy"})
LARGE = OF_NETWORKS | OF_WORDS | OF_TABLES
# Runs a file as a program, however it ends, and says last what was loaded meanwhile.
WATCHED = """
import runpy, sys
try:
    sys.argv = sys.argv[1:]
    runpy.run_path(sys.argv[0], run_name="__main__")
except SystemExit as end:
    assert not end.code, end.code
print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


def loaded(program: str, *arguments: object) -> frozenset[str]:
    """The packages that a program has loaded when it ends well."""
    command = [sys.executable, "-c", WATCHED, program, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return frozenset(done.stdout.splitlines()[-1].split())


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_release(tmp_path_factory.mktemp("release") / "small", load_shipped("epitome"), 20)


@pytest.mark.parametrize(
    "command", ["train", "evaluate", "predict", "simulate_active_learning", "transfer", "cause_table"]
)
def test_to_explain_a_command_nothing_large_is_loaded(command: str) -> None:
    assert not loaded("ml_backend/__main__.py", command, "--help") & LARGE


def test_a_command_for_the_ml_backend_is_passed_on_without_django() -> None:
    assert not loaded("manage.py", "train", "--help") & (LARGE | {"django"})


def test_the_baselines_need_no_library_of_learning(release: Path, tmp_path: Path) -> None:
    found = loaded("ml_backend/__main__.py", "train", release, tmp_path / "a", "--learner", "majority")
    assert not found & (OF_NETWORKS | OF_WORDS)


def test_a_task_loads_what_its_own_learner_needs(release: Path, tmp_path: Path) -> None:
    folder = TaskFolder(tmp_path / "s" / "job-1")
    folder.write_request(msgspec.structs.replace(train_request(release), threads=1))
    folder.beat()
    assert not loaded("ml_backend/__main__.py", "task", folder.path) & (OF_NETWORKS | OF_WORDS)
    assert folder.read_result() is not None


@pytest.mark.slow
def test_counted_words_need_no_network(release: Path, tmp_path: Path) -> None:
    adapter = tmp_path / "a"
    found = loaded("ml_backend/__main__.py", "train", release, adapter, "--learner", "tfidf-logistic")
    assert "sklearn" in found and not found & OF_NETWORKS
    (tmp_path / "new.csv").write_text("item_id,post,reply\n1,I fell. It hurts.,Oh\n")
    predicted = loaded(
        "ml_backend/__main__.py", "predict", adapter, tmp_path / "new.csv", tmp_path / "p.jsonl"
    )
    assert not predicted & OF_NETWORKS
