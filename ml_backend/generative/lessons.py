"""Prompts with their right answers as tensors, of which only the answers are learned."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import cross_entropy

from ml_backend.examples import Example
from ml_backend.generative.gold import gold_pieces, is_finished
from ml_backend.generative.prompts import Prompting

# What the loss of torch leaves out.
NOT_LEARNED = -100


@dataclass(frozen=True, slots=True)
class Lesson:
    """A prompt and its answer as tokens; `weight` is that of the label."""

    prompt: tuple[int, ...]
    answer: tuple[int, ...]
    weight: float
    item_id: str
    n_truncated: int

    @property
    def length(self) -> int:
        return len(self.prompt) + len(self.answer)


@dataclass(frozen=True, slots=True)
class LessonTensors:
    """Padded on the left, so that all answers end together; `labels` are -100 wherever nothing is learned."""

    ids: Tensor
    is_token: Tensor
    labels: Tensor
    weights: Tensor


def lessons_of(
    prompting: Prompting, examples: Sequence[Example], *, evidence: bool, end: int
) -> list[Lesson]:
    """Of those with a label that says something; `end` is the token after a whole answer."""
    found = []
    for example in examples:
        target = example.targets.get(prompting.question.code_id)
        if target is None or not example.asks(prompting.question):
            continue
        prompt = prompting.prompt(example)
        pieces = gold_pieces(prompting, example, prompt.shown, evidence=evidence)
        answer = [token for piece in pieces for token in prompting.piece(piece)]
        answer += [end] if is_finished(pieces) else []
        found.append(
            Lesson(prompt.ids, tuple(answer), target.weight, example.item_id, prompt.shown.n_truncated)
        )
    return found


def lesson_tensors(lessons: Sequence[Lesson], pad: int) -> LessonTensors:
    width = max(each.length for each in lessons)
    ids = torch.full((len(lessons), width), pad)
    labels = torch.full_like(ids, NOT_LEARNED)
    is_token = torch.zeros_like(ids)
    for row, each in enumerate(lessons):
        ids[row, width - each.length :] = torch.tensor(each.prompt + each.answer)
        is_token[row, width - each.length :] = 1
        labels[row, width - len(each.answer) :] = torch.tensor(each.answer)
    return LessonTensors(ids, is_token, labels, torch.tensor([each.weight for each in lessons]))


def loss_of(model: Any, tensors: LessonTensors) -> Tensor:
    """Each answer's mean over its tokens, by its weight: a long answer counts no more than a short one."""
    device = model.device
    answers = (tensors.labels != NOT_LEARNED).sum(dim=1)
    longest = int(answers.max())
    found = model(
        input_ids=tensors.ids.to(device),
        attention_mask=tensors.is_token.to(device),
        position_ids=(tensors.is_token.cumsum(dim=1) - 1).clamp(min=0).to(device),
        logits_to_keep=longest + 1,
        use_cache=False,
    )
    logits = found.logits[:, :-1].float().transpose(1, 2)
    labels = tensors.labels[:, -longest:].to(device)
    losses = cross_entropy(logits, labels, ignore_index=NOT_LEARNED, reduction="none").sum(dim=1)
    return losses / answers.to(device) * tensors.weights.to(device)
