"""Micromodels as a learner: seeds from the training part, likeness to them as features, curves on top."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Self

import msgspec
import numpy as np

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind
from learning.additive_curves import AdditiveModel
from learning.predictions.explanations import ItemExplanation
from learning.predictions.rows import ItemPrediction
from ml_backend.co_attention.config import Pooling
from ml_backend.co_attention.learner import report_cut
from ml_backend.co_attention.sentence_encoder import SentenceEncoder
from ml_backend.encoder.backbone import load_backbone
from ml_backend.encoder.learner import NotFitted, OtherBackbone
from ml_backend.examples import Example
from ml_backend.learners.calibration import find_overlaps, fitted_rules
from ml_backend.learners.checkpoint import Checkpoint
from ml_backend.learners.interface import (
    Config,
    Input,
    Learner,
    OnPoint,
    Report,
    context_of,
    read_settings,
    write_settings,
)
from ml_backend.learners.scores import Numbers, Rule, Scores, item_prediction
from ml_backend.micromodels.bank import Micromodel, group_seeds
from ml_backend.micromodels.boosting import fit_curves
from ml_backend.micromodels.config import MicromodelsConfig
from ml_backend.micromodels.evidence import Words, show_likest
from ml_backend.micromodels.explaining import explain_items
from ml_backend.micromodels.features import Features, Likeness, Read, parts_read, read_parts
from ml_backend.micromodels.reading import Sentences, Vectors
from ml_backend.micromodels.seeds import NoMarkedWords, Seed, order_seeds, seeds_of
from ml_backend.micromodels.stored import read_models, write_models

# So many items are read together: sentences that they share are read once.
ITEMS_TOGETHER = 512


class _Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    config: MicromodelsConfig
    backbone_sha256: str
    rules: dict[str, Rule]


class MicromodelsLearner(Learner):
    name: ClassVar = "micromodels"
    inputs: ClassVar = (Input.ALONE, Input.PAIR)
    answers: ClassVar = (AnswerKind.TICK, AnswerKind.LEVELS, AnswerKind.SENTENCES)
    config_type: ClassVar = MicromodelsConfig

    def __init__(self, questions: Sequence[ModelQuestion], config: Config) -> None:
        super().__init__(questions, config)
        self.features: dict[str, Features] = {}
        self.models: dict[str, AdditiveModel] = {}
        self.rules: dict[str, Rule] = {}
        self._backbone_sha256 = ""
        self._encoder: SentenceEncoder | None = None

    def fit(
        self,
        train: Sequence[Example],
        dev: Sequence[Example],
        *,
        seed: int,
        report: Report,
        checkpoint: Checkpoint | None = None,
        on_point: OnPoint | None = None,
    ) -> None:
        seeds = self._seeds(train, report)
        self._load_backbone(report)
        sentences = Sentences()
        parts = parts_read(self.questions, self.config.input)
        read, read_dev = (Read(on, read_parts(on, parts, sentences), sentences) for on in (train, dev))
        rows = {code: [sentences.row(each.text) for each in own] for code, own in seeds.items()}
        report(f"Reading {len(sentences.rows):,} different sentences")
        sentences.read(self.encoder, self.config.endings)
        report_cut(
            [sentences.n_truncated(list(each.values())) for each in (*read.parts, *read_dev.parts)], report
        )
        self._make_features(
            {
                each.code_id: self._group(each, seeds[each.code_id], sentences.vectors[rows[each.code_id]])
                for each in self.questions
            }
        )
        likeness = self._likeness(read)
        for code, features in self.features.items():
            n_seeds = sum(len(each.seeds) for each in features.micromodels)
            report(f"Fitting {code}: {n_seeds:,} seeds, {len(features.micromodels):,} micromodels")
            self.models[code] = self._fit(features, read, likeness, seed)
        rules = fitted_rules(self.questions, dev, self._scores(read_dev))
        self.rules = {code: self._with_threshold(rule) for code, rule in rules.items()}

    def _with_threshold(self, rule: Rule) -> Rule:
        if self.config.threshold is None:
            return rule
        return msgspec.structs.replace(rule, mark_threshold=self.config.threshold)

    def _seeds(self, train: Sequence[Example], report: Report) -> dict[str, tuple[Seed, ...]]:
        found = {question.code_id: seeds_of(question, train) for question in self.questions}
        without = [code for code, seeds in found.items() if not seeds]
        if len(without) == len(found):
            raise NoMarkedWords(without)
        if without:
            report(f"Not learned, because no words are marked for it: {', '.join(without)}")
            self.questions = tuple(each for each in self.questions if found[each.code_id])
        return found

    def _group(
        self, question: ModelQuestion, seeds: Sequence[Seed], vectors: Vectors
    ) -> tuple[Micromodel, ...]:
        n = self.config.seeds_per_code
        if n:
            kept = order_seeds(seeds, vectors.astype(np.float64), n)
            seeds, vectors = [seeds[at] for at in kept], vectors[kept]
        return group_seeds(question.code_id, question.part, seeds, vectors, self.config.groups)

    def _make_features(self, micromodels: Mapping[str, tuple[Micromodel, ...]]) -> None:
        for question in self.questions:
            others = {
                each.code_id: micromodels[each.code_id]
                for each in self.questions
                if each.part is question.part and each is not question
            }
            context = context_of(question, self.config.input)
            self.features[question.code_id] = Features(
                question, micromodels[question.code_id], others, context
            )

    def _likeness(self, read: Read) -> dict[str, Numbers]:
        codes = (question.code_id for question in self.questions)
        return {code: self.features[code].of_sentences(read.sentences) for code in codes}

    def _fit(self, features: Features, read: Read, likeness: Likeness, seed: int) -> AdditiveModel:
        question = features.question
        values = [each.value for each in question.values]
        rows, gold, weights = [], [], []
        for example, parts in zip(read.examples, read.parts, strict=True):
            target = example.targets.get(question.code_id)
            if target is None or not example.asks(question):
                continue
            own = features.rows(parts, read.sentences, likeness, without=example.item_id)
            if question.answer is AnswerKind.SENTENCES:
                gold += find_overlaps(parts[question.part].places, target.marks).astype(int).tolist()
            else:
                gold.append(values.index(target.value))
            rows.append(own)
            weights += [target.weight] * len(own)
        shares = np.bincount(gold, minlength=len(values))[gold] / max(len(gold), 1)
        return fit_curves(
            np.vstack(rows),
            features.names,
            gold,
            np.array(weights) / shares**self.config.balance,
            len(values),
            bags=self.config.bags,
            seed=seed,
        )

    def predict(
        self, examples: Sequence[Example], *, adapter_id: str, report: Report
    ) -> tuple[ItemPrediction, ...]:
        found = [each for read in self.read(examples) for each in self._predict(read, adapter_id)]
        report_cut([each.n_truncated for each in found], report)
        return tuple(found)

    def explain(self, examples: Sequence[Example], *, adapter_id: str) -> Iterator[ItemExplanation]:
        for read in self.read(examples):
            predictions = {each.item_id: each for each in self._predict(read, adapter_id)}
            yield from explain_items(read, predictions, self.features, self.models)

    def _predict(self, read: Read, adapter_id: str) -> Iterator[ItemPrediction]:
        for example, parts, said in zip(read.examples, read.parts, self._scores(read), strict=True):
            rules = {code: show_likest(self.rules.get(code, Rule()), scores) for code, scores in said.items()}
            n_cut = read.sentences.n_truncated(list(parts.values()))
            found = item_prediction(
                example, self.questions, said, rules, adapter_id=adapter_id, n_truncated=n_cut
            )
            if found is not None:
                yield found

    def read(self, examples: Sequence[Example]) -> Iterator[Read]:
        """Some at a time."""
        parts = parts_read(self.questions, self.config.input)
        for first in range(0, len(examples), ITEMS_TOGETHER):
            some = examples[first : first + ITEMS_TOGETHER]
            sentences = Sentences()
            read = Read(some, read_parts(some, parts, sentences), sentences)
            sentences.read(self.encoder, self.config.endings)
            yield read

    def _scores(self, read: Read) -> list[dict[str, Scores]]:
        found: list[dict[str, Scores]] = [{} for _ in read.examples]
        words = [Words(example) for example in read.examples]
        likeness = self._likeness(read)
        for question in self.questions:
            features = self.features[question.code_id]
            asked = [at for at, example in enumerate(read.examples) if example.asks(question)]
            if not asked:
                continue
            rows = [features.rows(read.parts[at], read.sentences, likeness) for at in asked]
            logits = self.models[question.code_id].logits(np.vstack(rows))
            ends = np.cumsum([len(each) for each in rows])[:-1]
            for at, own in zip(asked, np.split(logits, ends), strict=True):
                part = read.parts[at][question.part]
                if question.answer is AnswerKind.SENTENCES:
                    said = Scores(np.zeros(0), part.places, own[:, 1] - own[:, 0])
                elif not self.config.evidence:
                    said = Scores(own[0])
                else:
                    highest = likeness[question.code_id][list(part.own_rows)].max(axis=1, initial=0.0)
                    said = words[at].scores(own[0], question.part, part.places, highest)
                found[at][question.code_id] = said
        return found

    def seeds(self) -> dict[str, tuple[str, ...]]:
        """By code, the most telling first where each is a micromodel of its own."""
        return {
            code: tuple(seed.text for micromodel in features.micromodels for seed in micromodel.seeds)
            for code, features in self.features.items()
        }

    def save(self, folder: Path) -> None:
        write_settings(folder, _Settings(self.config, self._backbone_sha256, self.rules))
        write_models(folder, self.features, self.models)

    @classmethod
    def load(cls, folder: Path, questions: Sequence[ModelQuestion]) -> Self:
        settings = read_settings(folder, _Settings)
        found, models = read_models(folder, questions)
        learner = cls([question for question in questions if question.code_id in found], settings.config)
        learner.models = models
        learner._make_features(found)
        learner.rules = settings.rules
        learner._load_backbone(lambda line: None)
        if learner._backbone_sha256 != settings.backbone_sha256:
            raise OtherBackbone(settings.config.backbone)
        return learner

    def _load_backbone(self, report: Report) -> None:
        backbone = load_backbone(self.config.backbone, report)
        self._backbone_sha256 = backbone.fingerprint()
        backbone.model.requires_grad_(False)
        self._encoder = SentenceEncoder(backbone, self.config.max_tokens, Pooling.MEAN)

    @property
    def encoder(self) -> SentenceEncoder:
        if self._encoder is None:
            raise NotFitted
        return self._encoder
