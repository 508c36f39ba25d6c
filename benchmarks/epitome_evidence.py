"""What words an encoder marks where it is told that the code is there: whether it knows where the words are, apart from
whether it finds the code. Marking every word is told as much, so that the two can be held against each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from annotation.release.read import read_release
from annotation.release.rows import SplitPart
from annotation.tokens import covered_tokens
from codebook.questions import ModelQuestion
from corpus.atomic_files import replace_file
from learning.scoring.evidence_overlap import token_f1
from ml_backend.adapters.folder import load_adapter
from ml_backend.encoder.learner import EncoderLora
from ml_backend.examples import Example, examples_of
from ml_backend.learners.scores import Rule, Scores, marked_spans

# By part of the split and code: the mean token F1 over items where gold has the code and words for it.
Told = dict[str, dict[str, float]]


def told_of(adapter: Path, release: Path, kept: Path) -> Told:
    """Empty for what is no encoder. Measured once and kept, since all items are read again for it."""
    if kept.exists():
        return msgspec.json.decode(kept.read_bytes(), type=Told)
    learner = load_adapter(adapter).learner
    found: Told = {}
    if isinstance(learner, EncoderLora):
        parts = (SplitPart.VALIDATION, SplitPart.TEST)
        found = {part.value: _scores(learner, examples_of(read_release(release), part)) for part in parts}
    kept.parent.mkdir(parents=True, exist_ok=True)
    replace_file(kept, msgspec.json.encode(found))
    return found


def _scores(learner: EncoderLora, examples: Sequence[Example]) -> dict[str, float]:
    said, _ = learner.scores(examples, lambda line: None)
    found: dict[str, list[float]] = {}
    for example, by_code in zip(examples, said, strict=True):
        for question in learner.questions:
            target = example.targets.get(question.code_id)
            if target is not None and target.marks and question.code_id in by_code:
                rule = learner.rules.get(question.code_id, Rule())
                score = _token_f1(example, question, by_code[question.code_id], rule)
                found.setdefault(question.code_id, []).append(score)
    return {code: float(np.mean(scores)) for code, scores in found.items()}


def _token_f1(example: Example, question: ModelQuestion, scores: Scores, rule: Rule) -> float:
    text = example.text.text_of(question.part) or ""
    spans = [(span.start, span.end) for span in marked_spans(question, scores, rule)]
    gold = covered_tokens(text, example.targets[question.code_id].marks)
    return token_f1(gold, covered_tokens(text, spans), both_empty=1.0)
