"""The encoder with low-rank adapters as a learner."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Self

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from codebook.questions import ModelQuestion
from learning.predictions.rows import ItemPrediction
from ml_backend.encoder.backbone import Backbone, load_backbone
from ml_backend.encoder.config import EncoderConfig
from ml_backend.encoder.layers import check_layers, freeze
from ml_backend.encoder.lora import load_lora, lora_state, merge_lora, put_on, save_lora, with_lora
from ml_backend.encoder.network import Network
from ml_backend.encoder.plan import plan_for
from ml_backend.encoder.preparing import Prepared, Preparing
from ml_backend.encoder.scoring import embeddings_of, scores_of
from ml_backend.encoder.training import Training
from ml_backend.examples import Example
from ml_backend.gradients.epochs import Watch
from ml_backend.gradients.training_state import take_weights
from ml_backend.learners.calibration import fitted_rules
from ml_backend.learners.checkpoint import Checkpoint
from ml_backend.learners.continuing import check_parent, report_begun
from ml_backend.learners.interface import (
    Config,
    Input,
    Learner,
    OnPoint,
    ParentUnfit,
    Report,
    WeightsUnreadable,
    read_settings,
    write_settings,
)
from ml_backend.learners.scores import Rule, Scores, item_prediction
from ml_backend.learners.soft_targets import (
    ANNOTATORS,
    annotators_with_heads,
    refuse_without_shares,
)
from ml_backend.swapped_negatives import swapped_negatives

HEADS, FULL = "heads.safetensors", "encoder.safetensors"


class OtherBackbone(ValueError):
    def __init__(self, name: str) -> None:
        super().__init__(
            f"The backbone {name!r} has other weights here than where the adapter was trained. "
            "Use the same version of it."
        )


class _Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    config: EncoderConfig
    backbone_sha256: str
    codes: tuple[str, ...]
    rules: dict[str, Rule]
    heads: dict[str, int] = {}


@dataclass(frozen=True, slots=True)
class Inherited:
    """What a parent learned; `encoder` is its low-rank additions, or all of its weights that were trained."""

    encoder: Mapping[str, Tensor]
    heads: Mapping[str, Tensor]
    codes: frozenset[str]


class EncoderLora(Learner):
    name: ClassVar = "encoder-lora"
    inputs: ClassVar = tuple(Input)
    config_type: ClassVar = EncoderConfig

    def __init__(self, questions: Sequence[ModelQuestion], config: Config) -> None:
        super().__init__(questions, config)
        self.plan = plan_for(self.questions, self.config.input)
        self.rules: dict[str, Rule] = {}
        self._backbone_sha256 = ""
        self._annotators: dict[str, tuple[str, ...]] = {}
        self._heads: dict[str, int] = {}
        self._lora: tuple[Any, dict[str, Tensor]] | None = None
        self._network: Network | None = None
        self._preparing: Preparing | None = None
        self._inherited: Inherited | None = None

    def begin_from(self, parent: Learner) -> None:
        found = check_parent(self, parent)
        if ANNOTATORS in (self.config.targets, found.config.targets):
            raise ParentUnfit("annotators' heads are always learned anew. Train without a parent.")
        encoder = _trained_weights(found.network.encoder) if found._lora is None else found._lora[1]
        heads = {name: each.detach() for name, each in found.network.head_parameters().items()}
        codes = frozenset(question.code_id for question in found.questions)
        self._inherited = Inherited(encoder, heads, codes)

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
        self._take_targets(train, report)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            backbone = load_backbone(self.config.backbone, report)
            self._backbone_sha256 = backbone.fingerprint()
            network = self._make_network(backbone, self._unfreeze(backbone))
            inherited = self._take_inherited(network, report)
            prepared = self.prepare([*train, *self._negatives(train, seed, report)])
            prepared_dev = self.prepare(dev)
            _report_long(report, prepared)
            if self.config.frozen_layers:
                network.split(backbone.model, self.config.frozen_layers)
            watch = Watch(report, self._backbone_sha256, checkpoint, on_point)
            Training(network, self.questions, self.config, prepared, prepared_dev, watch, inherited).run(seed)
        if not self.config.full:
            self._lora = lora_state(network.encoder)
        network.settle(network.encoder if self.config.full else merge_lora(network.encoder))
        scores = scores_of(network, self.questions, prepared_dev, report)
        self.rules = fitted_rules(self.questions, dev, scores, soft=self.config.is_soft)

    def _take_targets(self, train: Sequence[Example], report: Report) -> None:
        if self.config.is_soft:
            refuse_without_shares(self.questions, train, self.config.targets)
        if self.config.targets == ANNOTATORS:
            self._annotators = annotators_with_heads(self.questions, train, report)
            self._heads = {code: len(those) for code, those in self._annotators.items()}

    def _negatives(self, train: Sequence[Example], seed: int, report: Report) -> tuple[Example, ...]:
        share = self.config.swapped_negatives
        if not share:
            return ()
        found = swapped_negatives(train, self.questions, self.config.input, share=share, seed=seed)
        report(f"Replies under other posts, to be learned as a no: {len(found):,}")
        return found

    def _unfreeze(self, backbone: Backbone) -> Any:
        """The encoder with what is to be trained, and nothing else, set to learn."""
        check_layers(backbone, self.config.frozen_layers)
        if not self.config.full:
            return with_lora(backbone, self.config)
        freeze(backbone.model, self.config.frozen_layers)
        return backbone.model

    def _take_inherited(self, network: Network, report: Report) -> frozenset[str]:
        """The codes that need not begin anew."""
        if self._inherited is None:
            return frozenset()
        if self.config.full:
            take_weights(network.encoder, self._inherited.encoder)
        else:
            put_on(network.encoder, self._inherited.encoder)
        take_weights(network, self._inherited.heads)
        codes = self._inherited.codes
        self._inherited = None
        report_begun(self.questions, codes, report)
        return codes

    def predict(
        self, examples: Sequence[Example], *, adapter_id: str, report: Report
    ) -> tuple[ItemPrediction, ...]:
        scores, n_truncated = self.scores(examples, report)
        found = (
            item_prediction(example, self.questions, said, self.rules, adapter_id=adapter_id, n_truncated=n)
            for example, said, n in zip(examples, scores, n_truncated, strict=True)
        )
        return tuple(prediction for prediction in found if prediction is not None)

    def scores(
        self, examples: Sequence[Example], report: Report
    ) -> tuple[list[dict[str, Scores]], list[int]]:
        """Raw, in the order of the examples, and how many tokens of each were not read."""
        prepared = self.prepare(examples)
        _report_long(report, prepared)
        found = scores_of(self.network, self.questions, prepared, report)
        return found, [each.n_truncated for each in prepared]

    def only(self, codes: Collection[str]) -> Self:
        found = super().only(codes)
        found.plan = plan_for(found.questions, self.config.input)
        found._network = self.network.reading(found.plan)
        found._preparing = self._preparing and self._preparing.reading(found.plan)
        return found

    def embed(self, examples: Sequence[Example]) -> NDArray[np.float32]:
        """The mean state of each judged part, and zeros for one that is not there."""
        return embeddings_of(self.network, self.prepare(examples))

    def save(self, folder: Path) -> None:
        network = self.network
        codes = tuple(question.code_id for question in self.questions)
        write_settings(folder, _Settings(self.config, self._backbone_sha256, codes, self.rules, self._heads))
        heads = {name: parameter.detach() for name, parameter in network.head_parameters().items()}
        save_file(heads, folder / HEADS)
        if self._lora is not None:
            save_lora(folder, *self._lora, self.config.backbone)
        else:
            save_file(_trained_weights(network.encoder), folder / FULL)

    @classmethod
    def load(cls, folder: Path, questions: Sequence[ModelQuestion]) -> Self:
        settings = read_settings(folder, _Settings)
        learner = cls([q for q in questions if q.code_id in settings.codes], settings.config)
        backbone = load_backbone(settings.config.backbone, lambda line: None)
        learner._backbone_sha256, learner.rules = settings.backbone_sha256, settings.rules
        learner._heads = settings.heads
        if backbone.fingerprint() != settings.backbone_sha256:
            raise OtherBackbone(backbone.name)
        try:
            learner._take_weights(backbone, folder)
        except (OSError, RuntimeError, KeyError, ValueError, SafetensorError) as error:
            raise WeightsUnreadable(folder) from error
        return learner

    def _take_weights(self, backbone: Backbone, folder: Path) -> None:
        encoder = backbone.model
        if self.config.full:
            freeze(encoder, self.config.frozen_layers)
            weights = load_file(folder / FULL)
            if weights.keys() != _trained_weights(encoder).keys():
                raise WeightsUnreadable(folder / FULL)
            encoder.load_state_dict(weights, strict=False)
        else:
            model = load_lora(backbone, folder)
            self._lora = lora_state(model)
            encoder = merge_lora(model)
        network = self._make_network(backbone, encoder)
        _, unexpected = network.load_state_dict(heads := load_file(folder / HEADS), strict=False)
        if unexpected or set(heads) != set(network.head_parameters()):
            raise WeightsUnreadable(folder / HEADS)

    def _make_network(self, backbone: Backbone, encoder: Any) -> Network:
        self._preparing = Preparing(backbone, self.plan, self.config, self._annotators)
        self._network = Network(
            encoder,
            self.plan,
            pad=backbone.tokenizer.pad_token_id or 0,
            takes_types="token_type_ids" in backbone.tokenizer.model_input_names,
            dropout=self.config.dropout,
            heads=self._heads,
        )
        return self._network

    def prepare(self, examples: Sequence[Example]) -> list[Prepared]:
        if self._preparing is None:
            raise NotFitted
        return self._preparing.prepare(examples)

    @property
    def network(self) -> Network:
        if self._network is None:
            raise NotFitted
        return self._network


class NotFitted(RuntimeError):
    def __init__(self) -> None:
        super().__init__("This learner has learned nothing yet: fit or load it first.")


def _trained_weights(encoder: Any) -> dict[str, Tensor]:
    return {
        name: parameter.detach().contiguous()
        for name, parameter in encoder.named_parameters()
        if parameter.requires_grad
    }


def _report_long(report: Report, prepared: Sequence[Prepared]) -> None:
    long = sum(any(len(view.windows) > 1 for view in each.views.values()) for each in prepared)
    cut = sum(each.n_truncated > 0 for each in prepared)
    if long:
        report(f"Long texts read in overlapping windows: {long:,} of {len(prepared):,} items")
    if cut:
        tokens = sum(each.n_truncated for each in prepared)
        report(
            f"Context cut in {cut:,} of {len(prepared):,} items, {tokens:,} tokens in all: try --max-tokens"
        )
