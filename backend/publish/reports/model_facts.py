"""What the methods tell of the model: its learner, what it reads, and what it reached on items it had not seen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from analysis.report.facts import ModelFacts, Score
from annotation.release.rows import SplitPart
from backend.learn.models.charts import METRIC_NAMES
from backend.learn.models.models import Adapter
from backend.learn.models.probing import probe_words
from backend.learn.models.promotion import promotion_of
from learning.learners.registry import title_of
from learning.learners.spec import INPUTS, learns_evidence
from learning.scoring.majority_baseline import unproven_codes
from learning.scoring.values import HEADLINE, Evaluation, main_metric


def model_facts(adapter: Adapter, *, at: datetime) -> ModelFacts:
    """As it stood when the labels were asked for."""
    card = adapter.read_card()
    part = SplitPart.TEST if card.measures.get(SplitPart.TEST.value) else SplitPart.VALIDATION
    measured = card.measures.get(part.value)
    metric = main_metric(measured) if measured else None
    promotion = promotion_of(adapter, until=at)
    return ModelFacts(
        adapter=f"{adapter.name} ({adapter.adapter_id[:12]})",
        learner=title_of(adapter.learner),
        configuration=_configuration(card.config),
        measure=METRIC_NAMES[metric] if metric else "",
        measured_on=f"the {part.value} part of release {adapter.release.number}" if measured else "",
        scores=_scores(measured) if measured else (),
        promotion=promotion.words,
        probe=probe_words(adapter, until=at),
        has_passed=promotion.has_passed,
        # Thresholds were chosen on the validation part, so that it proves nothing
        unproven=unproven_codes(card.codes, card.measures.get(SplitPart.TEST.value)),
    )


def _configuration(config: Mapping[str, Any]) -> str:
    reads = INPUTS.get(str(config.get("input", "")), "").lower()
    words = [f"reads {reads}"] if reads else []
    if config.get("backbone"):
        words.append(f"starts from {config['backbone']}")
    words.append("learns evidence" if learns_evidence(config) else "learns no evidence")
    return ", ".join(words)


def _scores(measured: Evaluation) -> tuple[Score, ...]:
    """Only of codes that the main measure is about: others would be numbers of another kind."""
    metric = main_metric(measured)
    found = [(code.code_id, code.headline) for code in measured.codes if HEADLINE[code.answer] is metric]
    return tuple(Score(code=code, value=score.value, low=score.low, high=score.high) for code, score in found)
