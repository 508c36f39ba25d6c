"""What a worker does for the table: it trains a variant with a seed, and measures it on the test part."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec
import numpy as np
from numpy.typing import NDArray

from codebook.editions import codebook_from_canonical
from codebook.questions import ModelQuestion, model_questions
from codebook.schema import AnswerKind
from learning.cause_table.cells import CellAnswer
from learning.predictions.rows import CodePrediction, ItemPrediction
from learning.scoring.roc_auc import roc_auc
from ml_backend.co_attention.learner import CoAttentionLearner
from ml_backend.co_attention.preparing import VectorMemory
from ml_backend.examples import Example, labelled_questions
from ml_backend.learners.interface import Learner
from ml_backend.learners.registry import learner_type, make_config
from ml_backend.learners.scores import Rule
from ml_backend.learners.sentence_labels import marked_sentences


class SharedTable(msgspec.Struct, frozen=True):
    """All that a worker is given before its first cell; the codebook in its canonical form."""

    codebook: str
    train: tuple[Example, ...]
    validation: tuple[Example, ...]
    test: tuple[Example, ...]


class CellRequest(msgspec.Struct, frozen=True):
    learner: str
    options: dict[str, object]
    seed: int


@dataclass
class Bench:
    """Backbones that do not learn read each sentence once for all cells of a worker."""

    table: SharedTable
    memory: VectorMemory = field(default_factory=dict)


def set_up(shared: bytes) -> Bench:
    return Bench(msgspec.msgpack.decode(shared, type=SharedTable))


def run_cell(bench: Bench, payload: bytes) -> bytes:
    table = bench.table
    request = msgspec.msgpack.decode(payload, type=CellRequest)
    kind = learner_type(request.learner)
    asked = model_questions(codebook_from_canonical(table.codebook))
    questions = labelled_questions(
        (each for each in asked if each.answer is AnswerKind.SENTENCES), table.train
    )
    learner = kind(questions, make_config(kind, request.options))
    if isinstance(learner, CoAttentionLearner):
        learner.memory = bench.memory
    learner.fit(table.train, table.validation, seed=request.seed, report=_ignore)
    return msgspec.msgpack.encode(measure(learner, table.test, questions))


def _ignore(line: str) -> None:
    """Lines of many trainings at once tell nobody anything."""


def measure(learner: Learner, test: Sequence[Example], questions: Sequence[ModelQuestion]) -> CellAnswer:
    rules: Mapping[str, Rule] = getattr(learner, "rules", {})
    scored = with_every_sentence(learner).predict(test, adapter_id="", report=_ignore)
    predictions = tuple(_by_rules(each, rules) for each in scored)
    accuracy, areas = {}, {}
    for question in questions:
        gold, scores = _side_by_side(question, test, scored)
        _, said = _side_by_side(question, test, predictions)
        accuracy[question.code_id] = float(((said > 0) == gold).mean())
        areas[question.code_id] = roc_auc(scores, gold)
    return CellAnswer(predictions, accuracy, areas)


def with_every_sentence(learner: Learner) -> Learner:
    """The same learner, which marks every sentence with its score; one without thresholds marks what it marks."""
    rules: Mapping[str, Rule] | None = getattr(learner, "rules", None)
    if rules is None:
        return learner
    found = copy.copy(learner)
    codes = [question.code_id for question in learner.questions]
    low = {code: msgspec.structs.replace(rules.get(code, Rule()), mark_threshold=0.0) for code in codes}
    found.rules = low  # type: ignore[attr-defined]
    return found


def _by_rules(prediction: ItemPrediction, rules: Mapping[str, Rule]) -> ItemPrediction:
    codes = tuple(
        _by_rule(code, rules[code.code_id]) if code.code_id in rules else code for code in prediction.codes
    )
    return ItemPrediction(prediction.item_id, codes, prediction.adapter_id, prediction.n_truncated)


def _by_rule(code: CodePrediction, rule: Rule) -> CodePrediction:
    spans = tuple(span for span in code.spans if span.score >= rule.mark_threshold)
    return CodePrediction(code.code_id, int(bool(spans)), code.probabilities, spans)


def _side_by_side(
    question: ModelQuestion, test: Sequence[Example], predictions: Sequence[ItemPrediction]
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Of every labelled sentence whether gold marks it, and the score of its mark, 0 where there is none."""
    by_item = {each.item_id: each.of(question.code_id) for each in predictions}
    gold: list[NDArray[np.bool_]] = [np.zeros(0, dtype=bool)]
    scores: list[NDArray[np.float64]] = [np.zeros(0)]
    for example in test:
        labelled, said = marked_sentences(question, example), by_item.get(example.item_id)
        if labelled is None or said is None:
            continue
        by_place = {(span.start, span.end): span.score for span in said.spans}
        gold.append(labelled.marked)
        places = example.text.sentences_of(question.part)
        scores.append(np.array([by_place.get(place, 0.0) for place in places]))
    return np.concatenate(gold), np.concatenate(scores)
