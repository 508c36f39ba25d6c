"""The rows of the table: co-attention as it is by default, the variants that were published, and baselines.

The published ones are those of Bandera, Lee and Parde (“Unveiling Empathic Triggers in Online Interactions via Empathy
Cause Identification”, tables 3 and 4): sentence vectors, co-attention and one linear layer, without positions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

CO_ATTENTION, FEW_SHOT = "co-attention", "few-shot"
_PUBLISHED: Mapping[str, object] = {
    "loss": "focal",
    "positions": False,
    "relations": False,
    "trees": 0,
    "layers": 0,
    "networks": 1,
    "hidden": 0,
    "epochs": 20,
    "restart": 5,
    "batch_size": 4,
    "accumulate": 4,
}
_WEIGHTED: Mapping[str, object] = {**_PUBLISHED, "loss": "cross-entropy"}


@dataclass(frozen=True, slots=True)
class Variant:
    """`options` are those of the learner that differ from its defaults."""

    name: str
    title: str
    learner: str
    options: Mapping[str, object] = field(default_factory=dict)

    def key(self, *more: object) -> str:
        """Names what it learns by everything that this depends on."""
        content = msgspec.json.encode((self.learner, dict(self.options), *more), order="deterministic")
        return hashlib.sha256(content).hexdigest()[:12]


VARIANTS = (
    Variant("default", "Co-attention", CO_ATTENTION),
    Variant("no-attention", "Co-attention, without attention", CO_ATTENTION, {"attention": False}),
    Variant("focal", "Binary focal loss", CO_ATTENTION, _PUBLISHED),
    Variant("weights-3", "Class weights 1:3", CO_ATTENTION, {**_WEIGHTED, "positive_weight": 3}),
    Variant("weights-11", "Class weights 1:11", CO_ATTENTION, {**_WEIGHTED, "positive_weight": 11}),
    Variant("simple", "Focal loss, simpler model", CO_ATTENTION, {**_PUBLISHED, "attention": False}),
    Variant("cls", "Focal loss, CLS token", CO_ATTENTION, {**_PUBLISHED, "pooling": "cls"}),
    Variant("positions", "Positions alone", "positions"),
    Variant("random", "Random", "random"),
    Variant("majority", "Majority", "majority"),
)
PROMPTED = (
    Variant("prompt", "Few-shot prompting on whole posts", FEW_SHOT, {"input": "pair"}),
    Variant("qa", "A question for each sentence", FEW_SHOT, {"input": "pair", "by_sentence": True}),
)


class UnknownVariant(ValueError):
    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"There is no variant {name!r}: choose from {', '.join(known)}.")


def choose_variants(
    names: tuple[str, ...] = (),
    *,
    of_co_attention: Mapping[str, object] | None = None,
    prompt_backbone: str = "",
) -> tuple[Variant, ...]:
    """In the order of the table; all of them where none is named. Options `of_co_attention` go to each of its variants,
    and those that prompt a model are there where one is named.

    >>> [each.name for each in choose_variants(("positions", "focal"))]
    ['focal', 'positions']
    """
    given: dict[str, Mapping[str, object]] = {
        CO_ATTENTION: of_co_attention or {},
        FEW_SHOT: {"backbone": prompt_backbone},
    }
    every = tuple(
        Variant(each.name, each.title, each.learner, {**given.get(each.learner, {}), **each.options})
        for each in (*VARIANTS, *(PROMPTED if prompt_backbone else ()))
    )
    known = tuple(each.name for each in every)
    for name in names:
        if name not in known:
            raise UnknownVariant(name, known)
    return tuple(each for each in every if not names or each.name in names)
