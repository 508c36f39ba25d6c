"""What Label Studio sends, as items; and what an adapter says about them, as Label Studio wants to read it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from xml.etree.ElementTree import ParseError, canonicalize

import msgspec

from annotation.answers import ItemText
from annotation.label_studio.config import label_config
from annotation.label_studio.task_data import NotOurTask, item_of
from codebook.schema import Codebook
from learning.adapters.card import Card
from learning.predictions.rows import ItemPrediction
from learning.suggestions.answers import SuggestionScope, codes_left_out
from learning.suggestions.asking import TextAsked, TextJudged
from learning.suggestions.encoding import encode_prediction, short_id
from learning.suggestions.highlights import WITHOUT_RELEASE
from ml_backend.examples import Example
from ml_backend.server.patience import Patience
from ml_backend.server.refusals import BadBody, OtherEdition
from ml_backend.server.services import Loaded


class Task(msgspec.Struct):
    data: dict[str, object]


class PredictBody(msgspec.Struct):
    tasks: list[Task]
    label_config: str


class SetupBody(msgspec.Struct):
    """It also carries the owner's token, which nobody here reads."""

    schema: str


class Result(msgspec.Struct):
    result: tuple[dict[str, object], ...]
    score: float | None
    model_version: str


class Predicted(msgspec.Struct):
    """One result for each task, in their order."""

    results: list[Result]
    model_version: str


def predict(body: PredictBody, loaded: Loaded) -> Predicted:
    adapter = loaded.adapter
    refuse_other_edition(body.label_config, adapter.codebook)
    items = [_item(task) for task in body.tasks]
    patience = Patience(None)
    said = {prediction.item_id: prediction for prediction in _predict(loaded, items, patience)}
    version = short_id(adapter.card.id)
    scope = _scope(adapter.codebook, adapter.card)
    results = [_result(adapter.codebook, item, said.get(item.item_id), version, scope) for item in items]
    return Predicted(results, version)


def judge(asked: TextAsked, loaded: Loaded, patience: Patience) -> TextJudged:
    """With what Label Studio has no room for: every probability, and what did not fit into the model."""
    said = next(iter(_predict(loaded, [asked.item()], patience)), None)
    return TextJudged(loaded.adapter.card.id, said)


def _predict(loaded: Loaded, items: Sequence[ItemText], patience: Patience) -> Sequence[ItemPrediction]:
    adapter = loaded.adapter
    with patience.holding(loaded.lock):
        return adapter.learner.predict(
            [Example(item) for item in items], adapter_id=adapter.card.id, report=_nobody_listens
        )


def refuse_other_edition(config: str, codebook: Codebook) -> None:
    """Another interface than the adapter's codebook makes has other codes, or other definitions beside them."""
    if _canonical(config) != _of_codebook(codebook):
        raise OtherEdition


def _scope(codebook: Codebook, card: Card) -> SuggestionScope:
    """The release, which tells what people mark, need not lie where this server runs."""
    limits = {code.id: WITHOUT_RELEASE for _, code in codebook.coded_questions()}
    return SuggestionScope(frozenset(code.id for code in codes_left_out(codebook, card.config)), limits)


def _result(
    codebook: Codebook, item: ItemText, said: ItemPrediction | None, version: str, scope: SuggestionScope
) -> Result:
    """An item without a part that the adapter judges has nothing to suggest."""
    if said is None:
        return Result((), None, version)
    suggestion = encode_prediction(codebook, item, said, scope)
    return Result(suggestion.rows, suggestion.score, version)


def _item(task: Task) -> ItemText:
    try:
        return item_of(task.data)
    except NotOurTask as problem:
        raise BadBody(str(problem)) from problem


@lru_cache(maxsize=16)
def _canonical(config: str) -> str:
    try:
        return canonicalize(config, strip_text=True)
    except ParseError:
        raise BadBody("The labelling config is not XML") from None


@lru_cache(maxsize=16)
def _of_codebook(codebook: Codebook) -> str:
    return _canonical(label_config(codebook))


def _nobody_listens(line: str) -> None:
    """Long texts are read in windows; in one answer there is nobody to tell."""
