"""The co-attention network as a learner: which sentences of a text another text answers to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, Self

import msgspec
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from codebook.questions import ModelQuestion
from codebook.schema import AnswerKind
from learning.predictions.rows import ItemPrediction
from ml_backend.co_attention.batches import scores_of
from ml_backend.co_attention.config import CoAttentionConfig
from ml_backend.co_attention.network import Networks
from ml_backend.co_attention.preparing import Prepared, SentenceList, VectorMemory, prepare
from ml_backend.co_attention.relations import (
    COLUMNS,
    Scaling,
    scaling_of,
    with_network_rows,
    with_relations,
)
from ml_backend.co_attention.sentence_encoder import SentenceEncoder
from ml_backend.co_attention.sentence_trees import SentenceTrees
from ml_backend.co_attention.training import Training, Whole
from ml_backend.encoder.backbone import load_backbone
from ml_backend.encoder.layers import check_layers, freeze
from ml_backend.encoder.learner import NotFitted, OtherBackbone
from ml_backend.examples import Example
from ml_backend.gradients.epochs import Watch
from ml_backend.gradients.training_state import take_weights, trained_weights
from ml_backend.learners.calibration import fitted_rules
from ml_backend.learners.checkpoint import Checkpoint
from ml_backend.learners.continuing import check_parent, report_begun
from ml_backend.learners.interface import (
    Config,
    Input,
    Learner,
    OnPoint,
    Report,
    WeightsUnreadable,
    read_settings,
    write_settings,
)
from ml_backend.learners.position_features import KnownValues, dense_width, known_values
from ml_backend.learners.scores import Rule, Scores, item_prediction
from ml_backend.learners.sentence_labels import two_sided_questions

WEIGHTS = "network.safetensors"
# So many items are read together when a model predicts: sentences that they share are read once.
ITEMS_TOGETHER = 512


class _Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    config: CoAttentionConfig
    backbone_sha256: str
    codes: tuple[str, ...]
    known: dict[str, tuple[str, ...]]
    scaling: Scaling
    rules: dict[str, Rule]


class CoAttentionLearner(Learner):
    name: ClassVar = "co-attention"
    inputs: ClassVar = (Input.BI_ENCODER,)
    answers: ClassVar = (AnswerKind.SENTENCES,)
    config_type: ClassVar = CoAttentionConfig

    def __init__(self, questions: Sequence[ModelQuestion], config: Config) -> None:
        super().__init__(questions, config)
        self.known: dict[str, tuple[str, ...]] = {}
        self.rules: dict[str, Rule] = {}
        self.scaling: Scaling = ((), ())
        self.trees: SentenceTrees | None = None
        # Given by who trains several on the same texts.
        self.memory: VectorMemory | None = None
        self._backbone_sha256 = ""
        self._encoder: SentenceEncoder | None = None
        self._whole: Whole | None = None
        self._parent: CoAttentionLearner | None = None

    def begin_from(self, parent: Learner) -> None:
        self._parent = check_parent(self, parent)

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
        self.questions = two_sided_questions(self.questions, train, report)
        # Which inputs a network has, hangs on the values that are known
        parent = self._parent
        self.known = parent.known if parent else known_values(train)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self._load_backbone(report)
            self._make_network()
            inherited = self._take_inherited(report)
            sentences = SentenceList()
            prepared = prepare(train, self.questions, self.known, sentences)
            prepared_dev = prepare(dev, self.questions, self.known, sentences)
            self._read(sentences, report)
            report_cut([sentences.n_truncated(each) for each in (*prepared, *prepared_dev)], report)
            if self.config.has_relations:
                prepared = with_relations(prepared, sentences)
                prepared_dev = with_relations(prepared_dev, sentences)
                self.scaling = parent.scaling if parent else scaling_of(prepared)
            self._grow_trees(prepared, sentences, seed, report)
            training = Training(
                whole=self.whole,
                encoder=self.encoder,
                sentences=sentences,
                questions=self.questions,
                config=self.config,
                train=self._network_rows(prepared),
                dev=self._network_rows(prepared_dev),
                watch=Watch(report, self._backbone_sha256, checkpoint, on_point),
                inherited=inherited,
            )
            training.run(seed)
            self.encoder.halves = None
        self.rules = fitted_rules(self.questions, dev, self.scores(dev)[0])

    def _take_inherited(self, report: Report) -> frozenset[str]:
        """The codes that need not begin anew."""
        if self._parent is None:
            return frozenset()
        take_weights(self.whole, trained_weights(self._parent.whole))
        codes = frozenset(question.code_id for question in self._parent.questions)
        self._parent = None
        report_begun(self.questions, codes, report)
        return codes

    def _read(self, sentences: SentenceList, report: Report) -> None:
        """What stays as it is, is read once."""
        sentences.tokenize(self.encoder)
        n = f"{len(sentences.windows):,} sentences"
        if not self.config.train_backbone:
            report(f"Reading {n} once with the backbone")
            sentences.read(self.encoder, self.memory)
        elif self.config.frozen_layers:
            report(f"Reading {n} once with the lowest {self.config.frozen_layers} layers")
            self.encoder.split(self.config.frozen_layers)
            self.encoder.remember(sentences.windows)

    def _grow_trees(
        self, prepared: Sequence[Prepared], sentences: SentenceList, seed: int, report: Report
    ) -> None:
        if self.config.n_trees:
            report(f"Growing {self.config.n_trees} trees")
            self.trees = SentenceTrees.grow(
                self.questions, prepared, sentences, self._placed, n_trees=self.config.n_trees, seed=seed
            )

    @property
    def _placed(self) -> KnownValues | None:
        return self.known if self.config.positions else None

    def _network_rows(self, prepared: Sequence[Prepared]) -> list[Prepared]:
        return with_network_rows(prepared, positions=self.config.positions, scaling=self.scaling)

    def predict(
        self, examples: Sequence[Example], *, adapter_id: str, report: Report
    ) -> tuple[ItemPrediction, ...]:
        scores, n_truncated = self.scores(examples)
        report_cut(n_truncated, report)
        found = (
            item_prediction(example, self.questions, said, self.rules, adapter_id=adapter_id, n_truncated=n)
            for example, said, n in zip(examples, scores, n_truncated, strict=True)
        )
        return tuple(prediction for prediction in found if prediction is not None)

    def scores(self, examples: Sequence[Example]) -> tuple[list[dict[str, Scores]], list[int]]:
        """Raw, in the order of the examples, and how many tokens of each were not read."""
        found: list[dict[str, Scores]] = []
        n_truncated: list[int] = []
        for first in range(0, len(examples), ITEMS_TOGETHER):
            sentences = SentenceList()
            prepared = prepare(
                examples[first : first + ITEMS_TOGETHER], self.questions, self.known, sentences
            )
            sentences.read(self.encoder, None if self.config.train_backbone else self.memory)
            if self.config.has_relations:
                prepared = with_relations(prepared, sentences)
            rows = self._network_rows(prepared)
            said = scores_of(self.whole.network, self.encoder, sentences, self.questions, rows)
            found += self._with_trees(said, prepared, sentences)
            n_truncated += [sentences.n_truncated(each) for each in prepared]
        return found, n_truncated

    def _with_trees(
        self, said: list[dict[str, Scores]], prepared: Sequence[Prepared], sentences: SentenceList
    ) -> list[dict[str, Scores]]:
        """The mean of both logits."""
        if self.trees is None:
            return said
        for question in self.questions:
            logits = self.trees.logits(question, prepared, sentences, self._placed)
            for own, of_trees in zip(said, logits, strict=True):
                if (scores := own.get(question.code_id)) is not None and scores.marks is not None:
                    own[question.code_id] = replace(scores, marks=(scores.marks + of_trees) / 2)
        return said

    def save(self, folder: Path) -> None:
        codes = tuple(question.code_id for question in self.questions)
        write_settings(
            folder,
            _Settings(self.config, self._backbone_sha256, codes, self.known, self.scaling, self.rules),
        )
        weights = {name: tensor.contiguous() for name, tensor in trained_weights(self.whole).items()}
        save_file(weights, folder / WEIGHTS)
        if self.trees is not None:
            self.trees.save(folder)

    @classmethod
    def load(cls, folder: Path, questions: Sequence[ModelQuestion]) -> Self:
        settings = read_settings(folder, _Settings)
        learner = cls([q for q in questions if q.code_id in settings.codes], settings.config)
        learner.known, learner.rules, learner.scaling = settings.known, settings.rules, settings.scaling
        learner.trees = SentenceTrees.load(folder) if settings.config.n_trees else None
        learner._load_backbone(lambda line: None)
        if learner._backbone_sha256 != settings.backbone_sha256:
            raise OtherBackbone(settings.config.backbone)
        learner._make_network()
        try:
            weights = load_file(folder / WEIGHTS)
            if weights.keys() != trained_weights(learner.whole).keys():
                raise WeightsUnreadable(folder / WEIGHTS)
            learner.whole.load_state_dict(weights, strict=False)
        except (OSError, RuntimeError, KeyError, SafetensorError) as error:
            raise WeightsUnreadable(folder / WEIGHTS) from error
        return learner

    def _load_backbone(self, report: Report) -> None:
        backbone = load_backbone(self.config.backbone, report)
        self._backbone_sha256 = backbone.fingerprint()
        if self.config.train_backbone:
            check_layers(backbone, self.config.frozen_layers)
            freeze(backbone.model, self.config.frozen_layers)
        else:
            backbone.model.requires_grad_(False)
        self._encoder = SentenceEncoder(backbone, self.config.max_tokens, self.config.pooling)

    @property
    def _n_rows(self) -> int:
        of_positions = dense_width(self.known) if self.config.positions else 0
        return of_positions + (len(COLUMNS) if self.config.has_relations else 0)

    def _make_network(self) -> None:
        network = Networks(self.questions, self.config, width=self.encoder.width, n_rows=self._n_rows)
        self._whole = Whole(network, self.encoder, trains_backbone=self.config.train_backbone)

    @property
    def encoder(self) -> SentenceEncoder:
        if self._encoder is None:
            raise NotFitted
        return self._encoder

    @property
    def whole(self) -> Whole:
        if self._whole is None:
            raise NotFitted
        return self._whole


def report_cut(n_truncated: Sequence[int], report: Report) -> None:
    cut = [n for n in n_truncated if n]
    if cut:
        report(
            f"Long sentences cut in {len(cut):,} of {len(n_truncated):,} items, {sum(cut):,} tokens: try --max-tokens"
        )
