"""Has the adapter in service predict the items of a batch, each once, and keeps what it says."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

import msgspec

from annotation.answers import ItemText
from annotation.orders.folder import OrderFolder
from annotation.orders.orders import PredictOrder
from annotation.orders.texts import write_texts
from annotation.predictions.files import read_predictions
from annotation.predictions.rows import ItemPrediction
from backend.adapters.models import Adapter
from backend.batches.models import Batch
from backend.codebooks.selectors import codebook_of
from backend.jobs.context import JobContext
from backend.orders.folders import order_folder
from backend.orders.working import work_on
from backend.prelabels.models import KeptPrediction
from backend.prelabels.selectors import unanswered_places
from backend.samples.models import Item
from backend.samples.selectors import item_text

_decoder = msgspec.json.Decoder(ItemPrediction)


def unpredicted_items(batch: Batch, adapter: Adapter) -> list[Item]:
    """Of both arms: blind ones are predicted too, and nobody is shown it."""
    open_items = unanswered_places(batch).values("item_id")
    return list(
        Item.objects.filter(pk__in=open_items).exclude(predictions__adapter=adapter).order_by("item_id")
    )


def predict_items(context: JobContext, batch: Batch, adapter: Adapter, *, now: datetime) -> int:
    """How many were new."""
    items = unpredicted_items(batch, adapter)
    if not items:
        return 0
    folder = order_folder(batch.study, context.job_id, "predict")
    order = PredictOrder(
        adapter_folder=str(adapter.folder), texts=str(_texts_file(folder, map(item_text, items)))
    )
    answer = work_on(context, folder, order)
    found = read_predictions(folder.path / answer.predictions, codebook_of(adapter.edition))
    with context.fenced_transaction():
        keep_predictions(adapter=adapter, items=items, found=found, now=now)
    return len(items)


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
    """What the adapter said of the item when its batch was predicted, if it was."""
    kept = KeptPrediction.objects.filter(adapter=adapter, item=item).first()
    return read_kept(kept) if kept else None


def _content(prediction: ItemPrediction | None) -> str:
    return msgspec.json.encode(prediction).decode() if prediction else ""


def _texts_file(folder: OrderFolder, texts: Iterable[ItemText]) -> Path:
    """Named by what it holds: an order for other items is another order."""
    listed = list(texts)
    names = hashlib.sha256("\n".join(text.item_id for text in listed).encode()).hexdigest()[:16]
    path = folder.path / f"texts-{names}.jsonl"
    folder.path.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_texts(path, listed)
    return path
