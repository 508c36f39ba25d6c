"""Reading piece by piece, and taking back, comes to the same as reading all at once."""

from __future__ import annotations

import pytest
import torch

from ml_backend.encoder.backbone import Backbone
from ml_backend.generative.model import load_model
from ml_backend.generative.reading import Reading
from tests.ml_backend.fixtures import quiet
from tests.ml_backend.tiny_instruct import FAMILIES, make_instruct

PROMPT, ANSWER, OTHER = list(range(5, 60)), [7, 9, 11], [8, 12]


@pytest.fixture(scope="module", params=FAMILIES)
def backbone(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Backbone:
    folder = tmp_path_factory.mktemp("reading") / request.param
    return load_model(make_instruct(folder, request.param), four_bit=False, report=quiet)


def likelihood(backbone: Backbone, before: list[int], after: list[int]) -> float:
    with torch.inference_mode():
        logits = backbone.model(input_ids=torch.tensor([before + after])).logits[0].log_softmax(dim=-1)
    return sum(float(logits[len(before) + at - 1, token]) for at, token in enumerate(after))


def test_likelihoods_are_those_of_the_whole_text(backbone: Backbone) -> None:
    reading = Reading(backbone.model)
    reading.read(PROMPT[:20])
    start = reading.here
    for rest in (PROMPT[20:], PROMPT[30:]):
        reading.back_to(start)
        reading.read(rest)
        for answer in (ANSWER, OTHER, ANSWER):
            found = reading.likelihood(answer)
            assert found == pytest.approx(likelihood(backbone, PROMPT[:20] + rest, answer), abs=1e-4)


def test_the_likeliest_tokens_are_said(backbone: Backbone) -> None:
    reading = Reading(backbone.model)
    reading.read(PROMPT)
    said, sureness = reading.go_on(most=5, ends=frozenset(), is_whole=lambda ids: False)
    expected = list(PROMPT)
    for _ in range(5):
        with torch.inference_mode():
            logits = backbone.model(input_ids=torch.tensor([expected])).logits[0, -1]
        expected.append(int(logits.argmax()))
    assert said == expected[len(PROMPT) :]
    assert 0 < sureness <= 1


def test_it_stops_at_an_end_or_when_the_answer_is_whole(backbone: Backbone) -> None:
    reading = Reading(backbone.model)
    reading.read(PROMPT)
    before = reading.here
    said, _ = reading.go_on(most=4, ends=frozenset(), is_whole=lambda ids: False)
    reading.back_to(before)
    assert reading.go_on(most=4, ends=frozenset({said[0]}), is_whole=lambda ids: False)[0] == []
    reading.back_to(before)
    assert reading.go_on(most=4, ends=frozenset(), is_whole=lambda ids: len(ids) == 2)[0] == said[:2]
