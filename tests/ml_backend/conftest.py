"""Torch on one thread, so that tests side by side do not wait for each other, and tiny models for all."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ml_backend.tiny_backbone import make_backbone


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="session")
def tiny_backbone(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_backbone(tmp_path_factory.mktemp("backbone") / "tiny")


@pytest.fixture(scope="session")
def tiny_instruct(tmp_path_factory: pytest.TempPathFactory) -> str:
    from tests.ml_backend.tiny_instruct import make_instruct

    return make_instruct(tmp_path_factory.mktemp("instruct") / "llama")
