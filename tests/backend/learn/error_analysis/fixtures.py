"""A study whose people judged twelve items, a release of them, and a model that errs where the test says."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from annotation.release.rows import ReleaseRow, SplitPart
from backend.decide.adjudication.models import Suspicion
from backend.decide.releases.selectors import rows_of
from backend.learn.models.models import Adapter
from learning.predictions.files import predictions_file
from tests.backend.decide.releases.fixtures import EMOTIONS, asked, frozen, judged_study
from tests.backend.learn.models.fixtures import train
from tests.batch_fixtures import CastAtWork

WORDS = (2, 13)


def erring_adapter(work: CastAtWork) -> Adapter:
    judged_study(work)
    release = frozen(work, asked(texts=True))
    adapter = train(release, "tfidf-logistic")
    for part in (SplitPart.VALIDATION, SplitPart.TEST):
        agree(adapter, part)
        err_on(adapter, part, first_item(adapter, part).item.item_id, EMOTIONS, 1)
    # What the training itself came to doubt belongs to other tests
    Suspicion.objects.all().delete()
    return adapter


def first_item(adapter: Adapter, part: SplitPart = SplitPart.VALIDATION) -> ReleaseRow:
    rows = (row for row in rows_of(adapter.release) if row.split is part)
    return min(rows, key=lambda row: row.item.item_id)


def agree(adapter: Adapter, part: SplitPart) -> None:
    """As if the model were right about everything."""
    labels = {
        (row.item.item_id, label.code): label.value
        for row in rows_of(adapter.release)
        for label in row.labels
    }
    path = adapter.measured / predictions_file(part)
    for item_id, code in pl.read_parquet(path).select("item_id", "code").iter_rows():
        value = labels[item_id, code]
        if value is not None:
            err_on(adapter, part, item_id, code, value, spans=())


def err_on(
    adapter: Adapter,
    part: SplitPart,
    item_id: str,
    code: str,
    value: int,
    spans: tuple[tuple[int, int], ...] = (WORDS,),
) -> None:
    path: Path = adapter.measured / predictions_file(part)
    frame = pl.read_parquet(path)
    rows = frame.to_dicts()
    for row in rows:
        if (row["item_id"], row["code"]) == (item_id, code):
            row["value"] = value
            row["spans"] = [{"part": "post", "start": a, "end": b, "score": 0.9} for a, b in spans]
            for each in row["probabilities"]:
                each["probability"] = 0.9 if each["value"] == value else 0.1
    pl.DataFrame(rows, schema=frame.schema).write_parquet(path)
