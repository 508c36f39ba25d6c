"""Secrets are made once, agreed upon by all processes, and readable by their owner alone."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from dataclasses import asdict, astuple
from pathlib import Path

import pytest

from backend.secrets_file import SecretsFileError, load_or_create_secrets

ROOT = Path(__file__).resolve().parents[2]
PROCESS = """
import sys, time
from dataclasses import astuple
from pathlib import Path
from backend.secrets_file import load_or_create_secrets
start, path = Path(sys.argv[1]), Path(sys.argv[2])
print("ready", flush=True)
while not start.exists():
    pass
print(*astuple(load_or_create_secrets(path)))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "instance" / "secrets.json"


def test_secrets_are_made_once_and_then_kept(path: Path) -> None:
    first = load_or_create_secrets(path)
    assert load_or_create_secrets(path) == first
    assert all(len(secret) >= 14 for secret in astuple(first))
    assert len(set(astuple(first))) == len(astuple(first))


def test_two_instances_share_no_secret(path: Path, tmp_path: Path) -> None:
    other = load_or_create_secrets(tmp_path / "other.json")
    assert set(astuple(load_or_create_secrets(path))).isdisjoint(astuple(other))


def test_only_the_owner_can_read_the_file_and_no_draft_is_left(path: Path) -> None:
    load_or_create_secrets(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secrets.json"]


def test_processes_that_start_at_once_agree(path: Path, tmp_path: Path) -> None:
    start = tmp_path / "start"
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", PROCESS, str(start), str(path)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    start.touch()
    answers = {process.communicate(timeout=30)[0] for process in processes}
    assert answers == {" ".join(astuple(load_or_create_secrets(path))) + "\n"}


def test_a_file_that_others_can_read_is_refused_with_the_remedy(path: Path) -> None:
    load_or_create_secrets(path)
    path.chmod(0o640)
    with pytest.raises(SecretsFileError, match=f"run chmod 600 {path}"):
        load_or_create_secrets(path)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"secret_key": "a"}', '{"unknown": 1}', "\ufffd"])
def test_a_damaged_file_is_refused_and_left_as_it_is(path: Path, content: str) -> None:
    path.parent.mkdir()
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(SecretsFileError, match="is damaged"):
        load_or_create_secrets(path)
    assert path.read_text() == content


def test_a_file_of_an_earlier_version_is_given_what_it_lacks(path: Path) -> None:
    made = load_or_create_secrets(path)
    older = {name: value for name, value in asdict(made).items() if name != "ml_server_password"}
    path.write_text(json.dumps(older))
    completed = load_or_create_secrets(path)
    assert {name: value for name, value in asdict(completed).items() if name in older} == older
    assert len(completed.ml_server_password) >= 16
    assert load_or_create_secrets(path) == completed
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["secrets.json"]


def test_an_error_never_shows_a_secret(path: Path) -> None:
    made = load_or_create_secrets(path)
    content = json.loads(path.read_text())
    content["extra"] = "more"
    path.write_text(json.dumps(content))
    with pytest.raises(SecretsFileError) as refused:
        load_or_create_secrets(path)
    assert not any(secret in str(refused.value) for secret in astuple(made))
