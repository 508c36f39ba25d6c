"""A report is a folder, with the same bytes for the same input."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.report.content import decode_manifest, decode_report
from analysis.report.files import FolderTaken, write_report
from tests.analysis.report.written_report import small_report


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("report") / "report-1"
    write_report(made, small_report(), inputs={"labels": "ab" * 32, "corpus": "cd" * 32})
    return made


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
def test_the_folder_has_what_can_be_pasted(folder: Path) -> None:
    names = set(files_of(folder))
    assert {"report.json", "methods.md", "methods.tex", "manifest.json"} <= names
    for table in small_report().tables:
        assert {f"tables/{table.name}.csv", f"tables/{table.name}.tex"} <= names
    for chart in small_report().charts:
        assert {f"figures/{chart.name}.{end}" for end in ("pdf", "svg", "tex")} <= names
    assert decode_report((folder / "report.json").read_bytes()) == small_report()


@pytest.mark.slow
def test_no_two_tables_or_figures_have_one_name() -> None:
    for named in (small_report().tables, small_report().charts):
        names = [each.name for each in named]
        assert len(set(names)) == len(names)


@pytest.mark.slow
def test_the_manifest_has_the_hash_of_every_file_and_of_what_went_in(folder: Path) -> None:
    manifest = decode_manifest((folder / "manifest.json").read_bytes())
    found = {name: content for name, content in files_of(folder).items() if name != "manifest.json"}
    assert manifest.files == {name: hashlib.sha256(content).hexdigest() for name, content in found.items()}
    assert manifest.inputs == {"labels": "ab" * 32, "corpus": "cd" * 32}
    assert list(manifest.inputs) == ["corpus", "labels"]


@pytest.mark.slow
def test_a_folder_with_something_in_it_is_left_alone(folder: Path) -> None:
    before = files_of(folder)
    with pytest.raises(FolderTaken, match="name a folder that is not there"):
        write_report(folder, small_report(), inputs={})
    assert files_of(folder) == before


@pytest.mark.slow
def test_other_processes_write_the_same_bytes(tmp_path: Path) -> None:
    """With other hashes of strings, other threads, another home and another day's settings of matplotlib."""
    (tmp_path / "matplotlibrc").write_text("font.size: 20\n")
    runs = []
    for at, threads in enumerate(("1", "2")):
        folder = tmp_path / f"report-{at}"
        changed = {"PYTHONHASHSEED": str(at + 1), "OMP_NUM_THREADS": threads, "TZ": f"UTC{at}"}
        if at:
            changed["MATPLOTLIBRC"] = str(tmp_path / "matplotlibrc")
        command = [sys.executable, "-m", "tests.analysis.report.written_report", str(folder)]
        subprocess.run(command, check=True, env=os.environ | changed)
        runs.append(files_of(folder))
    assert runs[0] == runs[1]
    here = tmp_path / "here"
    write_report(here, small_report(), inputs={"labels": "ab" * 32})
    assert files_of(here) == runs[0]


def test_reading_a_report_loads_nothing_that_draws_or_computes() -> None:
    """Every web process does so."""
    asked = "import sys; import analysis.report.content, analysis.report.content; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", asked], check=True, capture_output=True, text=True).stdout
    assert not {"matplotlib", "scipy", "statsmodels", "polars"} & set(found.split())
