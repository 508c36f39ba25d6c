"""What a reader wants to know first: whether the model may be believed, what was labelled, and what can be said."""

from collections.abc import Sequence

from analysis.labels import LEAST_GOLD
from analysis.report.content import Section
from analysis.report.headlines import RULE
from analysis.report.material import Material, PartMaterial
from analysis.report.registry import section_kinds
from analysis.report.wording import in_order
from analysis.values import Way, gold_in_words
from learning.learning_curves.gold_weights import effective_number


def summary_of(material: Material, sections: Sequence[Section]) -> tuple[str, ...]:
    """How the model entered service, what was labelled, whether it is corrected, and of the main sections the strongest
    finding that may be a headline."""
    if not material.parts:
        return ("Nothing was labelled.",)
    model = material.facts.model
    counted = in_order([f"{len(part.corpus):,} {part.things}" for part in material.parts])
    names = {kind.id for kind in section_kinds() if kind.is_main}
    main = [section for section in sections if section.name in names and section.tables]
    told = [section.headline for section in main if section.headline]
    if main and not told:
        told = [f"No finding stands at the top of this report. {RULE}."]
    return (
        *([model.promotion] if model and model.promotion else []),
        f"{counted} were labelled.",
        _ways(material),
        *told,
    )


def _ways(material: Material) -> str:
    corrected = [part for part in material.parts if Way.CORRECTED in part.values]
    if not corrected:
        return "Estimates are naive: they take the model's labels as right."
    little = [part for part in corrected if _effective(part) < LEAST_GOLD]
    enough = [part for part in corrected if part not in little]
    said = f"Estimates are naive, from gold alone, and corrected with gold on {_gold_on(enough or little)}"
    if not enough:
        return f"{said}; that is too little to correct by: label more before you believe either."
    said = f"{said}; where they differ, believe the corrected ones."
    if not little:
        return said
    advice = "is too little to correct by: label more before you believe either estimate of them"
    return f"{said} Gold on {_gold_on(little)} {advice}."


def _gold_on(parts: Sequence[PartMaterial]) -> str:
    return in_order([_gold(part) for part in parts])


def _effective(part: PartMaterial) -> float:
    corpus = part.values[Way.CORRECTED]
    return effective_number(corpus.draw_weights(corpus.drawn()).tolist())


def _gold(part: PartMaterial) -> str:
    n, effective = len(part.corpus.drawn()), _effective(part)
    words = gold_in_words(n, effective).replace(" gold label", f" {part.things}", 1)
    return words.replace(f"{part.things}s", part.things)
