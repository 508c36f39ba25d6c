"""Has an adapter predict items, each once, and keeps what it says: for suggestions, their comparison, and pools."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec
import numpy as np

from annotation.answers import ItemText
from backend.annotate.batches.models import Batch
from backend.core.jobs.context import JobContext
from backend.core.ml_tasks.folders import task_folder
from backend.core.ml_tasks.working import refuse_unless, work_on
from backend.design.codebooks.selectors import codebook_of
from backend.design.samples.models import Item
from backend.design.samples.selectors import item_text
from backend.learn.models.models import Adapter
from backend.learn.prelabels.models import KeptPrediction
from backend.learn.prelabels.selectors import unanswered_places
from learning.predictions.files import read_predictions
from learning.predictions.rows import ItemPrediction
from learning.tasks.contract import PredictRequest
from learning.tasks.folder import TaskFolder
from learning.tasks.texts import write_texts

_decoder = msgspec.json.Decoder(ItemPrediction)


@dataclass(frozen=True, slots=True)
class Predicted:
    """`embeddings` has a row for each item, in their order, if they were asked for."""

    found: Sequence[ItemPrediction]
    embeddings: Sequence[bytes] | None


def unpredicted_items(batch: Batch, adapter: Adapter) -> list[Item]:
    """Of both conditions: blind ones are predicted too, and nobody is shown it."""
    open_items = unanswered_places(batch).values("item_id")
    return list(
        Item.objects.filter(pk__in=open_items).exclude(predictions__adapter=adapter).order_by("item_id")
    )


def predict_batch(context: JobContext, batch: Batch, adapter: Adapter, *, now: datetime) -> int:
    """How many were new."""
    items = unpredicted_items(batch, adapter)
    if not items:
        return 0
    predicted = ask_adapter(context, adapter, items, step="predict")
    with context.fenced_transaction():
        keep_predictions(adapter=adapter, items=items, found=predicted.found, now=now)
    return len(items)


def ask_adapter(
    context: JobContext, adapter: Adapter, items: Sequence[Item], *, step: str, embeddings: bool = False
) -> Predicted:
    """What the ML backend says of these items; nothing is kept yet."""
    folder = task_folder(adapter.study, context.job_id, step)
    texts = _texts_file(folder, map(item_text, items))
    request = PredictRequest(adapter_folder=str(adapter.folder), texts=str(texts), embeddings=embeddings)
    result = work_on(context, folder, request)
    refuse_unless((result.adapter_id, result.n_texts) == (adapter.adapter_id, len(items)), folder)
    found = read_predictions(folder.path / result.predictions, codebook_of(adapter.edition))
    vectors = _vectors(folder.path / result.embeddings) if result.embeddings else None
    # What the study's texts say need not lie here any longer.
    texts.unlink(missing_ok=True)
    return Predicted(found, vectors)


def _vectors(path: Path) -> list[bytes]:
    return [row.astype(np.float32).tobytes() for row in np.load(path, allow_pickle=False)]


def keep_predictions(
    *, adapter: Adapter, items: Sequence[Item], found: Sequence[ItemPrediction], now: datetime
) -> None:
    """An item about which nothing was said is kept as such, so that it is not asked for again."""
    said = {prediction.item_id: prediction for prediction in found}
    rows = [
        KeptPrediction(item=item, adapter=adapter, content=_content(said.get(item.item_id)), made_at=now)
        for item in items
    ]
    KeptPrediction.objects.bulk_create(rows, batch_size=500, ignore_conflicts=True)


def read_kept(kept: KeptPrediction) -> ItemPrediction | None:
    return _decoder.decode(kept.content) if kept.content else None


def kept_prediction(adapter: Adapter, item: Item) -> ItemPrediction | None:
    """What the adapter said of the item when it was asked, if it was."""
    kept = KeptPrediction.objects.filter(adapter=adapter, item=item).first()
    return read_kept(kept) if kept else None


def _content(prediction: ItemPrediction | None) -> str:
    return msgspec.json.encode(prediction).decode() if prediction else ""


def _texts_file(folder: TaskFolder, texts: Iterable[ItemText]) -> Path:
    """Named by what it holds: a request for other items is another task."""
    listed = list(texts)
    names = hashlib.sha256("\n".join(text.item_id for text in listed).encode()).hexdigest()[:16]
    path = folder.path / f"texts-{names}.jsonl"
    folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_texts(path, listed)
    return path
