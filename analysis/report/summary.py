"""What a reader wants to know first."""

from collections.abc import Sequence

from analysis.labels import FEW_GOLD
from analysis.report.content import Section
from analysis.report.material import Material
from analysis.report.wording import in_order
from analysis.values import Way

_TOLD = ("overall", "platforms", "replies", "answered", "accepted")


def summary_of(material: Material, sections: Sequence[Section]) -> tuple[str, ...]:
    """What was labelled, whether it is corrected, and the strongest finding of the main sections."""
    if not material.parts:
        return ("Nothing was labelled.",)
    counted = in_order([f"{len(part.corpus):,} {part.things}" for part in material.parts])
    corrected = [part for part in material.parts if Way.CORRECTED in part.values]
    if corrected:
        gold = in_order([f"{len(part.corpus.drawn()):,} {part.things}" for part in corrected])
        is_little = any(len(part.corpus.drawn()) < FEW_GOLD for part in corrected)
        advice = (
            "that is too little to correct by: label more before you believe either"
            if is_little
            else "where they differ, believe the corrected ones"
        )
        ways = f"Estimates are naive, and corrected with gold on {gold}; {advice}."
    else:
        ways = "Estimates are naive: they take the model's labels as right."
    told = [_first(section) for name in _TOLD for section in sections if section.name == name]
    return (f"{counted} were labelled.", ways, *(sentence for sentence in told if sentence))


def _first(section: Section) -> str:
    """The first that is about a finding and not about their number."""
    return next((sentence for sentence in section.sentences if "; n = " in sentence), "")
