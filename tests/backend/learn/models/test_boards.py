"""A column for each kind of model: other backbones are other columns, other rates and seeds are not."""

from __future__ import annotations

import msgspec
import pytest

from annotation.release.rows import SplitPart
from backend.decide.releases.models import Release
from backend.learn.models.boards import Board, board_of
from backend.learn.models.models import Adapter
from learning.scoring.leaderboard_tables import csv_board, latex_board
from tests.backend.learn.models.fixtures import train

pytestmark = pytest.mark.django_db


def as_if(release: Release, learner: str, seed: int, **config: object) -> Adapter:
    """The measures of a quick learner under the name of a large one: a board reads nothing but cards."""
    adapter = train(release, "random", seed=seed)
    card = adapter.read_card()
    told = msgspec.structs.replace(card, learner=learner, config={"input": "pair", **config})
    Adapter.objects.filter(pk=adapter.pk).update(learner=learner, card=msgspec.json.encode(told).decode())
    return adapter


def board(release: Release, *, every: bool = False) -> Board:
    found = board_of(release, SplitPart.TEST, every=every)
    assert found is not None
    return found


def test_models_that_differ_by_backbone_are_columns_of_their_own(release: Release) -> None:
    as_if(release, "generative-lora", 1, backbone="models/phi-3-mini", learning_rate=1e-5)
    as_if(release, "generative-lora", 2, backbone="models/phi-3-mini/", learning_rate=2e-5)
    as_if(release, "generative-lora", 3, backbone="mistralai/mistral-7b")
    as_if(release, "encoder-lora", 4, backbone="all-mpnet", full=False)
    as_if(release, "encoder-lora", 5, backbone="all-mpnet", full=True)
    found = board(release)
    expected = (
        "Encoder with LoRA, all-mpnet",
        "Encoder with LoRA, all-mpnet, all weights",
        "Instruct model with LoRA, mistral-7b",
        "Instruct model with LoRA, phi-3-mini",
    )
    assert tuple(run.learner for run in found.table.runs) == expected
    assert found.n_others == (0, 0, 0, 1)
    assert all(name in csv_board(found.table) and name in latex_board(found.table) for name in expected)
    assert "Instruct model with LoRA, phi-3-mini (2)" in [
        run.learner for run in board(release, every=True).table.runs
    ]


def test_backbones_that_end_alike_are_told_apart(release: Release) -> None:
    as_if(release, "encoder-lora", 1, backbone="first/final")
    as_if(release, "encoder-lora", 2, backbone="second/final")
    assert [run.learner for run in board(release).table.runs] == [
        "Encoder with LoRA, first/final",
        "Encoder with LoRA, second/final",
    ]
