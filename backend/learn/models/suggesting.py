"""What the adapter in service says about an item, for researchers: never shown to annotators from here."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.release.rows import SplitPart
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Item
from backend.learn.models.held_out import why_withheld
from backend.learn.models.hooks import kept_predictions
from backend.learn.models.models import Adapter
from backend.learn.models.selectors import adapter_in_service
from learning.adapters.folder import AdapterBroken, read_seen
from learning.predictions.files import PredictionsUnreadable, predictions_file, read_predictions
from learning.predictions.rows import CodePrediction, ItemPrediction


@dataclass(frozen=True, slots=True)
class Said:
    """A theme with the model's answer in words and how probable it holds it."""

    name: str
    answer: str
    probability: float | None


@dataclass(frozen=True, slots=True)
class Opinion:
    """`said` is empty where the adapter has not been asked about the item, or `withheld` says why it is not told."""

    adapter: Adapter
    said: tuple[Said, ...]
    withheld: str = ""


def opinion_on(item: Item) -> Opinion | None:
    """None where no adapter is in service."""
    adapter = adapter_in_service(item.study)
    if adapter is None:
        return None
    asked = (lookup(adapter, item) for lookup in (*kept_predictions.functions(), _unseen_prediction))
    prediction = next((each for each in asked if each is not None), None)
    if prediction is None or _has_seen(adapter, item):
        return Opinion(adapter, ())
    withheld = why_withheld(item.study, [item])
    if withheld:
        return Opinion(adapter, (), withheld[item.pk])
    known = {code.id: (question, code) for question, code in codebook_of(adapter.edition).coded_questions()}
    return Opinion(
        adapter,
        tuple(
            Said(known[each.code_id][1].name, known[each.code_id][0].label_of(each.value), _sure(each))
            for each in prediction.codes
            if each.code_id in known
        ),
    )


def _has_seen(adapter: Adapter, item: Item) -> bool:
    """What it learned, it knows: that is no opinion."""
    try:
        return item.item_id in read_seen(adapter.folder).all()
    except AdapterBroken:
        return True


def _sure(prediction: CodePrediction) -> float | None:
    return prediction.probability_of(frozenset({prediction.value}))


def _unseen_prediction(adapter: Adapter, item: Item) -> ItemPrediction | None:
    """On items that it did not learn from."""
    codebook = codebook_of(adapter.edition)
    for part in (SplitPart.VALIDATION, SplitPart.TEST):
        path = adapter.measured / predictions_file(part)
        try:
            found = read_predictions(path, codebook) if path.exists() else ()
        except PredictionsUnreadable:
            continue
        for each in found:
            if each.item_id == item.item_id:
                return each
    return None
