"""Whether estimates know the model's errors, through which gold, and whether the model had seen it."""

from analysis.report.facts import GoldFacts
from analysis.report.left_out import left_out_words
from analysis.report.material import Material, PartMaterial
from analysis.report.wording import in_order
from analysis.values import Way


def correction(material: Material) -> list[str]:
    if not material.parts:
        return []
    corrected = [part for part in material.parts if Way.CORRECTED in part.values]
    if not corrected:
        return [
            "All estimates are naive: they take the model's labels as right, and their intervals know nothing of its"
            " errors."
        ]
    gold = in_order([f"{len(part.corpus.drawn()):,} {part.things}" for part in corrected])
    facts = material.facts.gold
    drawn = f", drawn {facts.drawn.rstrip('.')}" if facts and facts.drawn else ""
    said = [
        "Estimates on a model's labels are biased by its errors. Each is therefore also given corrected by design-based"
        " supervised learning (Egami, Hinck, Stewart and Wei, 2023): in place of a label Ŷ stands Ŷ + (R/π)(Y - Ŷ),"
        " with Y the settled label where there is one (R = 1) and π the probability with which the item was drawn"
        " for it.",
        f"Settled labels with known probabilities were there for {gold}{drawn}.",
        _seen(corrected, facts),
        *_left_out(corrected, facts),
    ]
    naive = [part.things for part in material.parts if part not in corrected]
    if naive:
        said.append(f"Estimates on {in_order(naive)} are naive only.")
    return said


def _seen(corrected: list[PartMaterial], facts: GoldFacts | None) -> str:
    because = f": {facts.unseen_because.rstrip('.')}" if facts and facts.unseen_because else ""
    is_recorded = all("seen_in_training" in part.corpus.items.columns for part in corrected)
    if is_recorded or (facts and facts.is_unseen):
        return f"The model had learned from none of these items{because}."
    if facts and facts.is_unseen is False:
        return (
            "The model had learned from some of these items, where it errs less than elsewhere, so that the correction"
            " is too small."
        )
    return "Whether the model had learned from any of these items was not recorded."


def _left_out(corrected: list[PartMaterial], facts: GoldFacts | None) -> list[str]:
    """What the release has besides."""
    found = [(part.things, facts.left_out_of(part.corpus.part)) for part in corrected] if facts else []
    told = [f"{each.n:,} {things} ({left_out_words(each)})" for things, each in found if each.n]
    return [f"Other settled labels were not used, of {in_order(told)}."] if told else []
