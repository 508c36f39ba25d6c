"""What the Ray pool asks for before it starts: settings, a token that is kept, a cluster that answers."""

from __future__ import annotations

import os
import re
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from ml_backend.pools.choice import PoolMisconfigured, cluster_pool
from ml_backend.pools.interface import Cell, Work
from ml_backend.pools.ray import (
    ClusterNotReached,
    RayNotInstalled,
    RayPool,
    TokenNotKept,
    require_closed_cluster,
    require_token,
)

ROOT = Path(__file__).resolve().parents[3]
NOBODY = "127.0.0.1:1"


def test_it_is_told_by_the_environment() -> None:
    given = {"ML_RAY_ADDRESS": "10.0.0.5:6379", "ML_LABEL_GPUS_EACH": "0.5", "ML_LABEL_THREADS": "4"}
    assert cluster_pool(given) == RayPool("10.0.0.5:6379", threads=4, gpus=0.5)
    given |= {"ML_LABEL_GPUS_EACH": "", "ML_LABEL_THREADS": ""}
    assert cluster_pool(given) == RayPool("10.0.0.5:6379", threads=1, gpus=0)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ML_RAY_ADDRESS", ""),
        ("ML_RAY_ADDRESS", "auto"),
        ("ML_LABEL_GPUS_EACH", "-1"),
        ("ML_LABEL_GPUS_EACH", "1.5"),
        ("ML_LABEL_GPUS_EACH", "99"),
        ("ML_LABEL_THREADS", "0"),
        ("ML_LABEL_THREADS", "two"),
    ],
)
def test_a_value_that_is_not_allowed_is_named(name: str, value: str) -> None:
    with pytest.raises(PoolMisconfigured, match=f"{name}={value!r} is not allowed"):
        cluster_pool({"ML_RAY_ADDRESS": "10.0.0.5:6379", name: value})


@pytest.fixture
def token(tmp_path: Path) -> Path:
    path = tmp_path / ".ray/auth_token"
    path.parent.mkdir()
    path.touch(mode=0o600)
    path.write_text("a" * 64)
    return path


def test_a_token_that_this_user_alone_can_read_is_enough(token: Path, tmp_path: Path) -> None:
    home = tmp_path / "elsewhere"
    require_token({"RAY_AUTH_MODE": "token"}, tmp_path)
    require_token({"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(token)}, home)
    require_token({"RAY_AUTH_MODE": "TOKEN", "RAY_AUTH_TOKEN": "a" * 64}, home)


def test_without_one_nothing_runs(token: Path, tmp_path: Path) -> None:
    with pytest.raises(TokenNotKept, match="RAY_AUTH_MODE is not `token`"):
        require_token({}, tmp_path)
    with pytest.raises(TokenNotKept, match="cannot be read"):
        require_token({"RAY_AUTH_MODE": "token"}, tmp_path / "elsewhere")
    token.write_text("\n")
    with pytest.raises(TokenNotKept, match="is empty"):
        require_token({"RAY_AUTH_MODE": "token"}, tmp_path)


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o620, 0o601])
def test_one_that_others_can_reach_is_refused(token: Path, tmp_path: Path, mode: int) -> None:
    token.chmod(mode)
    with pytest.raises(TokenNotKept, match=r"chmod 600"):
        require_token({"RAY_AUTH_MODE": "token"}, tmp_path)


def test_a_run_asks_for_the_token_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAY_AUTH_MODE", raising=False)
    with pytest.raises(TokenNotKept):
        RayPool(NOBODY).run(Work("math.sqrt"), [Cell(0, b"")])


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_AUTH_MODE", "token")
    monkeypatch.setenv("RAY_AUTH_TOKEN", "a" * 64)
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(RayNotInstalled, match=r"requirements/cluster\.txt"):
        RayPool(NOBODY).run(Work("math.sqrt"), [Cell(0, b"")])


def test_a_cluster_that_does_not_answer_is_named_at_once() -> None:
    with pytest.raises(ClusterNotReached, match=r"answers at 127\.0\.0\.1:1 .*ray start"):
        require_closed_cluster(NOBODY, os.environ)


def test_what_docs_and_compose_say_to_ray_it_understands() -> None:
    """Every option of `ray start` and `ray symmetric-run`, and one version everywhere."""
    from ray.scripts.scripts import start

    known = {name for option in start.params for name in option.opts} | {"--min-nodes"}
    docs, compose = (ROOT / "docs" / "scaling.md").read_text(), (ROOT / "compose.ray.yml").read_text()
    commands = re.findall(r"ray (?:start|symmetric-run) (?:[^\n]|\\\n)*?(?=(?<!\\)\n| -- )", docs)
    commands += re.findall(r"ray start --head.*?&&|\[ray, start.*?\]", compose, re.DOTALL)
    said = {option for command in commands for option in re.findall(r"--[a-z-]+", command)}
    assert len(said) >= 14 and said <= known
    assert set(re.findall(r"ray\[default\]==([\d.]+)|rayVersion: \"([\d.]+)\"", docs)) == {
        (version("ray"), ""),
        ("", version("ray")),
    }
