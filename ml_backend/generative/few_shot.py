"""Few-shot prompting as a learner: an instruct model as it is, shown some labelled items before each question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Self

import msgspec

from codebook.questions import ModelQuestion
from ml_backend.examples import Example
from ml_backend.generative.config import FewShotConfig
from ml_backend.generative.demonstrations import chosen_demonstrations
from ml_backend.generative.prompted import Prompted
from ml_backend.generative.prompts import Demonstration
from ml_backend.learners.checkpoint import Checkpoint
from ml_backend.learners.interface import OnPoint, Report, read_settings, write_settings
from ml_backend.learners.scores import Rule


class _Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`demonstrations` hold texts of the train part, word for word."""

    config: FewShotConfig
    four_bit: bool
    backbone_sha256: str
    seen: dict[str, tuple[int, ...]]
    demonstrations: dict[str, tuple[Demonstration, ...]]
    rules: dict[str, Rule]


class FewShot(Prompted):
    name: ClassVar = "few-shot"
    config_type: ClassVar = FewShotConfig

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
        """Nothing is trained; thresholds and calibration are set on the validation part, as for all learners."""
        self._learn_what_was_seen(train)
        self._open_backbone(report)
        self.demonstrations = {
            question.code_id: chosen_demonstrations(
                self._make_prompting(question),
                self._asked_apart(question, train),
                most=self.config.demonstrations,
                seed=seed,
                evidence=self.config.evidence,
            )
            for question in self.questions
        }
        self._report_few(report)
        self._set_rules(dev, report)

    def save(self, folder: Path) -> None:
        shown = {code: tuple(found) for code, found in self.demonstrations.items()}
        write_settings(
            folder,
            _Settings(self.config, self._four_bit, self._backbone_sha256, self.seen, shown, self.rules),
        )

    @classmethod
    def load(cls, folder: Path, questions: Sequence[ModelQuestion]) -> Self:
        settings = read_settings(folder, _Settings)
        learner = cls([q for q in questions if q.code_id in settings.demonstrations], settings.config)
        learner.seen, learner.rules, learner.demonstrations = (
            settings.seen,
            settings.rules,
            settings.demonstrations,
        )
        learner._open_same_backbone(four_bit=settings.four_bit, sha256=settings.backbone_sha256)
        return learner

    def _report_few(self, report: Report) -> None:
        few = {code: len(found) for code, found in self.demonstrations.items()}
        for code in (code for code, n in few.items() if n < self.config.demonstrations):
            report(
                f"{code}: {few[code]} demonstrations instead of {self.config.demonstrations}, because no more labelled "
                "texts fit; try --max-tokens"
            )
