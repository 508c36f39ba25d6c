"""An instruct model with low-rank additions as a learner: fine-tuned on its own answers alone, in 4 bits or plainly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Self

import msgspec
import torch
from peft import LoraConfig, TaskType, get_peft_model, prepare_model_for_kbit_training
from safetensors import SafetensorError
from torch import Tensor

from codebook.questions import ModelQuestion
from ml_backend.encoder.backbone import Backbone
from ml_backend.encoder.lora import load_lora, lora_state, merge_lora, put_on, save_lora
from ml_backend.examples import Example
from ml_backend.generative.config import GenerativeConfig
from ml_backend.generative.lessons import Lesson, lessons_of
from ml_backend.generative.prompted import NotFitted, Prompted
from ml_backend.generative.training import Training
from ml_backend.gradients.epochs import Watch
from ml_backend.learners.checkpoint import Checkpoint
from ml_backend.learners.continuing import check_parent, report_begun
from ml_backend.learners.dev_scores import dev_f1
from ml_backend.learners.interface import (
    Config,
    Learner,
    OnPoint,
    Report,
    WeightsUnreadable,
    read_settings,
    write_settings,
)
from ml_backend.learners.scores import Rule


class _Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`four_bit` is what was held in memory, whatever the configuration left open."""

    config: GenerativeConfig
    four_bit: bool
    backbone_sha256: str
    codes: tuple[str, ...]
    seen: dict[str, tuple[int, ...]]
    rules: dict[str, Rule]


class GenerativeLora(Prompted):
    name: ClassVar = "generative-lora"
    config_type: ClassVar = GenerativeConfig

    def __init__(self, questions: Sequence[ModelQuestion], config: Config) -> None:
        super().__init__(questions, config)
        self._lora: tuple[Any, dict[str, Tensor]] | None = None
        self._parent: tuple[dict[str, Tensor], dict[str, tuple[int, ...]]] | None = None

    def begin_from(self, parent: Learner) -> None:
        found = check_parent(self, parent)
        if found._lora is None:
            raise NotFitted
        self._parent = (found._lora[1], found.seen)

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
        self._learn_what_was_seen(train)
        with torch.random.fork_rng(devices=range(torch.cuda.device_count())):
            torch.manual_seed(seed)
            backbone = self._open_backbone(report)
            lessons, dev_lessons = self._lessons(train), self._lessons(dev)
            _report_cut(report, lessons)
            model = self._with_lora(backbone)
            if self._parent is not None:
                self._continue(model, *self._parent, report)
            self._backbone = replace(backbone, model=model)
            Training(
                model=model,
                config=self.config,
                pad=int(backbone.tokenizer.pad_token_id or 0),
                train=lessons,
                dev=dev_lessons,
                dev_f1=lambda: dev_f1(self.questions, dev, self._scores(dev, lambda line: None)),
                watch=Watch(report, self._backbone_sha256, checkpoint, on_point),
            ).run(seed)
        self._lora = lora_state(model)
        self._take(model)
        self._set_rules(dev, report)

    def _continue(
        self, model: Any, weights: dict[str, Tensor], seen: dict[str, tuple[int, ...]], report: Report
    ) -> None:
        """Answers that the parent has learned can be said too."""
        put_on(model, weights)
        self.seen = {code: tuple(sorted({*own, *seen.get(code, ())})) for code, own in self.seen.items()}
        report_begun(self.questions, seen, report)

    def save(self, folder: Path) -> None:
        if self._lora is None:
            raise NotFitted
        codes = tuple(question.code_id for question in self.questions)
        settings = _Settings(self.config, self._four_bit, self._backbone_sha256, codes, self.seen, self.rules)
        write_settings(folder, settings)
        save_lora(folder, *self._lora, self.config.backbone)

    @classmethod
    def load(cls, folder: Path, questions: Sequence[ModelQuestion]) -> Self:
        settings = read_settings(folder, _Settings)
        learner = cls([q for q in questions if q.code_id in settings.codes], settings.config)
        learner.seen, learner.rules = settings.seen, settings.rules
        backbone = learner._open_same_backbone(four_bit=settings.four_bit, sha256=settings.backbone_sha256)
        try:
            model = load_lora(backbone, folder)
        except (OSError, RuntimeError, KeyError, ValueError, SafetensorError) as error:
            raise WeightsUnreadable(folder) from error
        learner._lora = lora_state(model)
        learner._take(model)
        return learner

    def _with_lora(self, backbone: Backbone) -> Any:
        model = backbone.model
        if self._four_bit:
            model = prepare_model_for_kbit_training(  # type: ignore[no-untyped-call]
                model, use_gradient_checkpointing=model.device.type == "cuda"
            )
        config = LoraConfig(
            r=self.config.rank,
            lora_alpha=self.config.alpha,
            target_modules="all-linear",
            task_type=TaskType.CAUSAL_LM,
        )
        return get_peft_model(model, config)

    def _take(self, model: Any) -> None:
        """For prediction: merged, but for 4 bits, which a sum would have to be rounded to again."""
        self._backbone = replace(self._model(), model=model.eval() if self._four_bit else merge_lora(model))

    def _lessons(self, examples: Sequence[Example]) -> list[Lesson]:
        end = int(self._model().tokenizer.eos_token_id)
        return [
            lesson
            for question in self.questions
            for lesson in lessons_of(
                self._make_prompting(question),
                self._asked_apart(question, examples),
                evidence=self.config.evidence,
                end=end,
            )
        ]


def _report_cut(report: Report, lessons: Sequence[Lesson]) -> None:
    cut = {each.item_id for each in lessons if each.n_truncated}
    if cut:
        n_items = len({each.item_id for each in lessons})
        report(
            f"Texts cut in {len(cut):,} of {n_items:,} items to learn from, the context first: try --max-tokens"
        )
